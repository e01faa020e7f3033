#!/bin/sh
# The mutation check: how many small faults in the policies and the mechanics do the tests notice?
# Every fault (mutate.c) is put into a copy of the tree, which is built and tested (mutate.mk).
#
# usage: run.sh [-n COUNT] [-s SEED] [-j JOBS] [-o FOLDER] [FILE...]
#   -n COUNT   only so many, drawn with SEED; default: all
#   -j JOBS    so many at a time; default 1
#   -o FOLDER  where copies and results go; default build/mutate. A run that was stopped goes on
#              where it ended: again come the faults in files that changed since, and, when the
#              tests changed, those that had survived.
# SKIP="NAME..." leaves out tests.
#
# A fault counts as killed when a test fails, crashes or runs into its limit; one that does not
# compile is not counted, nor is one that tools/mutate/equivalent.txt explains: it changes nothing
# that can be seen. Exit status: 1 when fewer than 90 % of the rest are killed.
set -eu
cd "$(dirname "$0")/../.."
count=0 seed=1 jobs=1 out=build/mutate
while getopts n:s:j:o: option; do
  case $option in
  n) count=$OPTARG ;;
  s) seed=$OPTARG ;;
  j) jobs=$OPTARG ;;
  o) out=$OPTARG ;;
  *) sed -n '/^# usage/,/^# SKIP/s/^# //p' "$0" >&2; exit 2 ;;
  esac
done
shift $((OPTIND - 1))
if [ $# -eq 0 ]; then
  for f in cpu_slab cpu_partial node_slab node_list sheaf sheaf_prefill arena large layout geometry order; do
    for s in sim/$f.h sim/$f.c; do [ ! -f "$s" ] || set -- "$@" "$s"; done
  done
  set -- policies/*.c "$@"
fi
mkdir -p "$out"
out=$(cd "$out" && pwd)
mutate=$out/mutate
${CC:-gcc} -std=c11 -O2 -Wall -o "$mutate" tools/mutate/mutate.c

# ---- what to do: FILE NUMBER LINE OLD NEW BEFORE AFTER ----
for file; do
  "$mutate" list "$file" | sed "s|^|$file	|"
done >"$out/all"
awk -F'\t' -v seed="$seed" 'BEGIN { srand(seed) } { printf "%.9f\t%s\n", rand(), $0 }' "$out/all" |
  sort -n | cut -f2- >"$out/drawn"
[ "$count" -eq 0 ] || { head -n "$count" "$out/drawn" >"$out/some" && mv "$out/some" "$out/drawn"; }

# Forget what no longer holds.
cksum "$@" | sort >"$out/sources.new"
cat tests/*.[ch] | cksum >"$out/tests.new"
touch "$out/done.0" "$out/sources" "$out/tests"
sort "$out/sources" | comm -23 "$out/sources.new" - | cut -d' ' -f3 >"$out/changed"
cmp -s "$out/tests" "$out/tests.new" && retry= || retry=survived
cat "$out"/done.* | awk -F'\t' -v changed="$out/changed" -v retry="$retry" '
  BEGIN { while ((getline line <changed) > 0) again[line] = 1 }
  !($2 in again) && $1 != retry' >"$out/known"
rm -f "$out"/done.*
mv "$out/known" "$out/done.0"
mv "$out/sources.new" "$out/sources"
mv "$out/tests.new" "$out/tests"

# FILE, BEFORE and AFTER of every fault that is explained.
awk '/^[^-+=# ]/ { file = $0 } /^- / { before = substr($0, 3) }
     /^\+ / { print file "\t" before "\t" substr($0, 3) }' tools/mutate/equivalent.txt >"$out/equivalent"

# ---- one copy of the tree for each job ----
prepare() {
  mkdir -p "$1"
  for d in sim policies workloads tests configs plots tools examples; do
    rm -rf "${1:?}/$d"
    # With the time of now: what is built may be of a fault.
    cp -R $d "$1/$d"
  done
  make -s -C "$1" -f tools/mutate/mutate.mk objects
}

one() { # COPY FILE NUMBER
  "$mutate" apply "$2" "$3" >"$1/mutant"
  cp "$1/mutant" "$1/$2"
  rm -f "$1/build/mutate/killed_by"
  if ! make -s -C "$1" -f tools/mutate/mutate.mk objects >"$1/log" 2>&1; then
    verdict=broken
  elif make -s -C "$1" -f tools/mutate/mutate.mk kill >"$1/log" 2>&1; then
    verdict=survived
  else
    verdict=killed:$(cat "$1/build/mutate/killed_by" 2>/dev/null || echo link)
  fi
  cp "$2" "$1/$2"
}

worker() { # JOB
  copy=$out/tree.$1
  prepare "$copy"
  if [ "$1" -eq 1 ] && ! make -s -C "$copy" -f tools/mutate/mutate.mk kill; then
    echo "run.sh: the tests fail without any fault: $(cat "$copy/build/mutate/killed_by")" >&2
    cat "$copy/build/mutate/log" >&2
    return 1
  fi
  awk -v jobs="$jobs" -v job="$1" 'NR % jobs == job - 1' "$out/drawn" >"$out/todo.$1"
  touch "$out/done.$1"
  while IFS='	' read -r file number line rest; do
    ! cut -f2-3 "$out"/done.* | grep -qxF "$file	$number" || continue
    one "$copy" "$file" "$number"
    printf '%s\t%s\t%s\t%s\t%s\n' "$verdict" "$file" "$number" "$line" "$rest" >>"$out/done.$1"
  done <"$out/todo.$1"
}

job=1 pids=
while [ $job -le "$jobs" ]; do
  worker $job &
  pids="$pids $!"
  job=$((job + 1))
done
trap 'kill $pids 2>/dev/null' INT TERM
failed=0
for p in $pids; do wait "$p" || failed=1; done
[ $failed -eq 0 ] || exit 1

# ---- what came of it ----
cut -f1-2 "$out/drawn" | sort >"$out/wanted"
cat "$out"/done.* | sort -t'	' -k2,2 -k3,3n | awk -F'\t' -v out="$out" '
  BEGIN {
    while ((getline line <(out "/equivalent")) > 0) equivalent[line] = 1
    while ((getline line <(out "/wanted")) > 0) wanted[line] = 1
  }
  !(($2 "\t" $3) in wanted) { next }
  $1 == "broken" { broken++; next }
  ($2 "\t" $7 "\t" $8) in equivalent { same++; if ($1 != "survived") print "explained, yet killed: " $2 ":" $4; next }
  $1 == "survived" { survived++; printf "%s:%s\n- %s\n+ %s\n", $2, $4, $7, $8; next }
  { killed++; split($1, by, ":"); by_test[by[2]]++ }
  END {
    total = killed + survived
    printf "%d of %d faults killed, %.1f %%; not counted: %d that change nothing, %d that do not compile\n",
      killed, total, total ? 100 * killed / total : 0, same, broken
    for (t in by_test) printf "  %5d by %s\n", by_test[t], t | "sort -rn"
    exit total && killed < 0.9 * total
  }'
