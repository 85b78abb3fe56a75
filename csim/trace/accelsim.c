/* A kernelslist.g, or a .traceg on its own, as a trace. */
#include "trace/accelsim.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "trace/accelsim_impl.h"

enum { GAP = 64 << 10 }; /* touched bytes nearer than this belong to one buffer */

struct list { /* what a kernelslist.g asks for */
	char **file;
	uint32_t n, cap;
	struct ranges copied;
};

static bool ends_in(const char *s, const char *suffix)
{
	size_t n = strlen(s), m = strlen(suffix);

	return n >= m && !strcmp(s + n - m, suffix);
}

bool accelsim_is_list(const char *path)
{
	return ends_in(path, ".g") && !ends_in(path, ".traceg");
}

bool accelsim_is_name(const char *path)
{
	return accelsim_is_list(path) || ends_in(path, ".traceg") || ends_in(path, ".traceg.xz");
}

static int list_memcpy(struct list *l, struct text *t, struct err *e)
{
	char *at = t->buf, *addr, *bytes;
	uint64_t base, n;

	strsep(&at, ",");
	addr = strsep(&at, ",");
	bytes = strsep(&at, ",");
	if (!addr || !bytes || at || !text_number(addr, 16, UINT64_MAX >> 8, &base) || !text_number(bytes, 10, UINT64_MAX >> 8, &n))
		return text_error(t, e, "a copy must be MemcpyHtoD,ADDRESS,BYTES, the address hexadecimal");
	if (n)
		ranges_add(&l->copied, base, base + n);
	return 0;
}

static int list_line(struct list *l, struct text *t, struct err *e)
{
	const char *slash = strrchr(t->path, '/'), *name = t->buf;
	size_t folder = slash ? (size_t)(slash - t->path) + 1 : 0, size;

	if (!*name || *name == '#')
		return 0;
	if (!strncmp(name, "MemcpyHtoD", 10))
		return list_memcpy(l, t, e);
	if (!strncmp(name, "Memcpy", 6)) /* back to the host program: nothing for the device */
		return 0;
	if (strncmp(name, "kernel", 6) || (!ends_in(name, ".traceg") && !ends_in(name, ".traceg.xz")))
		return text_error(t, e, "\"%.80s\": neither a kernel's .traceg or .traceg.xz nor a Memcpy line", name);
	if (l->n == l->cap) {
		l->cap = l->cap ? 2 * l->cap : 16;
		l->file = xrealloc(l->file, l->cap * sizeof *l->file);
	}
	size = folder + strlen(name) + 1;
	l->file[l->n] = xmalloc(size);
	snprintf(l->file[l->n++], size, "%.*s%s", (int)folder, t->path, name);
	return 0;
}

static int read_list(struct list *l, const char *path, uint64_t max_unpacked, struct err *e)
{
	struct text *t = xcalloc(1, sizeof *t);
	int rc = text_open(t, path, max_unpacked, e);

	while (!rc) {
		int got = text_line(t, e);

		if (got <= 0) {
			rc = got;
			break;
		}
		rc = list_line(l, t, e);
	}
	if (!rc && !l->n)
		rc = err_set(e, "%s: contains no kernel", path);
	text_close(t);
	free(t);
	return rc;
}

static int import_files(const struct list *l, const char *path, struct import *im, struct err *e)
{
	if (!l->n)
		return kernel_import(im, path, e);
	for (uint32_t i = 0; i < l->n; i++)
		if (kernel_import(im, l->file[i], e))
			return -1;
	return 0;
}

static void warn_of_kept(const struct import *im, const char *path)
{
	struct err line = {""};

	if (!im->kept)
		return;
	err_set(&line,
		"%s: %" PRIu64 " recorded iterations of %" PRIu64
		" polling loops are kept: no other warp, or more than one, modifies what they read",
		path, im->kept, im->kept_loops);
	fprintf(stderr, "%s\n", utf8_clean(line.text));
}

int accelsim_import(const char *path, const struct accelsim_options *o, struct trace_writer *w, uint64_t *warp_insts, struct err *e)
{
	struct import im = {.w = w, .max_unpacked = o->max_unpacked, .touched = {.gap = GAP}};
	struct list l = {0};
	struct opcodes *ops = opcodes_new(o, e);
	int rc = -1;

	if (!ops)
		return -1;
	im.ops = ops;
	trace_set_const_base(w, ACCELSIM_CONST_BASE);
	if ((!accelsim_is_list(path) || !read_list(&l, path, o->max_unpacked, e)) && !import_files(&l, path, &im, e)) {
		l.copied.n = o->memcpy ? l.copied.n : 0;
		rc = ranges_to_buffers(&im.touched, &l.copied, w, e);
	}
	if (!rc)
		warn_of_kept(&im, path);
	*warp_insts = im.warp_insts;
	for (uint32_t i = 0; i < l.n; i++)
		free(l.file[i]);
	free(l.file);
	free(l.copied.r);
	free(im.touched.r);
	opcodes_free(ops);
	return rc;
}
