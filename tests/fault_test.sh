#!/bin/sh
# A disk that fills up, a file that cannot be renamed, memory that ends, a signal: the command ends
# with status 1 and a message, what was there before is as it was, and nothing else is left.
# usage: fault_test.sh, from the top of the source tree; SLABSIM names the program. FAULTS=N tries
# N places where memory ends instead of a few.
set -u
top=$PWD
case ${SLABSIM:=./slabsim} in /*) ;; *) SLABSIM=$top/$SLABSIM ;; esac
# The sanitizers replace the same functions.
if nm "$SLABSIM" 2>/dev/null | grep -q -e '__asan_init' -e '__tsan_init'; then
  echo "SKIPPED: failing system calls: not with sanitizers, which replace the same functions"
  exit 0
fi
temp=$(mktemp -d) || exit 1
trap 'rm -rf "$temp"' EXIT
fails=0 tried=0
${CC:-cc} -D_GNU_SOURCE -O1 -shared -fPIC -o "$temp/inject.so" tests/fault/inject.c -ldl || exit 1
mkdir "$temp/work" "$temp/tmp"
cd "$temp/work" || exit 1
export TMPDIR="$temp/tmp" SLABSIM_PLOTS="$top/plots"

cat >t.csv <<'CSV'
op,cpu,object,time_ns
alloc,0,1,10
alloc,0,2,20
alloc,1,3,30
free,1,1,40
free,0,2,50
CSV
cat >c.json <<'JSON'
{ "machine": {"cpus": 2},
  "caches": [ {"name": "c", "object_size": 216, "hwcache_align": true} ],
  "workload": {"trace": "t.csv"},
  "sweep": {"policy.cpu_partial": [13, 52]} }
JSON
zstd -q -c "$top/tests/data/trace-ftrace.txt" >t.zst 2>/dev/null || cp "$top/tests/data/trace-ftrace.txt" t.zst
"$SLABSIM" run c.json -q --format json -o a.json || exit 1
"$SLABSIM" run c.json -q --format json --set policy.cpu_partial=13 -o b.json || exit 1

fail() {
  echo "FAILED: $*"
  fails=$((fails + 1))
}

# try FAULT OUTPUT COMMAND...: with the fault the command fails as it should, or does not notice.
# Sets noticed.
try() {
  fault=$1 output=$2
  shift 2
  tried=$((tried + 1))
  rm -rf out
  case $output in out/*) mkdir out ;; esac
  echo before >"$output"
  ls -A . "$TMPDIR" >"$temp/listed"
  SLABSIM_FAULT=$fault LD_PRELOAD=$temp/inject.so timeout 20 "$SLABSIM" "$@" >"$temp/stdout" 2>"$temp/stderr"
  status=$?
  ls -A . "$TMPDIR" >"$temp/listed.now"
  cmp -s "$temp/listed" "$temp/listed.now" || fail "$fault: $*: left: $(diff "$temp/listed" "$temp/listed.now")"
  case $status in
  0) noticed=no ;;
  1)
    noticed=yes
    grep -q '^slabsim: ......' "$temp/stderr" || fail "$fault: $*: says: $(cat "$temp/stderr")"
    ;;
  *)
    noticed=yes
    fail "$fault: $*: status $status: $(cat "$temp/stderr")"
    ;;
  esac
  if [ $noticed = yes ] && [ "$(cat "$output")" != before ]; then
    fail "$fault: $*: $output is half written, or new, although: $(cat "$temp/stderr")"
  elif [ $noticed = no ] && [ "$(cat "$output")" = before ]; then
    fail "$fault: $*: done, but $output is not written"
  fi
}

# every WHAT OUTPUT COMMAND...: the first call fails, then the second, and so on.
every() {
  what=$1
  shift
  n=1
  while [ $n -le 40 ]; do
    try "$what:$n" "$@"
    [ $noticed = yes ] || break
    n=$((n + 1))
  done
  # The first at least has to be noticed.
  [ $n -gt 1 ] || fail "$what: $*: not noticed"
}

for what in write fsync rename open; do
  every "$what" out.txt run c.json -q -o out.txt
  every "$what" out.json run c.json -q --format json -o out.json
  every "$what" out.csv order --sizes 8..4096 --format csv -o out.csv
  every "$what" out.txt compare a.json b.json -o out.txt
  every "$what" out.svg plot a.json b.json -o out.svg
  every "$what" out.html report a.json b.json -o out.html
  every "$what" out.svg order --sizes 8..4096 --plot out.svg
done
# Recordings are unpacked into a file of their own; a sweep has a journal.
every write out.json run --trace t.zst -q --format json -o out.json

# A limit that the picture runs into. What gcov writes at the end of slabsim would, too.
tried=$((tried + 1))
echo before >out.svg
(ulimit -f 4; exec "$SLABSIM" plot a.json b.json -o out.svg) 2>"$temp/stderr"
status=$?
if ! nm "$SLABSIM" 2>/dev/null | grep -q __gcov_dump; then
  [ $status -eq 1 ] || fail "plot beyond the limit: status $status: $(cat "$temp/stderr")"
fi
[ "$(cat out.svg)" = before ] || fail "plot beyond the limit: half a picture"
! find . "$TMPDIR" -name '*tmp-*' | grep . || fail "plot beyond the limit: left that"

# Ended by a signal while gnuplot draws.
mkdir "$temp/slow"
printf '#!/bin/sh\n: >"%s/drawing"\nexec sleep 5\n' "$temp" >"$temp/slow/gnuplot"
chmod +x "$temp/slow/gnuplot"
ended() { # OUTPUT COMMAND...
  output=$1
  shift
  tried=$((tried + 1))
  echo before >"$output"
  ls -A . "$TMPDIR" >"$temp/listed"
  rm -f "$temp/drawing"
  PATH="$temp/slow:$PATH" setsid "$SLABSIM" "$@" >"$temp/stdout" 2>"$temp/stderr" &
  pid=$!
  n=0
  while [ ! -f "$temp/drawing" ] && [ $n -lt 200 ]; do
    sleep 0.05
    n=$((n + 1))
  done
  [ -f "$temp/drawing" ] || fail "$*: gnuplot is not started"
  kill -TERM "-$pid"
  wait "$pid"
  status=$?
  [ $status -eq 143 ] || fail "$*: ended: status $status: $(cat "$temp/stderr")"
  ls -A . "$TMPDIR" >"$temp/listed.now"
  cmp -s "$temp/listed" "$temp/listed.now" || fail "$*: ended: left: $(diff "$temp/listed" "$temp/listed.now")"
  [ "$(cat "$output")" = before ] || fail "$*: ended: $output is another"
}
ended out.svg plot a.json b.json -o out.svg
ended out.html report a.json b.json -o out.html
ended out.svg order --sizes 8..4096 --plot out.svg

# A folder takes more than one file.
for what in write fsync rename open; do
  n=1
  while [ $n -le 30 ]; do
    rm -rf sweep
    tried=$((tried + 1))
    SLABSIM_FAULT=$what:$n LD_PRELOAD=$temp/inject.so timeout 20 "$SLABSIM" sweep c.json -q -j 1 -o sweep \
      >"$temp/stdout" 2>"$temp/stderr"
    status=$?
    [ $status -ne 0 ] || break
    [ $status -eq 1 ] || fail "$what:$n: sweep: status $status: $(cat "$temp/stderr")"
    grep -q '^slabsim: ......' "$temp/stderr" || fail "$what:$n: sweep says: $(cat "$temp/stderr")"
    ! find sweep "$TMPDIR" -name '*tmp-*' 2>/dev/null | grep . || fail "$what:$n: sweep left that"
    # What was not finished can be gone on with, and then is whole.
    resume=
    [ ! -f sweep/journal.jsonl ] || resume=--resume
    "$SLABSIM" sweep c.json -q -j 1 -o sweep $resume >"$temp/stdout" 2>"$temp/stderr" ||
      fail "$what:$n: sweep cannot go on: $(cat "$temp/stderr")"
    [ ! -f whole.json ] || cmp -s whole.json sweep/results.json || fail "$what:$n: sweep: other results"
    cp sweep/results.json whole.json 2>/dev/null || fail "$what:$n: sweep: no results"
    n=$((n + 1))
  done
  [ $n -gt 1 ] || fail "$what: sweep: not noticed"
done

# Memory: every one of the first allocations, then ever fewer.
memory() { # OUTPUT COMMAND...
  output=$1
  shift
  rm -f "$temp/count"
  SLABSIM_FAULT=count:0 SLABSIM_FAULT_COUNT=$temp/count LD_PRELOAD=$temp/inject.so "$SLABSIM" "$@" >/dev/null 2>&1
  total=$(cat "$temp/count" 2>/dev/null || echo 0)
  [ "$total" -ge 5 ] || fail "$*: $total allocations?"
  places=${FAULTS:-40} n=1 i=0
  while [ $i -lt "$places" ]; do
    i=$((i + 1))
    n=$((total * i / places))
    [ "$total" -gt "$places" ] || n=$i
    [ "$n" -le "$total" ] || break
    try "malloc:$n" "$output" "$@"
  done
}
memory out.json run c.json -q --format json -o out.json
memory out.json run --trace t.zst -q --format json -o out.json
memory out.txt run c.json -q --set replay.mode=timed -o out.txt
memory out.csv order --sizes 8..256 --format csv -o out.csv
memory out.txt compare a.json b.json -o out.txt
memory out.svg plot a.json b.json -o out.svg

# The disk is full where standard output goes.
if [ -w /dev/full ]; then
  for command in "run c.json -q" "compare a.json b.json" "order --sizes 8..64" "list policies" "--help"; do
    tried=$((tried + 1))
    # shellcheck disable=SC2086
    "$SLABSIM" $command >/dev/full 2>"$temp/stderr"
    status=$?
    [ $status -eq 1 ] || fail "$command >/dev/full: status $status"
    grep -q 'No space left' "$temp/stderr" || fail "$command >/dev/full: says: $(cat "$temp/stderr")"
  done
fi

echo "$tried faults"
[ $fails -eq 0 ] || echo "$fails failed"
[ $fails -eq 0 ]
