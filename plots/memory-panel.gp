# Memory of the slabs over the run, between the heights top and bottom of the figure; and what
# the live objects need at least.

legend_bars = 0
legend_n = nr_results
load plots . "/legend.gp"
set object 1 rectangle center screen legend_x + mark / 2, screen legend_y(nr_results + 1) \
	size screen mark, screen 10.0 / height fc rgb "#d0d0d0" fs solid noborder front
set label 101 + nr_results "live objects" . (nr_results > 1 ? " of the first" : "") \
	at screen legend_x + mark + 8.0 / width, screen legend_y(nr_results + 1) left
set lmargin at screen 76.0 / width
set rmargin at screen 1 - 20.0 / width
set tmargin at screen top
set bmargin at screen bottom
set xtics rotate by 0 autojustify scale 1 offset 0,0 autofreq
set ytics autofreq
set offsets 0,0,graph 0.05,0
set xrange [0:*] noextend
set yrange [0:*]
set xlabel x_label
set ylabel "memory (" . m_unit . ")" offset 1,0
plot $series index 0 using ($1 / x_scale):($3 / m_scale) with filledcurves x1 fs solid noborder \
		lc rgb "#d0d0d0" notitle, \
	for [i=1:nr_results] $series index i - 1 using ($1 / x_scale):($2 / m_scale) with lines \
		lw 2 lc rgb colour_of(i) dt dash_of(i) notitle, \
	for [i=1:nr_results > 1 ? nr_results : 0] $series index i - 1 every marks_every(i)::marks_from(i) \
		using ($1 / x_scale):($2 / m_scale) with points pt point_of(i) ps 0.8 lc rgb colour_of(i) notitle
