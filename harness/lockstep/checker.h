/* Golden twin and RTL side by side: one step of both, compared.
 *
 * A step gives both the same inputs, compares the outputs before the edge, takes the edge, and compares all registers.
 * A combinational block has the first half only. What the RTL says beside the twin
 * differs; either may be wrong. The same code runs in a simulation, in a replay and in the minimiser.
 *
 * A user's own Verilog may take the place of the golden twin: what is called golden is that then.
 *
 * RTL that is not ours may lack registers of the twin's: those that both have, by name and width, are compared. In
 * reg_rtl the others are as in the golden twin.
 */
#ifndef HARNESS_LOCKSTEP_CHECKER_H
#define HARNESS_LOCKSTEP_CHECKER_H

#include "bind/bind.h"
#include "bind/fields.h"
#include "bind/params.h"
#include "waves/wave.h"

/* A field in which the two sides differ; values are those of the element. */
struct mismatch {
	enum hw_side side;
	unsigned slot;
	uint32_t element;
	uint64_t golden, rtl;
};

struct checker {
	const struct hw_block *block;
	struct bind_layout layout;
	unsigned char params[BIND_PARAMS_MAX];
	const struct bind_abi *abi;
	bool compare_regs;
	bool some_missing; /* the RTL lacks registers of the twin's */

	/* A user's Verilog in place of the golden twin: an instance, and the registers that it and the RTL have. */
	const struct bind_abi *golden_abi; /* NULL: the twin */
	void *golden;
	uint64_t *golden_regs, *reg_mask;
	unsigned n_regs; /* registers that are compared then */

	void *rtl;		/* an instance of the Verilated block */
	void *state, *in, *out; /* the golden twin: struct xyz, xyz_in, xyz_out */
	struct bind_packer regs;
	/* What the last step gave, as words. */
	uint64_t *in_words, *out_golden, *out_rtl, *reg_rtl;
	uint64_t *out_after; /* of the golden twin after the edge: for the waves */
	const uint64_t *reg_golden;
	bool outputs_differ, regs_differ;
	bool transaction_differs; /* set by transact.c, with the field */
	struct mismatch transaction;

	uint64_t cycle; /* of the step, set by the caller: for waves and assertions */
	struct bind_assertions assertions;
	struct wave *wave; /* NULL: no wave is written */
};

/* Both sides reset; from then on the checker must not be moved. seed: of the RTL's bits that no reset reaches (0:
 * zeros); see bind_abi.create. */
void checker_init(struct checker *c, const struct hw_block *block, const void *params, const struct bind_abi *abi, uint64_t seed);
void checker_free(struct checker *c);

/* From now on that Verilog is what the RTL is compared with, in place of the golden twin; both are as after a reset. */
void checker_set_golden(struct checker *c, const struct bind_abi *golden, uint64_t seed);

/* The RTL anew, as before its first reset; seed as above. */
void checker_power_up(struct checker *c, uint64_t seed);
/* The reset as a step: true if the registers agree after it. */
bool checker_reset(struct checker *c);
/* Both sides get the registers of a snapshot (the words of the register side). */
void checker_restore(struct checker *c, const uint64_t *regs);

/* A step with the inputs in c->in_words (checker_step_words) or in the C struct c->in (checker_step). True: all
 * agrees. */
bool checker_step(struct checker *c);
bool checker_step_words(struct checker *c);

/* Steps from now on are shown in w, which must outlive the checker. */
int checker_wave(struct checker *c, struct wave *w, const char *path, uint64_t from, uint64_t to, struct err *e);
/* Closes c->wave after the last step. e may be NULL. -1: what was written is not a whole wave. */
int checker_wave_end(struct checker *c, struct err *e);

/* The first field that differs in the last step: outputs first, then registers, in the twin's order. */
struct mismatch checker_mismatch(const struct checker *c);
/* The same for any two images of a side. False: they agree. */
bool checker_compare(const struct bind_side *side, const uint64_t *golden, const uint64_t *rtl, struct mismatch *m);

#endif
