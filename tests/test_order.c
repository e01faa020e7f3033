/*
 * Slab orders against tables worked out by another program (tests/data/order-table-*.txt): more
 * than three million sizes per rule.
 */
#include "sim/order.h"

#include <setjmp.h>
#include <stdarg.h>
#include <cmocka.h>
#include <errno.h>

static const struct order_ops *find(const char *name)
{
	const struct policy *p = policy_find(AXIS_ORDER, name);

	assert_non_null(p);
	return (const struct order_ops *)p;
}

static int order_of(const char *rule, unsigned size, unsigned page_size, unsigned cpus)
{
	struct order_input in = {
	    .size = size,
	    .page_size = page_size,
	    .nr_cpus = cpus,
	    .slub_min_order = -1,
	    .slub_max_order = -1,
	    .slub_min_objects = -1,
	};

	return find(rule)->order(&in);
}

/* One line of a table; how many sizes it covers. */
static unsigned long check_line(const struct order_ops *ops, char *line)
{
	struct order_input in = {0};
	char rule[32], *pos = strchr(line, ':');
	unsigned long sizes = 0;

	assert_non_null(pos);
	assert_int_equal(sscanf(line, "%31s %u %u %d %d %d", rule, &in.page_size, &in.nr_cpus,
				&in.slub_min_order, &in.slub_max_order, &in.slub_min_objects),
			 6);
	assert_string_equal(rule, ops->policy.name);
	/* This rule has a default of its own; the column says nothing. */
	if (!strcmp(rule, "feng"))
		in.slub_max_order = -1;
	for (pos++; *pos == ' ';) {
		long order = strtol(pos + 1, &pos, 10), n = 1;

		if (*pos == 'x')
			n = strtol(pos + 1, &pos, 10);
		for (; n > 0; n--, sizes++) {
			in.size = (unsigned)(8 * (sizes + 1));
			if (ops->order(&in) != order) {
				print_error("size %u: order %d, not %ld: %.40s\n", in.size,
					    ops->order(&in), order, line);
				fail();
			}
		}
	}
	return sizes;
}

static void check_table(const char *rule, unsigned long at_least)
{
	char path[128], *line = NULL;
	unsigned long sizes = 0;
	size_t cap = 0;
	FILE *f;

	snprintf(path, sizeof(path), "tests/data/order-table-%s.txt", rule);
	f = fopen(path, "r");
	if (!f)
		fail_msg("%s: %s; run the tests from the top of the tree", path, strerror(errno));
	while (getline(&line, &cap, f) > 0) {
		if (line[0] != '#')
			sizes += check_line(find(rule), line);
	}
	free(line);
	fclose(f);
	assert_true(sizes >= at_least);
}

static void table_legacy(void **state)
{
	(void)state;
	check_table("legacy", 7225344);
}

static void table_mainline(void **state)
{
	(void)state;
	check_table("mainline", 7225344);
}

static void table_min_waste_absolute(void **state)
{
	(void)state;
	check_table("min-waste-absolute", 6438912);
}

static void table_min_waste_fraction(void **state)
{
	(void)state;
	check_table("min-waste-fraction", 6438912);
}

static void table_feng(void **state)
{
	(void)state;
	check_table("feng", 3047424);
}

/* facts 1.5: between legacy and mainline only these sizes change, from order 2 to 3. */
static void legacy_and_mainline_differ(void **state)
{
	static const struct {
		unsigned page_size, first, last, n;
	} expect[] = {{4096, 10928, 12280, 170}, {65536, 174768, 196600, 2730}};
	static const unsigned cpus[] = {1, 2, 16, 160, 512};

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		for (size_t c = 0; c < sizeof(cpus) / sizeof(cpus[0]); c++) {
			unsigned page_size = expect[i].page_size, size, n = 0;

			for (size = 8; size <= 16 * page_size; size += 8) {
				int was = order_of("legacy", size, page_size, cpus[c]);
				int is = order_of("mainline", size, page_size, cpus[c]);

				if (was == is)
					continue;
				assert_true(size >= expect[i].first && size <= expect[i].last);
				assert_int_equal(was, 2);
				assert_int_equal(is, 3);
				n++;
			}
			assert_int_equal(n, expect[i].n);
		}
	}
}

/* facts 1.8: the kmalloc caches on 1, 2, 4, 8, 16, 32, 64 and 160 CPUs. */
static void kmalloc_orders(void **state)
{
	static const unsigned cpus[8] = {1, 2, 4, 8, 16, 32, 64, 160};
	static const struct {
		unsigned size;
		int order[8];
	} expect[] = {
	    {96, {0, 0, 0, 0, 0, 0, 0, 0}},   {128, {0, 0, 0, 0, 0, 0, 0, 1}},
	    {192, {0, 0, 0, 0, 1, 1, 1, 1}},  {256, {0, 0, 0, 1, 1, 1, 1, 2}},
	    {512, {0, 1, 1, 2, 2, 2, 2, 3}},  {1024, {1, 2, 2, 3, 3, 3, 3, 3}},
	    {2048, {2, 3, 3, 3, 3, 3, 3, 3}}, {8192, {3, 3, 3, 3, 3, 3, 3, 3}},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(expect) / sizeof(expect[0]); i++) {
		for (size_t c = 0; c < 8; c++) {
			assert_int_equal(order_of("legacy", expect[i].size, 4096, cpus[c]),
					 expect[i].order[c]);
			assert_int_equal(order_of("mainline", expect[i].size, 4096, cpus[c]),
					 expect[i].order[c]);
			/* The same with everything sixteen times as large. */
			assert_int_equal(order_of("mainline", 16 * expect[i].size, 65536, cpus[c]),
					 expect[i].order[c]);
		}
	}
}

static void feng_doubles_on_large_machines(void **state)
{
	(void)state;
	assert_int_equal(order_of("feng", 256, 4096, 31), 1);
	assert_int_equal(order_of("legacy", 256, 4096, 32), 1);
	assert_int_equal(order_of("feng", 256, 4096, 32), 2);
	assert_int_equal(order_of("feng", 2048, 4096, 32), 4);
}

static void fixed_orders(void **state)
{
	struct order_input in = {.size = 256, .page_size = 4096, .nr_cpus = 8, .number = 2};

	(void)state;
	assert_int_equal(find("fixed")->order(&in), 2);
	in.number = 0;
	assert_int_equal(find("fixed")->order(&in), 0);
	in.size = 4097; /* does not fit order 0 */
	assert_int_equal(find("fixed")->order(&in), 1);
	in.size = 8; /* 4 MiB hold more than the slab's counter */
	in.number = 10;
	assert_int_equal(find("fixed")->order(&in), 5);
}

/* No rule may divide by nothing, shift too far or name an order that does not exist. */
static void extremes(void **state)
{
	static const unsigned sizes[] = {
	    0, 1, 2, 7, 4096, 65537, 1u << 22, (1u << 22) + 1, 1u << 26, UINT32_MAX};
	static const int limits[] = {-1, 0, 10, 11, INT32_MAX};
	static const char *const rules[] = {
	    "legacy", "mainline", "min-waste-absolute", "min-waste-fraction", "feng", "fixed"};

	(void)state;
	for (size_t r = 0; r < sizeof(rules) / sizeof(rules[0]); r++) {
		for (unsigned i = 0; i < 10 * 5 * 5 * 5; i++) {
			struct order_input in = {
			    .size = sizes[i % 10],
			    .page_size = i & 1 ? 4096 : 65536,
			    .nr_cpus = i & 2 ? 1 : UINT32_MAX,
			    .slub_min_order = limits[i / 10 % 5],
			    .slub_max_order = limits[i / 50 % 5],
			    .slub_min_objects = limits[i / 250],
			    .number = i % 11,
			};
			int order = find(rules[r])->order(&in);
			uint64_t objects;

			assert_in_range(order + 1, 0, MAX_PAGE_ORDER + 1);
			if (order < 0)
				continue;
			assert_true(in.size > 0);
			objects = order_objects((unsigned)order, in.size, in.page_size);
			assert_true(objects <= MAX_OBJS_PER_PAGE || in.size < 8);
			assert_true(objects >= 1);
		}
	}
}

static int setup(void **state)
{
	struct error err = {0};

	(void)state;
	if (!policies_init(&err))
		return 0;
	print_error("%s\n", err.text);
	return -1;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(table_legacy),
	    cmocka_unit_test(table_mainline),
	    cmocka_unit_test(table_min_waste_absolute),
	    cmocka_unit_test(table_min_waste_fraction),
	    cmocka_unit_test(table_feng),
	    cmocka_unit_test(legacy_and_mainline_differ),
	    cmocka_unit_test(kmalloc_orders),
	    cmocka_unit_test(feng_doubles_on_large_machines),
	    cmocka_unit_test(fixed_orders),
	    cmocka_unit_test(extremes),
	};

	return cmocka_run_group_tests(tests, setup, NULL);
}
