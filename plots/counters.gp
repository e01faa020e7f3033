# Counters of every result, in per cent of the objects allocated.

load plots . "/counters-size.gp"
height = 560 + n * 19
load plots . "/style.gp"

top = 1 - (45 + n * key_line) / height
bottom = 130.0 / height
legend = 1 - 32.0 / height
set multiplot
set label 1 heading_of("Counters of ") at screen 0.5, screen 1 - 16.0 / height center font ",14"
load plots . "/counters-panel.gp"
unset multiplot
