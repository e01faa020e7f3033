#!/bin/sh
# From a model to a trace and back, and slabsim order beside a trace, a chart and what was published.
# usage: model_trace_test.sh, from the top of the source tree; SLABSIM names the program.
set -u
top=$PWD
case ${SLABSIM:=./slabsim} in /*) ;; *) SLABSIM=$top/$SLABSIM ;; esac
export SLABSIM_PLOTS="$top/plots"
temp=$(mktemp -d) || exit 1
trap 'rm -rf "$temp"' EXIT
cd "$temp" || exit 1
fails=0

fail() {
  echo "FAILED: $*"
  fails=$((fails + 1))
}

# expect CODE TEXT ARGUMENT...: the exit code, and what is in the output or, after a failure, in the
# message; a failure leaves nothing at "bad".
expect() {
  code=$1 text=$2
  shift 2
  "$SLABSIM" "$@" >out 2>err
  got=$?
  [ $got -eq "$code" ] || fail "slabsim $*: exit code $got, not $code: $(cat err)"
  if [ "$code" -eq 0 ]; then where=out; else where=err; fi
  [ -z "$text" ] || grep -qF -e "$text" $where || fail "slabsim $*: \"$text\" is not in: $(head -5 $where)"
  [ ! -e bad ] || fail "slabsim $*: wrote a file"
}

cat >m.json <<'END'
{ "machine": {"cpus": 4, "nodes": 2},
  "caches": [ {"name": "a", "size": 64}, {"name": "b", "size": 256} ],
  "workload": {"model": {"open": {"operations": 20000, "remote": 0.3,
                                  "lifetime_ns": {"exponential": 20000}}}},
  "replay": {"mode": "timed"} }
END

# ---- trace generate ----
expect 0 "" trace generate m.json -o m.slabtrace
expect 0 "" trace generate m.json -o again.slabtrace -q
cmp -s m.slabtrace again.slabtrace || fail "generated twice, it is not the same"
expect 0 "" trace generate m.json -o other.slabtrace -q --seed 2
cmp -s m.slabtrace other.slabtrace && fail "--seed changes nothing"
expect 0 "" trace generate m.json -o more.slabtrace -q --set workload.model.open.operations=100
expect 0 "200 events" trace info more.slabtrace
expect 0 "40000 events" trace info m.slabtrace
expect 0 "" trace generate m.json -o m.csv -q --to csv --no-times
[ "$(grep -v '^#' m.csv | head -1)" = "op,cpu,object,node,cache,size,bulk,gfp" ] || fail "csv: $(head m.csv)"
[ "$(grep -vc '^#' m.csv)" -eq 40001 ] || fail "csv: $(grep -vc '^#' m.csv) lines"
for t in m.slabtrace m.csv; do
  expect 0 a run m.json --set workload.model=null --trace $t --set replay.mode=order -q --format csv
  mv out $t.result
done
cmp -s m.slabtrace.result m.csv.result || fail "as .slabtrace and as CSV it is not the same trace"

expect 2 "which config?" trace generate
expect 2 "-o FILE is missing" trace generate m.json
expect 2 '--to: there is no format "y"; there are slabtrace and csv' trace generate m.json -o bad --to y
expect 2 '"x" is one argument too many' trace generate m.json x -o bad
expect 2 "--seed: a whole number" trace generate m.json -o bad --seed z
expect 2 "no/x: cannot be written" trace generate m.json -o no/x
echo '{}' >e.json
expect 2 "e.json: workload.model: there is none" trace generate e.json -o bad

# ---- trace fit ----
expect 0 "a: 9959 objects allocated in the trace, 9959 by the model" trace fit m.slabtrace -o fit.json
grep -q "free_slowpath  *30.18 %" out || fail "trace fit: no free_slowpath of the trace: $(cat out)"
expect 0 "" trace fit m.slabtrace -o fit8.json -q --cpus 8 --nodes 4 --preset linux-5.15
grep -qF '"machine": {"cpus": 8, "nodes": 4}' fit8.json || fail "fit8.json: $(head -6 fit8.json)"
expect 0 "preset linux-5.15" run fit8.json -q
grep -q "Events: *80000 replayed" out || fail "twice the CPUs do not do twice as much"
expect 2 "which trace?" trace fit
expect 2 "-o FILE is missing" trace fit m.slabtrace
expect 2 "--cpus: a whole number" trace fit m.slabtrace -o bad --cpus 0
expect 2 '--preset: there is no "z"' trace fit m.slabtrace -o bad --preset z
expect 2 "no cache has 100000000 allocations" trace fit m.slabtrace -o bad --least 100000000
grep -v '^#' m.csv >plain.csv
expect 2 'plain.csv: the size of cache "a" is not known' trace fit plain.csv -o bad
expect 2 "one argument too many" trace fit m.slabtrace x -o bad

# ---- order ----
expect 0 "Totals of 2 caches" order --trace m.slabtrace --order legacy,2
grep -q "^orders unlike those of legacy .*2$" out || fail "order 2 is not another order: $(cat out)"
published=$top/configs/published/001-order-min-waste.json
expect 0 "ours, min-waste-absolute: 2 of 13" order --published "$published"
expect 0 '"published"' order --published "$published" --format json
if command -v gnuplot >/dev/null; then
  expect 0 "kmalloc-8k" order --sizes kmalloc --order legacy,mainline --plot waste.svg
  grep -q "</svg>" waste.svg || fail "no chart of the waste"
  expect 0 "a" order --trace m.slabtrace --plot trace.svg
  grep -q "</svg>" trace.svg || fail "no chart of a trace's waste"
fi

[ $fails -eq 0 ] || { echo "$fails failed"; exit 1; }
