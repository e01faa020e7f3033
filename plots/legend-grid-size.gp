# How many columns legend-grid.gp has in width, and how wide they are, when the widest name takes
# grid_widest pixels: a box and a gap stand beside it.

grid_width = grid_widest + 39.0
grid_columns = int((width - 20.0) / grid_width)
grid_columns = grid_columns < 1 ? 1 : grid_columns
