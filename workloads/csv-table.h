/*
 * What rows of a CSV file cannot tell, in comment lines above its header:
 *
 *   #slabsim machine cpus=8 nodes=2 page_size=4096
 *   #slabsim cache object_size=208 size=256 name=skbuff_head_cache
 *
 * One line per cache, in the caches' order. What is not known is 0: nodes and sizes, not the
 * others. The name may be empty, without sizes: that is the cache of rows that name none.
 */
#ifndef SLABSIM_CSV_TABLE_H
#define SLABSIM_CSV_TABLE_H

#include <stdio.h>

#include "workloads/reader.h"
#include "workloads/stream.h"

#define CSV_TABLE	   "#slabsim"
#define CSV_CACHE_NAME_MAX 128 /* bytes */

/* The name with what would break a row replaced. */
void csv_put_name(FILE *out, const char *name);
/* The lines that tell of the stream's machine and caches. */
void csv_put_table(FILE *out, const struct stream *st);
/* Is it such a line? */
bool csv_is_table(const struct line *line);
/* Take it into ctx. 0, or -1 and err. */
int csv_read_table(struct reader_ctx *ctx, const struct line *line, struct error *err);
/* Does the machine that was told have the row's CPU and node? 0, or -1 and err. */
int csv_check_row(const struct reader_ctx *ctx, const struct record *rec, const struct line *line,
		  struct error *err);

#endif
