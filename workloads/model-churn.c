/*
 * model: churn
 *
 *	every CPU does two kinds of jobs over and over, as births.h tells of streams: "file" (a file
 *	is opened, written, removed) and "process" (one starts and exits)
 *	a job allocates a burst of objects, of the caches that belong to its kind, one cache as
 *often as the slabinfo has objects in use of it; when it ends most of them are freed together until
 *"operations" objects have been allocated in all, and all are freed
 *
 * The caches, with their sizes, are those of a /proc/slabinfo, or the configuration's, all alike.
 */
#include <cjson/cJSON.h>
#include <fnmatch.h>
#include <gsl/gsl_randist.h>

#include "sim/file.h"
#include "sim/slabinfo_file.h"
#include "workloads/births.h"

#define TODO_BIRTH 1

enum kind { KIND_FILE, KIND_PROCESS, NR_KINDS };

static const char *const kind_names[NR_KINDS] = {"file", "process"};

/* clang-format off */
static const char *const kind_caches[NR_KINDS][32] = {
	[KIND_FILE] = {"dentry", "*inode_cache", "filp", "names_cache", "lsm_*", "radix_tree_node",
		       "buffer_head", "ext4_*", "jbd2_*", "xfs_*", "btrfs_*", "seq_file",
		       "file_lock*", "bio-*", "kmalloc-*", NULL},
	[KIND_PROCESS] = {"task_struct", "mm_struct", "vm_area_struct", "vma_lock", "maple_node",
			  "anon_vma*", "files_cache", "fs_cache", "signal_cache", "sighand_cache",
			  "cred_jar", "cred", "pid", "pid_*", "task_group", "task_delay_info",
			  "filp", "kmalloc-*", NULL},
};
/* clang-format on */

struct job_kind {
	struct births births;
	gsl_ran_discrete_t *which_cache;
	struct birth_stream *stream; /* by CPU */
};

struct churn {
	struct agenda agenda;
	struct slabinfo slabinfo; /* n is 0: there is none */
	struct job_kind kind[NR_KINDS];
	uint64_t births_left;
	double *rate;
	uint16_t *nodes;
};

static int next_birth(struct churn *m, unsigned cpu, uint32_t kind, uint64_t end, struct error *err)
{
	struct job_kind *k = &m->kind[kind];
	struct todo t = {.kind = TODO_BIRTH, .object = kind};

	if (!m->births_left || !k->which_cache || !(m->rate[cpu] > 0))
		return 0;
	m->births_left--;
	t.time =
	    births_next(&k->births, &k->stream[cpu], end, m->rate[cpu], m->agenda.cpu[cpu].rng);
	return agenda_add(&m->agenda, cpu, t, err);
}

static int begin(struct agenda *a, unsigned cpu, const struct todo *t, struct event *ev,
		 struct error *err)
{
	struct churn *m = (struct churn *)a;
	size_t cache = gsl_ran_discrete(a->cpu[cpu].rng, m->kind[t->object].which_cache);

	return agenda_alloc(a, cpu, (uint16_t)cache, ev, 1, err) ? -1 : 1;
}

static int ended(struct agenda *a, unsigned cpu, const struct todo *t, const struct event *ev,
		 unsigned n, uint64_t end, struct error *err)
{
	struct churn *m = (struct churn *)a;
	struct job_kind *k;
	struct fate fate;

	(void)n;
	/* Of a free, it is no kind of job that is named. */
	if (t->kind == TODO_FREE)
		return 0;
	k = &m->kind[t->object];
	fate = births_fate(&k->births, &k->stream[cpu], cpu, a->cpus, m->nodes, end, 1,
			   (struct lifetimes){NULL, NULL}, a->cpu[cpu].rng);
	if (agenda_free(a, fate.cpu, fate.time, ev->cache, ev->object, err))
		return -1;
	return next_birth(m, cpu, t->object, end, err);
}

static void close_model(struct agenda *a)
{
	struct churn *m = (struct churn *)a;

	for (unsigned i = 0; i < NR_KINDS; i++) {
		if (m->kind[i].which_cache)
			gsl_ran_discrete_free(m->kind[i].which_cache);
		free(m->kind[i].stream);
	}
	agenda_close(a);
	if (m->slabinfo.n)
		slabinfo_free(&m->slabinfo);
	free(m->rate);
	free(m->nodes);
	free(m);
}

static const struct agenda_ops agenda_ops = {
    .begin = begin,
    .ended = ended,
    .close = close_model,
};

/* ---- parameters ---- */

static int read_slabinfo(struct churn *m, struct model_params *p, const struct config *cfg,
			 struct error *err)
{
	const cJSON *item = params_item(p, "slabinfo");
	struct source_info *info = &m->agenda.load.info;
	char *path;
	int ret;

	if (!item)
		return 0;
	if (!cJSON_IsString(item))
		return params_error(p, "slabinfo", "a file, relative to the config, is wanted");
	path = path_beside(cfg->path, item->valuestring, err);
	if (!path)
		return -1;
	ret = slabinfo_read(&m->slabinfo, path, err);
	free(path);
	if (ret) {
		m->slabinfo.n = 0;
		return -1;
	}
	if (!m->slabinfo.n)
		return params_error(p, "slabinfo", "it has no caches");
	*info = (struct source_info){.cpus = cfg->machine.cpus, .has_times = true};
	info->caches = calloc(m->slabinfo.n, sizeof(*info->caches));
	if (!info->caches)
		return error_memory(err, "the caches of a model");
	info->nr_caches = m->slabinfo.n;
	for (unsigned i = 0; i < m->slabinfo.n; i++)
		info->caches[i] =
		    (struct source_cache){.name = m->slabinfo.caches[i].name,
					  .object_size = m->slabinfo.caches[i].object_size,
					  .size = m->slabinfo.caches[i].size};
	return 0;
}

static bool belongs(enum kind kind, const cJSON *globs, const char *name)
{
	const cJSON *item;

	cJSON_ArrayForEach (item, globs)
		if (cJSON_IsString(item) && !fnmatch(item->valuestring, name, 0))
			return true;
	for (unsigned i = 0; !globs && kind_caches[kind][i]; i++)
		if (!fnmatch(kind_caches[kind][i], name, 0))
			return true;
	return false;
}

static int choose_caches(struct churn *m, enum kind kind, struct model_params *p, struct error *err)
{
	const cJSON *globs = params_item(p, "caches");
	const struct source_info *info = &m->agenda.load.info;
	double *w = calloc(info->nr_caches, sizeof(*w)), sum = 0;

	if (!w)
		return error_memory(err, "the caches of a model");
	for (unsigned i = 0; i < info->nr_caches; i++) {
		if (!belongs(kind, globs, info->caches[i].name))
			continue;
		w[i] = m->slabinfo.n ? (double)m->slabinfo.caches[i].active_objs : 1;
		sum += w[i];
	}
	if (sum > 0)
		m->kind[kind].which_cache = gsl_ran_discrete_preproc(info->nr_caches, w);
	free(w);
	if (globs && !(sum > 0))
		return params_error(p, "caches",
				    "patterns of the names of caches that have "
				    "objects are wanted");
	return 0;
}

static int read_kind(struct churn *m, enum kind kind, struct model_params *p, struct error *err)
{
	static const struct births defaults[NR_KINDS] = {
	    {.think = {.kind = DIST_EXPONENTIAL, .a = 20e3},
	     .burst = {.kind = DIST_EXPONENTIAL, .a = 8},
	     .lifetime = {.kind = DIST_LOGNORMAL, .a = 12.5, .b = 2},
	     .remote = 0.1,
	     .remote_node = -1,
	     .together = 0.9},
	    {.think = {.kind = DIST_EXPONENTIAL, .a = 500e3},
	     .burst = {.kind = DIST_UNIFORM, .a = 80, .b = 250},
	     .lifetime = {.kind = DIST_LOGNORMAL, .a = 14.5, .b = 1.5},
	     .remote = 0.3,
	     .remote_node = -1,
	     .together = 0.95},
	};
	const cJSON *item = params_item(p, kind_names[kind]);
	struct job_kind *k = &m->kind[kind];
	cJSON *none = cJSON_CreateObject();
	struct model_params inner;
	char name[64];
	int ret = -1;

	k->stream = calloc(m->agenda.cpus, sizeof(*k->stream));
	if (!none || !k->stream)
		error_memory(err, "a model");
	else if (params_inner(&inner, p, kind_names[kind], item ? item : none, -1, name,
			      sizeof(name))) {
		births_read(&k->births, &inner, &defaults[kind]);
		ret = choose_caches(m, kind, &inner, err) || params_finish(&inner) ? -1 : 0;
	}
	cJSON_Delete(none);
	return ret;
}

static int set_up(struct churn *m, const cJSON *params, const struct config *cfg, struct error *err)
{
	struct model_params p;
	double operations;

	params_init(&p, "churn", params, err);
	if (read_slabinfo(m, &p, cfg, err) || agenda_init(&m->agenda, &agenda_ops, cfg, 1, err))
		return -1;
	m->nodes = model_nodes(cfg, err);
	if (!m->nodes)
		return -1;
	for (unsigned kind = 0; kind < NR_KINDS; kind++)
		if (read_kind(m, kind, &p, err))
			return -1;
	operations = params_count(&p, "operations", 1e6, 1, 1e12);
	m->rate = births_cpu_rates(&p, m->agenda.cpus, m->nodes);
	if (!m->rate || params_finish(&p))
		return -1;
	if (!m->kind[KIND_FILE].which_cache && !m->kind[KIND_PROCESS].which_cache)
		return params_error(&p, "file.caches", "no cache belongs to files or processes");
	m->births_left = (uint64_t)operations;
	m->agenda.load.info.events = 2 * m->births_left;
	for (unsigned cpu = 0; cpu < m->agenda.cpus; cpu++)
		for (unsigned kind = 0; kind < NR_KINDS; kind++)
			if (next_birth(m, cpu, kind, 0, err))
				return -1;
	return 0;
}

static struct load *open_model(const cJSON *params, const struct config *cfg, struct error *err)
{
	struct churn *m = calloc(1, sizeof(*m));

	if (!m) {
		error_memory(err, "a model");
		return NULL;
	}
	if (!set_up(m, params, cfg, err))
		return &m->agenda.load;
	close_model(&m->agenda);
	return NULL;
}

static const struct model_ops churn = {
    .name = "churn",
    .summary = "files and processes that come and go, with the caches of a slabinfo",
    .help = "operations           objects to allocate in all (1e6)\n"
	    "slabinfo             /proc/slabinfo, or a copy, with the caches and how much each is\n"
	    "                     used (the config's caches, all alike)\n"
	    "file, process        {\"caches\": [patterns of their names], and for the "
	    "jobs:}\n" BIRTHS_HELP SKEW_HELP,
    .open = open_model,
};
MODEL(churn);
