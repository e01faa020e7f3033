#define SLABSIM_ERROR_C
#include <errno.h>

#include "sim/error.h"

static int set(struct error *err, enum error_kind kind, const char *fmt, va_list ap)
{
	if (err->kind != ERROR_NONE)
		return -1;
	err->kind = kind;
	vsnprintf(err->text, sizeof(err->text), fmt, ap);
	return -1;
}

int error_input(struct error *err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set(err, ERROR_INPUT, fmt, ap);
	va_end(ap);
	return -1;
}

int error_failed(struct error *err, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	set(err, ERROR_FAILED, fmt, ap);
	va_end(ap);
	return -1;
}

int error_open(struct error *err, const char *path)
{
	switch (errno) {
	case ENOMEM:
	case EMFILE:
	case ENFILE:
	case EIO:
	case EINTR:
		return error_failed(err, "%s: %s", path, strerror(errno));
	default:
		return error_input(err, "%s: %s", path, strerror(errno));
	}
}

int error_memory(struct error *err, const char *what)
{
	return error_failed(err, "out of memory for %s", what);
}

int error_prefix(struct error *err, const char *fmt, ...)
{
	char where[512], text[sizeof(err->text)];
	va_list ap;

	va_start(ap, fmt);
	vsnprintf(where, sizeof(where), fmt, ap);
	va_end(ap);
	memcpy(text, err->text, sizeof(text));
	snprintf(err->text, sizeof(err->text), "%s: %.*s", where,
		 (int)(sizeof(text) - sizeof(where) - 4), text);
	return -1;
}
