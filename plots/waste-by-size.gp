# Waste at the end of a slab against the size of an object, a panel for each order rule.
# $waste has per line a size, then for every rule the share of the slab that is wasted, in per
# cent, and the order.

# Small slabs light, large ones dark, those above the usual slub_max_order in another hue.
array shade[11] = [0xa6cee3, 0x5aa8d6, 0x2171b5, 0x08306b, 0xfdae6b, 0xf16913, 0xd94801, 0xa63603, 0x7f2704, 0x54278f, 0x3f007d]

# One scale for all panels.
stats $waste using 1 nooutput
sizes = STATS_records
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
# The orders of slabs that there are: not all between the lowest and the highest.
array used[11]
nr_used = 0
do for [o = int(low):int(high)] {
	slabs = 0
	do for [i = 1:n] {
		stats $waste using (int(column(2 * i + 1)) == o) nooutput
		slabs = slabs + STATS_sum
	}
	if (slabs > 0) {
		nr_used = nr_used + 1
		used[nr_used] = o
	}
}

if (!exists("wanted_width")) { wanted_width = 0 }
if (!exists("titled")) { titled = 1 }
width = wanted_width > 0 ? wanted_width : 960
# The legend: the orders, side by side.
per_line = int((width - 90) / 92.0)
legend_lines = ceil(nr_used / (per_line * 1.0))
panel = 170.0
height = (titled ? 34 : 6) + legend_lines * 19 + n * panel + 30
load plots . "/style.gp"

wide = last > 8 * first
if (wide) { set logscale x 2 }
if (last <= first) { first = first / 2.0; last = last * 2.0 }
set xrange [first * 0.95 : last * 1.05]
set yrange [0 : most * 1.1]
set format x "%.0f"
x_tics = wide ? 4 : (last - first) / 4.0
if (width < 600) { set xtics x_tics }
set ytics 10.0 ** floor(log10(most)) * (most / 10.0 ** floor(log10(most)) < 2 ? 0.5 : most / 10.0 ** floor(log10(most)) < 5 ? 1 : 2)
set ylabel "% of slab" offset 1,0
set lmargin at screen 70.0 / width
set rmargin at screen 1 - 36.0 / width
unset key
# A mark for each cache where there are not too many; else for those that waste too little for a
# line to be seen, or their orders would be in the legend alone.
marked = sizes <= 100
unseen = most / 100.0
mark_at(waste) = marked || waste < unseen ? waste : NaN

set multiplot
if (titled) {
	# slabsim order has neither caches nor runs
	if (!exists("cache")) { cache = "" ; cache_width = 0 ; run = "" }
	what = cache eq "" ? chart_title : chart_title . ", "
	set label 2 heading_of(what) at screen 0.5, screen heading_at(0) center font heading_font(what)
}
do for [k = 1:nr_used] {
	kx = (70.0 + ((k - 1) % per_line) * 92.0) / width
	ky = 1 - (head + (int((k - 1) / per_line) + 0.5) * key_line) / height
	set arrow k from screen kx, screen ky to screen kx + 18.0 / width, screen ky nohead lw 2 lc rgb shade[used[k] + 1]
	set label 10 + k sprintf("order %d", used[k]) at screen kx + 24.0 / width, screen ky left
}
do for [i = 1:n] {
	panel_top = head + legend_lines * 19 + (i - 1) * panel
	set tmargin at screen 1 - (panel_top + 26) / height
	set bmargin at screen 1 - (panel_top + panel - 30) / height
	set label 1 rule[i] at screen 70.0 / width, screen 1 - (panel_top + 12) / height left
	if (i == n) { set label 3 "object size, bytes" . (marked ? "" : " (a dot: next to no waste)") at screen 0.5, screen 16.0 / height center }
	plot for [o = int(low):int(high)] $waste \
		using 1:(int(column(2 * i + 1)) == o ? column(2 * i) : NaN) \
		with impulses lw 2 lc rgb shade[o + 1] notitle, \
		for [o = int(low):int(high)] $waste \
		using 1:(int(column(2 * i + 1)) == o ? mark_at(column(2 * i)) : NaN) \
		with points pt 7 ps 0.6 lc rgb shade[o + 1] notitle
	if (i == 1) {
		unset label 2
		do for [k = 1:nr_used] { unset arrow k ; unset label 10 + k }
	}
}
unset multiplot
