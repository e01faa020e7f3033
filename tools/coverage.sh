#!/bin/sh
# Line coverage of sim/, policies/ and workloads/ after the tests ran in a --coverage build.
# usage: coverage.sh BUILD-FOLDER, from the top of the source tree. BUILD-FOLDER/uncovered.txt
# names the lines that no test ran.
set -eu
build=$1
out=$build/gcov.txt
# Each object tells of its source and of the headers it includes; a line counts as run when it ran
# in any of them.
find "$build/sim" "$build/policies" "$build/workloads" -name '*.gcda' -print0 |
  xargs -0 gcov --stdout >"$out" 2>/dev/null
awk -v list="$build/uncovered.txt" '
  BEGIN { FS = ":" }
  { count = $1; gsub(/[ *]/, "", count); number = $2 + 0 }
  number == 0 && $3 == "Source" { file = $4; sub(/^\.\//, "", file); next }
  file !~ /^(sim|policies|workloads)\// || number == 0 || count == "-" { next }
  {
    key = file ":" number
    if (!(key in ran)) { ran[key] = 0; text[key] = substr($0, index($0, $3)) }
    if (count !~ /^[#=]/) ran[key] = 1
  }
  END {
    for (key in ran) {
      split(key, part, ":")
      folder = part[1]
      sub(/\/.*/, "", folder)
      lines[folder]++; lines["all"]++; of[part[1]]++
      if (ran[key]) { hit[folder]++; hit["all"]++; got[part[1]]++ }
      else print key ":" text[key] | ("sort -t: -k1,1 -k2,2n >" list)
    }
    for (f in of) printf "%6.1f %%  %5d of %5d  %s\n", 100 * got[f] / of[f], got[f], of[f], f | "sort -n"
    close("sort -n")
    print ""
    split("sim policies workloads all", folders, " ")
    low = 0
    for (i = 1; i <= 4; i++) {
      f = folders[i]
      share = 100 * hit[f] / lines[f]
      printf "%6.1f %%  %5d of %5d  %s\n", share, hit[f], lines[f], f
      if (share < 90) low = 1
    }
    if (low) print "below 90 %: see " list
    exit low
  }' "$out"
