/* Textures of a launch file. */
#include <stdlib.h>
#include <string.h>

#include "workload/launchfile_impl.h"

enum { BUFFER, FORMAT, CHANNELS, WIDTH, HEIGHT, PITCH, OFFSET, N_KEYS };
static const struct lf_key keys[] = {{"buffer", 1}, {"format", 1}, {"channels", 0}, {"width", 1},
				     {"height", 0}, {"pitch", 0},  {"offset", 0},   {NULL, 0}};
static const char *const formats[] = {"u8", "s8", "u16", "s16", "u32", "s32", "f32", NULL}; /* as enum texture_format */

/* An optional number. */
static int number(struct lf *f, struct fy_node *at, const char *what, const char *key, uint64_t dflt, uint64_t max, uint64_t *out)
{
	*out = dflt;
	return at ? yaml_u64(f->y, at, lf_path(f, what, key), key[0] == 'o' ? 0 : 1, max, out, f->e) : 0;
}

static int read_view(struct lf *f, struct fy_node *map, const char *what, struct texture_view *v)
{
	const struct memory *m = host_memory(f->h);
	uint64_t channels, width, height, offset;
	struct fy_node *key[N_KEYS];
	int format, buffer;

	if (lf_fields(f, map, what, keys, key) || (format = lf_word(f, key[FORMAT], lf_path(f, what, "format"), formats)) < 0 ||
	    number(f, key[CHANNELS], what, "channels", 1, 4, &channels) ||
	    number(f, key[WIDTH], what, "width", 1, UINT32_MAX, &width) ||
	    number(f, key[HEIGHT], what, "height", 1, UINT32_MAX, &height) ||
	    number(f, key[PITCH], what, "pitch", 0, UINT64_C(1) << 40, &v->pitch) ||
	    number(f, key[OFFSET], what, "offset", 0, UINT64_C(1) << 40, &offset))
		return -1;
	buffer = memory_named(m, yaml_text(key[BUFFER]));
	if (buffer < 0)
		return yaml_error(f->y, key[BUFFER], f->e, "%s.buffer: no buffer \"%s\"", what, yaml_text(key[BUFFER]));
	v->address = m->buffer[buffer].base + offset;
	v->format = (enum texture_format)format;
	v->channels = (unsigned)channels;
	v->width = (uint32_t)width;
	v->height = (uint32_t)height;
	return 0;
}

static bool is_texref(const struct memory *m, const char *name)
{
	for (unsigned i = 0; i < m->n_textures; i++)
		if (m->texture[i].name && !m->texture[i].surface && !strcmp(m->texture[i].name, name))
			return true;
	return false;
}

static int one(struct lf *f, struct fy_node *at, const char *name, struct fy_node *map)
{
	const char *what = lf_path(f, "textures", name);
	struct lf_texture t = {.name = name, .at = at};
	struct texture_view v = {0};
	struct err why = {""};

	if (lf_name(f, at, "textures", name) || read_view(f, map, what, &v))
		return -1;
	if (memory_named(host_memory(f->h), name) >= 0)
		return yaml_error(f->y, at, f->e, "%s: a buffer has this name", what);
	if (is_texref(host_memory(f->h), name))
		return host_bind_texture(f->h, name, &v, &why) ? yaml_error(f->y, map, f->e, "textures: %s", why.text) : 0;
	t.handle = host_texture(f->h, &v, &why);
	if (!t.handle)
		return yaml_error(f->y, map, f->e, "%s: %s", what, why.text);
	f->texture = xrealloc(f->texture, (f->n_textures + 1) * sizeof *f->texture);
	f->texture[f->n_textures++] = t;
	return 0;
}

int lf_textures(struct lf *f, struct fy_node *map)
{
	struct fy_node *key_node, *value;
	const char *name;
	void *iter = NULL;

	if (!yaml_is_map(map))
		return yaml_error(f->y, map, f->e, "textures: must be a mapping of names");
	while (yaml_next_pair(map, &iter, &name, &key_node, &value))
		if (one(f, key_node, name, value))
			return -1;
	return 0;
}

int lf_textures_used(struct lf *f)
{
	for (unsigned i = 0; i < f->n_textures; i++)
		if (!f->texture[i].used)
			return yaml_error(f->y, f->texture[i].at, f->e,
					  "textures.%s: neither a .texref of the PTX nor an argument of a launch",
					  f->texture[i].name);
	return 0;
}
