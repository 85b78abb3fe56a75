/* What a launch file expects in its buffers at the end, and the host's stores between launches. */
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/near.h"
#include "host/launchfile_internal.h"

static const struct memory_buffer *buffer_named(struct lf *f, struct fy_node *at, const char *what, const char *name)
{
	const struct memory *m = host_memory(f->h);
	int i = memory_named(m, name);
	struct near n = {.given = name};
	char hint[160];

	if (i >= 0)
		return &m->buffer[i];
	for (unsigned k = 0; k < m->n; k++)
		near_offer(&n, m->buffer[k].name);
	yaml_error(f->y, at, f->e, "%s: no buffer \"%s\"%s", what, name, near_hint(&n, hint));
	return NULL;
}

/* ---- stores ---- */

int lf_store(struct lf *f, struct fy_node *map, const char *what)
{
	enum { BUFFER, OFFSET, TYPE, VALUE, N };
	static const struct lf_key keys[] = {{"buffer", 1}, {"offset", 0}, {"type", 1}, {"value", 1}, {NULL, 0}};
	const struct memory_buffer *b;
	struct fy_node *key[N];
	struct err why = {""};
	struct lf_type t;
	uint64_t offset = 0, bits;

	if (lf_fields(f, map, what, keys, key) || !(b = buffer_named(f, key[BUFFER], what, yaml_text(key[BUFFER]))) ||
	    lf_type(f, key[TYPE], lf_path(f, what, "type"), &t))
		return -1;
	if (key[OFFSET] && yaml_u64(f->y, key[OFFSET], lf_path(f, what, "offset"), 0, b->size, &offset, f->e))
		return -1;
	if (b->size < t.bytes || offset > b->size - t.bytes || offset % t.bytes)
		return yaml_error(f->y, key[OFFSET] ? key[OFFSET] : map, f->e,
				  "%s: %u bytes at offset %" PRIu64 " are not in %s or not aligned", what, t.bytes, offset,
				  b->name);
	if (lf_number(t, yaml_text(key[VALUE]), &bits, &why))
		return yaml_error(f->y, key[VALUE], f->e, "%s: %s", lf_path(f, what, "value"), why.text);
	host_store_traced(f->h, b->base + offset, t.bytes, bits);
	return 0;
}

/* ---- expectations ---- */

enum { TYPE, VALUE, FILE_, TOLERANCE, N_KEYS };
static const struct lf_key expect_keys[] = {{"type", 1}, {"value", 0}, {"file", 0}, {"tolerance", 0}, {NULL, 0}};

static int want_from_file(struct lf *f, struct fy_node *at, const char *what, void *want, uint64_t bytes)
{
	const char *path = lf_file(f, yaml_text(at));
	FILE *in = fopen(path, "rb");
	size_t n;
	bool more;

	if (!in)
		return yaml_error(f->y, at, f->e, "%s: %s: %s", what, path, strerror(errno));
	n = fread(want, 1, bytes, in);
	more = n == bytes && fgetc(in) != EOF;
	fclose(in);
	if (n != bytes || more)
		return yaml_error(f->y, at, f->e, "%s: %s does not have the buffer's %" PRIu64 " bytes", what, path, bytes);
	return 0;
}

static int want_values(struct lf *f, struct fy_node **key, const char *what, struct lf_type t, uint32_t *want, uint64_t bytes)
{
	struct err why = {""};
	uint64_t bits;

	if (key[FILE_])
		return want_from_file(f, key[FILE_], lf_path(f, what, "file"), want, bytes);
	if (lf_number(t, yaml_text(key[VALUE]), &bits, &why))
		return yaml_error(f->y, key[VALUE], f->e, "%s: %s", lf_path(f, what, "value"), why.text);
	for (uint64_t i = 0; i < bytes / 4; i++)
		want[i] = (uint32_t)bits;
	return 0;
}

static int expect_one(struct lf *f, struct fy_node *at, const char *name, struct fy_node *map)
{
	const char *what = lf_path(f, "expect", name);
	const struct memory_buffer *b = buffer_named(f, at, "expect", name);
	struct fy_node *key[N_KEYS];
	double tolerance = 0;
	struct lf_type t;
	uint32_t *want;

	if (!b || lf_fields(f, map, what, expect_keys, key) || lf_type(f, key[TYPE], lf_path(f, what, "type"), &t))
		return -1;
	if (t.bytes != 4 || b->size % 4)
		return yaml_error(f->y, key[TYPE], f->e, "%s.type: only buffers of f32, u32 or s32 can be compared", what);
	if (!key[VALUE] == !key[FILE_])
		return yaml_error(f->y, at, f->e, "%s: needs either value or file", what);
	if (key[TOLERANCE] && yaml_f64(f->y, key[TOLERANCE], lf_path(f, what, "tolerance"), &tolerance, f->e))
		return -1;
	if (!(tolerance >= 0))
		return yaml_error(f->y, key[TOLERANCE], f->e, "%s.tolerance: must not be negative", what);
	want = arena_array(&f->arena, b->size / 4, 4);
	if (want_values(f, key, what, t, want, b->size))
		return -1;
	return t.kind == 'f' ? host_check_f32(f->h, name, b->base, (const float *)want, b->size / 4, (float)tolerance, f->e)
			     : host_check_u32(f->h, name, b->base, want, b->size / 4, f->e);
}

int lf_expect(struct lf *f, struct fy_node *map)
{
	struct fy_node *key_node, *value;
	const char *name;
	void *iter = NULL;

	if (!yaml_is_map(map))
		return yaml_error(f->y, map, f->e, "expect: must be a mapping of buffers");
	while (yaml_next_pair(map, &iter, &name, &key_node, &value)) {
		f->expects = true;
		if (expect_one(f, key_node, name, value))
			return -1;
	}
	return 0;
}
