/*
 * kmem events as the kernel writes them into its buffer, decoded with the event formats that
 * libtraceevent has parsed. Fields are found by name; what a format only tells in its text
 * (gfp_flags, whose bits differ between kernels, and "accounted") is read from the text, once
 * for every value.
 */
#ifndef SLABSIM_TEP_KMEM_H
#define SLABSIM_TEP_KMEM_H

#include <event-parse.h>

#include "workloads/reader.h"

struct tep_kmem;

/* tep and ctx must outlive it. NULL and err when out of memory. */
struct tep_kmem *tep_kmem_new(struct tep_handle *tep, struct reader_ctx *ctx, struct error *err);
void tep_kmem_free(struct tep_kmem *k);

/*
 * 1: an allocation or free, in rec; 0: something else, or nonsense, which ctx's notes count;
 * -1 and err.
 */
int tep_kmem_decode(struct tep_kmem *k, struct tep_record *in, struct record *rec,
		    struct error *err);

#endif
