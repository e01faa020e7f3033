/*
 * What goes through a group's pipe, from many processes at once: chunks of at most PIPE_BUF
 * bytes, which the kernel does not let mix (pipe(7)).
 */
#ifndef SLABSIM_WORKER_WIRE_H
#define SLABSIM_WORKER_WIRE_H

#include <limits.h>

#include "sim/sweep/worker.h"

/* A chunk of a text that goes on: not one of the messages. */
#define WIRE_PART 100

struct wire_head {
	uint64_t run;
	uint32_t worker;
	int32_t status;
	uint16_t kind; /* enum worker_message, or WIRE_PART */
	uint16_t len;  /* of what follows */
	uint32_t is_input;
};

#define WIRE_DATA (PIPE_BUF - sizeof(struct wire_head))

/* To the reader: fork this worker, or end. */
#define WIRE_FINISH UINT32_MAX

/* The reader process, from fork() on; never returns. */
void worker_reader(const struct worker_job *job, atomic_uint_fast64_t *next, pid_t parent, int out,
		   int orders) __attribute__((noreturn));

#endif
