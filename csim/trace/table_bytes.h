/* Numbers of a trace's tables as bytes, little endian: written to a growing buffer, and read from one that may be
 * damaged. */
#ifndef CSIM_TRACE_TABLE_BYTES_H
#define CSIM_TRACE_TABLE_BYTES_H

#include "trace/trace_impl.h"

static inline void put(struct bytes *b, uint64_t v, unsigned n)
{
	bytes_reserve(b, 8);
	for (unsigned i = 0; i < n; i++)
		b->data[b->n++] = (uint8_t)(v >> 8 * i);
}

/* Reads past the end give 0 and set `wrong`, which keeps the first thing that went wrong. */
struct reader {
	const uint8_t *p, *end;
	const char *wrong;
};

static inline void bad(struct reader *r, const char *why)
{
	if (!r->wrong && why)
		r->wrong = why;
}

static inline uint64_t get(struct reader *r, unsigned n)
{
	uint64_t v = 0;

	if ((size_t)(r->end - r->p) < n) {
		bad(r, "it is cut short");
		r->p = r->end;
		return 0;
	}
	for (unsigned i = 0; i < n; i++)
		v |= (uint64_t)*r->p++ << 8 * i;
	return v;
}

/* A count of things that take `least` bytes or more each; 0 if the rest of the section cannot hold so many. */
static inline uint64_t get_count(struct reader *r, unsigned n, size_t least)
{
	uint64_t v = get(r, n);

	if (v <= (size_t)(r->end - r->p) / least)
		return v;
	bad(r, "a count is larger than what follows");
	return 0;
}

/* tables_folds.c: what is folded of a kernel (trace/folds.h). */
void tables_put_folds(struct bytes *b, const struct trace_kernel *k);
void tables_get_folds(struct reader *r, struct trace_kernel *k);

#endif
