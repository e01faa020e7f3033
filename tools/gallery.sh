#!/bin/sh
# The pictures of docs/gallery.md, one or two for each question slabsim began with: runs and sweeps
# of configs/ into out/gallery, pictures into docs/gallery. A few minutes; the same bytes each time,
# with one version of gnuplot.
set -eu
cd "$(dirname "$0")/.."
runs=out/gallery pictures=docs/gallery published=configs/published
: "${SLABSIM:=./slabsim}"
mkdir -p "$runs" "$pictures"

sweep() { # NAME CONFIG OPTION...
  name=$1 config=$2
  shift 2
  echo "sweep $config $*"
  rm -rf "${runs:?}/$name"
  "$SLABSIM" sweep "configs/$config" -o "$runs/$name" -q "$@" >/dev/null
}

plot() { # SWEEP PICTURE OPTION...
  from=$1 to=$2
  shift 2
  "$SLABSIM" plot "$runs/$from" -o "$pictures/$to" "$@"
}

# Objects or slabs, and how many?
sweep 000 000.json --set workload.model.hackbench.loops=1600 --seeds 1
plot 000 000-counters.svg --cache skbuff_head_cache --width 1000 \
  --published $published/000-cpu-partial-accounting.json
sweep 000-trace 000-trace.json --series
plot 000-trace 000-memory.svg --kind memory --width 1000

# Orders that waste the least
"$SLABSIM" order --slabinfo configs/slabinfo-6.12-files.txt --totals \
  --order legacy,min-waste-absolute,min-waste-fraction \
  --published $published/001-order-min-waste.json --plot "$pictures/001-waste.svg" >/dev/null

# Counting free objects under list_lock
sweep 002 002.json
plot 002 002-wait.svg --kind lines --x 'reader of slabinfo' --by count_partial --where groups=32
sweep 002-list 002-list.json
plot 002-list 002-list.svg --kind lines --metric timing.all.p99 --x 'slabs on each partial list' \
  --by count_partial --where 'reader of slabinfo=every 20 ms'

# Longer per-CPU partial lists, and three code paths
sweep 003 003.json
plot 003 003-latency.svg --kind lines --metric timing.all.mean --x variant --by machine
plot 003 003-memory.svg --kind lines --metric memory.total --x variant --by machine

# The clean-up of calculate_order(), pages of 64 KiB
"$SLABSIM" order --slabinfo configs/slabinfo-6.12-files.txt --totals --order legacy,mainline \
  --published $published/004-calculate-order-cleanup.json --plot "$pictures/004-waste.svg" >/dev/null

echo "docs/gallery.md has these pictures: $(find "$pictures" -name '*.svg' | sort | tr '\n' ' ')"
