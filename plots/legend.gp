# A legend below the height legend (of the screen): one line a result, as a box (legend_bars) or
# as a line with its mark. gnuplot's own would break into columns that leave the picture.

legend_x = 76.0 / width
legend_y(i) = legend - (i - 0.5) * key_line / height
mark = 34.0 / width
unset key
do for [i=1:legend_n] {
	if (legend_bars) {
		set object i rectangle center screen legend_x + mark / 2, screen legend_y(i) \
			size screen mark, screen 10.0 / height \
			fc rgb bar_colour(i) fs pattern bar_pattern(i) border lc rgb "#404040" front
	} else {
		set arrow i from screen legend_x, screen legend_y(i) to screen legend_x + mark, screen legend_y(i) \
			nohead lw 2 lc rgb colour_of(i) dt dash_of(i) front
		if (legend_n > 1) { set label 500 + i "" at screen legend_x + mark / 2, screen legend_y(i) point pt point_of(i) ps 0.8 lc rgb colour_of(i) front }
	}
	set label 100 + i label[i] at screen legend_x + mark + 8.0 / width, screen legend_y(i) left
}
