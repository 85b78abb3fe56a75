#include "support/sass.h"

#include <stdio.h>
#include <stdlib.h>

#include "support/program.h"

const char *sass_write(const char *name, const char *text)
{
	static char path[256];
	FILE *f;

	snprintf(path, sizeof path, "%s/%s", program_tmp(), name);
	f = fopen(path, "w");
	if (!f || fputs(text, f) < 0 || fclose(f))
		abort();
	return path;
}

struct trace *sass_import(const char *path, const struct accelsim_options *o, struct err *e)
{
	const struct accelsim_options none = {0};
	const struct trace_options to = {.name = "t"};
	struct trace_writer *w = trace_writer_new(&to, e);
	uint64_t n;

	if (!w)
		return NULL;
	if (!accelsim_import(path, o ? o : &none, w, &n, e))
		return trace_writer_finish(w, e);
	trace_writer_drop(w);
	return NULL;
}
