#!/bin/sh
# The examples of CONTRIBUTING.md: they are cut out, compiled into a program of their own, and do
# what the text says.
# usage: contributing_test.sh, from the top of the source tree; SLABSIM names the program, whose
# objects are in the folder it is in.
set -u
top=$PWD
: "${SLABSIM:=./slabsim}"
case $SLABSIM in */slabsim) build=$(dirname "$SLABSIM") ;; *) build= ;; esac
[ -f "$build/sim/main.o" ] || build=build/gcc-O2
case $build in /*) ;; *) build=$top/$build ;; esac
# The sanitizers' and coverage's flags are not known here.
if nm "$build/sim/main.o" | grep -q -e '__asan' -e '__tsan' -e '__gcov'; then
  echo "SKIPPED: CONTRIBUTING.md's examples: not with sanitizers or coverage"
  exit 0
fi
temp=$(mktemp -d) || exit 1
trap 'rm -rf "$temp"' EXIT
fails=0

fail() {
  echo "FAILED: $*"
  fails=$((fails + 1))
}

# The indented block that follows the first mention of a file under that heading.
block() { # HEADING FILE
  awk -v heading="## $1" -v file="$2" '
    /^## / { here = $0 == heading; next }
    here && index($0, "`" file "`") { wanted = 1 }
    here && wanted && /^    / { inside = 1 }
    inside && /^[^ ]/ { exit }
    inside { sub(/^    /, ""); print }' CONTRIBUTING.md
}

mkdir -p "$temp/policies" "$temp/workloads" "$temp/sim/chart" "$temp/plots"
block "A policy" policies/min-partial-double.c >"$temp/policies/min-partial-double.c"
block "An order rule" policies/order-eight.c >"$temp/policies/order-eight.c"
block "A trace format" workloads/reader-plain.c >"$temp/workloads/reader-plain.c"
block "A workload model" workloads/model-pairs.c >"$temp/workloads/model-pairs.c"
block "A chart" sim/chart/plot_peak.c >"$temp/sim/chart/plot_peak.c"
# The chart's row goes into the table, its template beside the others.
awk '/^## A chart/ { here = 1 } here && /^    \{\.name/ { on = 1 } on { print substr($0, 5) } on && /\},$/ { exit }' \
  CONTRIBUTING.md >"$temp/row"
cp plots/*.gp "$temp/plots/"
awk '/^and the template/ { here = 1 } here && /^    / { on = 1; print substr($0, 5); next } on && /^[^ ]/ { exit }' \
  CONTRIBUTING.md >"$temp/plots/peak.gp"
{
  awk -v row="$temp/row" '
    /^static const struct plot_kind kinds/ {
      print "int plot_peak_data(FILE *out, const struct plot_data *d, struct error *err);"
      print; while ((getline line <row) > 0) print line; next }
    { print }' sim/chart/plot.c
} >"$temp/sim/chart/plot.c"

cd "$temp" || exit 1
made=
for f in policies/*.c workloads/*.c sim/chart/*.c; do
  [ "$(wc -l <"$f")" -gt 8 ] || fail "$f is not in CONTRIBUTING.md"
  # shellcheck disable=SC2046
  ${CC:-cc} -std=c11 -O1 -Wall -Wextra -Wshadow -Werror -I"$top" -D_GNU_SOURCE -include "$top/sim/banned.h" \
    -DPLOTDIR='"plots"' -DDATADIR='""' $(pkg-config --cflags libcjson gsl) -c -o "${f%.c}.o" "$f" ||
    fail "$f does not compile"
  made="$made ${f%.c}.o"
done
# shellcheck disable=SC2046,SC2086
${CC:-cc} -rdynamic -o slabsim $made \
  $(find "$build/sim" "$build/policies" "$build/workloads" -name '*.o' | sort | while read -r o; do
    # Only of what is in the tree, and not of what was made here, as the reader may have, too.
    s=${o#"$build"/}
    [ ! -f "$top/${s%.o}.c" ] || [ -f "$s" ] || echo "$o"
  done) \
  $(pkg-config --libs libcjson gsl libzstd zlib liblzma libtracecmd libtracefs libtraceevent) -ldl -lm -lpthread || {
  echo "FAILED: does not link"
  exit 1
}

cat >t.trace <<'TRACE'
+ 0 ffff888000000100 200
+ 1 ffff888000000200 200
nonsense
- 1 ffff888000000100
TRACE
export SLABSIM_PLOTS="$temp/plots"
./slabsim list policies | grep -q 'twice the default' || fail "list policies: double"
./slabsim list policies | grep -q '^  eight ' || fail "list policies: eight"
./slabsim run --trace t.trace -q --set policy.min_partial=double --format json -o a.json || fail "run"
grep -q '"min_partial": 10,' a.json || fail "min_partial is not doubled"
grep -q '"replayed": 3,' a.json || fail "the trace's events"
grep -q '"malformed_lines": 1' a.json || fail "the trace's bad line"
grep -q '"name": "kmalloc-256"' a.json || fail "the trace's cache"
./slabsim order --sizes 512,4096 --order eight --format csv >order.csv || fail "order"
[ "$(./slabsim run --trace t.trace -q --set policy.order=eight --format json | grep -c '"order": 0,')" -eq 1 ] ||
  fail "eight objects of 256 bytes fit in a page"
cat >m.json <<'JSON'
{ "machine": {"cpus": 3}, "caches": [{"name": "c", "object_size": 64}],
  "workload": {"model": {"pairs": {"pairs": 7, "hold_ns": 50}}}, "replay": {"mode": "timed"} }
JSON
./slabsim run m.json -q --format json -o b.json || fail "the model"
grep -q '"replayed": 42,' b.json || fail "the model's events: $(grep replayed b.json)"
./slabsim run m.json -q --set 'workload.model={"pairs":{"pears":7}}' 2>err && fail "an unknown key is taken"
grep -q 'no key "pears"' err || fail "the unknown key's message: $(cat err)"
# Every command line of the text, one after another. Without gnuplot a chart's script is left.
ln -s "$top/configs" configs
mkdir -p workloads/traces && cp "$top"/workloads/traces/* workloads/traces/
awk '
  /^    \.\/slabsim / || more {
    sub(/^ */, ""); more = sub(/\\$/, ""); command = command $0
    if (!more) { print command; command = "" }
    next }
  { while (match($0, /`\.\/slabsim [^`]*`/)) {
      print substr($0, RSTART + 1, RLENGTH - 2); $0 = substr($0, RSTART + RLENGTH) } }' \
  "$top/CONTRIBUTING.md" >commands
while read -r command; do
  sh -c "$command" >out 2>err </dev/null || fail "$command: $(cat err)"
done <commands
[ "$(wc -l <commands)" -eq 6 ] || fail "other commands than there were: $(cat commands)"
./slabsim compare double --figure slabs --format csv >double.csv
grep -q '^slabs,"min_partial double, cpu_partial 52",' double.csv || fail "the policy in a sweep: $(cat double.csv)"
if command -v gnuplot >/dev/null; then
  grep -q 'min_partial: double' double.svg || fail "the policy in a chart"
  grep -q MiB peak.svg || fail "the chart's axis"
fi
[ $fails -eq 0 ]
