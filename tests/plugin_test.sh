#!/bin/sh
# Policies from outside the tree: install to a folder of its own, build the example against what
# is installed there, run a config that names its policy; then take it all away again.
# usage: plugin_test.sh, from the top of the source tree; SLABSIM names the program, which is
# installed from the folder it was built in.
set -u
top=$PWD
: "${SLABSIM:=./slabsim}"
case $SLABSIM in */slabsim) build=$(dirname "$SLABSIM") ;; *) build= ;; esac
[ -f "$build/sim/main.o" ] || build=build/gcc-O2
temp=$(mktemp -d) || exit 1
trap 'rm -rf "$temp"' EXIT
root=$temp/root prefix=/usr/local
include=$root$prefix/include/slabsim data=$root$prefix/share/slabsim
slabsim=$root$prefix/bin/slabsim
fails=0
# The make that runs this test has settings of its own.
unset MAKEFLAGS MAKELEVEL MFLAGS DESTDIR PREFIX
export PKG_CONFIG_SYSROOT_DIR="$root" PKG_CONFIG_PATH="$root$prefix/lib/pkgconfig"

fail() {
  echo "FAILED: $*"
  fails=$((fails + 1))
}

# counter NAME: its sum, in the result in $temp/out.
counter() {
  sed -n "s/^ *\"$1\": \([0-9]*\),*\$/\1/p" "$temp/out" | tail -1
}

# plugin OUTPUT SOURCE: compile with what pkg-config says.
plugin() {
  # shellcheck disable=SC2046
  ${CC:-cc} -std=c11 -Wall -Wextra -Werror $(pkg-config --cflags slabsim) -fPIC -shared -o "$1" "$2"
}

make -s -C "$top" B="$build" DESTDIR="$root" PREFIX="$prefix" install >"$temp/log" 2>&1 || {
  cat "$temp/log"
  echo "FAILED: make install"
  exit 1
}
cflags=$(pkg-config --cflags slabsim)
case $cflags in *-I"$include"*) ;; *) fail "pkg-config: $cflags" ;; esac
[ "slabsim $(pkg-config --modversion slabsim)" = "$("$slabsim" --version)" ] || fail "pkg-config: version"
for f in plots/style.gp configs/000.json configs/schema.json configs/machines/guest-8cpu.json \
  machines/guest-8cpu.json; do
  [ -f "$data/$f" ] || fail "$f is not installed"
done

# Every installed header can be included by itself, and from there alone.
for h in "$include"/sim/*.h; do
  echo "#include \"sim/$(basename "$h")\"" >"$temp/h.c"
  plugin "$temp/h.so" "$temp/h.c" || fail "$(basename "$h") cannot be included"
done

# The example, its Makefile and its config.
cd "$data/examples/plugin" || exit 1
[ "$(wc -l <objects-now.c)" -lt 60 ] || fail "the example is long"
make -s CFLAGS=-Werror || fail "the example does not compile"
"$slabsim" run objects-now.json --format json -o "$temp/out" -q || fail "the example does not run"
grep -q '"partial_accounting": "objects-now"' "$temp/out" || fail "the policy is not in force"
now=$(counter cpu_partial_drain)
"$slabsim" run objects-now.json --set policy.partial_accounting=objects --format json \
  -o "$temp/out" -q || fail "objects does not run"
then=$(counter cpu_partial_drain)
# Frees make the list's slabs emptier, which only the example's policy notices: it drains sooner.
[ "$now" -gt "$then" ] || fail "cpu_partial_drain: objects-now $now, objects $then"
"$slabsim" list policies --plugin ./objects-now.so | grep -q objects-now || fail "list policies"
# Cut off anywhere, it is refused; the linker would die of it.
for bytes in 17 63 64 200 3000 9000; do
  head -c $bytes objects-now.so >"$temp/cut.so"
  "$slabsim" list policies --plugin "$temp/cut.so" >"$temp/log" 2>&1
  [ $? -eq 2 ] || fail "a plugin cut to $bytes bytes: $(cat "$temp/log")"
  grep -q "cut.so: not a plugin: the file is cut off" "$temp/log" || fail "$(cat "$temp/log")"
done
"$slabsim" run ../../configs/000-trace.json --format json -o "$temp/out" -q || fail "an installed config"

# An allocator of one's own, of the mechanics' headers: a copy of the tree's counts the same.
sed 's/\.name = "slub"/.name = "mine"/' "$top/policies/allocator-slub.c" >"$temp/mine.c"
plugin "$temp/mine.so" "$temp/mine.c" || fail "an allocator does not compile"
for allocator in slub mine; do
  "$slabsim" run ../../configs/000-trace.json --plugin "$temp/mine.so" --format csv \
    --set policy.allocator=$allocator -o "$temp/$allocator.csv" -q || fail "allocator $allocator"
done
cmp -s "$temp/slub.csv" "$temp/mine.csv" || fail "the copied allocator counts otherwise"

# An order rule that answers what no slab can be is named.
for order in 99 -5 0; do
  cat >"$temp/odd.c" <<END
#include "sim/policy.h"
static int order(const struct order_input *in) { (void)in; return $order; }
static const struct order_ops odd = {.policy = {.abi = POLICY_ABI, .axis = AXIS_ORDER,
  .name = "odd", .summary = "s"}, .order = order};
POLICY(odd);
END
  plugin "$temp/odd.so" "$temp/odd.c" || fail "an order policy does not compile"
  "$slabsim" run ../../configs/000-trace.json --plugin "$temp/odd.so" --set policy.order=odd \
    --set caches[0].size=8192 >"$temp/log" 2>&1
  [ $? -eq 2 ] || fail "order $order: $(cat "$temp/log")"
  grep -q "order policy \"odd\" says order $order for objects\|a slab of order $order, which the order policy \"odd\" says, holds no" "$temp/log" ||
    fail "order $order: $(cat "$temp/log")"
done

cd "$top" || exit 1
make -s B="$build" DESTDIR="$root" PREFIX="$prefix" uninstall || fail "make uninstall"
left=$(find "$root" ! -type d)
[ -z "$left" ] || fail "left behind: $left"
[ $fails -eq 0 ] || echo "$fails failed"
[ $fails -eq 0 ]
