#include "ptx/texture_sample.h"

#include <math.h>
#include <string.h>

/* Along one dimension: the texels that count, -1 for one outside that has the border's colour. */
struct spot {
	unsigned n; /* of them, 1 or 2 */
	int64_t at[2];
	double weight[2];
	int64_t nearest; /* inside, whatever the address mode */
};

bool texture_source_of(const struct memory *m, const struct texture *t, struct texture_source *s)
{
	s->t = t;
	for (unsigned n = 0; n < t->view.levels; n++) {
		s->level[n] = memory_at(m, texture_level_of(&t->view, n).address, texture_level_bytes(&t->view, n));
		if (!s->level[n])
			return false;
	}
	return true;
}

/* ---- places ---- */

static bool is_cube(const struct texture_view *v)
{
	return v->shape == TEXTURE_CUBE || v->shape == TEXTURE_ACUBE;
}

static bool is_normalized(const struct texture_view *v)
{
	return is_cube(v) || (v->normalized && v->shape != TEXTURE_LINEAR);
}

static enum texture_address mode_of(const struct texture_view *v, unsigned d, const struct texture_point *p)
{
	bool folds = v->at[d] == TEXTURE_WRAP || v->at[d] == TEXTURE_MIRROR;

	if (v->shape == TEXTURE_LINEAR)
		return TEXTURE_BORDER;
	return folds && (p->integer || !is_normalized(v)) ? TEXTURE_CLAMP : v->at[d];
}

static int64_t inside(int64_t i, uint32_t n)
{
	return i < 0 ? 0 : i < n ? i : (int64_t)n - 1;
}

static int64_t addressed(int64_t i, uint32_t n, enum texture_address mode)
{
	if (i >= 0 && i < n)
		return i;
	if (mode == TEXTURE_BORDER)
		return -1;
	return mode == TEXTURE_WRAP ? (i % n + n) % n : inside(i, n);
}

/* A normalised coordinate, folded as wrap and mirror say. */
static double folded(double x, enum texture_address mode)
{
	double whole = floor(x), rest = x - whole;

	if (mode == TEXTURE_WRAP)
		return rest >= 1 ? 0x1.fffffffffffffp-1 : rest; /* just below a whole number, it has been rounded */
	if (mode == TEXTURE_MIRROR)
		return fmod(whole, 2) != 0 ? 1 - rest : rest;
	return x;
}

/* In texels from the image's begin. */
static double place(const struct texture_view *v, const struct texture_point *p, unsigned d, uint32_t n, enum texture_address mode)
{
	double x = (double)p->at[d];

	if (is_normalized(v))
		x = folded(x, mode) * n;
	return isnan(x) ? 0 : x > 0x1p40 ? 0x1p40 : x < -0x1p40 ? -0x1p40 : x;
}

/* The texel in which the point is. */
static int64_t cell(const struct texture_view *v, const struct texture_point *p, unsigned d, uint32_t n, enum texture_address mode)
{
	if (d >= p->n)
		return 0;
	return p->integer ? p->cell[d] : (int64_t)floor(place(v, p, d, n, mode));
}

static struct spot spot_at(int64_t i)
{
	return (struct spot){1, {i, 0}, {1, 0}, i};
}

static double fixed_point(double fraction)
{
	return floor(fraction * 256 + 0.5) / 256;
}

static struct spot spot_between(double x, uint32_t n, enum texture_address mode)
{
	double low = floor(x - 0.5), a = fixed_point(x - 0.5 - low);
	int64_t i = (int64_t)low;

	return (struct spot){2, {addressed(i, n, mode), addressed(i + 1, n, mode)}, {1 - a, a}, inside((int64_t)floor(x), n)};
}

/* Where a direction meets the cube around it: the face, and its coordinates from 0 to 1 (the table in the guide's
 * section "Cubemap Textures"). */
static struct texture_point on_face(const struct texture_point *p, unsigned *face)
{
	float x = p->at[0], y = p->at[1], z = p->at[2], ax = fabsf(x), ay = fabsf(y), az = fabsf(z), m, s, t;
	struct texture_point q = *p;

	if (ax > ay && ax > az) {
		*face = x < 0;
		m = ax;
		s = x < 0 ? z : -z;
		t = -y;
	} else if (ay > az) {
		*face = 2 + (y < 0);
		m = ay;
		s = x;
		t = y < 0 ? -z : z;
	} else {
		*face = 4 + (z < 0);
		m = az;
		s = z < 0 ? -x : x;
		t = -y;
	}
	q.n = 2;
	q.at[0] = (s / m + 1) / 2;
	q.at[1] = (t / m + 1) / 2;
	return q;
}

/* The slice of all shapes but 3D. */
static uint32_t slice_of(const struct texture_view *v, uint32_t layer, unsigned face)
{
	uint32_t faces = is_cube(v) ? 6 : 1, n = v->depth / faces;

	return (layer < n ? layer : n - 1) * faces + face;
}

/* The texel at the point, inside the image; false: the point is outside and has the border's colour. */
static bool locate_nearest(const struct texture_view *v, const struct texture_point *asked, unsigned level, int64_t at[3])
{
	unsigned face = 0, dimensions = v->shape == TEXTURE_3D ? 3 : 2;
	struct texture_point p = is_cube(v) ? on_face(asked, &face) : *asked;
	bool is_inside = true;

	at[2] = dimensions == 2 ? slice_of(v, p.layer, face) : 0;
	for (unsigned d = 0; d < dimensions; d++) {
		enum texture_address mode = mode_of(v, d, &p);
		uint32_t n = texture_extent(v, d, level);

		at[d] = addressed(cell(v, &p, d, n, mode), n, mode);
		is_inside &= at[d] >= 0;
		if (at[d] < 0)
			at[d] = inside(cell(v, &p, d, n, mode), n);
	}
	return is_inside;
}

/* The texels around the point. */
static void locate_linear(const struct texture_view *v, const struct texture_point *asked, unsigned level, struct spot at[3])
{
	unsigned face = 0, dimensions = v->shape == TEXTURE_3D ? 3 : 2;
	struct texture_point p = is_cube(v) ? on_face(asked, &face) : *asked;

	at[2] = spot_at(dimensions == 2 ? slice_of(v, p.layer, face) : 0);
	for (unsigned d = 0; d < dimensions; d++) {
		enum texture_address mode = mode_of(v, d, &p);
		uint32_t n = texture_extent(v, d, level);

		at[d] = d < p.n ? spot_between(place(v, &p, d, n, mode), n, mode) : spot_at(0);
	}
}

/* ---- texels ---- */

static float as_f32(uint32_t bits)
{
	float f;

	memcpy(&f, &bits, sizeof f);
	return f;
}

static uint32_t as_bits(float f)
{
	uint32_t bits;

	memcpy(&bits, &f, sizeof bits);
	return bits;
}

static uint64_t offset_of(const struct texture *t, unsigned level, int64_t x, int64_t y, int64_t z)
{
	struct texture_level l = texture_level_of(&t->view, level);

	return (uint64_t)z * l.slice_pitch + (uint64_t)y * l.pitch + (uint64_t)x * t->texel_bytes;
}

static uint32_t border(const struct texture_view *v, unsigned k, bool as_float)
{
	if (v->shape == TEXTURE_LINEAR)
		return 0;
	if (k >= v->channels)
		return k < 3 ? 0 : as_float ? as_bits(1) : 1;
	if (as_float)
		return as_bits(v->border[k]);
	return (uint32_t)(int64_t)(fabsf(v->border[k]) < 4294967296.0F ? v->border[k] : 0);
}

static uint32_t texel(const struct texture_source *s, unsigned level, const int64_t at[3], unsigned k, bool as_float)
{
	if (at[0] < 0 || at[1] < 0 || at[2] < 0)
		return border(&s->t->view, k, as_float);
	return texture_channel(s->t, s->level[level] + offset_of(s->t, level, at[0], at[1], at[2]), k, as_float);
}

/* A channel of what a linear filter makes of the texels. */
static uint32_t filtered(const struct texture_source *s, unsigned level, const struct spot at[3], unsigned k)
{
	double sum = 0;

	for (unsigned c = 0; c < at[0].n * at[1].n * at[2].n; c++) {
		unsigned i = c % at[0].n, j = c / at[0].n % at[1].n, l = c / at[0].n / at[1].n;
		double weight = at[0].weight[i] * at[1].weight[j] * at[2].weight[l];

		if (weight > 0) /* what has no weight may be infinite */
			sum += weight *
			       (double)as_f32(texel(s, level, (int64_t[]){at[0].at[i], at[1].at[j], at[2].at[l]}, k, true));
	}
	return as_bits((float)sum);
}

/* ---- levels ---- */

/* The level, and how much of the next one is mixed in. */
static unsigned level_of(const struct texture_view *v, const struct texture_point *p, double *next)
{
	double level = (double)p->level + (double)v->level_bias, most = v->levels - 1;

	*next = 0;
	if (!p->mipmapped || v->levels == 1 || isnan(level))
		return 0;
	level = fmin(fmax(level, (double)v->level_min), (double)v->level_max);
	level = fmin(fmax(level, 0), most);
	if (!v->level_linear)
		return (unsigned)floor(level + 0.5);
	*next = level < most ? fixed_point(level - floor(level)) : 0;
	return (unsigned)floor(level);
}

float texture_gradient_level(const struct texture_view *v, const float dx[3], const float dy[3], unsigned dimensions)
{
	double x = 0, y = 0;

	for (unsigned d = 0; d < dimensions; d++) {
		double scale = v->normalized ? texture_extent(v, d, 0) : 1;

		x += (double)dx[d] * scale * (double)dx[d] * scale;
		y += (double)dy[d] * scale * (double)dy[d] * scale;
	}
	return (float)(log2(x > y ? x : y) / 2);
}

/* ---- fetches ---- */

static uint64_t address_of(const struct texture *t, unsigned level, int64_t x, int64_t y, int64_t z)
{
	return texture_level_of(&t->view, level).address + offset_of(t, level, x, y, z);
}

static uint64_t sample_nearest(const struct texture_source *s, const struct texture_point *p, unsigned level, bool as_float,
			       uint32_t out[4])
{
	int64_t at[3];
	bool is_inside = locate_nearest(&s->t->view, p, level, at);
	uint64_t offset = offset_of(s->t, level, at[0], at[1], at[2]);

	for (unsigned k = 0; k < 4; k++)
		out[k] =
			is_inside ? texture_channel(s->t, s->level[level] + offset, k, as_float) : border(&s->t->view, k, as_float);
	return texture_level_of(&s->t->view, level).address + offset;
}

static uint64_t sample_linear(const struct texture_source *s, const struct texture_point *p, unsigned level, uint32_t out[4])
{
	struct spot at[3];

	locate_linear(&s->t->view, p, level, at);
	for (unsigned k = 0; k < 4; k++)
		out[k] = filtered(s, level, at, k);
	return address_of(s->t, level, at[0].nearest, at[1].nearest, at[2].nearest);
}

static uint64_t sample_level(const struct texture_source *s, const struct texture_point *p, unsigned level, bool as_float,
			     uint32_t out[4])
{
	bool linear = s->t->view.linear && as_float && !p->integer && s->t->view.shape != TEXTURE_LINEAR;

	return linear ? sample_linear(s, p, level, out) : sample_nearest(s, p, level, as_float, out);
}

uint64_t texture_sample(const struct texture_source *s, const struct texture_point *p, bool as_float, uint32_t out[4])
{
	double next;
	unsigned level = level_of(&s->t->view, p, &next);
	uint64_t address = sample_level(s, p, level, as_float, out);
	uint32_t above[4];

	if (next > 0 && as_float) {
		sample_level(s, p, level + 1, true, above);
		for (unsigned k = 0; k < 4; k++)
			out[k] = as_bits((float)((1 - next) * (double)as_f32(out[k]) + next * (double)as_f32(above[k])));
	}
	return address;
}

uint64_t texture_gather(const struct texture_source *s, const struct texture_point *p, unsigned channel, bool as_float,
			uint32_t out[4])
{
	static const uint8_t order[4][2] = {{0, 1}, {1, 1}, {1, 0}, {0, 0}};
	struct spot at[3];

	locate_linear(&s->t->view, p, 0, at);
	for (unsigned c = 0; c < 4; c++)
		out[c] = texel(s, 0, (int64_t[]){at[0].at[order[c][0]], at[1].at[order[c][1]], at[2].at[0]}, channel, as_float);
	return address_of(s->t, 0, at[0].nearest, at[1].nearest, at[2].nearest);
}
