#!/bin/sh
# slabsim sweep: the same bytes however it is run, nothing lost whatever happens to it.
# usage: sweep_test.sh, from the top of the source tree; SLABSIM names the program.
set -u
top=$PWD
case ${SLABSIM:=./slabsim} in /*) ;; *) SLABSIM=$top/$SLABSIM ;; esac
temp=$(mktemp -d) || exit 1
trap 'rm -rf "$temp"' EXIT
cd "$temp" || exit 1
fails=0

fail() {
  echo "FAILED: $*"
  fails=$((fails + 1))
}

# expect CODE STDERR ARGUMENT...: the exit code, and the whole of standard error.
expect() {
  code=$1 message=$2
  shift 2
  "$SLABSIM" "$@" >out 2>err
  got=$?
  [ $got -eq "$code" ] || fail "slabsim $*: exit code $got, not $code: $(cat err)"
  [ "$(cat err)" = "$message" ] || fail "slabsim $*: says: $(cat err)
  and not: $message"
}

# has TEXT FILE: it stands in the file.
has() {
  grep -qF -e "$1" "$2" || fail "\"$1\" is not in $2: $(head -5 "$2")"
}

# same DIR: its results are those of the undisturbed sweep.
same() {
  cmp -s undisturbed/results.json "$1/results.json" || fail "$1/results.json differs: $2"
  cmp -s undisturbed/results.csv "$1/results.csv" || fail "$1/results.csv differs: $2"
}

# A workload in which objects live for a while and are freed by other CPUs.
awk 'BEGIN {
  srand(1); print "op,cpu,object"
  for (i = 1; i <= 30000; i++) {
    print "alloc," int(rand() * 4) "," i
    live[n++] = i
    while (n > 600 || (n && rand() < 0.45)) {
      k = int(rand() * n); print "free," int(rand() * 4) "," live[k]; live[k] = live[--n]
    }
  }
}' >trace.csv

cat >sweep.json <<'END'
{ "name": "two hundred",
  "machine": {"cpus": 4, "nodes": 2},
  "caches": [ {"name": "c", "object_size": 216} ],
  "policy": {"preset": "linux-6.1"},
  "workload": {"trace": "trace.csv"},
  "sweep": {
    "policy.partial_accounting": ["objects", "pages"],
    "policy.cpu_partial": {"from": 0, "to": 90, "step": 10},
    "policy.remote_node_defrag_ratio": [50, 100]
  },
  "seeds": 5 }
END

# ---- what is asked for ----
cat >small.json <<'END'
{ "name": "small",
  "caches": [ {"name": "c", "object_size": 216} ],
  "policy": {"preset": "linux-6.1"},
  "workload": {"trace": "trace.csv"},
  "sweep": {
    "kernel": [ {"label": "old", "set": {"policy.preset": "linux-5.15"}},
                {"label": "new", "set": {"policy.preset": "linux-6.1"}} ],
    "machine.cpus": [4, 8],
    "policy.cpu_partial": {"from": 13, "to": 52, "times": 2},
    "zip": [["kernel", "machine.cpus"]],
    "exclude": [{"kernel": "new", "policy.cpu_partial": [13, 26]}]
  } }
END
expect 0 "" sweep small.json --dry-run
cat >expected <<'END'
4 runs: 4 points, 1 seed each; 1 workload to read

small
run  kernel  machine.cpus  policy.cpu_partial  seed
1       old             4                  13     1
2       old             4                  26     1
3       old             4                  52     1
4       new             8                  52     1
END
cmp -s expected out || fail "dry run: $(cat out)"
expect 0 "" sweep small.json --dry-run --shard 2/3
has "1 runs: " out
has "2       old" out
expect 0 "" sweep small.json --dry-run --seeds 3
has "12 runs: 4 points, 3 seeds each" out

# ---- usage ----
expect 2 'slabsim: sweep: a config is missing; see slabsim sweep --help' sweep
expect 2 'slabsim: sweep: -o DIR is missing, where the results go' sweep small.json
expect 2 'slabsim: -j: a whole number from 1 to 4096 is wanted, not "0"' sweep small.json -j 0
expect 2 'slabsim: --shard: I/N is wanted, the I-th of N parts, such as 2/8, not "9/8"' \
  sweep small.json --shard 9/8
expect 2 'slabsim: "x" is one argument too many; see slabsim sweep --help' sweep small.json x
expect 2 'slabsim: --set policy.cpu_partial=4: the sweep has an axis policy.cpu_partial, which would override it' \
  sweep small.json -o o --set policy.cpu_partial=4
expect 2 'slabsim: small.json: sweep.machine.cpu: there is no setting "machine.cpu"; did you mean "machine.cpus"? (slabsim list options has all; an axis of another name holds variants, {"label": "...", "set": {PATH: VALUE}})' \
  sweep small.json -o o --set 'sweep={"machine.cpu": [1]}'
expect 2 'slabsim: small.json: the sweep'"'s point \"old, cpus 4, cpu_partial 13\" cannot be: workload.trace: a sweep needs a file, for it may read it again; standard input cannot be" \
  sweep small.json -o o --trace -
[ ! -e o ] || fail "a folder was made for a sweep that cannot be"

# ---- one sweep, whichever way ----
expect 0 "" sweep sweep.json -o undisturbed -q
[ "$(wc -l <undisturbed/journal.jsonl)" -eq 201 ] || fail "not 200 records"
has '"complete": true' undisturbed/results.json
has '"points": [' undisturbed/results.json
expect 0 "" sweep sweep.json -o one -q -j 1
same one "-j 1"
expect 0 "" sweep sweep.json -o many -q -j 7
same many "-j 7"
for i in 1 2 3; do expect 0 "" sweep sweep.json -o part-$i -q --shard $i/3; done
has '"complete": false' part-2/results.json
expect 0 "" sweep --merge part-3 part-1 part-2 -o merged
same merged "merged"
expect 2 "slabsim: merged: a sweep was here before; give another folder to merge into" \
  sweep --merge part-1 -o merged
expect 1 "slabsim: 133 of 200 runs are in none of the folders; slabsim sweep CONFIG.json -o third --resume does them" \
  sweep --merge part-1 part-1 -o third
expect 0 "" sweep sweep.json -o third -q --resume
same third "a merged part resumed"
sed 's/"alloc_slowpath":/"alloc_slowpath":1/' part-2/journal.jsonl >j && mkdir lie && mv j lie/journal.jsonl
expect 2 "slabsim: lie/journal.jsonl: run 2 is not what another part has; they were made from different files or by different programs" \
  sweep --merge part-2 lie -o nowhere
expect 0 "" sweep --merge part-3 part-1 part-2 -o nowhere

# A run is what slabsim run would have said.
expect 0 "" run sweep.json -q --format csv --set policy.partial_accounting=pages \
  --set policy.cpu_partial=30 --set policy.remote_node_defrag_ratio=50
row=$(tail -1 out)
has "pages,30,50,1,$row" undisturbed/results.csv
seed=$(grep '^pages,30,50,' undisturbed/results.csv | cut -d, -f4 | sed -n 3p)
expect 0 "" run sweep.json -q --format csv --set policy.partial_accounting=pages \
  --set policy.cpu_partial=30 --set policy.remote_node_defrag_ratio=50 --seed "$seed"
has "pages,30,50,$seed,$(tail -1 out)" undisturbed/results.csv

# ---- killed at any moment ----
kills=0 finished=0
while [ $kills -lt 50 ]; do
  "$SLABSIM" sweep sweep.json -o killed --resume -q 2>err &
  pid=$!
  sleep "$(awk -v n="$kills$$" 'BEGIN { srand(n * 7919); printf "%.3f", rand() * 0.25 }')"
  kill -9 $pid 2>/dev/null && kills=$((kills + 1))
  { wait $pid; } 2>/dev/null
  code=$?
  if [ $code -eq 0 ]; then
    same killed "after $kills kills"
    finished=$((finished + 1))
    rm -rf killed
  elif [ $code -ne 137 ]; then
    fail "a resumed sweep ends with $code: $(cat err)"
    break
  fi
done
"$SLABSIM" sweep sweep.json -o killed --resume -q 2>err || fail "after the kills: $(cat err)"
same killed "after all kills"
[ "$(wc -l <killed/journal.jsonl)" -eq 201 ] || fail "a run was done twice or is lost"
echo "killed $kills times, $finished sweeps finished in between"

# Resumed when nothing is missing, nothing is done, and nothing changes.
cp undisturbed/journal.jsonl before
expect 0 "" sweep sweep.json -o undisturbed --resume
cmp -s before undisturbed/journal.jsonl || fail "a whole journal was changed"
expect 2 "slabsim: undisturbed: a sweep was here before; --resume goes on with it, or give another folder" \
  sweep sweep.json -o undisturbed

# ---- interrupted ----
interrupt() { # SIGNAL
  rm -rf stopped
  # A shell starts background jobs with SIGINT ignored; env undoes that.
  env --default-signal=INT "$SLABSIM" sweep sweep.json -o stopped -j 1 2>err &
  pid=$!
  while [ ! -s stopped/journal.jsonl ] || [ "$(wc -l <stopped/journal.jsonl)" -lt 5 ]; do
    kill -0 $pid 2>/dev/null || break
    sleep 0.01
  done
  kill -"$1" $pid
  wait $pid
  code=$?
  [ $code -eq 1 ] || fail "after SIG$1: exit code $code: $(cat err)"
  has "slabsim: interrupted, with " err
  has '"complete": false' stopped/results.json
  n=$(($(wc -l <stopped/journal.jsonl) - 1))
  [ "$(grep -c '"seed": ' stopped/results.json)" -ge "$n" ] || fail "results are lost"
  expect 0 "" sweep sweep.json -o stopped -q --resume
  same stopped "after SIG$1"
}
interrupt TERM
interrupt INT
# Under nohup it is ignored, by whatever is started as well.
sh -c 'kill -HUP $$; exit 7' || [ $? -eq 7 ] || interrupt HUP

# ---- journals that are not as they should be ----
cp -r undisturbed torn
head -c 30000 undisturbed/journal.jsonl >torn/journal.jsonl
"$SLABSIM" sweep sweep.json -o torn --resume 2>err || fail "torn: $(cat err)"
has "the last line was not whole and is dropped; its run is done again" err
same torn "torn"

mkdir spoilt
awk 'NR == 5 { print "garbage"; next } NR == 9 { print "{\"run\":7,\"key\":\"0\",\"result\":{}}"; next } 1' \
  undisturbed/journal.jsonl >spoilt/journal.jsonl
"$SLABSIM" sweep sweep.json -o spoilt --resume 2>err || fail "spoilt: $(cat err)"
has "spoilt/journal.jsonl:5: not a record, the first of 1 such lines; their runs are done again" err
has "1 runs of it are not of this sweep" err
same spoilt "spoilt"

mkdir damaged
{ sed '4s/}$//; 7s/.*/garbage/' part-2/journal.jsonl && printf '{"run":'; } >damaged/journal.jsonl
"$SLABSIM" sweep --merge part-1 damaged part-3 -o mended 2>err
[ $? -eq 1 ] || fail "a merge without two runs succeeds"
has "slabsim: note: damaged/journal.jsonl:4: not a record, the first of 2 such lines; they are passed over" err
has "slabsim: note: damaged/journal.jsonl: the last line is not whole and is passed over" err
has "slabsim: 2 of 200 runs are in none of the folders" err
"$SLABSIM" sweep --merge part-1 damaged part-2 part-3 -o whole 2>err || fail "damaged: $(cat err)"
same whole "a damaged part beside a whole one"
sed '1s/"plan": *"[^"]*"/"plan":7/' part-2/journal.jsonl >damaged/journal.jsonl
expect 2 "slabsim: damaged/journal.jsonl:1: not the first line of a sweep's journal" \
  sweep --merge part-1 damaged -o nowhere-2

# Another config, or the same with another trace: nothing is touched.
cp undisturbed/journal.jsonl before
expect 2 "slabsim: undisturbed/journal.jsonl: the journal of another sweep, or of changed settings, traces or version (\"two hundred\", 200 runs, slabsim $("$SLABSIM" --version | cut -d' ' -f2)); none of its runs is one of \"small\"; give this sweep a folder of its own" \
  sweep small.json -o undisturbed --resume
cmp -s before undisturbed/journal.jsonl || fail "the journal of another sweep was changed"
cp -r undisturbed changed
echo "alloc,0,999999" >>trace.csv
"$SLABSIM" sweep sweep.json -o changed --resume 2>err
[ $? -eq 2 ] || fail "a changed trace: $(cat err)"
has "the journal of another sweep, or of changed settings, traces" err
sed -i '$d' trace.csv

# One value more on an axis: what is there is taken over, the old journal kept.
cp -r undisturbed wider
sed 's/\[50, 100\]/[0, 50, 100]/' sweep.json >wider.json
"$SLABSIM" sweep wider.json -o wider --resume 2>err || fail "wider: $(cat err)"
has "300 of 300 runs done, 100 of them now, in " err
cmp -s before wider/journal-1.jsonl || fail "the old journal was not kept"
expect 0 "" sweep wider.json -o wider2 -q
cmp -s wider/results.json wider2/results.json || fail "a wider sweep differs when resumed"

# With or without the values over time: that is not the same result.
expect 0 "" sweep small.json -o plain -q
grep -q '"series"' plain/results.json && fail "values over time that nobody asked for"
"$SLABSIM" sweep small.json -o plain -q --resume --series 2>err
[ $? -eq 2 ] || fail "--series is not told from a sweep without: $(cat err)"
expect 0 "" sweep small.json -o curves -q --series
has '"series"' curves/results.json
cmp -s plain/results.csv curves/results.csv || fail "values over time change the table"

# What a killed sweep had half written goes; nothing else does.
touch plain/results.json.tmp-1-0 plain/journal.jsonl.tmp-2-0 plain/mine.tmp-1
expect 0 "" sweep small.json -o plain -q --resume
[ "$(echo plain/*)" = "plain/journal.jsonl plain/mine.tmp-1 plain/results.csv plain/results.json" ] ||
  fail "left in the folder: $(ls plain)"

echo '{"name": 1}' >j && mkdir other && mv j other/journal.jsonl
expect 2 "slabsim: other/journal.jsonl:1: not the first line of a sweep's journal" \
  sweep sweep.json -o other --resume
has '{"name": 1}' other/journal.jsonl

# ---- places that do not do ----
expect 2 "slabsim: sweep.json: not a folder" sweep sweep.json -o sweep.json
expect 2 "slabsim: sweep.json/x: cannot be made: Not a directory" sweep sweep.json -o sweep.json/x
if [ -d /proc/self ]; then
  "$SLABSIM" sweep sweep.json -o /proc/none 2>err
  [ $? -eq 2 ] || fail "an unwritable folder: $(cat err)"
fi
if [ "$(id -u)" -ne 0 ]; then
  mkdir closed && chmod a-w closed
  expect 2 "slabsim: closed: cannot be written: Permission denied" sweep sweep.json -o closed
fi

"$SLABSIM" sweep sweep.json -o busy -q -j 1 &
pid=$!
while [ ! -s busy/journal.jsonl ]; do sleep 0.01; done
"$SLABSIM" sweep sweep.json -o busy -q --resume 2>err
[ $? -eq 2 ] || fail "two sweeps in one folder: $(cat err)"
has "busy: another sweep is at work in it (process $pid); give this one a folder of its own" err
wait $pid || fail "the first of two sweeps failed"
same busy "while another was turned away"

# A full disk, as a limit on the size of a file (in 512 byte blocks); the trace is so short that
# it is read without a temporary file.
head -5000 trace.csv >short.csv
expect 0 "" sweep sweep.json -o roomy -q --trace short.csv
(ulimit -f 200; "$SLABSIM" sweep sweep.json -o full --trace short.csv 2>err)
[ $? -eq 1 ] || fail "a full disk: $(cat err)"
has "full/journal.jsonl: cannot be written: File too large; " err
has " of 200 runs are kept, and -o full --resume goes on" err
n=$(wc -l <full/journal.jsonl)
[ "$n" -gt 5 ] || fail "a full disk: only $n lines are kept"
[ "$(tail -c 1 full/journal.jsonl | od -An -c | tr -d ' ')" = '\n' ] || fail "half a line is left"
expect 0 "" sweep sweep.json -o full -q --resume --trace short.csv
cmp -s roomy/results.json full/results.json || fail "after a full disk results differ"

# A sweep does not write over what it reads.
mkdir inputs
cp trace.csv inputs/results.csv
cp sweep.json inputs/results.json
expect 2 "slabsim: inputs/results.csv: is read as inputs/results.csv, and would be overwritten; name another output" \
  sweep sweep.json -o inputs --trace inputs/results.csv
expect 2 "slabsim: inputs/results.json: is read as inputs/results.json, and would be overwritten; name another output" \
  sweep inputs/results.json -o inputs --trace trace.csv
cmp -s trace.csv inputs/results.csv && cmp -s sweep.json inputs/results.json && [ ! -e inputs/journal.jsonl ] ||
  fail "a sweep wrote over its input"

# ---- runs that fail ----
cat >fails.json <<'END'
{ "name": "some fail",
  "caches": [ {"name": "c", "object_size": 216} ],
  "workload": {"trace": "trace.csv"},
  "policy": {"preset": "linux-6.1"},
  "sweep": { "machine.cpus": [2, 4, 8], "policy.cpu_partial": [13, 52] } }
END
# What only the trace tells is known when it is read.
"$SLABSIM" sweep fails.json -o fails 2>err
[ $? -eq 1 ] || fail "failing runs: $(cat err)"
message="fails.json: machine.cpus: the workload uses CPU 3, but the machine has CPUs 0..1"
has "run 1 (cpus 2, cpu_partial 13) failed: $message" err
has "slabsim: 2 of 6 runs failed, the first: " err
has "\"error\": \"$message" fails/results.json
[ "$(grep -c '^[48],13,' fails/results.csv)" -eq 2 ] || fail "failing runs stop the others"
# They are not tried again, for the input is at fault.
"$SLABSIM" sweep fails.json -o fails --resume 2>err
[ $? -eq 1 ] || fail "failed runs are forgotten"
has 'slabsim: 2 of 6 runs failed; their "error" in fails/results.json tells why' err

# ---- points that cannot be: nothing is run ----
# cannot MESSAGE SWEEP [--set ...]: as a sweep and as a dry run.
cannot() {
  why=$1 axes=$2
  shift 2
  expect 2 "slabsim: $why" sweep fails.json --set "sweep=$axes" "$@" -o cannot
  expect 2 "slabsim: $why" sweep fails.json --set "sweep=$axes" "$@" --dry-run
  [ ! -s out ] || fail "a dry run lists runs that cannot be: $(cat out)"
  [ ! -e cannot ] || fail "a sweep began that cannot be carried out"
}
cannot "fails.json: the sweep's point \"cpus 8, cpu_partial none\" cannot be: policy.cpu_partial=\"none\": there is no cpu_partial policy \"none\"; there are: default, default-old, feng, number, scale" \
  '{"machine.cpus": {"from": 8, "to": 9}, "policy.cpu_partial": [13, "none"]}'
cannot "fails.json: the sweep's point \"slub_max_order 1\" cannot be: --set policy.slub_min_order=2: 2, but slub_max_order is 1" \
  '{"policy.slub_max_order": [3, 1]}' --set policy.slub_min_order=2
cannot "fails.json: the sweep's point \"odd\" cannot be: policy.cpu_partial=-1: a whole number from 0 to 1000000000 is wanted, not -1" \
  '{"x": [{"label": "even", "set": {}}, {"label": "odd", "set": {"policy.cpu_partial": -1}}]}'
cannot "fails.json: the sweep's point \"trace missing.csv\" cannot be: missing.csv: No such file or directory" '{"workload.trace": ["trace.csv", "missing.csv"]}'
cannot "fails.json: sweep.x[1]: \"b\" sets the same as \"a\"" \
  '{"x": [{"label": "a", "set": {"machine.cpus": 8, "policy.cpu_partial": 13}}, {"label": "b", "set": {"policy.cpu_partial": 13, "machine.cpus": 8}}]}'
# A model needs no trace: all of it is known.
set -- --set replay.mode=timed --set 'workload={"model": {"loop": {}}}' --set machine.cpus=2
cannot "fails.json: the sweep's point \"duration_us -1\" cannot be: workload.model.loop.duration_us: a number from 1 to 1e+09 is wanted" \
  '{"workload.model.loop.duration_us": [5, -1]}' "$@"
cannot "fails.json: the sweep's point \"reader_cpu 2\" cannot be: replay.reader_cpu: 2, but the machine has CPUs 0..1" \
  '{"replay.reader_cpu": [0, 2]}' --set replay.reader_interval_us=100 "$@"
cannot "fails.json: the sweep's point \"order 0\" cannot be: caches[0]: order: a slab of order 0 holds no object of 8192 bytes (cache c)" \
  '{"caches[0].order": [1, 0]}' --set caches[0].object_size=8192 "$@"

# ---- what makes no difference is told before it is run, and by compare ----
expect 0 "slabsim: note: policy.cpu_partial is set, but not used: the allocator \"sheaves\" has no per-CPU partial lists
slabsim: note: sweep.policy.cpu_partial: its 3 values make no difference" \
  sweep fails.json --set policy.preset=linux-7.0 --dry-run \
  --set 'sweep={"policy.cpu_partial": [13, 20, 52], "machine.cpus": [4, 8]}'
# Some of the points use it.
expect 0 "slabsim: note: 1 of 4 points can only repeat another: \"preset linux-7.0, cpu_partial 52\" is as \"preset linux-7.0, cpu_partial 13\"" \
  sweep fails.json --set 'sweep={"policy.preset": ["linux-6.1", "linux-7.0"], "policy.cpu_partial": [13, 52]}' --dry-run
expect 0 "slabsim: note: sweep.policy.order: its 2 values make no difference
slabsim: note: sweep.x: its 2 values make no difference" \
  sweep fails.json --dry-run --set 'sweep={"zip": [["policy.order", "x"]], "policy.order": [2, {"fixed": 2}],
    "x": [{"label": "a", "set": {}}, {"label": "b", "set": {"policy.preset": "linux-6.1"}}]}'
# The only point that gives it does not use it; the last one would.
expect 0 "slabsim: note: policy.cpu_partial is set, but not used: the allocator \"sheaves\" has no per-CPU partial lists" \
  sweep fails.json --dry-run --set 'sweep={"x": [
    {"label": "a", "set": {"policy.preset": "linux-7.0", "policy.cpu_partial": 5}}, {"label": "b", "set": {}}]}'
expect 0 "" sweep fails.json --set policy.preset=linux-7.0 -q --seeds 2 -o alike \
  --set 'sweep={"policy.cpu_partial": [13, 52]}'
for view in --all --sensitivity --pareto; do
  expect 0 "" compare alike $view
  has "no figure differs: all points are equal" out
done
expect 0 "" compare undisturbed
grep -q "no figure differs" out && fail "points that differ are called equal"

# A policy that crashes takes its run with it, and no other.
cat >crash.c <<'END'
#include "sim/policy.h"

static int order(const struct order_input *in)
{
	int *nowhere = NULL;

	if (in->size == 512)
		*(volatile int *)nowhere = 1;
	return 1;
}

static const struct order_ops crash = {
	.policy = {.abi = POLICY_ABI, .axis = AXIS_ORDER, .name = "crash", .summary = "at 512"},
	.order = order,
};
POLICY(crash);
END
cat >crash.json <<'END'
{ "name": "one crashes",
  "caches": [ {"name": "c", "object_size": 216} ],
  "workload": {"trace": "trace.csv"},
  "policy": {"preset": "linux-6.1", "order": "crash"},
  "sweep": { "caches[0].object_size": [128, 512, 256, 64, 32] } }
END
if ${CC:-cc} -shared -fPIC -I"$top" -D_GNU_SOURCE -include "$top/sim/banned.h" -o crash.so crash.c; then
  # A sanitizer would catch the signal.
  export ASAN_OPTIONS="${ASAN_OPTIONS:+$ASAN_OPTIONS:}handle_segv=0" UBSAN_OPTIONS="handle_segv=0"
  "$SLABSIM" sweep crash.json --plugin ./crash.so -o crash -j 1 2>err
  [ $? -eq 1 ] || fail "a crash: $(cat err)"
  has "run 2 (object_size 512) failed: its process was killed by signal 11 (Segmentation fault)" err
  [ "$(wc -l <crash/journal.jsonl)" -eq 5 ] || fail "a crash takes other runs with it"
  has '"complete": false' crash/results.json
else
  fail "the plugin does not compile"
fi

# A trace that cannot be read: its runs fail, those of the other are done.
echo "nonsense" >bad.csv
echo "more of it" >bad2.csv
cat >traces.json <<'END'
{ "name": "two traces",
  "caches": [ {"name": "c", "object_size": 216} ],
  "policy": {"preset": "linux-6.1"},
  "sweep": { "workload.trace": ["bad.csv", "trace.csv", "bad2.csv"], "policy.cpu_partial": [13, 52] } }
END
"$SLABSIM" sweep traces.json -o traces 2>err
[ $? -eq 1 ] || fail "a bad trace: $(cat err)"
has "slabsim: 4 of 6 runs failed" err
has "2 runs failed: bad.csv" err
has "bad2.csv: " err
has "bad.csv" err
[ "$(grep -c '^trace.csv,' traces/results.csv)" -eq 2 ] || fail "a bad trace stops the good one"

# Jitter is another with every seed, and the one that a run has with it.
expect 0 "" sweep "$top/configs/demo.json" -q -o jitter --seeds 2 --set workload.jitter_ns=1000
[ "$(cut -d, -f2- jitter/results.csv | sort -u | wc -l)" -eq 3 ] || fail "jitter is the same with two seeds"
seed=$(tail -1 jitter/results.csv | cut -d, -f1)
expect 0 "" run -q "$top/configs/demo.json" --set workload.jitter_ns=1000 --set "replay.seed=$seed" --format csv
tail -1 out >row
tail -1 jitter/results.csv | cut -d, -f2- | cmp -s - row || fail "a run's jitter is not its sweep's"

# ---- compare ----
expect 0 "" compare undisturbed --figure alloc_slowpath --baseline 'partial_accounting pages, cpu_partial 30, remote_node_defrag_ratio 100' --format csv
[ "$(wc -l <out)" -eq 40 ] || fail "not 39 points beside the baseline"
has "figure,point,baseline,value,value_ci95,difference,difference_ci95,change_percent,significant" out
expect 0 "" compare undisturbed --sensitivity
has "cpu_partial_drain" out
expect 0 "" compare undisturbed --pareto --format markdown
has "| memory.peak_total |" out
expect 2 'slabsim: --baseline: no point is called "41"; a number from 1 to 40 does, too' compare undisturbed --baseline 41
expect 2 'slabsim: --figure: there is no figure "memory.totl"; did you mean "memory.total"? (counters, and such as memory.total or slow_path_percent)' \
  compare undisturbed --figure memory.totl
expect 2 'slabsim: undisturbed/journal.jsonl: no run has a cache named "x"' compare undisturbed --cache x
# One point has nothing to be compared with: its figures, as results.json has them.
expect 0 "" sweep small.json -o alone -q --seeds 3 --set 'sweep={"policy.cpu_partial":[30]}'
expect 0 "" compare alone
has "small: 1 point, 3 seeds each" out
has "cpu_partial 30" out
grep -q '^alloc_slowpath  *[0-9.]*  *[0-9.]*$' out || fail "no mean and interval of the only point: $(cat out)"
expect 0 "" compare alone --figure memory.peak_total --format csv
[ "$(wc -l <out)" -eq 2 ] || fail "more than one figure of the only point: $(cat out)"

# Beside a published table: the points that have a column's policy, over all their seeds.
table=$top/configs/published/000-cpu-partial-accounting.json
expect 0 "" sweep "$top/configs/000.json" -o hackbench -q --set seeds=3 \
  --set workload.model.hackbench.groups=1 --set workload.model.hackbench.loops=5
expect 0 "" compare hackbench --published "$table"
[ "$(grep -c '(published) against' out)" -eq 3 ] || fail "not a point for each of three columns"
has "objects, 13: 3 seeds, their mean and range" out
expect 0 "" compare hackbench --published "$table" --format csv
mean=$(awk -F, 'NR == 1 { for (i = 1; i <= NF; i++) if ($i == "counters.alloc_slowpath") at = i + 1 }
  /^"pages, 52".*,skbuff_head_cache,/ { sum += $at; if (n++ && $at != last) differ = 1; last = $at }
  END { mean = sprintf("%.1f", sum / 3); sub(/\.0$/, "", mean); if (differ && n == 3) print mean }' hackbench/results.csv)
has "against pages, 52\",alloc_slowpath,38206776,7.4622,${mean:-?}," out
expect 2 'slabsim: --pareto does not go with --published' compare hackbench --published "$table" --pareto
expect 2 'slabsim: undisturbed: none of its points has the policy of a column of "mm/slub: increase default cpu partial list sizes, v2 2/2 (12 Oct 2021)"' \
  compare undisturbed --published "$table"

[ $fails -eq 0 ] || echo "$fails failed"
[ $fails -eq 0 ]
