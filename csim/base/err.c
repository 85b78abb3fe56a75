#include "base/err.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int err_vset(struct err *e, const char *fmt, va_list ap)
{
	char *all = NULL;
	size_t n;

	if (!e || e->text[0])
		return -1;
	if (vasprintf(&all, fmt, ap) < 0)
		all = NULL;
	n = all ? strlen(all) : 0;
	if (n < sizeof e->text)
		snprintf(e->text, sizeof e->text, "%s", all ? all : "not enough memory");
	else /* something very long was quoted: what is wrong with it may be behind it */
		snprintf(e->text, sizeof e->text, "%.400s ... %s", all, all + n - 400);
	free(all);
	return -1;
}

int err_set(struct err *e, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	err_vset(e, fmt, ap);
	va_end(ap);
	return -1;
}

int err_prefix(struct err *e, const char *fmt, ...)
{
	char old[sizeof e->text];
	va_list ap;
	size_t n;

	if (!e)
		return -1;
	memcpy(old, e->text, sizeof old);
	va_start(ap, fmt);
	vsnprintf(e->text, sizeof e->text, fmt, ap);
	va_end(ap);
	n = strlen(e->text);
	snprintf(e->text + n, sizeof e->text - n, ": %s", old);
	return -1;
}
