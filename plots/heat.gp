# A figure over two axes: a box for every point, dark is little.

longest = 3
do for [i=1:y_n] {
	longest = strlen(y_tic[i]) > longest ? strlen(y_tic[i]) : longest
}
left_room = 62.0 + (longest > 28 ? 28 : longest) * 7.6
width = wanted_width > 0 ? wanted_width : 900
cell_width = (width - left_room - 120.0) / x_n
cell_height = 480.0 / y_n > 60 ? 60.0 : 480.0 / y_n
x_longest = 3
do for [i=1:x_n] {
	x_longest = strlen(x_tic[i]) > x_longest ? strlen(x_tic[i]) : x_longest
}
turned = x_longest * 7.5 > cell_width
x_room = turned ? (x_longest * 4.2 > 120 ? 120 : x_longest * 4.2) : 0
height = (titled ? 34 : 6) + 26 + y_n * cell_height + 62 + x_room + (mean_over eq "" ? 0 : 18)
load plots . "/style.gp"

# Cividis, which colour-blind eyes and grey both show as growing lightness.
set palette defined (0 "#00224e", 0.25 "#414d6b", 0.5 "#7c7b78", 0.75 "#bcaf6f", 1 "#fee838")
set cbrange [z_least / z_scale:z_most > z_least ? z_most / z_scale : z_least / z_scale + 1]
# Beside the map: gnuplot would put its name where there is no room.
set label 3 title_unit(z_title, z_unit) at screen 1 - 10.0 / width, screen 1 - (head + 12) / height right
set colorbox user origin screen 1 - 84.0 / width, screen (58.0 + x_room + (mean_over eq "" ? 0 : 18)) / height \
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
do for [i=1:x_n] { set xtics add (x_tic[i] i - 1) }
do for [i=1:y_n] { set ytics add (y_tic[i] i - 1) }
set xrange [-0.5:x_n - 0.5]
set yrange [-0.5:y_n - 0.5]
set xlabel x_title
set ylabel y_title offset 1,0
set lmargin at screen left_room / width
set rmargin at screen 1 - 100.0 / width
set tmargin at screen 1 - (head + 26) / height
set bmargin at screen (58.0 + x_room + (mean_over eq "" ? 0 : 18)) / height
numbers = cell_width >= 44 && cell_height >= 16
bright(v) = (v - z_least) > 0.5 * (z_most - z_least)
plot $heat using 1:2:(0.5):(0.5):($3 / z_scale) with boxxyerror fillcolor palette fs solid noborder notitle, \
	$heat using 1:2:(numbers && bright($3) ? strcol(4) : "") with labels font ",10" tc rgb "#111111" notitle, \
	$heat using 1:2:(numbers && !bright($3) ? strcol(4) : "") with labels font ",10" tc rgb "#fafafa" notitle
