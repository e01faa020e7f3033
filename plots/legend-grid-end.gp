do for [i=1:legend_n] {
	unset object 200 + i
	unset label 200 + i
}
