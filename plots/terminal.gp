# Column y of every series, drawn with letters.

unset grid
set title heading
set key top left Left reverse samplen 2
set border 3
set xrange [0:*] noextend
set yrange [0:*]
set offsets 0,0,graph 0.2,0
set xlabel x_label
plot for [i=1:n] $series index i - 1 using ($1 / x_scale):(column(y) / y_scale) with lines lt i title label[i]
