/* The config loader: every message a wrong config gets, and what a right one becomes. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>
#include <cjson/cJSON.h>
#include <glob.h>
#include <limits.h>
#include <sys/stat.h>
#include <unistd.h>

#include "sim/config/config.h"
#include "sim/config/config_internal.h"
#include "sim/json_reader.h"
#include "sim/config/option.h"
#include "sim/sweep/sweep_plan.h"

static char root[PATH_MAX]; /* of the source tree */
static char temp[] = "/tmp/test_config.XXXXXX";

static void write_file(const char *path, const char *text)
{
	FILE *out = fopen(path, "w");

	assert_non_null(out);
	assert_int_equal(fputs(text, out) < 0, 0);
	assert_int_equal(fclose(out), 0);
}

static int set_up(void **state)
{
	struct error err = {0};

	(void)state;
	if (policies_init(&err)) {
		fprintf(stderr, "%s\n", err.text);
		return -1;
	}
	if (!getcwd(root, sizeof(root)) || !mkdtemp(temp) || chdir(temp) || mkdir("machines", 0777))
		return -1;
	write_file("machines/small.json", "{\"cpus\": 4, \"nodes\": 2}");
	write_file("machines/broken.json", "{\"cpus\": 4, \"nodes\": 8}");
	write_file("machines/odd.json", "{\"cpu\": 4}");
	return 0;
}

static int tear_down(void **state)
{
	char *command;

	(void)state;
	if (chdir(root) || asprintf(&command, "rm -rf %s", temp) < 0)
		return -1;
	if (system(command))
		fprintf(stderr, "%s failed\n", command);
	free(command);
	return 0;
}

/* Load json as demo.json with up to one setting. */
static int load(struct config *cfg, const char *json, const char *setting, struct error *err)
{
	char *settings[] = {(char *)setting};

	*err = (struct error){0};
	if (json)
		write_file("demo.json", json);
	return config_load(cfg, json ? "demo.json" : NULL, settings, setting != NULL, err);
}

static void load_good(struct config *cfg, const char *json, const char *setting)
{
	struct error err;

	if (load(cfg, json, setting, &err))
		fail_msg("%s: %s", json ? json : "(no file)", err.text);
}

struct wrong {
	const char *json, *setting, *message;
};

static void check_wrong(const struct wrong *w, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		struct config cfg;
		struct error err;

		if (!load(&cfg, w[i].json, w[i].setting, &err)) {
			config_free(&cfg);
			fail_msg("accepted: %s %s", w[i].json, w[i].setting ? w[i].setting : "");
		}
		assert_int_equal(err.kind, ERROR_INPUT);
		assert_string_equal(err.text, w[i].message);
	}
}

#define CHECK_WRONG(array) check_wrong(array, sizeof(array) / sizeof(array[0]))

/* ---- messages ---- */

static void test_syntax(void **state)
{
	static const struct wrong wrong[] = {
	    {"", NULL, "demo.json:1:1: the text ends here, where a value is wanted"},
	    {"{\n  \"name\": \"x\",\n}", NULL, "demo.json:3:1: no comma before a closing bracket"},
	    {"{\"a\" 1}", NULL, "demo.json:1:6: \":\" is wanted here, not 1"},
	    {"{\"name\": \"x\"\n \"seeds\": 1}", NULL,
	     "demo.json:2:2: \",\" or \"}\" is wanted here, not \""},
	    {"{\"name\": \"x\"", NULL,
	     "demo.json:1:13: the text ends here, where \",\" or \"}\" is wanted"},
	    {"{\"name\": \"x", NULL, "demo.json:1:12: the text ends here, inside a string"},
	    {"{\"name\": \"x\n\"}", NULL, "demo.json:1:12: the line ends here, inside a string"},
	    {"{'name': 1}", NULL, "demo.json:1:2: strings are written in \"double quotes\""},
	    {"{} // done", NULL, "demo.json:1:4: JSON has no comments"},
	    {"{} {}", NULL, "demo.json:1:4: the end is wanted here, not {"},
	    {"{\"seeds\": 01}", NULL, "demo.json:1:11: a number does not begin with a zero"},
	    {"{\"seeds\": 1.}", NULL, "demo.json:1:13: a digit is wanted here, not }"},
	    {"{\"seeds\": tru}", NULL, "demo.json:1:11: a value is wanted here, not t"},
	    {"{\"name\": \"\\x\"}", NULL,
	     "demo.json:1:12: a backslash is followed by one of \" \\ / b f n r t u"},
	    {"{\"name\": \"\\u0000\"}", NULL, "demo.json:1:12: a string cannot hold \\u0000"},
	    {"{\"name\": \"\\u12g4\"}", NULL,
	     "demo.json:1:12: \\u is followed by four hexadecimal digits"},
	    {"{\"name\": \"\\ud800\"}", NULL, "demo.json:1:17: half of a surrogate pair"},
	    {"{\"name\": \"\xff\"}", NULL, "demo.json:1:11: not UTF-8"},
	    {"{\"name\": \"\xc3\xa4\", x}", NULL,
	     "demo.json:1:15: a key in double quotes is wanted here, not x"},
	    {"[]", NULL, "demo.json: an object is wanted, not an array"},
	    {"{\"name\": \"a\", \"name\": \"b\"}", NULL,
	     "demo.json: name: this key stands twice in one object"},
	    {"{\"sweep\": {\"a\": [{}, {\"b\": 1, \"b\": 2}]}}", NULL,
	     "demo.json: sweep.a[1].b: this key stands twice in one object"},
	};

	(void)state;
	CHECK_WRONG(wrong);
}

static void test_limits(void **state)
{
	struct config cfg;
	struct error err;
	char *text = malloc(2 * 1024 * 1024 + 1);

	(void)state;
	memset(text, '[', 65);
	text[65] = 0;
	assert_int_equal(load(&cfg, text, NULL, &err), -1);
	assert_string_equal(err.text, "demo.json:1:65: nested more than 64 deep");
	memset(text, ' ', 2 * 1024 * 1024);
	text[2 * 1024 * 1024] = 0;
	assert_int_equal(load(&cfg, text, NULL, &err), -1);
	assert_string_equal(err.text, "demo.json: larger than 1048576 bytes");
	free(text);
	err = (struct error){0};
	assert_int_equal(config_load(&cfg, "missing.json", NULL, 0, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_string_equal(err.text, "missing.json: No such file or directory");
	err = (struct error){0};
	assert_int_equal(config_load(&cfg, "machines", NULL, 0, &err), -1);
	assert_string_equal(err.text, "machines: a folder, not a file");
}

static void test_keys_and_types(void **state)
{
	static const struct wrong wrong[] = {
	    {"{\"polcy\": {}}", NULL, "demo.json: polcy: unknown key; did you mean \"policy\"?"},
	    {"{\"policy\": {\"cpu_partail\": 1}}", NULL,
	     "demo.json: policy.cpu_partail: unknown key; did you mean \"cpu_partial\"?"},
	    {"{\"machine\": {\"threads\": 1}}", NULL, "demo.json: machine.threads: unknown key"},
	    {"{\"caches\": [{\"name\": \"a\", \"size\": 8}, {\"nam\": \"b\"}]}", NULL,
	     "demo.json: caches[1].nam: unknown key; did you mean \"name\"?"},
	    {"{\"caches\": [{\"name\": \"a\", \"match\": {\"callsite\": \"f\"}}]}", NULL,
	     "demo.json: caches[0].match.callsite: unknown key; did you mean \"call_site\"?"},
	    {"{\"machine.cpus\": 4}", NULL, "demo.json: machine.cpus: unknown key"},
	    {"{\"machine\": {\"pages\": {\"free_blocks\": [1,2,3,4,5,6,7,8,9,10,11,12]}}}", NULL,
	     "demo.json: machine.pages.free_blocks: 12 numbers, but orders go from 0 to 10"},
	    {"{\"workload\": {\"model\": {}}}", NULL,
	     "demo.json: workload.model: an object {\"NAME\": {...}} with the model's own keys is "
	     "wanted, not an empty one"},
	    {"{\"workload\": {\"jitter_ns\": 5, \"reorder_ns\": 5}}", NULL,
	     "demo.json: workload.jitter_ns: it and workload.reorder_ns exclude each other"},
	    {"{\"\": 4}", NULL, "demo.json: unknown key"},
	    {"{\"policy\": 5}", NULL, "demo.json: policy: an object is wanted, not 5"},
	    {"{\"machine\": [1]}", NULL, "demo.json: machine: an object is wanted, not an array"},
	    {"{\"name\": 5}", NULL, "demo.json: name: a string is wanted, not 5"},
	    {"{\"name\": \"\"}", NULL, "demo.json: name: a string is wanted, not an empty one"},
	    {"{\"caches\": {}}", NULL,
	     "demo.json: caches: an array of objects is wanted, not an "
	     "object"},
	    {"{\"caches\": [1]}", NULL, "demo.json: caches[0]: an object is wanted, not 1"},
	    {"{\"replay\": {\"merge\": 1}}", NULL,
	     "demo.json: replay.merge: true or false is wanted, not 1"},
	    {"{\"replay\": {\"only\": \"a\"}}", NULL,
	     "demo.json: replay.only: an array of strings is wanted, not the string \"a\""},
	    {"{\"replay\": {\"only\": [\"a\", 1]}}", NULL,
	     "demo.json: replay.only[1]: a string is wanted, not 1"},
	    {"{\"replay\": {\"only\": []}}", NULL,
	     "demo.json: replay.only: an array of strings is wanted, not an empty one; null stands "
	     "for all caches"},
	    {"{\"replay\": {\"mode\": \"oder\"}}", NULL,
	     "demo.json: replay.mode: \"order\" or \"timed\" is wanted, not \"oder\"; did you mean "
	     "\"order\"?"},
	    {"{\"replay\": {\"seed\": -1}}", NULL,
	     "demo.json: replay.seed: a whole number from 0 to 9007199254740991 is wanted, not -1"},
	    {"{\"workload\": {\"gfp\": true}}", NULL,
	     "demo.json: workload.gfp: \"atomic\" or \"kernel\" is wanted, not true"},
	    {"{\"workload\": {\"trace\": 1}}", NULL,
	     "demo.json: workload.trace: a file, relative to the config, or \"-\": standard input "
	     "is wanted, not 1"},
	    {"{\"sweep\": []}", NULL,
	     "demo.json: sweep: an object {\"PATH\": [VALUE, ...], ...} is wanted, not an array"},
	    {"{\"seeds\": 0}", NULL,
	     "demo.json: seeds: a whole number from 1 to 1000000 is wanted, not 0"},
	    {"{\"plugins\": \"a.so\"}", NULL,
	     "demo.json: plugins: an array of files is wanted, not the string \"a.so\""},
	    {"{\"plugins\": [\"none.so\"]}", NULL,
	     "demo.json: plugins[0]: none.so: No such file or directory"},
	};

	(void)state;
	CHECK_WRONG(wrong);
}

static void test_machine_errors(void **state)
{
	static const struct wrong wrong[] = {
	    {"{\"machine\": {\"cpus\": 0}}", NULL,
	     "demo.json: machine.cpus: a whole number from 1 to 4096 is wanted, not 0"},
	    {"{\"machine\": {\"cpus\": 4097}}", NULL,
	     "demo.json: machine.cpus: a whole number from 1 to 4096 is wanted, not 4097"},
	    {"{\"machine\": {\"cpus\": 1.5}}", NULL,
	     "demo.json: machine.cpus: a whole number from 1 to 4096 is wanted, not 1.5"},
	    {"{\"machine\": {\"cpus\": 1e999}}", NULL,
	     "demo.json: machine.cpus: a whole number from 1 to 4096 is wanted, not inf"},
	    {"{\"machine\": {\"cpus\": \"8\"}}", NULL,
	     "demo.json: machine.cpus: a whole number from 1 to 4096 is wanted, not the string "
	     "\"8\""},
	    {"{\"machine\": {\"cpus\": 2, \"nodes\": 4}}", NULL,
	     "demo.json: machine.nodes: 4 nodes, but 2 CPUs: a node has a CPU at least"},
	    {"{\"machine\": {\"page_size\": 5000}}", NULL,
	     "demo.json: machine.page_size: a power of two from 4096 to 65536 is wanted, not 5000"},
	    {"{\"machine\": {\"page_size\": 2048}}", NULL,
	     "demo.json: machine.page_size: a whole number from 4096 to 65536 is wanted, not 2048"},
	    {"{\"machine\": {\"page_size\": 131072}}", NULL,
	     "demo.json: machine.page_size: a whole number from 4096 to 65536 is wanted, not "
	     "131072"},
	    {"{\"machine\": {\"cache_line_size\": 48}}", NULL,
	     "demo.json: machine.cache_line_size: a power of two from 16 to 1024 is wanted, not "
	     "48"},
	    {"{\"machine\": {\"cpus_of_node\": []}}", NULL,
	     "demo.json: machine.cpus_of_node: a list of CPUs for each node is wanted, not none"},
	    {"{\"machine\": {\"cpus_of_node\": [2, 2]}}", NULL,
	     "demo.json: machine.cpus_of_node[0]: a list of CPUs, [0, 1, 2] or \"0-2\", is wanted, "
	     "not 2"},
	    {"{\"machine\": {\"cpus_of_node\": [[0, 1], [1]]}}", NULL,
	     "demo.json: machine.cpus_of_node[1]: CPU 1 is on node 0 already"},
	    {"{\"machine\": {\"cpus_of_node\": [[0, 4096]]}}", NULL,
	     "demo.json: machine.cpus_of_node[0]: a whole number from 0 to 4095 is wanted, not "
	     "4096"},
	    {"{\"machine\": {\"cpus_of_node\": [\"0-x\"]}}", NULL,
	     "demo.json: machine.cpus_of_node[0]: \"0-x\" is no list of CPUs such as \"0-3,8\", "
	     "with "
	     "CPUs 0 to 4095"},
	    {"{\"machine\": {\"cpus_of_node\": [\"0,\"]}}", NULL,
	     "demo.json: machine.cpus_of_node[0]: \"0,\" is no list of CPUs such as \"0-3,8\", "
	     "with "
	     "CPUs 0 to 4095"},
	    {"{\"machine\": {\"cpus_of_node\": [\"0-99999999999999999999\"]}}", NULL,
	     "demo.json: machine.cpus_of_node[0]: \"0-99999999999999999999\" is no list of CPUs "
	     "such "
	     "as \"0-3,8\", with CPUs 0 to 4095"},
	    {"{\"machine\": {\"nodes\": 3, \"cpus_of_node\": [\"0\", \"1\"]}}", NULL,
	     "demo.json: machine.cpus_of_node: 2 lists, but the machine has 3 nodes"},
	    {"{\"machine\": {\"cpus\": 2, \"cpus_of_node\": [\"0-2\"]}}", NULL,
	     "demo.json: machine.cpus_of_node: CPU 2, but the machine has CPUs 0..1 only"},
	    {"{\"machine\": {\"cpus\": 4, \"cpus_of_node\": [\"0-2\"]}}", NULL,
	     "demo.json: machine.cpus_of_node: CPU 3 is on no node"},
	    {"{\"machine\": {\"nodes\": 2, \"distances\": [[10]]}}", NULL,
	     "demo.json: machine.distances: 1 rows, but the machine has 2 nodes"},
	    {"{\"machine\": {\"distances\": [[10, 20], [20]]}}", NULL,
	     "demo.json: machine.distances[1]: a row of 2 distances is wanted"},
	    {"{\"machine\": {\"distances\": [[10, 256], [20, 10]]}}", NULL,
	     "demo.json: machine.distances[0]: a whole number from 1 to 255 is wanted, not 256"},
	    {"{\"machine\": {\"distances\": [[20, 10], [20, 10]]}}", NULL,
	     "demo.json: machine.distances[0]: node 1 is nearer to node 0 (10) than that is to "
	     "itself "
	     "(20)"},
	    {"{\"machine\": \"smal\"}", NULL,
	     "demo.json: machine: there is no machine \"smal\"; did you mean \"small\"? (smal.json "
	     "is "
	     "looked for in machines/ beside the config, beside the config, in configs/machines/ "
	     "and "
	     "in " DATADIR "/machines/)"},
	    {"{\"machine\": \"../small\"}", NULL,
	     "demo.json: machine: \"../small\" is not the name of a machine (a file NAME.json, "
	     "without .json and folder)"},
	    {"{\"machine\": \"broken\"}", NULL,
	     "machines/broken.json: nodes: 8 nodes, but 4 CPUs: a node has a CPU at least"},
	    {"{\"machine\": \"odd\"}", NULL,
	     "machines/odd.json: cpu: unknown key; did you mean \"cpus\"?"},
	};

	(void)state;
	CHECK_WRONG(wrong);
}

static void test_cache_errors(void **state)
{
	static const struct wrong wrong[] = {
	    {"{\"caches\": [{\"object_size\": 8}]}", NULL,
	     "demo.json: caches[0].name: a cache needs a name"},
	    {"{\"caches\": [{\"name\": \"a\\nb\", \"size\": 8}]}", NULL,
	     "demo.json: caches[0].name: a control character in a cache's name"},
	    {"{\"caches\": [{\"name\": \"a\", \"object_size\": 0}]}", NULL,
	     "demo.json: caches[0].object_size: a whole number from 1 to 4194304 is wanted, not 0"},
	    {"{\"caches\": [{\"name\": \"a\", \"object_size\": 4194305}]}", NULL,
	     "demo.json: caches[0].object_size: a whole number from 1 to 4194304 is wanted, not "
	     "4194305"},
	    {"{\"caches\": [{\"name\": \"a\", \"size\": 12}]}", NULL,
	     "demo.json: caches[0].size: a multiple of 8 is wanted, not 12"},
	    {"{\"caches\": [{\"name\": \"a\", \"object_size\": 20, \"size\": 16}]}", NULL,
	     "demo.json: caches[0].size: 16 is smaller than object_size, 20"},
	    {"{\"caches\": [{\"name\": \"a\", \"size\": 16, \"align\": 24}]}", NULL,
	     "demo.json: caches[0].align: a power of two from 1 to 65536 is wanted, not 24"},
	    {"{\"caches\": [{\"name\": \"a\", \"size\": 16, \"order\": 11}]}", NULL,
	     "demo.json: caches[0].order: a whole number from 0 to 10 is wanted, not 11"},
	    {"{\"caches\": [{\"name\": \"a\", \"size\": 16, \"cpu_partial\": -1}]}", NULL,
	     "demo.json: caches[0].cpu_partial: a whole number from 0 to 1000000000 is wanted, not "
	     "-1"},
	    {"{\"caches\": [{\"name\": \"a\", \"size\": 8}, {\"name\": \"a\", \"size\": 16}]}",
	     NULL, "demo.json: caches: two caches are named \"a\""},
	    {"{\"caches\": [{\"name\": \"a\", \"size\": 8, \"match\": {\"size\": 8}}]}", NULL,
	     "demo.json: caches[0].match: call_site is missing"},
	};

	(void)state;
	CHECK_WRONG(wrong);
}

static void test_policy_errors(void **state)
{
	static const struct wrong wrong[] = {
	    {"{\"policy\": {\"preset\": \"linux-6.2\"}}", NULL,
	     "demo.json: policy.preset: there is no preset \"linux-6.2\"; did you mean "
	     "\"linux-3.2\"? "
	     "There are: linux-3.2, linux-3.7, linux-5.15, linux-5.16, linux-6.1, linux-6.7, "
	     "linux-6.8, linux-6.12, linux-6.18, linux-7.0"},
	    {"{\"policy\": {\"preset\": 6.1}}", NULL,
	     "demo.json: policy.preset: a preset's name (slabsim list presets) is wanted, not "
	     "6.1"},
	    {"{\"policy\": {\"partial_accounting\": \"objets\"}}", NULL,
	     "demo.json: policy.partial_accounting: there is no partial_accounting policy "
	     "\"objets\"; "
	     "did you mean \"objects\"? There are: objects, pages, unlimited"},
	    {"{\"policy\": {\"partial_accounting\": \"nothing\"}}", NULL,
	     "demo.json: policy.partial_accounting: there is no partial_accounting policy "
	     "\"nothing\"; there are: objects, pages, unlimited"},
	    {"{\"policy\": {\"partial_accounting\": 5}}", NULL,
	     "demo.json: policy.partial_accounting: a policy's name or {\"NAME\": NUMBER} is "
	     "wanted, "
	     "not 5"},
	    {"{\"policy\": {\"cpu_partial\": true}}", NULL,
	     "demo.json: policy.cpu_partial: a policy's name, a number or {\"NAME\": NUMBER} is "
	     "wanted, not true"},
	    {"{\"policy\": {\"cpu_partial\": -1}}", NULL,
	     "demo.json: policy.cpu_partial: a whole number from 0 to 1000000000 is wanted, "
	     "not -1"},
	    {"{\"policy\": {\"cpu_partial\": 1.5}}", NULL,
	     "demo.json: policy.cpu_partial: a whole number from 0 to 1000000000 is wanted, "
	     "not 1.5"},
	    {"{\"policy\": {\"cpu_partial\": \"number\"}}", NULL,
	     "demo.json: policy.cpu_partial: \"number\" takes a number: write a number alone, such "
	     "as "
	     "0"},
	    {"{\"policy\": {\"cpu_partial\": \"scale\"}}", NULL,
	     "demo.json: policy.cpu_partial: \"scale\" takes a number: write {\"scale\": NUMBER, "
	     "\"of\": \"POLICY\"}"},
	    {"{\"policy\": {\"cpu_partial\": {\"scale\": 8}}}", NULL,
	     "demo.json: policy.cpu_partial: \"scale\" needs a base: write {\"scale\": NUMBER, "
	     "\"of\": \"POLICY\"}"},
	    {"{\"policy\": {\"cpu_partial\": {\"scale\": 8, \"of\": \"number\"}}}", NULL,
	     "demo.json: policy.cpu_partial: \"number\" takes a number itself and cannot be a "
	     "base"},
	    {"{\"policy\": {\"cpu_partial\": {\"scale\": 8, \"of\": 5}}}", NULL,
	     "demo.json: policy.cpu_partial: a policy's name in \"of\" is wanted, not 5"},
	    {"{\"policy\": {\"cpu_partial\": {\"scale\": 8, \"of\": \"defaul\"}}}", NULL,
	     "demo.json: policy.cpu_partial: there is no cpu_partial policy \"defaul\"; did you "
	     "mean "
	     "\"default\"? There are: default, default-old, feng, number, scale"},
	    {"{\"policy\": {\"cpu_partial\": {\"scale\": \"8\", \"of\": \"default\"}}}", NULL,
	     "demo.json: policy.cpu_partial: a number from 0 to 1000 for \"scale\" is wanted, not "
	     "the "
	     "string \"8\""},
	    {"{\"policy\": {\"cpu_partial\": {\"scale\": 1e9, \"of\": \"default\"}}}", NULL,
	     "demo.json: policy.cpu_partial: a number from 0 to 1000 for \"scale\" is wanted, not "
	     "1000000000"},
	    {"{\"policy\": {\"cpu_partial\": {\"number\": 8, \"of\": \"default\"}}}", NULL,
	     "demo.json: policy.cpu_partial: \"number\" has no base: leave out \"of\""},
	    {"{\"policy\": {\"cpu_partial\": {\"default\": 8}}}", NULL,
	     "demo.json: policy.cpu_partial: \"default\" takes no number: write \"default\""},
	    {"{\"policy\": {\"cpu_partial\": {\"scale\": 8, \"number\": 5}}}", NULL,
	     "demo.json: policy.cpu_partial: one policy is wanted, not both \"scale\" and "
	     "\"number\""},
	    {"{\"policy\": {\"cpu_partial\": {}}}", NULL,
	     "demo.json: policy.cpu_partial: {\"NAME\": NUMBER} is wanted: no policy is named"},
	    {"{\"policy\": {\"remote_node_defrag_ratio\": 101}}", NULL,
	     "demo.json: policy.remote_node_defrag_ratio: a whole number from 0 to 100 is wanted, "
	     "not "
	     "101"},
	    {"{\"policy\": {\"remote_node_defrag_ratio\": \"never\"}}", NULL,
	     "demo.json: policy.remote_node_defrag_ratio: a whole number from 0 to 100, or "
	     "\"always\" "
	     "is wanted, not the string \"never\""},
	    {"{\"policy\": {\"slub_max_order\": 11}}", NULL,
	     "demo.json: policy.slub_max_order: a whole number from 0 to 10 is wanted, not 11"},
	    {"{\"policy\": {\"slub_min_order\": 3, \"slub_max_order\": 1}}", NULL,
	     "demo.json: policy.slub_min_order: 3, but slub_max_order is 1"},
	};

	(void)state;
	CHECK_WRONG(wrong);
}

static void test_setting_errors(void **state)
{
#define WANTED " (PATH=VALUE is wanted, such as machine.cpus=4 or caches[0].size=256)"
	static const struct wrong wrong[] = {
	    {NULL, "machine.cpus", "--set machine.cpus: there is no \"=\"" WANTED},
	    {NULL, "name=\xee", "--set name=\xee: not UTF-8" WANTED},
	    {NULL, "=4", "--set =4: a key is missing in the path" WANTED},
	    {NULL, "machine..cpus=4", "--set machine..cpus=4: a key is missing in the path" WANTED},
	    {NULL, "machine.=4", "--set machine.=4: a key is missing in the path" WANTED},
	    {NULL, "caches.[0].size=8",
	     "--set caches.[0].size=8: a key is missing in the path" WANTED},
	    {NULL, "[0]=4", "--set [0]=4: a key is missing in the path" WANTED},
	    {NULL, "caches[x].size=4",
	     "--set caches[x].size=4: [ is followed by an index and ]" WANTED},
	    {NULL, "caches[0]size=4",
	     "--set caches[0]size=4: [ is followed by an index and ]" WANTED},
	    {NULL, "caches[1].size=4",
	     "--set caches[1].size=4: there is no [1]; the next one would be [0]"},
	    {"{\"policy\": {\"order\": \"legacy\"}}", "policy.order.fixed=3",
	     "--set policy.order.fixed=3: \"fixed\" is looked for in what is not an object"},
	    {NULL, "policy.cpu_partial={\"scale\": 8",
	     "--set policy.cpu_partial={\"scale\": 8: the value is not JSON: column 12: the text "
	     "ends "
	     "here, where \",\" or \"}\" is wanted"},
	    {"{}", "machine.cpus=0",
	     "--set machine.cpus=0: a whole number from 1 to 4096 is wanted, not 0"},
	    {"{}", "policy.cpu_partail=5",
	     "--set policy.cpu_partail=5: unknown key; did you mean \"cpu_partial\"?"},
	    {"{}", "policy.order=mainlin",
	     "--set policy.order=mainlin: there is no order policy \"mainlin\"; did you mean "
	     "\"mainline\"? There are: feng, fixed, legacy, mainline, min-waste-absolute, "
	     "min-waste-fraction"},
	    {"{}", "caches=[{\"name\": \"a\", \"size\": 4}]",
	     "--set caches=[{\"name\": \"a\", \"size\": 4}]: caches[0].size: a whole number from 8 "
	     "to "
	     "4194304 is wanted, not 4"},
	    {"{\"machine\": {\"cpus\": 0}}", "machine.nodes=1",
	     "demo.json: machine.cpus: a whole number from 1 to 4096 is wanted, not 0"},
	    {"{\"machine\": \"small\"}", "machine=smaller",
	     "--set machine=smaller: there is no machine \"smaller\"; did you mean \"small\"? "
	     "(smaller.json is looked for in machines/ beside the config, beside the config, in "
	     "configs/machines/ and in " DATADIR "/machines/)"},
	    {"{}", "policy.cpu_partial.scale=8",
	     "--set policy.cpu_partial.scale=8: policy.cpu_partial: \"scale\" needs a base: write "
	     "{\"scale\": NUMBER, \"of\": \"POLICY\"}"},
	    {"{\"caches\": [{\"name\": \"a\", \"size\": 8}]}",
	     "caches[1]={\"name\": \"a\", \"size\": 8}",
	     "--set caches[1]={\"name\": \"a\", \"size\": 8}: caches: two caches are named \"a\""},
	    {NULL, "policy.refill=3.3",
	     "--set policy.refill=3.3: a policy's name or {\"NAME\": NUMBER} is wanted, not 3.3"},
	    {"{\"workload\": {\"model\": {\"hackbench\": {}}}}", "workload.model.open.operations=9",
	     "--set workload.model.open.operations=9: workload.model: one model is wanted, not "
	     "both "
	     "\"hackbench\" and \"open\""},
	    {NULL, "machine.nodes=9999",
	     "--set machine.nodes=9999: a whole number from 1 to 1024 is "
	     "wanted, not 9999"},
	};

	(void)state;
	CHECK_WRONG(wrong);
}

/* ---- what a config becomes ---- */

static const struct policy *chosen(const struct config *cfg, enum policy_axis axis)
{
	return cfg->policy.choice[axis].policy;
}

static void test_defaults(void **state)
{
	struct config cfg;

	(void)state;
	load_good(&cfg, NULL, NULL);
	assert_null(cfg.path);
	assert_string_equal(cfg.name, "run");
	assert_int_equal(cfg.machine.cpus, 0);
	assert_int_equal(cfg.machine.nodes, 0);
	assert_int_equal(cfg.machine.page_size, 4096);
	assert_int_equal(cfg.machine.cache_line_size, 64);
	assert_null(cfg.machine.node_of_cpu);
	assert_null(cfg.machine.distances);
	assert_int_equal(cfg.nr_caches, 0);
	assert_string_equal(cfg.preset, "linux-6.1");
	assert_false(cfg.preset_given);
	assert_string_equal(chosen(&cfg, AXIS_ALLOCATOR)->name, "slub");
	assert_int_equal(cfg.policy.slub_min_order, -1);
	assert_int_equal(cfg.policy.slub_max_order, -1);
	assert_int_equal(cfg.policy.slub_min_objects, -1);
	/* Once it was 0: never look at another node. */
	assert_int_equal(cfg.policy.remote_node_defrag_ratio, DEFRAG_RATIO_DEFAULT);
	assert_null(cfg.trace);
	assert_int_equal(cfg.gfp_may_block, -1);
	assert_int_equal(cfg.mode, REPLAY_ORDER);
	assert_null(cfg.initial);
	assert_false(cfg.merge);
	assert_int_equal(cfg.nr_only, 0);
	assert_int_equal(cfg.seed, 1);
	config_free(&cfg);
}

static void test_everything(void **state)
{
	struct config cfg;

	(void)state;
	load_good(&cfg,
		  "{\"$schema\": \"schema.json\", \"name\": \"n\", \"description\": \"d\","
		  " \"machine\": {\"cpus\": 4, \"nodes\": 2, \"page_size\": 65536,"
		  "   \"cache_line_size\": 128, \"cpus_of_node\": [[0, 3], \"1-2\"],"
		  "   \"distances\": [[10, 20], [30, 10]],"
		  "   \"pages\": {\"memory_per_node\": 8192, \"free\": 50, \"fragmentation\": 7}},"
		  " \"caches\": [{\"name\": \"a\", \"object_size\": 216, \"align\": 0,"
		  "   \"hwcache_align\": true, \"typesafe_by_rcu\": true, \"ctor\": true,"
		  "   \"no_merge\": true, \"account\": true, \"reclaim_account\": true,"
		  "   \"sheaf_capacity\": 32, \"order\": 2, \"cpu_partial\": 0, \"min_partial\": 7,"
		  "   \"match\": {\"call_site\": \"f+0x12\", \"size\": 256}},"
		  "  {\"name\": \"b\", \"size\": 64}, {\"name\": \"c\", \"cpu_partial\": 9}],"
		  " \"policy\": {\"preset\": \"linux-6.12\", \"order\": 3,"
		  "   \"cpu_partial\": {\"scale\": 0.5, \"of\": \"default-old\"},"
		  "   \"remote_node_defrag_ratio\": \"always\", \"slub_min_order\": 1,"
		  "   \"slub_max_order\": 2, \"slub_min_objects\": 0},"
		  " \"workload\": {\"trace\": \"t.txt\", \"gfp\": \"atomic\"},"
		  " \"replay\": {\"mode\": \"order\", \"initial\": \"i\", \"merge\": true,"
		  "   \"only\": [\"a*\", \"b\"], \"seed\": 9007199254740991},"
		  " \"sweep\": {\"policy.order\": [1, 2]}, \"seeds\": 5}",
		  NULL);
	assert_string_equal(cfg.path, "demo.json");
	assert_string_equal(cfg.name, "n");
	assert_string_equal(cfg.description, "d");
	assert_int_equal(cfg.machine.cpus, 4);
	assert_int_equal(cfg.machine.nodes, 2);
	assert_int_equal(cfg.machine.page_size, 65536);
	assert_int_equal(cfg.machine.cache_line_size, 128);
	assert_memory_equal(cfg.machine.node_of_cpu, ((unsigned[]){0, 1, 1, 0}), 16);
	assert_memory_equal(cfg.machine.distances, ((unsigned[]){10, 20, 30, 10}), 16);

	assert_int_equal(cfg.nr_caches, 3);
	assert_int_equal(cfg.caches[0].object_size, 216);
	assert_int_equal(cfg.caches[0].size, -1);
	assert_int_equal(cfg.caches[0].align, 0);
	assert_true(cfg.caches[0].hwcache_align && cfg.caches[0].typesafe_by_rcu &&
		    cfg.caches[0].ctor);
	assert_int_equal(cfg.machine.pages.memory_per_node, 8192);
	assert_int_equal(cfg.machine.pages.free, 50);
	assert_int_equal(cfg.machine.pages.fragmentation, 7);
	assert_true(cfg.caches[0].no_merge && cfg.caches[0].account &&
		    cfg.caches[0].reclaim_account);
	assert_int_equal(cfg.caches[0].sheaf_capacity, 32);
	assert_int_equal(cfg.caches[0].order, 2);
	assert_int_equal(cfg.caches[0].cpu_partial, 0);
	assert_int_equal(cfg.caches[0].min_partial, 7);
	assert_string_equal(cfg.caches[0].match_call_site, "f+0x12");
	assert_int_equal(cfg.caches[0].match_size, 256);
	assert_int_equal(cfg.caches[1].size, 64);
	assert_int_equal(cfg.caches[1].object_size, -1);
	assert_int_equal(cfg.caches[1].cpu_partial, -1);
	assert_int_equal(cfg.caches[1].match_size, -1);
	assert_null(cfg.caches[1].match_call_site);
	assert_int_equal(cfg.caches[2].cpu_partial, 9);

	assert_true(cfg.preset_given);
	assert_string_equal(chosen(&cfg, AXIS_ORDER)->name, "fixed");
	assert_int_equal(cfg.policy.choice[AXIS_ORDER].number, 3);
	assert_string_equal(chosen(&cfg, AXIS_CPU_PARTIAL)->name, "scale");
	assert_int_equal(cfg.policy.choice[AXIS_CPU_PARTIAL].number, POLICY_UNIT / 2);
	assert_string_equal(cfg.policy.choice[AXIS_CPU_PARTIAL].of->name, "default-old");
	assert_int_equal(cfg.policy.remote_node_defrag_ratio, DEFRAG_RATIO_ALWAYS);
	assert_int_equal(cfg.policy.slub_min_order, 1);
	assert_int_equal(cfg.policy.slub_max_order, 2);
	assert_int_equal(cfg.policy.slub_min_objects, 0);
	assert_string_equal(cfg.trace, "t.txt");
	assert_int_equal(cfg.gfp_may_block, 0);
	assert_string_equal(cfg.initial, "i");
	assert_true(cfg.merge);
	assert_int_equal(cfg.nr_only, 2);
	assert_string_equal(cfg.only[1], "b");
	assert_true(cfg.seed == UINT64_C(9007199254740991));
	config_free(&cfg);
}

/* Loading what was in force gives the same again: nothing is lost and nothing is added. */
static void check_reload(const char *json)
{
	struct config cfg, again;
	char *text, *text2;

	load_good(&cfg, json, NULL);
	text = cJSON_Print(cfg.effective);
	load_good(&again, text, NULL);
	text2 = cJSON_Print(again.effective);
	assert_string_equal(text, text2);
	free(text);
	free(text2);
	config_free(&cfg);
	config_free(&again);
}

static void test_effective(void **state)
{
	struct config cfg;
	char *text;

	(void)state;
	load_good(&cfg,
		  "{\"machine\": {\"cpus_of_node\": [\"0-2,5\", [3, 4]]},"
		  " \"caches\": [{\"name\": \"a\", \"size\": 64}],"
		  " \"policy\": {\"partial_accounting\": \"objects\", \"cpu_partial\": 52},"
		  " \"workload\": {\"trace\": \"../t\"}, \"sweep\": {\"x\": [1]}}",
		  NULL);
	text = cJSON_PrintUnformatted(cfg.effective);
	assert_string_equal(
	    text,
	    "{\"name\":\"demo\",\"description\":null,\"plugins\":null,"
	    "\"machine\":{\"description\":null,\"cpus\":6,\"nodes\":2,\"cpus_per_complex\":0,"
	    "\"costs\":null,"
	    "\"page_size\":4096,"
	    "\"cache_line_size\":64,\"cpus_of_node\":[\"0-2,5\",\"3-4\"],\"distances\":null,"
	    "\"pages\":{\"memory_per_node\":null,\"free\":100,\"fragmentation\":0,"
	    "\"free_blocks\":null}},"
	    "\"caches\":[{\"name\":\"a\",\"size\":64,\"hwcache_align\":false,"
	    "\"typesafe_by_rcu\":false,\"ctor\":false,\"no_merge\":false,\"account\":false,"
	    "\"reclaim_account\":false}],"
	    "\"policy\":{\"preset\":\"linux-6.1\",\"allocator\":\"slub\",\"order\":\"legacy\","
	    "\"partial_accounting\":\"objects\",\"cpu_partial\":52,\"cpu_partial_full\":\"drain\","
	    "\"refill\":\"3.7\",\"min_partial\":\"default\",\"empty_slab\":\"since-3.16\","
	    "\"count_partial\":\"walk\",\"remote_node_defrag_ratio\":100,\"slub_min_order\":null,"
	    "\"slub_max_order\":null,\"slub_min_objects\":null},"
	    "\"workload\":{\"trace\":\"../"
	    "t\",\"model\":null,\"gfp\":null,\"reorder_ns\":0,\"jitter_ns\":0},"
	    "\"replay\":{\"mode\":\"order\",\"reader_interval_us\":0,\"reader_cpu\":0,"
	    "\"initial\":null,\"merge\":false,\"salvage\":false,\"only\":null,"
	    "\"seed\":1},\"sweep\":{\"x\":[1]},\"seeds\":null}");
	free(text);
	config_free(&cfg);

	check_reload("{}");
	check_reload("{\"machine\": \"small\", \"policy\": {\"partial_accounting\": \"objects\"}}");
	check_reload(
	    "{\"machine\": {\"cpus_of_node\": [\"0-2,5\", [3, 4]], \"distances\": [[10, 20],"
	    " [20, 10]]}, \"caches\": [{\"name\": \"a\", \"cpu_partial\": 5, \"match\":"
	    " {\"call_site\": \"f\"}}], \"policy\": {\"preset\": \"linux-6.18\","
	    " \"cpu_partial\": {\"scale\": 2.5, \"of\": \"feng\"}, \"order\": 2,"
	    " \"remote_node_defrag_ratio\": \"always\"}, \"replay\": {\"only\": [\"x\"]}}");
}

static void check_refill(const char *policy, const char *refill)
{
	struct config cfg;
	char json[300];

	snprintf(json, sizeof(json), "{\"policy\": {%s}}", policy);
	load_good(&cfg, json, NULL);
	assert_string_equal(chosen(&cfg, AXIS_REFILL)->name, refill);
	config_free(&cfg);
}

static void test_refill_follows(void **state)
{
	(void)state;
	check_refill("\"preset\": \"linux-3.2\"", "3.2");
	check_refill("\"preset\": \"linux-6.1\"", "5.16");
	check_refill("\"preset\": \"linux-6.1\", \"partial_accounting\": \"objects\"", "3.7");
	check_refill("\"partial_accounting\": \"objects\", \"refill\": \"6.10\"", "6.10");
	check_refill("\"refill\": \"3.2\", \"partial_accounting\": \"objects\"", "3.2");
	check_refill("\"preset\": \"linux-5.15\", \"partial_accounting\": \"pages\"", "5.16");
	/* The accounting that the preset has anyway changes nothing. */
	check_refill("\"preset\": \"linux-6.12\", \"partial_accounting\": \"pages\"", "6.10");
	check_refill("\"preset\": \"linux-3.2\", \"partial_accounting\": \"objects\"", "3.2");
	check_refill("\"preset\": \"linux-6.12\", \"partial_accounting\": null", "6.10");
}

static void test_settings(void **state)
{
	char *settings[] = {
	    "name=5th run",	     "machine=small",
	    "machine.cpus=8",	     "caches[0].name=a",
	    "caches[0].size=64",     "caches[1]={\"name\": \"b\", \"size\": 8}",
	    "caches[0].size=128",    "policy.order=legacy",
	    "policy.cpu_partial=52", "policy.cpu_partial={\"scale\": 2, \"of\": \"default\"}",
	    "replay.merge=true",     "workload.trace=null",
	    "replay.only=[\"a\"]",   "replay.seed=7",
	};
	struct config cfg;
	struct error err = {0};

	(void)state;
	write_file("demo.json", "{\"machine\": {\"cpus\": 2}, \"workload\": {\"trace\": \"x\"}}");
	if (config_load(&cfg, "demo.json", settings, sizeof(settings) / sizeof(settings[0]), &err))
		fail_msg("%s", err.text);
	assert_string_equal(cfg.name, "5th run");
	assert_int_equal(cfg.machine.cpus, 8);
	assert_int_equal(cfg.machine.nodes, 2);
	assert_int_equal(cfg.nr_caches, 2);
	assert_int_equal(cfg.caches[0].size, 128);
	assert_string_equal(cfg.caches[1].name, "b");
	assert_string_equal(chosen(&cfg, AXIS_ORDER)->name, "legacy");
	assert_string_equal(chosen(&cfg, AXIS_CPU_PARTIAL)->name, "scale");
	assert_true(cfg.merge);
	assert_null(cfg.trace);
	assert_int_equal(cfg.nr_only, 1);
	assert_int_equal(cfg.seed, 7);
	config_free(&cfg);
}

/* What looks like a number is a name where only a name can stand. */
static void test_names_like_numbers(void **state)
{
	char *settings[] = {"policy.refill=6.10", "policy.cpu_partial=30", "name=6.10",
			    "caches[0].name=1e2", "caches[0].size=64",	   "workload.trace=7"};
	struct config cfg;
	struct error err = {0};

	(void)state;
	write_file("demo.json", "{}");
	if (config_load(&cfg, "demo.json", settings, sizeof(settings) / sizeof(settings[0]), &err))
		fail_msg("%s", err.text);
	assert_string_equal(chosen(&cfg, AXIS_REFILL)->name, "6.10");
	assert_true(chosen(&cfg, AXIS_CPU_PARTIAL)->plain_number);
	assert_string_equal(cfg.name, "6.10");
	assert_string_equal(cfg.caches[0].name, "1e2");
	assert_int_equal(cfg.caches[0].size, 64);
	assert_string_equal(cfg.trace, "7");
	config_free(&cfg);
}

static void test_paths(void **state)
{
	struct config cfg;
	struct error err = {0};
	cJSON *trace;

	(void)state;
	write_file("machines/c.json", "{\"workload\": {\"trace\": \"../t\"}}");
	assert_int_equal(config_load(&cfg, "machines/c.json", NULL, 0, &err), 0);
	assert_string_equal(cfg.trace, "machines/../t");
	assert_string_equal(cfg.name, "c");
	trace = cJSON_GetObjectItem(cJSON_GetObjectItem(cfg.effective, "workload"), "trace");
	assert_string_equal(trace->valuestring, "../t");
	/* --trace is seen from the working directory. */
	assert_int_equal(config_set_trace(&cfg, "u", &err), 0);
	assert_string_equal(cfg.trace, "u");
	trace = cJSON_GetObjectItem(cJSON_GetObjectItem(cfg.effective, "workload"), "trace");
	assert_string_equal(trace->valuestring, "u");
	assert_string_equal(cfg.name, "c");
	config_free(&cfg);

	/* Without a config the trace names the run, unless a setting does. */
	load_good(&cfg, NULL, NULL);
	assert_int_equal(config_set_trace(&cfg, "here/run.txt.zst", &err), 0);
	assert_string_equal(cfg.name, "run.txt.zst");
	assert_string_equal(cJSON_GetObjectItem(cfg.effective, "name")->valuestring, cfg.name);
	config_free(&cfg);
	load_good(&cfg, NULL, "name=mine");
	assert_int_equal(config_set_trace(&cfg, "u", &err), 0);
	assert_string_equal(cfg.name, "mine");
	config_free(&cfg);

	write_file("machines/c.json", "{\"workload\": {\"trace\": \"-\"}}");
	assert_int_equal(config_load(&cfg, "machines/c.json", NULL, 0, &err), 0);
	assert_string_equal(cfg.trace, "-");
	config_free(&cfg);
	write_file("machines/c.json", "{\"workload\": {\"trace\": \"/t\"}}");
	assert_int_equal(config_load(&cfg, "machines/c.json", NULL, 0, &err), 0);
	assert_string_equal(cfg.trace, "/t");
	config_free(&cfg);
	unlink("machines/c.json");
}

/* ---- what ships ---- */

/* Every run of the config's sweep must load, too. */
static void check_sweep(const char *file, const struct config *cfg)
{
	/* One that leaves the trace to the command line takes any file. */
	struct sweep_input in = {.config = file, .trace = cfg->trace || cfg->model ? NULL : file};
	struct error err = {0};
	struct sweep_plan plan;

	if (sweep_plan_init(&plan, &in, &err))
		fail_msg("%s", err.text);
	sweep_plan_free(&plan);
}

static void test_shipped_configs(void **state)
{
	char pattern[PATH_MAX + 40];
	unsigned configs = 0;
	glob_t found;

	(void)state;
	snprintf(pattern, sizeof(pattern), "%s/configs/*.json", root);
	assert_int_equal(glob(pattern, 0, NULL, &found), 0);
	for (size_t i = 0; i < found.gl_pathc; i++) {
		struct config cfg;
		struct error err = {0};

		if (strstr(found.gl_pathv[i], "schema.json"))
			continue;
		if (config_load(&cfg, found.gl_pathv[i], NULL, 0, &err))
			fail_msg("%s", err.text);
		check_sweep(found.gl_pathv[i], &cfg);
		config_free(&cfg);
		configs++;
	}
	globfree(&found);
	assert_true(configs >= 4);
}

static void test_shipped_machines(void **state)
{
	struct error err = {0};
	char *setting, **names;
	unsigned n = 0;

	(void)state;
	assert_int_equal(chdir(root), 0);
	names = config_machines(NULL, &err);
	assert_non_null(names);
	for (; names[n]; n++) {
		struct config cfg;

		assert_true(asprintf(&setting, "machine=%s", names[n]) > 0);
		if (config_load(&cfg, NULL, &setting, 1, &err))
			fail_msg("%s", err.text);
		assert_true(cfg.machine.cpus > 0);
		config_free(&cfg);
		free(setting);
		free(names[n]);
	}
	free(names);
	assert_true(n >= 2);
	assert_int_equal(chdir(temp), 0);
}

/* The schema's entry for a path of the option table. */
static const cJSON *schema_entry(const cJSON *schema, const char *path)
{
	const cJSON *defs = cJSON_GetObjectItem(schema, "$defs"), *at = schema;
	char key[100];

	while (*path) {
		size_t n = strcspn(path, ".[");

		snprintf(key, sizeof(key), "%.*s", (int)n, path);
		if (at == schema && path[n] && !strcmp(key, "machine"))
			at = cJSON_GetObjectItem(defs, "machine");
		else if (at == schema && path[n] && !strcmp(key, "caches"))
			at = cJSON_GetObjectItem(defs, "cache");
		else
			at = cJSON_GetObjectItem(cJSON_GetObjectItem(at, "properties"), key);
		path += n;
		path += strspn(path, ".[]");
	}
	return at;
}

static void check_bounds(const struct config_option *opt, const cJSON *entry)
{
	const cJSON *min = cJSON_GetObjectItem(entry, "minimum");
	const cJSON *max = cJSON_GetObjectItem(entry, "maximum");
	const cJSON *def = cJSON_GetObjectItem(entry, "default");
	const cJSON *one_of = cJSON_GetObjectItem(entry, "anyOf");
	const cJSON *words = cJSON_GetObjectItem(entry, "enum"), *word;

	if (one_of && !min) {
		min = cJSON_GetObjectItem(one_of->child, "minimum");
		max = cJSON_GetObjectItem(one_of->child, "maximum");
	}
	if (opt->type == OPT_UNSIGNED && words) { /* powers of two */
		assert_true(words->child->valuedouble == (double)opt->min);
		cJSON_ArrayForEach (word, words) {
			if (cJSON_IsNull(word->next))
				assert_true(word->valuedouble == (double)opt->max);
		}
	} else if (opt->type <= OPT_UINT64 || opt->type == OPT_INT_OR_WORD) {
		assert_non_null(min);
		assert_non_null(max);
		assert_true(min->valuedouble == (double)opt->min);
		assert_true(max->valuedouble == (double)opt->max);
	}
	if (opt->type == OPT_CHOICE) {
		int i = 0;

		cJSON_ArrayForEach (word, words) {
			if (cJSON_IsString(word))
				assert_string_equal(word->valuestring, opt->allowed[i++]);
		}
		assert_null(opt->allowed[i]);
	}
	if (opt->type <= OPT_INT_OR_WORD && !opt->absent) {
		assert_non_null(def);
		if (opt->type == OPT_BOOL)
			assert_int_equal(cJSON_IsTrue(def), opt->def);
		else if (opt->type == OPT_CHOICE)
			assert_string_equal(def->valuestring, opt->allowed[opt->def]);
		else
			assert_true(def->valuedouble == (double)opt->def);
	}
}

/* How many values a schema object describes, those of its sections included. */
static size_t count_leaves(const cJSON *schema)
{
	const cJSON *property;
	size_t n = 0;

	cJSON_ArrayForEach (property, cJSON_GetObjectItem(schema, "properties"))
		n += cJSON_GetObjectItem(property, "properties") ? count_leaves(property) : 1;
	return n;
}

static void test_schema(void **state)
{
	char path[PATH_MAX + 40];
	struct error err = {0};
	const cJSON *defs;
	size_t n, leaves;
	const struct config_option *table = config_options(&n);
	cJSON *schema;

	(void)state;
	snprintf(path, sizeof(path), "%s/configs/schema.json", root);
	schema = json_read_file(path, &err);
	if (!schema)
		fail_msg("%s", err.text);
	for (size_t i = 0; i < n; i++) {
		const cJSON *entry = schema_entry(schema, table[i].path);

		if (!entry)
			fail_msg("%s is not in schema.json", table[i].path);
		check_bounds(&table[i], entry);
		/* One text for both, where there is a text. */
		if (table[i].help && cJSON_GetObjectItem(entry, "description"))
			assert_string_equal(cJSON_GetObjectItem(entry, "description")->valuestring,
					    table[i].help);
	}
	defs = cJSON_GetObjectItem(schema, "$defs");
	/* "machine" itself is no row; its keys are. */
	leaves = count_leaves(schema) - 1 + count_leaves(cJSON_GetObjectItem(defs, "machine")) +
		 count_leaves(cJSON_GetObjectItem(defs, "cache"));
	assert_int_equal(leaves, n);
	cJSON_Delete(schema);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_syntax),
	    cmocka_unit_test(test_limits),
	    cmocka_unit_test(test_keys_and_types),
	    cmocka_unit_test(test_machine_errors),
	    cmocka_unit_test(test_cache_errors),
	    cmocka_unit_test(test_policy_errors),
	    cmocka_unit_test(test_setting_errors),
	    cmocka_unit_test(test_defaults),
	    cmocka_unit_test(test_everything),
	    cmocka_unit_test(test_effective),
	    cmocka_unit_test(test_refill_follows),
	    cmocka_unit_test(test_settings),
	    cmocka_unit_test(test_names_like_numbers),
	    cmocka_unit_test(test_paths),
	    cmocka_unit_test(test_shipped_configs),
	    cmocka_unit_test(test_shipped_machines),
	    cmocka_unit_test(test_schema),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
