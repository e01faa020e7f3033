#!/bin/sh
# The command line: exit codes, messages, where output goes.
# usage: cli_test.sh, from the top of the source tree; SLABSIM names the program.
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

# has TEXT: it stands in what the last command wrote to standard output.
has() {
  grep -qF -e "$1" out || fail "\"$1\" is not in: $(head -5 out)"
}

empty() {
  [ ! -s "$1" ] || fail "$1 is not empty: $(head -3 "$1")"
}

cat >t.csv <<'END'
op,cpu,object
alloc,0,1
alloc,0,2
alloc,1,3
free,1,1
free,0,2
END
cat >demo.json <<'END'
{ "name": "demo",
  "machine": {"cpus": 2},
  "caches": [ {"name": "c", "object_size": 216, "hwcache_align": true} ],
  "policy": {"preset": "linux-6.1"},
  "workload": {"trace": "t.csv"} }
END

# ---- the program ----
expect 0 "" --version
has "slabsim 0."
expect 0 "" --help
has "Usage: slabsim COMMAND"
expect 0 "" help
has "Usage: slabsim COMMAND"
expect 0 "" help run
has "Usage: slabsim run"
expect 0 "" run --help
has "Usage: slabsim run"
expect 0 "" list -h
has "Usage: slabsim list"
expect 2 'slabsim: there is no command "rnu"; did you mean "run"?' rnu
empty out
expect 2 'slabsim: there is no command "frobnicate"; see slabsim --help' frobnicate
expect 2 'slabsim: there is no option "--verson"; did you mean "--version"?' --verson
expect 2 'slabsim: there is no command "lst"; did you mean "list"?' help lst
expect 2 'slabsim: "x" is one argument too many; see slabsim help --help' help run x
"$SLABSIM" >out 2>err
[ $? -eq 2 ] || fail "without a command: exit code"
empty out
grep -q 'Usage: slabsim COMMAND' err || fail "without a command: no usage"

# ---- options ----
expect 2 'slabsim: --fromat: unknown option; did you mean --format?' run --fromat=json
expect 2 'slabsim: --frobnicate: unknown option; see slabsim run --help' run --frobnicate
expect 2 'slabsim: -x: unknown option; see slabsim run --help' run -x
expect 2 'slabsim: -x: unknown option; see slabsim run --help' run -qx
expect 2 'slabsim: -o: a value is missing; see slabsim run --help' run demo.json -o
expect 2 'slabsim: --trace: a value is missing; see slabsim run --help' run --trace
expect 2 'slabsim: --quiet takes no value; see slabsim run --help' run --quiet=1
expect 2 'slabsim: "b" is one argument too many; see slabsim run --help' run a b
expect 2 'slabsim: run: a config, or --trace FILE, is missing; see slabsim run --help' run
expect 2 'slabsim: --format: there is no format "jsn"; did you mean "json"? There are: text, json, csv' \
  run demo.json --format jsn
for threads in 0 -1 x 2x '' 1025 99999999999999999999; do
  expect 2 "slabsim: --threads: a whole number from 1 to 1024 is wanted, not \"$threads\"" \
    run demo.json --threads "$threads"
done
for seed in -1 x 1x '' 9007199254740992 99999999999999999999; do
  expect 2 "slabsim: --seed: a whole number from 0 to 9007199254740991 is wanted, not \"$seed\"" \
    run demo.json --seed "$seed"
done

# An output given twice: which of them? Nothing is written.
for command in "run demo.json" "sweep demo.json" "compare a.json" "plot a.json" "report a.json" order \
  "trace convert t.csv" "trace cut t.csv" "trace info t.csv" "trace fit t.csv" "trace generate demo.json" "trace record"; do
  # shellcheck disable=SC2086
  expect 2 'slabsim: -o is given twice, with "x.svg" and "y.svg"' $command -o x.svg --output=y.svg
  if [ -e x.svg ] || [ -e y.svg ]; then fail "$command: an output was written"; fi
done

# ---- run ----
expect 0 "" run demo.json
has "demo"
has "linux-6.1"
expect 0 "" run demo.json --format json
has '"alloc_slowpath": 2'
has '"preset": "linux-6.1"'
cp out first
expect 0 "" run demo.json --format json
cmp -s out first || fail "two runs differ"
expect 0 "" run demo.json --format json --seed 7
has '"seed": 7'
expect 0 "" run demo.json --format json --set policy.preset=linux-7.0
has '"preset": "linux-7.0"'
expect 0 "" run demo.json --format csv
[ "$(wc -l <out)" -eq 2 ] || fail "csv: not a header and a row"
expect 2 'slabsim: --set policy.preset=linux-6: there is no preset "linux-6"; did you mean "linux-6.1"? There are: linux-3.2, linux-3.7, linux-5.15, linux-5.16, linux-6.1, linux-6.7, linux-6.8, linux-6.12, linux-6.18, linux-7.0' \
  run demo.json --set policy.preset=linux-6
expect 2 'slabsim: missing.json: No such file or directory' run missing.json
expect 2 'slabsim: t.csv: not a config, which begins with {; a trace is given with --trace' run t.csv
echo '{"name": "x",}' >bad.json
expect 2 'slabsim: bad.json:1:14: no comma before a closing bracket' run bad.json
printf '\357\273\277[]' >bom.json
expect 2 'slabsim: bom.json: not a config, which begins with {; a trace is given with --trace' run bom.json
printf '\357\273\277{"name": ""}' >bom.json
expect 2 'slabsim: bom.json: name: a string is wanted, not an empty one' run bom.json
echo '{"policy": {"preset": "linux-6.1"}}' >bare.json
expect 2 'slabsim: bare.json: workload.trace: no trace is named; name one there or with --trace FILE' \
  run bare.json

# The shipped configs that name a trace run as they are, from anywhere.
for config in "$top"/configs/*.json; do
  grep -q '"trace"' "$config" || continue
  case $config in */schema.json) continue ;; esac
  expect 0 "" run "$config" -q
done

# Memory that has an end: one page, and the third object is CPU 1's.
expect 2 'slabsim: demo.json: cache c: no node has pages left for a slab of order 0: give the machine more memory (machine.pages)' \
  run demo.json --set machine.pages.memory_per_node=4096
expect 0 "" run demo.json --set machine.pages.memory_per_node=65536
has "Machine:   2 CPUs, pages of 4096 bytes, 64 kB a node (100 % free, of that 0 % fragmented)"

# A file's name on the command line is seen from here, in a config from there.
mkdir -p sub
sed 's/t.csv/..\/t.csv/' demo.json >sub/demo.json
expect 0 "" run sub/demo.json
expect 0 "" run sub/demo.json --trace t.csv --format json
has '"trace": "t.csv"'
expect 0 "" run demo.json --trace - --format json <t.csv
has '"trace": "-"'

# An entry of nothing but a name: the trace tells the size, or nobody does.
printf 'op,cpu,object,cache,size\nalloc,0,1,c,64\n' >sized.csv
expect 0 "" run --trace sized.csv --set policy.preset=linux-6.1 --set 'caches=[{"name": "c"}]'
expect 2 'slabsim: configuration: caches[0]: cache (the trace names none): its size is not known: give "object_size" for it under "caches" in the configuration' \
  run --trace t.csv --set 'caches=[{"name": "c"}]'

for command in run sweep; do
  expect 2 "slabsim: -o: a name is wanted, not an empty one" $command demo.json -o ""
done

# Notes go to standard error, and can be turned off.
expect 0 "slabsim: note: no policy.preset is given: linux-6.1" run --trace t.csv \
  --set 'caches[0]={"name": "c", "size": 256}'
expect 0 "" run --trace t.csv --set 'caches[0]={"name": "c", "size": 256}' -q
expect 0 "slabsim: note: one run, without the config's sweep: slabsim sweep does that" \
  run demo.json --set 'sweep={"policy.order": [1, 2]}'
has "demo"
expect 0 "slabsim: note: one run, with the first of the config's seeds: slabsim sweep does them all" \
  run demo.json --set seeds=3
# A setting that the allocator has no use for.
expect 0 'slabsim: note: policy.cpu_partial is set, but not used: the allocator "sheaves" has no per-CPU partial lists
slabsim: note: caches[].cpu_partial is set, but not used: the allocator "sheaves" has no per-CPU partial lists' \
  run demo.json --set policy.preset=linux-7.0 --set policy.cpu_partial=52 --set caches[0].cpu_partial=5
expect 0 'slabsim: note: policy.refill is set, but not used: with cpu_partial_full "no-drain" a CPU takes slabs until its list is full' \
  run demo.json --set policy.preset=linux-6.1 --set policy.cpu_partial_full=no-drain --set policy.refill=3.7
expect 0 "" run demo.json --quiet --set 'sweep={"policy.order": [1, 2]}'

# ---- output ----
echo old >result.json
expect 0 "" run demo.json --format json -o result.json
empty out
cmp -s result.json first || fail "-o: not what standard output gets"
expect 0 "" run demo.json --format json --output=-
cmp -s out first || fail "-o -: not standard output"
echo old >result.json
chmod 600 result.json
ln -s result.json link.json
expect 0 "" run demo.json --format json -o link.json
[ -L link.json ] || fail "-o replaced a symbolic link"
cmp -s result.json first || fail "-o through a symbolic link"
[ "$(stat -c %a result.json)" = 600 ] || fail "-o changed the file's mode"
expect 2 'slabsim: none/r.json: cannot be written: No such file or directory' run demo.json \
  -o none/r.json
expect 2 'slabsim: sub: cannot be written: Is a directory' run demo.json -o sub
expect 2 'slabsim: "new/" is not the name of a file' run demo.json -o new/
echo old >kept
"$SLABSIM" run demo.json --trace none.csv -o kept -q 2>err
[ $? -eq 2 ] || fail "a missing trace: exit code"
grep -q '^slabsim: none.csv: ' err || fail "a missing trace: $(cat err)"
[ "$(cat kept)" = old ] || fail "a failed run touched its output file"
expect 0 "" run demo.json --format json -o /dev/null
[ -c /dev/null ] || fail "-o replaced a device"
[ -z "$(find . -name '*.tmp-*')" ] || fail "temporary files are left"

# What cannot be written is an error, never silence.
if [ -c /dev/full ]; then
  for args in "list options" "--help" "run demo.json" "run demo.json --format json" "order" \
    "trace info t.csv" "trace convert t.csv -o -" "trace convert t.csv --to csv -o -"; do
    # shellcheck disable=SC2086
    "$SLABSIM" $args >/dev/full 2>err
    [ $? -eq 1 ] || fail "$args >/dev/full: exit code"
    [ "$(grep -v note: err)" = "slabsim: standard output: cannot be written: No space left on device" ] ||
      fail "$args >/dev/full: $(cat err)"
  done
  # The file is named, and the reason, however much there was to write.
  awk 'BEGIN { print "op,cpu,object,cache,size"
    for (i = 0; i < 60000; i++) print (i % 2 ? "free," : "alloc,") i * 7 % 5 "," int(i / 2) ",c,256" }' >long.csv
  while read -r args; do
    # shellcheck disable=SC2086
    "$SLABSIM" $args -o /dev/full >out 2>err
    [ $? -eq 1 ] || fail "$args -o /dev/full: exit code"
    [ "$(grep -v note: err)" = "slabsim: /dev/full: cannot be written: No space left on device" ] ||
      fail "$args -o /dev/full: $(cat err)"
  done <<END
run demo.json
run --trace long.csv --format json
compare first first
trace convert long.csv
trace convert long.csv --to csv
trace cut long.csv --cpu 1
trace info long.csv
trace generate $top/configs/002.json --set workload.model.hackbench.loops=2
trace fit long.csv
order
END
fi
{
  sleep 0.2
  "$SLABSIM" list options 2>err
  echo $? >code
} | :
[ "$(cat code)" = 1 ] || fail "closed pipe: exit code $(cat code)"
[ "$(cat err)" = "slabsim: standard output: cannot be written: Broken pipe" ] ||
  fail "closed pipe: $(cat err)"

# Nothing is written to a standard output that was closed: no loss.
"$SLABSIM" run --trace "$top/workloads/traces/hackbench-6.1-8cpu.txt.zst" -q -o closed.txt 2>err >&- ||
  fail "closed standard output: $(cat err)"

# A loop whose clock stands still.
echo '{"machine":{"cpus":4},"caches":[{"name":"a","object_size":8}],"replay":{"mode":"timed"},
"workload":{"model":{"loop":{"duration_us":1,"work_ns":0}}}}' >still.json
expect 2 "slabsim: workload.model.loop.work_ns: an iteration takes less than 1 ns, and the loop would go on for ever: give it work, or the machine costs" run still.json

# ---- list ----
expect 0 "" list policies
has "min-waste-fraction"
has '{"scale": NUMBER, "of": NAME}'
expect 0 "" list presets
has "linux-3.2"
has "slub-delayed         linux-6.8, linux-6.12"
expect 0 "" list workloads
has "ftrace"
expect 0 "" list options
has "policy.remote_node_defrag_ratio: a whole number from 0 to 100, or \"always\""
expect 2 'slabsim: list: "preset" cannot be listed; did you mean "presets"?' list preset
expect 2 'slabsim: list: what? policies, presets, workloads, machines or options' list
expect 2 'slabsim: "x" is one argument too many; see slabsim list --help' list presets x
cd "$top" || exit 1
"$SLABSIM" list machines >"$temp/out" 2>"$temp/err" || fail "list machines"
cd "$temp" || exit 1
empty err
has "guest-8cpu"

# ---- plugins ----
cat >mine.c <<'END'
#include "sim/policy.h"

static int order(const struct order_input *in)
{
	(void)in;
	return 3;
}

static const struct order_ops mine = {
	.policy = {.abi = POLICY_ABI, .axis = AXIS_ORDER, .name = "mine", .summary = "always 3"},
	.order = order,
};
POLICY(mine);
END
if ${CC:-cc} -shared -fPIC -I "$top" -o mine.so mine.c; then
  expect 0 "" run demo.json --plugin mine.so --set policy.order=mine --format json
  has '"order": "mine"'
  has '"objects_per_slab": 128'
  expect 0 "" run demo.json --set 'plugins=["mine.so"]' --set policy.order=mine --format json
  has '"objects_per_slab": 128'
  expect 0 "" list policies --plugin mine.so
  has "always 3"
  expect 0 "" run demo.json --plugin mine.so --plugin ./mine.so
else
  fail "the plugin does not compile"
fi
expect 2 'slabsim: none.so: No such file or directory' run demo.json --plugin none.so
expect 2 'slabsim: --set policy.order=mine: there is no order policy "mine"; there are: feng, fixed, legacy, mainline, min-waste-absolute, min-waste-fraction' \
  run demo.json --set policy.order=mine

# Published figures that are no counters, beside ours: changes from a policy to another.
"$SLABSIM" sweep demo.json -q --set 'sweep={"policy.order": ["legacy", "mainline"], "policy.cpu_partial": [2, 4]}' \
  -o pairs >out 2>err || fail "sweep: $(cat err)"
cat >pairs.json <<'END'
{ "title": "a test", "policies": {"normal": {"order": "legacy"}, "with <patch>": {"order": "main (see there)"}},
  "wastage_kB": {"boot": {"normal": 200, "with <patch>": 150}}, "total_slub_memory_kB": {"normal": 100, "with <patch>": 101} }
END
SLABSIM_PLOTS=$top/plots "$SLABSIM" report pairs -o pairs.html --published pairs.json 2>err || fail "report: $(cat err)"
sed -n '/Beside ours/,/<.table>/s/<[^>]*>/|/gp' pairs.html >out
for text in "with &lt;patch&gt;" "||wastage, kB||published, boot||200||150||-25.0 %|" \
  "||total slub memory, kB||published||100||101||+1.0 %|" \
  "||memory of slabs at the end||slabsim, order mainline, cpu_partial 2||8 KiB||8 KiB||+0.0 %|" \
  "||memory of slabs at the end||slabsim, order mainline, cpu_partial 4||8 KiB||8 KiB||+0.0 %|"; do
  has "$text"
done

# Settings that contradict each other.
expect 2 'slabsim: --nodes 99: a node has a CPU at least, and there are 2' \
  trace convert t.csv -o x --nodes 99
expect 2 'slabsim: --sensitivity and --pareto: one of them, not both' compare . --sensitivity --pareto
expect 2 'slabsim: --sensitivity and --pareto: one of them, not both' compare . --pareto --sensitivity
expect 2 'slabsim: --slub-min-order 9, but --slub-max-order 1: the minimum is no more than the maximum' \
  order --slub-min-order 9 --slub-max-order 1

# What only its use shows to be wrong in a config is told with its file, too.
cat >half.json <<'END'
{ "machine": {"cpus": 1}, "caches": [{"name": "c", "object_size": 64}], "replay": {"mode": "timed"},
  "workload": {"model": {"batch": {"count": 1.5}}} }
END
expect 2 'slabsim: half.json: workload.model.batch.count: a whole number from 1 to 1e+08 is wanted' \
  run half.json
while IFS='|' read -r setting message; do
  expect 2 "slabsim: half.json: $message" run half.json --set workload.model.batch.count=1 \
    --set "$setting"
done <<'END'
machine.cpus=null|machine.cpus: missing; a workload model needs to know it
caches=[]|caches: empty; a workload model needs at least one
replay.mode=order|replay.mode: a workload model drives the timed machine: set it to "timed"
workload.trace=t.csv|workload.model: it excludes workload.trace
replay.only=["x"]|replay.only: no cache of the workload matches; slabsim trace info shows the caches of a trace
replay={"mode": "timed", "reader_cpu": 1, "reader_interval_us": 5}|replay.reader_cpu: 1, but the machine has CPUs 0..0
caches[0]={"name": "c", "object_size": 8192, "order": 0}|caches[0]: order: a slab of order 0 holds no object of 8192 bytes (cache c)
END

# A trace whose name is too long is the users to put right, as a config is.
long=$(printf '%0300d' 0)
expect 2 "slabsim: $long: File name too long" run --trace "$long"

# A cache of which a trace has old objects alone has no size, as CSV no more than as written.
printf 'op,cpu,object,cache,size\nalloc,0,1,a,64\nfree,0,2,old,\nfree,0,2,old,\n' >old.csv
expect 0 "" run --trace old.csv -q --format csv

# A byte order mark is no part of a text.
marked() {
  printf '\357\273\277' >"$2"
  cat "$1" >>"$2"
}
marked demo.json mark.json
marked t.csv mark.csv
expect 0 "" run mark.json --trace mark.csv --set name=demo --format json
"$SLABSIM" run demo.json --trace t.csv --set name=demo --format json >plain
sed -i 's/mark\.csv/t.csv/' out
cmp -s plain out || fail "with byte order marks: $(diff plain out | head -5)"
marked "$top/tests/data/trace-ftrace.txt" mark.txt
expect 0 "" trace info mark.txt
has "50 events in 658 us"
marked "$top/configs/slabinfo-6.12-boot.txt" mark.info
expect 0 "" order --slabinfo mark.info --cpus 8
# That of UTF-16 tells what it is.
printf '\377\376{\0}\0' >wide.json
expect 2 "slabsim: wide.json:1:1: this is UTF-16; UTF-8 is wanted" run wide.json
expect 2 "slabsim: wide.json: this is UTF-16; UTF-8 is wanted" run --trace wide.json

# A piece of no length; without --from it would begin with the first event.
printf 'op,cpu,object,time_ns\nalloc,0,1,0\nfree,0,1,9\n' >timed.csv
expect 2 "slabsim: --from must be before --to: no event is at 5 s or later and before 1 s" \
  trace cut timed.csv --from 5s --to 1s -o piece.slabtrace
expect 2 "slabsim: --from must be before --to: no event is at 0.002 s or later and before 0.002 s" \
  trace cut timed.csv --to 2ms --from 2ms -o piece.slabtrace
expect 2 "slabsim: --from must be before --to: no event is at 0 s or later and before 0 s" \
  trace cut timed.csv --to 0 -o piece.slabtrace
[ ! -e piece.slabtrace ] || fail "trace cut: a file without events"

# What a model makes has the page size of its machine.
expect 0 "" trace generate "$top/configs/002.json" --set workload.model.hackbench.loops=2 \
  --set machine.page_size=65536 --to csv -q -o model.csv
head -1 model.csv | grep -q " page_size=65536$" || fail "trace generate: $(head -1 model.csv)"

# An output that is an input as well is refused, and the input stays.
printf 'op,cpu,object,cache,size\nalloc,0,1,a,64\nfree,0,1,a,\n' >same.csv
cp same.csv kept.csv
for out in same.csv ./same.csv; do
  for command in "run --trace same.csv" "trace convert same.csv" "trace cut same.csv --count 1"; do
    # shellcheck disable=SC2086
    expect 2 "slabsim: $out: is read as same.csv, and would be overwritten; name another output" \
      $command -o $out
    cmp -s same.csv kept.csv || fail "$command: the input is lost"
  done
done
"$SLABSIM" run --trace same.csv -q --format json -o same.json || fail "run: same.csv"
cp same.json kept.json
printf 'slabinfo - version: 2.1\n' >same.info
for command in "trace fit same.csv -o same.csv" "trace info same.csv -o same.csv" \
  "report same.json -o same.json" "compare same.json -o same.json" "order --slabinfo same.info -o same.info" \
  "order --trace same.csv -o same.csv" "trace generate same.json -o same.json"; do
  file=${command##* }
  # shellcheck disable=SC2086
  expect 2 "slabsim: $file: is read as $file, and would be overwritten; name another output" $command
done
cmp -s same.csv kept.csv && cmp -s same.json kept.json && [ -s same.info ] || fail "an input is lost"
# What a config names is read as well, and a sweep's folder has the files of the sweep.
mkdir -p machines
echo '{"cpus": 2}' >machines/m.json
cat >names.json <<'END'
{ "machine": "m", "caches": [{"name": "a", "object_size": 64}], "replay": {"mode": "timed"},
  "workload": {"model": {"batch": {"count": 2}}}, "sweep": {"policy.cpu_partial": [2, 30]} }
END
"$SLABSIM" sweep names.json -q -o swept || fail "sweep: names.json"
cp same.json same.svg
cp same.json same.svg.gp
cp "$top/configs/published/000-cpu-partial-accounting.json" published.svg
sums() {
  find . -type f ! -name out ! -name err -exec cksum {} + | sort
}
before=$(sums)
while read -r file command; do
  # shellcheck disable=SC2086
  expect 2 "slabsim: $file: is read as $file, and would be overwritten; name another output" $command
done <<'END'
machines/m.json run names.json -o machines/m.json
names.json run names.json -o names.json
machines/m.json trace generate names.json -o machines/m.json
swept/journal.jsonl compare swept -o swept/journal.jsonl
swept/results.json compare swept -o swept/results.json
swept/results.csv compare swept --sensitivity -o swept/results.csv
published.svg compare same.json --published published.svg -o published.svg
swept/results.json report swept -o swept/results.json
published.svg report same.json --published published.svg -o published.svg
same.svg plot same.svg -o same.svg
same.svg.gp plot same.svg.gp --keep -o same.svg
published.svg plot same.json --published published.svg -o published.svg
same.svg order --published same.svg --plot same.svg
END
[ "$(sums)" = "$before" ] || fail "an input is lost"
expect 2 "slabsim: --nodes 4: there are 2 CPUs, and each node has one at least" \
  trace fit same.csv -o fitted.json --cpus 2 --nodes 4
[ ! -e fitted.json ] || fail "trace fit: a config that is none"

[ $fails -eq 0 ] || echo "$fails failed"
[ $fails -eq 0 ]
