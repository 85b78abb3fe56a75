/* Varints of the trace format: frames and the tables of ordering accesses. */
#ifndef CSIM_TRACE_VARINT_H
#define CSIM_TRACE_VARINT_H

#include <stdint.h>

enum { VARINT_MAX = 10 /* bytes of the longest */ };

static inline uint64_t zigzag(uint64_t v)
{
	return v << 1 ^ -(v >> 63);
}

static inline uint64_t unzigzag(uint64_t v)
{
	return v >> 1 ^ -(v & 1);
}

/* Returns the byte after it. */
static inline uint8_t *varint_put(uint8_t *p, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		*p++ = (uint8_t)(v | 0x80);
	*p++ = (uint8_t)v;
	return p;
}

#endif
