#!/bin/sh
# The page of slabsim report in a headless Chromium (tests/report_page.py): of a sweep with hostile
# names, and of results beside published ones; and pages with a fault each, which must be found.
# Skipped where there is no Chromium, or no python3.
# usage: report_page_test.sh, from the top of the source tree; SLABSIM names the program,
# SLABSIM_BROWSER the browser; SLABSIM_SHOTS a folder for pictures of the pages.
set -u
top=$PWD
case ${SLABSIM:=./slabsim} in /*) ;; *) SLABSIM=$top/$SLABSIM ;; esac
browser=${SLABSIM_BROWSER:-}
for name in chromium chromium-browser google-chrome; do
  [ -n "$browser" ] || browser=$(command -v $name) || browser=
done
skip() {
  echo "SKIPPED: the report page is not looked at: $1"
  exit 0
}
[ -n "$browser" ] || skip "no Chromium is installed (apt install chromium)"
command -v python3 >/dev/null || skip "there is no python3"
command -v gnuplot >/dev/null || skip "there is no gnuplot"
timeout 60 "$browser" --headless --no-sandbox --disable-gpu --dump-dom about:blank 2>/dev/null | grep -q '<html' ||
  skip "$browser does not start here"
export SLABSIM_PLOTS="$top/plots"
temp=$(mktemp -d) || exit 1
trap 'rm -rf "$temp"' EXIT
fails=0

fail() {
  echo "FAILED: $*"
  fails=$((fails + 1))
}

# The time limit is for a browser that hangs, no more.
look() { # PAGE [--once]
  timeout 240 python3 "$top/tests/report_page.py" "$browser" "$1" "${2:-${SLABSIM_SHOTS:-}}" \
    >"$temp/found" 2>"$temp/err"
  got=$?
  [ $got -le 1 ] || fail "$1: the browser does not do: $(tail -3 "$temp/err")"
  return $got
}

# ---- pages as they are ----
cp -r "$top/tests/data/hostile.json" "$top/configs/machines" "$temp"
(cd "$temp" && "$SLABSIM" sweep hostile.json -o hostile --series >log 2>&1) || fail "the sweep: $(cat "$temp/log")"
"$SLABSIM" report "$temp/hostile" -o "$temp/hostile.html" || fail "no report of the sweep"
for policy in objects pages; do
  "$SLABSIM" run configs/demo.json -q --set policy.partial_accounting=$policy --format json \
    -o "$temp/$policy.json" || fail "no result"
done
published=configs/published
"$SLABSIM" report "$temp/objects.json" "$temp/pages.json" -o "$temp/published.html" \
  --published $published/000-cpu-partial-accounting.json --published $published/001-order-min-waste.json \
  --published $published/002-count-partial.json || fail "no report of results"
for page in hostile published; do
  look "$temp/$page.html" || fail "$page: $(cat "$temp/found")"
done

# ---- a fault in a page is found ----
# broken NAME WHAT-IS-SAID SED: the page changed so is not taken.
broken() {
  sed "$3" "$temp/published.html" >"$temp/broken.html"
  cmp -s "$temp/published.html" "$temp/broken.html" && fail "$1: nothing was changed"
  look "$temp/broken.html" --once
  grep -q "$2" "$temp/found" || fail "$1 is not found; but: $(head -5 "$temp/found")"
}
broken "everything at once" "loads http" 's|<main id="main">|&<img src="http://127.0.0.1:9/x.png"><p style="width:60rem;color:#999">wide</p><table><tr><td>1</td></tr></table>|
  s|<meta http-equiv="Content-Security-Policy"[^>]*>||; s|rows.sort(|rows.slice().sort(|; s|window.slabsim = |undefined_thing(); &|
  s|root.dataset.theme = dark .*|;|'
for said in "picture without words" "pixels wide" "table without headings" contrast "script"; do
  grep -q "$said" "$temp/found" || fail "\"$said\" is not found"
done
broken "a table that is not sorted" "is not sorted" 's|return a - b;|return 0;|'
broken "a run that does not open" "does not open" 's|which.value = i;|which.value = 0;|'
[ $fails -eq 0 ]
