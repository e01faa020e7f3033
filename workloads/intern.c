#include "workloads/intern.h"

#include <stdbool.h>

struct entry {
	size_t at; /* in text */
	uint32_t len;
	uint32_t hash;
};

struct intern {
	char *text;
	size_t text_len, text_cap;
	struct entry *entry; /* by number */
	uint32_t n, cap;
	uint32_t *slot; /* number + 1, or 0; 2^bits of them, at most half used */
	unsigned bits;
};

static uint32_t hash_text(const char *s, size_t len)
{
	const uint64_t k = 0x9e3779b97f4a7c15ull;
	uint64_t h = len * k, w;

	for (; len >= 8; s += 8, len -= 8) {
		memcpy(&w, s, 8);
		h = (h ^ w) * k;
		h ^= h >> 32;
	}
	w = 0;
	memcpy(&w, s, len);
	h = (h ^ w) * k;
	return (uint32_t)(h >> 32);
}

struct intern *intern_new(void)
{
	struct intern *in = calloc(1, sizeof(*in));

	if (!in)
		return NULL;
	in->bits = 8;
	in->slot = calloc((size_t)1 << in->bits, sizeof(*in->slot));
	if (!in->slot || intern(in, "", 0) != INTERN_EMPTY) {
		intern_free(in);
		return NULL;
	}
	return in;
}

void intern_free(struct intern *in)
{
	if (!in)
		return;
	free(in->text);
	free(in->entry);
	free(in->slot);
	free(in);
}

static bool grow_slots(struct intern *in)
{
	size_t mask = ((size_t)2 << in->bits) - 1;
	uint32_t *slot = calloc(mask + 1, sizeof(*slot));

	if (!slot)
		return false;
	for (uint32_t id = 0; id < in->n; id++) {
		size_t i = in->entry[id].hash & mask;

		while (slot[i])
			i = (i + 1) & mask;
		slot[i] = id + 1;
	}
	free(in->slot);
	in->slot = slot;
	in->bits++;
	return true;
}

static bool make_room(struct intern *in, size_t len)
{
	if (in->n == in->cap) {
		uint32_t cap = in->cap ? in->cap * 2 : 64;
		struct entry *larger = realloc(in->entry, cap * sizeof(*larger));

		if (!larger)
			return false;
		in->entry = larger;
		in->cap = cap;
	}
	if (in->text_cap - in->text_len <= len) {
		size_t cap = (in->text_cap + len + 1) * 2;
		char *larger = realloc(in->text, cap);

		if (!larger)
			return false;
		in->text = larger;
		in->text_cap = cap;
	}
	return in->n < (1u << in->bits) / 2 || grow_slots(in);
}

uint32_t intern(struct intern *in, const char *s, size_t len)
{
	uint32_t hash = hash_text(s, len);
	size_t mask = ((size_t)1 << in->bits) - 1;
	size_t i;

	for (i = hash & mask; in->slot[i]; i = (i + 1) & mask) {
		const struct entry *e = &in->entry[in->slot[i] - 1];

		if (e->hash == hash && e->len == len && !memcmp(in->text + e->at, s, len))
			return in->slot[i] - 1;
	}
	/* INT32_MAX strings do not occur, and keep every count below within 32 bits. */
	if (in->n >= INT32_MAX / 2 || len >= UINT32_MAX || !make_room(in, len))
		return INTERN_FAILED;
	mask = ((size_t)1 << in->bits) - 1;
	for (i = hash & mask; in->slot[i]; i = (i + 1) & mask)
		;
	memcpy(in->text + in->text_len, s, len);
	in->text[in->text_len + len] = '\0';
	in->entry[in->n] = (struct entry){in->text_len, (uint32_t)len, hash};
	in->text_len += len + 1;
	in->slot[i] = in->n + 1;
	return in->n++;
}

const char *intern_str(const struct intern *in, uint32_t id)
{
	return in->text + in->entry[id].at;
}

uint32_t intern_count(const struct intern *in)
{
	return in->n;
}
