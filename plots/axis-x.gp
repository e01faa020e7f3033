# The x axis as slabsim found it: values side by side (x_ranks); or numbers, with tics where the
# values are, if there are not too many; in powers where they grow by factors.

set xlabel x_title
longest = 0
do for [i=1:x_n] { longest = strlen(x_tic[i]) > longest ? strlen(x_tic[i]) : longest }
turned = x_ranks && longest * x_n * 7.5 > width - 110
if (x_log) { set logscale x 2 }
if (x_ranks || x_n <= 12) {
	set xtics ()
	if (turned) { set xtics rotate by 35 right offset 0.4,0 } else { set xtics rotate by 0 center }
	do for [i=1:x_n] { set xtics add (x_tic[i] x_at[i]) }
}
first = x_at[1]
last = x_at[x_n]
if (x_ranks || x_n == 1) { set xrange [first - 0.3:last + 0.3] } else {
	if (x_log) { set xrange [first / 1.1:last * 1.1] } else { set xrange [first - (last - first) * 0.03:last + (last - first) * 0.03] }
}
# Turned words need room below the axis.
x_room = turned ? (longest * 4.2 > 120 ? 120 : longest * 4.2) : 0
