#!/bin/sh
# Run fuzz targets, as many at once as there are CPUs; fails when one finds something.
# usage: run.sh SECONDS TARGET..., after "make fuzz-targets"
set -u

run_one() {
  seconds=$1 target=$2
  kept=build/fuzz/corpus/$target found=build/fuzz/found/$target
  mkdir -p "$kept" "$found"
  log=build/fuzz/$target.log
  # A file that takes 25 s, or half a gigabyte, is a finding, too.
  if build/fuzz/fuzz-"$target" -max_total_time="$seconds" -timeout=25 -rss_limit_mb=2048 -malloc_limit_mb=512 \
    -max_len=65536 -print_final_stats=1 -artifact_prefix="$found/" "$kept" "tests/fuzz/corpus/$target" >"$log" 2>&1; then
    printf '%-20s %s inputs in %s s, nothing found\n' "$target" \
      "$(sed -n 's/^stat::number_of_executed_units: *//p' "$log")" "$seconds"
  else
    printf '%-20s FOUND something, in %s:\n' "$target" "$found"
    tail -n 40 "$log"
    return 1
  fi
}

if [ "${1:-}" = --one ]; then
  run_one "$2" "$3"
  exit
fi
seconds=$1
shift
printf '%s\n' "$@" | xargs -P "$(nproc)" -n 1 "$0" --one "$seconds"
