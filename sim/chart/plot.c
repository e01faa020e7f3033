#include <limits.h>
#include <unistd.h>

#include "sim/file.h"
#include "sim/chart/gnuplot.h"
#include "sim/chart/plot_part.h"

static int demo_data(FILE *out, const struct plot_data *d, struct error *err)
{
	return plot_counters_data(out, d, err) || plot_series_data(out, d, err) ? -1 : 0;
}

static int waste_text(FILE *out, const struct plot_data *d, struct error *err)
{
	(void)out;
	(void)d;
	return error_input(err, "waste has too many lines for a terminal; slabsim order prints it "
				"as a table");
}

static const struct plot_kind kinds[] = {
    {.name = "counters",
     .summary = "Counters in per cent of the objects allocated, as bars",
     .max_points = PLOT_MAX_POINTS,
     .published = true,
     .data = plot_counters_data,
     .text = plot_counters_text,
     .describe = plot_counters_describe},
    {.name = "paths",
     .summary = "Where objects come from and go to, as shares",
     .max_points = PLOT_MAX_ROWS,
     .data = plot_paths_data,
     .text = plot_paths_text,
     .describe = plot_paths_describe},
    {.name = "memory",
     .summary = "Memory over the run",
     .max_points = PLOT_MAX_POINTS,
     .series = true,
     .data = plot_series_data,
     .describe = plot_series_describe},
    {.name = "partial",
     .summary = "Slabs on the nodes' partial lists over the run",
     .max_points = PLOT_MAX_POINTS,
     .series = true,
     .data = plot_series_data,
     .describe = plot_series_describe},
    {.name = "demo",
     .summary = "Counters and memory in one figure",
     .max_points = PLOT_MAX_POINTS,
     .series = true,
     .published = true,
     .data = demo_data,
     .describe = plot_counters_describe},
    {.name = "waste",
     .summary = "Waste at the ends of slabs against the size of an object",
     .max_points = 8,
     .data = plot_waste_data,
     .text = waste_text},
    {.name = "lines",
     .summary = "A figure along an axis, with its confidence band",
     .published = true,
     .data = plot_lines_data,
     .describe = plot_lines_describe},
    {.name = "heat",
     .summary = "A figure over two axes, as a map",
     .data = plot_heat_data,
     .text = plot_heat_text},
    {.name = "pareto",
     .summary = "Two figures of every point, and those that no point beats in both",
     .data = plot_pareto_data,
     .describe = plot_pareto_describe},
    {.name = "cdf",
     .summary = "Latency: the share of operations that take longer",
     .max_points = PLOT_MAX_POINTS,
     .data = plot_cdf_data},
    {.name = "causes",
     .summary = "What operations spend their time on",
     .max_points = PLOT_MAX_ROWS,
     .data = plot_causes_data,
     .text = plot_causes_text},
    {.name = "lock",
     .summary = "Waiting for list_lock against the number of CPUs",
     .data = plot_lock_data,
     .describe = plot_lines_describe},
};

const struct plot_kind *plot_kind_nth(size_t i)
{
	return i < sizeof(kinds) / sizeof(kinds[0]) ? &kinds[i] : NULL;
}

const struct plot_kind *plot_kind_find(const char *name)
{
	const struct plot_kind *k;
	size_t i;

	for (i = 0; (k = plot_kind_nth(i)); i++)
		if (strcmp(k->name, name) == 0)
			return k;
	return NULL;
}

struct plot plot_new(const struct plot_kind *kind, const char *terminal,
		     const struct metrics *metrics)
{
	return (struct plot){
	    .kind = kind,
	    .terminal = terminal,
	    .metrics = metrics,
	    .metric = PLOT_DEFAULT,
	    .metric_x = PLOT_DEFAULT,
	    .x = PLOT_DEFAULT,
	    .by = PLOT_DEFAULT,
	};
}

/* FOLDER if the templates are in it, as an absolute path; or NULL. */
static char *templates_in(const char *folder)
{
	char *style, *found = NULL;

	if (asprintf(&style, "%s/style.gp", folder) < 0)
		return NULL;
	if (access(style, R_OK) == 0)
		found = realpath(folder, NULL);
	free(style);
	return found;
}

/* The folder the program is in, with more behind it. */
static char *beside_program(const char *more)
{
	char program[PATH_MAX], folder[PATH_MAX + 64], *slash;
	ssize_t n = readlink("/proc/self/exe", program, sizeof(program) - 1);

	if (n < 0)
		return NULL;
	program[n] = 0;
	slash = strrchr(program, '/');
	if (!slash)
		return NULL;
	*slash = 0;
	snprintf(folder, sizeof(folder), "%s/%s", program, more);
	return templates_in(folder);
}

char *plot_folder(struct error *err)
{
	const char *wanted = getenv("SLABSIM_PLOTS");
	char *found;

	if (wanted && *wanted) {
		found = templates_in(wanted);
		if (!found)
			error_input(err, "SLABSIM_PLOTS=%s: no plot templates (style.gp) there",
				    wanted);
		return found;
	}
	found = beside_program("plots");
	if (!found)
		found = beside_program("../share/slabsim/plots");
#ifdef PLOTDIR
	if (!found)
		found = templates_in(PLOTDIR);
#endif
	if (!found)
		found = templates_in("plots");
	if (!found)
		error_failed(err, "the plot templates are not installed; set SLABSIM_PLOTS to the "
				  "folder plots/ of the sources");
	return found;
}

/* A PDF says when it was made; the same results should make the same file. */
static void forget_date(char *pdf, size_t n)
{
	static const char key[] = "/CreationDate (D:", never[] = "19700101000000";
	char *at = memmem(pdf, n, key, sizeof(key) - 1);

	if (at && (size_t)(at - pdf) + sizeof(key) + sizeof(never) < n)
		memcpy(at + sizeof(key) - 1, never, sizeof(never) - 1);
}

char *plot_picture(const struct plot *p, const char *plots, size_t *len, struct error *err)
{
	char *text = NULL, *picture = NULL;
	size_t n;
	FILE *mem = open_memstream(&text, &n);
	int ret;

	if (!mem) {
		error_memory(err, "a chart");
		return NULL;
	}
	ret = plot_script(mem, p, plots, "", err);
	if (fclose(mem) && !ret)
		ret = error_memory(err, "a chart");
	if (!ret)
		picture = gnuplot_draw(text, n, len, err);
	free(text);
	if (picture && strcmp(p->terminal, "pdf") == 0)
		forget_date(picture, *len);
	return picture;
}

/* Leave the script that draws output beside it; its name is put into name, to be freed. */
static int leave_script(const struct plot *p, const char *plots, const char *output, char **name,
			struct error *err)
{
	struct out_file out;
	int ret;

	if (asprintf(name, "%s.gp", output) < 0) {
		*name = NULL;
		return error_memory(err, "a file name");
	}
	if (file_create(&out, *name, err))
		return -1;
	ret = plot_script(out.stream, p, plots, output, err);
	if (ret)
		file_abandon(&out);
	else
		ret = file_commit(&out, err);
	return ret;
}

static int draw_file(const struct plot *p, const char *plots, const char *output, bool keep,
		     struct error *err)
{
	struct error kept = {0};
	char *script = NULL, *picture;
	size_t n;
	int ret;

	if (file_check_writable(output, err))
		return -1;
	picture = plot_picture(p, plots, &n, err);
	if (picture) {
		ret = file_write(output, picture, n, err);
		free(picture);
		if (!ret && keep)
			ret = leave_script(p, plots, output, &script, err);
		free(script);
		return ret;
	}
	/* What the results lack is not mended by running gnuplot by hand. */
	if (err->kind == ERROR_FAILED && leave_script(p, plots, output, &script, &kept) == 0) {
		struct error first = *err;

		err->kind = ERROR_NONE;
		error_failed(err,
			     "%.700s; the chart's script, with the data, is in %.120s: "
			     "gnuplot can draw it later",
			     first.text, script);
	}
	free(script);
	return -1;
}

static int draw_text(const struct plot *p,
		     int (*text)(FILE *, const struct plot_data *, struct error *),
		     struct error *err)
{
	struct plot_data d;
	int ret = plot_data_init(&d, p, err);

	if (!ret)
		ret = text(stdout, &d, err);
	plot_data_free(&d);
	return ret;
}

/* To standard output: bars and tables by ourselves, lines by gnuplot. */
static int draw_here(const struct plot *p, const char *plots, struct error *err)
{
	struct plot part = *p;
	char *picture;
	size_t n;

	if (p->kind->text)
		return draw_text(p, p->kind->text, err);
	if (p->kind->data == demo_data) {
		if (draw_text(p, plot_counters_text, err))
			return -1;
		part.kind = plot_kind_find("memory");
	}
	picture = plot_picture(&part, plots, &n, err);
	if (!picture)
		return -1;
	fwrite(picture, 1, n, stdout);
	free(picture);
	return 0;
}

int plot_draw(const struct plot *p, const char *output, bool keep, struct error *err)
{
	char *plots = plot_folder(err);
	int ret;

	if (!plots)
		return -1;
	ret = output ? draw_file(p, plots, output, keep, err) : draw_here(p, plots, err);
	free(plots);
	return ret;
}
