# How wide a figure with all the bars should be: room for the number above each, within reason.

bars = n * (nr_large + nr_small)
width = 150 + (nr_large + nr_small + 1) * n * 17
width = wanted_width > 0 ? wanted_width : width < 1100 ? 1100 : width > 1700 ? 1700 : width
