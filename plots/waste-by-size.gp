# Waste at the end of a slab against the size of an object, a panel for each order rule.
# $waste has per line a size, then for every rule the share of the slab that is wasted, in per
# cent, and the order.

width = exists("wanted_width") && wanted_width > 0 ? wanted_width : 960
height = 120 + 170 * n
load plots . "/style.gp"

# One scale for all panels.
stats $waste using 1 nooutput
first = STATS_min
last = STATS_max
most = 1
low = 10
high = 0
do for [i = 1:n] {
	stats $waste using (column(2 * i)) nooutput
	if (STATS_max > most) { most = STATS_max }
	stats $waste using (column(2 * i + 1)) nooutput
	if (STATS_min < low) { low = STATS_min }
	if (STATS_max > high) { high = STATS_max }
}

if (last > 8 * first) { set logscale x 2 }
if (last <= first) { first = first / 2.0; last = last * 2.0 }
set xrange [first * 0.95 : last * 1.05]
set yrange [0 : most * 1.1]
set format x "%.0f"
set ylabel "% of slab"

# Small slabs light, large ones dark, those above the usual slub_max_order in another hue.
array shade[11] = [0xa6cee3, 0x5aa8d6, 0x2171b5, 0x08306b, 0xfdae6b, 0xf16913, 0xd94801, 0xa63603, 0x7f2704, 0x54278f, 0x3f007d]

set multiplot layout n,1 title chart_title font ",14" margins 0.08,0.96,60.0/height,1-70.0/height \
	spacing 0,50.0/height

do for [i = 1:n] {
	set label 1 rule[i] at graph 0,1.1 left
	if (i == n) { set xlabel "object size, bytes" }
	if (i == 1) {
		set key horizontal at graph 1,1.18 right samplen 1 width 1
	} else {
		unset key
	}
	plot for [o = int(low):int(high)] $waste \
		using 1:(int(column(2 * i + 1)) == o ? column(2 * i) : NaN) \
		with impulses lw 2 lc rgb shade[o + 1] title sprintf("order %d", o)
}
unset multiplot
