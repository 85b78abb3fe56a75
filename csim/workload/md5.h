/* MD5 (RFC 1321) by the host, for the reference results of workloads that hash.
 *
 * The table of constants is computed from its definition, the integer part of 2^32 |sin(i)| with i in radians, not
 * copied.
 */
#ifndef CSIM_WORKLOAD_MD5_H
#define CSIM_WORKLOAD_MD5_H

#include <math.h>
#include <stdint.h>
#include <string.h>

static inline void md5_block(uint32_t state[4], const uint8_t block[64])
{
	static const uint8_t turn[4][4] = {{7, 12, 17, 22}, {5, 9, 14, 20}, {4, 11, 16, 23}, {6, 10, 15, 21}};
	uint32_t a = state[0], b = state[1], c = state[2], d = state[3];

	for (unsigned i = 0; i < 64; i++) {
		unsigned round = i / 16, by = turn[round][i % 4];
		unsigned word = (round == 0 ? i : round == 1 ? 5 * i + 1 : round == 2 ? 3 * i + 5 : 7 * i) % 16;
		uint32_t f = round == 0	  ? (b & c) | (~b & d)
			     : round == 1 ? (b & d) | (c & ~d)
			     : round == 2 ? b ^ c ^ d
					  : c ^ (b | ~d);
		uint32_t m = block[4 * word] | (uint32_t)block[4 * word + 1] << 8 | (uint32_t)block[4 * word + 2] << 16 |
			     (uint32_t)block[4 * word + 3] << 24;
		uint32_t sum = a + f + m + (uint32_t)floor(fabs(sin(i + 1.0)) * 4294967296.0);

		a = d;
		d = c;
		c = b;
		b += sum << by | sum >> (32 - by);
	}
	state[0] += a;
	state[1] += b;
	state[2] += c;
	state[3] += d;
}

/* The digest of n bytes as four words, the first byte of the digest in the lowest bits of the first. */
static inline void md5(const uint8_t *bytes, uint64_t n, uint32_t state[4])
{
	uint8_t last[128] = {0};
	uint64_t rest = n % 64, padded = rest < 56 ? 64 : 128;

	state[0] = 0x67452301;
	state[1] = 0xefcdab89;
	state[2] = 0x98badcfe;
	state[3] = 0x10325476;
	for (uint64_t i = 0; i + 64 <= n; i += 64)
		md5_block(state, bytes + i);
	if (rest)
		memcpy(last, bytes + n - rest, rest);
	last[rest] = 0x80;
	for (unsigned i = 0; i < 8; i++)
		last[padded - 8 + i] = (uint8_t)(8 * n >> 8 * i);
	for (uint64_t i = 0; i < padded; i += 64)
		md5_block(state, last + i);
}

#endif
