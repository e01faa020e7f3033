#!/bin/sh
# A few seconds of each fuzz target, where clang and its libFuzzer are there ("make fuzz" installs
# them, and runs for longer).
set -u
if ! echo 'int LLVMFuzzerTestOneInput(const char *d, long n) { return d != 0 && n < 0; }' |
  clang -x c -fsanitize=fuzzer,address,undefined -o /dev/null - 2>/dev/null; then
  echo "SKIPPED: no fuzzing: there is no clang with libFuzzer"
  exit 0
fi
# Not with the flags of the make that runs this.
unset MAKEFLAGS MFLAGS MAKEOVERRIDES
make --no-print-directory -j"$(nproc)" CC=clang fuzz-targets || exit 1
set --
for source in tests/fuzz/fuzz-*.c; do
  target=${source#tests/fuzz/fuzz-}
  set -- "$@" "${target%.c}"
done
tests/fuzz/run.sh "${FUZZ_SECONDS:-5}" "$@"
