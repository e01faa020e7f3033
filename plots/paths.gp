# Where the objects of every result come from and go to, as shares: one row a result.

width = wanted_width > 0 ? wanted_width : 900
grid_widest = from_name_width > to_name_width ? from_name_width : to_name_width
load plots . "/legend-grid-size.gp"
from_key = ceil(nr_from / (grid_columns * 1.0)) * 19.0
to_key = ceil(nr_to / (grid_columns * 1.0)) * 19.0
half = 34.0 + from_key + n * 42.0 + 62
height = (titled ? 34 : 6) + half + 34 + to_key + n * 42 + 46 + (source eq "" || !titled ? 0 : 20)
load plots . "/style.gp"

# The fast ways light, the slow ones in colour.
array way[8] = ["#b8dcf2", "#dcdcdc", "#0072B2", "#009E73", "#E69F00", "#D55E00", "#CC79A7", "#F0E442"]
array way_pattern[8] = [3, 3, 3, 4, 7, 1, 5, 6]
box_colour(i) = way[i]
box_pattern(i) = way_pattern[i]
inside(v, i) = v >= 7 && i < 3 ? sprintf("%.1f", v) : ""
x_most = 100

set multiplot
if (titled) { set label 1 heading_of("Ways of objects of ") at screen 0.5, screen heading_at(0) center font heading_font("Ways of objects of ") }
set label 2 "Allocations, per cent, come from" at screen 16.0 / width, screen 1 - (head + 12) / height left font ",12"
legend = 1 - (head + 26) / height
legend_n = nr_from
array legend_name[nr_from]
array legend_box[nr_from]
do for [i=1:nr_from] { legend_name[i] = from_name[i]; legend_box[i] = from_colour[i] }
load plots . "/legend-grid.gp"
stack_top = head + 34 + from_key
stack_data = "$from"
load plots . "/stack-panel.gp"
load plots . "/legend-grid-end.gp"
unset label 1

set label 2 "Frees, per cent, go to" at screen 16.0 / width, screen 1 - (head + half + 12) / height left font ",12"
legend = 1 - (head + half + 26) / height
legend_n = nr_to
array legend_name[nr_to]
array legend_box[nr_to]
do for [i=1:nr_to] { legend_name[i] = to_name[i]; legend_box[i] = to_colour[i] }
load plots . "/legend-grid.gp"
stack_top = head + half + 34 + to_key
stack_data = "$to"
load plots . "/stack-panel.gp"
unset multiplot
