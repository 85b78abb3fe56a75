/* Where the frames of a trace are: an entry for each, in the order of their CTAs.
 *
 * A run of 10^10 warp instructions has millions of CTAs, of which a handful are alive at a time. So only the first
 * FRAMES_HELD entries are held in memory; those behind them go to a nameless file of their own, and an entry is read
 * from there when its CTA is. What a trace holds does not grow with its CTAs.
 */
#ifndef CSIM_TRACE_FRAME_INDEX_H
#define CSIM_TRACE_FRAME_INDEX_H

#include <stdint.h>

#include "base/err.h"
#include "trace/trace.h"

struct frame {
	const uint8_t *mem; /* compressed bytes, or NULL: at `offset` of the file */
	uint64_t offset;
	uint64_t hash;	      /* XXH64 of the bytes before compression */
	uint32_t stored, raw; /* bytes compressed, and before */
};

enum { FRAMES_HELD = 1 << 16, FRAMES_BLOCK = 1 << 12 /* are written at a time */ };

struct frame_index {
	uint64_t n;
	struct trace_sizes sizes; /* of all frames */
	struct frame *held;	  /* the first, at most FRAMES_HELD */
	uint64_t cap_held;
	struct frame *block; /* those that are to be written: the last n_block */
	uint32_t n_block;
	int fd; /* of the nameless file; -1: none yet */
};

void frame_index_init(struct frame_index *s);
void frame_index_free(struct frame_index *s);

/* Errors, of both: the nameless file. frame_index_read() may be called from several threads while none adds. */
int frame_index_add(struct frame_index *s, const struct frame *f, struct err *e);
/* Those from number `first` on: n of them, which are there. */
int frame_index_read(const struct frame_index *s, uint64_t first, uint64_t n, struct frame *out, struct err *e);

#endif
