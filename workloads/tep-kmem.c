#include "workloads/tep-kmem.h"

#include "workloads/kmem-record.h"
#include "workloads/kmem-text.h"

/* The type of an event is 16 bits wide. */
#define NR_TYPES 65536
/* Texts and call sites that are remembered: 2^n, each in its one place. */
#define TEXT_BITS 8
#define SITE_BITS 12

struct format {
	struct tep_event *event; /* NULL: a type without a format */
	int kind;		 /* enum record_kind; -1: none of ours */
	bool by_text;		 /* the format is not as expected: only its text can be trusted */
	bool symbolic;		 /* call sites are printed as function+offset */
	const struct tep_format_field *call_site, *ptr, *bytes_req, *bytes_alloc, *gfp_flags, *node,
	    *accounted, *name;
};

/* What the text of an allocation told about these values. */
struct told {
	const struct format *format;
	uint64_t gfp_flags, accounted_field;
	uint8_t gfp;
	bool accounted, has_accounted;
};

struct site {
	uint64_t address;
	const struct format *format;
	uint32_t id;
};

struct tep_kmem {
	struct tep_handle *tep;
	struct reader_ctx *ctx;
	struct trace_seq seq;
	uint64_t records;
	struct format **format; /* by type; NULL: not seen yet */
	struct told told[1 << TEXT_BITS];
	struct site site[1 << SITE_BITS];
};

struct tep_kmem *tep_kmem_new(struct tep_handle *tep, struct reader_ctx *ctx, struct error *err)
{
	struct tep_kmem *k = calloc(1, sizeof(*k));

	if (k)
		k->format = calloc(NR_TYPES, sizeof(struct format *));
	if (!k || !k->format) {
		free(k);
		error_memory(err, "the formats of events");
		return NULL;
	}
	k->tep = tep;
	k->ctx = ctx;
	trace_seq_init(&k->seq);
	return k;
}

void tep_kmem_free(struct tep_kmem *k)
{
	if (!k)
		return;
	for (unsigned i = 0; i < NR_TYPES; i++)
		free(k->format[i]);
	free(k->format);
	trace_seq_destroy(&k->seq);
	free(k);
}

/* A number of at most 8 bytes. */
static const struct tep_format_field *number_field(struct tep_event *e, const char *name)
{
	const struct tep_format_field *f = tep_find_field(e, name);

	if (!f || f->flags & (TEP_FIELD_IS_ARRAY | TEP_FIELD_IS_DYNAMIC | TEP_FIELD_IS_STRING))
		return NULL;
	return f->size == 1 || f->size == 2 || f->size == 4 || f->size == 8 ? f : NULL;
}

/* "__data_loc char[] name": offset and length of the string, in 4 bytes. */
static const struct tep_format_field *string_field(struct tep_event *e, const char *name)
{
	const struct tep_format_field *f = tep_find_field(e, name);

	if (!f || !(f->flags & TEP_FIELD_IS_DYNAMIC) || f->flags & TEP_FIELD_IS_RELATIVE)
		return NULL;
	return f->size == 4 ? f : NULL;
}

static void find_fields(struct format *f)
{
	struct tep_event *e = f->event;
	const char *text = e->print_fmt.format, *site;

	f->ptr = number_field(e, "ptr");
	f->by_text = e->flags & (int)TEP_EVENT_FL_FAILED || !text || !f->ptr;
	f->name = string_field(e, "name");
	f->by_text |= tep_find_field(e, "name") && !f->name;
	if (!kmem_is_alloc(f->kind))
		return;
	f->call_site = number_field(e, "call_site");
	f->bytes_req = number_field(e, "bytes_req");
	f->bytes_alloc = number_field(e, "bytes_alloc");
	f->gfp_flags = number_field(e, "gfp_flags");
	f->node = number_field(e, "node");
	f->accounted = number_field(e, "accounted");
	site = text ? strstr(text, "call_site=%") : NULL;
	f->symbolic = site && site[strlen("call_site=%")] == 'p';
	f->by_text |= !f->call_site || !site || !f->bytes_req || !f->bytes_alloc || !f->gfp_flags;
	f->by_text |= tep_find_field(e, "node") && !f->node;
}

/* NULL when out of memory. */
static const struct format *format_of(struct tep_kmem *k, struct tep_record *in)
{
	int type = tep_data_type(k->tep, in);
	struct format *f;

	if (type < 0 || type >= NR_TYPES)
		type = 0;
	if (k->format[type])
		return k->format[type];
	f = k->format[type] = calloc(1, sizeof(*f));
	if (!f)
		return NULL;
	f->event = tep_find_event(k->tep, type);
	f->kind = -1;
	if (f->event && f->event->system && !strcmp(f->event->system, "kmem"))
		f->kind = kmem_kind(f->event->name, strlen(f->event->name));
	if (f->kind >= 0)
		find_fields(f);
	return f;
}

static inline bool read_field(struct tep_kmem *k, const struct tep_record *in,
			      const struct tep_format_field *f, uint64_t *number)
{
	if (f->offset < 0 || f->offset > in->size - f->size)
		return false;
	*number = tep_read_number(k->tep, (const char *)in->data + f->offset, f->size);
	return true;
}

static bool read_name(struct tep_kmem *k, const struct tep_record *in,
		      const struct tep_format_field *f, uint32_t *name)
{
	uint64_t where;
	size_t offset, len;

	if (!read_field(k, in, f, &where))
		return false;
	offset = where & 0xffff;
	len = where >> 16;
	if (offset > (size_t)in->size || len > (size_t)in->size - offset)
		return false;
	*name = intern(k->ctx->strings, (const char *)in->data + offset,
		       strnlen((const char *)in->data + offset, len));
	return true;
}

/* As trace-cmd prints it, but for what text readers cut off. */
static uint32_t call_site(struct tep_kmem *k, const struct format *f, uint64_t address)
{
	size_t i = (address * 0x9e3779b97f4a7c15ull) >> (64 - SITE_BITS);
	struct site *s = &k->site[i];
	const char *function = NULL;
	char text[256];
	int n;

	if (s->format == f && s->address == address)
		return s->id;
	if (f->symbolic)
		function = tep_find_function(k->tep, address);
	if (function)
		n = snprintf(text, sizeof(text), "%.200s+0x%llx", function,
			     address - tep_find_function_address(k->tep, address));
	else
		n = snprintf(text, sizeof(text), "%llx", (unsigned long long)address);
	*s = (struct site){address, f, intern(k->ctx->strings, text, (size_t)n)};
	return s->id;
}

static int decode_text(struct tep_kmem *k, struct tep_record *in, const struct format *f,
		       struct record *rec, struct error *err)
{
	trace_seq_reset(&k->seq);
	tep_print_event(k->tep, &k->seq, in, "%s", TEP_PRINT_INFO);
	if (f->kind < 0 || k->seq.state != TRACE_SEQ__GOOD)
		return 0;
	return kmem_text_parse(k->ctx, k->seq.buffer, k->seq.buffer + k->seq.len, rec, err);
}

/* What is remembered of such flags; else the whole record is read from its text. */
static int decode_flags(struct tep_kmem *k, struct tep_record *in, const struct format *f,
			struct record *rec, struct error *err)
{
	uint64_t flags, accounted = 0;
	struct told *t;
	int ret;

	if (!read_field(k, in, f->gfp_flags, &flags) ||
	    (f->accounted && !read_field(k, in, f->accounted, &accounted)))
		return 0;
	t = &k->told[((flags ^ accounted << 40 ^ (uintptr_t)f) * 0x9e3779b97f4a7c15ull) >>
		     (64 - TEXT_BITS)];
	if (t->format != f || t->gfp_flags != flags || t->accounted_field != accounted) {
		ret = decode_text(k, in, f, rec, err);
		if (ret <= 0)
			return ret;
		*t = (struct told){f,	     flags,	     accounted,
				   rec->gfp, rec->accounted, rec->has_accounted};
		return 1;
	}
	rec->gfp = t->gfp;
	rec->accounted = t->accounted;
	rec->has_accounted = t->has_accounted;
	return 1;
}

static int decode_alloc(struct tep_kmem *k, struct tep_record *in, const struct format *f,
			struct record *rec, struct error *err)
{
	uint64_t address, node = UINT64_MAX;

	if (!read_field(k, in, f->call_site, &address) ||
	    !read_field(k, in, f->bytes_req, &rec->bytes_req) ||
	    !read_field(k, in, f->bytes_alloc, &rec->bytes_alloc) ||
	    (f->node && !read_field(k, in, f->node, &node)))
		return 0;
	if (!kmem_sizes_valid(rec) || !kmem_node(node, &rec->node))
		return 0;
	rec->call_site = call_site(k, f, address);
	return decode_flags(k, in, f, rec, err);
}

static int decode_fields(struct tep_kmem *k, struct tep_record *in, const struct format *f,
			 struct record *rec, struct error *err)
{
	bool alloc = kmem_is_alloc(f->kind);
	int ret = 1;

	rec->op = alloc ? EV_ALLOC : EV_FREE;
	rec->node = NUMA_NO_NODE;
	rec->bulk = 0;
	rec->call_site = INTERN_EMPTY;
	rec->name = INTERN_EMPTY;
	rec->has_name = f->name != NULL;
	if (!read_field(k, in, f->ptr, &rec->ptr) ||
	    (f->name && !read_name(k, in, f->name, &rec->name)))
		return 0;
	if (alloc)
		ret = decode_alloc(k, in, f, rec, err);
	if (rec->call_site == INTERN_FAILED || rec->name == INTERN_FAILED)
		return error_memory(err, "names of call sites and caches");
	return ret;
}

int tep_kmem_decode(struct tep_kmem *k, struct tep_record *in, struct record *rec,
		    struct error *err)
{
	const struct format *f = format_of(k, in);
	struct reader_ctx *ctx = k->ctx;
	const char *name;
	int ret;

	if (!f)
		return error_memory(err, "the formats of events");
	k->records++;
	if (f->kind < 0) {
		name = f->event && f->event->name ? f->event->name : "unknown";
		census_add(&ctx->census, name, strlen(name));
		ctx->notes[NOTE_OTHER_EVENT]++;
		return 0;
	}
	rec->kind = (uint8_t)f->kind;
	rec->line = k->records;
	rec->cpu = (unsigned)in->cpu;
	rec->time_ns = in->ts;
	if (f->by_text)
		ret = decode_text(k, in, f, rec, err);
	else
		ret = decode_fields(k, in, f, rec, err);
	if (ret == 0)
		ctx->notes[NOTE_MALFORMED]++;
	return ret;
}
