# Bars for every counter, one per result, between the heights top and bottom of the figure. The
# counters of more than a tenth of the allocations have a panel of their own: beside them, the
# others could not be told apart. Where results have several seeds, a line shows the 95 %
# confidence interval.

left = 66.0 / width
right = 1 - 16.0 / width
gap = 56.0 / width
both = nr_large > 0 && nr_small > 0
split = both ? left + (right - left - gap) * (nr_large + 0.5) / (nr_large + nr_small + 1.0) : right

bar = 0.84 / n
at(i) = (i - (n + 1) / 2.0) * bar
# As many digits as tell two values apart.
digits(v) = v == 0 ? "%.0f" : v >= 99.95 ? "%.0f" : v >= 9.95 ? "%.1f" : "%.2f"
# Numbers stand above the bars when they are as wide as a number is high.
numbers = (right - left - gap) * width / (nr_large + nr_small + 1.5) * bar >= 12.5

set boxwidth bar * 0.92
set xtics rotate by 35 right scale 0 offset 0.4,0
set yrange [0:*]
set tmargin at screen top
set bmargin at screen bottom
set ylabel "per cent of objects allocated" offset 1,0

legend_bars = 1
legend_n = n
load plots . "/legend.gp"

if (nr_large > 0) {
	set lmargin at screen left
	set rmargin at screen split
	set xrange [-0.6:nr_large - 0.4]
	set offsets 0,0,graph (numbers ? 0.16 : 0.02),0
	plot $large using 0:(0):(""):xtic(1) with labels notitle, \
		for [i=1:n] $large using ($0 + at(i)):(column(i + 1)) with boxes \
			lc rgb bar_colour(i) fs pattern bar_pattern(i) border lc rgb "#404040" notitle, \
		for [i=1:has_ci*n] $large using ($0 + at(i)):(column(i + 1) - column(i + n + 1)):(0):(2 * column(i + n + 1)) with vectors \
			nohead lw 1.5 lc rgb "#404040" notitle, \
		for [i=1:n] $large using ($0 + at(i)):(column(i + 1) + column(i + n + 1)):(numbers ? sprintf(digits(column(i + 1)), column(i + 1)) : "") \
			with labels rotate by 90 left offset 0,0.4 font ",9" notitle
	unset ylabel
	unset label 1
	unset label 90
	load plots . "/legend-end.gp"
}
if (nr_small > 0) {
	set lmargin at screen nr_large > 0 ? split + gap : left
	set rmargin at screen right
	set xrange [-0.6:nr_small - 0.4]
	set offsets 0,0,graph (numbers ? 0.16 : 0.02),0
	plot $small using 0:(0):(""):xtic(1) with labels notitle, \
		for [i=1:n] $small using ($0 + at(i)):(column(i + 1)) with boxes \
			lc rgb bar_colour(i) fs pattern bar_pattern(i) border lc rgb "#404040" notitle, \
		for [i=1:has_ci*n] $small using ($0 + at(i)):(column(i + 1) - column(i + n + 1)):(0):(2 * column(i + n + 1)) with vectors \
			nohead lw 1.5 lc rgb "#404040" notitle, \
		for [i=1:n] $small using ($0 + at(i)):(column(i + 1) + column(i + n + 1)):(numbers ? sprintf(digits(column(i + 1)), column(i + 1)) : "") \
			with labels rotate by 90 left offset 0,0.4 font ",9" notitle
}
unset label 1
unset label 90
load plots . "/legend-end.gp"
