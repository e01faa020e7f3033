/* The script for gnuplot: what is drawn, as variables and data blocks; and the template. */
#include <ctype.h>
#include <math.h>

#include "sim/chart/plot_part.h"

int plot_write_text(FILE *out, const struct plot *p, const char *name, const char *text,
		    struct error *err)
{
	int ret;

	fprintf(out, "%s = ", name);
	ret = plot_write_label(out, p, "", text, err);
	putc('\n', out);
	return ret;
}

int plot_write_array(FILE *out, const struct plot *p, const char *name, unsigned n,
		     const char *(*get)(const void *arg, unsigned i), const void *arg,
		     struct error *err)
{
	double width = 0;

	fprintf(out, "array %s[%u] = [", name, n);
	for (unsigned i = 0; i < n; i++) {
		fputs(i ? ", " : "", out);
		if (plot_write_label(out, p, "", get(arg, i), err))
			return -1;
		width = fmax(width, plot_text_width(get(arg, i)));
	}
	fprintf(out, "]\n%s_width = %.0f\n", name, width);
	return 0;
}

void plot_write_metric(FILE *out, const char *name, unsigned metric, double most)
{
	const struct scale *scale = metric_scale(metric_unit(metric), most);
	char heading[120];

	fprintf(out, "%s_title = ", name);
	plot_write_words(out, metric_title(metric));
	fprintf(out, "\n%s_heading = ", name);
	snprintf(heading, sizeof(heading), "%s", metric_title(metric));
	/* names of counters stay as they are */
	if (metric >= NR_STAT_ITEMS)
		heading[0] = (char)toupper((unsigned char)heading[0]);
	plot_write_words(out, heading);
	fprintf(out, "\n%s_unit = \"%s\"\n%s_scale = %.1f\n", name, scale->text, name, scale->by);
}

static int labels(FILE *out, const struct plot_data *d, struct error *err)
{
	const struct published *published = NULL;
	unsigned i;

	/* lines say it in their legend */
	if (d->nr_bars > d->nr_points && d->plot->kind->max_points)
		published = d->plot->published;
	fprintf(out, "n = %u\nnr_results = %u\n", d->nr_bars, d->nr_points);
	if (plot_write_heading(out, d->plot, "cache", d->plot->metrics->title, err) ||
	    plot_write_heading(out, d->plot, "run", plot_data_run(d), err) ||
	    plot_write_text(out, d->plot, "source", published ? published->title : "", err))
		return -1;
	/* Of many points only some are drawn one by one. */
	if (!d->plot->kind->max_points)
		return 0;
	fprintf(out, "array label[%u] = [", d->nr_bars);
	for (i = 0; i < d->nr_bars; i++) {
		char *text = i < d->nr_points ? plot_point_label(d->plot, d->points[i], err) : NULL;
		int ret = -1;

		fputs(i ? ", " : "", out);
		if (text || i >= d->nr_points)
			ret = plot_write_label(out, d->plot, d->bars[i].prefix,
					       text ? text : d->bars[i].label, err);
		free(text);
		if (ret)
			return -1;
	}
	fputs("]\n", out);
	return 0;
}

int plot_script(FILE *out, const struct plot *p, const char *plots, const char *output,
		struct error *err)
{
	struct plot_data d;
	int ret;

	fputs("# Drawn by gnuplot: gnuplot THIS_FILE\nset encoding utf8\n", out);
	fprintf(out, "terminal = \"%s\"\n", p->terminal);
	plot_write_path(out, "output", output);
	plot_write_path(out, "plots", plots);
	fprintf(out, "wanted_width = %u\ntitled = %d\n", p->width, !p->untitled);
	ret = plot_data_init(&d, p, err);
	if (!ret)
		ret = labels(out, &d, err);
	if (!ret)
		ret = p->kind->data(out, &d, err);
	plot_data_free(&d);
	fprintf(out, "load plots . \"/%s.gp\"\n", p->kind->name);
	return ret;
}

char *plot_description(const struct plot *p, struct error *err)
{
	struct plot_data d;
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);
	int ret;

	if (!out) {
		error_memory(err, "a chart");
		return NULL;
	}
	ret = plot_data_init(&d, p, err);
	if (!ret) {
		fprintf(out, "%s, of %s.", p->kind->summary, p->metrics->title);
		if (p->kind->describe) {
			putc(' ', out);
			p->kind->describe(out, &d);
		}
	}
	plot_data_free(&d);
	if (fclose(out) && !ret)
		ret = error_memory(err, "a chart");
	if (ret) {
		free(text);
		return NULL;
	}
	return text;
}
