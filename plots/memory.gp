# Memory over the run, one line a result.

line_data = "$series"
load plots . "/marks.gp"
width = wanted_width > 0 ? wanted_width : 1100
height = (titled ? 480 : 440) + n * 19
load plots . "/style.gp"

if (terminal eq "dumb") {
	y = 2
	y_scale = m_scale
	heading = heading_of("Memory of ") . ", " . m_unit
	load plots . "/terminal.gp"
} else {
	top = 1 - (head + 31 + n * key_line) / height
	bottom = 66.0 / height
	legend = 1 - head / height
	set multiplot
	if (titled) { set label 2 heading_of("Memory of ") at screen 0.5, screen heading_at(0) center font heading_font("Memory of ") }
	load plots . "/memory-panel.gp"
	unset multiplot
}
