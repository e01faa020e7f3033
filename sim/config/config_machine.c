/* The machine: which CPUs are on which node, and how far nodes are apart. */
#include <cjson/cJSON.h>
#include <limits.h>

#include "sim/config/config_internal.h"

#define NO_NODE UINT_MAX

/* ---- cpus_of_node ---- */

struct cpu_map {
	struct option_reader *r;
	char path[120]; /* of the node's list, for messages */
	unsigned node_of_cpu[MAX_CPUS];
	unsigned cpus; /* one more than the highest CPU */
};

static int map_cpu(struct cpu_map *map, int64_t cpu, unsigned node)
{
	if (map->node_of_cpu[cpu] != NO_NODE)
		return option_error(map->r, map->path, "CPU %lld is on node %u already",
				    (long long)cpu, map->node_of_cpu[cpu]);
	map->node_of_cpu[cpu] = node;
	if (cpu >= map->cpus)
		map->cpus = (unsigned)cpu + 1;
	return 0;
}

/* A number of a cpulist; *text moves behind it. -1: none there, or no such CPU. */
static int64_t cpulist_number(const char **text)
{
	int64_t number = 0;
	const char *p = *text;

	for (; *p >= '0' && *p <= '9' && number < MAX_CPUS; p++)
		number = number * 10 + (*p - '0');
	if (p == *text || number >= MAX_CPUS)
		return -1;
	*text = p;
	return number;
}

/* "0-3,8,10-11", as in /sys/devices/system/node/nodeN/cpulist. */
static int map_cpulist(struct cpu_map *map, const char *text, unsigned node)
{
	const char *p = text;

	while (*p) {
		int64_t first = cpulist_number(&p), last = first;

		if (first >= 0 && *p == '-') {
			p++;
			last = cpulist_number(&p);
		}
		if (first < 0 || last < first || (*p && (*p != ',' || !p[1])))
			return option_error(map->r, map->path,
					    "\"%.60s\" is no list of CPUs such as \"0-3,8\", with "
					    "CPUs 0 to %d",
					    text, MAX_CPUS - 1);
		for (int64_t cpu = first; cpu <= last; cpu++) {
			if (map_cpu(map, cpu, node))
				return -1;
		}
		if (*p)
			p++;
	}
	return 0;
}

static int map_node(struct cpu_map *map, const cJSON *list, unsigned node)
{
	const cJSON *item;
	int64_t cpu = 0;

	if (cJSON_IsString(list))
		return map_cpulist(map, list->valuestring, node);
	if (!cJSON_IsArray(list))
		return option_type_error(map->r, map->path, "a list of CPUs, [0, 1, 2] or \"0-2\",",
					 list);
	cJSON_ArrayForEach (item, list) {
		if (option_number(map->r, map->path, item, 0, MAX_CPUS - 1, &cpu) ||
		    map_cpu(map, cpu, node))
			return -1;
	}
	return 0;
}

static int check_map(struct cpu_map *map, const char *path, unsigned nodes,
		     struct machine_config *m)
{
	if (!m->nodes)
		m->nodes = nodes;
	if (m->nodes != nodes)
		return option_error(map->r, path, "%u lists, but the machine has %u nodes", nodes,
				    m->nodes);
	if (!m->cpus)
		m->cpus = map->cpus;
	if (map->cpus > m->cpus)
		return option_error(map->r, path, "CPU %u, but the machine has CPUs 0..%u only",
				    map->cpus - 1, m->cpus - 1);
	for (unsigned cpu = 0; cpu < m->cpus; cpu++) {
		if (map->node_of_cpu[cpu] == NO_NODE)
			return option_error(map->r, path, "CPU %u is on no node", cpu);
	}
	return 0;
}

static int read_cpus_of_node(struct option_reader *r, const char *path, const cJSON *value,
			     struct machine_config *m)
{
	unsigned node = 0;
	struct cpu_map *map;
	const cJSON *list;
	int ret = 0;

	if (!cJSON_IsArray(value))
		return option_type_error(r, path, "an array with one list of CPUs for each node",
					 value);
	if (!value->child)
		return option_error(r, path, "a list of CPUs for each node is wanted, not none");
	if (cJSON_GetArraySize(value) > MAX_NODES)
		return option_error(r, path, "%d lists, but a machine has %d nodes at most",
				    cJSON_GetArraySize(value), MAX_NODES);
	map = malloc(sizeof(*map));
	if (!map)
		return error_memory(r->err, path);
	map->r = r;
	map->cpus = 0;
	for (unsigned cpu = 0; cpu < MAX_CPUS; cpu++)
		map->node_of_cpu[cpu] = NO_NODE;
	cJSON_ArrayForEach (list, value) {
		snprintf(map->path, sizeof(map->path), "%s[%u]", path, node);
		ret = map_node(map, list, node++);
		if (ret)
			break;
	}
	if (!ret)
		ret = check_map(map, path, node, m);
	if (!ret) {
		m->node_of_cpu = calloc(m->cpus, sizeof(*m->node_of_cpu));
		if (m->node_of_cpu)
			memcpy(m->node_of_cpu, map->node_of_cpu, m->cpus * sizeof(unsigned));
		else
			ret = error_memory(r->err, path);
	}
	free(map);
	return ret;
}

static void write_cpulist(FILE *out, const struct machine_config *m, unsigned node)
{
	const char *comma = "";

	for (unsigned cpu = 0; cpu < m->cpus; cpu++) {
		unsigned last = cpu;

		if (m->node_of_cpu[cpu] != node)
			continue;
		while (last + 1 < m->cpus && m->node_of_cpu[last + 1] == node)
			last++;
		fprintf(out, "%s%u", comma, cpu);
		if (last > cpu)
			fprintf(out, "-%u", last);
		comma = ",";
		cpu = last;
	}
}

static int add_cpulist(cJSON *array, const struct machine_config *m, unsigned node)
{
	char *text = NULL;
	size_t len;
	FILE *out = open_memstream(&text, &len);
	cJSON *item = NULL;

	if (!out)
		return -1;
	write_cpulist(out, m, node);
	if (!fclose(out))
		item = cJSON_CreateString(text);
	free(text);
	return item && cJSON_AddItemToArray(array, item) ? 0 : -1;
}

struct cJSON *config_write_cpus_of_node(const struct config_option *opt, const struct cJSON *given,
					const void *base, struct error *err)
{
	const struct machine_config *m = &((const struct config *)base)->machine;
	cJSON *array;

	(void)opt;
	(void)given;
	if (!m->node_of_cpu)
		return NULL;
	array = cJSON_CreateArray();
	for (unsigned node = 0; array && node < m->nodes; node++) {
		if (add_cpulist(array, m, node)) {
			cJSON_Delete(array);
			array = NULL;
		}
	}
	if (!array)
		error_memory(err, "the configuration");
	return array;
}

/* ---- distances ---- */

static int read_row(struct option_reader *r, const char *path, const cJSON *row, unsigned n,
		    struct machine_config *m)
{
	unsigned *distance = &m->distances[(size_t)n * m->nodes], i = 0;
	const cJSON *item;
	int64_t number = 0;
	char where[120];

	snprintf(where, sizeof(where), "%s[%u]", path, n);
	if (!cJSON_IsArray(row) || cJSON_GetArraySize(row) != (int)m->nodes)
		return option_error(r, where, "a row of %u distances is wanted", m->nodes);
	cJSON_ArrayForEach (item, row) {
		if (option_number(r, where, item, 1, 255, &number))
			return -1;
		distance[i++] = (unsigned)number;
	}
	for (i = 0; i < m->nodes; i++) {
		if (i != n && distance[i] < distance[n])
			return option_error(r, where,
					    "node %u is nearer to node %u (%u) than that is to "
					    "itself (%u)",
					    i, n, distance[i], distance[n]);
	}
	return 0;
}

static int read_distances(struct option_reader *r, const char *path, const cJSON *value,
			  struct machine_config *m)
{
	unsigned n = 0;
	const cJSON *row;

	if (!cJSON_IsArray(value) || !value->child || cJSON_GetArraySize(value) > MAX_NODES)
		return option_type_error(r, path,
					 "an array with one row of distances for each node", value);
	if (!m->nodes)
		m->nodes = (unsigned)cJSON_GetArraySize(value);
	if (cJSON_GetArraySize(value) != (int)m->nodes)
		return option_error(r, path, "%d rows, but the machine has %u nodes",
				    cJSON_GetArraySize(value), m->nodes);
	m->distances = calloc((size_t)m->nodes * m->nodes, sizeof(*m->distances));
	if (!m->distances)
		return error_memory(r->err, path);
	cJSON_ArrayForEach (row, value) {
		if (read_row(r, path, row, n++, m))
			return -1;
	}
	return 0;
}

struct cJSON *config_write_distances(const struct config_option *opt, const struct cJSON *given,
				     const void *base, struct error *err)
{
	cJSON *copy;

	(void)opt;
	if (!((const struct config *)base)->machine.distances)
		return NULL;
	copy = cJSON_Duplicate(given, true);
	if (!copy)
		error_memory(err, "the configuration");
	return copy;
}

int config_finish_machine(struct option_reader *r, const struct cJSON *machine, const char *prefix,
			  struct machine_config *m)
{
	const cJSON *cpus = cJSON_GetObjectItemCaseSensitive(machine, "cpus_of_node");
	const cJSON *distances = cJSON_GetObjectItemCaseSensitive(machine, "distances");
	char path[100];

	snprintf(path, sizeof(path), "%scpus_of_node", prefix);
	if (cpus && !cJSON_IsNull(cpus) && read_cpus_of_node(r, path, cpus, m))
		return -1;
	snprintf(path, sizeof(path), "%sdistances", prefix);
	if (distances && !cJSON_IsNull(distances) && read_distances(r, path, distances, m))
		return -1;
	snprintf(path, sizeof(path), "%snodes", prefix);
	if (m->cpus && m->nodes > m->cpus)
		return option_error(r, path, "%u nodes, but %u CPUs: a node has a CPU at least",
				    m->nodes, m->cpus);
	return config_finish_pages(r, prefix, &m->pages);
}
