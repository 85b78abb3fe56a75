/* Scalars of a launch file, and a launch's arguments by the kernel's own parameters. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/suggestion.h"
#include "workload/launchfile_impl.h"

/* ---- scalars ---- */

const struct launchfile_key lf_scalar_keys[] = {
	{"graph", 1, "path of a METIS (.graph) or MatrixMarket (.mtx) file that has the number"},
	{"part", 1, "number of the graph: rows, cols or entries"},
	{0}};
const struct launchfile_key lf_argument_keys[] = {
	{"hex", 1, "in the place of an argument: bytes of a structure passed by value, two digits each"}, {0}};

static const char *graph_number(struct lf *f, struct fy_node *map, const char *what)
{
	enum { GRAPH, PART, N };
	static const char *const parts[] = {"rows", "cols", "entries", NULL};
	struct fy_node *key[N];
	const struct graph *g;
	int part;

	if (lf_fields(f, map, what, lf_scalar_keys, key) || !(g = lf_graph(f, key[GRAPH], what)) ||
	    (part = lf_word(f, key[PART], lf_path(f, what, "part"), parts)) < 0)
		return NULL;
	return arena_printf(&f->arena, "%" PRIu32, part == 0 ? g->n_rows : part == 1 ? g->n_cols : g->n_entries);
}

int lf_scalars(struct lf *f, struct fy_node *map)
{
	struct fy_node *key_node, *value;
	const char *name;
	void *iter = NULL;

	if (!yaml_is_map(map))
		return yaml_error(f->y, map, f->e, "scalars: must be a mapping of names");
	while (yaml_next_pair(map, &iter, &name, &key_node, &value)) {
		const char *what = lf_path(f, "scalars", name);
		struct lf_scalar s = {name, yaml_is_map(value) ? graph_number(f, value, what) : yaml_text(value)};

		if (lf_name(f, key_node, "scalars", name) || !s.text)
			return -1;
		if (!*s.text)
			return yaml_error(f->y, value, f->e, "%s: must be a number", what);
		if (memory_named(host_memory(f->h), name) >= 0)
			return yaml_error(f->y, key_node, f->e, "%s: a buffer has this name", what);
		f->scalar = xgrow(f->scalar, f->n_scalars, sizeof *f->scalar);
		names_add(&f->scalars, name, f->n_scalars);
		f->scalar[f->n_scalars++] = s;
	}
	return 0;
}

/* ---- arguments ---- */

struct arg { /* one that is being read */
	struct lf *f;
	struct fy_node *at;
	const struct ptx_kernel *k;
	struct ptx_param p;
	const char *what; /* "launches[0].args[2]" */
};

static int wrong(struct arg *a, const char *why)
{
	return yaml_error(a->f->y, a->at, a->f->e, "%s: %s (parameter %s of %s, .%s)", a->what, why, a->p.name,
			  ptx_kernel_name(a->k), a->p.type);
}

/* A structure by value: {hex: "00ff.."}, two digits a byte in the order of memory. */
static int by_value(struct arg *a, struct host_arg *out)
{
	struct fy_node *hex;
	const char *text;
	uint8_t *bytes;
	char why[96];

	if (lf_fields(a->f, a->at, a->what, lf_argument_keys, &hex))
		return -1;
	text = yaml_text(hex);
	if (strlen(text) != 2 * (size_t)a->p.bytes || strspn(text, "0123456789abcdefABCDEF") != strlen(text)) {
		snprintf(why, sizeof why, "hex must have the %u digits of %u bytes", 2 * a->p.bytes, a->p.bytes);
		return wrong(a, why);
	}
	bytes = arena_alloc(&a->f->arena, a->p.bytes);
	for (uint32_t i = 0; i < a->p.bytes; i++) {
		char digits[3] = {text[2 * i], text[2 * i + 1], 0};

		bytes[i] = (uint8_t)strtoul(digits, NULL, 16);
	}
	*out = (struct host_arg){.bytes = a->p.bytes, .by_ref = bytes};
	return 0;
}

/* "x" or "x+4K". */
static int address(struct arg *a, const struct memory_buffer *b, const char *offset, struct host_arg *out)
{
	uint64_t n = 0;
	char why[200];

	if (a->p.bytes != 8 || a->p.type[0] == 'f') {
		snprintf(why, sizeof why, "the address of buffer %.64s does not fit", b->name);
		return wrong(a, why);
	}
	if (offset && (number_parse_u64(offset, &n) || n >= b->size)) {
		snprintf(why, sizeof why, "offset \"%.32s\" is not in buffer %.64s of %" PRIu64 " bytes", offset, b->name, b->size);
		return wrong(a, why);
	}
	*out = host_u64(b->base + n);
	return 0;
}

static int texture(struct arg *a, struct lf_texture *t, struct host_arg *out)
{
	if (a->p.bytes != 8 || a->p.type[0] == 'f')
		return wrong(a, "a texture does not fit");
	t->used = true;
	*out = host_u64(t->handle);
	return 0;
}

/* Neither a buffer nor a scalar: says which names there are near it. */
static int unknown_name(struct arg *a, const char *text)
{
	const struct memory *m = host_memory(a->f->h);
	struct suggestion n = {.typed = text};
	char hint[160];

	for (unsigned i = 0; i < m->n; i++)
		suggestion_offer(&n, m->buffer[i].name);
	for (unsigned i = 0; i < a->f->n_scalars; i++)
		suggestion_offer(&n, a->f->scalar[i].name);
	for (unsigned i = 0; i < a->f->n_textures; i++)
		suggestion_offer(&n, a->f->texture[i].name);
	return yaml_error(a->f->y, a->at, a->f->e, "%s: no buffer or scalar \"%s\"%s", a->what, text, suggestion_text(&n, hint));
}

static int scalar(struct arg *a, const char *text, struct host_arg *out)
{
	struct element t = element_named(a->p.type);
	struct err why = {""};

	if (t.bytes != a->p.bytes)
		return wrong(a, "a structure by value is written {hex: ...}");
	if (element_parse(t, text, &out->bits, &why))
		return wrong(a, why.text);
	out->bytes = a->p.bytes;
	return 0;
}

static int one_arg(struct arg *a, struct host_arg *out)
{
	const char *text = yaml_text(a->at), *plus = strchr(text, '+');
	size_t n = plus ? (size_t)(plus - text) : strlen(text);
	const struct memory *m = host_memory(a->f->h);
	int i;

	*out = (struct host_arg){0};
	if (yaml_is_map(a->at))
		return by_value(a, out);
	i = names_find_bytes(&m->names, text, n);
	if (i >= 0)
		return address(a, &m->buffer[i], plus ? plus + 1 : NULL, out);
	i = names_find(&a->f->scalars, text);
	if (i >= 0)
		return scalar(a, a->f->scalar[i].text, out);
	i = names_find(&a->f->textures, text);
	if (i >= 0)
		return texture(a, &a->f->texture[i], out);
	if ((*text >= 'a' && *text <= 'z') || (*text >= 'A' && *text <= 'Z') || *text == '_')
		return unknown_name(a, text);
	return scalar(a, text, out);
}

struct host_arg *lf_args(struct lf *f, const struct ptx_kernel *k, struct fy_node *launch, struct fy_node *list, const char *what)
{
	unsigned n = ptx_n_params(k), i = 0;
	struct host_arg *out = arena_array(&f->arena, n + 1u, sizeof *out);
	struct fy_node *item;
	void *iter = NULL;

	if (list && !yaml_is_seq(list)) {
		yaml_error(f->y, list, f->e, "%s: must be a list, as in [x, y, 2.5]", what);
		return NULL;
	}
	while (list && (item = yaml_next_item(list, &iter))) {
		struct arg a = {f, item, k, {0}, arena_printf(&f->arena, "%s[%u]", what, i)};

		if (i++ >= n)
			continue;
		a.p = ptx_param_at(k, i - 1);
		if (one_arg(&a, &out[i - 1]))
			return NULL;
	}
	if (i == n)
		return out;
	yaml_error(f->y, list ? list : launch, f->e, "%s: kernel %s takes %u arguments, not %u", what, ptx_kernel_name(k), n, i);
	return NULL;
}
