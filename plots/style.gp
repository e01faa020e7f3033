# What all charts share. A chart sets width and height (pixels) first; slabsim sets terminal,
# output and labels.

if (terminal eq "svg") set terminal svg size width,height dynamic noenhanced font "sans-serif,12" background "white"
if (terminal eq "png") set terminal pngcairo size width,height noenhanced font "Sans,11"
if (terminal eq "pdf") set terminal pdfcairo size width/100.0,height/100.0 noenhanced font "Sans,10"
if (terminal eq "dumb") set terminal dumb noenhanced size 100,28
if (output ne "") set output output

# Colours of Okabe and Ito, which colour-blind eyes tell apart; in grey, patterns and dashes do.
array colour[8] = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000"]
array pattern[7] = [3, 4, 1, 5, 2, 7, 6]
# Eight colours and seven patterns, or five dashes: no pair comes twice.
colour_of(i) = colour[(i - 1) % 8 + 1]
pattern_of(i) = pattern[(i - 1) % 7 + 1]
dash_of(i) = (i - 1) % 5 + 1

set border 3 lc rgb "#404040"
set tics nomirror out
set grid ytics lc rgb "#d8d8d8" lt 1 lw 0.5
set style fill pattern border lc rgb "#404040"

# A heading: what is drawn of the cache, and the run when all results are of one.
heading_of(what) = what . cache . (run eq "" ? "" : " (" . run . ")")

# The height of one line of a legend, in pixels.
key_line = 19.0
