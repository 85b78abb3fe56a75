/* What a launch file expects in its buffers at the end, and the host's stores between launches. */
#include <inttypes.h>

#include "base/suggestion.h"
#include "workload/launchfile_impl.h"

const struct memory_buffer *lf_buffer_named(struct lf *f, struct fy_node *at, const char *what, const char *name)
{
	const struct memory *m = host_memory(f->h);
	int i = memory_named(m, name);
	struct suggestion n = {.typed = name};
	char hint[160];

	if (i >= 0)
		return &m->buffer[i];
	for (unsigned k = 0; k < m->n; k++)
		suggestion_offer(&n, m->buffer[k].name);
	yaml_error(f->y, at, f->e, "%s: no buffer \"%s\"%s", what, name, suggestion_text(&n, hint));
	return NULL;
}

/* ---- stores ---- */

const struct launchfile_key lf_store_keys[] = {{"buffer", 1, "name of the buffer"},
					       {"offset", 0, "bytes from the start of the buffer (default: 0)"},
					       {"type", 1, "type of the element that is stored"},
					       {"value", 1, "number that is stored"},
					       {0}};

int lf_store(struct lf *f, struct fy_node *map, const char *what)
{
	enum { BUFFER, OFFSET, TYPE, VALUE, N };
	const struct memory_buffer *b;
	struct fy_node *key[N];
	struct err why = {""};
	struct element t;
	uint64_t offset = 0, bits;

	if (lf_fields(f, map, what, lf_store_keys, key) || !(b = lf_buffer_named(f, key[BUFFER], what, yaml_text(key[BUFFER]))) ||
	    lf_type(f, key[TYPE], lf_path(f, what, "type"), &t))
		return -1;
	if (key[OFFSET] && yaml_u64(f->y, key[OFFSET], lf_path(f, what, "offset"), 0, b->size, &offset, f->e))
		return -1;
	if (b->size < t.bytes || offset > b->size - t.bytes || offset % t.bytes)
		return yaml_error(f->y, key[OFFSET] ? key[OFFSET] : map, f->e,
				  "%s: %u bytes at offset %" PRIu64 " are not in %s or not aligned", what, t.bytes, offset,
				  b->name);
	if (element_parse(t, yaml_text(key[VALUE]), &bits, &why))
		return yaml_error(f->y, key[VALUE], f->e, "%s: %s", lf_path(f, what, "value"), why.text);
	host_store_traced(f->h, b->base + offset, t.bytes, bits);
	return 0;
}

/* ---- expectations ---- */

/* By how much floats may differ, as a share of the expected magnitude. */
static int read_tolerance(struct lf_contents *c, double *out)
{
	*out = 0;
	if (!c->key[LF_TOLERANCE])
		return 0;
	if (c->type.kind != 'f')
		return lf_contents_wrong(c, LF_TOLERANCE, "whole numbers are compared exactly");
	if (yaml_f64(c->f->y, c->key[LF_TOLERANCE], lf_contents_path(c, LF_TOLERANCE), out, c->f->e))
		return -1;
	if (!(*out >= 0))
		return lf_contents_wrong(c, LF_TOLERANCE, "must not be negative");
	return *out < 1 ? 0 : lf_contents_wrong(c, LF_TOLERANCE, "must be below 1, with which 0 agrees with any number");
}

static int expect_one(struct lf *f, struct fy_node *at, const char *name, struct fy_node *map)
{
	const struct memory_buffer *b = lf_buffer_named(f, at, "expect", name);
	struct lf_contents c = {.f = f, .name = name, .what = lf_path(f, "expect", name), .at = at, .type = lf_type_of(f, name)};
	double tolerance;

	if (!b)
		return -1;
	c.size = b->size;
	if (lf_expected(&c, map) || read_tolerance(&c, &tolerance))
		return -1;
	return host_check_elements(f->h, name, b->base, c.type, c.bytes, b->size / c.type.bytes, tolerance, f->e);
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
	return f->expects ? 0 : yaml_error(f->y, map, f->e, "expect: is empty");
}
