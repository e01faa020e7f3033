/* The registry: what is in it, the presets' table, and plugins good and bad. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <limits.h>
#include <unistd.h>

#include "sim/policy.h"

static char root[PATH_MAX]; /* of the source tree */
static char temp[] = "/tmp/test_registry.XXXXXX";

static void run(const char *fmt, ...)
{
	char command[PATH_MAX + 500];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(command, sizeof(command), fmt, ap);
	va_end(ap);
	if (system(command))
		fail_msg("failed: %s", command);
}

static int set_up(void **state)
{
	struct error err = {0};

	(void)state;
	if (policies_init(&err)) {
		fprintf(stderr, "%s\n", err.text);
		return -1;
	}
	return getcwd(root, sizeof(root)) && mkdtemp(temp) ? 0 : -1;
}

static int tear_down(void **state)
{
	(void)state;
	run("rm -rf %s", temp);
	return 0;
}

/* ---- the program's own ---- */

static size_t count(void)
{
	size_t n = 0;

	while (policy_nth(n))
		n++;
	return n;
}

static void test_sorted(void **state)
{
	size_t n = count();

	(void)state;
	assert_true(n >= 29);
	for (size_t i = 1; i < n; i++) {
		const struct policy *p = policy_nth(i - 1), *q = policy_nth(i);

		assert_true(p->axis < q->axis ||
			    (p->axis == q->axis && strverscmp(p->name, q->name) < 0));
	}
	for (size_t i = 0; i < n; i++)
		assert_ptr_equal(policy_find(policy_nth(i)->axis, policy_nth(i)->name),
				 policy_nth(i));
}

static void test_look_up(void **state)
{
	(void)state;
	assert_string_equal(policy_find(AXIS_ORDER, "legacy")->name, "legacy");
	assert_null(policy_find(AXIS_ORDER, "default"));
	assert_null(policy_find(AXIS_REFILL, "6.1"));
	assert_null(preset_find("linux-2.6"));
	assert_string_equal(policy_plain_number(AXIS_ORDER)->name, "fixed");
	assert_string_equal(policy_plain_number(AXIS_CPU_PARTIAL)->name, "number");
	assert_string_equal(policy_plain_number(AXIS_MIN_PARTIAL)->name, "number");
	assert_null(policy_plain_number(AXIS_ALLOCATOR));
	for (int axis = 0; axis < NR_AXES; axis++) {
		assert_non_null(axis_name(axis));
		assert_non_null(axis_help(axis));
	}
	assert_string_equal(axis_name(AXIS_PARTIAL_ACCOUNTING), "partial_accounting");
}

/* A second start finds everything there already. */
static void test_again(void **state)
{
	struct error err = {0};
	size_t n = count();

	(void)state;
	assert_int_equal(policies_init(&err), 0);
	assert_int_equal(count(), n);
}

static void test_presets(void **state)
{
	static const char *const table[][NR_AXES + 1] = {
	    /* name, then the axes in order */
	    {"linux-3.2", "slub", "legacy", "objects", "default-old", "drain", "3.2", "default",
	     "since-3.2", "walk"},
	    {"linux-3.7", "slub", "legacy", "objects", "default-old", "drain", "3.7", "default",
	     "since-3.2", "walk"},
	    {"linux-5.15", "slub", "legacy", "objects", "default-old", "drain", "3.7", "default",
	     "since-3.16", "walk"},
	    {"linux-5.16", "slub", "legacy", "pages", "default", "drain", "5.16", "default",
	     "since-3.16", "walk"},
	    {"linux-6.1", "slub", "legacy", "pages", "default", "drain", "5.16", "default",
	     "since-3.16", "walk"},
	    {"linux-6.7", "slub", "mainline", "pages", "default", "drain", "5.16", "default",
	     "since-3.16", "walk"},
	    {"linux-6.8", "slub-delayed", "mainline", "pages", "default", "drain", "5.16",
	     "default", "since-3.16", "walk"},
	    {"linux-6.12", "slub-delayed", "mainline", "pages", "default", "drain", "6.10",
	     "default", "since-3.16", "approximate"},
	    {"linux-6.18", "slub-sheaves", "mainline", "pages", "default", "drain", "6.10",
	     "default", "since-3.16", "approximate"},
	    {"linux-7.0", "sheaves", "mainline", "pages", "default", "drain", "6.10", "default",
	     "since-3.16", "approximate"},
	};
	size_t n = sizeof(table) / sizeof(table[0]);

	(void)state;
	for (size_t i = 0; i < n; i++) {
		const struct preset *p = preset_nth(i);

		assert_non_null(p);
		assert_string_equal(p->name, table[i][0]);
		assert_ptr_equal(preset_find(p->name), p);
		assert_int_equal(p->nr_settings, NR_AXES);
		for (unsigned k = 0; k < p->nr_settings; k++)
			assert_string_equal(p->settings[k].policy,
					    table[i][1 + p->settings[k].axis]);
	}
	assert_null(preset_nth(n));
}

/* ---- plugins ---- */

/* Compile body, behind the header, to NAME.so in the temporary folder. */
static void compile(const char *name, const char *body)
{
	const char *cc = getenv("CC");
	char path[PATH_MAX];
	FILE *out;

	snprintf(path, sizeof(path), "%s/%s.c", temp, name);
	out = fopen(path, "w");
	assert_non_null(out);
	fprintf(out, "#include \"sim/policy.h\"\n%s\n", body);
	assert_int_equal(fclose(out), 0);
	run("%s -std=c11 -Wall -Wextra -Werror -shared -fPIC -I '%s' -o %s/%s.so %s",
	    cc ? cc : "cc", root, temp, name, path);
}

#define ORDER_OF "static int order_of(const struct order_input *in) { (void)in; return 5; }\n"
#define ORDER(id, text)                                                                            \
	"static const struct order_ops " id " = {.policy = {.abi = POLICY_ABI, "                   \
	".axis = AXIS_ORDER, .name = \"" text "\", .summary = \"s\"}, .order = order_of};\n"       \
	"POLICY(" id ");\n"

static int load(const char *name, struct error *err)
{
	char path[100];

	*err = (struct error){0};
	snprintf(path, sizeof(path), "%s/%s.so", temp, name);
	return policies_load_plugin(path, err);
}

static void test_plugin(void **state)
{
	const struct policy *p;
	struct error err;
	size_t n = count();

	(void)state;
	compile("good", ORDER_OF ORDER("first", "always-five") ORDER("second", "also-five"));
	if (load("good", &err))
		fail_msg("%s", err.text);
	assert_int_equal(count(), n + 2);
	p = policy_find(AXIS_ORDER, "always-five");
	assert_non_null(p);
	assert_int_equal(((const struct order_ops *)p)->order(NULL), 5);
	assert_non_null(policy_find(AXIS_ORDER, "also-five"));
	test_sorted(NULL);
	/* Once more changes nothing. */
	assert_int_equal(load("good", &err), 0);
	assert_int_equal(count(), n + 2);
}

static void test_plugin_with_preset(void **state)
{
	struct error err;

	(void)state;
	compile("patch",
		ORDER_OF ORDER(
		    "six",
		    "always-six") "static const struct preset_setting settings[] = {\n"
				  "{AXIS_ALLOCATOR, \"slub\"}, {AXIS_ORDER, \"always-six\"},\n"
				  "{AXIS_PARTIAL_ACCOUNTING, \"pages\"}, {AXIS_CPU_PARTIAL, "
				  "\"default\"},\n"
				  "{AXIS_CPU_PARTIAL_FULL, \"drain\"}, {AXIS_REFILL, \"5.16\"},\n"
				  "{AXIS_MIN_PARTIAL, \"default\"}, {AXIS_EMPTY_SLAB, "
				  "\"since-3.16\"},\n"
				  "{AXIS_COUNT_PARTIAL, \"walk\"}};\n"
				  "static const struct preset patched = {.name = "
				  "\"linux-6.1-patched\",\n"
				  ".summary = \"s\", .settings = settings, .nr_settings = 9};\n"
				  "PRESET(patched);\n");
	if (load("patch", &err))
		fail_msg("%s", err.text);
	assert_non_null(preset_find("linux-6.1-patched"));
}

static void check_refused(const char *name, const char *body, const char *why)
{
	struct error err;
	char text[sizeof(err.text)];
	size_t n = count();

	compile(name, body);
	assert_int_equal(load(name, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	snprintf(text, sizeof(text), "%s/%s.so: %s", temp, name, why);
	assert_string_equal(err.text, text);
	/* All or nothing. */
	assert_int_equal(count(), n);
	assert_null(policy_find(AXIS_ORDER, "innocent"));
}

static void test_bad_plugins(void **state)
{
	(void)state;
	check_refused("twin", ORDER_OF ORDER("innocent", "innocent") ORDER("twin", "legacy"),
		      "policy order \"legacy\" exists twice");
	check_refused(
	    "abi",
	    ORDER_OF ORDER("innocent", "innocent") "static const struct order_ops old = {.policy = "
						   "{.abi = POLICY_ABI + 1}};\n"
						   "POLICY(old);",
	    "a policy has interface version 4, this program has 3: compile it against this "
	    "program's sim/policy.h");
	check_refused("axis",
		      "static const struct order_ops o = {.policy = {.abi = POLICY_ABI,\n"
		      ".axis = NR_AXES, .name = \"x\", .summary = \"s\"}};\nPOLICY(o);",
		      "policy \"x\": there is no axis 9");
	check_refused("name", ORDER_OF ORDER("o", "with blank"),
		      "a policy for order needs a name of letters, digits, \".\", \"-\", \"_\" and "
		      "\"+\"");
	check_refused("function",
		      "static const struct order_ops o = {.policy = {.abi = POLICY_ABI,\n"
		      ".axis = AXIS_ORDER, .name = \"x\", .summary = \"s\"}};\nPOLICY(o);",
		      "policy order \"x\" lacks a function its axis needs");
	check_refused("summary",
		      ORDER_OF
		      "static const struct order_ops o = {.policy = {.abi = POLICY_ABI,\n"
		      ".axis = AXIS_ORDER, .name = \"x\"}, .order = order_of};\nPOLICY(o);",
		      "policy order \"x\" has no summary");
	check_refused("number",
		      ORDER_OF "static const struct order_ops o = {.policy = {.abi = POLICY_ABI,\n"
			       ".axis = AXIS_ORDER, .name = \"x\", .summary = \"s\",\n"
			       ".takes_number = true, .min = 2, .max = 1}, .order = order_of};\n"
			       "POLICY(o);",
		      "policy order \"x\": plain_number, takes_fraction and takes_base need "
		      "takes_number, and that a min no larger than max");
	check_refused("plain",
		      ORDER_OF "static const struct order_ops o = {.policy = {.abi = POLICY_ABI,\n"
			       ".axis = AXIS_ORDER, .name = \"x\", .summary = \"s\",\n"
			       ".takes_number = true, .plain_number = true}, .order = order_of};\n"
			       "POLICY(o);",
		      "a plain number for order would mean both \"fixed\" and \"x\"");
	check_refused(
	    "refill",
	    "static bool full(const struct cache *c, const struct cpu_cache *cpu)\n"
	    "{ (void)c; (void)cpu; return true; }\n"
	    "static const struct partial_accounting_ops o = {.policy = {.abi = POLICY_ABI,\n"
	    ".axis = AXIS_PARTIAL_ACCOUNTING, .name = \"x\", .summary = \"s\"},\n"
	    ".refill = \"none\", .full = full};\nPOLICY(o);",
	    "policy partial_accounting \"x\": there is no refill policy \"none\"");
	check_refused(
	    "limits",
	    "static bool full(const struct cache *c, const struct cpu_cache *cpu)\n"
	    "{ (void)c; (void)cpu; return true; }\n"
	    "static int64_t room(const struct cache *c, const struct cpu_cache *cpu)\n"
	    "{ (void)c; (void)cpu; return 0; }\n"
	    "static const struct partial_accounting_ops o = {.policy = {.abi = POLICY_ABI,\n"
	    ".axis = AXIS_PARTIAL_ACCOUNTING, .name = \"x\", .summary = \"s\"},\n"
	    ".room = room, .full = full};\nPOLICY(o);",
	    "policy partial_accounting \"x\" has both room and full, of which one is wanted");
	check_refused("nothing", "", "there is no policy and no preset in this plugin");
}

#define SETTING(list)                                                                              \
	"static const struct preset_setting settings[] = {" list "};\n"                            \
	"static const struct preset p = {.name = \"x\", .summary = \"s\", .settings = settings,\n" \
	".nr_settings = sizeof(settings) / sizeof(settings[0])};\nPRESET(p);"

static void test_bad_presets(void **state)
{
	(void)state;
	check_refused("unknown", SETTING("{AXIS_ORDER, \"none\"}"),
		      "preset \"x\": there is no order policy \"none\"");
	check_refused("numbered", SETTING("{AXIS_CPU_PARTIAL, \"scale\"}"),
		      "preset \"x\": cpu_partial policy \"scale\" takes a number, which a preset "
		      "cannot give");
	check_refused("double", SETTING("{AXIS_ORDER, \"legacy\"}, {AXIS_ORDER, \"mainline\"}"),
		      "preset \"x\" sets order twice");
	check_refused("incomplete", SETTING("{AXIS_ALLOCATOR, \"slub\"}"),
		      "preset \"x\" does not set order");
	check_refused("again",
		      "static const struct preset p = {.name = \"linux-6.1\", .summary = \"s\"};\n"
		      "PRESET(p);",
		      "preset \"linux-6.1\" exists twice");
}

static void test_no_plugin(void **state)
{
	char text[sizeof(((struct error *)NULL)->text)];
	struct error err;

	(void)state;
	assert_int_equal(load("missing", &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	snprintf(text, sizeof(text), "%s/missing.so: No such file or directory", temp);
	assert_string_equal(err.text, text);

	run("echo text > %s/text.so", temp);
	assert_int_equal(load("text", &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_non_null(strstr(err.text, "/text.so: not a plugin: "));

	run("echo 'int x;' | %s -shared -fPIC -x c -o %s/other.so -",
	    getenv("CC") ? getenv("CC") : "cc", temp);
	assert_int_equal(load("other", &err), -1);
	snprintf(
	    text, sizeof(text),
	    "%s/other.so: not a plugin: compile it with -shared -fPIC, from a file that includes "
	    "sim/policy.h and ends in POLICY(ops)",
	    temp);
	assert_string_equal(err.text, text);
}

/* A name without a slash is a file here, not a library of the system. */
static void test_plugin_here(void **state)
{
	struct error err = {0};

	(void)state;
	compile("here", ORDER_OF ORDER("o", "here"));
	assert_int_equal(chdir(temp), 0);
	if (policies_load_plugin("here.so", &err))
		fail_msg("%s", err.text);
	assert_int_equal(chdir(root), 0);
	assert_non_null(policy_find(AXIS_ORDER, "here"));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_sorted),
	    cmocka_unit_test(test_look_up),
	    cmocka_unit_test(test_again),
	    cmocka_unit_test(test_presets),
	    cmocka_unit_test(test_bad_plugins),
	    cmocka_unit_test(test_bad_presets),
	    cmocka_unit_test(test_no_plugin),
	    cmocka_unit_test(test_plugin),
	    cmocka_unit_test(test_plugin_with_preset),
	    cmocka_unit_test(test_plugin_here),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
