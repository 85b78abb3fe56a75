#include "ptx/texture.h"

#include <string.h>

#include "base/arena.h"

/* Above every buffer, which end below 2^41. */
static const uint64_t FIRST_HANDLE = UINT64_C(1) << 48;

unsigned texture_format_bytes(enum texture_format f)
{
	return f <= TEXTURE_S8 ? 1 : f <= TEXTURE_S16 ? 2 : 4;
}

static struct texture *add(struct memory *m)
{
	m->texture = xrealloc(m->texture, (m->n_textures + 1) * sizeof *m->texture);
	m->texture[m->n_textures] = (struct texture){0};
	return &m->texture[m->n_textures++];
}

static struct texture *named(const struct memory *m, const char *name)
{
	for (unsigned i = 0; i < m->n_textures; i++)
		if (m->texture[i].name && !strcmp(m->texture[i].name, name))
			return &m->texture[i];
	return NULL;
}

static uint64_t handle_of(const struct memory *m, const struct texture *t)
{
	return FIRST_HANDLE + (uint64_t)(t - m->texture);
}

const struct texture *texture_of(const struct memory *m, uint64_t handle)
{
	return handle - FIRST_HANDLE < m->n_textures ? &m->texture[handle - FIRST_HANDLE] : NULL;
}

uint64_t texture_declare(struct memory *m, const char *name)
{
	struct texture *t = named(m, name);

	if (!t) {
		t = add(m);
		t->name = xstrdup(name);
	}
	return handle_of(m, t);
}

static int check(const struct memory *m, struct texture_view *v, struct err *e)
{
	uint64_t bytes = texture_format_bytes(v->format), row, all;
	const char *of = v->channels == 1 ? "" : "s";

	if (v->channels != 1 && v->channels != 2 && v->channels != 4)
		return err_set(e, "a texture has 1, 2 or 4 channels, not %u", v->channels);
	row = v->width * bytes * v->channels;
	v->pitch = v->pitch ? v->pitch : row;
	if (!v->width || !v->height)
		return err_set(e, "a texture of %u x %u texels", v->width, v->height);
	if (v->pitch < row || v->pitch % (bytes * v->channels) || v->pitch > UINT64_C(1) << 40)
		return err_set(e, "a pitch of %llu bytes for rows of %u texels of %u channel%s of %llu bytes",
			       (unsigned long long)v->pitch, v->width, v->channels, of, (unsigned long long)bytes);
	if (v->address % (bytes * v->channels))
		return err_set(e, "the texture's address 0x%llx is not a multiple of its texels' %llu bytes",
			       (unsigned long long)v->address, (unsigned long long)bytes * v->channels);
	if (v->height - 1 > (UINT64_C(1) << 40) / v->pitch)
		return err_set(e, "a texture of more than 2^40 bytes");
	all = (v->height - 1) * v->pitch + row;
	if (!memory_at(m, v->address, all))
		return err_set(e, "the texture's %llu bytes from 0x%llx on are not in one buffer", (unsigned long long)all,
			       (unsigned long long)v->address);
	return 0;
}

static int bind(const struct memory *m, struct texture *t, const struct texture_view *v, struct err *e)
{
	struct texture_view checked = *v;

	if (check(m, &checked, e) < 0)
		return -1;
	t->view = checked;
	t->texel_bytes = texture_format_bytes(v->format) * v->channels;
	t->bytes = memory_at(m, v->address, 1);
	t->bound = true;
	return 0;
}

int texture_bind(struct memory *m, const char *name, const struct texture_view *v, struct err *e)
{
	struct texture *t = named(m, name);

	return t ? bind(m, t, v, e) : err_set(e, "no .texref \"%s\" in the PTX", name);
}

uint64_t texture_new(struct memory *m, const struct texture_view *v, struct err *e)
{
	struct texture made = {0};

	if (bind(m, &made, v, e) < 0)
		return 0;
	*add(m) = made;
	return handle_of(m, &m->texture[m->n_textures - 1]);
}

static uint32_t float_bits(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, sizeof bits);
	return bits;
}

/* The lowest signed integer and its successor are both -1. */
static uint32_t fraction(int64_t v, int64_t most)
{
	float f = (float)((double)v / (double)most);

	return float_bits(f < -1 ? -1 : f);
}

uint32_t texture_channel(const struct texture *t, const uint8_t *at, unsigned k, bool as_float)
{
	unsigned bytes = texture_format_bytes(t->view.format);
	uint32_t raw = 0;
	int32_t extended;

	if (k >= t->view.channels)
		return k < 3 ? 0 : as_float ? float_bits(1) : 1;
	memcpy(&raw, at + k * bytes, bytes); /* both are little endian */
	if (bytes == 4)
		return raw;
	if (t->view.format == TEXTURE_U8 || t->view.format == TEXTURE_U16)
		return as_float ? fraction(raw, bytes == 1 ? UINT8_MAX : UINT16_MAX) : raw;
	extended = bytes == 1 ? (int8_t)raw : (int16_t)raw;
	return as_float ? fraction(extended, bytes == 1 ? INT8_MAX : INT16_MAX) : (uint32_t)extended;
}
