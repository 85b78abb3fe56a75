/* A wave file of one block: RTL and golden signals side by side, in a window of cycles.
 *
 * A cycle is ten time units: dumps at 10 c (inputs and outputs before the edge) and, for a clocked block, at 10 c + 5
 * (after it). Where a block was not stepped, because nothing was there to do, its clock stands still. Several steps of
 * a combinational block in one cycle follow one another a unit apart.
 */
#ifndef HARNESS_WAVES_WAVE_H
#define HARNESS_WAVES_WAVE_H

#include <stdbool.h>

#include "base/err.h"
#include "bind/abi.h"
#include "bind/fields.h"
#include "waves/gtkw.h"
#include "waves/track.h"

/* The instance that is watched. */
struct wave_source {
	const struct hw_block *block;
	const void *params;
	const struct bind_layout *layout;
	const struct bind_abi *abi;
	void *rtl;
};

struct wave {
	const struct bind_abi *abi;
	void *rtl;
	char *path;
	unsigned pages_lost; /* of the writer's files, before the wave was opened */
	uint64_t *out_scratch;
	uint64_t from, to;	     /* cycles, both included */
	uint64_t time;		     /* of the last dump + 1 */
	uint64_t cycle;		     /* of the last step that was dumped */
	uint64_t steps;		     /* dumped */
	uint64_t idle_done;	     /* value of steps when the idle cycle after a step was dumped last */
	bool in_step;		     /* of the window: the edge is dumped too */
	uint64_t first_time;	     /* of the first dump */
	uint64_t marker;	     /* time of the first difference; 0: none */
	struct gtkw_element differs; /* there */
	struct track track;
	bool looked, told;	     /* at the step that is to be told of; and there is a text that was not dumped */
	bool main;		     /* the texts below are of what the block is there for */
	unsigned n_texts;	     /* texts dumped, from the one on that a clean wave opens on */
	uint64_t begins, busy_until; /* when that was, and the last of the few behind it */
};

/* What is in s must outlive the wave. */
int wave_open(struct wave *w, const struct wave_source *s, const char *path, uint64_t from, uint64_t to, struct err *e);
/* What a save file opens on: the first difference; or else the first transactions, whose texts want room; or else the
 * first steps. Before the wave is closed or after. */
void wave_view(const struct wave *w, struct gtkw *g);
/* e may be NULL. -1: what was written is not a whole wave. */
int wave_close(struct wave *w, struct err *e);

/* Whether the cycle after the last dumped step was left out and is still to be shown; the checker then shows it: inputs
 * low, golden outputs for them, no edge. */
bool wave_needs_idle(const struct wave *w, uint64_t cycle);
void wave_idle(struct wave *w, const uint64_t *no_input, const uint64_t *out_golden, bool differs);

/* What the track tells of a step (track.h): words before the edge, then the registers after it (NULL: a block without).
 * A text is in the next dump. Outside of the window nothing is told. */
void wave_look(struct wave *w, uint64_t cycle, const uint64_t *in, const uint64_t *out, const uint64_t *reg);
void wave_tell(struct wave *w, const uint64_t *reg);

/* Called by the checker in each step. Golden outputs and registers: before the edge, then after it; NULL: as they
 * were. */
void wave_before_edge(struct wave *w, uint64_t cycle, const uint64_t *out_golden, const uint64_t *reg_golden, bool differs);
void wave_after_edge(struct wave *w, const uint64_t *out_golden, const uint64_t *reg_golden, bool differs);

#endif
