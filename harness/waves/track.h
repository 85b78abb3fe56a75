/* A track of a wave: the text of a block's last transaction (waves/tracks/tracks.h).
 *
 * A text is shown until the next step that has one. A text that repeats the one before it differs from it by a blank at
 * the end, so that a wave shows both.
 */
#ifndef HARNESS_WAVES_TRACK_H
#define HARNESS_WAVES_TRACK_H

#include <stdbool.h>

#include "bind/fields.h"
#include "waves/tracks/tracks.h"

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
