#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/layout.h"
#include "sim/sheaf.h"
#include "tests/cache_fixture.h"

#define TEXT 4096

void fixture_lay_out(struct cache_fixture *f, const char *const *settings)
{
	struct source_cache src = {.name = "t"};
	struct error err = {0};
	unsigned n = 0;

	memset(f, 0, sizeof(*f));
	while (settings[n])
		n++;
	if (policies_init(&err) || config_load(&f->cfg, NULL, (char *const *)settings, n, &err))
		fail_msg("%s", err.text);
	f->machine = (struct machine){
	    .cpus = f->cfg.machine.cpus ? f->cfg.machine.cpus : 1,
	    .nodes = f->cfg.machine.nodes ? f->cfg.machine.nodes : 1,
	    .page_size = f->cfg.machine.page_size,
	    .cache_line_size = f->cfg.machine.cache_line_size,
	};
	if (machine_init(&f->machine, NULL, NULL, &err) ||
	    layout_cache(&f->c, &f->cfg, &f->cfg.caches[0], &src, &f->machine, &err))
		fail_msg("%s", err.text);
}

void fixture_start(struct cache_fixture *f)
{
	struct error err = {0};

	if (cache_init(&f->c, &f->machine, f->cfg.seed, &err))
		fail_msg("%s", err.text);
}

void fixture_new(struct cache_fixture *f, const char *const *settings)
{
	fixture_lay_out(f, settings);
	fixture_start(f);
}

void fixture_free(struct cache_fixture *f)
{
	cache_free(&f->c);
	machine_free(&f->machine);
	config_free(&f->cfg);
}

uint32_t fixture_slab(struct cache_fixture *f, unsigned node, unsigned inuse)
{
	struct cpu_cache uncounted = {0};
	uint32_t s = arena_new_slab(&f->c, &uncounted, node, false);

	assert_int_not_equal(s, SLAB_NONE);
	assert_true(inuse <= f->c.slab[s].objects);
	f->c.slab[s].inuse = (uint16_t)inuse;
	if (inuse < f->c.slab[s].objects)
		node_list_add_tail(&f->c, s);
	return s;
}

void fixture_push(struct sheaf *sheaf, uint32_t slab, unsigned count)
{
	assert_true(sheaf->size + count <= sheaf->capacity);
	while (count--)
		sheaf->slab[sheaf->size++] = slab;
}

struct sheaf *fixture_sheaf(struct cache_fixture *f, uint32_t slab, unsigned count)
{
	struct sheaf *sheaf = sheaf_new(&f->c);

	assert_non_null(sheaf);
	fixture_push(sheaf, slab, count);
	return sheaf;
}

/* ---- what is checked, as text ---- */

static void add(char *text, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

static void add(char *text, const char *fmt, ...)
{
	size_t used = strlen(text);
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(text + used, TEXT - used, fmt, ap);
	va_end(ap);
}

void check_stats_at(struct cache_fixture *f, const char *want, const char *file, int line)
{
	char text[TEXT] = "";

	for (unsigned item = 0; item < NR_STAT_ITEMS; item++) {
		uint64_t now = cache_stat(&f->c, item);

		if (now != f->seen[item])
			add(text, "%s%s %llu", *text ? " " : "", stat_name(item),
			    (unsigned long long)(now - f->seen[item]));
		f->seen[item] = now;
	}
	_assert_string_equal(text, want, file, line);
}

static void add_slab(char *text, const struct cache *c, uint32_t s)
{
	add(text, "%s%u:%u", *text ? " " : "", s, c->slab[s].objects - c->slab[s].inuse);
}

void check_list_at(struct cache_fixture *f, unsigned node, const char *want, const char *file,
		   int line)
{
	const struct node_cache *n = &f->c.node[node];
	char text[TEXT] = "";

	for (uint32_t at = n->head; at != n->tail; at++)
		if (node_list_at(n, at) != SLAB_NONE)
			add_slab(text, &f->c, node_list_at(n, at));
	_assert_string_equal(text, want, file, line);
}

void check_cpu_list_at(struct cache_fixture *f, unsigned cpu, const char *want, const char *file,
		       int line)
{
	char text[TEXT] = "";

	for (const struct parked_slab *p = f->c.cpu[cpu].partial_head; p > f->c.cpu[cpu].partial;
	     p--)
		add_slab(text, &f->c, p->slab);
	_assert_string_equal(text, want, file, line);
}

static void add_sheaf(char *text, const struct sheaf *sheaf)
{
	for (uint32_t i = 0, run; i < sheaf->size; i += run) {
		for (run = 1; i + run < sheaf->size && sheaf->slab[i + run] == sheaf->slab[i];)
			run++;
		add(text, "%s%u*%u", i ? " " : "", sheaf->slab[i], run);
	}
}

void check_sheaf_at(const struct sheaf *sheaf, const char *want, const char *file, int line)
{
	char text[TEXT] = "";

	if (sheaf)
		add_sheaf(text, sheaf);
	else
		add(text, "none");
	_assert_string_equal(text, want, file, line);
}

void check_barn_at(struct cache_fixture *f, unsigned node, const char *full, unsigned empty,
		   const char *file, int line)
{
	const struct barn *barn = f->c.node[node].barn;
	unsigned nr_full = 0, nr_empty = 0;
	char text[TEXT] = "";

	for (const struct sheaf *s = barn->full; s; s = s->next) {
		add(text, "%s", nr_full++ ? " | " : "");
		add_sheaf(text, s);
	}
	for (const struct sheaf *s = barn->empty; s; s = s->next) {
		nr_empty++;
		_assert_int_equal(s->size, 0, file, line);
	}
	_assert_string_equal(text, full, file, line);
	_assert_int_equal(nr_empty, empty, file, line);
	/* The numbers that are tested before a sheaf is put are those of the lists. */
	_assert_int_equal(barn->nr_full, nr_full, file, line);
	_assert_int_equal(barn->nr_empty, nr_empty, file, line);
}
