#include "workloads/live-machine.h"

#include <errno.h>
#include <stdbool.h>
#include <unistd.h>

#include "sim/event.h"
#include "sim/file.h"

#define SLABINFO     "/proc/slabinfo"
#define SLABINFO_MAX (16u << 20)

/* The next range of "0-3,7" at *s, moved behind it and its comma; false at the end. */
static bool next_range(const char **s, unsigned long *first, unsigned long *last)
{
	char *end;

	if (**s < '0' || **s > '9')
		return false;
	*first = *last = strtoul(*s, &end, 10);
	if (*end == '-')
		*last = strtoul(end + 1, &end, 10);
	*s = *end == ',' ? end + 1 : end;
	return *first <= *last;
}

/* A list of numbers in sysfs; each of at most max goes to set, its greatest + 1 is returned. */
static unsigned read_list(const char *path, unsigned max, void (*set)(void *arg, unsigned i),
			  void *arg)
{
	unsigned long first, last;
	struct error none = {0};
	unsigned n = 0;
	size_t len;
	char *text = file_read(path, 1 << 16, &len, &none);
	const char *s = text;

	while (s && next_range(&s, &first, &last)) {
		for (unsigned long i = first; i <= last && i < max; i++) {
			if (set)
				set(arg, (unsigned)i);
			n = (unsigned)i + 1 > n ? (unsigned)i + 1 : n;
		}
	}
	free(text);
	return n;
}

struct on_node {
	struct live_machine *m;
	unsigned node;
};

static void set_node(void *arg, unsigned cpu)
{
	struct on_node *o = arg;

	if (cpu < o->m->cpus)
		o->m->node_of_cpu[cpu] = (uint16_t)o->node;
}

int live_machine_read(struct live_machine *m, struct error *err)
{
	*m = (struct live_machine){0};
	m->cpus = read_list("/sys/devices/system/cpu/present", MAX_CPUS, NULL, NULL);
	m->nodes = read_list("/sys/devices/system/node/online", MAX_NODES, NULL, NULL);
	if (!m->cpus)
		return error_failed(err, "/sys/devices/system/cpu/present does not tell the CPUs");
	/* A kernel without NUMA has no such folder. */
	if (!m->nodes)
		m->nodes = 1;
	m->node_of_cpu = calloc(m->cpus, sizeof(*m->node_of_cpu));
	if (!m->node_of_cpu)
		return error_memory(err, "the machine");
	for (unsigned node = 0; node < m->nodes; node++) {
		struct on_node o = {m, node};
		char path[80];

		snprintf(path, sizeof(path), "/sys/devices/system/node/node%u/cpulist", node);
		read_list(path, MAX_CPUS, set_node, &o);
	}
	return 0;
}

void live_machine_free(struct live_machine *m)
{
	free(m->node_of_cpu);
	*m = (struct live_machine){0};
}

/* 32 MiB hold half a million events, but all CPUs' together an eighth of the memory that is free.
 */
unsigned live_machine_buffer_kb(const struct live_machine *m)
{
	const uint64_t most = 32 << 10, least = 1 << 10;
	long pages = sysconf(_SC_AVPHYS_PAGES), page_size = sysconf(_SC_PAGESIZE);
	uint64_t kb = most;

	if (pages > 0 && page_size > 0)
		kb = (uint64_t)pages * ((uint64_t)page_size >> 10) / 8 / m->cpus;
	return (unsigned)(kb > most ? most : kb < least ? least : kb);
}

char *live_slabinfo_read(struct error *err)
{
	size_t len;

	return file_read(SLABINFO, SLABINFO_MAX, &len, err);
}
