#include "process/output.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/arena.h"

int output_open(struct output *o, const char *path, struct err *e)
{
	struct stat st;

	*o = (struct output){.path = path};
	if (!path)
		return 0;
	if (stat(path, &st) != 0 || S_ISREG(st.st_mode)) {
		size_t n = strlen(path);

		o->partial = xmalloc(n + sizeof ".partial");
		memcpy(o->partial, path, n);
		memcpy(o->partial + n, ".partial", sizeof ".partial");
	}
	o->f = *path ? fopen(o->partial ? o->partial : path, "w") : NULL;
	if (o->f)
		return 0;
	err_set(e, "%s: cannot write: %s", *path ? path : "\"\"", strerror(*path ? errno : ENOENT));
	free(o->partial);
	o->partial = NULL;
	return -1;
}

int output_keep(struct output *o, struct err *e)
{
	FILE *f = o->f;
	int failed;

	if (!f)
		return 0;
	o->f = NULL;
	errno = 0;
	failed = ferror(f);
	failed = fclose(f) || failed;
	if (!failed && o->partial)
		failed = rename(o->partial, o->path);
	if (failed) {
		err_set(e, "%s: cannot write: %s", o->path, strerror(errno ? errno : EIO));
		if (o->partial)
			unlink(o->partial);
	}
	free(o->partial);
	o->partial = NULL;
	return failed ? -1 : 0;
}

void output_drop(struct output *o)
{
	if (!o->f)
		return;
	fclose(o->f);
	if (o->partial)
		unlink(o->partial);
	free(o->partial);
	*o = (struct output){0};
}
