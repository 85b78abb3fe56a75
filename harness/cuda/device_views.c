/* Textures and surfaces: objects, and references of modules, which are bound again and again. */
#include <string.h>

#include "cuda/device.h"
#include "cuda/device_tables.h"
#include "cuda/include/driver_types.h"
#include "ptx/texture.h"

/* The texref or surfref of that name in a module: its handle is what a later call binds. */
int device_name_reference(struct device *d, struct device_call *c)
{
	const char *name = (const char *)c->bytes;
	struct device_variable v = {.key = c->head.a[1], .reference = true, .surface = c->head.a[2] != 0};
	const struct ptx_module *ptx;

	if (c->head.a[0] >= d->n_modules || d->module[c->head.a[0]].module < 0 || !c->head.bytes)
		return cudaErrorInvalidTexture;
	ptx = host_ptx(d->host, (unsigned)d->module[c->head.a[0]].module);
	v.at = ptx_reference(ptx, name);
	if (!v.at)
		return v.surface ? cudaErrorInvalidSurface : cudaErrorInvalidTexture;
	device_variable_set(d, &v);
	return cudaSuccess;
}

static bool is_sound(const struct wire_view *w)
{
	for (int i = 0; i < 3; i++)
		if (w->at[i] >= TEXTURE_ADDRESSES)
			return false;
	return w->format < TEXTURE_FORMATS && w->shape < TEXTURE_SHAPES && w->levels <= TEXTURE_MAX_LEVELS;
}

static struct texture_view view_of(const struct wire_view *w)
{
	struct texture_view v = {.address = w->address,
				 .format = (enum texture_format)w->format,
				 .channels = w->channels,
				 .width = w->width,
				 .height = w->height,
				 .pitch = w->pitch,
				 .shape = (enum texture_shape)w->shape,
				 .depth = w->depth,
				 .slice_pitch = w->slice_pitch,
				 .linear = w->linear != 0,
				 .normalized = w->normalized != 0,
				 .srgb = w->srgb != 0,
				 .levels = w->levels,
				 .level_linear = w->level_linear != 0,
				 .level_bias = w->level_bias,
				 .level_min = w->level_min,
				 .level_max = w->level_max};

	for (int i = 0; i < 3; i++)
		v.at[i] = (enum texture_address)w->at[i];
	memcpy(v.border, w->border, sizeof v.border);
	for (int i = 0; i < WIRE_LEVELS; i++)
		v.level[i] = (struct texture_level){w->level[i].address, w->level[i].pitch, w->level[i].slice_pitch};
	return v;
}

/* Of a key, the reference is bound; without one, an object is made. */
int device_view(struct device *d, struct device_call *c)
{
	const struct device_variable *v = c->head.a[0] ? device_variable_get(d, c->head.a[0]) : NULL;
	bool surface = c->head.a[1] != 0;
	struct wire_view w;
	struct texture_view view;
	struct err e = {""};

	if (c->head.bytes != sizeof w || (c->head.a[0] && (!v || !v->reference)))
		return cudaErrorInvalidTexture;
	memcpy(&w, c->bytes, sizeof w);
	if (!is_sound(&w))
		return cudaErrorInvalidValue;
	view = view_of(&w);
	if (v)
		return texture_rebind(host_memory(d->host), v->at, &view, &e) ? cudaErrorInvalidTextureBinding : cudaSuccess;
	c->answer.r[0] = surface ? host_surface(d->host, &view, &e) : host_texture(d->host, &view, &e);
	return c->answer.r[0] ? cudaSuccess : cudaErrorInvalidValue;
}

int device_destroy_view(struct device *d, struct device_call *c)
{
	struct err e = {""};

	return host_destroy_view(d->host, c->head.a[0], &e) ? cudaErrorInvalidValue : cudaSuccess;
}
