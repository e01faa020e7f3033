# For marks on lines of many points: rows[] of them in the blocks of line_data (its name). Some
# points have a mark, at another place on each line.

array rows[nr_results]
do for [i=1:nr_results] {
	stats @line_data index i - 1 using 1 nooutput
	rows[i] = STATS_records
}
marks_every(i) = rows[i] > 8 ? int(rows[i] / 8.0) : 1
marks_from(i) = int(rows[i] * (0.03 + 0.12 * (i - 1) / nr_results))
