#include "workloads/kmem-text.h"

#include <endian.h>

#include "workloads/gfp.h"
#include "workloads/kmem-record.h"

enum field {
	FIELD_NONE,
	FIELD_UNKNOWN,
	FIELD_CALL_SITE,
	FIELD_PTR,
	FIELD_NAME,
	FIELD_BYTES_REQ,
	FIELD_BYTES_ALLOC,
	FIELD_GFP_FLAGS,
	FIELD_NODE,
	FIELD_ACCOUNTED,
	NR_FIELDS
};

struct span {
	const char *s;
	size_t len;
};

/* Does "key=" stand at s? Its length in *len. */
static enum field key_at(const char *s, const char *end, size_t *len)
{
	size_t n = (size_t)(end - s), i;

#define KEY(text, field)                                                                           \
	if (n >= sizeof(text) - 1 && !memcmp(s, text, sizeof(text) - 1)) {                         \
		*len = sizeof(text) - 1;                                                           \
		return field;                                                                      \
	}
	switch (n ? *s : 0) {
	case 'c':
		KEY("call_site=", FIELD_CALL_SITE);
		break;
	case 'p':
		KEY("ptr=", FIELD_PTR);
		break;
	case 'n':
		KEY("name=", FIELD_NAME);
		KEY("node=", FIELD_NODE);
		break;
	case 'b':
		KEY("bytes_req=", FIELD_BYTES_REQ);
		KEY("bytes_alloc=", FIELD_BYTES_ALLOC);
		break;
	case 'g':
		KEY("gfp_flags=", FIELD_GFP_FLAGS);
		break;
	case 'a':
		KEY("accounted=", FIELD_ACCOUNTED);
		break;
	}
#undef KEY
	for (i = 0; i < n && ((s[i] >= 'a' && s[i] <= 'z') || s[i] == '_'); i++)
		;
	*len = i + 1;
	return i && i < n && s[i] == '=' ? FIELD_UNKNOWN : FIELD_NONE;
}

/* The next key at or behind s, which is the start of a word; NULL when there is none. */
static const char *next_key(const char *s, const char *end, enum field *field, size_t *len)
{
	while (s < end) {
		*field = key_at(s, end, len);
		if (*field != FIELD_NONE)
			return s;
		s = memchr(s, ' ', (size_t)(end - s));
		if (!s)
			return NULL;
		s++;
	}
	return NULL;
}

/* The first blank at or behind s, or end. Words are short: a call of memchr() costs more. */
static inline const char *find_blank(const char *s, const char *end)
{
	const uint64_t ones = 0x0101010101010101;
	uint64_t w;

	for (; end - s >= 8; s += 8) {
		memcpy(&w, s, 8);
		/* A byte that is a blank becomes 0, and then borrows from its top bit. */
		w = le64toh(w) ^ ones * ' ';
		w = (w - ones) & ~w & 0x80 * ones;
		if (w)
			return s + __builtin_ctzll(w) / 8;
	}
	while (s < end && *s != ' ')
		s++;
	return s;
}

/*
 * What kernels print nearly always: the fields in their usual order, each one word. 0 when it is
 * anything else.
 */
static unsigned split_usual(const char *s, const char *end, struct span value[NR_FIELDS])
{
	const char *stop;
	unsigned found = 0;

#define TAKE(text, field)                                                                          \
	if ((size_t)(end - s) >= sizeof(text) - 1 && !memcmp(s, text, sizeof(text) - 1)) {         \
		s += sizeof(text) - 1;                                                             \
		stop = find_blank(s, end);                                                         \
		value[field] = (struct span){s, (size_t)(stop - s)};                               \
		found |= 1u << (field);                                                            \
		if (stop == end)                                                                   \
			return found;                                                              \
		s = stop + 1;                                                                      \
	}
	TAKE("call_site=", FIELD_CALL_SITE)
	TAKE("ptr=", FIELD_PTR)
	TAKE("name=", FIELD_NAME)
	TAKE("bytes_req=", FIELD_BYTES_REQ)
	TAKE("bytes_alloc=", FIELD_BYTES_ALLOC)
	TAKE("gfp_flags=", FIELD_GFP_FLAGS)
	TAKE("node=", FIELD_NODE)
	TAKE("accounted=", FIELD_ACCOUNTED)
#undef TAKE
	return 0;
}

/* Values may contain blanks, "ptr=  (null)": they end where the next key begins. */
static unsigned split_fields(const char *s, const char *end, struct span value[NR_FIELDS])
{
	unsigned found = 0;
	enum field field, next_field = FIELD_NONE;
	size_t len, next_len = 0;
	const char *key = next_key(s, end, &field, &len), *next, *from, *to;

	while (key) {
		from = key + len;
		next = memchr(from, ' ', (size_t)(end - from));
		if (next)
			next = next_key(next + 1, end, &next_field, &next_len);
		to = next ? next - 1 : end;
		while (from < to && *from == ' ')
			from++;
		while (from < to && to[-1] == ' ')
			to--;
		value[field] = (struct span){from, (size_t)(to - from)};
		found |= 1u << field;
		key = next;
		field = next_field;
		len = next_len;
	}
	return found;
}

static inline int hex_digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	c |= 0x20;
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Eight hexadecimal digits at once, a byte each in one word. */
static inline bool parse_hex8(const char *s, uint64_t *number)
{
	const uint64_t ones = 0x0101010101010101;
	uint64_t w, value, above_9;

	memcpy(&w, s, 8);
	/* Letters have bit 6. They become lower case: 'a' is 0x61, worth 1 + 9. */
	w = le64toh(w);
	w |= (w & 0x40 * ones) >> 1;
	value = (w & 0x0f * ones) + (w >> 6 & ones) * 9;
	above_9 = (value + 6 * ones) >> 4 & ones;
	if (value & 0xf0 * ones || value + 0x30 * ones + above_9 * ('a' - '9' - 1) != w)
		return false;
	/* The first digit is in the lowest byte. */
	value = (value & 0x000f000f000f000f) << 4 | (value >> 8 & 0x000f000f000f000f);
	value = (value | value >> 8) & 0x0000ffff0000ffff;
	*number = __builtin_bswap32((uint32_t)(value | value >> 16));
	return true;
}

static bool parse_hex(struct span v, uint64_t *number)
{
	uint64_t x = 0, high, low;
	size_t i;
	int d;

	if (v.len == 16 && parse_hex8(v.s, &high) && parse_hex8(v.s + 8, &low)) {
		*number = high << 32 | low;
		return true;
	}
	for (i = 0; i < v.len && i <= 16 && (d = hex_digit(v.s[i])) >= 0; i++)
		x = x << 4 | (uint64_t)d;
	*number = x;
	return i > 0 && i <= 16 && (i == v.len || v.s[i] == ' ');
}

static bool has_0x(struct span v)
{
	return v.len > 2 && v.s[0] == '0' && (v.s[1] == 'x' || v.s[1] == 'X');
}

static struct span skip_0x(struct span v)
{
	return has_0x(v) ? (struct span){v.s + 2, v.len - 2} : v;
}

/* A decimal number, or 0x and hex digits as the trace option "fields" prints. */
static bool parse_number(struct span v, uint64_t *number)
{
	uint64_t x = 0;
	size_t i;

	if (has_0x(v))
		return parse_hex(skip_0x(v), number);
	for (i = 0; i < v.len && i < 19 && v.s[i] >= '0' && v.s[i] <= '9'; i++)
		x = x * 10 + (uint64_t)(v.s[i] - '0');
	*number = x;
	return i > 0 && (i == v.len || v.s[i] == ' ');
}

static bool parse_node(struct span v, int16_t *node)
{
	uint64_t x;

	if (v.len >= 2 && v.s[0] == '-' && v.s[1] == '1') {
		*node = NUMA_NO_NODE;
		return true;
	}
	if (!parse_number(v, &x))
		return false;
	return kmem_node(x, node);
}

/* "true", "1"; with the option "fields" "(1)". */
static bool parse_accounted(struct span v, bool *accounted)
{
	if (v.len && *v.s == '(')
		v = (struct span){v.s + 1, v.len - 1};
	if (!v.len)
		return false;
	*accounted = *v.s == 't' || *v.s == '1' || *v.s == 'Y';
	return true;
}

static int hidden_pointers(const struct reader_ctx *ctx, const struct record *rec,
			   struct error *err)
{
	return error_input(
	    err,
	    "%s:%llu: every address in this trace is printed as (____ptrval____): it was recorded "
	    "before the kernel had gathered the random numbers with which it disguises addresses, "
	    "so no free can be matched to its allocation. Record later after boot, or with real "
	    "addresses: \"echo 0 > options/hash-ptr\" in tracefs, or no_hash_pointers on the "
	    "kernel's command line",
	    input_name(ctx->in), (unsigned long long)rec->line);
}

static int parse_ptr(const struct reader_ctx *ctx, struct span v, struct record *rec,
		     struct error *err)
{
	if (v.len && *v.s == '(') {
		if (memmem(v.s, v.len, "ptrval", 6))
			return hidden_pointers(ctx, rec, err);
		rec->ptr = 0;
		return (v.len >= 6 && !memcmp(v.s, "(null)", 6)) ||
		       (v.len >= 5 && !memcmp(v.s, "(nil)", 5));
	}
	return parse_hex(skip_0x(v), &rec->ptr);
}

/*
 * "getname_flags+0x2b/0x180 [module]" is kept as "getname_flags+0x2b", which is all that
 * trace-cmd and perf print; a bare address is kept as its digits.
 */
static struct span trim_call_site(struct span v)
{
	const char *stop;

	v = skip_0x(v);
	stop = memchr(v.s, '/', v.len);
	if (!stop)
		stop = memchr(v.s, ' ', v.len);
	return (struct span){v.s, stop ? (size_t)(stop - v.s) : v.len};
}

static int parse_alloc(struct reader_ctx *ctx, const struct span *value, unsigned found,
		       struct record *rec)
{
#define HAS(field) (found & 1u << (field))
	if (!HAS(FIELD_BYTES_ALLOC) || !parse_number(value[FIELD_BYTES_ALLOC], &rec->bytes_alloc))
		return 0;
	rec->bytes_req = rec->bytes_alloc;
	if (HAS(FIELD_BYTES_REQ) && !parse_number(value[FIELD_BYTES_REQ], &rec->bytes_req))
		return 0;
	if (!kmem_sizes_valid(rec))
		return 0;
	rec->node = NUMA_NO_NODE;
	if (HAS(FIELD_NODE) && !parse_node(value[FIELD_NODE], &rec->node))
		return 0;
	rec->accounted = false;
	rec->has_accounted =
	    HAS(FIELD_ACCOUNTED) && parse_accounted(value[FIELD_ACCOUNTED], &rec->accounted);
	rec->gfp = HAS(FIELD_GFP_FLAGS) ? gfp_cache_decode(ctx->gfp, value[FIELD_GFP_FLAGS].s,
							   value[FIELD_GFP_FLAGS].len)
					: GFP_BIT_MAY_BLOCK;
	return 1;
}

int kmem_text_parse(struct reader_ctx *ctx, const char *s, const char *end, struct record *rec,
		    struct error *err)
{
	struct span value[NR_FIELDS];
	unsigned found = split_usual(s, end, value);
	bool alloc = kmem_is_alloc(rec->kind);
	int ret;

	if (!found)
		found = split_fields(s, end, value);
	if (!HAS(FIELD_PTR))
		return 0;
	ret = parse_ptr(ctx, value[FIELD_PTR], rec, err);
	if (ret <= 0)
		return ret;
	rec->op = alloc ? EV_ALLOC : EV_FREE;
	rec->node = NUMA_NO_NODE;
	rec->bulk = 0;
	if (alloc && !parse_alloc(ctx, value, found, rec))
		return 0;
	rec->call_site = INTERN_EMPTY;
	if (HAS(FIELD_CALL_SITE) && alloc) {
		struct span site = trim_call_site(value[FIELD_CALL_SITE]);

		rec->call_site = intern(ctx->strings, site.s, site.len);
	}
	rec->has_name = HAS(FIELD_NAME);
	rec->name = INTERN_EMPTY;
	if (rec->has_name)
		rec->name = intern(ctx->strings, value[FIELD_NAME].s, value[FIELD_NAME].len);
	if (rec->call_site == INTERN_FAILED || rec->name == INTERN_FAILED)
		return error_memory(err, "names of call sites and caches");
	return 1;
#undef HAS
}

int kmem_text_line(struct reader_ctx *ctx, const struct line *line, const struct task_line *tl,
		   struct record *rec, struct error *err)
{
	int kind = kmem_kind(tl->event, tl->event_len), ret;

	if (kind < 0) {
		if (tl->event_len)
			census_add(&ctx->census, tl->event, tl->event_len);
		ctx->notes[NOTE_OTHER_EVENT]++;
		return 0;
	}
	rec->kind = (uint8_t)kind;
	rec->line = line->number;
	rec->cpu = tl->cpu;
	rec->time_ns = tl->time_ns;
	ret = kmem_text_parse(ctx, tl->fields, line->s + line->len, rec, err);
	if (ret == 0)
		ctx->notes[NOTE_MALFORMED]++;
	else if (!tl->has_time)
		ctx->missing_time = true;
	return ret;
}
