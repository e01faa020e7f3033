/*
 * Parity with real kernels: every number of every operation list in tests/oracle/, and of the
 * whole set where SLABSIM_ORACLE names it (make check looks for ../shared/oracle). All of them
 * twice: by the allocators' usual loops, and by those for random events.
 */
#include <setjmp.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <dirent.h>

#include "sim/policy.h"
#include "tests/oracle.h"
#include "tests/policies_fixture.h"

static int is_directory(const struct dirent *d)
{
	return d->d_type == DT_DIR && d->d_name[0] != '.';
}

static unsigned run_set(const char *dir, bool random, unsigned *failed)
{
	struct dirent **list;
	int n = scandir(dir, &list, is_directory, alphasort);
	unsigned cases = 0;

	assert_true(n > 0);
	for (int i = 0; i < n; i++) {
		char *sub;
		unsigned bad;
		int ran;

		assert_true(asprintf(&sub, "%s/%s", dir, list[i]->d_name) > 0);
		ran = oracle_run_directory(sub, random, &bad);
		assert_true(ran > 0);
		print_message("%s: %u of %d cases equal in every number\n", sub,
			      (unsigned)ran - bad, ran);
		cases += (unsigned)ran;
		*failed += bad;
		free(sub);
		free(list[i]);
	}
	free(list);
	return cases;
}

static void bundled_cases(void **state)
{
	unsigned failed = 0;

	(void)state;
	assert_true(run_set("tests/oracle", false, &failed) >= 40);
	assert_int_equal(failed, 0);
	run_set("tests/oracle", true, &failed);
	assert_int_equal(failed, 0);
}

static void all_cases(void **state)
{
	const char *dir = getenv("SLABSIM_ORACLE");
	unsigned failed = 0;

	(void)state;
	if (!dir || !*dir)
		skip();
	run_set(dir, false, &failed);
	assert_int_equal(failed, 0);
	run_set(dir, true, &failed);
	assert_int_equal(failed, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(bundled_cases),
	    cmocka_unit_test(all_cases),
	};

	return cmocka_run_group_tests(tests, fixture_policies, NULL);
}
