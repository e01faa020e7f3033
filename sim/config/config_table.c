/* Every key of a config, in the order in which it is documented and written back. */
#include <cjson/cJSON.h>

#include "sim/config/config_internal.h"
#include "sim/file.h"

#define KIB 1024
#define MIB (1024 * 1024)
/* An order beyond it does not exist (MAX_PAGE_ORDER). */
#define MAX_ORDER 10
/* Far above what anybody writes to sysfs, and twice as much still fits an unsigned. */
#define MAX_PARTIAL 1000000000

static const char *const gfp_words[] = {"atomic", "kernel", NULL};
/* DEFRAG_RATIO_ALWAYS is one more than the largest ratio. */
static const char *const ratio_words[] = {"always", NULL};
static const char *const mode_words[] = {"order", "timed", NULL};

/* Any well-formed value; slabsim sweep looks at it. */
static int keep_sweep(struct option_reader *r, const struct config_option *opt, const char *path,
		      const cJSON *value, void *base)
{
	(void)opt;
	(void)base;
	if (!cJSON_IsObject(value))
		return option_type_error(r, path, "an object {\"PATH\": [VALUE, ...], ...}", value);
	return 0;
}

static int keep_seeds(struct option_reader *r, const struct config_option *opt, const char *path,
		      const cJSON *value, void *base)
{
	int64_t number = 0;

	(void)base;
	return option_number(r, path, value, opt->min, opt->max, &number);
}

static cJSON *write_kept(const struct config_option *opt, const cJSON *given, const void *base,
			 struct error *err)
{
	cJSON *value = given ? cJSON_Duplicate(given, true) : NULL;

	(void)opt;
	(void)base;
	if (given && !value)
		error_memory(err, "the configuration");
	return value;
}

static int load_plugins(struct option_reader *r, const struct config_option *opt, const char *path,
			const cJSON *value, void *base)
{
	const cJSON *item;
	unsigned i = 0;

	(void)opt;
	(void)base;
	if (!cJSON_IsArray(value))
		return option_type_error(r, path, "an array of files", value);
	cJSON_ArrayForEach (item, value) {
		struct error why = {0};
		char *file, where[40];
		int ret;

		snprintf(where, sizeof(where), "%s[%u]", path, i++);
		if (!cJSON_IsString(item) || !*item->valuestring)
			return option_type_error(r, where, "the name of a file", item);
		file = path_beside(r->file, item->valuestring, r->err);
		if (!file)
			return -1;
		ret = policies_load_plugin(file, &why);
		free(file);
		if (ret && why.kind == ERROR_INPUT)
			return option_error(r, where, "%s", why.text);
		if (ret)
			return error_failed(r->err, "%s", why.text);
	}
	return 0;
}

static int ignore_string(struct option_reader *r, const struct config_option *opt, const char *path,
			 const cJSON *value, void *base)
{
	(void)base;
	return cJSON_IsString(value) ? 0 : option_type_error(r, path, opt->wants, value);
}

static int read_model(struct option_reader *r, const struct config_option *opt, const char *path,
		      const cJSON *value, void *base)
{
	struct config *cfg = base;

	if (!cJSON_IsObject(value))
		return option_type_error(r, path, opt->wants, value);
	if (!value->child)
		return option_error(r, path, "%s is wanted, not an empty one", opt->wants);
	if (value->child->next)
		return option_error(r, path,
				    "one model is wanted, not both \"%.60s\" and \"%.60s\"",
				    value->child->string, value->child->next->string);
	cJSON_Delete(cfg->model);
	cfg->model = cJSON_Duplicate(value, true);
	return cfg->model ? 0 : error_memory(r->err, "the configuration");
}

#define CONFIG(field) .offset = offsetof(struct config, field)
#define CACHE(field)  .offset = offsetof(struct cache_config, field)
#define POLICY_AXIS(key, axis_id, text)                                                            \
	{                                                                                          \
		.path = "policy." key, .type = OPT_LATER, .min = axis_id, .absent = text,          \
		.wants =                                                                           \
		    "a policy's name, {\"NAME\": NUMBER, \"of\": NAME}, or a number for some",     \
		.write = config_write_policy                                                       \
	}

static const struct config_option table[] = {
    {.path = "$schema",
     .type = OPT_OWN,
     .absent = "",
     .wants = "a string",
     .help = "where editors find schema.json",
     .not_written = true,
     .read = ignore_string},
    {.path = "name",
     .type = OPT_STRING,
     CONFIG(name),
     .absent = "the config's file name",
     .help = "what the run is called in results"},
    {.path = "description",
     .type = OPT_STRING,
     CONFIG(description),
     .absent = "",
     .help = "what it is for"},
    {.path = "plugins",
     .type = OPT_OWN,
     .absent = "no plugins",
     .wants = "an array of files, relative to the config",
     .help = "shared objects with more policies",
     .read = load_plugins,
     .write = write_kept},

    /* machine */
    {.path = "machine.description",
     .type = OPT_STRING,
     CONFIG(machine.description),
     .absent = "",
     .help = "what hardware it is"},
    {.path = "machine.cpus",
     .type = OPT_UNSIGNED,
     CONFIG(machine.cpus),
     .min = 1,
     .max = MAX_CPUS,
     .absent = "as the trace says",
     .help = "how many CPUs"},
    {.path = "machine.nodes",
     .type = OPT_UNSIGNED,
     CONFIG(machine.nodes),
     .min = 1,
     .max = MAX_NODES,
     .absent = "as the trace says, or 1",
     .help = "how many NUMA nodes"},
    {.path = "machine.cpus_per_complex",
     .type = OPT_UNSIGNED,
     CONFIG(timed.cpus_per_complex),
     .min = 0,
     .max = MAX_CPUS,
     .help = "CPUs that share a cache, for line_complex and line_node; 0: all of a node"},
    {.path = "machine.costs",
     .type = OPT_OWN,
     .absent = "nothing costs anything",
     .wants = "an object of ns, or of {\"ns\", \"source\"}",
     .help = "what things cost in the timed machine",
     .read = config_read_costs,
     .write = write_kept},
    {.path = "machine.page_size",
     .type = OPT_UNSIGNED,
     CONFIG(machine.page_size),
     .def = 4 * KIB,
     .min = 4 * KIB,
     .max = 64 * KIB,
     .power_of_two = true,
     .help = "bytes of a page"},
    {.path = "machine.cache_line_size",
     .type = OPT_UNSIGNED,
     CONFIG(machine.cache_line_size),
     .def = 64,
     .min = 16,
     .max = KIB,
     .power_of_two = true,
     .help = "bytes of a cache line: 64, or 128 on POWER; decides hwcache_align"},
    {.path = "machine.cpus_of_node",
     .type = OPT_LATER,
     .absent = "CPU c is on node c*nodes/cpus",
     .wants = "an array, for each node the list of its CPUs: [0, 1, 2] or \"0-2\"",
     .help = "which CPUs are on which node; every CPU once",
     .write = config_write_cpus_of_node},
    {.path = "machine.distances",
     .type = OPT_LATER,
     .absent = "cyclic: n, n+1, ... modulo nodes",
     .wants = "an array of rows, as in /sys/devices/system/node/node*/distance",
     .help = "nodes are tried nearest first",
     .write = config_write_distances},
    {.path = "machine.pages.memory_per_node",
     .type = OPT_UINT64,
     CONFIG(machine.pages.memory_per_node),
     .min = 4 * KIB,
     .max = INT64_C(1) << 44,
     .absent = "memory without end",
     .help = "bytes of memory in each node; slabs fall back to a smaller order, and a run ends, "
	     "where it is used up"},
    {.path = "machine.pages.free",
     .type = OPT_UNSIGNED,
     CONFIG(machine.pages.free),
     .def = 100,
     .max = 100,
     .help = "per cent of it that is free at the start"},
    {.path = "machine.pages.fragmentation",
     .type = OPT_UNSIGNED,
     CONFIG(machine.pages.fragmentation),
     .max = 100,
     .help = "per cent of the free memory that lies in pieces too small for order 3"},
    {.path = "machine.pages.free_blocks",
     .type = OPT_OWN,
     .max = MAX_PAGE_ORDER + 1,
     .absent = "by memory_per_node",
     .wants = "an array of up to 11 numbers, as a line of /proc/buddyinfo",
     .help = "instead of the three: free blocks of order 0, 1, ... in each node at the start",
     .read = config_read_free_blocks,
     .write = write_kept},

    /* caches */
    {.path = "caches",
     .type = OPT_OWN,
     .absent = "as the trace says",
     .wants = "an array of objects",
     .help = "what is known about caches",
     .read = config_read_caches,
     .write = config_write_caches},
    {.path = "caches[].name",
     .type = OPT_STRING,
     CACHE(name),
     .absent = "must be given",
     .help = "the cache's name, as in /proc/slabinfo"},
    {.path = "caches[].object_size",
     .type = OPT_INT64,
     CACHE(object_size),
     .def = -1,
     .min = 1,
     .max = 4 * MIB,
     .absent = "as the trace says",
     .help = "bytes its user asked for in kmem_cache_create()"},
    {.path = "caches[].size",
     .type = OPT_INT64,
     CACHE(size),
     .def = -1,
     .min = 8,
     .max = 4 * MIB,
     .absent = "from object_size and alignment",
     .help = "bytes from one object to the next; a multiple of 8"},
    {.path = "caches[].align",
     .type = OPT_INT64,
     CACHE(align),
     .def = -1,
     .min = 0,
     .max = 64 * KIB,
     .power_of_two = true,
     .absent = "none asked for",
     .help = "alignment asked for in kmem_cache_create()"},
    {.path = "caches[].hwcache_align",
     .type = OPT_BOOL,
     CACHE(hwcache_align),
     .help = "SLAB_HWCACHE_ALIGN"},
    {.path = "caches[].typesafe_by_rcu",
     .type = OPT_BOOL,
     CACHE(typesafe_by_rcu),
     .help = "SLAB_TYPESAFE_BY_RCU: the free pointer lies behind the object"},
    {.path = "caches[].ctor",
     .type = OPT_BOOL,
     CACHE(ctor),
     .help = "has a constructor: the free pointer lies behind the object"},
    {.path = "caches[].no_merge",
     .type = OPT_BOOL,
     CACHE(no_merge),
     .help = "SLAB_NO_MERGE, or a region for user copies: replay.merge leaves it alone"},
    {.path = "caches[].account",
     .type = OPT_BOOL,
     CACHE(account),
     .help = "SLAB_ACCOUNT: merges with such caches only"},
    {.path = "caches[].reclaim_account",
     .type = OPT_BOOL,
     CACHE(reclaim_account),
     .help = "SLAB_RECLAIM_ACCOUNT: merges with such caches only"},
    {.path = "caches[].sheaf_capacity",
     .type = OPT_INT64,
     CACHE(sheaf_capacity),
     .def = -1,
     .min = 0,
     .max = 65535,
     .absent = "none asked for",
     .help = "sheaf capacity asked for in kmem_cache_create(), in objects"},
    {.path = "caches[].order",
     .type = OPT_INT64,
     CACHE(order),
     .def = -1,
     .min = 0,
     .max = MAX_ORDER,
     .absent = "by policy.order",
     .help = "pages of a slab: 2^order"},
    {.path = "caches[].cpu_partial",
     .type = OPT_INT64,
     CACHE(cpu_partial),
     .def = -1,
     .min = 0,
     .max = MAX_PARTIAL,
     .absent = "by policy.cpu_partial",
     .help = "limit of a per-CPU partial list in objects, as written to sysfs"},
    {.path = "caches[].min_partial",
     .type = OPT_INT64,
     CACHE(min_partial),
     .def = -1,
     .min = 0,
     .max = MAX_PARTIAL,
     .absent = "by policy.min_partial",
     .help = "slabs a node keeps although empty, as written to sysfs"},
    {.path = "caches[].match.call_site",
     .type = OPT_STRING,
     CACHE(match_call_site),
     .absent = "bound by name",
     .wants = "a function, or function+0x12",
     .help = "nameless objects that this call site allocates are of this cache"},
    {.path = "caches[].match.size",
     .type = OPT_INT64,
     CACHE(match_size),
     .def = -1,
     .min = 1,
     .max = 4 * MIB,
     .absent = "any",
     .help = "only those of this size (bytes_alloc)"},

    /* policy */
    {.path = "policy.preset",
     .type = OPT_STRING,
     CONFIG(preset),
     .text = DEFAULT_PRESET,
     .wants = "a preset's name (slabsim list presets)",
     .help = "a kernel version's answer on every axis below"},
    POLICY_AXIS("allocator", AXIS_ALLOCATOR, "by the preset"),
    POLICY_AXIS("order", AXIS_ORDER, "by the preset"),
    POLICY_AXIS("partial_accounting", AXIS_PARTIAL_ACCOUNTING, "by the preset"),
    POLICY_AXIS("cpu_partial", AXIS_CPU_PARTIAL, "by the preset"),
    POLICY_AXIS("cpu_partial_full", AXIS_CPU_PARTIAL_FULL, "by the preset"),
    POLICY_AXIS("refill", AXIS_REFILL,
		"by the preset, or what goes with another partial_accounting"),
    POLICY_AXIS("min_partial", AXIS_MIN_PARTIAL, "by the preset"),
    POLICY_AXIS("empty_slab", AXIS_EMPTY_SLAB, "by the preset"),
    POLICY_AXIS("count_partial", AXIS_COUNT_PARTIAL, "by the preset"),
    {.path = "policy.remote_node_defrag_ratio",
     .type = OPT_INT_OR_WORD,
     CONFIG(policy.remote_node_defrag_ratio),
     .def = DEFRAG_RATIO_DEFAULT,
     .max = 100,
     .allowed = ratio_words,
     .help = "how often another node's partial list is tried, in per cent as in sysfs"},
    {.path = "policy.slub_min_order",
     .type = OPT_INT,
     CONFIG(policy.slub_min_order),
     .def = -1,
     .min = 0,
     .max = MAX_ORDER,
     .absent = "by policy.order",
     .help = "the boot parameter"},
    {.path = "policy.slub_max_order",
     .type = OPT_INT,
     CONFIG(policy.slub_max_order),
     .def = -1,
     .min = 0,
     .max = MAX_ORDER,
     .absent = "by policy.order",
     .help = "the boot parameter"},
    {.path = "policy.slub_min_objects",
     .type = OPT_INT,
     CONFIG(policy.slub_min_objects),
     .def = -1,
     .min = 0,
     .max = 32767,
     .absent = "by policy.order",
     .help = "the boot parameter; 0: from the number of CPUs"},

    /* workload */
    {.path = "workload.trace",
     .type = OPT_PATH,
     CONFIG(trace),
     .absent = "given by --trace",
     .wants = "a file, relative to the config, or \"-\": standard input",
     .help = "the trace to replay"},
    {.path = "workload.model",
     .type = OPT_OWN,
     .absent = "a trace",
     .wants = "an object {\"NAME\": {...}} with the model's own keys",
     .help = "instead of a trace, a model that generates the load of the timed machine; slabsim "
	     "list workloads",
     .read = read_model,
     .write = write_kept},
    {.path = "workload.gfp",
     .type = OPT_CHOICE,
     CONFIG(gfp_may_block),
     .def = -1,
     .allowed = gfp_words,
     .absent = "as the trace says",
     .help = "may allocations block? linux-6.18 refills a sheaf only then"},
    {.path = "workload.reorder_ns",
     .type = OPT_INT64,
     CONFIG(reorder_ns),
     .def = 0,
     .min = -1,
     .max = 1000000,
     .help = "a free so many ns before an allocation of another CPU comes after it, for its event "
	     "is written before it happens; 0: only at the same time; -1: never"},
    {.path = "workload.jitter_ns",
     .type = OPT_UINT64,
     CONFIG(jitter_ns),
     .min = 0,
     .max = 1000000,
     .help = "every event of a trace is put off by a random time below this: with several seeds "
	     "it shows how far the recorded order of events can be trusted; 0: as recorded"},

    /* replay */
    {.path = "replay.mode",
     .type = OPT_CHOICE,
     CONFIG(mode),
     .def = REPLAY_ORDER,
     .allowed = mode_words,
     .help = "order: events one by one as they stand in the trace; timed: each CPU by its own "
	     "clock, operations cost time (machine.costs) and wait for locks"},
    {.path = "replay.reader_interval_us",
     .type = OPT_UINT64,
     CONFIG(timed.reader_interval_us),
     .min = 0,
     .max = 1000000000,
     .help = "timed: slabinfo is read so often, as policy.count_partial does it; 0: never"},
    {.path = "replay.reader_cpu",
     .type = OPT_UNSIGNED,
     CONFIG(timed.reader_cpu),
     .min = 0,
     .max = MAX_CPUS - 1,
     .help = "timed: the CPU that reads it"},
    {.path = "replay.initial",
     .type = OPT_PATH,
     CONFIG(initial),
     .absent = "empty caches",
     .wants = "a slabinfo or kernel.json file, relative to the config",
     .help = "the state to start from"},
    {.path = "replay.merge",
     .type = OPT_BOOL,
     CONFIG(merge),
     .help = "merge caches as the kernel does"},
    {.path = "replay.salvage",
     .type = OPT_BOOL,
     CONFIG(salvage),
     .help = "of a damaged .slabtrace file, replay the events before the damage"},
    {.path = "replay.only",
     .type = OPT_STRINGS,
     CONFIG(only),
     .offset2 = offsetof(struct config, nr_only),
     .absent = "all caches",
     .wants = "an array of glob patterns",
     .help = "caches to replay; others are skipped"},
    {.path = "replay.seed",
     .type = OPT_UINT64,
     CONFIG(seed),
     .def = 1,
     .min = 0,
     .max = OPTION_MAX_NUMBER,
     .help = "of everything that is random"},

    /* slabsim sweep */
    {.path = "sweep",
     .type = OPT_OWN,
     .absent = "one run",
     .wants = "an object {\"PATH\": [VALUE, ...], ...}",
     .help = "axes of slabsim sweep; slabsim run ignores them",
     .read = keep_sweep,
     .write = write_kept},
    {.path = "seeds",
     .type = OPT_OWN,
     .min = 1,
     .max = 1000000,
     .absent = "1",
     .wants = "a whole number from 1 to 1000000",
     .help = "runs of each point of a sweep, with seeds of their own",
     .read = keep_seeds,
     .write = write_kept},
};

const struct config_option *config_options(size_t *n)
{
	*n = sizeof(table) / sizeof(table[0]);
	return table;
}
