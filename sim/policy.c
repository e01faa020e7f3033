/*
 * The registry of policies and presets. It is filled from linker sections before anything runs
 * and only read afterwards; it is the program's list of parts, so it exists once.
 */
#include <dlfcn.h>
#include <errno.h>
#include <unistd.h>

#include "sim/plugin_file.h"
#include "sim/policy.h"

static struct {
	const struct policy **policies;
	size_t nr_policies;
	const struct preset **presets;
	size_t nr_presets;
} registry;

static const struct {
	const char *name, *help;
} axes[NR_AXES] = {
    [AXIS_ALLOCATOR] = {"allocator", "the layers above the node lists, and what calls count"},
    [AXIS_ORDER] = {"order", "how many pages a slab has"},
    [AXIS_PARTIAL_ACCOUNTING] = {"partial_accounting",
				 "what the limit of a per-CPU partial list counts"},
    [AXIS_CPU_PARTIAL] = {"cpu_partial", "the limit of a per-CPU partial list, in objects"},
    [AXIS_CPU_PARTIAL_FULL] = {"cpu_partial_full",
			       "what becomes of a slab that meets a full per-CPU list"},
    [AXIS_REFILL] = {"refill", "how many slabs a CPU takes from its node's partial list"},
    [AXIS_MIN_PARTIAL] = {"min_partial", "how many empty slabs a node keeps on its list"},
    [AXIS_EMPTY_SLAB] = {"empty_slab", "whether a slab that became empty is given back"},
    [AXIS_COUNT_PARTIAL] = {"count_partial",
			    "how readers get the number of free objects on a node list"},
};

const char *axis_name(enum policy_axis axis)
{
	return axes[axis].name;
}

const char *axis_help(enum policy_axis axis)
{
	return axes[axis].help;
}

/* ---- look-ups ---- */

const struct policy *policy_find(enum policy_axis axis, const char *name)
{
	for (size_t i = 0; i < registry.nr_policies; i++) {
		const struct policy *p = registry.policies[i];

		if (p->axis == axis && !strcmp(p->name, name))
			return p;
	}
	return NULL;
}

const struct policy *policy_plain_number(enum policy_axis axis)
{
	for (size_t i = 0; i < registry.nr_policies; i++) {
		const struct policy *p = registry.policies[i];

		if (p->axis == axis && p->plain_number)
			return p;
	}
	return NULL;
}

const struct preset *preset_find(const char *name)
{
	for (size_t i = 0; i < registry.nr_presets; i++) {
		if (!strcmp(registry.presets[i]->name, name))
			return registry.presets[i];
	}
	return NULL;
}

const struct policy *policy_nth(size_t i)
{
	return i < registry.nr_policies ? registry.policies[i] : NULL;
}

const struct preset *preset_nth(size_t i)
{
	return i < registry.nr_presets ? registry.presets[i] : NULL;
}

/* ---- are they sound? ---- */

static bool good_name(const char *name)
{
	static const char allowed[] = "abcdefghijklmnopqrstuvwxyz"
				      "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_+";

	return name && *name && strspn(name, allowed) == strlen(name);
}

/* Does the ops struct around p have the functions of its axis? */
static bool has_functions(const struct policy *p)
{
	switch (p->axis) {
	case AXIS_ALLOCATOR: {
		const struct allocator_ops *ops = (const struct allocator_ops *)p;

		return ops->replay && ops->check && ops->stats && ops->stats->items &&
		       ops->stats->n && (!ops->has_sheaves || ops->sheaf_capacity);
	}
	case AXIS_ORDER:
		return ((const struct order_ops *)p)->order;
	case AXIS_PARTIAL_ACCOUNTING:
		return ((const struct partial_accounting_ops *)p)->full ||
		       ((const struct partial_accounting_ops *)p)->room;
	case AXIS_CPU_PARTIAL:
		return ((const struct cpu_partial_ops *)p)->nr_objects;
	case AXIS_CPU_PARTIAL_FULL:
		return ((const struct cpu_partial_full_ops *)p)->put;
	case AXIS_REFILL:
		return ((const struct refill_ops *)p)->enough;
	case AXIS_MIN_PARTIAL:
		return ((const struct min_partial_ops *)p)->min_partial;
	case AXIS_EMPTY_SLAB:
		return ((const struct empty_slab_ops *)p)->discard;
	case AXIS_COUNT_PARTIAL:
		return ((const struct count_partial_ops *)p)->free_objects;
	case NR_AXES:
		break;
	}
	return false;
}

/* Two answers to one question; which of them counts would be chance. */
static bool has_two_limits(const struct policy *p)
{
	const struct partial_accounting_ops *ops = (const void *)p;

	return p->axis == AXIS_PARTIAL_ACCOUNTING && ops->room && ops->full;
}

/* What does not depend on other policies. The abi comes first: the rest may lie elsewhere. */
static int check_policy(const struct policy *p, struct error *err)
{
	const char *axis;

	if (p->abi != POLICY_ABI)
		return error_input(
		    err,
		    "a policy has interface version %u, this program has %d: compile "
		    "it against this program's sim/policy.h",
		    p->abi, POLICY_ABI);
	if ((unsigned)p->axis >= NR_AXES)
		return error_input(err, "policy \"%s\": there is no axis %u",
				   p->name ? p->name : "", (unsigned)p->axis);
	axis = axis_name(p->axis);
	if (!good_name(p->name))
		return error_input(err,
				   "a policy for %s needs a name of letters, digits, \".\", \"-\", "
				   "\"_\" and \"+\"",
				   axis);
	if (!p->summary || !*p->summary)
		return error_input(err, "policy %s \"%s\" has no summary", axis, p->name);
	if (!has_functions(p))
		return error_input(err, "policy %s \"%s\" lacks a function its axis needs", axis,
				   p->name);
	if (has_two_limits(p))
		return error_input(
		    err, "policy %s \"%s\" has both room and full, of which one is wanted", axis,
		    p->name);
	if (p->takes_number ? p->min > p->max
			    : p->plain_number || p->takes_base || p->takes_fraction)
		return error_input(err,
				   "policy %s \"%s\": plain_number, takes_fraction and takes_base "
				   "need takes_number, and that a min no larger than max",
				   axis, p->name);
	if (p->plain_number && (p->takes_base || p->takes_fraction))
		return error_input(err, "policy %s \"%s\": a plain number is whole and has no base",
				   axis, p->name);
	return 0;
}

/* The list is sorted: twins are neighbours. */
static int check_among_others(size_t i, struct error *err)
{
	const struct policy *p = registry.policies[i];
	const char *axis = axis_name(p->axis);
	const struct policy *plain = policy_plain_number(p->axis);

	if (i && registry.policies[i - 1]->axis == p->axis &&
	    !strcmp(registry.policies[i - 1]->name, p->name))
		return error_input(err, "policy %s \"%s\" exists twice", axis, p->name);
	if (p->plain_number && p != plain)
		return error_input(err, "a plain number for %s would mean both \"%s\" and \"%s\"",
				   axis, plain->name, p->name);
	if (p->axis == AXIS_PARTIAL_ACCOUNTING) {
		const char *refill = ((const struct partial_accounting_ops *)p)->refill;

		if (refill && !policy_find(AXIS_REFILL, refill))
			return error_input(err,
					   "policy %s \"%s\": there is no refill policy \"%s\"",
					   axis, p->name, refill);
	}
	return 0;
}

static int check_preset(size_t i, struct error *err)
{
	const struct preset *p = registry.presets[i];
	bool seen[NR_AXES] = {false};

	if (!good_name(p->name) || !p->summary || !*p->summary)
		return error_input(err, "a preset needs a name and a summary");
	if (i && !strcmp(registry.presets[i - 1]->name, p->name))
		return error_input(err, "preset \"%s\" exists twice", p->name);
	for (unsigned k = 0; k < p->nr_settings; k++) {
		const struct preset_setting *s = &p->settings[k];
		const struct policy *policy;

		if ((unsigned)s->axis >= NR_AXES)
			return error_input(err, "preset \"%s\": there is no axis %u", p->name,
					   (unsigned)s->axis);
		if (seen[s->axis])
			return error_input(err, "preset \"%s\" sets %s twice", p->name,
					   axis_name(s->axis));
		seen[s->axis] = true;
		policy = policy_find(s->axis, s->policy);
		if (!policy)
			return error_input(err, "preset \"%s\": there is no %s policy \"%s\"",
					   p->name, axis_name(s->axis), s->policy);
		if (policy->takes_number)
			return error_input(
			    err,
			    "preset \"%s\": %s policy \"%s\" takes a number, which a "
			    "preset cannot give",
			    p->name, axis_name(s->axis), s->policy);
	}
	for (unsigned axis = 0; axis < NR_AXES; axis++) {
		if (!seen[axis])
			return error_input(err, "preset \"%s\" does not set %s", p->name,
					   axis_name(axis));
	}
	return 0;
}

static int check_registry(struct error *err)
{
	for (size_t i = 0; i < registry.nr_policies; i++) {
		if (check_among_others(i, err))
			return -1;
	}
	for (size_t i = 0; i < registry.nr_presets; i++) {
		if (check_preset(i, err))
			return -1;
	}
	return 0;
}

/* ---- filling it ---- */

static int compare_policies(const void *a, const void *b)
{
	const struct policy *p = *(const struct policy *const *)a;
	const struct policy *q = *(const struct policy *const *)b;

	if (p->axis != q->axis)
		return p->axis < q->axis ? -1 : 1;
	return strverscmp(p->name, q->name);
}

static int compare_presets(const void *a, const void *b)
{
	const struct preset *p = *(const struct preset *const *)a;
	const struct preset *q = *(const struct preset *const *)b;

	return strverscmp(p->name ? p->name : "", q->name ? q->name : "");
}

static bool has_policy(const struct policy *p)
{
	for (size_t i = 0; i < registry.nr_policies; i++) {
		if (registry.policies[i] == p)
			return true;
	}
	return false;
}

static bool has_preset(const struct preset *p)
{
	for (size_t i = 0; i < registry.nr_presets; i++) {
		if (registry.presets[i] == p)
			return true;
	}
	return false;
}

/*
 * Append what is in the sections and not registered yet. The compiler must not reason about
 * the bounds as two unrelated arrays, nor a sanitizer about the padding it put between.
 */
__attribute__((no_sanitize_address)) static int append(const struct policy_sections *sections,
						       struct error *err)
{
	struct policy_sections s = *sections;

	__asm__("" : "+r"(s.policies), "+r"(s.policies_end), "+r"(s.presets), "+r"(s.presets_end));
	for (; s.policies < s.policies_end; s.policies++) {
		const struct policy *p = *s.policies;

		if (!p || has_policy(p))
			continue;
		if (check_policy(p, err))
			return -1;
		registry.policies[registry.nr_policies++] = p;
	}
	for (; s.presets < s.presets_end; s.presets++) {
		const struct preset *p = *s.presets;

		if (p && !has_preset(p))
			registry.presets[registry.nr_presets++] = p;
	}
	return 0;
}

/* All of the sections or, on an error, none of them. */
static int add_sections(const struct policy_sections *s, struct error *err)
{
	size_t nr_policies = registry.nr_policies, nr_presets = registry.nr_presets;
	size_t max_policies = nr_policies + (size_t)(s->policies_end - s->policies);
	size_t max_presets = nr_presets + (size_t)(s->presets_end - s->presets);
	const struct policy **old_policies = registry.policies;
	const struct preset **old_presets = registry.presets;
	const struct policy **policies = calloc(max_policies + 1, sizeof(*policies));
	const struct preset **presets = calloc(max_presets + 1, sizeof(*presets));

	if (!policies || !presets) {
		free(policies);
		free(presets);
		return error_memory(err, "the policies");
	}
	if (nr_policies)
		memcpy(policies, old_policies, nr_policies * sizeof(*policies));
	if (nr_presets)
		memcpy(presets, old_presets, nr_presets * sizeof(*presets));
	registry.policies = policies;
	registry.presets = presets;

	if (append(s, err) == 0) {
		qsort(policies, registry.nr_policies, sizeof(*policies), compare_policies);
		qsort(presets, registry.nr_presets, sizeof(*presets), compare_presets);
		if (check_registry(err) == 0) {
			free(old_policies);
			free(old_presets);
			return 0;
		}
	}
	registry.policies = old_policies;
	registry.nr_policies = nr_policies;
	registry.presets = old_presets;
	registry.nr_presets = nr_presets;
	free(policies);
	free(presets);
	return -1;
}

int policies_init(struct error *err)
{
	struct policy_sections s;

	policy_sections(&s);
	return add_sections(&s, err);
}

static int load(const char *file, void **handle, struct error *err)
{
	void (*sections_of)(struct policy_sections *);
	struct policy_sections s = {0};

	if (plugin_check_file(file, err))
		return -1;
	*handle = dlopen(file, RTLD_NOW | RTLD_LOCAL);
	if (!*handle)
		return error_input(err, "not a plugin: %s", dlerror());
	*(void **)&sections_of = dlsym(*handle, "slabsim_plugin");
	if (!sections_of)
		return error_input(err, "not a plugin: compile it with -shared -fPIC, from a file "
					"that includes sim/policy.h and ends in POLICY(ops)");
	sections_of(&s);
	if (s.policies == s.policies_end && s.presets == s.presets_end)
		return error_input(err, "there is no policy and no preset in this plugin");
	return add_sections(&s, err);
}

int policies_load_plugin(const char *file, struct error *err)
{
	void *handle = NULL;
	char *path;
	int ret;

	if (access(file, R_OK))
		return error_open(err, file);
	/* A name without a slash would be looked for among the system's libraries. */
	if (asprintf(&path, "%s%s", strchr(file, '/') ? "" : "./", file) < 0)
		return error_memory(err, "a file name");
	ret = load(path, &handle, err);
	free(path);
	if (ret) {
		error_prefix(err, "%s", file);
		if (handle)
			dlclose(handle);
	}
	return ret;
}
