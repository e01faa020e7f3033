# Memory over the run, one line a result.

width = 1100
height = 480 + n * 19
load plots . "/style.gp"

if (terminal eq "dumb") {
	y = 2
	y_scale = m_scale
	heading = heading_of("Memory of ") . ", " . m_unit
	load plots . "/terminal.gp"
} else {
	top = 1 - (65 + n * key_line) / height
	bottom = 60.0 / height
	legend = 1 - 32.0 / height
	set multiplot
	set label 2 heading_of("Memory of ") at screen 0.5, screen 1 - 16.0 / height center font ",14"
	load plots . "/memory-panel.gp"
	unset multiplot
}
