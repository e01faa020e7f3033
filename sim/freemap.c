#include "sim/freemap.h"

static uint64_t words(uint64_t bits)
{
	return (bits + 63) / 64;
}

bool freemap_init(struct freemap *m, uint64_t size)
{
	uint64_t total = 0, n;
	uint64_t *word;

	*m = (struct freemap){.size = size};
	for (n = size; m->levels < FREEMAP_LEVELS; n = words(n)) {
		total += words(n);
		m->levels++;
		if (n <= 64)
			break;
	}
	word = calloc(total ? total : 1, sizeof(*word));
	if (!word)
		return false;
	n = size;
	for (unsigned l = 0; l < m->levels; l++) {
		m->level[l] = word;
		word += words(n);
		n = words(n);
	}
	return true;
}

void freemap_release(struct freemap *m)
{
	free(m->level[0]);
	*m = (struct freemap){0};
}

bool freemap_has(const struct freemap *m, uint64_t i)
{
	return i < m->size && m->level[0][i / 64] >> (i % 64) & 1;
}

void freemap_add(struct freemap *m, uint64_t i)
{
	m->count++;
	for (unsigned l = 0; l < m->levels; l++, i /= 64) {
		uint64_t *word = &m->level[l][i / 64], was = *word;

		*word |= UINT64_C(1) << (i % 64);
		if (was)
			break;
	}
}

void freemap_remove(struct freemap *m, uint64_t i)
{
	m->count--;
	for (unsigned l = 0; l < m->levels; l++, i /= 64) {
		uint64_t *word = &m->level[l][i / 64];

		*word &= ~(UINT64_C(1) << (i % 64));
		if (*word)
			break;
	}
}

uint64_t freemap_first(const struct freemap *m)
{
	uint64_t i = 0;

	for (unsigned l = m->levels; l-- > 0;)
		i = i * 64 + (unsigned)__builtin_ctzll(m->level[l][i]);
	return i;
}
