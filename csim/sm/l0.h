/* The L0 instruction cache of one scheduler, with a stream buffer behind it.
 *
 * It has whole lines and gives one lookup a cycle. A line that is not there is asked for, and its way, that of the
 * least recently used line, is reserved until it comes. Of lines that are found again and again while none takes a way
 * the first time counts as their use. With a stream buffer of N lines such a miss makes the buffer the N lines that
 * follow, which are asked for one behind the other. A later miss that is of the buffer's first line takes it into the
 * L0, at once if it has come, and the buffer goes one line further; a miss of any other line empties the buffer and
 * fills it anew. Lines behind the kernel's last one are not asked for. What comes and is not wanted any more is
 * dropped.
 *
 * Requests wait here until the SM's instruction cache takes them: misses first, then the buffer's, in order; no more
 * than L0_MOST_OUT are out at a time.
 *
 * Source: an L0 a sub-core with an instruction prefetcher, taken for a stream buffer: Huerta et al., "Dissecting and
 * Modeling the Architecture of Modern GPU Cores" (MICRO 2025), section 5.2; stream buffers: Jouppi, "Improving
 * Direct-Mapped Cache Performance by the Addition of a Small Fully-Associative Cache and Prefetch Buffers" (ISCA 1990),
 * section 4.1. L0_MOST_OUT is the model's own.
 */
#ifndef CSIM_SM_L0_H
#define CSIM_SM_L0_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/tags.h"
#include "machine/machine.h"

enum { L0_MOST_OUT = 64, L0_FOUND = 32 };

enum l0_result {
	L0_HIT,
	L0_WAITS, /* the line is on its way */
	L0_FULL	  /* all ways of its set, or too many misses, wait: to be tried again when a line has come */
};

struct l0_stats {
	/* lookups that found the line; found it on its way, as the buffer's first, nowhere */
	uint64_t hits, waits, stream, misses;
	uint64_t demands, prefetches; /* requests that have left: of lookups, the buffer's */
	uint64_t came;		      /* their lines */
	uint64_t fetched;	      /* instructions that went into buffers: counted by sm/fetch_l0s.c */
};

static inline uint64_t l0_lookups(const struct l0_stats *s)
{
	return s->hits + s->waits + s->stream + s->misses;
}

struct l0 {
	/* By number mod L0_FOUND the low bits of one that was found since a line took a way last, or those of no such
	 * number. Lines of more than 2^32 numbers are never looked up. */
	uint32_t found[L0_FOUND];
	struct l0_stats stats;
	uint64_t first;		   /* of the stream buffer's lines: first, first + 1, ... */
	uint32_t n, asked, depth;  /* how many they are, of how many the requests have left; how many it holds */
	uint32_t head, tail, mask; /* of `demand`, counted up indefinitely */
	uint32_t out;		   /* requests that the instruction cache has taken and not answered */
	uint64_t here;		   /* of the buffer's lines, those that have come, by number mod 64 */
	uint64_t *demand;	   /* ring: lines of misses that are to be asked for */
	struct tags tags;
};

/* Of a machine with l0.bytes > 0. */
void l0_init(struct l0 *l, struct arena *a, const struct machine *m);

/* A lookup for an instruction in line number `line`, if that is a quick hit; */
static inline bool l0_finds(struct l0 *l, uint64_t line)
{
	bool found = l->found[line % L0_FOUND] == (uint32_t)line;

	l->stats.hits += found;
	return found;
}

/* if not, this is the lookup. The kernel ends ahead of line number `end`. */
enum l0_result l0_search(struct l0 *l, uint64_t line, uint64_t end);

static inline bool l0_has_request(const struct l0 *l)
{
	return (l->head != l->tail || l->asked < l->n) && l->out < L0_MOST_OUT;
}

/* The next request, of which there is one, leaves: the number of its line. */
uint64_t l0_request(struct l0 *l);

/* A line comes. */
void l0_take(struct l0 *l, uint64_t line);

#endif
