/* The preset and the nine axes. */
#include <cjson/cJSON.h>
#include <math.h>

#include "sim/config/config_internal.h"
#include "sim/suggest.h"

/* Where a value stands. */
struct place {
	struct option_reader *r;
	const char *path;
	enum policy_axis axis;
};

static int no_policy(const struct place *at, const char *name)
{
	char hint[128], list[400] = "";
	const struct policy *p;
	struct suggest s;
	size_t used = 0;

	suggest_init(&s, name);
	for (size_t i = 0; (p = policy_nth(i)); i++) {
		if (p->axis != at->axis)
			continue;
		suggest_offer(&s, p->name);
		if (used < sizeof(list))
			used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
						 used ? ", " : "", p->name);
	}
	return option_error(at->r, at->path, "there is no %s policy \"%.60s\"%s%shere are: %s",
			    axis_name(at->axis), name, suggest_text(&s, hint, sizeof(hint)),
			    s.best ? " T" : "; t", list);
}

/* How a policy that takes a number is written. */
static const char *written(const struct policy *p, char *buf, size_t size)
{
	if (p->plain_number)
		snprintf(buf, size, "%lld", (long long)p->min);
	else
		snprintf(buf, size, "{\"%s\": NUMBER%s}", p->name,
			 p->takes_base ? ", \"of\": \"POLICY\"" : "");
	return buf;
}

static int read_name(const struct place *at, const cJSON *value, struct policy_choice *choice)
{
	const struct policy *p = policy_find(at->axis, value->valuestring);
	char how[128];

	if (!p)
		return no_policy(at, value->valuestring);
	if (p->takes_number)
		return option_error(at->r, at->path, "\"%s\" takes a number: write %s%s", p->name,
				    p->plain_number ? "a number alone, such as " : "",
				    written(p, how, sizeof(how)));
	*choice = (struct policy_choice){.policy = p};
	return 0;
}

/* value as p's number. */
static int read_number(const struct place *at, const struct policy *p, const cJSON *value,
		       struct policy_choice *choice)
{
	double number;

	*choice = (struct policy_choice){.policy = p};
	if (!p->takes_fraction)
		return option_number(at->r, at->path, value, p->min, p->max, &choice->number);
	number = cJSON_IsNumber(value) ? value->valuedouble : NAN;
	if (!(number >= (double)p->min && number <= (double)p->max)) {
		char wanted[100];

		snprintf(wanted, sizeof(wanted), "a number from %lld to %lld for \"%.30s\"",
			 (long long)p->min, (long long)p->max, p->name);
		return option_type_error(at->r, at->path, wanted, value);
	}
	choice->number = llround(number * POLICY_UNIT);
	return 0;
}

static int read_base(const struct place *at, const cJSON *value, struct policy_choice *choice)
{
	const struct policy *p = choice->policy, *of;
	char how[128];

	if (!value && !p->takes_base)
		return 0;
	if (!p->takes_base)
		return option_error(at->r, at->path, "\"%s\" has no base: leave out \"of\"",
				    p->name);
	if (!value)
		return option_error(at->r, at->path, "\"%s\" needs a base: write %s", p->name,
				    written(p, how, sizeof(how)));
	if (!cJSON_IsString(value))
		return option_type_error(at->r, at->path, "a policy's name in \"of\"", value);
	of = policy_find(at->axis, value->valuestring);
	if (!of)
		return no_policy(at, value->valuestring);
	if (of->takes_number)
		return option_error(at->r, at->path,
				    "\"%s\" takes a number itself and cannot be a base", of->name);
	choice->of = of;
	return 0;
}

/* {"NAME": NUMBER, "of": BASE} */
static int read_object(const struct place *at, const cJSON *value, struct policy_choice *choice)
{
	const cJSON *base = NULL, *chosen = NULL, *member;
	const struct policy *p;

	cJSON_ArrayForEach (member, value) {
		if (!strcmp(member->string, "of"))
			base = member;
		else if (chosen)
			return option_error(
			    at->r, at->path,
			    "one policy is wanted, not both \"%.60s\" and \"%.60s\"",
			    chosen->string, member->string);
		else
			chosen = member;
	}
	if (!chosen)
		return option_error(at->r, at->path,
				    "{\"NAME\": NUMBER} is wanted: no policy is "
				    "named");
	p = policy_find(at->axis, chosen->string);
	if (!p)
		return no_policy(at, chosen->string);
	if (!p->takes_number)
		return option_error(at->r, at->path, "\"%s\" takes no number: write \"%s\"",
				    p->name, p->name);
	return read_number(at, p, chosen, choice) || read_base(at, base, choice) ? -1 : 0;
}

static int read_choice(const struct place *at, const cJSON *value, struct policy_choice *choice)
{
	const struct policy *plain = policy_plain_number(at->axis);

	if (cJSON_IsString(value))
		return read_name(at, value, choice);
	if (cJSON_IsObject(value))
		return read_object(at, value, choice);
	if (cJSON_IsNumber(value) && plain)
		return read_number(at, plain, value, choice);
	return option_type_error(at->r, at->path,
				 plain ? "a policy's name, a number or {\"NAME\": NUMBER}"
				       : "a policy's name or {\"NAME\": NUMBER}",
				 value);
}

static int no_preset(struct option_reader *r, const char *name)
{
	char hint[128], list[400] = "";
	const struct preset *p;
	struct suggest s;
	size_t used = 0;

	suggest_init(&s, name);
	for (size_t i = 0; (p = preset_nth(i)); i++) {
		suggest_offer(&s, p->name);
		if (used < sizeof(list))
			used += (size_t)snprintf(list + used, sizeof(list) - used, "%s%s",
						 used ? ", " : "", p->name);
	}
	return option_error(r, "policy.preset", "there is no preset \"%.60s\"%s%shere are: %s",
			    name, suggest_text(&s, hint, sizeof(hint)), s.best ? " T" : "; t",
			    list);
}

static void apply_preset(const struct preset *p, struct policy_set *set)
{
	for (unsigned i = 0; i < p->nr_settings; i++) {
		enum policy_axis axis = p->settings[i].axis;

		set->choice[axis] =
		    (struct policy_choice){.policy = policy_find(axis, p->settings[i].policy)};
	}
}

/* Another accounting than the preset's brings its own refill rule, unless one is given. */
static void follow_accounting(struct policy_set *set, const struct policy *of_preset)
{
	const struct policy *p = set->choice[AXIS_PARTIAL_ACCOUNTING].policy;
	const char *refill = ((const struct partial_accounting_ops *)p)->refill;

	if (p != of_preset && refill)
		set->choice[AXIS_REFILL] =
		    (struct policy_choice){.policy = policy_find(AXIS_REFILL, refill)};
}

int config_finish_policy(struct option_reader *r, const struct cJSON *policy, struct config *cfg)
{
	const cJSON *given = cJSON_GetObjectItemCaseSensitive(policy, "preset");
	const struct preset *preset = preset_find(cfg->preset);
	const struct policy *accounting;

	if (!preset)
		return no_preset(r, cfg->preset);
	cfg->preset_given = given && !cJSON_IsNull(given);
	apply_preset(preset, &cfg->policy);
	accounting = cfg->policy.choice[AXIS_PARTIAL_ACCOUNTING].policy;
	/* partial_accounting comes before refill, so that a refill that is given wins. */
	for (unsigned axis = 0; axis < NR_AXES; axis++) {
		char path[64];
		struct place at = {.r = r, .path = path, .axis = axis};
		const cJSON *value = cJSON_GetObjectItemCaseSensitive(policy, axis_name(axis));

		snprintf(path, sizeof(path), "policy.%s", axis_name(axis));
		if (value && !cJSON_IsNull(value) &&
		    read_choice(&at, value, &cfg->policy.choice[axis]))
			return -1;
		if (axis == AXIS_PARTIAL_ACCOUNTING)
			follow_accounting(&cfg->policy, accounting);
	}
	if (cfg->policy.slub_max_order >= 0 &&
	    cfg->policy.slub_min_order > cfg->policy.slub_max_order)
		return option_error(r, "policy.slub_min_order", "%d, but slub_max_order is %d",
				    cfg->policy.slub_min_order, cfg->policy.slub_max_order);
	return 0;
}

/* ---- what is in force ---- */

static cJSON *write_number(const struct policy_choice *choice)
{
	double number = (double)choice->number;

	if (choice->policy->takes_fraction)
		number /= POLICY_UNIT;
	return cJSON_CreateNumber(number);
}

struct cJSON *config_write_policy(const struct config_option *opt, const struct cJSON *given,
				  const void *base, struct error *err)
{
	const struct policy_choice *choice =
	    &((const struct config *)base)->policy.choice[opt->min];
	const struct policy *p = choice->policy;
	cJSON *value, *number;

	(void)given;
	if (!p->takes_number) {
		value = cJSON_CreateString(p->name);
	} else if (p->plain_number) {
		value = write_number(choice);
	} else {
		value = cJSON_CreateObject();
		number = write_number(choice);
		if (!number || !cJSON_AddItemToObject(value, p->name, number)) {
			cJSON_Delete(number);
			cJSON_Delete(value);
			value = NULL;
		} else if (choice->of && !cJSON_AddStringToObject(value, "of", choice->of->name)) {
			cJSON_Delete(value);
			value = NULL;
		}
	}
	if (!value)
		error_memory(err, "the configuration");
	return value;
}
