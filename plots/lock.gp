# Waiting for list_lock against the machine's CPUs.

what = y_heading
load plots . "/lines-panel.gp"
