#include "workloads/live-pages.h"

#include <errno.h>
#include <unistd.h>

#include "workloads/temp-file.h"

/* Pages of one CPU held in memory, before its temporary file is used. Untouched, they cost nothing.
 */
#define CHUNK_SIZE (16u << 20)

struct live_cpu_pages {
	uint8_t *chunk;
	size_t used;
	int fd;
	uint64_t written; /* bytes in the file, before those in chunk */

	/* When they are read back: */
	struct kbuffer *kbuf;
	uint8_t *page;
	uint64_t next; /* byte, of all pages */
	struct tep_record rec;
	bool has_rec;
};

int live_pages_init(struct live_pages *p, unsigned cpus, size_t page_size, struct error *err)
{
	*p = (struct live_pages){.cpus = cpus, .page_size = page_size};
	p->cpu = calloc(cpus, sizeof(*p->cpu));
	if (!p->cpu) {
		p->cpus = 0;
		return error_memory(err, "the kernel's trace");
	}
	for (unsigned i = 0; i < cpus; i++)
		p->cpu[i].fd = -1;
	return 0;
}

void live_pages_free(struct live_pages *p)
{
	for (unsigned i = 0; i < p->cpus; i++) {
		struct live_cpu_pages *c = &p->cpu[i];

		if (c->fd >= 0)
			close(c->fd);
		if (c->kbuf)
			kbuffer_free(c->kbuf);
		free(c->chunk);
		free(c->page);
	}
	free(p->cpu);
	*p = (struct live_pages){0};
}

void *live_pages_room(struct live_pages *p, unsigned cpu, struct error *err)
{
	struct live_cpu_pages *c = &p->cpu[cpu];

	if (!c->chunk) {
		c->chunk = malloc(CHUNK_SIZE);
		if (!c->chunk) {
			error_memory(err, "the kernel's trace");
			return NULL;
		}
	}
	if (c->used + p->page_size <= CHUNK_SIZE)
		return c->chunk + c->used;
	if (c->fd < 0)
		c->fd = temp_file_open(err);
	if (c->fd < 0 || temp_file_write(c->fd, c->chunk, c->used, err))
		return NULL;
	c->written += c->used;
	c->used = 0;
	return c->chunk;
}

void live_pages_add(struct live_pages *p, unsigned cpu)
{
	p->cpu[cpu].used += p->page_size;
}

/* The CPU's next page into its buffer: 1; 0: there is none; -1 and err. */
static int next_page(struct live_pages *p, struct live_cpu_pages *c, struct error *err)
{
	uint8_t *page = c->page;
	size_t have = 0;
	ssize_t got;

	if (c->next == c->written + c->used)
		return 0;
	if (c->next >= c->written) {
		page = c->chunk + (c->next - c->written);
	} else {
		while (have < p->page_size) {
			got =
			    pread(c->fd, page + have, p->page_size - have, (off_t)(c->next + have));
			if (got < 0 && errno == EINTR)
				continue;
			if (got <= 0)
				return error_failed(err, "cannot read the temporary file in %s: %s",
						    temp_file_directory(),
						    got < 0 ? strerror(errno) : "it is too short");
			have += (size_t)got;
		}
	}
	c->next += p->page_size;
	if (kbuffer_load_subbuffer(c->kbuf, page))
		return error_failed(err, "the kernel's trace buffer is not as expected");
	return 1;
}

/* The CPU's next record, in its rec: 0, or -1 and err. */
static int next_record(struct live_pages *p, struct live_cpu_pages *c, struct error *err)
{
	unsigned long long ts;
	void *data = c->has_rec ? kbuffer_next_event(c->kbuf, &ts) : NULL;
	int more;

	while (!data) {
		more = next_page(p, c, err);
		if (more <= 0) {
			c->has_rec = false;
			return more;
		}
		data = kbuffer_read_event(c->kbuf, &ts);
	}
	c->rec.ts = ts;
	c->rec.data = data;
	c->rec.size = kbuffer_event_size(c->kbuf);
	c->has_rec = true;
	return 0;
}

static int open_cpus(struct live_pages *p, struct error *err)
{
	for (unsigned i = 0; i < p->cpus; i++) {
		struct live_cpu_pages *c = &p->cpu[i];

		c->kbuf = kbuffer_alloc(KBUFFER_LSIZE_SAME_AS_HOST, KBUFFER_ENDIAN_SAME_AS_HOST);
		c->page = malloc(p->page_size);
		if (!c->kbuf || !c->page)
			return error_memory(err, "the kernel's trace");
		c->rec.cpu = (int)i;
		if (next_record(p, c, err))
			return -1;
	}
	return 0;
}

/* The CPU whose record is the earliest; of several the first. NULL: there are no more. */
static struct live_cpu_pages *earliest(struct live_pages *p)
{
	struct live_cpu_pages *best = NULL;

	for (unsigned i = 0; i < p->cpus; i++) {
		struct live_cpu_pages *c = &p->cpu[i];

		if (c->has_rec && (!best || c->rec.ts < best->rec.ts))
			best = c;
	}
	return best;
}

int live_pages_resolve(struct live_pages *p, struct tep_handle *tep, struct import *im,
		       struct error *err)
{
	struct tep_kmem *kmem = tep_kmem_new(tep, &im->ctx, err);
	struct live_cpu_pages *c;
	struct record rec;
	int ret = kmem ? open_cpus(p, err) : -1;

	while (!ret && (c = earliest(p))) {
		ret = tep_kmem_decode(kmem, &c->rec, &rec, err);
		if (ret > 0)
			ret = resolver_add(&im->resolver, &rec, err);
		if (!ret)
			ret = next_record(p, c, err);
	}
	tep_kmem_free(kmem);
	return ret;
}
