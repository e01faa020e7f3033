# Rows of stacked bars, from stack_top downwards: of rows and columns of stack_data (the name of a
# block), whose columns are drawn with box_colour(legend_box[j]). Labels stand above their rows.
# x_most is where the axis ends; inside(v) is the text in a piece, or "".

row_height = 42.0
set tmargin at screen 1 - stack_top / height
set bmargin at screen 1 - (stack_top + n * row_height) / height
set lmargin at screen 16.0 / width
set rmargin at screen 1 - 24.0 / width
set border 1
unset ytics
unset ylabel
set grid noytics xtics lc rgb "#d8d8d8" lt 1 lw 0.5
set xrange [0:x_most] noextend
set yrange [n - 0.5:-0.5]
set xtics autofreq rotate by 0 autojustify scale 0.5 offset 0,0
set offsets 0,0,0,0
left_of(j) = j < 2 ? 0.0 : sum [k=1:j-1] column(k + 1)
do for [i=1:n] { set label 400 + i label[i] at first 0, first i - 1.36 left font ",11" }
plot for [j=1:legend_n] @stack_data using (left_of(j) + column(j + 1) / 2.0):($1 + 0.18):(left_of(j)):(left_of(j) + column(j + 1)):($1 - 0.08):($1 + 0.44) \
		with boxxyerror lc rgb box_colour(legend_box[j]) fs pattern box_pattern(legend_box[j]) border lc rgb "#404040" notitle, \
	for [j=1:legend_n] @stack_data using (left_of(j) + column(j + 1) / 2.0):($1 + 0.18):(inside(column(j + 1), legend_box[j])) \
		with labels center font ",10" tc rgb "#111111" notitle
do for [i=1:n] { unset label 400 + i }
