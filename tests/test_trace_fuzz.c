/*
 * Damaged traces of every text format: none may crash the readers, and what is accepted must
 * be sound. Always the same damage; SLABSIM_FUZZ=N does N rounds instead of a few.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <unistd.h>

#include "tests/trace_fixture.h"

#define ROUNDS	 400
#define MAX_SIZE (32 << 10)

static const char *const files[] = {
    "tests/data/trace-ftrace.txt",
    "tests/data/trace-perf-script.txt",
    "tests/data/trace-trace-cmd.txt",
};

static const char csv[] = "#slabsim machine cpus=4 nodes=2 page_size=4096\n"
			  "#slabsim cache object_size=30 size=32 name=filp\n"
			  "op,cpu,object,time_ns,node,cache,size,bulk,gfp\n"
			  "alloc,0,1,5,0,filp,30,,kernel\n"
			  "alloc_bulk,1,2,5,,filp,30,7,atomic\n"
			  "alloc_bulk,1,3,5,,filp,30,7,atomic\n"
			  "alloc,0,4,5,,,100,,\n"
			  "free_bulk,1,2,6,,,,7,\n"
			  "free_bulk,1,3,6,,,,7,\n"
			  "free_rcu,0,1,6,,,,,\n"
			  "shrink,,,7,,filp,,,\n"
			  "free,1,4,8,,,,,\n";

struct sample {
	char data[MAX_SIZE];
	size_t n;
};

static uint32_t next_random(uint32_t *x)
{
	*x = *x * 1664525 + 1013904223;
	return *x >> 8;
}

/* One or a few of the things that happen to files. */
static void damage(struct sample *s, uint32_t *x)
{
	for (unsigned times = 1 + next_random(x) % 4; times && s->n > 1; times--) {
		size_t at = next_random(x) % s->n, len = 1 + next_random(x) % 40;
		size_t from = next_random(x) % s->n;

		len = len < s->n - at ? len : s->n - at;
		switch (next_random(x) % 6) {
		case 0: /* a byte becomes another */
			s->data[at] = (char)next_random(x);
			break;
		case 1: /* a byte becomes one that means something */
			s->data[at] = "0123456789-+=:,.[]() \n\tx"[next_random(x) % 24];
			break;
		case 2: /* some are gone */
			memmove(s->data + at, s->data + at + len, s->n - at - len);
			s->n -= len;
			break;
		case 3: /* some come from elsewhere */
			len = len < s->n - from ? len : s->n - from;
			memmove(s->data + at, s->data + from, len);
			break;
		case 4: /* some are there twice */
			if (s->n + len > MAX_SIZE)
				break;
			memmove(s->data + at + len, s->data + at, s->n - at);
			s->n += len;
			break;
		case 5: /* the end is missing */
			s->n = at;
			break;
		}
	}
}

/* Every event is within what the source says of itself, and objects live and die in turn. */
static void check_source(struct source *src)
{
	struct event *ev = fixture_events(src, NULL);
	uint8_t **live = calloc(src->info.nr_caches, sizeof(*live));

	for (unsigned i = 0; i < src->info.nr_caches; i++)
		live[i] = calloc(src->info.events + 1, 1);
	for (uint64_t i = 0; i < src->info.events; i++) {
		bool alloc = ev[i].op == EV_ALLOC || ev[i].op == EV_ALLOC_BULK;

		assert_true(ev[i].cache < src->info.nr_caches);
		assert_true(ev[i].cpu < src->info.cpus);
		assert_true(ev[i].node < (int)src->info.nodes);
		assert_true(ev[i].object < src->info.events);
		if (ev[i].op == EV_SHRINK)
			continue;
		assert_int_equal(live[ev[i].cache][ev[i].object], !alloc);
		live[ev[i].cache][ev[i].object] = alloc;
	}
	for (unsigned i = 0; i < src->info.nr_caches; i++)
		free(live[i]);
	free(live);
	free(ev);
}

static void one(const struct sample *s, unsigned round)
{
	struct trace_options opt = fixture_options;
	char *path = fixture_file(s->data, s->n);
	struct error err = {0};
	struct source *src;

	opt.reorder_ns = round % 2 ? 1000 : -1;
	opt.max_cpus = round % 3 ? 0 : 2;
	if (round % 8 == 4)
		opt.jitter_ns = 5000;
	src = trace_open(path, &opt, &err);
	unlink(path);
	free(path);
	if (!src) {
		assert_int_equal(err.kind, ERROR_INPUT);
		assert_true(strlen(err.text) > 10);
		return;
	}
	check_source(src);
	fixture_close(src);
}

static void all_rounds(const struct sample *original)
{
	const char *env = getenv("SLABSIM_FUZZ");
	unsigned long rounds = env && *env ? strtoul(env, NULL, 10) : ROUNDS;
	struct sample *s = malloc(sizeof(*s));
	uint32_t x = 1;

	one(original, 1);
	for (unsigned long i = 0; i < rounds; i++) {
		*s = *original;
		damage(s, &x);
		one(s, (unsigned)i);
	}
	free(s);
}

static void damaged_text(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(files) / sizeof(files[0]); i++) {
		struct sample *s = calloc(1, sizeof(*s));
		FILE *f = fopen(files[i], "r");

		if (!f)
			fail_msg("cannot open %s", files[i]);
		s->n = fread(s->data, 1, MAX_SIZE / 2, f);
		fclose(f);
		all_rounds(s);
		free(s);
	}
}

static void damaged_csv(void **state)
{
	struct sample *s = calloc(1, sizeof(*s));

	(void)state;
	memcpy(s->data, csv, sizeof(csv) - 1);
	s->n = sizeof(csv) - 1;
	all_rounds(s);
	free(s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(damaged_text),
	    cmocka_unit_test(damaged_csv),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
