# Latency: the share of operations that take longer than so much. Both axes are logarithmic, for
# the tail is what hurts.

line_data = "$tail"
load plots . "/marks.gp"
width = wanted_width > 0 ? wanted_width : 900
height = (titled ? 500 : 470) + n * 19
load plots . "/style.gp"

set logscale xy
set xrange [x_least / 1.2:x_most * 1.2]
set yrange [*:1.5]
set xlabel "latency of an operation (ns)"
y_name = "share of operations that take longer"
set grid xtics ytics lc rgb "#d8d8d8" lt 1 lw 0.5
unset key
share(e) = sprintf("%g %%%%", 100 * 10.0 ** e)
set ytics ()
do for [e=-12:0] { set ytics add (share(e) 10.0 ** e) }

if (terminal eq "dumb") {
	unset grid
	set title heading_of("Latency, ")
	set key top right
	set ylabel y_name
	plot for [i=1:n] $tail index i - 1 using 1:2 with lines lt i title label[i]
} else {
	if (titled) { set label 1 heading_of("Latency, ") at screen 0.5, screen heading_at(0) center font heading_font("Latency, ") }
	legend = 1 - head / height
	legend_bars = 0
	legend_n = n
	load plots . "/legend.gp"
	set label 2 y_name at screen 10.0 / width, screen 1 - (head + 18 + n * key_line) / height left
	set lmargin at screen 96.0 / width
	set rmargin at screen 1 - 24.0 / width
	set tmargin at screen 1 - (head + 34 + n * key_line) / height
	set bmargin at screen 66.0 / height
	plot for [i=1:n] $tail index i - 1 using 1:2 with fsteps lw 2 lc rgb colour_of(i) dt dash_of(i) notitle, \
		for [i=1:n > 1 ? n : 0] $tail index i - 1 every marks_every(i)::marks_from(i) using 1:2 \
			with points pt point_of(i) ps 0.8 lc rgb colour_of(i) notitle
}
