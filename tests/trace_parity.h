/*
 * A recorded trace against what its kernel counted meanwhile: DIR has the trace and kernel.json
 * (per cache: geometry, the counters' change, the state before, and whether the trace saw all
 * of its operations).
 */
#ifndef SLABSIM_TESTS_TRACE_PARITY_H
#define SLABSIM_TESTS_TRACE_PARITY_H

#include <stdbool.h>

#include "sim/error.h"

struct parity_options {
	const char *trace;	 /* file; NULL: the one in DIR */
	const char *kernel_json; /* file; NULL: DIR/kernel.json */
	bool initial;		 /* start from kernel.json's "before", not from empty caches */
	bool reorder; /* put simultaneous events in order, not replay them as they stand */
};

/*
 * Replay and print a line per cache that can be compared: its worst counter, ours and the
 * kernel's. Returns how many caches miss the bar (every counter of at least 1 % of the
 * allocations and at least 500 within 5 %, path counters of at least 10 % within 2 %), or -1
 * and err. *compared says how many there were.
 */
int trace_parity(const char *dir, const struct parity_options *opt, unsigned *compared,
		 struct error *err);

#endif
