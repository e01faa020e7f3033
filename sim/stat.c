#include "sim/stat.h"

static const char *const names[NR_STAT_ITEMS] = {
#define X(item, name) [item] = name,
    STAT_ITEMS(X)
#undef X
};

const char *stat_name(enum stat_item item)
{
	return names[item];
}
