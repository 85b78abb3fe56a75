// storegpu: MD5 of private chunks of up to 124 bytes, a chunk a thread, staged in shared memory by the whole CTA. In
// shared memory a row of 127 words holds the chunks of the four threads of a lane, one a warp: lanes stand an odd
// number of words apart.
#include "device.h"

enum { THREADS = 128, CHUNK = 31 /* words */, ROW = 4 * CHUNK + 3, LANES = 32 };

// The integer part of 2^32 |sin(i + 1)|, with i + 1 in radians: once the rounds are unrolled, numbers in the
// instructions.
static const __constant__ uint32_t sine[64] = {
	0xd76aa478, 0xe8c7b756, 0x242070db, 0xc1bdceee, 0xf57c0faf, 0x4787c62a, 0xa8304613, 0xfd469501,
	0x698098d8, 0x8b44f7af, 0xffff5bb1, 0x895cd7be, 0x6b901122, 0xfd987193, 0xa679438e, 0x49b40821,
	0xf61e2562, 0xc040b340, 0x265e5a51, 0xe9b6c7aa, 0xd62f105d, 0x02441453, 0xd8a1e681, 0xe7d3fbc8,
	0x21e1cde6, 0xc33707d6, 0xf4d50d87, 0x455a14ed, 0xa9e3e905, 0xfcefa3f8, 0x676f02d9, 0x8d2a4c8a,
	0xfffa3942, 0x8771f681, 0x6d9d6122, 0xfde5380c, 0xa4beea44, 0x4bdecfa9, 0xf6bb4b60, 0xbebfbc70,
	0x289b7ec6, 0xeaa127fa, 0xd4ef3085, 0x04881d05, 0xd9d4d039, 0xe6db99e5, 0x1fa27cf8, 0xc4ac5665,
	0xf4292244, 0x432aff97, 0xab9423a7, 0xfc93a039, 0x655b59c3, 0x8f0ccc92, 0xffeff47d, 0x85845dd1,
	0x6fa87e4f, 0xfe2ce6e0, 0xa3014314, 0x4e0811a1, 0xf7537e82, 0xbd3af235, 0x2ad7d2bb, 0xeb86d391,
};

static __device__ __forceinline__ uint32_t turn(uint32_t v, uint32_t by)
{
	return v << by | v >> (32 - by);
}

// Word i of the padded message: its bytes, a one bit, zeros.
static __device__ __forceinline__ uint32_t message(const uint32_t *chunk, uint32_t i, uint32_t bytes)
{
	uint32_t begins = 4 * i, v = begins < bytes ? chunk[i] : 0;

	if (bytes >= begins && bytes < begins + 4) {
		uint32_t bits = 8 * (bytes - begins);

		v = (v & ((1u << bits) - 1)) | 0x80u << bits;
	}
	return v;
}

// Steps of one round; f mixes three of the words, `first` and `next` say which word of the message a step takes.
#define ROUND(round, f, first, next, r0, r1, r2, r3)                                                                               \
	_Pragma("unroll") for (uint32_t i = 0; i < 16; i++)                                                                        \
	{                                                                                                                          \
		uint32_t by = i % 4 == 0 ? (r0) : i % 4 == 1 ? (r1) : i % 4 == 2 ? (r2) : (r3);                                    \
		uint32_t sum = a + (f) + m[((first) + (next) * i) % 16] + sine[16 * (round) + i];                         \
		a = d;                                                                                                             \
		d = c;                                                                                                             \
		c = b;                                                                                                             \
		b += turn(sum, by);                                                                                                \
	}

extern "C" __global__ void storegpu(const uint32_t *data, uint32_t *digest, uint32_t bytes)
{
	__shared__ uint32_t s[LANES * ROW];
	uint32_t t = threadIdx.x, blocks = (bytes + 8) / 64 + 1, h0 = 0x67452301, h1 = 0xefcdab89, h2 = 0x98badcfe, h3 = 0x10325476;
	const uint32_t *from = data + (uint64_t)blockIdx.x * THREADS * CHUNK, *chunk = s + t % LANES * ROW + t / LANES * CHUNK;
	uint32_t *to = digest + ((uint64_t)blockIdx.x * THREADS + t) * 4;

#pragma unroll 1
	for (uint32_t i = t; i < THREADS * CHUNK; i += THREADS) {
		uint32_t owner = i / CHUNK;

		s[owner % LANES * ROW + owner / LANES * CHUNK + i % CHUNK] = from[i];
	}
	__syncthreads();
#pragma unroll 1
	for (uint32_t k = 0; k < blocks; k++) {
		uint32_t a = h0, b = h1, c = h2, d = h3, m[16];

#pragma unroll
		for (uint32_t i = 0; i < 16; i++)
			m[i] = message(chunk, 16 * k + i, bytes);
		if (k == blocks - 1)
			m[14] = 8 * bytes;
		ROUND(0, (b & c) | (~b & d), 0, 1, 7, 12, 17, 22)
		ROUND(1, (b & d) | (c & ~d), 1, 5, 5, 9, 14, 20)
		ROUND(2, b ^ c ^ d, 5, 3, 4, 11, 16, 23)
		ROUND(3, c ^ (b | ~d), 0, 7, 6, 10, 15, 21)
		h0 += a;
		h1 += b;
		h2 += c;
		h3 += d;
	}
	to[0] = h0;
	to[1] = h1;
	to[2] = h2;
	to[3] = h3;
}
