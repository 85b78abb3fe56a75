/* What a block does, in words: the text of the last transaction, as a track of a wave ("SM 3 takes CTA 17").
 *
 * A step is told from its inputs and outputs and the registers before and after its edge, all as the golden twin's C
 * structs; where the RTL runs alone they hold its values. What is told at one edge is joined by "; ". The text stands
 * until the next step of which there is something to tell; one that repeats the text before it ends in a blank more or
 * less, so that a wave shows both.
 */
#ifndef HARNESS_WAVES_TRACK_H
#define HARNESS_WAVES_TRACK_H

#include <stdbool.h>

#include "bind/abi.h"
#include "bind/fields.h"

struct track_step {
	const void *in, *out, *before, *after; /* struct xyz_in, xyz_out, xyz, xyz */
	const void *params;
};

struct track_text {
	char at[BIND_TEXT + 1];
	size_t n;
	bool main; /* it is what the block is there for: a clean wave opens on the first such text */
};

/* Adds to what is told; what has no room is cut, and ends in "..". */
void track_say(struct track_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same, of what the block is there for. */
#define track_say_main(t, ...) ((t)->main = true, track_say(t, __VA_ARGS__))

typedef void track_teller(const struct track_step *s, struct track_text *t);
/* NULL: nobody tells of that block. */
track_teller *track_of(const struct hw_block *b);

struct track {
	const struct bind_layout *layout;
	track_teller *tell; /* NULL: nothing is told */
	const void *params;
	void *in, *out, *before, *after;
	struct track_text text; /* the last one */
};

/* layout and params must outlive it. */
void track_init(struct track *t, const struct hw_block *b, const void *params, const struct bind_layout *l);
void track_free(struct track *t);

/* What is so before the edge, as words; and the registers after it (NULL: a block without). True: t->text is new. */
void track_before(struct track *t, const uint64_t *in, const uint64_t *out, const uint64_t *reg);
bool track_after(struct track *t, const uint64_t *reg);

#endif
