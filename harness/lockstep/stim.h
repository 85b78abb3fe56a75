/* A log of steps: the inputs that a block got, and in which cycle, as few bytes as is cheap.
 *
 * A step takes the difference of its cycle to the step before (1 byte as a rule) and the bytes that each input field
 * needs. Steps are appended while a simulation runs; the log can be shortened from its front when a later state has
 * been kept.
 */
#ifndef HARNESS_LOCKSTEP_STIM_H
#define HARNESS_LOCKSTEP_STIM_H

#include "bind/fields.h"

struct stim {
	const struct bind_side *in;
	unsigned char *data;
	size_t bytes, cap;
	size_t step_bytes;	    /* at most */
	uint64_t first_step, steps; /* number of the first step in the log, counted from the reset; how many there
				     * are */
	uint64_t first_base;	    /* what the first step's cycle is relative to */
	uint64_t last_cycle;
};

struct stim_reader {
	const struct stim *s;
	size_t at;
	uint64_t step, cycle; /* of the step that stim_next gave last */
	bool reset;	      /* the block was reset in that step, its inputs do not count */
};

void stim_init(struct stim *s, const struct bind_side *in);
void stim_free(struct stim *s);
void stim_append(struct stim *s, uint64_t cycle, bool reset, const uint64_t *in);
/* Empty, before that step, which does not come before that cycle. */
void stim_restart(struct stim *s, uint64_t step, uint64_t cycle);
/* A position to drop to: the log's end now. */
struct stim_mark {
	size_t bytes;
	uint64_t step, cycle;
};
struct stim_mark stim_mark(const struct stim *s);
void stim_drop_before(struct stim *s, struct stim_mark m);

void stim_read(struct stim_reader *r, const struct stim *s);
bool stim_next(struct stim_reader *r, uint64_t *in); /* false at the end; in: words of the input side */

#endif
