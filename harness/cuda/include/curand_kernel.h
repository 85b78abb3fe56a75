/* Random numbers in kernels, with the names of cuRAND's device interface: XORWOW (G. Marsaglia, "Xorshift RNGs",
 * Journal of Statistical Software 8, 2003) and Philox4x32-10 (J. Salmon et al., "Parallel Random Numbers: As Easy as 1,
 * 2, 3", SC11).
 *
 * The generators are those of the papers; how a seed and a sequence number make a state is ours, so sequences are not
 * cuRAND's number by number. Sequences of Philox are parts of one of 2^130 numbers that cannot overlap; those of XORWOW
 * start at states that a hash of seed and sequence makes.
 */
/* A function a line reads as the table that it is. */
/* clang-format off */
#ifndef LOCUS_CUDA_CURAND_KERNEL_H
#define LOCUS_CUDA_CURAND_KERNEL_H

#include "cuda_runtime.h"

/* ---- states ---- */

struct curandStateXORWOW { unsigned v[5], d; bool has_normal, has_normal_double; float normal; double normal_double; };
struct curandStatePhilox4_32_10 { unsigned counter[4], key[2], output[4], next; bool has_normal, has_normal_double; float normal; double normal_double; };
typedef struct curandStateXORWOW curandStateXORWOW_t, curandState, curandState_t;
typedef struct curandStatePhilox4_32_10 curandStatePhilox4_32_10_t;

/* ---- XORWOW ---- */

LOCUS_DEVICE unsigned curand(curandStateXORWOW_t *s)
{
	unsigned t = s->v[0] ^ s->v[0] >> 2;

	for (int i = 0; i < 4; i++)
		s->v[i] = s->v[i + 1];
	s->v[4] = s->v[4] ^ s->v[4] << 4 ^ t ^ t << 1;
	s->d += 362437;
	return s->d + s->v[4];
}
/* SplitMix64's steps (G. Steele, D. Lea, C. Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014). */
LOCUS_DEVICE unsigned long long locus_mix(unsigned long long *x)
{
	unsigned long long z = *x += 0x9e3779b97f4a7c15ull;

	z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
	z = (z ^ z >> 27) * 0x94d049bb133111ebull;
	return z ^ z >> 31;
}
LOCUS_DEVICE void skipahead(unsigned long long n, curandStateXORWOW_t *s)
{
	for (; n; n--)
		curand(s);
}
LOCUS_DEVICE void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandStateXORWOW_t *s)
{
	unsigned long long x = seed, y = sequence * 0xd1342543de82ef95ull;

	x = locus_mix(&x) ^ locus_mix(&y);
	for (int i = 0; i < 5; i++)
		s->v[i] = (unsigned)(locus_mix(&x) >> 32);
	s->v[4] |= 1; /* never all zero */
	s->d = (unsigned)locus_mix(&x);
	s->has_normal = s->has_normal_double = false;
	skipahead(offset, s);
}

/* ---- Philox ---- */

LOCUS_DEVICE void locus_philox(const unsigned counter[4], unsigned k0, unsigned k1, unsigned out[4])
{
	unsigned a = counter[0], b = counter[1], c = counter[2], d = counter[3];

	for (int round = 0; round < 10; round++) {
		unsigned high0 = __umulhi(0xd2511f53u, a), low0 = 0xd2511f53u * a, high1 = __umulhi(0xcd9e8d57u, c), low1 = 0xcd9e8d57u * c;

		a = high1 ^ b ^ k0;
		b = low1;
		c = high0 ^ d ^ k1;
		d = low0;
		k0 += 0x9e3779b9u;
		k1 += 0xbb67ae85u;
	}
	out[0] = a;
	out[1] = b;
	out[2] = c;
	out[3] = d;
}
LOCUS_DEVICE void locus_philox_advance(curandStatePhilox4_32_10_t *s, unsigned long long blocks)
{
	unsigned long long low = (unsigned long long)s->counter[1] << 32 | s->counter[0], sum = low + blocks;

	s->counter[0] = (unsigned)sum;
	s->counter[1] = (unsigned)(sum >> 32);
	if (sum < low && !++s->counter[2])
		s->counter[3]++;
	locus_philox(s->counter, s->key[0], s->key[1], s->output);
}
LOCUS_DEVICE unsigned curand(curandStatePhilox4_32_10_t *s)
{
	unsigned r = s->next < 2 ? (s->next ? s->output[1] : s->output[0]) : s->next == 2 ? s->output[2] : s->output[3];

	s->next = (s->next + 1) & 3;
	if (!s->next)
		locus_philox_advance(s, 1);
	return r;
}
LOCUS_DEVICE uint4 curand4(curandStatePhilox4_32_10_t *s)
{
	uint4 r;

	r.x = curand(s);
	r.y = curand(s);
	r.z = curand(s);
	r.w = curand(s);
	return r;
}
LOCUS_DEVICE void skipahead(unsigned long long n, curandStatePhilox4_32_10_t *s)
{
	unsigned long long at = s->next + n % 4;

	s->next = (unsigned)(at & 3);
	locus_philox_advance(s, n / 4 + at / 4);
}
LOCUS_DEVICE void curand_init(unsigned long long seed, unsigned long long sequence, unsigned long long offset, curandStatePhilox4_32_10_t *s)
{
	s->key[0] = (unsigned)seed;
	s->key[1] = (unsigned)(seed >> 32);
	s->counter[0] = s->counter[1] = 0;
	s->counter[2] = (unsigned)sequence;
	s->counter[3] = (unsigned)(sequence >> 32);
	s->next = 0;
	s->has_normal = s->has_normal_double = false;
	skipahead(offset, s);
}

/* ---- distributions, of either generator. Uniform numbers are in (0, 1] ---- */

LOCUS_DEVICE float locus_unit(unsigned x) { return __builtin_fmaf((float)x, 0x1p-32f, 0x1p-33f); }
LOCUS_DEVICE double locus_unit_double(unsigned x, unsigned y)
{
	return (double)(((unsigned long long)y << 21 ^ x) & ((1ull << 53) - 1)) * 0x1p-53 + 0x1p-54;
}
/* Two independent ones, by G. Box and M. Muller's transform. */
LOCUS_DEVICE float2 locus_normals(unsigned x, unsigned y)
{
	float r = sqrtf(-2.0f * logf(locus_unit(x))), s, c;

	sincospif(2.0f * locus_unit(y), &s, &c);
	return float2{r * s, r * c};
}
LOCUS_DEVICE double2 locus_normals_double(double u, double v)
{
	double r = sqrt(-2.0 * log(u)), s, c;

	sincospi(2.0 * v, &s, &c);
	return double2{r * s, r * c};
}
/* Poisson: steps of an exponential clock until the time is lambda, in portions whose exp() does not vanish. */
#define LOCUS_DISTRIBUTIONS(state)                                                                                                 \
	LOCUS_DEVICE float curand_uniform(state *s) { return locus_unit(curand(s)); }                                              \
	LOCUS_DEVICE double curand_uniform_double(state *s)                                                                        \
	{                                                                                                                          \
		unsigned x = curand(s), y = curand(s);                                                                             \
		return locus_unit_double(x, y);                                                                                    \
	}                                                                                                                          \
	LOCUS_DEVICE float2 curand_normal2(state *s)                                                                               \
	{                                                                                                                          \
		unsigned x = curand(s), y = curand(s);                                                                             \
		return locus_normals(x, y);                                                                                        \
	}                                                                                                                          \
	LOCUS_DEVICE double2 curand_normal2_double(state *s)                                                                       \
	{                                                                                                                          \
		double u = curand_uniform_double(s), v = curand_uniform_double(s);                                                 \
		return locus_normals_double(u, v);                                                                                 \
	}                                                                                                                          \
	LOCUS_DEVICE float curand_normal(state *s)                                                                                 \
	{                                                                                                                          \
		if ((s->has_normal = !s->has_normal)) {                                                                            \
			float2 two = curand_normal2(s);                                                                            \
			s->normal = two.y;                                                                                         \
			return two.x;                                                                                              \
		}                                                                                                                  \
		return s->normal;                                                                                                  \
	}                                                                                                                          \
	LOCUS_DEVICE double curand_normal_double(state *s)                                                                         \
	{                                                                                                                          \
		if ((s->has_normal_double = !s->has_normal_double)) {                                                              \
			double2 two = curand_normal2_double(s);                                                                    \
			s->normal_double = two.y;                                                                                  \
			return two.x;                                                                                              \
		}                                                                                                                  \
		return s->normal_double;                                                                                           \
	}                                                                                                                          \
	LOCUS_DEVICE float curand_log_normal(state *s, float mean, float deviation)                                                \
	{                                                                                                                          \
		return expf(mean + deviation * curand_normal(s));                                                                  \
	}                                                                                                                          \
	LOCUS_DEVICE double curand_log_normal_double(state *s, double mean, double deviation)                                      \
	{                                                                                                                          \
		return exp(mean + deviation * curand_normal_double(s));                                                            \
	}                                                                                                                          \
	LOCUS_DEVICE float2 curand_log_normal2(state *s, float mean, float deviation)                                              \
	{                                                                                                                          \
		float2 n = curand_normal2(s);                                                                                      \
		return float2{expf(mean + deviation * n.x), expf(mean + deviation * n.y)};                                         \
	}                                                                                                                          \
	LOCUS_DEVICE unsigned curand_poisson(state *s, double lambda)                                                              \
	{                                                                                                                          \
		unsigned n = 0;                                                                                                    \
		for (double left = lambda; left > 0; left -= 500) {                                                                \
			double limit = exp(-(left < 500 ? left : 500)), product = curand_uniform_double(s);                        \
			for (; product > limit; n++)                                                                               \
				product *= curand_uniform_double(s);                                                               \
		}                                                                                                                  \
		return n;                                                                                                          \
	}
LOCUS_DISTRIBUTIONS(curandStateXORWOW_t)
LOCUS_DISTRIBUTIONS(curandStatePhilox4_32_10_t)
#undef LOCUS_DISTRIBUTIONS
LOCUS_DEVICE float4 curand_uniform4(curandStatePhilox4_32_10_t *s)
{
	uint4 x = curand4(s);

	return float4{locus_unit(x.x), locus_unit(x.y), locus_unit(x.z), locus_unit(x.w)};
}
LOCUS_DEVICE double2 curand_uniform2_double(curandStatePhilox4_32_10_t *s)
{
	uint4 x = curand4(s);

	return double2{locus_unit_double(x.x, x.y), locus_unit_double(x.z, x.w)};
}
LOCUS_DEVICE float4 curand_normal4(curandStatePhilox4_32_10_t *s)
{
	uint4 x = curand4(s);
	float2 a = locus_normals(x.x, x.y), b = locus_normals(x.z, x.w);

	return float4{a.x, a.y, b.x, b.y};
}

#endif
