#!/bin/sh
# The bundled trace under every preset, and under the policies no preset has: every run ends well,
# which says that its flow identities hold.
# usage: presets_test.sh, from the top of the source tree; SLABSIM names the program.
set -u
: "${SLABSIM:=./slabsim}"
trace=workloads/traces/hackbench-6.1-8cpu.txt.zst
temp=$(mktemp -d) || exit 1
trap 'rm -rf "$temp"' EXIT
fails=0 runs=0

fail() {
  echo "FAILED: $*"
  fails=$((fails + 1))
}

# run ARGUMENT...: exit code 0, nothing on standard error.
run() {
  runs=$((runs + 1))
  "$SLABSIM" run --trace "$trace" -q --format json "$@" >"$temp/out" 2>"$temp/err" ||
    fail "$*: exit code $?: $(cat "$temp/err")"
  [ ! -s "$temp/err" ] || fail "$*: says: $(cat "$temp/err")"
}

presets=$("$SLABSIM" list presets | sed -n 's/^ *\(linux-[0-9.]*\) .*/\1/p' | sort -u)
[ "$(echo "$presets" | wc -l)" -ge 10 ] || fail "slabsim list presets: only $presets"
for preset in $presets; do
  run --set "policy.preset=$preset"
  # Four nodes, so that other nodes' lists are asked, at random.
  run --set "policy.preset=$preset" --set machine.nodes=4
  cp "$temp/out" "$temp/first"
  run --set "policy.preset=$preset" --set machine.nodes=4
  cmp -s "$temp/out" "$temp/first" || fail "$preset: two runs differ"
done
for preset in linux-3.2 linux-6.12; do
  for policy in partial_accounting=unlimited cpu_partial_full=no-drain \
    cpu_partial_full=alloc-only empty_slab=before-2011-fix 'refill="3.2"' cpu_partial=0 \
    'cpu_partial={"scale":8,"of":"default-old"}' min_partial=feng min_partial=0 order=0 \
    order=min-waste-absolute remote_node_defrag_ratio=always; do
    run --set "policy.preset=$preset" --set "policy.$policy" --set machine.nodes=2
  done
done
# A cache that asks for sheaves, and caches that may not block.
for gfp in kernel atomic; do
  run --set policy.preset=linux-6.18 --set "workload.gfp=$gfp" \
    --set 'caches=[{"name": "kmalloc-cg-1k", "sheaf_capacity": 32},
      {"name": "skbuff_head_cache", "sheaf_capacity": 32}]'
done
echo "$runs runs"
[ $fails -eq 0 ] || echo "$fails failed"
[ $fails -eq 0 ]
