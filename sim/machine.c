#include "sim/machine.h"

/* The order in which node n tries the others: nearest first, ties cyclic; n always first. */
static void fill_zonelist(struct machine *m, unsigned n, const unsigned *distances, uint64_t *key)
{
	uint16_t *list = &m->zonelist[(size_t)n * m->nodes];

	for (unsigned step = 0; step < m->nodes; step++) {
		unsigned node = (n + step) % m->nodes;
		uint64_t distance = distances ? distances[(size_t)n * m->nodes + node] : 0;
		unsigned i = step;

		/* Few nodes, and usually sorted already: insertion is enough. */
		for (; i > 1 && key[i - 1] > distance; i--) {
			key[i] = key[i - 1];
			list[i] = list[i - 1];
		}
		key[i] = distance;
		list[i] = (uint16_t)node;
	}
}

static int fill_tables(struct machine *m, const unsigned *node_of_cpu, const unsigned *distances,
		       struct error *err)
{
	uint64_t *key;

	for (unsigned cpu = 0; cpu < m->cpus; cpu++) {
		unsigned node =
		    node_of_cpu ? node_of_cpu[cpu] : (unsigned)((uint64_t)cpu * m->nodes / m->cpus);

		if (node >= m->nodes)
			return error_input(err,
					   "CPU %u is on node %u, but there are nodes 0..%u only",
					   cpu, node, m->nodes - 1);
		m->node_of_cpu[cpu] = (uint16_t)node;
	}
	key = calloc(m->nodes, sizeof(*key));
	if (!key)
		return error_memory(err, "the machine");
	for (unsigned n = 0; n < m->nodes; n++)
		fill_zonelist(m, n, distances, key);
	free(key);
	return 0;
}

int machine_init(struct machine *m, const unsigned *node_of_cpu, const unsigned *distances,
		 struct error *err)
{
	m->node_of_cpu = NULL;
	m->zonelist = NULL;
	if (!m->cpus || m->cpus > MAX_CPUS)
		return error_input(err, "a machine has 1..%d CPUs, not %u", MAX_CPUS, m->cpus);
	if (!m->nodes || m->nodes > MAX_NODES)
		return error_input(err, "a machine has 1..%d nodes, not %u", MAX_NODES, m->nodes);
	if (!m->page_size || m->page_size & (m->page_size - 1))
		return error_input(err, "a page size is a power of two, not %u", m->page_size);
	m->node_of_cpu = calloc(m->cpus, sizeof(*m->node_of_cpu));
	m->zonelist = calloc((size_t)m->nodes * m->nodes, sizeof(*m->zonelist));
	if (!m->node_of_cpu || !m->zonelist) {
		machine_free(m);
		return error_memory(err, "the machine");
	}
	if (fill_tables(m, node_of_cpu, distances, err)) {
		machine_free(m);
		return -1;
	}
	return 0;
}

void machine_free(struct machine *m)
{
	free(m->node_of_cpu);
	free(m->zonelist);
	m->node_of_cpu = NULL;
	m->zonelist = NULL;
}
