# A legend of boxes in columns, below the height legend: legend_n of them, named legend_name[],
# drawn with box_colour(legend_box[i]) and box_pattern(legend_box[i]); after legend-grid-size.gp.

do for [i=1:legend_n] {
	gx = (16.0 + grid_width * ((i - 1) % grid_columns)) / width
	gy = legend - (int((i - 1) / grid_columns) + 0.5) * key_line / height
	set object 200 + i rectangle center screen gx + 10.0 / width, screen gy \
		size screen 20.0 / width, screen 10.0 / height \
		fc rgb box_colour(legend_box[i]) fs pattern box_pattern(legend_box[i]) border lc rgb "#404040" front
	set label 200 + i legend_name[i] at screen gx + 27.0 / width, screen gy left
}
unset key
