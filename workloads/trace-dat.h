/*
 * trace.dat, read with libtracecmd. That library trusts its files: a damaged one can crash it or
 * keep it busy for ever. So it works in a process of its own, which sends what it reads through a
 * pipe: frames, each a struct trace_dat_frame and what its type says.
 */
#ifndef SLABSIM_TRACE_DAT_H
#define SLABSIM_TRACE_DAT_H

#include "workloads/reader.h"

enum trace_dat_type {
	TRACE_DAT_STRING = 1, /* its text: the next number of the string table (intern.h) */
	TRACE_DAT_RECORDS,    /* struct record, as many as fit into the frame */
	TRACE_DAT_END,	      /* struct trace_dat_end: that was all */
	TRACE_DAT_ERROR,      /* struct error */
};

struct trace_dat_frame {
	uint32_t type, size;
};

#define TRACE_DAT_RECORDS_MAX 512

struct trace_dat_end {
	uint64_t notes[NR_NOTES];
	struct census census;
	unsigned cpus;
	bool missing_time;
};

#define TRACE_DAT_MAGIC "\x17\x08\x44tracing"

/* What the first bytes tell, and libtracecmd does not. */
struct trace_dat_head {
	char version[16];
	unsigned page_size; /* of the machine it was recorded on; 0: nonsense */
	bool big_endian;
	size_t size; /* of what stands before the page header, or the compression */
};

/* False when it is no trace.dat file. */
bool trace_dat_head(const char *head, size_t len, struct trace_dat_head *h);

/*
 * Do its times count nanoseconds? The clocks "counter", "uptime" and "x86-tsc" do not. fd is read
 * from anywhere.
 */
bool trace_dat_has_times(int fd, const struct trace_dat_head *h);

/*
 * The other process: reads the file at fd and sends it to out. ctx is its copy of the reader's.
 * Never returns.
 */
_Noreturn void trace_dat_serve(int fd, int out, struct reader_ctx *ctx);

#endif
