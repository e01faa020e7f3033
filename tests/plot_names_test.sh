#!/bin/sh
# Charts of every kind, as SVG, PNG, PDF and letters, of a sweep whose config, caches and axes have
# names that gnuplot, XML, a shell or a spreadsheet would take for something else, and long ones.
# usage: plot_names_test.sh, from the top of the source tree; SLABSIM names the program.
set -u
top=$PWD
case ${SLABSIM:=./slabsim} in /*) ;; *) SLABSIM=$top/$SLABSIM ;; esac
if ! command -v gnuplot >/dev/null; then
  echo "SKIPPED: no charts of hostile names: there is no gnuplot"
  exit 0
fi
export SLABSIM_PLOTS="$top/plots"
temp=$(mktemp -d) || exit 1
trap 'rm -rf "$temp"' EXIT
cp -r tests/data/hostile.json configs/machines "$temp"
cd "$temp" || exit 1
fails=0 drawn=0

fail() {
  echo "FAILED: $*"
  fails=$((fails + 1))
}

"$SLABSIM" sweep hostile.json -o out --series >log 2>&1 || fail "the sweep: $(cat log)"
# A value, and an axis, with = in them.
few=$(printf 'b\nnew==1+1')
odd=$(sed -n 's/.*"name": "\(=cmd[^,]*\)",.*/\1/p' hostile.json | sed 's/\\"/"/g')

# draw KIND ARGUMENT...: in every form.
draw() {
  kind=$1
  shift
  for ending in svg png pdf; do
    "$SLABSIM" plot out --kind "$kind" "$@" -o "$kind.$ending" 2>err || {
      fail "$kind $*: $(cat err)"
      continue
    }
    drawn=$((drawn + 1))
    case $ending in
    svg)
      grep -q '<script' "$kind.svg" && fail "$kind.svg: a script is in it"
      tail -n 3 "$kind.svg" | grep -q '^</svg>' || fail "$kind.svg: does not end"
      if command -v python3 >/dev/null; then
        python3 -c "import sys, xml.dom.minidom; xml.dom.minidom.parse(sys.argv[1])" "$kind.svg" 2>err ||
          fail "$kind.svg: no XML: $(tail -1 err)"
      fi
      ;;
    png) [ "$(wc -c <"$kind.png")" -gt 3000 ] || fail "$kind.png: hardly anything is in it" ;;
    pdf) tail -c 6 "$kind.pdf" | grep -q EOF || fail "$kind.pdf: does not end" ;;
    esac
    rm -f "$kind.$ending"
  done
  if [ "$kind" != waste ]; then
    "$SLABSIM" plot out --kind "$kind" "$@" --terminal >text 2>err || fail "$kind $* --terminal: $(cat err)"
    [ -s text ] || fail "$kind --terminal: nothing"
  fi
}

for kind in counters memory partial demo cdf; do
  draw $kind --where "$few" --cache "$odd"
done
draw waste --where "$few"
for kind in paths causes lines lock pareto heat; do
  draw $kind
done
# figures that are whole numbers, in a unit that is not one of theirs
for kind in lines heat; do
  draw $kind --metric memory.peak_total
done
draw pareto --width 400
draw lines --width 320
draw heat --width 320

"$SLABSIM" report out -o page.html 2>err || fail "report: $(cat err)"
[ ! -s err ] || fail "report: $(cat err)"
grep -q '<script>alert' page.html && fail "the page has a name's script in it"
[ -z "$(find . -name 'PWNED*')" ] || fail "a name was run as a command"
echo "$drawn charts"
[ $fails -eq 0 ]
