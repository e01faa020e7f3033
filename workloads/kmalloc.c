#include "workloads/kmalloc.h"

uint64_t kmalloc_size(uint64_t size)
{
	uint64_t s = 8;

	if (size > 64 && size <= 96)
		return 96;
	if (size > 128 && size <= 192)
		return 192;
	while (s < size && s < UINT64_MAX / 2 + 1)
		s *= 2;
	return s;
}

void kmalloc_name(enum kmalloc_type type, uint64_t size, char *buf, size_t buf_size)
{
	static const char *const prefix[] = {
	    [KMALLOC_NORMAL] = "kmalloc-",
	    [KMALLOC_CGROUP] = "kmalloc-cg-",
	    [KMALLOC_RECLAIM] = "kmalloc-rcl-",
	    [KMALLOC_DMA] = "dma-kmalloc-",
	};
	const char *unit = "";

	if (size >= 1 << 20 && size % (1 << 20) == 0) {
		size >>= 20;
		unit = "M";
	} else if (size >= 1024 && size % 1024 == 0) {
		size >>= 10;
		unit = "k";
	}
	snprintf(buf, buf_size, "%s%llu%s", prefix[type], (unsigned long long)size, unit);
}
