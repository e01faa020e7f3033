/* The page of slabsim report: escaping, charts made fit for it, what is in it. */
#include <sys/stat.h>
#include <unistd.h>

#include "tests/result_folder.h"
#include "sim/cmd/command.h"
#include "sim/chart/html.h"
#include "sim/chart/html_report.h"

extern const struct command cmd_report;

/* ---- text ---- */

static char *written(void (*write)(FILE *out, const char *s), const char *s)
{
	char *text;
	size_t n;
	FILE *out = open_memstream(&text, &n);

	write(out, s);
	fclose(out);
	return text;
}

static void test_text(void **state)
{
	static const char *const cases[][2] = {
	    {"<b>\"&'", "&lt;b&gt;&quot;&amp;&#39;"},
	    {"a\nb\x1b\xff", "a\\x0ab\\x1b\\xff"},
	    {"\xc3\xa9\xe6\x97\xa5", "\xc3\xa9\xe6\x97\xa5"},
	    {"\xc2\x85", "\\xc2\\x85"},
	    /* U+202E, U+2066 and U+2028 */
	    {"\xe2\x80\xae\xe2\x81\xa6\xe2\x80\xa8.", "???."},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text = written(html_text, cases[i][0]);

		assert_string_equal(text, cases[i][1]);
		free(text);
	}
}

static void short_of_nine(FILE *out, const char *s)
{
	html_short(out, s, 9);
}

static void test_short(void **state)
{
	char *text = written(short_of_nine, "<12345678");

	(void)state;
	assert_string_equal(text, "&lt;12345678");
	free(text);
	text = written(short_of_nine, "<1234567890&");
	assert_string_equal(text, "&lt;123\xe2\x80\xa6"
				  "890&amp;");
	free(text);
	text = written(html_json, "{\"a\":\"</script><!--\"}");
	assert_string_equal(text, "{\"a\":\"\\u003c/script>\\u003c!--\"}");
	free(text);
}

/* ---- pictures ---- */

static char *clean(const char *svg, struct error *err)
{
	char *text;
	size_t n;
	FILE *out = open_memstream(&text, &n);
	int ret;

	*err = (struct error){0};
	ret = html_svg(out, svg, "p-", "a \"label\"", err);
	fclose(out);
	if (!ret)
		return text;
	free(text);
	return NULL;
}

static void assert_clean(const char *svg, const char *want)
{
	struct error err;
	char *text = clean(svg, &err);

	if (!text)
		fail_msg("%s", err.text);
	assert_string_equal(text, want);
	free(text);
}

#define ROOT "<svg viewBox=\"0 0 1 1\" role=\"img\" aria-label=\"a &quot;label&quot;\">"

static void test_svg(void **state)
{
	(void)state;
	assert_clean("<?xml version=\"1.0\"?>\n<svg \n viewBox=\"0 0 1 1\"\n xmlns=\"x\">"
		     "<title>t</title><g id=\"a\"></g></svg>",
		     ROOT "</svg>");
	/* nothing that acts or loads is left, whatever it stands in */
	assert_clean("<svg viewBox='0 0 1 1'><script>alert(1)</script>"
		     "<foreignObject><b>x</b></foreignObject>"
		     "<rect onclick='alert(1)' x='1' href='http://a/b' fill='url(http://a/b)'/>"
		     "<use xlink:href='http://a/#b'/><use xlink:href='#gpPt1'/>"
		     "<text onload='x'>a &lt;b> &x;</text></svg>",
		     ROOT "<rect x=\"1\" fill=\"#000000\"/><use/><use href=\"#p-gpPt1\"/>"
			  "<text>a &lt;b&gt; &amp;x;</text></svg>");
	/* colours in one form; a style as attributes */
	assert_clean("<svg viewBox='0 0 1 1'><path fill = 'rgb(  0, 114, 178)' "
		     "stroke='#AABBCC' color='black' style='stroke-width:2; fill:none; "
		     "behavior:url(x)' d='M1,2 L3,4'/></svg>",
		     ROOT "<path fill=\"#0072b2\" stroke=\"#aabbcc\" color=\"#000000\" "
			  "stroke-width=\"2\" fill=\"none\" d=\"M1,2 L3,4\"/></svg>");
	/* lines of points stay apart */
	assert_clean("<svg viewBox='0 0 1 1'><polygon points='1,2\n3,4'/></svg>",
		     ROOT "<polygon points=\"1,2 3,4\"/></svg>");
}

/* Patterns that are alike are written once. */
static void test_patterns(void **state)
{
	(void)state;
	assert_clean("<svg viewBox='0 0 1 1'>"
		     "<defs><pattern id='gpPat1' width='8'><path d='M0,0'/></pattern></defs>"
		     "<g><rect fill='url(#gpPat1)'/></g>"
		     "<defs><pattern id='gpPat2' width='8'><path d='M0,0'/></pattern></defs>"
		     "<g><rect fill='url(#gpPat2)'/></g>"
		     "<defs><pattern id='gpPat3' width='8'><path d='M1,1'/></pattern></defs>"
		     "<g><rect fill='url(#gpPat3)'/></g></svg>",
		     ROOT "<defs><pattern id=\"p-gpPat1\" width=\"8\"><path d=\"M0,0\"/></pattern>"
			  "</defs><g><rect fill=\"url(#p-gpPat1)\"/></g>"
			  "<g><rect fill=\"url(#p-gpPat1)\"/></g>"
			  "<defs><pattern id=\"p-gpPat3\" width=\"8\"><path d=\"M1,1\"/></pattern>"
			  "</defs><g><rect fill=\"url(#p-gpPat3)\"/></g></svg>");
}

static void test_bad_svg(void **state)
{
	static const char *const cases[] = {
	    "<svg",
	    "<svg x",
	    "<svg x=>",
	    "<svg viewBox='0'>",
	    "<svg viewBox='0'><g></svg>",
	    "<svg viewBox='0'></svg></g>",
	    "<svg viewBox='0'><script>",
	    "<svg viewBox='0'><pattern></pattern></svg>",
	    "<svg viewBox='0'><pattern id='a'><pattern id='b'></pattern></pattern></svg>",
	    "<svg viewBox='0'><pattern id='a'>",
	    "<svg viewBox='0'><!-- ",
	    "<svg viewBox='0'><>",
	};
	static const char root[] = "<svg viewBox='0'>";
	char deep[1024], *end = mempcpy(deep, root, sizeof(root) - 1);
	struct error err;

	(void)state;
	for (unsigned i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		char *text = clean(cases[i], &err);

		if (text)
			fail_msg("%s was taken: %s", cases[i], text);
		assert_int_equal(err.kind, ERROR_FAILED);
	}
	for (unsigned i = 0; i < 100; i++, end += 3)
		memcpy(end, "<g>", 4);
	assert_null(clean(deep, &err));
}

/* ---- the page ---- */

static char *slurp(const char *path)
{
	char *text = NULL;
	size_t cap = 0;
	FILE *f = fopen(path, "r");

	if (!f)
		return NULL;
	assert_true(getdelim(&text, &cap, 0, f) > 0);
	fclose(f);
	return text;
}

static int report(struct error *err, ...)
{
	char *argv[16] = {(char *)"report"};
	int argc = 1;
	va_list ap;

	va_start(ap, err);
	while ((argv[argc] = va_arg(ap, char *)))
		argc++;
	va_end(ap);
	memset(err, 0, sizeof(*err));
	return cmd_report.run(argc, argv, err);
}

static bool have_gnuplot(void)
{
	return system("command -v gnuplot >/dev/null") == 0;
}

static void has(const char *page, const char *part)
{
	if (!strstr(page, part))
		fail_msg("\"%s\" is not in the page", part);
}

static void has_not(const char *page, const char *part)
{
	const char *at = strstr(page, part);

	if (at)
		fail_msg("\"%s\" is in the page: %.80s", part, at);
}

static void test_page(void **state)
{
	char *file[3] = {put(0, "a.json", NULL, NULL), put(1, "b.json", NULL, NULL),
			 put(2, "c.json", NULL, NULL)};
	char *out = path_of("page.html"), *page, *again, *summary;
	struct error err;

	(void)state;
	if (!have_gnuplot())
		skip();
	if (report(&err, file[0], file[1], file[2], "-o", out, "--title", "T <1>", "--question",
		   "Q & A?", "--published", "configs/published/000-cpu-partial-accounting.json",
		   "--published", "configs/published/001-order-min-waste.json", NULL))
		fail_msg("%s", err.text);
	page = slurp(out);
	has(page, "<title>T &lt;1&gt;</title>");
	has(page, "Q &amp; A?");
	has(page, "<dt>CPUs</dt><dd>8</dd>");
	/* what the mail's table says: 1408 objects in 49 slabs, 480 in 16 */
	has(page,
	    "<code>free_frozen</code> 45.5&nbsp;% less (24.2&nbsp;% \xe2\x86\x92 13.2&nbsp;%)");
	has(page, "memory of slabs at the end 67.3&nbsp;% less (392&nbsp;KiB \xe2\x86\x92 "
		  "128&nbsp;KiB)");
	summary = strndup(strstr(page, "<section id=\"summary\""),
			  (size_t)(strstr(page, "<section id=\"charts\"") -
				   strstr(page, "<section id=\"summary\"")));
	assert_golden("report-summary.html", summary);
	free(summary);
	has(page, "<figure id=\"chart-published-1\"");
	has(page, "published: pages accounting, new defaults");
	has(page, "<figure id=\"chart-memory\"");
	has(page, "aria-label=\"Memory over the run, of skbuff_head_cache.");
	has(page, "<th scope=\"row\">alloc_from_partial</th><td>20039522<td>11371127"
		  "<td>-8668395<td>-43.3%");
	has(page, "<td class=\"published\">469952498</td>");
	has(page, "RFC mm/slub: Reducing slub memory wastage");
	has(page, "<th scope=\"row\">after boot</th><td>82360</td><td>87372</td><td>~6%</td>");
	/* nothing is loaded */
	has(page, "default-src 'none'");
	has_not(page, "http:");
	has_not(page, "https:");
	has_not(page, " src=");
	has_not(page, "@import");
	has_not(page, "foreignObject");
	/* the same results, the same page */
	assert_int_equal(report(&err, file[0], file[1], file[2], "-o", out, "--title", "T <1>",
				"--question", "Q & A?", "--published",
				"configs/published/000-cpu-partial-accounting.json", "--published",
				"configs/published/001-order-min-waste.json", NULL),
			 0);
	again = slurp(out);
	assert_string_equal(page, again);
	free(page);
	free(again);
	unlink(out);
	free(out);
	for (unsigned i = 0; i < 3; i++) {
		unlink(file[i]);
		free(file[i]);
	}
}

static void test_hostile_page(void **state)
{
	char *out = path_of("page.html"), *page, *data, longest[201];
	char *file[3];
	struct error err;

	(void)state;
	if (!have_gnuplot())
		skip();
	memset(longest, 'x', 200);
	longest[200] = 0;
	file[0] = put(0, "a.json", "</script><script>alert(1)</script>", "c\"<b>\\\n%s'`$HOME");
	file[1] = put(1, "b.json", "\" onmouseover=\"alert(1)", "c\"<b>\\\n%s'`$HOME");
	file[2] = put(2, "c.json", longest, "c\"<b>\\\n%s'`$HOME");
	if (report(&err, file[0], file[1], file[2], "-o", out, NULL))
		fail_msg("%s", err.text);
	page = slurp(out);
	has(page, "\\u003c/script>");
	has_not(page, "<script>alert");
	/* what follows is data, in which a quote is no end */
	data = strstr(page, "<script type=\"application/json\"");
	assert_non_null(data);
	*data = 0;
	has_not(page, "\" onmouseover");
	has_not(page, "<b>\\");
	has(page, "&lt;/script&gt;&lt;script&gt;alert(1)");
	has(page, "c&quot;&lt;b&gt;\\\\x0a%s&#39;`$HOME");
	free(page);
	unlink(out);
	free(out);
	for (unsigned i = 0; i < 3; i++) {
		unlink(file[i]);
		free(file[i]);
	}
}

/* Without gnuplot the page says so, and the scripts are left. */
static void test_page_without_gnuplot(void **state)
{
	char *file = put(0, "a.json", NULL, NULL), *out = path_of("page.html"), *page, *script;
	char *path = strdup(getenv("PATH") ?: ""), *scripts = path_of("page.html.charts"), *command;
	struct error err;

	(void)state;
	assert_int_equal(setenv("PATH", "/nonexistent", 1), 0);
	assert_int_equal(report(&err, file, "-o", out, NULL), 0);
	assert_int_equal(setenv("PATH", path, 1), 0);
	page = slurp(out);
	has(page, "The charts are missing: gnuplot is not installed");
	has(page, "page.html.charts");
	has(page, "<table class=\"sortable");
	free(page);
	script = path_of("page.html.charts/counters.svg.gp");
	page = slurp(script);
	assert_non_null(page);
	has(page, "alloc_fastpath 91.78");
	free(page);
	if (have_gnuplot()) {
		assert_true(asprintf(&command, "gnuplot -d %s && test -s %s/counters.svg", script,
				     scripts) > 0);
		assert_int_equal(system(command), 0);
		free(command);
	}
	assert_true(asprintf(&command, "rm -r %s", scripts) > 0);
	assert_int_equal(system(command), 0);
	free(command);
	free(script);
	free(scripts);
	unlink(out);
	unlink(file);
	free(out);
	free(file);
	free(path);
}

/* A gnuplot that is there, but does not start, is not called missing. */
static void test_page_gnuplot_fails(void **state)
{
	static const char *const starts[][2] = {
	    {"#!/bin/sh\necho cannot allocate memory >&2\nexit 127\n",
	     "The charts are missing: gnuplot cannot be started: cannot allocate memory"},
	    {NULL, "The charts are missing: gnuplot cannot be started: Permission denied"},
	};
	char *path = strdup(getenv("PATH") ?: "");

	(void)state;
	for (unsigned i = 0; i < 2; i++) {
		char *file = put(0, "a.json", NULL, NULL), *out = path_of("page.html"), *command;
		char *gnuplot = put_text("gnuplot", starts[i][0] ?: ""), *page;
		struct error err;

		assert_int_equal(chmod(gnuplot, starts[i][0] ? 0755 : 0644), 0);
		assert_int_equal(setenv("PATH", folder, 1), 0);
		assert_int_equal(report(&err, file, "-o", out, NULL), 0);
		assert_int_equal(setenv("PATH", path, 1), 0);
		page = slurp(out);
		has(page, starts[i][1]);
		has_not(page, "not installed");
		assert_true(asprintf(&command, "rm -r %s.charts", out) > 0);
		assert_int_equal(system(command), 0);
		unlink(gnuplot);
		unlink(out);
		unlink(file);
		free(command);
		free(page);
		free(gnuplot);
		free(out);
		free(file);
	}
	free(path);
}

static void assert_error(struct error *err, enum error_kind kind, const char *part)
{
	assert_int_equal(err->kind, kind);
	if (!strstr(err->text, part))
		fail_msg("\"%s\" is not in \"%s\"", part, err->text);
}

static void test_errors(void **state)
{
	static const char *const no_reference[] = {
	    "{}",
	    "[]",
	    "{\"title\": \"only a title\"}",
	    "{\"title\": 1, \"setup\": {}}",
	    "{\"title\": \"a\", \"setup\": {}, \"columns\": {}}",
	    "{\"columns\": {\"a\": {\"counters\": {\"no_counter\": 1}}}}",
	};
	char *file = put(0, "a.json", NULL, NULL), *out = path_of("page.html"), *other;
	struct error err;

	(void)state;
	report(&err, NULL);
	assert_error(&err, ERROR_INPUT, "neither a sweep's folder nor a result");
	report(&err, file, NULL);
	assert_error(&err, ERROR_INPUT, "-o FILE.html");
	report(&err, file, "--titel", "x", NULL);
	assert_error(&err, ERROR_INPUT, "--title");
	report(&err, file, "-o", out, "--cache", "nope", NULL);
	assert_error(&err, ERROR_INPUT, "has no cache \"nope\"");
	report(&err, file, folder, "-o", out, NULL);
	assert_error(&err, ERROR_INPUT, "is a folder");
	report(&err, "/nonexistent/x.json", "-o", out, NULL);
	assert_error(&err, ERROR_INPUT, "/nonexistent/x.json");
	report(&err, file, "-o", out, "--published", "/nonexistent/p.json", NULL);
	assert_error(&err, ERROR_INPUT, "/nonexistent/p.json");
	/* what is no reference is not shown as one: a result, a config, nothing at all */
	for (unsigned i = 0; i < sizeof(no_reference) / sizeof(no_reference[0]); i++) {
		other = put_text("p.json", no_reference[i]);
		report(&err, file, "-o", out, "--published", other, NULL);
		assert_error(&err, ERROR_INPUT, "p.json: ");
		unlink(other);
		free(other);
	}
	report(&err, file, "-o", out, "--published", file, NULL);
	assert_error(&err, ERROR_INPUT, "a.json: is no published reference");
	report(&err, file, "-o", out, "--published", "configs/000.json", NULL);
	assert_error(&err, ERROR_INPUT, "configs/000.json: is no published reference");
	assert_int_not_equal(access(out, F_OK), 0);
	unlink(file);
	free(file);
	free(out);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_text),
	    cmocka_unit_test(test_short),
	    cmocka_unit_test(test_svg),
	    cmocka_unit_test(test_patterns),
	    cmocka_unit_test(test_bad_svg),
	    cmocka_unit_test(test_page),
	    cmocka_unit_test(test_hostile_page),
	    cmocka_unit_test(test_page_without_gnuplot),
	    cmocka_unit_test(test_page_gnuplot_fails),
	    cmocka_unit_test(test_errors),
	};

	return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
