# Slabs on the nodes' partial lists over the run.

width = 1100
height = 480 + n * 19
load plots . "/style.gp"

if (terminal eq "dumb") {
	y = 4
	y_scale = 1.0
	heading = heading_of("Slabs on node partial lists, ")
	load plots . "/terminal.gp"
} else {
	set label 2 heading_of("Slabs on node partial lists, ") at screen 0.5, screen 1 - 16.0 / height center font ",14"
	legend = 1 - 32.0 / height
	legend_bars = 0
	legend_n = n
	load plots . "/legend.gp"
	set lmargin at screen 82.0 / width
	set rmargin at screen 1 - 16.0 / width
	set tmargin at screen 1 - (60 + n * key_line) / height
	set bmargin at screen 60.0 / height
	set offsets 0,0,graph 0.05,0
	set xrange [0:*] noextend
	set yrange [0:*]
	set xlabel x_label
	set ylabel "slabs"
	plot for [i=1:n] $series index i - 1 using ($1 / x_scale):4 with lines \
		lw 2 lc rgb colour_of(i) dt dash_of(i) notitle
}
