#include "ptx/texture.h"

#include <math.h>
#include <string.h>

#include "base/alloc.h"
#include "ptx/rows/half.h"

/* Above every buffer, which end below 2^41; of an entry's number and how often it was used before. */
static const uint64_t FIRST_HANDLE = UINT64_C(1) << 48, NEXT_USE = UINT64_C(1) << 24;

static struct texture *entry_new(struct memory *m)
{
	struct texture *t;
	uint32_t uses;

	if (m->n_free) {
		while (m->texture[m->first_free].handle)
			m->first_free++;
		t = &m->texture[m->first_free++];
		m->n_free--;
	} else {
		m->texture = xgrow(m->texture, m->n_textures, sizeof *m->texture);
		t = &m->texture[m->n_textures++];
		t->uses = 0;
	}
	uses = t->uses + 1;
	*t = (struct texture){.uses = uses, .handle = FIRST_HANDLE + (uint64_t)(t - m->texture) + (uses - 1) * NEXT_USE};
	return t;
}

static struct texture *entry_of(const struct memory *m, uint64_t handle)
{
	uint64_t i = (handle - FIRST_HANDLE) % NEXT_USE;

	return handle >= FIRST_HANDLE && i < m->n_textures && m->texture[i].handle == handle ? &m->texture[i] : NULL;
}

const struct texture *texture_of(const struct memory *m, uint64_t handle)
{
	return entry_of(m, handle);
}

uint64_t texture_declare(struct memory *m, const char *name, bool surface)
{
	struct texture *t = entry_new(m);
	unsigned position = (unsigned)(t - m->texture);

	t->name = xstrdup(name);
	t->surface = surface;
	if (!names_add(&m->reference[surface], t->name, position)) {
		struct texture *first = &m->texture[names_find(&m->reference[surface], name)];

		t->same_name = first->same_name;
		first->same_name = position + 1;
	}
	return t->handle;
}

static int bind(const struct memory *m, struct texture *t, const struct texture_view *v, struct err *e)
{
	struct texture_view checked = *v;

	if (texture_check(m, t->surface, &checked, e) < 0)
		return -1;
	t->view = checked;
	t->texel_bytes = texture_format_bytes(v->format) * v->channels;
	t->bound = true;
	return 0;
}

int texture_bind(struct memory *m, const char *name, bool surface, const struct texture_view *v, struct err *e)
{
	unsigned at = (unsigned)(names_find(&m->reference[surface], name) + 1);

	if (!at)
		return err_set(e, "no .%s \"%s\" in the PTX", surface ? "surfref" : "texref", name);
	for (; at; at = m->texture[at - 1].same_name)
		if (bind(m, &m->texture[at - 1], v, e) < 0)
			return -1;
	return 0;
}

bool texture_is_declared(const struct memory *m, const char *name, bool surface)
{
	return names_find(&m->reference[surface], name) >= 0;
}

int texture_rebind(struct memory *m, uint64_t handle, const struct texture_view *v, struct err *e)
{
	struct texture *t = entry_of(m, handle);

	if (!t || !t->name)
		return err_set(e, "0x%llx is not a .texref or .surfref", (unsigned long long)handle);
	return bind(m, t, v, e);
}

uint64_t texture_new(struct memory *m, bool surface, const struct texture_view *v, struct err *e)
{
	struct texture made = {.surface = surface}, *t;

	if (bind(m, &made, v, e) < 0)
		return 0;
	t = entry_new(m);
	made.handle = t->handle;
	made.uses = t->uses;
	*t = made;
	return t->handle;
}

int texture_destroy(struct memory *m, uint64_t handle, struct err *e)
{
	struct texture *t = entry_of(m, handle);

	if (!t || t->name)
		return err_set(e, "0x%llx is not a texture or surface that can be destroyed", (unsigned long long)handle);
	*t = (struct texture){.uses = t->uses};
	if (!m->n_free++ || (unsigned)(t - m->texture) < m->first_free)
		m->first_free = (unsigned)(t - m->texture);
	return 0;
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

/* IEC 61966-2-1: from the encoded fraction to light. */
static uint32_t from_srgb(uint32_t v)
{
	double c = v / 255.0;

	return float_bits((float)(c <= 0.04045 ? c / 12.92 : pow((c + 0.055) / 1.055, 2.4)));
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
	if (t->view.format == TEXTURE_F16)
		return float_bits((float)half_value((uint16_t)raw, half_f16));
	if (t->view.srgb && as_float && k < 3)
		return from_srgb(raw);
	if (t->view.format == TEXTURE_U8 || t->view.format == TEXTURE_U16)
		return as_float ? fraction(raw, bytes == 1 ? UINT8_MAX : UINT16_MAX) : raw;
	extended = bytes == 1 ? (int8_t)raw : (int16_t)raw;
	return as_float ? fraction(extended, bytes == 1 ? INT8_MAX : INT16_MAX) : (uint32_t)extended;
}
