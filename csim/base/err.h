/* One error message, handed up to whoever can print it.
 *
 * A function that can fail because of something the user gave takes a `struct err *` last, fills it with one line
 * that names file, line and key where there are such, and returns -1 (or NULL). The command line prints the line
 * and exits with status 2. Broken invariants of our own do not go this way: see base/panic.h.
 */
#ifndef CSIM_BASE_ERR_H
#define CSIM_BASE_ERR_H

#include <stdarg.h>

struct err {
	char text[1024]; /* empty: no error; never ends in a newline */
};

/* Fills e (unless it already holds an earlier error: the first cause is kept); of a very long text, the begin and the
 * end. Always returns -1. e may be NULL. */
int err_set(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

int err_vset(struct err *e, const char *fmt, va_list ap);

/* Puts "prefix: " before the message that e holds, as a caller that knows the file's name does. Always returns -1. */
int err_prefix(struct err *e, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

#endif
