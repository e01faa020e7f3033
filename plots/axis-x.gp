# The x axis as slabsim found it: values side by side (x_ranks); or numbers, with tics where the
# values are, if there are not too many; in powers where they grow by factors. Sets x_left, the
# pixels left of the plot, and x_room, those that turned words take below it. A chart that loads
# this draws x_title itself: gnuplot would put it where turned words are not.

if (x_log) { set logscale x 2 }
# Lines between numbers look as if their slopes meant something.
if (x_ranks && !x_words && x_n > 1) { x_title = x_title . " (not to scale)" }
first = x_at[1]
last = x_at[x_n]
if (x_ranks || x_n == 1) { set xrange [first - 0.3:last + 0.3] } else {
	if (x_log) { set xrange [first / 1.1:last * 1.1] } else { set xrange [first - (last - first) * 0.03:last + (last - first) * 0.03] }
}
x_share(i) = x_n == 1 ? 0.5 : x_ranks ? (i - 1 + 0.3) / (x_n - 0.4) : \
	0.04 + 0.92 * (x_log ? log(1.0 * x_at[i] / first) / log(1.0 * last / first) : 1.0 * (x_at[i] - first) / (last - first))
x_left = 76.0
x_pixels(i) = x_share(i) * (width - x_left - 24.0)
x_widest = 0.0
x_near = width
turned = 0
do for [i=1:x_n] {
	if (x_tic_width[i] > x_widest) { x_widest = x_tic_width[i] }
	if (i > 1) {
		near = x_pixels(i) - x_pixels(i - 1)
		if (near < x_near) { x_near = near }
		if ((x_tic_width[i] + x_tic_width[i - 1]) / 2.0 + 8 > near) { turned = 1 }
	}
}
if (x_ranks || x_n <= 12) {
	set xtics ()
	if (turned) { set xtics rotate by 35 right offset 0.4,0 } else { set xtics rotate by 0 center }
	# of words that would stand in one another, some
	step = x_near < 17 ? ceil(17.0 / x_near) : 1
	do for [i=1:x_n:step] { set xtics add (x_tic[i] x_at[i]) }
	# turned words reach to the left
	if (turned) {
		do for [i=1:x_n:step] {
			need = (x_tic_width[i] * 0.82 + 10 - x_share(i) * (width - 24.0)) / (1 - x_share(i))
			if (need > x_left) { x_left = need }
		}
	}
} else { turned = 0 }
x_room = turned ? x_widest * 0.574 + 8 : 0
