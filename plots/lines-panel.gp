# Lines along an axis, one for each value of another (line[], by_title), with a band for the 95 %
# confidence interval where points have several seeds; and published figures as stars. Along words,
# between which nothing is, marks side by side, with a bar for the interval.

key_lines = (by_title eq "" ? 0 : nr_lines) + (nr_published > 0) + (band > 0)
width = wanted_width > 0 ? wanted_width : 900
load plots . "/axis-x.gp"
height = (titled ? 450 : 420) + key_lines * 19 + 26 + (mean_over eq "" ? 0 : 18) + int(x_room)
load plots . "/style.gp"

line_name(i) = by_title eq "" ? heading_of("") : line[i]
set xzeroaxis lc rgb "#404040"
set offsets 0,0,graph 0.06,0
set yrange [0:y_top / y_scale < *]

if (terminal eq "dumb") {
	unset grid
	set xlabel x_title
	set title title_unit(y_title, y_unit) . ", " . cache
	set key top left Left reverse samplen 2
	unset label 90
	plot for [i=1:nr_lines] $lines index i - 1 using 1:($2 / y_scale) with linespoints lt i pt i title line_name(i)
} else {
	if (titled) { set label 1 heading_of(what . ", ") at screen 0.5, screen heading_at(0) center font heading_font(what . ", ") }
	set ylabel (y_unit eq "" ? y_title : y_unit) offset 1,0
	lx = x_left / width
	# the legend does not move with the plot
	kx = 76.0 / width
	ly(i) = 1 - (head + (i - 0.5) * key_line) / height
	unset key
	if (by_title ne "") {
		do for [i=1:nr_lines] {
			if (!x_words) { set arrow i from screen kx, screen ly(i) to screen kx + 34.0 / width, screen ly(i) \
				nohead lw 2 lc rgb colour_of(i) dt dash_of(i) front }
			set label 100 + i "" at screen kx + 17.0 / width, screen ly(i) point pt point_of(i) ps 0.8 lc rgb colour_of(i)
			set label 200 + i line_name(i) at screen kx + 42.0 / width, screen ly(i) left
		}
	}
	next = (by_title eq "" ? 0 : nr_lines) + 1
	if (band > 0) {
		if (x_words) { set arrow 301 from screen kx + 17.0 / width, screen ly(next) - 6.0 / height rto screen 0, screen 12.0 / height \
			heads size screen 4.0 / width,90 lw 1.5 lc rgb "#404040" front } else { set object 1 rectangle center screen kx + 17.0 / width, screen ly(next) size screen 34.0 / width, screen 11.0 / height \
			fc rgb colour_of(1) fs transparent solid 0.18 noborder front }
		set label 301 "95 % confidence interval" at screen kx + 42.0 / width, screen ly(next) left
		next = next + 1
	}
	if (nr_published > 0) {
		set label 302 "" at screen kx + 17.0 / width, screen ly(next) point pt 3 ps 1.4 lw 1.6 lc rgb "#000000"
		set label 303 published_title at screen kx + 42.0 / width, screen ly(next) left
	}
	if (mean_over ne "") { set label 304 "mean over " . mean_over at screen kx, screen 12.0 / height left font ",10" tc rgb "#606060" }
	set label 305 x_title at screen (x_left + width - 24.0) / 2 / width, screen (14.0 + (mean_over eq "" ? 0 : 18)) / height center
	set lmargin at screen lx
	set rmargin at screen 1 - 24.0 / width
	set tmargin at screen 1 - (head + 12 + key_lines * key_line) / height
	set bmargin at screen (60.0 + (mean_over eq "" ? 0 : 18) + x_room) / height
	apart = 0.5 / nr_lines < 0.1 ? 0.5 / nr_lines : 0.1
	aside(i) = (i - (nr_lines + 1) / 2.0) * apart
	if (x_words) {
		plot for [i=1:nr_lines*(band > 0)] $lines index i - 1 using ($1 + aside(i)):($2 / y_scale):($3 / y_scale):($4 / y_scale) \
				with yerrorbars pt -1 lw 1.5 lc rgb colour_of(i) notitle, \
			for [i=1:nr_lines] $lines index i - 1 using ($1 + aside(i)):($2 / y_scale) with points \
				pt point_of(i) ps 1 lw 2 lc rgb colour_of(i) notitle, \
			$published using 1:($2 / y_scale) with points pt 3 ps 1.4 lw 1.6 lc rgb "#000000" notitle
	} else {
		plot for [i=1:nr_lines*(band > 0)] $lines index i - 1 using 1:($3 / y_scale):($4 / y_scale) with filledcurves \
				lc rgb colour_of(i) fs transparent solid 0.18 noborder notitle, \
			for [i=1:nr_lines] $lines index i - 1 using 1:($2 / y_scale) with linespoints \
				lw 2 lc rgb colour_of(i) dt dash_of(i) pt point_of(i) ps 0.8 notitle, \
			$published using 1:($2 / y_scale) with points pt 3 ps 1.4 lw 1.6 lc rgb "#000000" notitle
	}
}
