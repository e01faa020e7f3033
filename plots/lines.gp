# A figure along an axis.

what = y_heading
load plots . "/lines-panel.gp"
