/* Charts: the script, what gnuplot makes of it, and what names cannot do to it. */
#include <sys/stat.h>
#include <unistd.h>

#include "tests/result_folder.h"
#include "sim/cmd/command.h"
#include "sim/chart/plot_part.h"

extern const struct command cmd_plot;

static char *slurp(const char *path, size_t *n)
{
	char *text = NULL;
	size_t cap = 0;
	FILE *f = fopen(path, "r");

	if (!f)
		return NULL;
	*n = 0;
	while (!feof(f)) {
		text = realloc(text, cap += 65536);
		assert_non_null(text);
		*n += fread(text + *n, 1, cap - *n - 1, f);
	}
	fclose(f);
	text[*n] = 0;
	return text;
}

static int plot(struct error *err, ...)
{
	char *argv[24] = {(char *)"plot"};
	int argc = 1, ret;
	va_list ap;

	va_start(ap, err);
	while ((argv[argc] = va_arg(ap, char *)))
		argc++;
	va_end(ap);
	memset(err, 0, sizeof(*err));
	ret = cmd_plot.run(argc, argv, err);
	assert_int_equal(ret == 0, err->kind == ERROR_NONE);
	return ret;
}

static bool have_gnuplot(void)
{
	return system("command -v gnuplot >/dev/null") == 0;
}

static void assert_error(struct error *err, enum error_kind kind, const char *part)
{
	assert_int_equal(err->kind, kind);
	if (!strstr(err->text, part))
		fail_msg("\"%s\" is not in \"%s\"", part, err->text);
}

/* The files' results and their figures, together. */
struct loaded {
	struct runs runs;
	struct metrics metrics;
};

static void load_files(struct loaded *l, char **file, unsigned n, const char *cache)
{
	struct error err = {0};

	if (runs_load(&l->runs, file, n, &err) || metrics_init(&l->metrics, &l->runs, cache, &err))
		fail_msg("%s", err.text);
}

static void unload(struct loaded *l, char **file, unsigned n)
{
	metrics_free(&l->metrics);
	runs_free(&l->runs);
	for (unsigned i = 0; i < n; i++) {
		unlink(file[i]);
		free(file[i]);
	}
}

static void test_script(void **state)
{
	char *file[2] = {put(0, "a.json", NULL, NULL), put(1, "b.json", NULL, NULL)}, *text;
	struct error err = {0};
	struct loaded l;
	struct plot p;
	size_t n;
	unsigned i;
	FILE *mem = open_memstream(&text, &n);

	(void)state;
	load_files(&l, file, 2, NULL);
	p = plot_new(plot_kind_find("demo"), "svg", &l.metrics);
	/* the clock of a trace began with its machine; the axis does not */
	for (n = 0; n < 2; n++)
		for (i = 0; i < l.runs.r[n].caches[0].c.nr_series; i++)
			l.runs.r[n].caches[0].c.series[i].time_ns += 4400000000;
	assert_int_equal(plot_script(mem, &p, "/usr/share/slabsim/plots", "a-1.svg", &err), 0);
	fclose(mem);
	assert_golden("plot.gp", text);
	free(text);
	unload(&l, file, 2);
}

static char *label_of(const char *terminal, const char *text)
{
	struct plot p = {.terminal = terminal};
	struct error err = {0};
	char *out;
	size_t n;
	FILE *mem = open_memstream(&out, &n);

	assert_int_equal(plot_write_label(mem, &p, "", text, &err), 0);
	fclose(mem);
	return out;
}

static void test_labels(void **state)
{
	static const char *const cases[][3] = {
	    {"svg", "aZ 09", "\"aZ \\060\\071\""},
	    /* a digit behind an escape would be taken for a part of it */
	    {"svg", "a-2b3", "\"a\\055\\062b\\063\""},
	    {"svg", "`$\"\\'", "\"\\140\\044\\042\\134\\047\""},
	    {"svg", "\n", "\"\\134x\\060a\""},
	    {"svg", "\xc3\xa9\xe6\x97\xa5", "\"\\303\\251\\346\\227\\245\""},
	    /* no font has it for sure; cairo would fill the picture with a box */
	    {"png", "\xc3\xa9\xe6\x97\xa5", "\"\\303\\251\\077\""},
	    {"pdf", "\xe6\x97\xa5", "\"\\077\""},
	    /* U+202E turns the direction of writing; U+FFFF is not allowed in XML */
	    {"svg", "\xe2\x80\xae\xef\xbf\xbf", "\"\\077\\077\""},
	    {"svg", "\xff", "\"\\134xff\""},
	};
	char *out, longer[201];
	unsigned i;

	(void)state;
	for (i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		out = label_of(cases[i][0], cases[i][1]);
		assert_string_equal(out, cases[i][2]);
		free(out);
	}
	memset(longer, 'x', 100);
	memset(longer + 100, 'y', 100);
	longer[200] = 0;
	out = label_of("svg", longer);
	assert_non_null(strstr(out, "x\\342\\200\\246y"));
	free(out);
}

/* Pixels between the quotes of a label of letters, with the sign that something is left out. */
static double drawn_width(const char *label)
{
	char plain[1000];
	size_t n = 0;

	for (const char *c = label + 1; *c && *c != '"'; c++) {
		if (*c != '\\') {
			plain[n++] = *c;
			continue;
		}
		plain[n++] = (char)strtol(c + 1, NULL, 8);
		c += 3;
	}
	plain[n] = 0;
	return plot_text_width(plain);
}

/* What is left of a long name fits, whatever letters it is of and wherever it stands. */
static void test_widths(void **state)
{
	static const char *const letters[] = {"W", "i", "x", "\xe6\x97\xa5", "\xd0\x96"};
	static const struct {
		unsigned width;
		double label, heading, tic;
	} charts[] = {{0, 640, 450, 252}, {860, 640, 430, 241}, {400, 270, 200, 112}};

	(void)state;
	for (unsigned i = 0; i < sizeof(letters) / sizeof(letters[0]); i++)
		for (unsigned j = 0; j < sizeof(charts) / sizeof(charts[0]); j++) {
			struct plot p = {.terminal = "svg", .width = charts[j].width};
			double most[3] = {charts[j].label, charts[j].heading, charts[j].tic}, width;
			char longer[1000] = "", *out;
			struct error err = {0};

			for (unsigned k = 0; k < 200; k++)
				memcpy(longer + strlen(longer), letters[i], strlen(letters[i]) + 1);
			for (unsigned k = 0; k < 3; k++) {
				size_t n;
				FILE *mem = open_memstream(&out, &n);

				if (k == 0)
					plot_write_label(mem, &p, "", longer, &err);
				else if (k == 1)
					plot_write_heading(mem, &p, "x", longer, &err);
				else
					plot_write_tic(mem, &p, longer, &width, &err);
				fclose(mem);
				if (k == 1)
					assert_non_null(strstr(out, "x_width = "));
				width = drawn_width(strchr(out, '"'));
				if (width > most[k] || width < most[k] - 40)
					fail_msg("%s, %u: %.0f of %.0f", letters[i], k, width,
						 most[k]);
				free(out);
			}
		}
}

static const char *const kinds[] = {"counters", "memory", "partial", "demo", "paths", "pareto"};
#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))
static const char *const endings[] = {"svg", "png", "pdf"};

static void test_draws(void **state)
{
	static const char *const magic[] = {"<?xml", "\x89PNG", "%PDF-"};
	char *file[3] = {put(0, "a.json", NULL, NULL), put(1, "b.json", NULL, NULL),
			 put(2, "c.json", NULL, NULL)};
	unsigned i, j;

	(void)state;
	if (!have_gnuplot())
		skip();
	for (i = 0; i < NR_KINDS; i++) {
		for (j = 0; j < 3; j++) {
			char name[32], *out, *first, *again;
			struct error err;
			size_t n, m;

			snprintf(name, sizeof(name), "%s.%s", kinds[i], endings[j]);
			out = path_of(name);
			if (plot(&err, file[0], file[1], file[2], "-o", out, "--kind", kinds[i],
				 NULL))
				fail_msg("%s: %s", name, err.text);
			first = slurp(out, &n);
			assert_true(n > 1000);
			assert_memory_equal(first, magic[j], strlen(magic[j]));
			/* the same results, the same bytes; a PDF has the time in it by nature */
			if (j == 2 && i == 0)
				sleep(1);
			assert_int_equal(plot(&err, file[0], file[1], file[2], "-o", out, "--kind",
					      kinds[i], NULL),
					 0);
			again = slurp(out, &m);
			assert_int_equal(n, m);
			assert_memory_equal(first, again, n);
			free(first);
			free(again);
			unlink(out);
			free(out);
		}
	}
	for (i = 0; i < 3; i++) {
		unlink(file[i]);
		free(file[i]);
	}
}

/* Names may hold whatever they like: gnuplot draws them, no more. */
static void test_hostile_names(void **state)
{
	static const char *const names[] = {
	    "a<b>&\"q\" 'x' _x^{2} @y `touch PWNED` $(touch PWNED) $HOME",
	    "\"; system('touch PWNED'); \"",
	    "' . system(\"touch PWNED\") . '",
	    "| touch PWNED",
	    "END_OF_DATA\nsystem('touch PWNED')\n",
	    "</text><script>alert(1)</script>",
	    "\xe6\x97\xa5\xe2\x80\xae\xef\xbf\xbe\xff",
	    "",
	};
	char *file[8], *out, *text, *pwned = path_of("PWNED"), *old = getcwd(NULL, 0), *templates;
	struct error err;
	unsigned i, j;
	size_t n;

	(void)state;
	if (!have_gnuplot())
		skip();
	templates = plot_folder(&err);
	assert_non_null(templates);
	for (i = 0; i < 8; i++) {
		char name[] = "0.json";

		name[0] = (char)('0' + i);
		file[i] = put(i % 3, name, names[i], names[i % 6]);
	}
	assert_int_equal(setenv("SLABSIM_PLOTS", templates, 1), 0);
	assert_int_equal(chdir(folder), 0);
	for (j = 0; j < 3; j++) {
		/* and so may the name of the picture */
		assert_true(asprintf(&out, "-|touch PWNED`touch PWNED` \"'\\7.%s", endings[j]) > 0);
		if (plot(&err, file[0], file[1], file[2], file[3], file[4], file[5], file[6],
			 file[7], "--kind", "demo", "-o", out, NULL))
			fail_msg("%s: %s", out, err.text);
		assert_int_not_equal(access(pwned, F_OK), 0);
		text = slurp(out, &n);
		assert_true(n > 1000);
		if (j == 0) {
			assert_null(strstr(text, "<script"));
			assert_non_null(strstr(text, "<text>&lt;/text&gt;&lt;script&gt;")
					    ?: strstr(text, "<text>&lt;/text>&lt;script>"));
			assert_non_null(strstr(text, "`touch PWNED` $(touch PWNED) $HOME"));
			assert_null(strstr(text, "\xef\xbf\xbe"));
		}
		free(text);
		assert_int_equal(unlink(out), 0);
		free(out);
	}
	assert_int_equal(chdir(old), 0);
	unsetenv("SLABSIM_PLOTS");
	for (i = 0; i < 8; i++) {
		unlink(file[i]);
		free(file[i]);
	}
	free(templates);
	free(pwned);
	free(old);
}

/* Without gnuplot the script stays, and draws the picture when there is one. */
static void test_no_gnuplot(void **state)
{
	char *file = put(0, "a.json", NULL, NULL), *out = path_of("none.svg"),
	     *script = path_of("none.svg.gp"), *path = strdup(getenv("PATH") ?: ""), *text,
	     *command;
	struct error err;
	size_t n;

	(void)state;
	assert_int_equal(setenv("PATH", "/nonexistent", 1), 0);
	assert_int_equal(plot(&err, file, "-o", out, NULL), -1);
	assert_int_equal(setenv("PATH", path, 1), 0);
	assert_error(&err, ERROR_FAILED, "gnuplot is not installed");
	assert_error(&err, ERROR_FAILED, script);
	assert_int_not_equal(access(out, F_OK), 0);
	text = slurp(script, &n);
	assert_non_null(text);
	assert_non_null(strstr(text, "alloc_fastpath 91.78"));
	free(text);
	assert_true(asprintf(&command, "gnuplot -d %s", script) > 0);
	if (have_gnuplot()) {
		assert_int_equal(system(command), 0);
		assert_int_equal(unlink(out), 0);
	}
	free(command);
	unlink(script);
	unlink(file);
	free(file);
	free(out);
	free(script);
	free(path);
}

static void test_keep(void **state)
{
	char *file = put(0, "a.json", NULL, NULL), *out = path_of("kept.svg"),
	     *script = path_of("kept.svg.gp");
	struct error err;

	(void)state;
	if (!have_gnuplot())
		skip();
	assert_int_equal(plot(&err, file, "-o", out, "--keep", NULL), 0);
	assert_int_equal(unlink(out), 0);
	assert_int_equal(unlink(script), 0);
	unlink(file);
	free(file);
	free(out);
	free(script);
}

static void test_errors(void **state)
{
	char *file = put(0, "a.json", NULL, NULL), *out = path_of("x.svg"),
	     *other = put(2, "b.json", NULL, NULL);
	struct error err;

	(void)state;
	plot(&err, NULL);
	assert_error(&err, ERROR_INPUT, "no result given");
	plot(&err, file, NULL);
	assert_error(&err, ERROR_INPUT, "either -o");
	plot(&err, file, "-o", out, "--terminal", NULL);
	assert_error(&err, ERROR_INPUT, "either -o");
	plot(&err, file, "-o", "x.gif", NULL);
	assert_error(&err, ERROR_INPUT, ".svg, .png or .pdf");
	plot(&err, file, "-o", out, "--kind", "memroy", NULL);
	assert_error(&err, ERROR_INPUT, "did you mean \"memory\"?");
	plot(&err, file, "-o", out, "--cache", "nope", NULL);
	assert_error(&err, ERROR_INPUT, "has no cache \"nope\"");
	plot(&err, file, other, "-o", out, "--kind", "heat", "--x", "cpu_partial", "--by",
	     "policy.cpu_partial", NULL);
	assert_error(&err, ERROR_INPUT, "--x and --by are both policy.cpu_partial");
	plot(&err, file, "-o", out, "--kind", "heat", NULL);
	assert_error(&err, ERROR_INPUT, "differ in 0; --kind lines");
	plot(&err, file, "-o", "/nonexistent/x.svg", NULL);
	assert_error(&err, ERROR_INPUT, "/nonexistent/x.svg");
	assert_int_equal(setenv("SLABSIM_PLOTS", "/nonexistent", 1), 0);
	plot(&err, file, "-o", out, NULL);
	assert_error(&err, ERROR_INPUT, "SLABSIM_PLOTS=/nonexistent");
	unsetenv("SLABSIM_PLOTS");
	assert_int_not_equal(access(out, F_OK), 0);
	unlink(file);
	unlink(other);
	free(file);
	free(other);
	free(out);
}

/* What a terminal gets. */
static void test_text_bars(void **state)
{
	char *file[2] = {put(0, "a.json", NULL, NULL), put(2, "b.json", NULL, NULL)}, *text;
	struct error err = {0};
	struct published pub;
	struct plot_data d;
	struct loaded l;
	struct plot p;
	size_t n;
	FILE *mem = open_memstream(&text, &n);

	(void)state;
	load_files(&l, file, 2, NULL);
	assert_int_equal(
	    published_load(&pub, "configs/published/lab-hackbench-g16.json", NULL, &err), 0);
	p = plot_new(plot_kind_find("counters"), "dumb", &l.metrics);
	p.published = &pub;
	assert_int_equal(plot_data_init(&d, &p, &err), 0);
	assert_int_equal(plot_counters_text(mem, &d, &err), 0);
	fclose(mem);
	assert_golden("plot-terminal.txt", text);
	free(text);
	plot_data_free(&d);
	published_free(&pub);
	unload(&l, file, 2);
}

/* Several caches are drawn together, in bytes where their sizes differ. */
static void test_all_caches(void **state)
{
	struct loaded_cache caches[2] = {
	    {.c = {.name = (char *)"a", .object_size = 8, .nr_series = 1}, .has = {true, true}},
	    {.c = {.name = (char *)"b", .object_size = 16, .nr_series = 1}, .has = {true, true}},
	};
	struct series_point points[2] = {{.event = 5, .objects = 3, .memory_total = 4096},
					 {.event = 5, .objects = 4, .memory_total = 8192}};
	struct loaded_result r = {.name = "r", .caches = caches, .nr_caches = 2};
	struct run_point point = {.label = (char *)"r", .nr = 1};
	struct runs runs = {.r = &r, .nr = 1, .points = &point, .nr_points = 1};
	struct error err = {0};
	struct metrics m;
	struct plot_data d;
	struct plot p;

	(void)state;
	caches[0].c.series = &points[0];
	caches[1].c.series = &points[1];
	caches[0].c.stat[ALLOC_FASTPATH] = 1;
	caches[1].c.stat[ALLOC_SLOWPATH] = 3;
	assert_int_equal(metrics_init(&m, &runs, NULL, &err), 0);
	assert_string_equal(m.title, "all caches");
	p = plot_new(plot_kind_find("demo"), "svg", &m);
	assert_int_equal(plot_data_init(&d, &p, &err), 0);
	assert_true(d.bars[0].share[ALLOC_FASTPATH] == 25);
	assert_int_equal(d.caches[0].c.series[0].memory_total, 12288);
	assert_int_equal(d.caches[0].c.series[0].objects * d.caches[0].c.object_size, 88);
	plot_data_free(&d);
	/* not of the same events: no sum */
	points[1].event = 6;
	assert_int_equal(plot_data_init(&d, &p, &err), 0);
	assert_int_equal(d.caches[0].c.nr_series, 0);
	plot_data_free(&d);
	metrics_free(&m);
	assert_int_equal(metrics_init(&m, &runs, "b", &err), 0);
	p.metrics = &m;
	assert_int_equal(plot_data_init(&d, &p, &err), 0);
	assert_string_equal(m.title, "b");
	assert_true(d.bars[0].share[ALLOC_SLOWPATH] == 100);
	plot_data_free(&d);
	metrics_free(&m);
}

/* Draw files, which are removed, as SVG; its text, to be freed. */
static char *svg_of(char **file, unsigned n, const char *kind, const char *metric)
{
	char *argv[32] = {(char *)"plot"}, *out = path_of("test.svg"), *text;
	struct error err = {0};
	int argc = 1;
	size_t size;

	for (unsigned i = 0; i < n; i++)
		argv[argc++] = file[i];
	argv[argc++] = (char *)"-o";
	argv[argc++] = out;
	argv[argc++] = (char *)"--kind";
	argv[argc++] = (char *)kind;
	if (metric) {
		argv[argc++] = (char *)"--metric";
		argv[argc++] = (char *)metric;
	}
	if (cmd_plot.run(argc, argv, &err))
		fail_msg("%s", err.text);
	text = slurp(out, &size);
	assert_non_null(text);
	unlink(out);
	free(out);
	for (unsigned i = 0; i < n; i++) {
		unlink(file[i]);
		free(file[i]);
	}
	return text;
}

/* A result with a limit of its own. */
static char *put_limit(const char *name, double limit)
{
	struct results res;
	cJSON *policy;
	char *path;

	fixture_results(&res, 1);
	policy = cJSON_GetObjectItemCaseSensitive(res.config, "policy");
	cJSON_SetNumberValue(cJSON_GetObjectItemCaseSensitive(policy, "cpu_partial"), limit);
	path = put_result(name, &res);
	results_free(&res);
	return path;
}

/* Numbers so uneven that they stand side by side: the axis says that it has no scale. */
static void test_not_to_scale(void **state)
{
	static const double limits[2][4] = {{0, 1, 13, 1000000}, {0, 10, 20, 30}};

	(void)state;
	if (!have_gnuplot())
		skip();
	for (unsigned uneven = 0; uneven < 2; uneven++) {
		const double *limit = limits[!uneven];
		char *file[4], *text, name[] = "0.json";

		for (unsigned i = 0; i < 4; i++, name[0]++)
			file[i] = put_limit(name, limit[i]);
		text = svg_of(file, 4, "lines", NULL);
		assert_non_null(strstr(text, uneven ? "<text>cpu_partial (not to scale)</text>"
						    : "<text>cpu_partial</text>"));
		free(text);
	}
}

/* A result with times of many causes. */
static char *put_causes(const char *name)
{
	static const char timing[] =
	    "{\"operations\": 1, \"causes\": {\"sheaf_object\": 9, \"sheaf\": 8, "
	    "\"lock_wait\": 7, \"slowpath\": 6, \"page_order\": 5, \"line_complex\": 4}}";
	char *path = put(0, name, NULL, NULL), *text;
	size_t size;
	cJSON *json;

	text = slurp(path, &size);
	json = cJSON_Parse(text);
	free(text);
	assert_non_null(json);
	cJSON_DeleteItemFromObject(json, "timing");
	cJSON_AddItemToObject(json, "timing", cJSON_Parse(timing));
	text = cJSON_Print(json);
	cJSON_Delete(json);
	free(path);
	path = put_text(name, text);
	free(text);
	return path;
}

/* Names of a legend's line do not reach into the box before the next. */
static void test_legend_columns(void **state)
{
	static const char place[] = "<g transform=\"translate(";
	char *file = put_causes("a.json"), *text, name[100], next[100];
	double x, y, next_x, next_y;
	unsigned pairs = 0;

	(void)state;
	if (!have_gnuplot())
		skip();
	text = svg_of(&file, 1, "causes", NULL);
	for (char *at = text; (at = strstr(at, place)); at++) {
		char *after = strstr(at + 1, place);

		if (!after ||
		    sscanf(at, "<g transform=\"translate(%lf,%lf)\"%*[^\n] <text>%99[^<]", &x, &y,
			   name) != 3 ||
		    sscanf(after, "<g transform=\"translate(%lf,%lf)\"%*[^\n] <text>%99[^<]",
			   &next_x, &next_y, next) != 3)
			continue;
		/* numbers are those of the axis */
		if (next_y != y || strspn(next, "0123456789."))
			continue;
		if (x + plot_text_width(name) > next_x - 27)
			fail_msg("\"%s\" at %.0f reaches \"%s\" at %.0f", name, x, next, next_x);
		pairs++;
	}
	assert_true(pairs >= 3);
	free(text);
}

/* However many points stand at one end of a front, the other has a name. */
static void test_front_ends(void **state)
{
	char *file[16], *text, name[] = "a.json";

	(void)state;
	if (!have_gnuplot())
		skip();
	for (unsigned i = 0; i < 15; i++, name[0]++)
		file[i] = put(1, name, name, NULL);
	file[15] = put(2, "z.json", "the other end", NULL);
	text = svg_of(file, 16, "pareto", "alloc_from_partial");
	assert_non_null(strstr(text, "<text>and 4 more on the front</text>"));
	assert_non_null(strstr(text, "the other end"));
	assert_non_null(strstr(text, "<text>1-11</text>"));
	free(text);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_script),	  cmocka_unit_test(test_labels),
	    cmocka_unit_test(test_widths),	  cmocka_unit_test(test_draws),
	    cmocka_unit_test(test_hostile_names), cmocka_unit_test(test_no_gnuplot),
	    cmocka_unit_test(test_keep),	  cmocka_unit_test(test_errors),
	    cmocka_unit_test(test_text_bars),	  cmocka_unit_test(test_all_caches),
	    cmocka_unit_test(test_not_to_scale),  cmocka_unit_test(test_legend_columns),
	    cmocka_unit_test(test_front_ends),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
