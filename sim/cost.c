#include "sim/cost.h"

static const struct {
	const char *name, *help;
} items[NR_COST_ITEMS] = {
#define X(item, key, text) [item] = {key, text},
    COST_ITEMS(X)
#undef X
};

const char *cost_name(enum cost_item item)
{
	return items[item].name;
}

const char *cost_help(enum cost_item item)
{
	return items[item].help;
}
