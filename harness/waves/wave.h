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

struct wave {
	const struct bind_abi *abi;
	void *rtl; /* the instance that is watched */
	char *path;
	uint64_t *out_scratch;
	uint64_t from, to;   /* cycles, both included */
	uint64_t time;	     /* of the last dump + 1 */
	uint64_t cycle;	     /* of the last step that was dumped */
	uint64_t steps;	     /* dumped */
	uint64_t idle_done;  /* value of steps when the idle cycle after a step was dumped last */
	bool in_step;	     /* of the window: the edge is dumped too */
	uint64_t first_time; /* of the first dump */
	uint64_t marker;     /* time of the first difference; 0: none */
};

int wave_open(struct wave *w, const struct bind_abi *abi, void *rtl, const struct bind_layout *l, const char *path, uint64_t from,
	      uint64_t to, struct err *e);
/* e may be NULL. -1: what was written is not a whole wave. */
int wave_close(struct wave *w, struct err *e);

/* Whether the cycle after the last dumped step was left out and is still to be shown; the checker then shows it: inputs
 * low, golden outputs for them, no edge. */
bool wave_needs_idle(const struct wave *w, uint64_t cycle);
void wave_idle(struct wave *w, const uint64_t *no_input, const uint64_t *out_golden, bool differs);

/* Called by the checker in each step. Golden outputs and registers: before the edge, then after it; NULL: as they
 * were. */
void wave_before_edge(struct wave *w, uint64_t cycle, const uint64_t *out_golden, const uint64_t *reg_golden, bool differs);
void wave_after_edge(struct wave *w, const uint64_t *out_golden, const uint64_t *reg_golden, bool differs);

#endif
