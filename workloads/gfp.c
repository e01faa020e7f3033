#include "workloads/gfp.h"

#include "workloads/record.h"

/* include/linux/gfp_types.h */
#define RAW_DMA		   0x01u
#define RAW_RECLAIMABLE	   0x10u
#define RAW_DIRECT_RECLAIM 0x400u
#define RAW_ACCOUNT	   0x400000u

/*
 * Names are compared without leading underscores. Kernels before 4.6 print GFP_RECLAIMABLE
 * for what is __GFP_RECLAIMABLE since; they have no kmalloc-rcl caches, so only the latter counts.
 */
static const struct {
	const char *name;
	uint8_t bits;
} names[] = {
    {"GFP_KERNEL", GFP_BIT_MAY_BLOCK},
    {"GFP_KERNEL_ACCOUNT", GFP_BIT_MAY_BLOCK | GFP_BIT_ACCOUNT},
    {"GFP_NOFS", GFP_BIT_MAY_BLOCK},
    {"GFP_NOIO", GFP_BIT_MAY_BLOCK},
    {"GFP_USER", GFP_BIT_MAY_BLOCK},
    {"GFP_HIGHUSER", GFP_BIT_MAY_BLOCK},
    {"GFP_HIGHUSER_MOVABLE", GFP_BIT_MAY_BLOCK},
    {"GFP_TEMPORARY", GFP_BIT_MAY_BLOCK},
    {"GFP_TRANSHUGE", GFP_BIT_MAY_BLOCK},
    {"GFP_DIRECT_RECLAIM", GFP_BIT_MAY_BLOCK},
    {"GFP_RECLAIM", GFP_BIT_MAY_BLOCK},
    {"GFP_WAIT", GFP_BIT_MAY_BLOCK}, /* before 4.4 */
    {"GFP_DMA", GFP_BIT_DMA},
    {"GFP_ACCOUNT", GFP_BIT_ACCOUNT},
};

static uint8_t decode_name(const char *s, size_t len)
{
	size_t underscores = 0;

	while (underscores < len && s[underscores] == '_')
		underscores++;
	s += underscores;
	len -= underscores;
	if (underscores && len == 15 && !memcmp(s, "GFP_RECLAIMABLE", 15))
		return GFP_BIT_RECLAIMABLE;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i].name) == len && !memcmp(names[i].name, s, len))
			return names[i].bits;
	return 0;
}

uint8_t gfp_decode_number(uint64_t flags)
{
	return (flags & RAW_DIRECT_RECLAIM ? GFP_BIT_MAY_BLOCK : 0) |
	       (flags & RAW_DMA ? GFP_BIT_DMA : 0) |
	       (flags & RAW_RECLAIMABLE ? GFP_BIT_RECLAIMABLE : 0) |
	       (flags & RAW_ACCOUNT ? GFP_BIT_ACCOUNT : 0);
}

static uint64_t parse_number(const char *s, size_t len)
{
	char buf[24];

	len = len < sizeof(buf) - 1 ? len : sizeof(buf) - 1;
	memcpy(buf, s, len);
	buf[len] = '\0';
	return strtoull(buf, NULL, 0);
}

uint8_t gfp_decode(const char *s, size_t len)
{
	const char *end = s + len;
	uint8_t bits = 0;

	if (len == 0)
		return GFP_BIT_MAY_BLOCK;
	if (*s >= '0' && *s <= '9')
		return gfp_decode_number(parse_number(s, len));
	while (s < end) {
		const char *bar = memchr(s, '|', (size_t)(end - s));
		const char *stop = bar ? bar : end;

		/* Bits without a name are printed as one number at the end; none matters here. */
		bits |= decode_name(s, (size_t)(stop - s));
		s = stop + 1;
	}
	return bits;
}

/* A small direct-mapped table; a text that does not fit is decoded each time. */
#define CACHE_BITS 8
#define CACHE_TEXT 118

struct gfp_cache {
	struct {
		uint8_t len, bits;
		char text[CACHE_TEXT];
	} entry[1 << CACHE_BITS];
};

struct gfp_cache *gfp_cache_new(void)
{
	return calloc(1, sizeof(struct gfp_cache));
}

void gfp_cache_free(struct gfp_cache *c)
{
	free(c);
}

uint8_t gfp_cache_decode(struct gfp_cache *c, const char *s, size_t len)
{
	uint64_t head = 0, tail = 0;
	size_t i;

	if (len < 8 || len > CACHE_TEXT)
		return gfp_decode(s, len);
	memcpy(&head, s, 8);
	memcpy(&tail, s + len - 8, 8);
	i = ((head ^ tail * 31 ^ len) * 0x9e3779b97f4a7c15ull) >> (64 - CACHE_BITS);
	if (c->entry[i].len != len || memcmp(c->entry[i].text, s, len)) {
		memcpy(c->entry[i].text, s, len);
		c->entry[i].len = (uint8_t)len;
		c->entry[i].bits = gfp_decode(s, len);
	}
	return c->entry[i].bits;
}
