# Counters of every result, in per cent of the objects allocated.

load plots . "/counters-size.gp"
height = (titled ? 526 : 500) + n * 19 + (source eq "" || !titled ? 0 : 20)
load plots . "/style.gp"

top = 1 - (head + 12 + n * key_line) / height
bottom = (106.0 + foot) / height
legend = 1 - head / height
set multiplot
if (titled) { set label 1 heading_of("Counters of ") at screen 0.5, screen heading_at(0) center font heading_font("Counters of ") }
load plots . "/counters-panel.gp"
unset multiplot
