# Slabs on the nodes' partial lists over the run.

line_data = "$series"
load plots . "/marks.gp"
width = wanted_width > 0 ? wanted_width : 1100
height = (titled ? 480 : 440) + n * 19
load plots . "/style.gp"

if (terminal eq "dumb") {
	y = 4
	y_scale = 1.0
	heading = heading_of("Slabs on node partial lists, ")
	load plots . "/terminal.gp"
} else {
	if (titled) { set label 2 heading_of("Slabs on node partial lists, ") at screen 0.5, screen heading_at(0) center font heading_font("Slabs on node partial lists, ") }
	legend = 1 - head / height
	legend_bars = 0
	legend_n = n
	load plots . "/legend.gp"
	set lmargin at screen 76.0 / width
	set rmargin at screen 1 - 20.0 / width
	set tmargin at screen 1 - (head + 12 + n * key_line) / height
	set bmargin at screen 66.0 / height
	set offsets 0,0,graph 0.05,0
	set xrange [0:*] noextend
	set yrange [0:*]
	set xlabel x_label
	set ylabel "slabs" offset 1,0
	plot for [i=1:n] $series index i - 1 using ($1 / x_scale):4 with lines \
		lw 2 lc rgb colour_of(i) dt dash_of(i) notitle, \
	for [i=1:n > 1 ? n : 0] $series index i - 1 every marks_every(i)::marks_from(i) \
		using ($1 / x_scale):4 with points pt point_of(i) ps 0.8 lc rgb colour_of(i) notitle
}
