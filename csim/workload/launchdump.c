/* Dumps: buffers of a launch file that go into files after the launches, as their bytes, as text or as a NumPy array
 * (NPY format 1.0: a header that says type and shape, then the elements).
 *
 * A launch file may come from anywhere, so what it writes stays below the folder that the program was started in, and
 * out of hidden files and folders.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "workload/launchfile_impl.h"

static const char *const formats[] = {"binary", "text", "npy", NULL};
enum format { BINARY, TEXT, NPY };

struct lf_dump {
	struct fy_node *at;
	const char *what, *path; /* what: "dump.x" */
	uint64_t size;		 /* of the buffer */
	const uint8_t *bytes;
	struct element type;
	enum format format;
	void *file; /* of host_files; NULL: not open */
	FILE *f;
};

enum { FILE_, FORMAT, TYPE, N_KEYS };
const struct launchfile_key lf_dump_keys[] = {
	{"file", 1, "path of the file that is written, below the folder in which the program was started"},
	{"format", 0,
	 "binary (bytes), text (an element per line, with as many digits as bring it back) or npy (a NumPy array of "
	 "one dimension); default: by the ending of the file, .bin, .txt or .npy"},
	{"type", 0, "text and npy: type of the elements (default: that of the buffer, if it has one)"},
	{0}};

/* No part of it leads out of the folder or into what is hidden: "..", ".ssh", and the empty part ahead of the first
 * slash. */
static bool stays_below(const char *path)
{
	for (const char *part = path;; part += strcspn(part, "/") + 1) {
		size_t n = strcspn(part, "/");

		if (n == 0 || *part == '.')
			return false;
		if (!part[n])
			return true;
	}
}

static int read_path(struct lf *f, struct fy_node *at, struct lf_dump *d)
{
	int had;

	d->path = yaml_text(at);
	if (!stays_below(d->path))
		return yaml_error(
			f->y, at, f->e,
			"%s.file: \"%s\" is not a path below the current folder (no part may be empty or begin with a dot)",
			d->what, d->path);
	had = names_find(&f->dumps, d->path);
	return had < 0 ? 0 : yaml_error(f->y, at, f->e, "%s.file: %s goes there already", d->what, f->dump[had].what);
}

static int read_format(struct lf *f, struct fy_node *at, struct fy_node *file, struct lf_dump *d)
{
	static const struct {
		const char *ending;
		enum format format;
	} known[] = {{".bin", BINARY}, {".txt", TEXT}, {".npy", NPY}};
	const char *dot = strrchr(d->path, '.');
	int n;

	if (at) {
		n = lf_word(f, at, lf_path(f, d->what, "format"), formats);
		d->format = (enum format)n;
		return n < 0 ? -1 : 0;
	}
	for (unsigned i = 0; dot && i < sizeof known / sizeof *known; i++) {
		d->format = known[i].format;
		if (!strcmp(dot, known[i].ending))
			return 0;
	}
	return yaml_error(f->y, file, f->e, "%s.file: does not end in .bin, .txt or .npy: needs the key \"format\"", d->what);
}

static int read_type(struct lf *f, struct fy_node *at, struct lf_dump *d)
{
	if (at && d->format == BINARY)
		return yaml_error(f->y, at, f->e, "%s.type: has no meaning with format: binary", d->what);
	if (at && lf_type(f, at, lf_path(f, d->what, "type"), &d->type))
		return -1;
	if (d->format == BINARY)
		return 0;
	if (!d->type.kind)
		return yaml_error(f->y, d->at, f->e, "%s.type: is missing (" ELEMENT_TYPES ")", d->what);
	if (d->size % d->type.bytes)
		return yaml_error(f->y, at ? at : d->at, f->e,
				  "%s.type: the buffer's %" PRIu64 " bytes are not a whole number of %c%u", d->what, d->size,
				  d->type.kind, 8 * d->type.bytes);
	return 0;
}

static int add(struct lf *f, struct fy_node *at, const char *name, struct fy_node *map)
{
	const struct memory_buffer *b = lf_buffer_named(f, at, "dump", name);
	struct lf_dump d = {.at = at, .what = lf_path(f, "dump", name), .type = lf_type_of(f, name)};
	struct fy_node *key[N_KEYS];
	struct err why = {""};

	if (!b)
		return -1;
	d.size = b->size;
	d.bytes = b->bytes;
	if (lf_fields(f, map, d.what, lf_dump_keys, key) || read_path(f, key[FILE_], &d) ||
	    read_format(f, key[FORMAT], key[FILE_], &d) || read_type(f, key[TYPE], &d))
		return -1;
	if (f->h->files && !(d.file = f->h->files->open(d.path, &d.f, &why)))
		return yaml_error(f->y, key[FILE_], f->e, "%s.file: %s", d.what, why.text);
	f->dump = xgrow(f->dump, f->n_dumps, sizeof *f->dump);
	names_add(&f->dumps, d.path, f->n_dumps);
	f->dump[f->n_dumps++] = d;
	return 0;
}

int lf_dumps(struct lf *f, struct fy_node *map)
{
	struct fy_node *key_node, *value;
	const char *name;
	void *iter = NULL;

	if (!yaml_is_map(map))
		return yaml_error(f->y, map, f->e, "dump: must be a mapping of buffers");
	while (yaml_next_pair(map, &iter, &name, &key_node, &value))
		if (add(f, key_node, name, value))
			return -1;
	return f->n_dumps ? 0 : yaml_error(f->y, map, f->e, "dump: is empty");
}

/* ---- the formats ---- */

static void write_text(const struct lf_dump *d)
{
	char text[ELEMENT_TEXT];

	for (uint64_t at = 0; at < d->size && !ferror(d->f); at += d->type.bytes)
		fprintf(d->f, "%s\n", element_text(d->type, d->bytes + at, text));
}

/* NPY format 1.0 (numpy.lib.format): magic, version, length of the header in two bytes, the header: padded with spaces
 * so that the elements begin at a multiple of 64 bytes, and ended by a newline. */
static void write_npy_header(const struct lf_dump *d)
{
	char header[128];
	int n = snprintf(header, sizeof header, "{'descr': '%c%c%u', 'fortran_order': False, 'shape': (%" PRIu64 ",), }",
			 d->type.bytes == 1 ? '|' : '<', d->type.kind == 's' ? 'i' : d->type.kind, d->type.bytes,
			 d->size / d->type.bytes);
	int length = 128 - 10;

	fwrite("\x93NUMPY\1", 1, 7, d->f);
	fputc(0, d->f);
	fputc(length, d->f);
	fputc(0, d->f);
	fprintf(d->f, "%s%*s\n", header, length - 1 - n, "");
}

static void write_buffer(const struct lf_dump *d)
{
	if (d->format == TEXT) {
		write_text(d);
		return;
	}
	if (d->format == NPY)
		write_npy_header(d);
	fwrite(d->bytes, 1, d->size, d->f);
}

int lf_dumps_write(struct lf *f)
{
	for (unsigned i = 0; i < f->n_dumps; i++) {
		struct lf_dump *d = &f->dump[i];
		void *file = d->file;
		struct err why = {""};

		if (!file)
			continue;
		write_buffer(d);
		d->file = NULL;
		if (f->h->files->keep(file, &why))
			return yaml_error(f->y, d->at, f->e, "%s.file: %s", d->what, why.text);
	}
	return 0;
}

void lf_dumps_drop(struct lf *f)
{
	for (unsigned i = 0; i < f->n_dumps; i++)
		if (f->dump[i].file)
			f->h->files->drop(f->dump[i].file);
	free(f->dump);
}
