/* The shapes of textures and surfaces, and whether a buffer holds them. */
#include "ptx/texture.h"

static const uint64_t MOST = UINT64_C(1) << 40; /* bytes; no buffer has more */

unsigned texture_format_bytes(enum texture_format f)
{
	return f <= TEXTURE_S8 ? 1 : f <= TEXTURE_S16 || f == TEXTURE_F16 ? 2 : 4;
}

uint32_t texture_extent(const struct texture_view *v, unsigned dimension, unsigned level)
{
	uint32_t most = dimension == 0 ? v->width : dimension == 1 ? v->height : v->depth;

	if (dimension == 2 && v->shape != TEXTURE_3D)
		return most;
	return most >> level ? most >> level : 1;
}

struct texture_level texture_level_of(const struct texture_view *v, unsigned level)
{
	return level ? v->level[level - 1] : (struct texture_level){v->address, v->pitch, v->slice_pitch};
}

uint64_t texture_level_bytes(const struct texture_view *v, unsigned level)
{
	struct texture_level l = texture_level_of(v, level);
	uint64_t row = (uint64_t)texture_extent(v, 0, level) * texture_format_bytes(v->format) * v->channels;

	return (texture_extent(v, 2, level) - 1) * l.slice_pitch + (texture_extent(v, 1, level) - 1) * l.pitch + row;
}

static int check_shape(const struct texture_view *v, const char *what, struct err *e)
{
	if ((unsigned)v->format >= TEXTURE_FORMATS || (unsigned)v->shape >= TEXTURE_SHAPES ||
	    (unsigned)v->at[0] >= TEXTURE_ADDRESSES || (unsigned)v->at[1] >= TEXTURE_ADDRESSES ||
	    (unsigned)v->at[2] >= TEXTURE_ADDRESSES)
		return err_set(e, "a %s of unknown format, shape or address mode", what);
	if (v->channels != 1 && v->channels != 2 && v->channels != 4)
		return err_set(e, "a %s has 1, 2 or 4 channels, not %u", what, v->channels);
	if (!v->width || !v->height)
		return err_set(e, "a %s of %u x %u texels is empty", what, v->width, v->height);
	if (v->height > 1 && (v->shape == TEXTURE_LINEAR || v->shape == TEXTURE_A1D))
		return err_set(e, "a %s of one dimension has %u rows", what, v->height);
	if (v->depth > 1 && (v->shape == TEXTURE_LINEAR || v->shape == TEXTURE_2D))
		return err_set(e, "a %s without slices or layers has %u of them", what, v->depth);
	if ((v->shape == TEXTURE_CUBE || v->shape == TEXTURE_ACUBE) && v->width != v->height)
		return err_set(e, "a cube's faces of %u x %u texels are not square", v->width, v->height);
	if (v->shape == TEXTURE_CUBE ? v->depth != 6 : v->shape == TEXTURE_ACUBE && v->depth % 6)
		return v->shape == TEXTURE_CUBE
			       ? err_set(e, "a cube has 6 faces, not %u", v->depth)
			       : err_set(e, "an array of cubes must have 6 faces for each cube, not %u in all", v->depth);
	if (v->srgb && v->format != TEXTURE_U8)
		return err_set(e, "a %s of sRGB must have channels of u8", what);
	if (v->levels > TEXTURE_MAX_LEVELS)
		return err_set(e, "a %s of %u levels, more than %d", what, v->levels, TEXTURE_MAX_LEVELS);
	return 0;
}

/* Fills the pitches of a level that are 0, and checks it against the buffers. */
static int check_level(const struct memory *m, const struct texture_view *v, unsigned level, const char *what,
		       struct texture_level *l, struct err *e)
{
	uint64_t texel = (uint64_t)texture_format_bytes(v->format) * v->channels, all;
	uint32_t width = texture_extent(v, 0, level), height = texture_extent(v, 1, level), depth = texture_extent(v, 2, level);
	uint64_t row = width * texel, slice;

	l->pitch = l->pitch ? l->pitch : row;
	if (l->pitch < row || l->pitch % texel || l->pitch > MOST)
		return err_set(e, "a pitch of %llu bytes for rows of %u texels of %u channel%s of %u byte%s",
			       (unsigned long long)l->pitch, width, v->channels, v->channels == 1 ? "" : "s",
			       texture_format_bytes(v->format), texture_format_bytes(v->format) == 1 ? "" : "s");
	if (l->address % texel)
		return err_set(e, "the %s's address 0x%llx is not a multiple of its texels' %llu bytes", what,
			       (unsigned long long)l->address, (unsigned long long)texel);
	if (height > MOST / l->pitch)
		return err_set(e, "a %s of more than 2^40 bytes", what);
	slice = height * l->pitch;
	l->slice_pitch = l->slice_pitch ? l->slice_pitch : slice;
	if (l->slice_pitch < slice || l->slice_pitch % texel || l->slice_pitch > MOST)
		return err_set(e, "a slice pitch of %llu bytes for %u rows of %llu", (unsigned long long)l->slice_pitch, height,
			       (unsigned long long)l->pitch);
	if (depth > MOST / l->slice_pitch)
		return err_set(e, "a %s of more than 2^40 bytes", what);
	all = (depth - 1) * l->slice_pitch + (height - 1) * l->pitch + row;
	if (!memory_at(m, l->address, all))
		return err_set(e, "the %s needs %llu bytes from 0x%llx on, which are not in one buffer", what,
			       (unsigned long long)all, (unsigned long long)l->address);
	return 0;
}

int texture_check(const struct memory *m, bool surface, struct texture_view *v, struct err *e)
{
	const char *what = surface ? "surface" : "texture";

	v->depth = v->depth ? v->depth : v->shape == TEXTURE_CUBE || v->shape == TEXTURE_ACUBE ? 6 : 1;
	v->levels = v->levels ? v->levels : 1;
	if (check_shape(v, what, e) < 0)
		return -1;
	for (unsigned n = 0; n < v->levels; n++) {
		struct texture_level l = texture_level_of(v, n);

		if (check_level(m, v, n, what, &l, e) < 0)
			return -1;
		if (n) {
			v->level[n - 1] = l;
		} else {
			v->pitch = l.pitch;
			v->slice_pitch = l.slice_pitch;
		}
	}
	return 0;
}
