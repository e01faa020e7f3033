#!/bin/sh
# Are results exact in every build? With gcc and clang, -O0 and -O3, one thread and several: every
# oracle case, and the bytes of a report, which must be the same everywhere.
# usage: check-builds.sh [JOBS]; make check-builds runs it in the root of the tree
set -u
trace=workloads/traces/hackbench-6.1-8cpu.txt.zst
reports=$(mktemp -d) || exit 1
trap 'rm -rf "$reports"' EXIT
failed=0

# The reports of one build with so many threads, as one file.
report() {
  for preset in linux-6.1 linux-6.12 linux-6.18 linux-7.0; do
    "$1/slabsim" run --trace $trace --set policy.preset=$preset --threads "$2" -q --format json ||
      return 1
  done
  "$1/slabsim" run --trace $trace --set replay.mode=timed -q --format json
}

fail() {
  echo "FAILED: $*"
  failed=$((failed + 1))
}

for cc in gcc clang; do
  for o in -O0 -O3; do
    build=build/$cc$o
    make --no-print-directory -j"${1:-1}" CC=$cc O=$o $build/slabsim $build/tests/test_oracle \
      >"$reports/make.log" 2>&1 || {
      cat "$reports/make.log"
      fail "$cc $o cannot be built"
      continue
    }
    for threads in 1 2 4; do
      what="$cc $o, threads: $threads"
      SLABSIM_THREADS=$threads $build/tests/test_oracle >"$reports/log" 2>&1 ||
        fail "$what: $(cat "$reports/log")"
      equal=$(awk '/ cases equal/ { n += $2 } END { print n + 0 }' "$reports/log")
      report $build $threads >"$reports/now" || fail "$what: no report"
      [ -e "$reports/first" ] || cp "$reports/now" "$reports/first"
      cmp "$reports/first" "$reports/now" || fail "$what: another report"
      echo "$what: $equal oracle cases equal, report $(cksum <"$reports/now" | cut -d' ' -f1)"
    done
  done
done
[ $failed -eq 0 ]
