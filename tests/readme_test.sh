#!/bin/sh
# Every command that README.md shows works: the indented lines that begin with ./slabsim or make
# are run one after another in a copy of the tree. Names in capitals stand for files and commands
# of the reader's: here they are the bundled trace and what was made of it.
# usage: readme_test.sh, from the top of the source tree; SLABSIM names the program, which was
# built in the folder it is in.
set -u
top=$PWD
: "${SLABSIM:=./slabsim}"
case $SLABSIM in */slabsim) build=$(dirname "$SLABSIM") ;; *) build= ;; esac
[ -f "$build/sim/main.o" ] || build=build/gcc-O2
case $build in /*) ;; *) build=$top/$build ;; esac
temp=$(mktemp -d) || exit 1
trap 'rm -rf "$temp"' EXIT
unset MAKEFLAGS MAKELEVEL MFLAGS DESTDIR PREFIX
fails=0 ran=0

# With the times they have, so that nothing is built again.
for f in Makefile README.md LICENSE *.md sim policies workloads configs plots man completion tools examples \
  tests bench debian; do
  [ ! -e "$f" ] || [ -e "$temp/$f" ] || cp -a "$f" "$temp/$f"
done
cp "$SLABSIM" "$temp/slabsim"
cd "$temp" || exit 1
trace=$(find workloads/traces -name "*.zst" -o -name "*.slabtrace" | sort | head -1)
cp "$trace" TRACE
[ ! -f "${trace%.txt.zst}.slabinfo" ] || cp "${trace%.txt.zst}.slabinfo" SLABINFO
for name in trace.txt.zst trace.dat trace.txt; do
  [ -e $name ] || cp TRACE $name
done
for policy in objects pages; do
  ./slabsim run configs/demo.json -q --set policy.partial_accounting=$policy --format json -o $policy.json ||
    fails=1
done
cp objects.json a.json
cp pages.json b.json

# The policy it shows is the example's.
sed '1,/^ \*\//d' examples/plugin/objects-now.c >policy.c
awk '/examples\/plugin\/objects-now.c/ { here = 1 } here && /^    / { on = 1 }
  on && /^[^ ]/ { exit } on { sub(/^    /, ""); print }' README.md | sed '$ { /^$/d; }' >shown.c
cmp policy.c shown.c || { echo "FAILED: examples/plugin/objects-now.c is another policy"; fails=1; }

# A line that ends in a backslash goes on with the next; what follows " #" is a remark.
awk '
  /^    / || more {
    sub(/^ */, "")
    sub(/  *#.*/, "")
    more = sub(/\\$/, "")
    command = command $0
    if (!more) { if (command ~ /^(\.\/slabsim|make)( |$)/) print command; command = "" }
  }' README.md >commands
while read -r command; do
  case $command in
  # They are run by themselves, or take long, or change the system.
  "make check"* | "make demo"* | "make bench"* | "make asan"* | "make tsan"* | "make valgrind"* | \
    "make coverage"* | "make mutate"* | "make lint"* | "make fuzz"* | "make deb"* | "make parity"* | \
    "make clean"*) continue ;;
  "make install"* | "make uninstall"*)
    case $command in *DESTDIR=*) ;; *) command="$command DESTDIR=$temp/root" ;; esac ;;
  esac
  case $command in
  make*) command="$command -s B=$build" ;;
  *" COMMAND "*) command=$(echo "$command" | sed 's/ COMMAND / run /') ;;
  *"trace record"*) continue ;;
  esac
  # Not everybody may read it.
  [ -r /proc/slabinfo ] || command=$(echo "$command" | sed 's|/proc/slabinfo|SLABINFO|')
  ran=$((ran + 1))
  timeout 120 sh -c "$command" >out 2>err </dev/null && continue
  echo "FAILED: $command"
  tail -5 err
  fails=1
done <commands
echo "$ran commands of README.md"
[ "$ran" -ge 5 ] || { echo "FAILED: so few?"; fails=1; }
[ $fails -eq 0 ]
