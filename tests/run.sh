#!/bin/sh
# Run the tests given, each a program or a script; what a failing one printed is shown.
# usage: run.sh TEST...; TEST_WRAPPER is a command to run each of them with
set -u
passed=0 failed=0
log=$(mktemp) || exit 1
trap 'rm -f "$log"' EXIT
for t in "$@"; do
  start=$(date +%s)
  # shellcheck disable=SC2086
  if ${TEST_WRAPPER:-} "$t" >"$log" 2>&1; then
    passed=$((passed + 1)); result=ok
    grep -E 'cases equal|^parity:' "$log"
  else
    failed=$((failed + 1)); result=FAILED
    cat "$log"
  fi
  printf '%-40s %s (%ss)\n' "$(basename "$t")" "$result" "$(($(date +%s) - start))"
done
echo "$passed passed, $failed failed"
[ "$failed" -eq 0 ]
