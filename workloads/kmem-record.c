#include "workloads/kmem-record.h"

#include "sim/event.h"

int kmem_kind(const char *name, size_t len)
{
#define IS(text) (len == sizeof(text) - 1 && !memcmp(name, text, sizeof(text) - 1))
	if (len == 0 || name[0] != 'k')
		return -1;
	if (IS("kmem_cache_free"))
		return RECORD_CACHE_FREE;
	if (IS("kmem_cache_alloc") || IS("kmem_cache_alloc_node"))
		return RECORD_CACHE_ALLOC;
	if (IS("kfree"))
		return RECORD_KFREE;
	if (IS("kmalloc") || IS("kmalloc_node"))
		return RECORD_KMALLOC;
	return -1;
#undef IS
}

bool kmem_sizes_valid(const struct record *rec)
{
	if (rec->bytes_alloc == 0 || rec->bytes_req > rec->bytes_alloc)
		return false;
	return rec->kind != RECORD_CACHE_ALLOC || rec->bytes_alloc <= MAX_OBJECT_SIZE;
}

bool kmem_node(uint64_t number, int16_t *node)
{
	if (number == UINT32_MAX || number == UINT64_MAX) {
		*node = NUMA_NO_NODE;
		return true;
	}
	*node = (int16_t)number;
	return number < MAX_NODES;
}
