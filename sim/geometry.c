#include "sim/geometry.h"

#define WORD		   8u
#define ARCH_SLAB_MINALIGN 8u

static unsigned round_up(unsigned n, unsigned to)
{
	return (n + to - 1) / to * to;
}

unsigned geometry_align(const struct geometry_request *r)
{
	unsigned align = r->align;

	if (r->hwcache_align) {
		unsigned line = r->cache_line_size;

		while (line > 1 && r->object_size <= line / 2)
			line /= 2;
		if (line > align)
			align = line;
	}
	if (align < ARCH_SLAB_MINALIGN)
		align = ARCH_SLAB_MINALIGN;
	return round_up(align, WORD);
}

unsigned geometry_size(const struct geometry_request *r)
{
	unsigned size = round_up(r->object_size, WORD);

	if (r->ctor || r->typesafe_by_rcu)
		size += WORD;
	return round_up(size, geometry_align(r));
}

int geometry_check(const char *cache, unsigned object_size, unsigned size, struct error *err)
{
	if (object_size > size)
		return error_input(err, "cache %s: object_size %u is larger than size %u", cache,
				   object_size, size);
	if (size % WORD)
		return error_input(err, "cache %s: size %u is not a multiple of %u", cache, size,
				   WORD);
	return 0;
}

unsigned geometry_cpu_partial_slabs(unsigned nr_objects, unsigned objects_per_slab)
{
	uint64_t twice = 2 * (uint64_t)nr_objects;

	return (unsigned)((twice + objects_per_slab - 1) / objects_per_slab);
}
