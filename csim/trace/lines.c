#include "trace/lines.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"

struct trace_lines *trace_lines_new(uint32_t n, uint32_t n_files)
{
	struct trace_lines *l = xcalloc(1, sizeof *l + (size_t)n * sizeof l->at[0]);

	l->file = xcalloc((size_t)n_files + 1, sizeof *l->file);
	l->n_files = n_files;
	return l;
}

struct trace_lines *trace_lines_copy(const struct trace_lines *l, uint32_t n)
{
	struct trace_lines *copy;
	uint32_t *number, files = 0; /* number: in the copy, of a file in l plus 1 */

	if (!l)
		return NULL;
	number = xcalloc((size_t)l->n_files + 1, sizeof *number);
	for (uint32_t i = 0; i < n; i++)
		number[l->at[i].file] = 1;
	number[0] = 0;
	for (uint32_t i = 1; i <= l->n_files; i++)
		if (number[i])
			number[i] = ++files;
	copy = trace_lines_new(n, files);
	copy->is_sass = l->is_sass;
	copy->ptx = l->ptx ? xstrdup(l->ptx) : NULL;
	for (uint32_t i = 1; i <= l->n_files; i++)
		if (number[i])
			copy->file[number[i] - 1] = xstrdup(l->file[i - 1]);
	memcpy(copy->at, l->at, n * sizeof l->at[0]);
	for (uint32_t i = 0; i < n; i++)
		copy->at[i].file = number[l->at[i].file];
	free(number);
	return copy;
}

void trace_lines_free(struct trace_lines *l)
{
	if (!l)
		return;
	for (uint32_t i = 0; i < l->n_files; i++)
		free(l->file[i]);
	free(l->file);
	free(l->ptx);
	free(l);
}

bool trace_lines_has_source(const struct trace_lines *l, uint32_t n)
{
	for (uint32_t i = 0; l && i < n; i++)
		if (l->at[i].line)
			return true;
	return false;
}
