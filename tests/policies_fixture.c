#include "tests/policies_fixture.h"

#include "sim/policy.h"

int fixture_policies(void **state)
{
	struct error err = {0};

	(void)state;
	return policies_init(&err);
}
