# Counters above, memory over the run below.

line_data = "$series"
load plots . "/marks.gp"
load plots . "/counters-size.gp"
height = 960 + (n + nr_results) * 19 + (source eq "" || !titled ? 0 : 20)
load plots . "/style.gp"

set multiplot
if (titled) { set label 1 heading_of("Counters of ") at screen 0.5, screen heading_at(0) center font heading_font("Counters of ") }
half = 1 - (560.0 + n * key_line) / height
top = 1 - (head + 12 + n * key_line) / height
bottom = half + 140.0 / height
legend = 1 - head / height
load plots . "/counters-panel.gp"

if (titled) { set label 2 heading_of("Memory of ") at screen 0.5, screen half - 16.0 / height center font heading_font("Memory of ") }
top = half - (head + 31 + nr_results * key_line) / height
bottom = (65.0 + foot) / height
legend = half - head / height
load plots . "/memory-panel.gp"
unset multiplot
