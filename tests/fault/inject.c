/*
 * Preloaded into slabsim, makes system calls and allocations fail: SLABSIM_FAULT=WHAT:N says which
 * and from which on.
 *
 *   write    the N-th write to a file and all later ones: first a short one, then ENOSPC
 *   fsync    ENOSPC, too, as a full disk may tell only then
 *   rename   EIO
 *   open     ENFILE, for files opened for writing
 *   malloc   the N-th allocation, and only that
 *   count    nothing; how many allocations there were is written to the file SLABSIM_FAULT_COUNT
 *
 * What a stream writes does not pass through write() but inside the C library, so streams that
 * write are given a write function of their own (fopencookie).
 */
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

/* Used by the C library itself, hence not to be found with dlsym() in time. */
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t n, size_t size);
extern void *__libc_realloc(void *p, size_t size);

static enum fault { NOTHING, WRITE, FSYNC, RENAME, OPEN, MALLOC, COUNT } wanted;
static long left;
static long allocations;
static bool ready;

/* The streams that write, for fileno(). */
static struct {
	FILE *stream;
	int fd;
} streams[64];

static bool fails(enum fault what)
{
	if (!ready || what != wanted)
		return false;
	if (left > 0)
		left--;
	return left == 0;
}

static bool allocation_fails(void)
{
	allocations++;
	if (!fails(MALLOC))
		return false;
	wanted = NOTHING;
	errno = ENOMEM;
	return true;
}

void *malloc(size_t size)
{
	return allocation_fails() ? NULL : __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	return allocation_fails() ? NULL : __libc_calloc(n, size);
}

void *realloc(void *p, size_t size)
{
	return allocation_fails() ? NULL : __libc_realloc(p, size);
}

ssize_t write(int fd, const void *data, size_t n)
{
	bool was_left = left > 0;

	if (fd > 2 && fails(WRITE)) {
		/* Half of it fits, and then no more. */
		if (was_left && n > 1)
			return NEXT(write)(fd, data, n / 2);
		errno = ENOSPC;
		return -1;
	}
	return NEXT(write)(fd, data, n);
}

int fsync(int fd)
{
	if (fails(FSYNC)) {
		errno = ENOSPC;
		return -1;
	}
	return NEXT(fsync)(fd);
}

int fdatasync(int fd)
{
	if (fails(FSYNC)) {
		errno = ENOSPC;
		return -1;
	}
	return NEXT(fdatasync)(fd);
}

int rename(const char *from, const char *to)
{
	if (fails(RENAME)) {
		errno = EIO;
		return -1;
	}
	return NEXT(rename)(from, to);
}

int open(const char *path, int flags, ...)
{
	mode_t mode = 0;
	va_list args;

	va_start(args, flags);
	if (flags & (O_CREAT | O_TMPFILE))
		mode = va_arg(args, mode_t);
	va_end(args);
	if ((flags & O_ACCMODE) != O_RDONLY && fails(OPEN)) {
		errno = ENFILE;
		return -1;
	}
	return NEXT(open)(path, flags, mode);
}

static ssize_t cookie_write(void *cookie, const char *data, size_t n)
{
	size_t done = 0;

	/* As the C library does it: what did not go at once is tried again. */
	while (done < n) {
		ssize_t ret = write((int)(long)cookie, data + done, n - done);

		if (ret < 0)
			return 0;
		done += (size_t)ret;
	}
	return (ssize_t)done;
}

static int cookie_close(void *cookie)
{
	int fd = (int)(long)cookie;

	for (size_t i = 0; i < sizeof(streams) / sizeof(streams[0]); i++)
		if (streams[i].stream && streams[i].fd == fd)
			streams[i].stream = NULL;
	return close(fd);
}

FILE *fdopen(int fd, const char *mode)
{
	cookie_io_functions_t io = {.write = cookie_write, .close = cookie_close};
	FILE *stream;

	if (wanted != WRITE || mode[0] != 'w')
		return NEXT(fdopen)(fd, mode);
	stream = fopencookie((void *)(long)fd, "w", io);
	for (size_t i = 0; stream && i < sizeof(streams) / sizeof(streams[0]); i++) {
		if (!streams[i].stream) {
			streams[i].stream = stream;
			streams[i].fd = fd;
			break;
		}
	}
	return stream;
}

FILE *fopen(const char *path, const char *mode)
{
	int fd;

	if (wanted != WRITE || mode[0] != 'w')
		return NEXT(fopen)(path, mode);
	fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
	return fd < 0 ? NULL : fdopen(fd, "w");
}

int fileno(FILE *stream)
{
	for (size_t i = 0; i < sizeof(streams) / sizeof(streams[0]); i++)
		if (streams[i].stream == stream)
			return streams[i].fd;
	return NEXT(fileno)(stream);
}

/* What comes behind it is not the program's own. A coverage build calls it before _exit(), too. */
void fault_end(void)
{
	const char *file = getenv("SLABSIM_FAULT_COUNT");
	FILE *out;

	if (!ready)
		return;
	ready = false;
	out = wanted == COUNT && file ? NEXT(fopen)(file, "w") : NULL;
	if (out) {
		fprintf(out, "%ld\n", allocations);
		fclose(out);
	}
}

static void __attribute__((constructor)) begin(void)
{
	static const char *const names[] = {"",	    "write",  "fsync", "rename",
					    "open", "malloc", "count"};
	const char *fault = getenv("SLABSIM_FAULT");
	const char *colon = fault ? strchr(fault, ':') : NULL;

	/* gnuplot and other children are left alone. */
	if (!colon || strcmp(program_invocation_short_name, "slabsim"))
		return;
	for (size_t i = 1; i < sizeof(names) / sizeof(names[0]); i++)
		if (strlen(names[i]) == (size_t)(colon - fault) &&
		    !strncmp(names[i], fault, (size_t)(colon - fault)))
			wanted = (enum fault)i;
	left = strtol(colon + 1, NULL, 10);
	allocations = 0;
	ready = true;
}

/* The end is that of main(), and exit(): handlers and destructors come later, also gcov's. */
static int (*program)(int argc, char **argv, char **env);

static int run(int argc, char **argv, char **env)
{
	int status = program(argc, argv, env);

	fault_end();
	return status;
}

int __libc_start_main(int (*main)(int, char **, char **), int argc, char **argv, void (*init)(void),
		      void (*fini)(void), void (*rtld_fini)(void), void *stack_end)
{
	program = main;
	return ((__typeof__(&__libc_start_main))dlsym(RTLD_NEXT, "__libc_start_main"))(
	    run, argc, argv, init, fini, rtld_fini, stack_end);
}

void exit(int status)
{
	fault_end();
	NEXT(exit)(status);
	abort();
}
