/* Which node a CPU is on, and in which order a node's neighbours are tried. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <cmocka.h>

#include "sim/machine.h"

static struct machine make(unsigned cpus, unsigned nodes, const unsigned *node_of_cpu,
			   const unsigned *distances)
{
	struct machine m = {.cpus = cpus, .nodes = nodes, .page_size = 4096, .cache_line_size = 64};
	struct error err = {0};

	if (machine_init(&m, node_of_cpu, distances, &err))
		fail_msg("%s", err.text);
	return m;
}

static void check_list(const struct machine *m, unsigned n, const uint16_t *want)
{
	assert_memory_equal(&m->zonelist[n * m->nodes], want, m->nodes * sizeof(*want));
}

static void test_plain(void **state)
{
	struct machine m = make(8, 3, NULL, NULL);

	(void)state;
	/* CPU c is on node c*nodes/cpus. */
	assert_memory_equal(m.node_of_cpu, ((uint16_t[]){0, 0, 0, 1, 1, 1, 2, 2}), 16);
	check_list(&m, 0, (uint16_t[]){0, 1, 2});
	check_list(&m, 1, (uint16_t[]){1, 2, 0});
	check_list(&m, 2, (uint16_t[]){2, 0, 1});
	machine_free(&m);
	m = make(1, 1, NULL, NULL);
	check_list(&m, 0, (uint16_t[]){0});
	machine_free(&m);
}

static void test_node_of_cpu(void **state)
{
	struct machine m = make(4, 2, (unsigned[]){1, 0, 1, 0}, NULL);

	(void)state;
	assert_memory_equal(m.node_of_cpu, ((uint16_t[]){1, 0, 1, 0}), 8);
	machine_free(&m);
}

static void test_distances(void **state)
{
	static const unsigned distances[] = {
	    10, 30, 20, 30, /* ties: cyclic */
	    20, 10, 20, 20, /* all alike: cyclic */
	    40, 30, 10, 20, /* nearest first */
	    10, 10, 10, 10, /* itself first even so */
	};
	struct machine m = make(4, 4, NULL, distances);

	(void)state;
	check_list(&m, 0, (uint16_t[]){0, 2, 1, 3});
	check_list(&m, 1, (uint16_t[]){1, 2, 3, 0});
	check_list(&m, 2, (uint16_t[]){2, 3, 1, 0});
	check_list(&m, 3, (uint16_t[]){3, 0, 1, 2});
	machine_free(&m);
}

static void test_largest(void **state)
{
	struct machine m = make(MAX_CPUS, MAX_NODES, NULL, NULL);

	(void)state;
	assert_int_equal(m.node_of_cpu[MAX_CPUS - 1], MAX_NODES - 1);
	assert_int_equal(m.zonelist[(size_t)MAX_NODES * MAX_NODES - 1], MAX_NODES - 2);
	machine_free(&m);
}

static void check_refused(struct machine m, const unsigned *node_of_cpu, const char *message)
{
	struct error err = {0};

	assert_int_equal(machine_init(&m, node_of_cpu, NULL, &err), -1);
	assert_int_equal(err.kind, ERROR_INPUT);
	assert_string_equal(err.text, message);
	assert_null(m.node_of_cpu);
	assert_null(m.zonelist);
}

static void test_refused(void **state)
{
	(void)state;
	check_refused((struct machine){.cpus = 0, .nodes = 1, .page_size = 4096}, NULL,
		      "a machine has 1..4096 CPUs, not 0");
	check_refused((struct machine){.cpus = 4097, .nodes = 1, .page_size = 4096}, NULL,
		      "a machine has 1..4096 CPUs, not 4097");
	check_refused((struct machine){.cpus = 1, .nodes = 1025, .page_size = 4096}, NULL,
		      "a machine has 1..1024 nodes, not 1025");
	check_refused((struct machine){.cpus = 1, .nodes = 1, .page_size = 5000}, NULL,
		      "a page size is a power of two, not 5000");
	check_refused((struct machine){.cpus = 2, .nodes = 2, .page_size = 4096},
		      (unsigned[]){0, 2}, "CPU 1 is on node 2, but there are nodes 0..1 only");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_plain),     cmocka_unit_test(test_node_of_cpu),
	    cmocka_unit_test(test_distances), cmocka_unit_test(test_largest),
	    cmocka_unit_test(test_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
