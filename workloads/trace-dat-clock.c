/*
 * The clock a trace.dat file was recorded with, which libtracecmd does not tell its users. It
 * stands in the file's options (man trace-cmd.dat.v7.5, trace-cmd.dat.v6.5).
 */
#include <unistd.h>

#include "workloads/trace-dat.h"

enum option {
	OPTION_DONE,
	OPTION_BUFFER = 3,
	OPTION_CLOCK = 4,
	OPTION_TSC2NSEC = 14,
};

/* Options before the one that is sought, and sections; no file has so many. */
#define MOST_STEPS 100000

struct cursor {
	int fd;
	uint64_t at;
	bool big_endian, bad;
};

static void get_bytes(struct cursor *c, void *buf, size_t n)
{
	if (c->bad || pread(c->fd, buf, n, (off_t)c->at) != (ssize_t)n) {
		memset(buf, 0, n);
		c->bad = true;
	}
	c->at += n;
}

static uint64_t get_number(struct cursor *c, unsigned size)
{
	uint8_t b[8];
	uint64_t x = 0;

	get_bytes(c, b, size);
	for (unsigned i = 0; i < size; i++)
		x |= (uint64_t)b[i] << 8 * (c->big_endian ? size - 1 - i : i);
	return x;
}

/* The text up to a NUL, what of it fits. */
static void get_string(struct cursor *c, char *buf, size_t size)
{
	size_t n = 0;
	char ch = 1;

	for (unsigned i = 0; ch && !c->bad && i < 4096; i++) {
		get_bytes(c, &ch, 1);
		if (n < size - 1)
			buf[n++] = ch;
	}
	buf[n] = '\0';
}

static void skip_sized(struct cursor *c, unsigned size_bytes)
{
	c->at += get_number(c, size_bytes);
}

/* The word in brackets of "[local] global counter". */
static void get_chosen(struct cursor *c, size_t len, char *buf, size_t size)
{
	char text[512], *open, *close;

	len = len < sizeof(text) - 1 ? len : sizeof(text) - 1;
	get_bytes(c, text, len);
	text[len] = '\0';
	open = strchr(text, '[');
	close = open ? strchr(open, ']') : NULL;
	if (close)
		snprintf(buf, size, "%.*s", (int)(close - open - 1), open + 1);
}

/* Options up to the last, whose value is returned: where the next ones are. */
static uint64_t read_options(struct cursor *c, bool version_6, char *clock, size_t size,
			     bool *converted)
{
	for (unsigned i = 0; i < MOST_STEPS && !c->bad; i++) {
		unsigned id = (unsigned)get_number(c, 2);
		uint64_t len, end;

		if (id == OPTION_DONE && version_6)
			return 0;
		len = get_number(c, 4);
		end = c->at + len;
		if (id == OPTION_DONE)
			return len == 8 ? get_number(c, 8) : 0;
		if (id == OPTION_CLOCK && !*clock) {
			get_chosen(c, len, clock, size);
		} else if (id == OPTION_BUFFER && !version_6) {
			char name[64];

			c->at += 8;
			get_string(c, name, sizeof(name));
			get_string(c, clock, size);
		}
		*converted |= id == OPTION_TSC2NSEC;
		c->at = end;
	}
	return 0;
}

/* Behind the page size: compression, its version, and where the options are. */
static void read_version_7(struct cursor *c, char *clock, size_t size, bool *converted)
{
	char name[64];

	get_string(c, name, sizeof(name));
	get_string(c, name, sizeof(name));
	c->at = get_number(c, 8);
	for (unsigned i = 0; i < MOST_STEPS && c->at && !c->bad; i++) {
		/* The section's own header */
		c->at += 2 + 2 + 4 + 8;
		c->at = read_options(c, false, clock, size, converted);
	}
}

/* Behind the page size: page header, formats, symbols and so on, then the options. */
static void read_version_6(struct cursor *c, char *clock, size_t size, bool *converted)
{
	char name[64];
	uint64_t n, events;

	for (int i = 0; i < 2; i++) {
		get_string(c, name, sizeof(name));
		skip_sized(c, 8);
	}
	n = get_number(c, 4);
	for (uint64_t i = 0; i < n && i < MOST_STEPS && !c->bad; i++)
		skip_sized(c, 8);
	n = get_number(c, 4);
	for (uint64_t i = 0; i < n && i < MOST_STEPS && !c->bad; i++) {
		get_string(c, name, sizeof(name));
		events = get_number(c, 4);
		for (uint64_t e = 0; e < events && e < MOST_STEPS && !c->bad; e++)
			skip_sized(c, 8);
	}
	skip_sized(c, 4);
	skip_sized(c, 4);
	skip_sized(c, 8);
	c->at += 4;
	get_string(c, name, sizeof(name));
	if (!strncmp(name, "options", 7))
		read_options(c, true, clock, size, converted);
}

bool trace_dat_has_times(int fd, const struct trace_dat_head *h)
{
	static const char *const in_ns[] = {"local",	"global", "perf", "mono",
					    "mono_raw", "boot",	  "tai"};
	struct cursor c = {.fd = fd, .at = h->size, .big_endian = h->big_endian};
	bool converted = false;
	char clock[32] = "";

	if (!strcmp(h->version, "7"))
		read_version_7(&c, clock, sizeof(clock), &converted);
	else if (!strcmp(h->version, "6"))
		read_version_6(&c, clock, sizeof(clock), &converted);
	/* Nothing is said of it: the default. */
	if (!*clock || converted)
		return true;
	for (size_t i = 0; i < sizeof(in_ns) / sizeof(in_ns[0]); i++)
		if (!strcmp(clock, in_ns[i]))
			return true;
	return false;
}
