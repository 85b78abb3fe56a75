#include "base/alloc.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void out_of_memory(void)
{
	fputs("locus: out of memory\n", stderr);
	exit(2);
}

void *xmalloc(size_t bytes)
{
	void *p = malloc(bytes ? bytes : 1);

	if (!p)
		out_of_memory();
	return p;
}

void *xcalloc(size_t count, size_t size)
{
	void *p = calloc(count ? count : 1, size ? size : 1);

	if (!p)
		out_of_memory();
	return p;
}

void *xrealloc(void *p, size_t bytes)
{
	p = realloc(p, bytes ? bytes : 1);
	if (!p)
		out_of_memory();
	return p;
}

void *xgrow(void *list, size_t n, size_t item_bytes)
{
	return n & (n - 1) ? list : xrealloc(list, (n ? 2 * n : 1) * item_bytes);
}

char *xstrdup(const char *s)
{
	size_t n = strlen(s) + 1;

	return memcpy(xmalloc(n), s, n);
}
