/* One owner's instance of a block in a running simulation: a port bound to the Verilated RTL alone, or to the golden
 * twin with the RTL checked beside it.
 *
 * Lockstep: the golden twin drives the model. Its steps (cycle, inputs) are kept and checked many at a time
 * (checks.h), each with its own cycle. A checker has a golden twin of its own, which takes the same steps beside the
 * RTL. By transaction (transact.h): the RTL may take longer.
 *
 * The steps since the last common state are logged (every 2^20 steps a new one is taken; all since the reset if
 * wanted; of a combinational block, which has none, the last ones before the first mismatch), so that it can be run
 * again. A unit that has one goes on logging to the end of the bundle's window, then calls `found`, once, keeps its
 * log, and from then on only counts.
 */
#ifndef HARNESS_LOCKSTEP_UNIT_H
#define HARNESS_LOCKSTEP_UNIT_H

#include "lockstep/checks.h"
#include "lockstep/scenario.h"
#include "lockstep/transact.h"

enum unit_mode { UNIT_GOLDEN, UNIT_RTL, UNIT_LOCKSTEP };
/* Steps of a batch, which stay in the cache until they are checked, and batches of a unit for a second thread. */
enum { UNIT_BATCH = 128, UNIT_BATCHES = 32 };

struct unit;
/* Steps that are not checked yet. */
struct unit_batch {
	struct check check;
	struct unit *u;
	unsigned n;
	uint64_t *cycle;
	unsigned char *in; /* the C structs of a clocked block's inputs, the words of a combinational one's */
};

struct unit {
	enum unit_mode mode;
	struct scenario s; /* its log; the owner's name */
	struct checker c;
	bool from_reset;

	/* Lockstep: what drives the model, and the steps that it took. Whoever checks has the log, the checker and the
	 * counts until unit_finish. */
	void *golden;
	void *driver; /* an instance of the user's Verilog that is the golden side; NULL: the twin is */
	uint64_t *driver_in, *driver_out;
	struct checks *checks;
	struct unit_batch batch[UNIT_BATCHES], *filling;
	unsigned n_batches;
	size_t in_row, out_row; /* bytes of a step in a batch */
	/* Of a combinational block's batch: outputs; whether they are more than their fields hold (bind/fields.h). */
	uint64_t *out_golden, *out_rtl;
	bool *excess, any_excess;
	struct {
		unsigned n;
		uint64_t *cycle;
		unsigned char *in;
	} agreed; /* the last steps of a combinational block's last batch */

	/* the state that the log can be cut back to */
	bool has_mark;
	struct stim_mark mark;
	uint64_t *mark_state;

	struct transact *transact; /* NULL: compared by cycle */
	bool evaluated;		   /* rtl: c.in_words are driven and no edge has come since */
	/* rtl, combinational: outputs that the model does not read are compared with the golden twin's here. */
	struct {
		uint64_t *mask; /* their bits, by word; NULL: there are none */
		uint64_t differs, first_cycle;
		struct mismatch first;
	} unread;
	uint64_t steps, mismatches;
	bool failed, done; /* a first mismatch; its bundle's steps are complete, nothing is logged any more */
	uint64_t failed_cycle;
	struct wave wave;
	uint64_t last_cycle;

	void (*found)(void *ctx, struct unit *u);
	void *found_ctx;
};

struct unit_config {
	const struct hw_block *block;
	const void *params;
	const char *owner;
	enum unit_mode mode;   /* UNIT_RTL or UNIT_LOCKSTEP */
	struct checks *checks; /* of lockstep */
	const struct bind_abi *abi;
	const char *rtl;    /* NULL: the block's own */
	const char *golden; /* a user's Verilog in place of the golden twin, and its library; NULL: the twin */
	const struct bind_abi *golden_abi;
	const struct bind_fit *fit; /* of a user's own; NULL: by name */
	uint64_t x_init;	    /* of a user's own: scenario.seed */
	bool from_reset, transactions;
	void (*found)(void *ctx, struct unit *u); /* after the first mismatch, by whoever checks */
	void *ctx;
};

void unit_init(struct unit *u, const struct unit_config *c);
void unit_free(struct unit *u);

/* The port's functions; in and out are the block's C structs. A combinational block has eval alone; in lockstep watch
 * alone, and whoever drives the model calls the twin u->golden. */
void unit_watch(struct unit *u, uint64_t cycle, const void *in);
void unit_eval(struct unit *u, uint64_t cycle, const void *in, void *out);
void unit_tick(struct unit *u, uint64_t cycle, const void *in);

/* Checks what is still waiting. Call it once, at the end. -1: its wave is not whole. */
int unit_finish(struct unit *u, struct err *e);

/* Of n units those of the block: the one whose first mismatch has the lowest cycle. NULL: none differs. */
struct unit *unit_earliest(struct unit *const *unit, unsigned n, const struct hw_block *b);

/* Watches the unit from now on. */
int unit_wave(struct unit *u, const char *path, uint64_t from, uint64_t to, struct err *e);

#endif
