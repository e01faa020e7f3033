# Two figures of every point. The front, of points that no other beats in both, is a line; its
# points are numbered and named.

width = wanted_width > 0 ? wanted_width : 900
key_lines = nr_named + (nr_front > nr_named)
# The name of the upward figure may need two lines.
y_broken = (strlen(y_title) + strlen(y_unit) + 20) * 7.6 > width - 20
height = (titled ? 520 : 490) + (key_lines + y_broken) * 19
load plots . "/style.gp"

set xlabel title_unit(x_title, x_unit) . (x_less ? "" : ", more is better")
y_name = (y_broken ? y_title . ":\n" . y_unit : title_unit(y_title, y_unit)) . (y_less ? "" : ", more is better")
set offsets graph 0.04,graph 0.08,graph 0.06,0
stats $cloud using 2 nooutput
if (STATS_min >= 0 && STATS_min < 0.3 * STATS_max) { set yrange [0:*] } else { set offsets graph 0.04,graph 0.08,graph 0.06,graph 0.04 }
set grid xtics ytics lc rgb "#d8d8d8" lt 1 lw 0.5
unset key

if (terminal eq "dumb") {
	unset grid
	set title heading_of("Pareto front, ")
	set ylabel y_name
	set key top right
	plot $cloud using ($1 / x_scale):($2 / y_scale) with points pt "." title "all points", \
		$front using ($1 / x_scale):($2 / y_scale) with points pt "#" title "front"
} else {
	if (titled) { set label 1 heading_of("Pareto front, ") at screen 0.5, screen heading_at(0) center font heading_font("Pareto front, ") }
	do for [i=1:nr_named] {
		set label 100 + i sprintf("%d", i) at screen 92.0 / width, screen 1 - (head + (i - 0.5) * key_line) / height right
		set label 200 + i front_name[i] at screen 102.0 / width, screen 1 - (head + (i - 0.5) * key_line) / height left
	}
	if (nr_front > nr_named) {
		set label 300 sprintf("and %d more on the front", nr_front - nr_named) \
			at screen 102.0 / width, screen 1 - (head + (nr_named + 0.5) * key_line) / height left tc rgb "#606060"
	}
	set label 301 y_name at screen 10.0 / width, screen 1 - (head + 16 + key_lines * key_line) / height left
	set lmargin at screen 76.0 / width
	set rmargin at screen 1 - 24.0 / width
	set tmargin at screen 1 - (head + 32 + (key_lines + y_broken) * key_line) / height
	set bmargin at screen (width < 600 ? 84.0 : 66.0) / height
	if (width < 600) { set xtics rotate by 35 right offset 0.4,0 }
	plot $cloud using ($1 / x_scale):($2 / y_scale) with points pt 6 ps 0.8 lc rgb "#808080" notitle, \
		$front using ($1 / x_scale):($2 / y_scale) with steps lw 2 lc rgb colour_of(1) notitle, \
		$front using ($1 / x_scale):($2 / y_scale) with points pt 7 ps 1.1 lc rgb colour_of(1) notitle, \
		$front using ($1 / x_scale):($2 / y_scale):3 with labels \
			left offset 0.9,0.7 font ",11" notitle
}
