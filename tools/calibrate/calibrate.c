/*
 * Fit settings of a config to the counters a kernel is published to have counted.
 *
 * In rounds: the config is run at points spread evenly over a box of the settings (a Sobol
 * sequence, in their logarithms), with several seeds; the logarithm of every row's share of the
 * allocations is fitted as a quadratic surface; where the surfaces come nearest to the published
 * shares is the centre of the next round's box, which is half as long each way. Nothing but the
 * one column that is named is looked at.
 */
#include <cjson/cJSON.h>
#include <getopt.h>
#include <gsl/gsl_qrng.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sim/policy.h"
#include "points.h"
#include "surface.h"

static const char help[] =
    "Usage: calibrate CONFIG.json --published FILE --vary PATH=FROM:TO... [options]\n"
    "\n"
    "      --column N        of the published table, from 1 on (1)\n"
    "      --cache NAME      whose counters (the table's)\n"
    "      --least PERCENT   rows of at least that share of the allocations (1)\n"
    "      --samples N       points a round (40)\n"
    "      --rounds N        (3)\n"
    "      --seeds N         runs at each point (2)\n"
    "      --jobs N          at a time (1)\n"
    "\n"
    "Prints every round's best point and how far each row is off there, and at the end the\n"
    "settings, and the rows as they came out of runs with other seeds.\n";

/* ---- rounds ---- */

static void show_settings(const struct calibration *k, const double *x)
{
	for (unsigned i = 0; i < k->nr_vary; i++)
		printf("  %s = %.4g\n", k->vary[i].path, exp(x[i]));
}

static void show_rows(const struct calibration *k, const double *figure)
{
	double sum = 0;

	for (unsigned r = 0; r < k->nr_rows; r++) {
		double off = exp(figure[r]) / k->row[r]->share - 1;

		sum += off * off;
		printf("  %-22s %8.3f %%  published %8.3f %%  %+6.1f %%\n", k->row[r]->name,
		       exp(figure[r]), k->row[r]->share, 100 * off);
	}
	printf("  root mean square %.1f %%\n", 100 * sqrt(sum / k->nr_rows));
	fflush(stdout);
}

/* A line for every point that was run: its settings, its rows in per cent, how far they are off. */
static void show_points(const struct calibration *k, const double *x, const double *figure)
{
	for (unsigned p = 0; p < k->samples; p++, x += k->nr_vary, figure += k->nr_rows) {
		double sum = 0;

		printf("  point");
		for (unsigned i = 0; i < k->nr_vary; i++)
			printf(" %.4g", exp(x[i]));
		printf(":");
		for (unsigned r = 0; r < k->nr_rows; r++) {
			double off = exp(figure[r]) / k->row[r]->share - 1;

			printf(" %.3f", exp(figure[r]));
			sum += off * off;
		}
		printf("; off by %.1f %%\n", 100 * sqrt(sum / k->nr_rows));
	}
}

/* From -1 ... 1 to the logarithm of the setting, in this round's box. */
static double to_setting(const struct vary *v, double u)
{
	return v->low + (u + 1) / 2 * (v->high - v->low);
}

static void shrink_box(struct calibration *k, const double *x)
{
	for (unsigned i = 0; i < k->nr_vary; i++) {
		struct vary *v = &k->vary[i];
		double half = (v->high - v->low) / 4;

		v->low = x[i] - half > v->from ? x[i] - half : v->from;
		v->high = x[i] + half < v->to ? x[i] + half : v->to;
	}
}

static int do_round(struct calibration *k, unsigned round, double *best, struct error *err)
{
	size_t n = k->samples, dim = k->nr_vary;
	double *u = calloc(n * dim, sizeof(*u)), *x = calloc(n * dim, sizeof(*x));
	double *figure = calloc(n * k->nr_rows, sizeof(*figure));
	double *coef = calloc(k->nr_rows * surface_terms(dim), sizeof(*coef));
	double wanted[MAX_ROWS], weight[MAX_ROWS], at[MAX_ROWS];
	struct surface s = {dim, k->nr_rows, n, u, figure, wanted, weight, coef};
	gsl_qrng *q = gsl_qrng_alloc(gsl_qrng_sobol, (unsigned)dim);
	int ret;

	for (size_t i = 0; i < n; i++) {
		gsl_qrng_get(q, &u[i * dim]);
		for (size_t d = 0; d < dim; d++) {
			u[i * dim + d] = 2 * u[i * dim + d] - 1;
			x[i * dim + d] = to_setting(&k->vary[d], u[i * dim + d]);
		}
	}
	gsl_qrng_free(q);
	for (unsigned r = 0; r < k->nr_rows; r++) {
		wanted[r] = log(k->row[r]->share);
		weight[r] = 1;
	}
	ret = run_points(k, x, n, 1, figure, err);
	if (!ret) {
		show_points(k, x, figure);
		ret = surface_fit(&s, err) || surface_nearest(&s, best, err);
	}
	if (!ret) {
		for (unsigned r = 0; r < k->nr_rows; r++)
			at[r] = surface_at(&s, r, best);
		for (size_t d = 0; d < dim; d++)
			best[d] = to_setting(&k->vary[d], best[d]);
		printf("round %u: best by the surface\n", round);
		show_settings(k, best);
		show_rows(k, at);
		shrink_box(k, best);
	}
	free(u);
	free(x);
	free(figure);
	free(coef);
	return ret;
}

static int calibrate(struct calibration *k, struct error *err)
{
	double best[SURFACE_MAX_DIM], figure[MAX_ROWS];

	if (k->samples < surface_terms(k->nr_vary) + 4)
		return error_input(err, "--samples: %u settings need at least %zu", k->nr_vary,
				   surface_terms(k->nr_vary) + 4);
	for (unsigned round = 1; round <= k->rounds; round++)
		if (do_round(k, round, best, err))
			return -1;
	/* Seeds that no round has used. */
	k->seeds = 2 * k->seeds > 4 ? 2 * k->seeds : 4;
	if (run_points(k, best, 1, 1001, figure, err))
		return -1;
	printf("result, with %u other seeds\n", k->seeds);
	show_settings(k, best);
	show_rows(k, figure);
	return 0;
}

/* ---- arguments ---- */

static int add_vary(struct calibration *k, const char *text, struct error *err)
{
	const char *equals = strchr(text, '=');
	struct vary *v = &k->vary[k->nr_vary];
	double from, to;

	if (!equals || sscanf(equals, "=%lf:%lf", &from, &to) != 2 || from <= 0 || to <= from)
		return error_input(err, "--vary: PATH=FROM:TO is wanted, 0 < FROM < TO, not %s",
				   text);
	if (k->nr_vary == SURFACE_MAX_DIM)
		return error_input(err, "--vary: at most %d settings", SURFACE_MAX_DIM);
	v->path = strndup(text, (size_t)(equals - text));
	v->from = v->low = log(from);
	v->to = v->high = log(to);
	k->nr_vary++;
	return v->path ? 0 : error_memory(err, "settings");
}

static int parse(struct calibration *k, int argc, char **argv, struct error *err)
{
	static const struct option options[] = {
	    {"published", required_argument, NULL, 'p'},
	    {"column", required_argument, NULL, 'n'},
	    {"cache", required_argument, NULL, 'c'},
	    {"least", required_argument, NULL, 'l'},
	    {"vary", required_argument, NULL, 'v'},
	    {"samples", required_argument, NULL, 's'},
	    {"rounds", required_argument, NULL, 'r'},
	    {"seeds", required_argument, NULL, 'd'},
	    {"jobs", required_argument, NULL, 'j'},
	    {"help", no_argument, NULL, 'h'},
	    {0},
	};
	int c;

	while ((c = getopt_long(argc, argv, "j:h", options, NULL)) != -1) {
		unsigned number = optarg ? (unsigned)strtoul(optarg, NULL, 10) : 0;

		switch (c) {
		case 'p':
			k->published = optarg;
			break;
		case 'c':
			k->cache = optarg;
			break;
		case 'l':
			k->least = strtod(optarg, NULL);
			break;
		case 'v':
			if (add_vary(k, optarg, err))
				return -1;
			break;
		case 'n':
			k->column = number;
			break;
		case 's':
			k->samples = number;
			break;
		case 'r':
			k->rounds = number;
			break;
		case 'd':
			k->seeds = number;
			break;
		case 'j':
			k->jobs = number;
			break;
		case 'h':
			fputs(help, stdout);
			exit(0);
		default:
			return error_input(err, "see calibrate --help");
		}
	}
	k->config = argv[optind];
	if (!k->config || argv[optind + 1] || !k->published || !k->nr_vary || !k->seeds || !k->jobs)
		return error_input(err, "a config, --published FILE and --vary are needed; see "
					"calibrate --help");
	return 0;
}

/* The column's policy becomes settings, its counters that matter rows. */
static int take_column(struct calibration *k, struct error *err)
{
	const cJSON *item;

	if (!k->column || k->column > k->pub.nr_columns)
		return error_input(err, "--column: the table has %u", k->pub.nr_columns);
	k->col = &k->pub.columns[k->column - 1];
	k->cache = k->cache ? k->cache : k->pub.cache;
	cJSON_ArrayForEach (item, k->col->policy) {
		char *text = cJSON_PrintUnformatted(item);

		if (k->nr_policy == 16 || !text ||
		    asprintf(&k->policy[k->nr_policy++], "policy.%s=%s", item->string, text) < 0)
			return error_memory(err, "settings");
		free(text);
	}
	for (unsigned i = 0; i < k->col->nr_rows && k->nr_rows < MAX_ROWS; i++) {
		const struct published_row *r = &k->col->rows[i];

		if (r->counter && r->share >= k->least && !strchr(r->name, '+'))
			k->row[k->nr_rows++] = r;
	}
	printf("%s, column %u: %s, %u rows of at least %g %%\n", k->published, k->column,
	       k->col->name, k->nr_rows, k->least);
	return 0;
}

int main(int argc, char **argv)
{
	struct calibration k = {
	    .column = 1, .samples = 40, .rounds = 3, .seeds = 2, .jobs = 1, .least = 1};
	struct error err = {0};

	if (policies_init(&err) || parse(&k, argc, argv, &err) ||
	    published_load(&k.pub, k.published, k.cache, &err) || take_column(&k, &err) ||
	    calibrate(&k, &err)) {
		fprintf(stderr, "calibrate: %s\n", err.text);
		return err.kind;
	}
	published_free(&k.pub);
	return 0;
}
