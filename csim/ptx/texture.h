/* Textures: buffers that are read by coordinates.
 *
 * A texture is an array of texels of 1, 2 or 4 channels over the bytes of a buffer, in rows `pitch` bytes apart. A
 * fetch takes the texel at the coordinates' floor, those outside clamped to the nearest edge (CUDA: point filter,
 * clamp, coordinates not normalised). A kernel names a texture by a 64-bit handle: either the host program makes one
 * and passes it, or it binds a texture to a `.texref` of the module, whose handle is then what stands for its address.
 */
#ifndef CSIM_PTX_TEXTURE_H
#define CSIM_PTX_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "ptx/memory.h"

/* clang-format off */
enum texture_format {
	TEXTURE_U8, TEXTURE_S8, TEXTURE_U16, TEXTURE_S16, TEXTURE_U32, TEXTURE_S32, TEXTURE_F32, TEXTURE_FORMATS
};
/* clang-format on */

struct texture_view {
	uint64_t address; /* of texel (0, 0); a multiple of the channel's size */
	enum texture_format format;
	unsigned channels;	/* 1, 2, 4 */
	uint32_t width, height; /* texels; height 1: a row, which 1d fetches read */
	uint64_t pitch;		/* bytes; 0: rows without gaps */
};

struct texture {
	char *name; /* of the .texref; NULL: known by its handle only */
	bool bound;
	struct texture_view view;
	unsigned texel_bytes;
	const uint8_t *bytes; /* at view.address */
};

unsigned texture_format_bytes(enum texture_format f); /* of a channel */

/* A .texref: the handle of the texture of this name, which need not be bound yet. */
uint64_t texture_declare(struct memory *m, const char *name);
/* -1: nothing declared that name, or the view is not in one buffer or has no such shape. May be bound anew at any
 * time. */
int texture_bind(struct memory *m, const char *name, const struct texture_view *v, struct err *e);
/* A texture without a name; its handle, or 0 with e filled. */
uint64_t texture_new(struct memory *m, const struct texture_view *v, struct err *e);
/* NULL: not a handle. */
const struct texture *texture_of(const struct memory *m, uint64_t handle);

/* Channel k of the texel at `at`, in a 32-bit register; those that the texture lacks are 0, 0 and, the fourth, 1. As a
 * float,
 * 8 and 16-bit integers become fractions of their largest value. */
uint32_t texture_channel(const struct texture *t, const uint8_t *at, unsigned k, bool as_float);

#endif
