# What all charts share. A chart sets width and height (pixels) first; slabsim sets terminal,
# output, labels, wanted_width (0: as the chart likes) and titled (0: the heading stands
# elsewhere, as on the page of slabsim report).

if (!exists("titled")) { titled = 1 }
if (!exists("source")) { source = "" }

if (terminal eq "svg") set terminal svg size width,height dynamic noenhanced font "sans-serif,12" background "white"
if (terminal eq "png") set terminal pngcairo size width,height noenhanced font "Sans,11"
if (terminal eq "pdf") set terminal pdfcairo size width/100.0,height/100.0 noenhanced font "Sans,10"
if (terminal eq "dumb") set terminal dumb noenhanced size 100,28
if (output ne "") set output output

# Colours of Okabe and Ito, which colour-blind eyes tell apart; in grey, patterns, dashes and
# points do.
array colour[8] = ["#0072B2", "#E69F00", "#009E73", "#CC79A7", "#56B4E9", "#D55E00", "#F0E442", "#000000"]
array pattern[7] = [3, 4, 1, 5, 2, 7, 6]
array mark_type[7] = [7, 5, 9, 6, 4, 8, 13]
# Eight colours and seven patterns or points, or five dashes: no pair comes twice.
colour_of(i) = colour[(i - 1) % 8 + 1]
pattern_of(i) = pattern[(i - 1) % 7 + 1]
dash_of(i) = (i - 1) % 5 + 1
point_of(i) = mark_type[(i - 1) % 7 + 1]
# Published figures, which come behind those of slabsim, are grey, whatever they are.
bar_colour(i) = i <= nr_results ? colour_of(i) : "#808080"
bar_pattern(i) = pattern_of(i <= nr_results ? i : i - nr_results)

set border 3 lc rgb "#404040"
set tics nomirror out
set grid ytics lc rgb "#d8d8d8" lt 1 lw 0.5
set style fill pattern border lc rgb "#404040"

# A heading: what is drawn of the cache, and the run when all results are of one, as far as there
# is room; cache_width and run_width are in pixels of text of size 11.
heading_fits(what, named, size) = \
	(strlen(what) * 7.6 + cache_width + (named ? run_width + 14 : 0)) * size / 11.0 < width - 12
heading_named(what) = run ne "" && heading_fits(what, 1, 10)
heading_of(what) = what . cache . (heading_named(what) ? " (" . run . ")" : "")
heading_font(what) = heading_fits(what, heading_named(what), 14) ? ",14" : \
	heading_fits(what, heading_named(what), 12) ? ",12" : \
	heading_fits(what, heading_named(what), 10) ? ",10" : ",8"
# The pixels it takes.
head = titled ? 34.0 : 6.0
# Where a heading is, that many pixels from the top.
heading_at(y) = 1 - (y + 16.0) / height

# The height of one line of a legend, in pixels.
key_line = 19.0
# What is published says where.
foot = source eq "" || !titled ? 0.0 : 20.0
if (foot > 0) { set label 90 "published: " . source at screen 10.0 / width, screen 10.0 / height left font ",10" tc rgb "#606060" }

title_unit(title, unit) = unit eq "" ? title : title . " (" . unit . ")"
