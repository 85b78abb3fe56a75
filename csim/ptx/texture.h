/* Textures and surfaces: buffers that are read and written by coordinates.
 *
 * Either is a view of a buffer: an array of texels of 1, 2 or 4 channels, in rows `pitch` bytes apart and slices
 * `slice_pitch` bytes apart. That is how a CUDA array, a piece of linear memory and pitched memory all look here. What
 * a fetch does with its coordinates is part of the view, as cudaTextureDesc has it; a surface has none of it. With all
 * of that zero, a fetch takes the texel at the coordinates' floor, those outside clamped to the nearest edge.
 *
 * A kernel names a texture or surface by a 64-bit handle: either the host program makes one and passes it, or it binds
 * a view to a `.texref` or `.surfref` of the module, whose handle is then what stands for its address. The bytes are
 * those of the buffer at the time of each access: what a surface stores, a texture over the same bytes reads.
 *
 * Source: CUDA C++ Programming Guide, "Texture Fetching"; PTX ISA, tex, tld4, txq, suld, sust, suq.
 */
#ifndef CSIM_PTX_TEXTURE_H
#define CSIM_PTX_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

#include "ptx/memory.h"

/* clang-format off */
enum texture_format {
	TEXTURE_U8, TEXTURE_S8, TEXTURE_U16, TEXTURE_S16, TEXTURE_U32, TEXTURE_S32, TEXTURE_F32, TEXTURE_F16,
	TEXTURE_FORMATS
};
enum texture_shape {
	TEXTURE_2D,	/* rows; what .2d reads, and if there is one row, .1d */
	TEXTURE_LINEAR, /* one row of linear memory (tex1Dfetch): .1d; texels outside are 0 in every channel */
	TEXTURE_3D,
	TEXTURE_A1D, TEXTURE_A2D, /* layers of rows of texels, and of rows: a slice each */
	TEXTURE_CUBE, TEXTURE_ACUBE, /* six square faces: +x -x +y -y +z -z; layers of as many */
	TEXTURE_SHAPES
};
/* Wrap and mirror need normalised coordinates; with others they clamp, as CUDA says. */
enum texture_address { TEXTURE_CLAMP, TEXTURE_WRAP, TEXTURE_MIRROR, TEXTURE_BORDER, TEXTURE_ADDRESSES };
/* clang-format on */

enum { TEXTURE_MAX_LEVELS = 16 };

struct texture_level { /* a smaller image of a mipmap; its extents are half of those below it, at least 1 */
	uint64_t address, pitch, slice_pitch;
};

struct texture_view {
	uint64_t address; /* of texel (0, 0, 0); a multiple of a texel's size */
	enum texture_format format;
	unsigned channels;	/* 1, 2, 4 */
	uint32_t width, height; /* texels; height 1: a row, which 1d fetches read */
	uint64_t pitch;		/* bytes; 0: rows without gaps */
	enum texture_shape shape;
	uint32_t depth;	      /* 3D: slices; A1D, A2D: layers; ACUBE: 6 faces a layer; 0: 1, or of a cube 6 */
	uint64_t slice_pitch; /* bytes; 0: slices without gaps */

	/* Textures only. Filtering is for fetches of .f32 by coordinates of .f32. */
	enum texture_address at[3]; /* in x, y, z */
	bool linear;		    /* filter between texels; else the nearest */
	bool normalized;	    /* coordinates of .f32 count the extent as 1 */
	bool srgb;		    /* u8: the first three channels are sRGB; .f32 fetches make them linear */
	float border[4];
	unsigned levels;				    /* of a mipmap, this one included; 0: 1 */
	struct texture_level level[TEXTURE_MAX_LEVELS - 1]; /* those above it */
	bool level_linear;				    /* filter between levels; else the nearest */
	float level_bias, level_min, level_max;		    /* added to a level that is asked for, then its bounds */
};

struct texture {	 /* or surface */
	uint64_t handle; /* 0: an entry that is free */
	char *name;	 /* of the .texref or .surfref; NULL: known by its handle only */
	bool bound, surface;
	unsigned same_name; /* 1 + the position of the next reference of this name; 0: none */
	uint32_t uses;	    /* of this entry, so that a handle that was destroyed does not come back */
	struct texture_view view;
	unsigned texel_bytes;
};

unsigned texture_format_bytes(enum texture_format f); /* of a channel */
/* The extent of level n in dimension 0 to 2; slices of layers do not become fewer. */
uint32_t texture_extent(const struct texture_view *v, unsigned dimension, unsigned level);
/* The bytes of a level from its first texel to its last. */
uint64_t texture_level_bytes(const struct texture_view *v, unsigned level);
/* Level n as the view has it, level 0 too. */
struct texture_level texture_level_of(const struct texture_view *v, unsigned level);

/* Fills what of a view is 0 and stands for something else. -1: it has no such shape, or is not in one buffer. */
int texture_check(const struct memory *m, bool surface, struct texture_view *v, struct err *e);

/* A .texref (or .surfref) of a module: its handle. Nothing needs to be bound to it yet. */
uint64_t texture_declare(struct memory *m, const char *name, bool surface);
/* Binds a view to all references of this name, of whichever module. -1: nothing is declared that name, or the view is
 * not in one buffer or has no such shape. May be bound anew at any time between launches. */
int texture_bind(struct memory *m, const char *name, bool surface, const struct texture_view *v, struct err *e);
/* Whether a reference of this name is declared. */
bool texture_is_declared(const struct memory *m, const char *name, bool surface);
/* The same as texture_bind() for the one reference that has this handle (ptx_reference() of a module). */
int texture_rebind(struct memory *m, uint64_t handle, const struct texture_view *v, struct err *e);
/* A texture (or surface) without a name; its handle, or 0 with e filled. */
uint64_t texture_new(struct memory *m, bool surface, const struct texture_view *v, struct err *e);
/* -1: no handle of texture_new(), or already destroyed. */
int texture_destroy(struct memory *m, uint64_t handle, struct err *e);
/* NULL: not a handle. */
const struct texture *texture_of(const struct memory *m, uint64_t handle);

/* Channel k of the texel at `at`, in a 32-bit register; those that the texture lacks are 0, 0 and, the fourth, 1. As a
 * float, 8 and 16-bit integers become fractions of their largest value. */
uint32_t texture_channel(const struct texture *t, const uint8_t *at, unsigned k, bool as_float);

#endif
