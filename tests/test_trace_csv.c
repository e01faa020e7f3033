/* The plain way in: columns, operations, bulk calls, caches and sizes, and every mistake. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <unistd.h>

#include "tests/run_fixture.h"
#include "tests/trace_fixture.h"
#include "workloads/csv-write.h"
#include "workloads/deliver.h"

static struct source *open_text(const char *text)
{
	struct source *src = fixture_open(text, NULL);

	fixture_accounts_for(src, text);
	return src;
}

static void smallest(void **state)
{
	struct source *src =
	    open_text("op,cpu,object\nalloc,0,7\nalloc,3,0x8\nfree,1,7\nfree,1,8\n");
	struct event *ev = fixture_events(src, NULL);
	static const struct event expect[] = {
	    {.object = 0, .cpu = 0, .node = -1, .op = EV_ALLOC, .flags = EVF_MAY_BLOCK},
	    {.object = 1, .cpu = 3, .node = -1, .op = EV_ALLOC, .flags = EVF_MAY_BLOCK},
	    {.object = 0, .cpu = 1, .node = -1, .op = EV_FREE},
	    {.object = 1, .cpu = 1, .node = -1, .op = EV_FREE},
	};

	(void)state;
	assert_memory_equal(ev, expect, sizeof(expect));
	assert_int_equal(src->info.cpus, 4);
	assert_int_equal(src->info.nodes, 0);
	assert_false(src->info.has_times);
	assert_int_equal(src->info.nr_caches, 1);
	assert_string_equal(src->info.caches[0].name, "");
	assert_int_equal(src->info.caches[0].object_size, 0);
	assert_int_equal(src->info.caches[0].allocs, 2);
	assert_int_equal(src->info.caches[0].frees, 2);
	free(ev);
	fixture_close(src);
}

static void all_columns_in_any_order(void **state)
{
	static const char text[] = "# made by a test\n"
				   "\n"
				   "gfp,cache,bulk,size,node,time_ns,object,cpu,op\r\n"
				   "kernel,filp,,232,1,1000,1,0,alloc\r\n"
				   "atomic,dentry,,192,,2000,2,1,alloc\r\n"
				   ",,,,,2500,1,1,free\r\n"
				   "# the end\n"
				   ",filp,,,,18446744073709551615,0,4095,alloc";
	struct source *src = open_text(text);
	uint64_t *times;
	struct event *ev = fixture_events(src, &times);

	(void)state;
	assert_int_equal(src->info.events, 4);
	assert_int_equal(src->info.cpus, 4096);
	assert_int_equal(src->info.nodes, 2);
	assert_int_equal(fixture_cache(src, "filp"), 0);
	assert_int_equal(fixture_cache(src, "dentry"), 1);
	assert_int_equal(src->info.caches[0].object_size, 232);
	assert_int_equal(src->info.caches[0].size, 0);
	assert_int_equal(ev[0].node, 1);
	assert_int_equal(ev[1].node, NUMA_NO_NODE);
	assert_int_equal(ev[0].flags, EVF_MAY_BLOCK);
	assert_int_equal(ev[1].flags, 0);
	assert_int_equal(ev[2].cache, 0);
	assert_int_equal(ev[3].cache, 0);
	assert_int_equal(times[2], 2500);
	assert_true(times[3] == UINT64_MAX);
	free(ev);
	free(times);
	fixture_close(src);
}

static void bulk_calls(void **state)
{
	static const char text[] = "op,cpu,object,bulk\n"
				   "alloc_bulk,0,1,1\n" /* a call of three */
				   "alloc_bulk,0,2,1\n"
				   "alloc_bulk,0,3,1\n"
				   "alloc_bulk,0,4,2\n" /* another number */
				   "alloc_bulk,1,5,2\n" /* another CPU */
				   "alloc,1,6,\n"
				   "alloc_bulk,1,7,\n" /* no number: calls of one */
				   "alloc_bulk,1,8,\n"
				   "free_bulk,1,8,2\n"	/* another op */
				   "free_bulk,1,99,2\n" /* unknown: left out of its call */
				   "free_bulk,1,7,2\n"
				   "free,1,6,\n"
				   "free_bulk,1,5,0\n"
				   "free_bulk,1,4,0\n"
				   "shrink,,,\n"
				   "free_bulk,1,3,0\n";
	static const bool more[] = {true, true,	 false, false, false, false, false, false,
				    true, false, false, true,  false, false, false};
	struct source *src = open_text(text);
	struct event *ev = fixture_events(src, NULL);

	(void)state;
	assert_int_equal(src->info.events, sizeof(more));
	for (size_t i = 0; i < sizeof(more); i++)
		if (!!(ev[i].flags & EVF_MORE) != more[i])
			fail_msg("event %zu: EVF_MORE is %d", i, !more[i]);
	assert_int_equal(ev[0].op, EV_ALLOC_BULK);
	assert_int_equal(ev[8].op, EV_FREE_BULK);
	assert_int_equal(ev[13].op, EV_SHRINK);
	assert_int_equal(ev[13].cpu, 0);
	assert_int_equal(fixture_note(src, "free_of_unknown_object"), 1);
	free(ev);
	fixture_close(src);
}

/* A call goes on from one of the spool's buffers to the next. */
static void long_bulk_call(void **state)
{
	enum { N = 30000 };
	const size_t size = N * 24 + 64;
	char *text = malloc(size);
	size_t n = (size_t)snprintf(text, size, "op,cpu,object,bulk\n");
	struct source *src;
	struct event *ev;

	(void)state;
	for (int i = 0; i < N; i++)
		n += (size_t)snprintf(text + n, size - n, "alloc_bulk,0,%d,1\n", i);
	src = open_text(text);
	ev = fixture_events(src, NULL);
	for (int i = 0; i < N; i++)
		assert_int_equal(ev[i].flags & EVF_MORE, i < N - 1 ? EVF_MORE : 0);
	free(ev);
	fixture_close(src);
	free(text);
}

static void all_operations(void **state)
{
	struct source *src = open_text("op,cpu,object\nalloc,0,1\nfree_rcu,1,1\nshrink,2,\n");
	struct event *ev = fixture_events(src, NULL);

	(void)state;
	assert_int_equal(ev[1].op, EV_FREE_RCU);
	assert_int_equal(ev[2].op, EV_SHRINK);
	assert_int_equal(ev[2].cpu, 2);
	assert_int_equal(src->info.nr_caches, 1);
	assert_int_equal(src->info.caches[0].frees, 1);
	free(ev);
	fixture_close(src);
}

/* A size without a cache is that of a kmalloc. */
static void sizes_without_caches(void **state)
{
	struct source *src = open_text("op,cpu,object,size\nalloc,0,1,60\nalloc,0,2,100\n"
				       "free,0,1,\nalloc,0,3,9000\nfree,0,3,9000\n");

	(void)state;
	assert_int_equal(src->info.nr_caches, 2);
	assert_int_equal(fixture_cache(src, "kmalloc-64"), 0);
	assert_int_equal(src->info.caches[0].size, 64);
	assert_int_equal(fixture_cache(src, "kmalloc-128"), 1);
	assert_int_equal(fixture_note(src, "large_kmalloc"), 2);
	fixture_close(src);
}

static void implicit_free(void **state)
{
	struct source *src = open_text("op,cpu,object\nalloc,0,1\nalloc,2,1\n");
	struct event *ev = fixture_events(src, NULL);

	(void)state;
	assert_int_equal(src->info.events, 3);
	assert_int_equal(ev[1].op, EV_FREE);
	assert_int_equal(ev[1].cpu, 2);
	assert_int_equal(fixture_note(src, "implicit_free"), 1);
	free(ev);
	fixture_close(src);
}

#define HEADER "op,cpu,object,time_ns,node,cache,size,bulk,gfp\n"

static void mistakes(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
	    {"op,cpu\n", ":1: column object is missing; the header is op,cpu,object and "},
	    {"op,object,cpu,op\n", ":1: column op is there twice"},
	    {"op,cpu,object,nod\n", ":1: unknown column \"nod\"; the header is op,cpu,object and "},
	    {"op,cpu,object,\n", ":1: unknown column \"\""},
	    {"op,cpu,object\n", "there are no rows below the header"},
	    {"op,cpu,object\nfree,0,1\nshrink,,\n", "there is no allocation in it"},
	    {"op,cpu,object\nalloc,0\n", ":2: 2 fields, but the header has 3 columns"},
	    {"op,cpu,object\nalloc,0,1,\n", ":2: 4 fields, but the header has 3 columns"},
	    {"op,cpu,object\n#\n\nmalloc,0,1\n", ":4: column op: \"malloc\" is not alloc, free, "
						 "alloc_bulk, free_bulk, free_rcu or shrink"},
	    {"op,cpu,object\nalloc,,1\n",
	     ":2: column cpu is empty; it must be a CPU number (0 to 4095)"},
	    {"op,cpu,object\nalloc,4096,1\n", ":2: column cpu: \"4096\" is not a CPU number"},
	    {"op,cpu,object\nalloc,-1,1\n", ":2: column cpu: \"-1\" is not a CPU number"},
	    {"op,cpu,object\nalloc, 1,1\n", ":2: column cpu: \" 1\" is not a CPU number"},
	    {"op,cpu,object\nalloc,1,\n",
	     ":2: column object is empty; it must be an object number"},
	    {"op,cpu,object\nalloc,1,12a\n", ":2: column object: \"12a\" is not an object number"},
	    {"op,cpu,object\nalloc,1,0x\n", ":2: column object: \"0x\" is not an object number"},
	    {"op,cpu,object\nalloc,1,18446744073709551616\n", ":2: column object: "},
	    {"op,cpu,object\nalloc,1,0x10000000000000000\n", ":2: column object: "},
	    {"op,cpu,object\nshrink,,1\n", ":2: column object: \"1\" is not empty, as it must be"},
	    {HEADER "alloc,0,1,,,,,,\n", ":2: column time_ns is empty; it must be a time in nano"},
	    {HEADER "alloc,0,1,1.5,,,,,\n", ":2: column time_ns: \"1.5\" is not a time in nano"},
	    {HEADER "alloc,0,1,1,1024,,,,\n", ":2: column node: \"1024\" is not a node number"},
	    {HEADER "alloc,0,1,1,-2,,,,\n", ":2: column node: \"-2\" is not a node number"},
	    {HEADER "alloc,0,1,1,,,0,,\n", ":2: column size: \"0\" is not a size in bytes"},
	    {HEADER "alloc,0,1,1,,,2000000000,,\n",
	     ":2: column size: \"2000000000\" is not a size"},
	    {HEADER "alloc,0,1,1,,,,1,\n",
	     ":2: column bulk: \"1\" is not empty, as it must be for "},
	    {HEADER "alloc_bulk,0,1,1,,,,x,\n", ":2: column bulk: \"x\" is not a number"},
	    {HEADER "alloc,0,1,1,,,,,GFP_KERNEL\n",
	     ":2: column gfp: \"GFP_KERNEL\" is not kernel or atomic"},
	    {HEADER "alloc,0,1,1,,filp,232,,\nalloc,0,2,1,,filp,,,\nalloc,0,3,1,,filp,192,,\n",
	     ":4: column size: cache filp has objects of 192 bytes here, but of 232 bytes in line "
	     "2"},
	    {HEADER "alloc,0,1,1,,filp,,,\nalloc,0,1,1,,dentry,,,\n",
	     ":3: object 1 is allocated in cache \"dentry\" while it is still allocated in cache "
	     "\"filp\"; an object number must be unique among all caches"},
	    {HEADER "alloc,0,1,1,,filp,,,\nfree,0,1,1,,dentry,,,\n",
	     ":3: object 1 is freed in cache \"dentry\", but was allocated in cache \"filp\""},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		fixture_refused(cases[i].text, NULL, cases[i].message);
}

static void cpu_beyond_machine(void **state)
{
	struct trace_options opt = fixture_options;

	(void)state;
	opt.max_cpus = 4;
	fixture_refused("op,cpu,object\nalloc,3,1\nfree,4,1\n", &opt,
			":3: CPU 4, but the machine has CPUs 0 to 3");
}

static void long_name(void **state)
{
	char name[200], text[400];

	(void)state;
	memset(name, 'x', sizeof(name) - 1);
	name[sizeof(name) - 1] = '\0';
	snprintf(text, sizeof(text), "op,cpu,object,cache\nalloc,0,1,%s\n", name);
	fixture_refused(text, NULL, ":2: column cache: ");
}

/* They used to cut the message off, or to become part of a cache's name. */
static void nul_bytes(void **state)
{
	static const char header[] = "op,cpu,\0object\n", row[] = "op,cpu,object\nalloc,0\0,1\n",
			  name[] = "op,cpu,object,cache\n\nalloc,0,1,a\0b\n";

	(void)state;
	fixture_refused_bytes(header, sizeof(header) - 1, NULL, ":1: a NUL byte; CSV is text");
	fixture_refused_bytes(row, sizeof(row) - 1, NULL, ":2: a NUL byte; CSV is text");
	fixture_refused_bytes(name, sizeof(name) - 1, NULL, ":3: a NUL byte; CSV is text");
}

/* Lines above the header tell of the machine and the caches, which come in that order. */
static void table(void **state)
{
	struct source *src =
	    fixture_open("# made by a test\n"
			 "#slabsim machine cpus=8 nodes=2 page_size=65536\n"
			 "#slabsim cache object_size=208 size=256 name=b, of two\r\n"
			 "#slabsim cache object_size=0 size=0 name=a\n"
			 "#slabsim cache object_size=0 size=48 name=unused\n"
			 "op,cpu,object,cache,size\n"
			 "# slabsim, or #slabsimulator, is a comment anywhere\n"
			 "#SLABSIM machine is, too\n"
			 "alloc,0,1,new,32\n"
			 "alloc,0,2,a,64\n",
			 NULL);
	static const struct {
		const char *name;
		unsigned object_size, size;
	} caches[] = {{"b, of two", 208, 256}, {"a", 64, 0}, {"unused", 0, 48}, {"new", 32, 0}};

	(void)state;
	assert_int_equal(src->info.cpus, 8);
	assert_int_equal(src->info.nodes, 2);
	assert_int_equal(src->info.nr_caches, 4);
	for (unsigned i = 0; i < 4; i++) {
		assert_string_equal(src->info.caches[i].name, caches[i].name);
		assert_int_equal(src->info.caches[i].object_size, caches[i].object_size);
		assert_int_equal(src->info.caches[i].size, caches[i].size);
	}
	assert_int_equal(fixture_note(src, "size_disagrees"), 0);
	fixture_close(src);
}

#define ROWS "op,cpu,object\nalloc,0,1\n"

static void table_mistakes(void **state)
{
	static const char wanted[] = ":1: \"#slabsim machine cpus=N nodes=N page_size=N\" or ";
	static const char *const lines[] = {
	    "#slabsim",
	    "#slabsim ",
	    "#slabsim\tmachine cpus=8 nodes=2 page_size=4096",
	    "#slabsim machine cpus=8 nodes=2",
	    "#slabsim machine cpus=8 nodes=2 page_size=2097152",
	    "#slabsim machine cpus=4097 nodes=2 page_size=4096",
	    "#slabsim machine cpus=-1 nodes=2 page_size=4096",
	    "#slabsim machine cpus= nodes=2 page_size=4096",
	    "#slabsim machine cpus=1x nodes=2 page_size=4096",
	    "#slabsim cache object_size=8 size=8",
	    "#slabsim cache object_size=8 name=a",
	    "#slabsim cache object_size=8 size=99999999999999999999 name=a",
	    "#slabsim cache object_size=8 size=8 name=",
	};
	char text[600], name[300];

	(void)state;
	for (size_t i = 0; i < sizeof(lines) / sizeof(lines[0]); i++) {
		memset(name, 'x', sizeof(name));
		snprintf(text, sizeof(text), "%s%.*s\n" ROWS, lines[i],
			 i + 1 == sizeof(lines) / sizeof(lines[0]) ? 129 : 0, name);
		fixture_refused(text, NULL, wanted);
	}
	fixture_refused_bytes("#slabsim cache object_size=8 size=8 name=a\0b\nop,cpu,object\n", 59,
			      NULL, wanted);
	fixture_refused("#slabsim cache object_size=8 size=8 name=a\nop,cpu,object,cache,size\n"
			"alloc,0,1,a,16\n",
			NULL,
			":3: column size: cache a has objects of 16 bytes here, but of 8 bytes in "
			"its line above the header");
}

#define MACHINE "#slabsim machine cpus=2 nodes=1 page_size=4096\n"

/* What "trace convert" refuses as an option, and what no replay can lay out. */
static void table_refused(void **state)
{
	static const struct {
		const char *text, *message;
	} cases[] = {
	    {"#slabsim machine cpus=0 nodes=0 page_size=4096\n" ROWS,
	     ":1: cpus=0: a machine has 1 to 4096 CPUs"},
	    {"#slabsim machine cpus=1 nodes=5 page_size=4096\n" ROWS,
	     ":1: nodes=5: a node has a CPU at least, and there are 1"},
	    {"#slabsim machine cpus=1 nodes=1 page_size=0\n" ROWS,
	     ":1: page_size=0: a power of two from 1024 to 1048576 is wanted"},
	    {"#slabsim machine cpus=1 nodes=1 page_size=512\n" ROWS, ":1: page_size=512: a power"},
	    {"#slabsim machine cpus=1 nodes=1 page_size=4095\n" ROWS, ":1: page_size=4095: a pow"},
	    {MACHINE "#\n" MACHINE ROWS, ":3: the machine is there twice"},
	    {MACHINE ROWS "alloc,2,2\n",
	     ":4: column cpu: CPU 2, but the machine above the header has cpus=2"},
	    {MACHINE ROWS "free,2,1\n", ":4: column cpu: CPU 2, but the machine"},
	    {MACHINE "op,cpu,object,node\nalloc,0,1,0\nalloc,0,2,1\n",
	     ":4: column node: node 1, but the machine above the header has nodes=1"},
	    {"#slabsim cache object_size=100 size=64 name=a\n" ROWS,
	     ":1: cache a: object_size 100 is larger than size 64"},
	    {"\n#slabsim cache object_size=0 size=60 name=a\n" ROWS,
	     ":2: cache a: size 60 is not a multiple of 8"},
	    {"#slabsim cache object_size=0 size=4194312 name=a\n" ROWS,
	     ":1: cache a: no slab of order 0..10 holds an object of 4194312 bytes with pages of "
	     "4096"},
	    {"#slabsim cache object_size=4194305 size=0 name=a\n" ROWS,
	     ":1: cache a: no slab of order 0..10 holds an object of 4194305 bytes"},
	    {"#slabsim cache object_size=8 size=8 name=\n" ROWS,
	     ":1: a cache of a known size has a name; name= is empty"},
	    {"#slabsim cache object_size=0 size=0 name=\n"
	     "#slabsim cache object_size=0 size=0 name=\n" ROWS,
	     ":2: cache \"\" is there twice"},
	    {"#slabsim cache object_size=8 size=8 name=a\n"
	     "#slabsim cache object_size=8 size=8 name=b\n"
	     "#slabsim cache object_size=8 size=8 name=a\n" ROWS,
	     ":3: cache \"a\" is there twice"},
	    {"op,cpu,object\n" MACHINE "alloc,0,1\n",
	     ":2: lines that begin with \"#slabsim\" belong above the header"},
	    {ROWS MACHINE, ":3: lines that begin with \"#slabsim\" belong above the header"},
	    {ROWS "#slabsim\n", ":3: lines that begin with \"#slabsim\" belong above the header"},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++)
		fixture_refused(cases[i].text, NULL, cases[i].message);
}

/* At the first that is too many, before anything else is looked at. */
static void too_many_caches(void **state)
{
	enum { N = 65536 };
	const size_t size = N * 64 + 64;
	char *text = malloc(size);
	size_t n = 0;

	(void)state;
	for (int i = 0; i < N; i++)
		n += (size_t)snprintf(text + n, size - n,
				      "#slabsim cache object_size=8 size=8 name=c%d\n", i);
	snprintf(text + n, size - n, "no header\n");
	fixture_refused(text, NULL, ":65536: more than 65535 caches");
	free(text);
}

/* They became part of names; a quoted header was of no known format. */
static void quotes(void **state)
{
	static const char message[] = ": a field begins with a quote; quotes are not part of";
	static const struct {
		const char *text;
		int line;
	} cases[] = {
	    {"op,cpu,object,cache\nalloc,0,1,\"foo\"\n", 2},
	    {"op,cpu,object,cache\n\nalloc,0,1,\"foo\n", 3},
	    {"op,cpu,object\n\"alloc\",0,1\n", 2},
	    {"\"op\",\"cpu\",\"object\"\nalloc,0,1\n", 1},
	    {"cpu,\"op\",object\nalloc,0,1\n", 1},
	};
	char expect[100];
	struct source *src;

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		snprintf(expect, sizeof(expect), ":%d%s", cases[i].line, message);
		fixture_refused(cases[i].text, NULL, expect);
	}
	fixture_refused("#slabsim cache object_size=8 size=8 name=\"a\"\n" ROWS, NULL,
			":1: cache \"a\": a name does not begin with a quote");
	/* Elsewhere it is a character as any other. */
	src = fixture_open("op,cpu,object,cache\nalloc,0,1,a\"b\n", NULL);
	assert_int_equal(fixture_cache(src, "a\"b"), 0);
	fixture_close(src);
}

/* The source, of which the page size is not known, from CSV. */
static struct source *written_and_read(struct source *src)
{
	char *path = fixture_file("", 0);
	struct error err = {0};
	struct stream *st = stream_of_source(src, &err);

	if (!st || csv_write(st, path, false, &err))
		fail_msg("%s", err.text);
	stream_close(st);
	src = trace_open(path, &fixture_options, &err);
	if (!src)
		fail_msg("%s", err.text);
	unlink(path);
	free(path);
	return src;
}

/* What is written can be read, whatever was not known, and says the same again. */
static void written_is_read(void **state)
{
	static const char *const texts[] = {
	    ROWS, /* no cache has a name, */
	    "op,cpu,object,cache\nalloc,0,1,a\nalloc,0,2,\nalloc,0,3,b\n", /* or one has none */
	    "op,cpu,object,node\nalloc,0,1,3\n", /* more nodes than CPUs */
	    "op,cpu,object,cache\nalloc,0,1,a\"\n",
	};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct source *was = fixture_open(texts[i], NULL), *is = written_and_read(was);

		fixture_same(was, is);
		assert_int_equal(is->info.cpus, was->info.cpus);
		assert_int_equal(is->info.nodes, was->info.nodes);
		fixture_close(was);
		fixture_close(is);
	}
}

/* A quote that would begin a field is written as what can be read. */
static void quote_is_written(void **state)
{
	struct source *was = fixture_open("op,cpu,object,cache\nalloc,0,1,xa\n", NULL), *is;

	(void)state;
	was->info.caches[0].name[0] = '"';
	is = written_and_read(was);
	assert_int_equal(fixture_cache(is, "_a"), 0);
	fixture_close(was);
	fixture_close(is);
}

static char *replayed(const char *trace, const char *policy)
{
	const char *settings[] = {NULL, "machine.nodes=2", policy, NULL};
	struct error err;
	char *setting, *text;

	assert_true(asprintf(&setting, "workload.trace=%s", trace) > 0);
	settings[0] = setting;
	text = run_text(settings, "csv", &err);
	if (!text)
		fail_msg("%s", err.text);
	free(setting);
	return text;
}

/* A trace, as CSV, is the same trace: nothing that a replay depends on is lost. */
static void converted(void **state)
{
	static const char *const files[] = {
	    "tests/data/trace-ftrace.txt",     "tests/data/trace-perf-script.txt",
	    "tests/data/trace-trace-cmd.txt",  "tests/data/trace-v6.dat.zst",
	    "tests/data/trace-v7.dat",	       "tests/data/trace-dat-ns.txt.zst",
	    "tests/data/trace-dat-us.txt.zst", "workloads/traces/hackbench-6.1-8cpu.txt.zst",
	};
	/* Which node an allocation goes to is drawn, from a seed that is each cache's. */
	static const char *const presets[] = {
	    "policy={\"preset\":\"linux-6.1\",\"remote_node_defrag_ratio\":50}",
	    "policy.preset=linux-7.0"};
	struct trace_options opt = {.may_block = -1};
	struct error err = {0};

	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		char *path = fixture_file("", 0);
		struct stream *st = stream_open(files[i], &opt, &err);

		if (st)
			st = stream_in_order(st, &err);
		if (!st || csv_write(st, path, true, &err))
			fail_msg("%s", err.text);
		stream_close(st);
		for (size_t k = 0; k < sizeof(presets) / sizeof(presets[0]); k++) {
			char *was = replayed(files[i], presets[k]),
			     *is = replayed(path, presets[k]);

			if (strcmp(was, is))
				fail_msg("%s, %s: as CSV it is another trace", files[i],
					 presets[k]);
			free(was);
			free(is);
		}
		unlink(path);
		free(path);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(smallest),		  cmocka_unit_test(all_columns_in_any_order),
	    cmocka_unit_test(bulk_calls),	  cmocka_unit_test(long_bulk_call),
	    cmocka_unit_test(all_operations),	  cmocka_unit_test(sizes_without_caches),
	    cmocka_unit_test(implicit_free),	  cmocka_unit_test(mistakes),
	    cmocka_unit_test(cpu_beyond_machine), cmocka_unit_test(long_name),
	    cmocka_unit_test(nul_bytes),	  cmocka_unit_test(table),
	    cmocka_unit_test(table_mistakes),	  cmocka_unit_test(table_refused),
	    cmocka_unit_test(too_many_caches),	  cmocka_unit_test(quotes),
	    cmocka_unit_test(written_is_read),	  cmocka_unit_test(quote_is_written),
	    cmocka_unit_test(converted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
