#include "session/dump_files.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "process/output.h"

static void *dump_open(const char *path, FILE **f, struct err *e)
{
	struct output *o = xcalloc(1, sizeof *o);

	if (output_open_beneath(o, path, e)) {
		free(o);
		return NULL;
	}
	*f = o->f;
	return o;
}

static int dump_keep(void *file, struct err *e)
{
	int rc = output_keep(file, e);

	free(file);
	return rc;
}

static void dump_drop(void *file)
{
	output_drop(file);
	free(file);
}

const struct host_files dump_files = {dump_open, dump_keep, dump_drop};
