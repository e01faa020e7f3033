/* For tests of what looks policies up. */
#ifndef SLABSIM_TESTS_POLICIES_FIXTURE_H
#define SLABSIM_TESTS_POLICIES_FIXTURE_H

/* cmocka's group set-up: the policies are found. */
int fixture_policies(void **state);

#endif
