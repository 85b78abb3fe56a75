/* Textures and surfaces of a launch file. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "workload/launchfile_impl.h"

enum {
	BUFFER,
	FORMAT,
	CHANNELS,
	WIDTH,
	HEIGHT,
	PITCH,
	OFFSET,
	SHAPE,
	DEPTH,
	SLICE_PITCH,
	FILTER,
	ADDRESS,
	NORMALIZED,
	SRGB,
	BORDER,
	N_KEYS
};
// clang-format off
#define SHAPE_KEYS                                                                                                                 \
	{"buffer", 1, "name of the buffer that holds the texels"},                                                                 \
	{"format", 1, "type of a channel: u8 s8 u16 s16 u32 s32 f32 f16"},                                                              \
	{"channels", 0, "channels of a texel: 1, 2 or 4 (default: 1)"},                                                                                           \
	{"width", 1, "width in texels"},                                                                                                    \
	{"height", 0, "height in texels (default: 1)"},                                                                                                \
	{"pitch", 0, "bytes from row to row (default: no gaps)"},                                                            \
	{"offset", 0, "bytes from the start of the buffer to texel (0, 0) (default: 0)"},                                                    \
	{"shape", 0, "2d, linear, 3d, a1d, a2d, cube or acube (default: 2d)"},                                                               \
	{"depth", 0, "number of slices, layers or faces (default: 1, of a cube 6)"},                                                                   \
	{"slice_pitch", 0, "bytes from slice to slice (default: no gaps)"}
// clang-format on
const struct launchfile_key lf_texture_keys[] = {
	SHAPE_KEYS,
	{"filter", 0, "filter of texels: nearest or linear (default: nearest)"},
	{"address", 0,
	 "treatment of coordinates outside of the extent: clamp, wrap, mirror or border, or a list of these for x, y "
	 "and z (default: clamp)"},
	{"normalized", 0, "whether coordinates of floats count the extent as 1 (default: false)"},
	{"srgb", 0, "whether the first three channels, of u8, are sRGB (default: false)"},
	{"border", 0, "list with the colour of the border, by channel (default: 0)"},
	{0}};
const struct launchfile_key lf_surface_keys[] = {SHAPE_KEYS, {0}};
/* As enum texture_format, texture_shape, texture_address. */
static const char *const formats[] = {"u8", "s8", "u16", "s16", "u32", "s32", "f32", "f16", NULL};
static const char *const shapes[] = {"2d", "linear", "3d", "a1d", "a2d", "cube", "acube", NULL};
static const char *const addresses[] = {"clamp", "wrap", "mirror", "border", NULL};
static const char *const filters[] = {"nearest", "linear", NULL};

/* An optional number. */
static int number(struct lf *f, struct fy_node *at, const char *what, const char *key, uint64_t dflt, uint64_t max, uint64_t *out)
{
	*out = dflt;
	return at ? yaml_u64(f->y, at, lf_path(f, what, key), key[0] == 'o' ? 0 : 1, max, out, f->e) : 0;
}

/* An optional word; *out is 0 without it. */
static int word(struct lf *f, struct fy_node *at, const char *what, const char *key, const char *const *words, int *out)
{
	*out = at ? lf_word(f, at, lf_path(f, what, key), words) : 0;
	return *out < 0 ? -1 : 0;
}

static int read_shape(struct lf *f, struct fy_node *const *key, const char *what, struct texture_view *v)
{
	const struct memory *m = host_memory(f->h);
	uint64_t channels, width, height, depth, offset;
	int format, shape, buffer;

	if (word(f, key[FORMAT], what, "format", formats, &format) || word(f, key[SHAPE], what, "shape", shapes, &shape) ||
	    number(f, key[CHANNELS], what, "channels", 1, 4, &channels) ||
	    number(f, key[WIDTH], what, "width", 1, UINT32_MAX, &width) ||
	    number(f, key[HEIGHT], what, "height", 1, UINT32_MAX, &height) ||
	    number(f, key[PITCH], what, "pitch", 0, UINT64_C(1) << 40, &v->pitch) ||
	    number(f, key[OFFSET], what, "offset", 0, UINT64_C(1) << 40, &offset) ||
	    number(f, key[DEPTH], what, "depth", 0, UINT32_MAX, &depth) ||
	    number(f, key[SLICE_PITCH], what, "slice_pitch", 0, UINT64_C(1) << 40, &v->slice_pitch))
		return -1;
	buffer = memory_named(m, yaml_text(key[BUFFER]));
	if (buffer < 0)
		return yaml_error(f->y, key[BUFFER], f->e, "%s.buffer: no buffer \"%s\"", what, yaml_text(key[BUFFER]));
	v->address = m->buffer[buffer].base + offset;
	v->format = (enum texture_format)format;
	v->shape = (enum texture_shape)shape;
	v->channels = (unsigned)channels;
	v->width = (uint32_t)width;
	v->height = (uint32_t)height;
	v->depth = (uint32_t)depth;
	return 0;
}

/* One word for all dimensions, or a list: x, y, z. */
static int read_addresses(struct lf *f, struct fy_node *at, const char *what, struct texture_view *v)
{
	const char *path = lf_path(f, what, "address");
	struct fy_node *item;
	void *iter = NULL;
	int mode = 0;

	if (at && yaml_is_seq(at)) {
		for (unsigned d = 0; (item = yaml_next_item(at, &iter)); d++) {
			if (d == 3)
				return yaml_error(f->y, at, f->e, "%s: more than three dimensions", path);
			if ((mode = lf_word(f, item, path, addresses)) < 0)
				return -1;
			v->at[d] = (enum texture_address)mode;
		}
		return 0;
	}
	if (word(f, at, what, "address", addresses, &mode))
		return -1;
	for (unsigned d = 0; d < 3; d++)
		v->at[d] = (enum texture_address)mode;
	return 0;
}

static int read_border(struct lf *f, struct fy_node *at, const char *what, struct texture_view *v)
{
	const char *path = lf_path(f, what, "border");
	struct fy_node *item;
	void *iter = NULL;
	double value;

	if (!at)
		return 0;
	if (v->at[0] != TEXTURE_BORDER && v->at[1] != TEXTURE_BORDER && v->at[2] != TEXTURE_BORDER)
		return yaml_error(f->y, at, f->e, "%s: no address mode is border", path);
	if (!yaml_is_seq(at))
		return yaml_error(f->y, at, f->e, "%s: must be a list of channels", path);
	for (unsigned k = 0; (item = yaml_next_item(at, &iter)); k++) {
		if (k == v->channels)
			return yaml_error(f->y, at, f->e, "%s: more values than the texture's %u channels", path, v->channels);
		if (yaml_f64(f->y, item, path, &value, f->e))
			return -1;
		v->border[k] = (float)value;
	}
	return 0;
}

static int read_sampling(struct lf *f, struct fy_node *const *key, const char *what, struct texture_view *v)
{
	int filter;

	if (word(f, key[FILTER], what, "filter", filters, &filter) || read_addresses(f, key[ADDRESS], what, v) ||
	    (key[NORMALIZED] && yaml_bool(f->y, key[NORMALIZED], lf_path(f, what, "normalized"), &v->normalized, f->e)) ||
	    (key[SRGB] && yaml_bool(f->y, key[SRGB], lf_path(f, what, "srgb"), &v->srgb, f->e)) ||
	    read_border(f, key[BORDER], what, v))
		return -1;
	v->linear = filter != 0;
	if (v->shape == TEXTURE_LINEAR && (key[FILTER] || key[ADDRESS] || key[NORMALIZED]))
		return yaml_error(f->y, key[SHAPE], f->e, "%s: linear memory has no filter, address mode or normalized coordinates",
				  what);
	return 0;
}

static bool is_taken(const struct lf *f, const char *name)
{
	return names_find(&f->textures, name) >= 0 || memory_named(host_memory(f->h), name) >= 0;
}

static int make(struct lf *f, struct fy_node *at, const char *name, struct fy_node *map, const char *what, bool surface,
		const struct texture_view *v)
{
	struct lf_texture t = {.name = name, .at = at, .group = surface ? "surfaces" : "textures"};
	struct err why = {""};

	if (texture_is_declared(host_memory(f->h), name, surface))
		return (surface ? host_bind_surface : host_bind_texture)(f->h, name, v, &why)
			       ? yaml_error(f->y, map, f->e, "%s: %s", t.group, why.text)
			       : 0;
	t.handle = (surface ? host_surface : host_texture)(f->h, v, &why);
	if (!t.handle)
		return yaml_error(f->y, map, f->e, "%s: %s", what, why.text);
	f->texture = xgrow(f->texture, f->n_textures, sizeof *f->texture);
	names_add(&f->textures, name, f->n_textures);
	f->texture[f->n_textures++] = t;
	return 0;
}

static int one(struct lf *f, struct fy_node *at, const char *name, struct fy_node *map, bool surface)
{
	const char *group = surface ? "surfaces" : "textures", *what = lf_path(f, group, name);
	struct fy_node *key[N_KEYS] = {NULL};
	struct texture_view v = {0};

	if (lf_name(f, at, group, name) || lf_fields(f, map, what, surface ? lf_surface_keys : lf_texture_keys, key) ||
	    read_shape(f, key, what, &v) || (!surface && read_sampling(f, key, what, &v)))
		return -1;
	if (is_taken(f, name))
		return yaml_error(f->y, at, f->e, "%s: a buffer%s has this name", what, surface ? " or texture" : "");
	return make(f, at, name, map, what, surface, &v);
}

int lf_textures(struct lf *f, struct fy_node *map, bool surfaces)
{
	struct fy_node *key_node, *value;
	const char *name;
	void *iter = NULL;

	if (!yaml_is_map(map))
		return yaml_error(f->y, map, f->e, "%s: must be a mapping of names", surfaces ? "surfaces" : "textures");
	while (yaml_next_pair(map, &iter, &name, &key_node, &value))
		if (one(f, key_node, name, value, surfaces))
			return -1;
	return 0;
}

int lf_textures_used(struct lf *f)
{
	for (unsigned i = 0; i < f->n_textures; i++) {
		const struct lf_texture *t = &f->texture[i];

		if (!t->used)
			return yaml_error(f->y, t->at, f->e, "%s.%s: neither a .%s of the PTX nor an argument of a launch",
					  t->group, t->name, t->group[0] == 's' ? "surfref" : "texref");
	}
	return 0;
}
