#!/bin/sh
# docs/gallery.md and the pictures it shows belong together: each is there, small, whole, named and
# made by tools/gallery.sh, and has words for who cannot see it; README shows one of them.
# usage: gallery_test.sh, from the top of the source tree
set -u
missing=$(mktemp) && joined=$(mktemp) || exit 1
trap 'rm -f "$missing" "$joined"' EXIT
fails=0

fail() {
  echo "FAILED: $*"
  fails=$((fails + 1))
}

shown=$(sed -n 's/^!\[..*\](\(gallery\/[^)]*\.svg\))$/docs\/\1/p' docs/gallery.md | sort)
made=$(find docs/gallery -type f | sort)
[ "$shown" = "$made" ] || fail "shown: $shown; there are: $made"
[ "$(grep -c '^!\[' docs/gallery.md)" -eq "$(echo "$shown" | wc -l)" ] || fail "a picture without words"
for picture in $made; do
  grep -qF "${picture##*/}" tools/gallery.sh || fail "$picture is not of tools/gallery.sh"
  [ "$(wc -c <"$picture")" -lt 200000 ] || fail "$picture is large"
  tail -n 3 "$picture" | grep -q '^</svg>' || fail "$picture does not end"
done
# A colour of a legend that is nowhere else says nothing: drawn are dots, and lines that are not empty.
for picture in docs/gallery/*-waste.svg; do
  tr '\n' ' ' <"$picture" >"$joined"
  drawn=$(grep -o "<use[^>]*color='rgb([^)]*)'\|<path stroke='rgb([^)]*)' *d='M[^']*L[^']*'" "$joined" |
    sed 's/.*\(rgb([^)]*)\).*/\1/')
  grep -m 1 "<path.* d='M70.00,43.50 L88" "$picture" | grep -o 'rgb([^)]*)' >"$missing"
  [ -s "$missing" ] || fail "$picture has no legend"
  while read -r colour; do
    [ "$(echo "$drawn" | grep -cxF "$colour")" -gt 1 ] || fail "$picture: $colour is in the legend only"
  done <"$missing"
done
grep -oh 'configs/[-a-z0-9./]*[a-z]' docs/gallery.md tools/gallery.sh | while read -r config; do
  [ -e "$config" ] || echo "$config"
done >"$missing"
[ ! -s "$missing" ] || fail "there is no $(cat "$missing")"
for question in 000 001 002 003 004; do
  echo "$made" | grep -q "gallery/$question-" || fail "no picture of $question"
done
first=$(sed -n 's/^!\[..*\](\(docs\/gallery\/.*\.svg\)).*/\1/p' README.md | head -1)
if [ ! -f "$first" ]; then fail "README.md shows no picture: $first"; fi
grep -qF '(docs/gallery.md)' README.md || fail "README.md does not lead to the gallery"
[ $fails -eq 0 ]
