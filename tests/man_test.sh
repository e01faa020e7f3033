#!/bin/sh
# The manual pages name every command, option, key, format and note, and are well formed.
# usage: man_test.sh, from the top of the source tree; SLABSIM names the program.
set -u
: "${SLABSIM:=./slabsim}"
temp=$(mktemp -d) || exit 1
trap 'rm -rf "$temp"' EXIT
fails=0

fail() {
  echo "FAILED: $*"
  fails=$((fails + 1))
}

for p in slabsim.1 slabsim-config.5 slabsim-trace.5; do
  man/make-page "$SLABSIM" /usr/share/slabsim man/$p.in >"$temp/$p" || fail "$p is not made"
  ! grep -n '@[A-Z]*@' "$temp/$p" || fail "$p: left to fill in"
  if command -v mandoc >/dev/null; then
    mandoc -T lint -W warning "$temp/$p" | grep -v 'missing date' >"$temp/lint" &&
      fail "$p: $(cat "$temp/lint")"
  fi
  if command -v groff >/dev/null; then
    groff -man -Tutf8 -ww -z "$temp/$p" 2>"$temp/lint"
    [ ! -s "$temp/lint" ] || fail "$p: $(cat "$temp/lint")"
  fi
  sed 's/\\-/-/g; s/\\e/\\/g; s/\\&//g' "$temp/$p" >"$temp/$p.txt"
done

# names PAGE: every line of standard input is in it.
names() {
  while read -r name; do
    grep -qF -e "$name" "$temp/$1.txt" || fail "$1 does not tell of $name"
  done
}

for command in $("$SLABSIM" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
  grep -qF "slabsim $command" "$temp/slabsim.1.txt" || fail "slabsim.1 does not tell of $command"
  "$SLABSIM" "$command" --help | grep -o -e '--[a-z][a-z-]*' | sort -u | names slabsim.1
done
# Every option heads an item of its own, however many a help text has.
items=$(grep -c '^\.TP' "$temp/slabsim.1")
options=$(for command in $("$SLABSIM" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
  "$SLABSIM" "$command" --help
done | grep -c '^  \(-[a-z], \|    \)--')
[ "$items" -ge "$options" ] || fail "slabsim.1: $items items, the help texts have $options options"
"$SLABSIM" list options | sed -n 's/^\([^ ]*\): .*/.B "\1"/p' | names slabsim-config.5
keys=$("$SLABSIM" list options | grep -c '^[^ ]*: ')
[ "$keys" -ge 40 ] || fail "$keys options"
[ "$(grep -c '^\.TP' "$temp/slabsim-config.5")" -eq "$keys" ] || fail "slabsim-config.5: not $keys keys"
"$SLABSIM" list workloads | sed -n '/^$/q; s/^  \([a-z-]*\) .*/\1/p' | names slabsim-trace.5
"$SLABSIM" list workloads | sed -n '1,/^$/d; s/^  \([a-z-]*\)   .*/\1/p' | names slabsim-config.5
for sub in $("$SLABSIM" trace --help | sed -n 's/^  \([a-z]*\)  .*/\1/p'); do
  "$SLABSIM" trace "$sub" --help | grep -o -e '--[a-z][a-z-]*' | sort -u | names slabsim.1
done
"$SLABSIM" list presets | sed -n 's/^  \(linux[^ ]*\) .*/\1/p' | names slabsim-config.5
grep -o '"[a-z]*_[a-z_]*"' workloads/note.h | tr -d '"' | sed 's/^/.B /' | names slabsim-trace.5
[ $fails -eq 0 ]
