# Waste at the end of a slab, a line for each cache, a panel for each result.

load plots . "/waste-by-size.gp"
