/* Included before every file of a coverage build: children that end with _exit() count, too. */
#include <dlfcn.h>
#include <unistd.h>

void __gcov_dump(void);

static inline __attribute__((noreturn, unused)) void coverage_exit(int status)
{
	/* Faults that a test injects are not meant for what follows. */
	void (*fault_end)(void) = (void (*)(void))dlsym(RTLD_DEFAULT, "fault_end");

	if (fault_end)
		fault_end();
	__gcov_dump();
	_exit(status);
}
#define _exit(status) coverage_exit(status)
