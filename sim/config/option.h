/*
 * Options: one table row says all there is to say about a key of a config. Parsing, range
 * checks, defaults, suggestions, the effective configuration and the printed documentation
 * are driven by it.
 */
#ifndef SLABSIM_OPTION_H
#define SLABSIM_OPTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sim/error.h"

struct cJSON;
struct option_reader;

enum option_type {
	OPT_UNSIGNED,	 /* unsigned */
	OPT_INT,	 /* int */
	OPT_INT64,	 /* int64_t */
	OPT_UINT64,	 /* uint64_t */
	OPT_BOOL,	 /* bool */
	OPT_CHOICE,	 /* int: the index among allowed */
	OPT_INT_OR_WORD, /* int; the one word allowed stands for max + 1 */
	OPT_STRING,	 /* char * */
	OPT_PATH,	 /* char *, resolved against the config */
	OPT_STRINGS,	 /* char **, and an unsigned count at offset2 */
	OPT_OWN,	 /* read() and write() of the row */
	OPT_LATER,	 /* looked at after all others; only write() of the row */
};

struct config_option {
	const char *path; /* "machine.cpus"; "caches[].size" */
	enum option_type type;
	size_t offset, offset2; /* in the struct the rows of its section fill */
	int64_t def;		/* numbers, bools and choices */
	const char *text;	/* default of a string */
	/* Not NULL: the default means "not given", and this is what holds then. */
	const char *absent;
	int64_t min, max;
	bool not_written;	    /* is not part of what is in force */
	bool power_of_two;	    /* or 0, where min allows that */
	const char *const *allowed; /* the words, NULL behind the last */
	const char *wants; /* for messages and documentation, where the type does not say */
	const char *help;  /* NULL on the rows of policy axes: the axis's own */
	int (*read)(struct option_reader *r, const struct config_option *opt, const char *path,
		    const struct cJSON *value, void *base);
	/* The value in force, NULL for null or, with err set, a failure; given: as written, or
	 * NULL. */
	struct cJSON *(*write)(const struct config_option *opt, const struct cJSON *given,
			       const void *base, struct error *err);
};

struct option_reader {
	const struct config_option *table;
	size_t nr_options;
	const char *file;      /* for messages and OPT_PATH; NULL: none */
	char *const *settings; /* --set arguments: messages about what they set name them */
	unsigned nr_settings;
	struct error *err;
};

/* The largest whole number that JSON numbers hold exactly. */
#define OPTION_MAX_NUMBER INT64_C(9007199254740991)

/* "FILE: PATH: message", or "--set PATH=VALUE: message"; an input error. Returns -1. */
int option_error(const struct option_reader *r, const char *path, const char *fmt, ...)
    __attribute__((format(printf, 3, 4)));
/* "...: WANTED is wanted, not VALUE"; returns -1. */
int option_type_error(const struct option_reader *r, const char *path, const char *wanted,
		      const struct cJSON *value);
/* value as a whole number from min to max. 0, or -1 and err. */
int option_number(const struct option_reader *r, const char *path, const struct cJSON *value,
		  int64_t min, int64_t max, int64_t *number);
/* What values the option takes, e.g. "whole number, 1 to 4096". Returns buf. */
const char *option_wants(const struct config_option *opt, char *buf, size_t size);
const char *option_help(const struct config_option *opt);
/* Its default, e.g. "4096" or "none: as the trace says". Returns buf. */
const char *option_default(const struct config_option *opt, char *buf, size_t size);

/* The row of path, its first len bytes, whatever the indices in it; NULL: there is none. */
const struct config_option *option_find(const struct config_option *table, size_t n,
					const char *path, size_t len);
/* The part of the row's path behind prefix; NULL: it is not under it, or in an array below it. */
const char *option_under(const struct config_option *opt, const char *prefix);

/*
 * Put the defaults of the rows that begin with prefix ("", "caches[].") into base. The rows of
 * an array's entries have a base of their own: prefix "" leaves them out.
 */
int options_set_defaults(const struct option_reader *r, const char *prefix, void *base);
/*
 * Read an object. prefix is what its keys begin with in the table, shown is that with the
 * array's indices ("caches[2]."), for messages. A key whose value is null counts as not given.
 */
int options_read(struct option_reader *r, const char *prefix, const char *shown,
		 const struct cJSON *object, void *base);
/*
 * Add to into all options under prefix as they are in force. given is the object they were read
 * from. What is not given becomes null, or nothing when skip_absent.
 */
int options_write(const struct option_reader *r, const char *prefix, const struct cJSON *given,
		  const void *base, bool skip_absent, struct cJSON *into);
/* Free the strings under prefix. */
void options_free(const struct config_option *table, size_t n, const char *prefix, void *base);

#endif
