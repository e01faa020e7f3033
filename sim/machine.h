/* The modeled machine: CPUs, NUMA nodes and the order in which a node's neighbours are tried. */
#ifndef SLABSIM_MACHINE_H
#define SLABSIM_MACHINE_H

#include "sim/error.h"
#include "sim/event.h"

struct machine {
	unsigned cpus;
	unsigned nodes;
	unsigned page_size;	  /* bytes, a power of two */
	unsigned cache_line_size; /* bytes: 64, or 128 on POWER; decides hwcache alignment */
	uint16_t *node_of_cpu;	  /* [cpus] */
	/*
	 * zonelist[n * nodes + i]: the i-th node tried for node n, n itself first. Cyclic
	 * (n, n+1, ... modulo nodes) unless distances say otherwise.
	 */
	uint16_t *zonelist;
};

/*
 * Set up the tables of a machine whose four numbers are filled in. node_of_cpu may be given
 * (cpus entries) or be NULL: CPU c is then on node c*nodes/cpus. distances may be given
 * (nodes*nodes, as in /sys/devices/system/node/nodeN/distance) or be NULL.
 */
int machine_init(struct machine *m, const unsigned *node_of_cpu, const unsigned *distances,
		 struct error *err);
void machine_free(struct machine *m);

#endif
