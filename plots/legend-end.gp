# A legend is drawn with one plot only.

do for [i=1:legend_n] {
	if (legend_bars) { unset object i } else { unset arrow i ; unset label 500 + i }
	unset label 100 + i
}
