# Waste at the end of a slab against the size of an object, a panel for each order rule.
#
#   gnuplot -c waste-by-size.gp DATA OUTPUT TERMINAL RULES TITLE
#
# DATA: per line a size, then for every rule the share of the slab that is wasted, in per cent,
# and the order. RULES: their names, separated by blanks. TERMINAL: svg, pngcairo or pdfcairo.

data = ARG1
rules = ARG4
n = words(rules)
height = 120 + 170 * n

if (ARG3 eq "pdfcairo") {
	set terminal pdfcairo size 10,height/96.0 font "sans,10" noenhanced
} else {
	if (ARG3 eq "pngcairo") {
		set terminal pngcairo size 960,height font "sans,10" noenhanced
	} else {
		set terminal svg size 960,height font "sans,12" noenhanced background "white"
	}
}
set output ARG2

# One scale for all panels.
stats data using 1 nooutput
first = STATS_min
last = STATS_max
most = 1
low = 10
high = 0
do for [i = 1:n] {
	stats data using (column(2 * i)) nooutput
	if (STATS_max > most) { most = STATS_max }
	stats data using (column(2 * i + 1)) nooutput
	if (STATS_min < low) { low = STATS_min }
	if (STATS_max > high) { high = STATS_max }
}

if (last > 8 * first) { set logscale x 2 }
if (last <= first) { first = first / 2.0; last = last * 2.0 }
set xrange [first * 0.95 : last * 1.05]
set yrange [0 : most * 1.1]
set format x "%.0f"
set ytics nomirror
set xtics nomirror
set tics out
set border 3
set grid ytics lc rgb "#dddddd" lt 1
set ylabel "% of slab"
set lmargin at screen 0.08
set rmargin at screen 0.98
set bmargin 1.5
set tmargin 2

# Small slabs light, large ones dark; light enough to be told apart when printed.
array colour[11]
colour[1] = 0xa6cee3
colour[2] = 0x5aa8d6
colour[3] = 0x2171b5
colour[4] = 0x08306b
colour[5] = 0xfdae6b
colour[6] = 0xf16913
colour[7] = 0xd94801
colour[8] = 0xa63603
colour[9] = 0x7f2704
colour[10] = 0x54278f
colour[11] = 0x3f007d

set multiplot layout n,1 title ARG5 font ",13" margins 0.08,0.98,60.0/height,1-70.0/height \
	spacing 0,50.0/height

do for [i = 1:n] {
	set label 1 word(rules, i) at graph 0,1.1 left
	if (i == n) { set xlabel "object size, bytes" }
	if (i == 1) {
		set key horizontal at graph 1,1.18 right samplen 1 width 1
	} else {
		unset key
	}
	plot for [o = int(low):int(high)] data \
		using 1:(int(column(2 * i + 1)) == o ? column(2 * i) : NaN) \
		with impulses lw 2 lc rgb colour[o + 1] \
		title sprintf("order %d", o)
}
unset multiplot
