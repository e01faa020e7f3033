/*
 * A trace under the uncertainty of its own times. A timestamp tells when an event was written, to
 * its last digit, and operations of two CPUs so close together may have happened in either order;
 * which one, a replay's counters can depend on. Here every event is put off by a random time
 * below a window, so that runs with several seeds show how far the recorded order can be trusted.
 */
#ifndef SLABSIM_JITTER_H
#define SLABSIM_JITTER_H

#include "workloads/stream.h"

/*
 * The stream's events, each later by less than window_ns (1 to AFTER_WINDOW). A CPU's own events
 * stay in order, and so do an object's, and the free of an address and its next allocation. The
 * stream is closed with it, or at once when this fails: NULL and err. The same seed gives the
 * same order.
 */
struct stream *stream_jitter(struct stream *st, uint64_t window_ns, uint64_t seed,
			     struct error *err);

#endif
