# A figure over two axes: a box for every point, dark is little.

width = wanted_width > 0 ? wanted_width : 900
y_widest = 20.0
do for [i=1:y_n] {
	y_widest = y_tic_width[i] > y_widest ? y_tic_width[i] : y_widest
}
x_widest = 20.0
do for [i=1:x_n] {
	x_widest = x_tic_width[i] > x_widest ? x_tic_width[i] : x_widest
}
left_room = y_widest + 26.0
cell_width = (width - left_room - 100.0) / x_n
cell_height = 480.0 / y_n > 60 ? 60.0 : 480.0 / y_n
# room for the numbers beside the colours
cell_height = cell_height * y_n < 110 ? 110.0 / y_n : cell_height
# Short words stand straight, though not all of them may; long ones are turned.
turned = x_widest + 6 > cell_width && x_widest > 48
x_step = ceil((turned ? 17.0 : x_widest + 6) / cell_width)
y_step = ceil(15.0 / cell_height)
if (turned) {
	do for [i=1:x_n:x_step] {
		need = x_tic_width[i] * 0.82 + 10 - (i - 0.5) * cell_width
		if (need > left_room) { left_room = need }
	}
	cell_width = (width - left_room - 100.0) / x_n
}
x_room = turned ? x_widest * 0.574 + 8 : 0
z_name = z_unit eq "" ? z_title : z_unit
# The names of what grows upwards and of the colours share a line if there is room.
apart = y_title_width + strlen(z_name) * 8 + 40 > width
top_room = 26.0 + (apart ? 19 : 0)
below = 58.0 + x_room + (mean_over eq "" ? 0 : 18)
height = (titled ? 34 : 6) + top_room + y_n * cell_height + below
load plots . "/style.gp"

# Cividis, which colour-blind eyes and grey both show as growing lightness.
set palette defined (0 "#00224e", 0.25 "#414d6b", 0.5 "#7c7b78", 0.75 "#bcaf6f", 1 "#fee838")
set cbrange [z_least / z_scale:z_most > z_least ? z_most / z_scale : z_least / z_scale + 1]
# gnuplot would put these names where there is no room.
set label 3 z_name at screen 1 - 10.0 / width, screen 1 - (head + 12) / height right
set label 4 y_title at screen 10.0 / width, screen 1 - (head + top_room - 14) / height left
set label 5 x_title at screen 0.5, screen (14.0 + (mean_over eq "" ? 0 : 18)) / height center
set colorbox user origin screen 1 - 84.0 / width, screen below / height \
	size screen 16.0 / width, screen (y_n * cell_height) / height noborder
# The bar would be drawn in the pattern of bars.
set style fill solid noborder
set cbtics scale 0.5 font ",10"
unset grid
set border 0
unset key
if (titled) { set label 1 heading_of(z_heading . ", ") at screen 0.5, screen heading_at(0) center font heading_font(z_heading . ", ") }
if (mean_over ne "") { set label 2 "mean over " . mean_over at screen 10.0 / width, screen 12.0 / height left font ",10" tc rgb "#606060" }
set xtics () scale 0
if (turned) { set xtics rotate by 35 right offset 0.4,0 } else { set xtics rotate by 0 center }
set ytics () scale 0
do for [i=1:x_n:x_step] { set xtics add (x_tic[i] i - 1) }
do for [i=1:y_n:y_step] { set ytics add (y_tic[i] i - 1) }
set xrange [-0.5:x_n - 0.5]
# Numbers grow upwards; words are read downwards.
if (y_words) { set yrange [y_n - 0.5:-0.5] } else { set yrange [-0.5:y_n - 0.5] }
set lmargin at screen left_room / width
set rmargin at screen 1 - 100.0 / width
set tmargin at screen 1 - (head + top_room) / height
set bmargin at screen below / height
numbers = cell_width >= 44 && cell_height >= 16
bright(v) = (v - z_least) > 0.5 * (z_most - z_least)
plot $heat using 1:2:(0.5):(0.5):($3 / z_scale) with boxxyerror fillcolor palette fs solid noborder notitle, \
	$heat using 1:2:(numbers && bright($3) ? strcol(4) : "") with labels font ",10" tc rgb "#111111" notitle, \
	$heat using 1:2:(numbers && !bright($3) ? strcol(4) : "") with labels font ",10" tc rgb "#fafafa" notitle
