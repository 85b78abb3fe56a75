/* Sectors: the parts of a line that are there, on their way or missing by themselves.
 *
 * A line of a cache has 1, 2 or 4 sectors of equal size, numbered from its start. A set of them is a bit mask, bit 0
 * the first sector. A cache of whole lines is one of lines of one sector: nothing else tells the two apart.
 *
 * Bytes of a line are a mask too: 128 bits, bit 0 of byte[0] the first byte. Lines are of up to 128 bytes, sectors of
 * at least 8.
 */
#ifndef CSIM_CACHE_SECTORS_H
#define CSIM_CACHE_SECTORS_H

#include <stdint.h>

struct sectors {
	uint32_t n;	/* of a line: 1, 2, 4 */
	uint32_t bytes; /* of a sector */
	uint8_t all;	/* the mask of a whole line */
};

static inline struct sectors sectors_of_lines(uint32_t line_bytes, uint32_t n)
{
	return (struct sectors){n, line_bytes / n, (uint8_t)((1u << n) - 1)};
}

/* The bytes of sector i, of two sectors or more: of 64 bytes at most. */
static inline uint64_t sectors_word(const struct sectors *s, const uint64_t bytes[2], uint32_t i)
{
	uint32_t at = i * s->bytes;

	return bytes[at / 64] >> at % 64 & UINT64_MAX >> (64 - s->bytes);
}

/* The sectors that have a byte of the mask; of a whole line: the line. */
static inline uint32_t sectors_touched(const struct sectors *s, const uint64_t bytes[2])
{
	uint32_t set = 0;

	if (s->n == 1)
		return 1;
	for (uint32_t i = 0; i < s->n; i++)
		set |= (uint32_t)(sectors_word(s, bytes, i) != 0) << i;
	return set;
}

/* The sectors of which the mask has every byte. */
static inline uint32_t sectors_covered(const struct sectors *s, const uint64_t bytes[2])
{
	uint32_t set = 0;

	if (s->n == 1)
		return s->bytes > 64	? (bytes[0] & bytes[1]) == UINT64_MAX
		       : s->bytes == 64 ? bytes[0] == UINT64_MAX
					: bytes[0] == (UINT64_C(1) << s->bytes) - 1;
	for (uint32_t i = 0; i < s->n; i++)
		set |= (uint32_t)(sectors_word(s, bytes, i) == UINT64_MAX >> (64 - s->bytes)) << i;
	return set;
}

/* All bytes of a set of sectors. */
static inline void sectors_bytes(const struct sectors *s, uint32_t set, uint64_t bytes[2])
{
	if (set == s->all && s->n * s->bytes == 128) {
		bytes[0] = bytes[1] = UINT64_MAX;
		return;
	}
	bytes[0] = bytes[1] = 0;
	for (uint32_t b = 0; b < s->n * s->bytes; b += 8)
		if (set >> b / s->bytes & 1)
			bytes[b / 64] |= UINT64_C(0xff) << b % 64;
}

static inline uint32_t sectors_first(uint32_t set)
{
	return (uint32_t)__builtin_ctz(set);
}

static inline uint32_t sectors_count(uint32_t set)
{
	return (uint32_t)__builtin_popcount(set);
}

#endif
