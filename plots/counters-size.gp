# How wide a figure with all the bars should be: room for the number above each, within reason;
# and how wide it must be for its words not to overlap.

groups = nr_large + nr_small
width = 150 + (groups + 1) * n * 17
width = wanted_width > 0 ? wanted_width : width < 1100 ? 1100 : width > 1700 ? 1700 : width
least_width = 150 + groups * (4 * n > 22 ? 4 * n : 22)
width = width < least_width ? least_width : width
