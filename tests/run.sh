#!/bin/sh
# Run the tests given, each a program or a script, as many at once as there are CPUs; what a
# failing one printed is shown.
# usage: run.sh TEST...; TEST_WRAPPER is a command to run each of them with
set -u

# One test: what it found, and a line that says how it went, all at once.
run_one() {
  log=$LOGS/$(basename "$1") start=$(date +%s) result=ok
  # shellcheck disable=SC2086
  ${TEST_WRAPPER:-} "$1" >"$log" 2>&1 || result=FAILED
  {
    if [ $result = ok ]; then
      grep -E 'cases equal|^parity:|^SKIPPED' "$log"
    else
      cat "$log"
      echo "$1" >>"$LOGS/failed"
    fi
    printf '%-40s %s (%ss)\n' "$(basename "$1")" "$result" "$(($(date +%s) - start))"
  } >"$log.said"
  cat "$log.said"
}

if [ "${1:-}" = --one ]; then
  run_one "$2"
  exit 0
fi
LOGS=$(mktemp -d) || exit 1
export LOGS
# What libraries lose of their own is not ours to free.
LSAN_OPTIONS="suppressions=$PWD/tests/lsan.txt:print_suppressions=0${LSAN_OPTIONS:+:$LSAN_OPTIONS}"
export LSAN_OPTIONS
trap 'rm -rf "$LOGS"' EXIT
printf '%s\n' "$@" | xargs -P "$(nproc)" -n 1 "$0" --one
touch "$LOGS/failed"
failed=$(wc -l <"$LOGS/failed")
echo "$(($# - failed)) passed, $failed failed"
[ "$failed" -eq 0 ]
