/* Random textures at random places, beside a reference of another kind: the image is continued without end in every
 * dimension, as its address modes say, and all of it is computed in whole numbers.
 *
 * Coordinates are odd multiples of 2^-20, so that none is at an edge of two texels or half-way between two weights,
 * where the guide leaves a choice. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/random.h"
#include "support/texture.h"

enum { ONE = 1 << 20, MOST = 5 };

static int64_t floor_div(int64_t a, int64_t b)
{
	return a / b - (a % b < 0);
}

/* The texel that the image without end has at i; -1: the border. */
static int64_t continued(int64_t i, int64_t n, enum texture_address mode)
{
	int64_t turn = i - floor_div(i, 2 * n) * 2 * n;

	switch (mode) {
	case TEXTURE_WRAP:
		return turn % n;
	case TEXTURE_MIRROR:
		return turn < n ? turn : 2 * n - 1 - turn;
	case TEXTURE_BORDER:
		return i < 0 || i >= n ? -1 : i;
	default:
		return i < 0 ? 0 : i >= n ? n - 1 : i;
	}
}

struct image {
	struct texture_view v;
	unsigned dimensions;
	float texel[MOST][MOST][MOST];
};

static int64_t value_at(const struct image *m, const int64_t i[3])
{
	int64_t at[3] = {0};

	for (unsigned d = 0; d < m->dimensions; d++) {
		int64_t n = d == 0 ? m->v.width : d == 1 ? m->v.height : m->v.depth;
		bool clamps = !m->v.normalized && m->v.at[d] != TEXTURE_BORDER;

		at[d] = continued(i[d], n, clamps ? TEXTURE_CLAMP : m->v.at[d]);
		if (at[d] < 0)
			return (int64_t)m->v.border[0];
	}
	return (int64_t)m->texel[at[2]][at[1]][at[0]];
}

/* at: in units of 2^-20. */
static float expected(const struct image *m, const int64_t at[3])
{
	int64_t first[3] = {0}, weight[3] = {0}, sum = 0, all = 1;

	for (unsigned d = 0; d < m->dimensions; d++) {
		int64_t n = d == 0 ? m->v.width : d == 1 ? m->v.height : m->v.depth;
		int64_t place = m->v.normalized ? at[d] * n : at[d], twice = 2 * place - ONE;

		first[d] = floor_div(m->v.linear ? twice : 2 * place, 2 * ONE);
		weight[d] = m->v.linear ? ((twice - first[d] * 2 * ONE) * 256 + ONE) / (2 * ONE) : 0;
		all *= 256;
	}
	for (unsigned c = 0; c < 1u << m->dimensions; c++) {
		int64_t i[3], w = 1;

		for (unsigned d = 0; d < 3; d++) {
			i[d] = first[d] + (c >> d & 1);
			w *= d >= m->dimensions ? 1 : c >> d & 1 ? weight[d] : 256 - weight[d];
		}
		sum += w ? w * value_at(m, i) : 0;
	}
	return (float)((double)sum / (double)all);
}

static void make(struct image *m, uint64_t *seed)
{
	m->dimensions = 1 + (unsigned)random_below(seed, 3);
	m->v = (struct texture_view){
		.format = TEXTURE_F32, .channels = 1, .width = 1 + (uint32_t)random_below(seed, MOST), .height = 1, .depth = 1};
	if (m->dimensions > 1)
		m->v.height = 1 + (uint32_t)random_below(seed, MOST);
	if (m->dimensions > 2)
		m->v.depth = 1 + (uint32_t)random_below(seed, MOST);
	m->v.shape = m->dimensions == 3 ? TEXTURE_3D : TEXTURE_2D;
	m->v.pitch = sizeof m->texel[0][0];
	m->v.slice_pitch = sizeof m->texel[0];
	m->v.linear = random_below(seed, 2);
	m->v.normalized = random_below(seed, 2);
	m->v.border[0] = (float)random_below(seed, 1000);
	for (unsigned d = 0; d < 3; d++)
		m->v.at[d] = (enum texture_address)random_below(seed, TEXTURE_ADDRESSES);
	for (unsigned i = 0; i < MOST * MOST * MOST; i++)
		(&m->texel[0][0][0])[i] = (float)random_below(seed, 1000);
}

Test(texture_any, fetch_is_that_of_an_image_without_end)
{
	static const char *const insns[] = {"tex.1d.v4.f32.f32 {%r4, %r5, %r6, %r7}, [%rd3, {%f10}];",
					    "tex.2d.v4.f32.f32 {%r4, %r5, %r6, %r7}, [%rd3, {%f10, %f11}];",
					    "tex.3d.v4.f32.f32 {%r4, %r5, %r6, %r7}, [%rd3, {%f10, %f11, %f12, %f12}];"};
	static struct fetch f[TEXTURE_RIG_THREADS];
	uint64_t seed = 269;

	for (unsigned run = 0; run < 300; run++) {
		struct image m;

		make(&m, &seed);
		memset(f, 0, sizeof f);
		for (unsigned i = 0; i < TEXTURE_RIG_THREADS; i++) {
			int64_t at[3], most = (m.v.normalized ? 3 : 3 * MOST) * ONE;

			for (unsigned d = 0; d < 3; d++) {
				at[d] = ((int64_t)random_below(&seed, (uint64_t)(2 * most)) - most) | 1;
				f[i].at.f[d] = (float)at[d] / ONE;
			}
			f[i].want.f[0] = expected(&m, at);
			f[i].want.f[3] = 1;
		}
		texture_fetches(insns[m.dimensions - 1], m.v, m.texel, sizeof m.texel, f, TEXTURE_RIG_THREADS);
	}
}
