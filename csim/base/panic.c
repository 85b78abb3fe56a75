#include "base/panic.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

_Noreturn void panic(const char *component, uint64_t cycle, const char *what, ...)
{
	va_list ap;

	fprintf(stderr, "locus: internal error in %s at cycle %" PRIu64 ": ", component, cycle);
	va_start(ap, what);
	vfprintf(stderr, what, ap);
	va_end(ap);
	fputc('\n', stderr);
	abort();
}
