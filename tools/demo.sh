#!/bin/sh
# The question slabsim began with: should the per-CPU partial list be limited by objects or by
# pages, and how long should it be? One recorded hackbench run under the three policies of
# configs/published/000: reports, a table, a chart.
set -eu
cd "$(dirname "$0")/.."
out=${1:-out/demo}
mkdir -p "$out"

run() { # FILE NAME SETTING...
  file=$out/$1 name=$2
  shift 2
  ./slabsim run configs/demo.json -q --format json -o "$file.json" --set "name=$name" "$@"
  ./slabsim run configs/demo.json -q --set "name=$name" "$@"
  echo
}

run objects-13 "objects, cpu_partial 13" --set policy.partial_accounting=objects --set policy.cpu_partial=13
run pages-13 "pages, cpu_partial 13" --set policy.cpu_partial=13
run pages-52 "pages, cpu_partial 52" --set policy.cpu_partial=52

echo "Side by side"
echo
./slabsim compare "$out/objects-13.json" "$out/pages-13.json" "$out/pages-52.json"
for ending in svg png; do
  ./slabsim plot --kind demo "$out/objects-13.json" "$out/pages-13.json" "$out/pages-52.json" -o "$out/demo.$ending"
done
./slabsim report "$out/objects-13.json" "$out/pages-13.json" "$out/pages-52.json" -o "$out/report.html" \
  --title "Should per-CPU partial lists count objects or slabs?" \
  --published configs/published/000-cpu-partial-accounting.json
echo
echo "Report:  $out/report.html"
echo "Charts:  $out/demo.svg and $out/demo.png"
echo "Results: $out/*.json"
