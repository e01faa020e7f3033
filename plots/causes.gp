# What the operations of every result spend their time on, ns per operation: one row a result.

width = wanted_width > 0 ? wanted_width : 900
grid_widest = cause_width
load plots . "/legend-grid-size.gp"
key_height = ceil(nr_causes / (grid_columns * 1.0)) * 19.0
height = (titled ? 34 : 6) + key_height + 16 + n * 42 + 56
load plots . "/style.gp"

# Waiting stands out; the rest in the colours of the other charts.
array way[12] = ["#D55E00", "#0072B2", "#56B4E9", "#009E73", "#E69F00", "#CC79A7", "#F0E442", "#dcdcdc", "#b8dcf2", "#8c6d31", "#7b4173", "#000000"]
box_colour(i) = way[(i - 1) % 12 + 1]
box_pattern(i) = i == 1 ? 3 : pattern_of(i)
most = 0
do for [i=0:n-1] {
	stats $causes every ::i::i using (sum [j=1:nr_causes] column(j + 1)) nooutput
	if (STATS_max > most) { most = STATS_max }
}
x_most = most * 1.04
inside(v, i) = ""

set multiplot
if (titled) { set label 1 heading_of("Time by cause, ") at screen 0.5, screen heading_at(0) center font heading_font("Time by cause, ") }
legend = 1 - head / height
legend_n = nr_causes
array legend_name[nr_causes]
array legend_box[nr_causes]
do for [i=1:nr_causes] { legend_name[i] = cause[i]; legend_box[i] = i }
load plots . "/legend-grid.gp"
stack_top = head + key_height + 16
stack_data = "$causes"
set xlabel "ns per operation"
load plots . "/stack-panel.gp"
unset multiplot
