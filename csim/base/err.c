#include "base/err.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int err_set(struct err *e, const char *fmt, ...)
{
	va_list ap;

	if (!e || e->text[0])
		return -1;
	va_start(ap, fmt);
	if (vsnprintf(e->text, sizeof e->text, fmt, ap) >= (int)sizeof e->text)
		strcpy(e->text + sizeof e->text - sizeof "...", "...");
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
