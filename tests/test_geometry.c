/* From a cache's creator's wishes to s->size (facts 1.1), and the limit in slabs (facts 2.3). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "sim/geometry.h"

static void test_size(void **state)
{
	static const struct {
		struct geometry_request r;
		unsigned align, size;
	} table[] = {
	    /* Seen on running kernels: filp, lsm_file_cache, buffer_head, vm_area_struct, skbuff.
	     */
	    {{.object_size = 184, .hwcache_align = true, .cache_line_size = 64}, 64, 192},
	    {{.object_size = 24, .cache_line_size = 64}, 8, 24},
	    {{.object_size = 104, .cache_line_size = 64}, 8, 104},
	    {{.object_size = 192, .align = 64, .cache_line_size = 64}, 64, 192},
	    {{.object_size = 216, .hwcache_align = true, .cache_line_size = 64}, 64, 256},
	    /* Small ones share a line: up to a half, a quarter, an eighth of it. */
	    {{.object_size = 33, .hwcache_align = true, .cache_line_size = 64}, 64, 64},
	    {{.object_size = 32, .hwcache_align = true, .cache_line_size = 64}, 32, 32},
	    {{.object_size = 17, .hwcache_align = true, .cache_line_size = 64}, 32, 32},
	    {{.object_size = 16, .hwcache_align = true, .cache_line_size = 64}, 16, 16},
	    {{.object_size = 8, .hwcache_align = true, .cache_line_size = 64}, 8, 8},
	    {{.object_size = 1, .hwcache_align = true, .cache_line_size = 64}, 8, 8},
	    {{.object_size = 65, .hwcache_align = true, .cache_line_size = 128}, 128, 128},
	    {{.object_size = 64, .hwcache_align = true, .cache_line_size = 128}, 64, 64},
	    /* The larger of two wishes. */
	    {{.object_size = 24, .hwcache_align = true, .align = 128, .cache_line_size = 64},
	     128,
	     128},
	    /* The free pointer behind the object. */
	    {{.object_size = 64, .ctor = true, .cache_line_size = 64}, 8, 72},
	    {{.object_size = 61, .typesafe_by_rcu = true, .cache_line_size = 64}, 8, 72},
	    {{.object_size = 64, .ctor = true, .hwcache_align = true, .cache_line_size = 64},
	     64,
	     128},
	    {{.object_size = 1, .cache_line_size = 64}, 8, 8},
	    /* No object at all: nothing, and it ends. */
	    {{.object_size = 0, .hwcache_align = true, .cache_line_size = 64}, 8, 0},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		assert_int_equal(geometry_align(&table[i].r), table[i].align);
		assert_int_equal(geometry_size(&table[i].r), table[i].size);
	}
}

static void test_slabs(void **state)
{
	/* Facts 2.3's examples. */
	static const struct {
		unsigned limit, objects, slabs;
	} table[] = {
	    {13, 32, 1},   {52, 32, 4}, {30, 64, 1}, {120, 64, 4}, {2, 8, 1}, {6, 8, 2},
	    {120, 21, 12}, {0, 8, 0},	{1, 8, 1},   {4, 8, 1},	   {5, 8, 2},
	};

	(void)state;
	for (unsigned i = 0; i < sizeof(table) / sizeof(table[0]); i++)
		assert_int_equal(geometry_cpu_partial_slabs(table[i].limit, table[i].objects),
				 table[i].slabs);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
	    cmocka_unit_test(test_size),
	    cmocka_unit_test(test_slabs),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
