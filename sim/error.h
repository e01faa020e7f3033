/*
 * Errors are returned, never printed and never fatal: a function that can fail takes a
 * struct error, fills it, and returns -1 (or NULL). Only the commands print.
 */
#ifndef SLABSIM_ERROR_H
#define SLABSIM_ERROR_H

#include <stdarg.h>

/* What the program exits with. */
enum error_kind {
	ERROR_NONE = 0,
	ERROR_FAILED = 1, /* the system refused: memory, disk, permission; or a broken identity */
	ERROR_INPUT = 2,  /* wrong usage or wrong input: the user can put it right */
};

struct error {
	enum error_kind kind;
	char text[1024];
};

/*
 * Fill err with a message (a sentence without a final newline, naming the place, what is wrong
 * and what would be right). A second message does not replace the first. Always returns -1.
 */
int error_input(struct error *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
int error_failed(struct error *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/*
 * "PATH: WHY" by errno, of a file that cannot be opened: a wrong name or permission is the user's
 * to put right; memory, descriptors and a broken disk are not. Returns -1.
 */
int error_open(struct error *err, const char *path);
/* "out of memory for WHAT"; returns -1. */
int error_memory(struct error *err, const char *what);
/* Put "WHERE: " before the message already in err; returns -1. */
int error_prefix(struct error *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* A static analyzer sees one file at a time, and has to be told that these return -1. */
#if defined(__clang_analyzer__) && !defined(SLABSIM_ERROR_C)
#define error_input(...)  (error_input(__VA_ARGS__), -1)
#define error_failed(...) (error_failed(__VA_ARGS__), -1)
#define error_open(...)	  (error_open(__VA_ARGS__), -1)
#define error_memory(...) (error_memory(__VA_ARGS__), -1)
#define error_prefix(...) (error_prefix(__VA_ARGS__), -1)
#endif

#endif
