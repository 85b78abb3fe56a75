/* What a fetch makes of its coordinates and of the texels there.
 *
 * The formulas are the CUDA C++ Programming Guide's, appendix "Texture Fetching". A coordinate x, times the extent if
 * it is normalised, is a place in texels; in the nearest-point mode texel floor(x) is taken. Linear filtering takes i =
 * floor(x - 0.5) and i + 1 with the weights 1 - a and a, where a = x - 0.5 - i as a fixed-point number of 9 bits, 8 of
 * them of the fraction (here rounded to nearest, so that 1.0 occurs); in two and three dimensions weights are
 * multiplied. The sum is exact in double but for its additions, and rounded once to f32.
 *
 * Wrap takes frac(x) of a normalised x, mirror that or 1 - frac(x) by whether floor(x) is even; clamp takes the nearest
 * texel inside, border the border's colour, each for every texel that a filter reads.
 */
#ifndef CSIM_PTX_TEXTURE_SAMPLE_H
#define CSIM_PTX_TEXTURE_SAMPLE_H

#include "ptx/texture.h"

struct texture_source { /* a texture with its bytes, good for as long as no buffer is freed */
	const struct texture *t;
	const uint8_t *level[TEXTURE_MAX_LEVELS];
};

struct texture_point {
	unsigned n;	 /* coordinates: 1 to 3; those beyond are 0 */
	bool integer;	 /* texels are numbered; else a place */
	int32_t cell[3]; /* integer: x, y, z */
	float at[3];	 /* else: x, y, z; of a cube a direction */
	uint32_t layer;	 /* of a layered shape; beyond the last one: the last */
	bool mipmapped;	 /* a level is given, which bias and bounds apply to; else level 0 */
	float level;
};

/* false: the buffer of a level is gone. */
bool texture_source_of(const struct memory *m, const struct texture *t, struct texture_source *s);
/* Four channels into 32-bit registers; returns the address of the texel nearest to the point (outside: of the nearest
 * one inside). As integers, there is no filtering. */
uint64_t texture_sample(const struct texture_source *s, const struct texture_point *p, bool as_float, uint32_t out[4]);
/* A channel of the four texels that a linear filter would read, counter-clockwise from the lower left as PTX has it:
 * (i, j + 1), (i + 1, j + 1), (i + 1, j), (i, j). */
uint64_t texture_gather(const struct texture_source *s, const struct texture_point *p, unsigned channel, bool as_float,
			uint32_t out[4]);
/* The level in which a texel has the size of the larger of two steps (OpenGL 4.6, equations 8.7 to 8.9). */
float texture_gradient_level(const struct texture_view *v, const float dx[3], const float dy[3], unsigned dimensions);

#endif
