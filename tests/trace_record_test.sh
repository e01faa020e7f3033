#!/bin/sh
# slabsim trace: the commands; and recording the running kernel, where that is allowed.
# usage: trace_record_test.sh, from the top of the source tree; SLABSIM names the program.
set -u
top=$PWD
case ${SLABSIM:=./slabsim} in /*) ;; *) SLABSIM=$top/$SLABSIM ;; esac
temp=$(mktemp -d) || exit 1
trap 'rm -rf "$temp"' EXIT
cd "$temp" || exit 1
fails=0
tracing=/sys/kernel/tracing

fail() {
  echo "FAILED: $*"
  fails=$((fails + 1))
}

# refused TEXT ARGUMENT...: exit code 2, and a message with this in it.
refused() {
  text=$1
  shift
  "$SLABSIM" "$@" >out 2>err
  code=$?
  [ $code -eq 2 ] || fail "slabsim $*: exit code $code: $(cat err)"
  grep -qF -e "$text" err || fail "slabsim $*: says: $(cat err)"
}

# ---- convert, info, cut ----

dat=$top/tests/data/trace-v7.dat
"$SLABSIM" trace convert "$dat" -o a.slabtrace 2>err || fail "convert: $(cat err)"
grep -q '1035 lines or records' err || fail "convert does not account for 1035 records: $(cat err)"
"$SLABSIM" trace convert -q - -o - <a.slabtrace >b.slabtrace || fail "convert through pipes"
cmp a.slabtrace b.slabtrace || fail "a .slabtrace file converted is another"
"$SLABSIM" trace convert -q "$dat" --cpus 64 --nodes 2 -o c.slabtrace
"$SLABSIM" trace info c.slabtrace | grep -q 'machine: 64 CPUs.*, 2 nodes' || fail "the machine is not as given"
for trace in "$dat" a.slabtrace; do
  "$SLABSIM" run -q --trace "$trace" --format csv >"$(basename "$trace").csv" || fail "run of $trace"
done
cmp trace-v7.dat.csv a.slabtrace.csv || fail "a replay of the .slabtrace file is another"
"$SLABSIM" trace convert -q a.slabtrace --to csv -o a.csv || fail "CSV is not written"
"$SLABSIM" trace info --format json a.csv >a.json || fail "CSV is not read again"
python3 -m json.tool a.json >/dev/null 2>&1 || ! command -v python3 >/dev/null || fail "info's JSON is none"
"$SLABSIM" trace info --format csv a.slabtrace | grep -q '^,*trace' || fail "info's CSV has no header"
"$SLABSIM" trace cut a.slabtrace --cache 'anon_*' --to 20ms -o d.slabtrace || fail "cut by cache"
"$SLABSIM" trace info --all d.slabtrace >out
grep -q '^anon_vma_chain ' out || fail "cut by cache: anon_vma_chain is missing: $(cat out)"
grep -q '^filp ' out && fail "cut by cache: filp is still there: $(cat out)"
head -c 3000 a.slabtrace >cut.slabtrace
refused 'damaged' trace info cut.slabtrace
refused 'damaged' run -q --trace cut.slabtrace
refused 'which trace?' trace convert
refused '-o FILE is missing' trace convert a.slabtrace
refused 'there is no cache "nix"' trace cut a.slabtrace --cache nix -o x
refused 'there is no subcommand "inof"' trace inof
refused 'CPU 3 has events' trace convert a.slabtrace --cpus 2 -o x
[ ! -e x ] || fail "a refused command has left its output"

# A perf that a damaged file keeps busy for ever is stopped.
mkdir bin
printf '#!/bin/sh\nwhile :; do :; done\n' >bin/perf
chmod +x bin/perf
printf 'PERFILE2 and no more' >endless.data
before=$PATH
PATH=$temp/bin:$PATH
refused 'endless.data: damaged: perf does not come to its end' trace info endless.data
PATH=$before

# ---- record ----

refused 'which command' trace record -o x
refused '-o FILE is missing' trace record true
if ! [ -w $tracing/instances ]; then
  "$SLABSIM" trace record --through tracefs -o x true 2>err && fail "recorded without the rights"
  grep -q "root's rights\|not mounted" err || fail "no reason is told: $(cat err)"
  echo "recording is not tested: $tracing cannot be written"
  [ $fails -eq 0 ]
  exit
fi

# Another recording may be under way, whose instance is named for its process.
state() {
  for instance in "$tracing"/instances/*; do
    case $instance in *'/*') continue ;; *slabsim-*) [ -d "/proc/${instance##*-}" ] && continue ;; esac
    echo "$instance"
  done
  cat $tracing/tracing_on $tracing/trace_clock $tracing/current_tracer $tracing/set_event
}
state >before
"$SLABSIM" trace record -o r.slabtrace sh -c 'ls / >/dev/null; exit 3' 2>err || fail "record: $(cat err)"
grep -q 'sh exited with status 3' err || fail "the status is not told: $(cat err)"
"$SLABSIM" trace info r.slabtrace >out || fail "what was recorded is not read"
grep -q 'slabinfo before and after' out || fail "there is no slabinfo: $(head -3 out)"
"$SLABSIM" trace info --slabinfo before r.slabtrace >slabinfo.txt
head -1 slabinfo.txt | grep -q '^slabinfo' || fail "the slabinfo is none"
for preset in linux-6.1 linux-6.18; do
  "$SLABSIM" run -q --trace r.slabtrace --set policy.preset=$preset --set replay.initial=slabinfo.txt >out 2>err ||
    fail "$preset does not replay it: $(cat err)"
done
refused 'cannot run /nowhere/nothing' trace record -o x /nowhere/nothing
[ ! -e x ] || fail "a command that does not exist has left a recording"

# Interrupted, it writes what there is.
"$SLABSIM" trace record -o i.slabtrace sh -c 'touch started; exec sleep 60' 2>err &
pid=$!
for _ in $(seq 600); do
  [ -e started ] && break
  sleep 0.1
done
kill -TERM $pid
wait $pid || fail "interrupted, it failed: $(cat err)"
grep -q 'interrupted' err || fail "it does not say that it was interrupted: $(cat err)"
"$SLABSIM" trace info i.slabtrace >/dev/null || fail "what was recorded until then is not read"
state >after
cmp -s before after || fail "tracing is not as it was: $(diff before after)"

[ $fails -eq 0 ]
