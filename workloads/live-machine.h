/* The machine slabsim runs on, and the state of its caches. */
#ifndef SLABSIM_LIVE_MACHINE_H
#define SLABSIM_LIVE_MACHINE_H

#include <stdint.h>

#include "sim/error.h"

struct live_machine {
	unsigned cpus, nodes;
	uint16_t *node_of_cpu;
};

/* What /sys tells; CPUs that are off count, too. 0, or -1 and err. */
int live_machine_read(struct live_machine *m, struct error *err);
void live_machine_free(struct live_machine *m);

/* KiB of trace buffer for each CPU that a recording may well take. */
unsigned live_machine_buffer_kb(const struct live_machine *m);

/* /proc/slabinfo, to be freed; NULL and err, mostly for lack of rights. */
char *live_slabinfo_read(struct error *err);

#endif
