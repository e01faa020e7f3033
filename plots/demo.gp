# Counters above, memory over the run below.

load plots . "/counters-size.gp"
height = 960 + (n + nr_results) * 19
load plots . "/style.gp"

set multiplot
set label 1 heading_of("Counters of ") at screen 0.5, screen 1 - 16.0 / height center font ",14"
half = 1 - (560.0 + n * key_line) / height
top = 1 - (45 + n * key_line) / height
bottom = half + 140.0 / height
legend = 1 - 32.0 / height
load plots . "/counters-panel.gp"

set label 2 heading_of("Memory of ") at screen 0.5, screen half - 16.0 / height center font ",14"
top = half - (65 + nr_results * key_line) / height
bottom = 65.0 / height
legend = half - 32.0 / height
load plots . "/memory-panel.gp"
unset multiplot
