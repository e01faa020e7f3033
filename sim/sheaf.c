#include "sim/sheaf.h"

struct sheaf *sheaf_new(struct cache *c)
{
	struct sheaf *sheaf = c->free_sheaves;

	if (sheaf) {
		c->free_sheaves = sheaf->next;
	} else {
		sheaf = malloc(sizeof(*sheaf) + (size_t)c->sheaf_capacity * sizeof(sheaf->slab[0]));
		if (!sheaf) {
			c->out_of_memory = true;
			return NULL;
		}
	}
	sheaf->next = NULL;
	sheaf->size = 0;
	sheaf->capacity = c->sheaf_capacity;
	return sheaf;
}

struct sheaf *sheaf_new_oversize(struct cache *c, uint32_t capacity)
{
	struct sheaf *sheaf = malloc(sizeof(*sheaf) + (size_t)capacity * sizeof(sheaf->slab[0]));

	if (!sheaf) {
		c->out_of_memory = true;
		return NULL;
	}
	sheaf->next = NULL;
	sheaf->size = 0;
	sheaf->capacity = capacity;
	return sheaf;
}

void sheaf_release(struct cache *c, struct sheaf *sheaf)
{
	sheaf->next = c->free_sheaves;
	c->free_sheaves = sheaf;
}

int sheaf_init_cache(struct cache *c, struct error *err)
{
	if (!c->sheaf_capacity)
		return 0;
	for (unsigned cpu = 0; cpu < c->machine->cpus; cpu++) {
		c->cpu[cpu].main = sheaf_new(c);
		if (!c->cpu[cpu].main)
			return error_memory(err, "sheaves");
	}
	for (unsigned node = 0; node < c->machine->nodes; node++) {
		c->node[node].barn = calloc(1, sizeof(*c->node[node].barn));
		if (!c->node[node].barn)
			return error_memory(err, "barns");
	}
	return 0;
}

static void free_list(struct sheaf *sheaf)
{
	while (sheaf) {
		struct sheaf *next = sheaf->next;

		free(sheaf);
		sheaf = next;
	}
}

void sheaf_free_cache(struct cache *c)
{
	for (unsigned cpu = 0; c->cpu && cpu < c->machine->cpus; cpu++) {
		free(c->cpu[cpu].main);
		free(c->cpu[cpu].spare);
		free(c->cpu[cpu].rcu_free);
	}
	for (unsigned node = 0; c->node && node < c->machine->nodes; node++) {
		struct barn *barn = c->node[node].barn;

		if (!barn)
			continue;
		free_list(barn->full);
		free_list(barn->empty);
		free(barn);
	}
	free_list(c->free_sheaves);
}

uint64_t cache_sheaf_objects(const struct cache *c)
{
	uint64_t sum = 0;

	if (!c->sheaf_capacity)
		return 0;
	for (unsigned cpu = 0; cpu < c->machine->cpus; cpu++) {
		const struct cpu_cache *pc = &c->cpu[cpu];

		sum += pc->main->size;
		sum += pc->spare ? pc->spare->size : 0;
		sum += pc->rcu_free ? pc->rcu_free->size : 0;
	}
	for (unsigned node = 0; node < c->machine->nodes; node++)
		for (struct sheaf *s = c->node[node].barn->full; s; s = s->next)
			sum += s->size;
	return sum;
}
