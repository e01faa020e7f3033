#include "workloads/distribution.h"

#include <cjson/cJSON.h>
#include <gsl/gsl_randist.h>
#include <math.h>

#define MAX_VALUE 1e15

static bool number(const cJSON *object, const char *key, double *value)
{
	const cJSON *item = cJSON_GetObjectItemCaseSensitive(object, key);

	*value = cJSON_IsNumber(item) ? item->valuedouble : 0;
	return *value > 0 && *value <= MAX_VALUE && cJSON_GetArraySize(object) == 2;
}

static bool read_uniform(const cJSON *value, struct distribution *d)
{
	const cJSON *from = cJSON_GetArrayItem(value, 0), *to = cJSON_GetArrayItem(value, 1);

	if (!cJSON_IsArray(value) || cJSON_GetArraySize(value) != 2 || !cJSON_IsNumber(from) ||
	    !cJSON_IsNumber(to))
		return false;
	*d = (struct distribution){
	    .kind = DIST_UNIFORM, .a = from->valuedouble, .b = to->valuedouble};
	return d->a >= 0 && d->b >= d->a && d->b <= MAX_VALUE;
}

static bool read_quantiles(const cJSON *value, struct distribution *d)
{
	const cJSON *item;
	double before = 0;

	*d = (struct distribution){.kind = DIST_QUANTILES};
	cJSON_ArrayForEach (item, value) {
		if (!cJSON_IsNumber(item) || d->n == DIST_MAX_QUANTILES ||
		    !(item->valuedouble >= before) || item->valuedouble > MAX_VALUE)
			return false;
		before = d->q[d->n++] = item->valuedouble;
	}
	return cJSON_IsArray(value) && d->n >= 2;
}

static bool read_named(const cJSON *item, struct distribution *d)
{
	const char *name = item->string;

	if (!strcmp(name, "exponential")) {
		*d = (struct distribution){.kind = DIST_EXPONENTIAL, .a = item->valuedouble};
		return cJSON_IsNumber(item) && d->a >= 0 && d->a <= MAX_VALUE;
	}
	if (!strcmp(name, "uniform"))
		return read_uniform(item, d);
	if (!strcmp(name, "lognormal")) {
		d->kind = DIST_LOGNORMAL;
		if (!number(item, "mean", &d->a) || !number(item, "sigma", &d->b) || d->b > 10)
			return false;
		/* GSL's zeta is the mean of the logarithm. */
		d->a = log(d->a) - d->b * d->b / 2;
		return true;
	}
	if (!strcmp(name, "weibull")) {
		d->kind = DIST_WEIBULL;
		return number(item, "scale", &d->a) && number(item, "shape", &d->b);
	}
	if (!strcmp(name, "pareto")) {
		d->kind = DIST_PARETO;
		return number(item, "scale", &d->b) && number(item, "shape", &d->a) && d->a > 1;
	}
	if (!strcmp(name, "quantiles"))
		return read_quantiles(item, d);
	return false;
}

struct distribution params_distribution(struct model_params *p, const char *key,
					const struct distribution *def)
{
	struct distribution d = *def;
	const cJSON *item = params_item(p, key);
	bool good;

	if (!item)
		return d;
	if (cJSON_IsNumber(item)) {
		d = (struct distribution){.kind = DIST_CONSTANT, .a = item->valuedouble};
		good = d.a >= 0 && d.a <= MAX_VALUE;
	} else {
		good = cJSON_IsObject(item) && cJSON_GetArraySize(item) == 1 &&
		       read_named(item->child, &d);
	}
	if (!good)
		params_error(
		    p, key,
		    "a number, or one of {\"exponential\": MEAN}, {\"uniform\": [A, B]}, "
		    "{\"lognormal\": {\"mean\", \"sigma\"}}, {\"weibull\": {\"scale\", "
		    "\"shape\"}}, {\"pareto\": {\"scale\", \"shape\" > 1}}, {\"quantiles\": "
		    "[2 to %d ascending numbers]} is wanted, of numbers from 0 to %g",
		    DIST_MAX_QUANTILES, MAX_VALUE);
	return d;
}

/* Of draw_quantile() between two quantiles. */
static double mean_between(double low, double high)
{
	if (low <= 0 || high - low < 1e-9 * high)
		return (low + high) / 2;
	return (high - low) / log(high / low);
}

double distribution_mean(const struct distribution *d)
{
	double sum = 0;

	switch (d->kind) {
	case DIST_CONSTANT:
	case DIST_EXPONENTIAL:
		return d->a;
	case DIST_UNIFORM:
		return (d->a + d->b) / 2;
	case DIST_LOGNORMAL:
		return exp(d->a + d->b * d->b / 2);
	case DIST_WEIBULL:
		return d->a * tgamma(1 + 1 / d->b);
	case DIST_PARETO:
		return d->a * d->b / (d->a - 1);
	case DIST_QUANTILES:
		for (unsigned i = 0; i + 1 < d->n; i++)
			sum += mean_between(d->q[i], d->q[i + 1]);
		return sum / (d->n - 1);
	}
	return 0;
}

/* Logarithmic between two quantiles, as far as there are logarithms. */
static double draw_quantile(const struct distribution *d, double u)
{
	double at = u * (d->n - 1), low, high;
	unsigned i = (unsigned)at < d->n - 1 ? (unsigned)at : d->n - 2;

	low = d->q[i];
	high = d->q[i + 1];
	at -= i;
	return low > 0 ? low * pow(high / low, at) : low + (high - low) * at;
}

double distribution_draw(const struct distribution *d, gsl_rng *rng)
{
	double value = d->a;

	switch (d->kind) {
	case DIST_CONSTANT:
		break;
	case DIST_EXPONENTIAL:
		value = gsl_ran_exponential(rng, d->a);
		break;
	case DIST_UNIFORM:
		value = gsl_ran_flat(rng, d->a, d->b);
		break;
	case DIST_LOGNORMAL:
		value = gsl_ran_lognormal(rng, d->a, d->b);
		break;
	case DIST_WEIBULL:
		value = gsl_ran_weibull(rng, d->a, d->b);
		break;
	case DIST_PARETO:
		value = gsl_ran_pareto(rng, d->a, d->b);
		break;
	case DIST_QUANTILES:
		value = draw_quantile(d, gsl_rng_uniform(rng));
		break;
	}
	return value < MAX_VALUE ? value : MAX_VALUE;
}
