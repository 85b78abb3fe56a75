/* Random steps for any block, from its list of fields alone: the inputs of each are corners (corner.h) beside the
 * block's own registers and outputs.
 *
 * A golden twin is stepped along, so that an address can be one off the base that a table holds, a tag can differ from
 * a stored one in its highest bit, and a response can have the tag of the request that waits for it. The steps come in
 * episodes that begin with a reset. In an episode the values of a field are corners, or small numbers, with which a
 * search over all CTAs comes to its end, or most of them values that the block knows: the way that it gave, the request
 * that it made. Inputs of one bit are high at a rate that lasts for some tens of steps, 0 and 1 among them. Inputs
 * whose names begin alike are a group: now and then it is held, as a valid input that waits for its ready is, or held
 * but for one changed bit of one of its fields. `now` counts, but for a jump now and then.
 *
 * The same block, parameters and seed give the same steps. None of the blocks' protocols is kept to, but nothing in
 * them forbids what comes of that: twin and RTL have to agree in all of it.
 *
 * A field's points of coverage count only while the valid input of its group is high: what a block does not look at
 * meets nothing.
 */
#ifndef TESTS_SUPPORT_CORNER_STIMULUS_H
#define TESTS_SUPPORT_CORNER_STIMULUS_H

#include <stdbool.h>

#include "hw/block.h"
#include "support/corner.h"

enum { CORNER_FIELDS = HW_SIDES * HW_MAX_FIELDS };

struct corner_stimulus {
	const struct hw_block *block;
	const void *params;
	uint64_t seed;
	uint64_t cycle;	   /* of the inputs that were given last */
	bool reset;	   /* the block is reset in that step, its inputs do not count */
	unsigned episode;  /* steps that it has left after this one */
	void *in;	   /* struct xyz_in, given last */
	void *state, *out; /* of the twin */
	unsigned n[HW_SIDES], n_all;
	struct hw_field field[HW_SIDES][HW_MAX_FIELDS];
	struct corner_known {
		enum hw_side side;
		unsigned field;
	} all[CORNER_FIELDS]; /* inputs, outputs, registers */
	struct corner_input {
		enum corner_draws { DRAWS_CORNERS, DRAWS_SMALL, DRAWS_KNOWN } draws; /* in this episode */
		unsigned rate, hold; /* it is 1 in so many of 16 steps; a group is redrawn in one of so many */
		unsigned first;	     /* field of its group, whose `hold` counts */
		unsigned last;	     /* of its group */
		int valid;	     /* the field that says whether this one counts; -1: always */
		struct corner_points points;
		uint16_t related[CORNER_FIELDS]; /* from each of `all` on, the first that is as wide as this one */
	} input[HW_MAX_FIELDS];
};

/* params stay the caller's, and have to stay. */
void corner_stimulus_init(struct corner_stimulus *s, const struct hw_block *b, const void *params, uint64_t seed);
void corner_stimulus_free(struct corner_stimulus *s);

/* The next step: s->in, s->cycle, s->reset. */
void corner_stimulus_next(struct corner_stimulus *s);

/* Adds the points of all inputs. */
void corner_stimulus_count(const struct corner_stimulus *s, struct corner_tally *t);
/* Each input that has not met all of its points, with those; nothing if all have. */
void corner_stimulus_print_missing(const struct corner_stimulus *s, FILE *to);

#endif
