/* A piece of a co-simulation that can be run again without the model: which block, with what parameters and RTL, from
 * which state, with which steps. It is what a mismatch bundle holds, what `locus replay` runs and what the minimiser
 * shrinks.
 */
#ifndef HARNESS_LOCKSTEP_SCENARIO_H
#define HARNESS_LOCKSTEP_SCENARIO_H

#include "lockstep/checker.h"
#include "lockstep/stim.h"

enum {
	SCENARIO_POKES = 8,
	SCENARIO_RTL = 8192,
	HISTORY = 16,	     /* steps of a report */
	SCENARIO_X_INIT = 1, /* seed of a user's Verilog, unless --x-init names another one ... */
	SCENARIO_X_INIT_MAX = 0x7ffffffe
};

struct scenario {
	const struct hw_block *block;
	unsigned char params[BIND_PARAMS_MAX];
	struct bind_layout layout;
	char owner[64];			   /* who held the block: "sm3.l1" */
	char rtl[SCENARIO_RTL];		   /* files handed to Verilator, separated by commas; "": the block's own */
	char golden[SCENARIO_RTL];	   /* a user's Verilog in place of the golden twin; "": the twin */
	const struct bind_abi *golden_abi; /* of its library, which must outlive the scenario */
	struct bind_fit fit;		   /* how their ports are connected */
	uint64_t seed;			   /* of bits that nothing resets; 0: zeros */
	bool unique_x;			   /* see bind_request */
	/* See bind_request: the Verilog in the golden twin's place, and the RTL, came with a bundle in that folder. */
	bool golden_foreign, foreign;
	char within[1024];
	bool transactions; /* compared by transaction (transact.h), not by cycle */
	uint64_t *state;   /* registers before the first step; NULL: from reset */
	struct stim stim;  /* its side is layout.side[HW_INPUT]: a scenario must not be moved */
	unsigned n_pokes;  /* inputs of the RTL alone, set at the start */
	struct {
		char port[64];
		uint64_t value;
	} poke[SCENARIO_POKES];
};

/* One step of both sides as words. */
struct history_step {
	uint64_t step, cycle;
	bool reset;
	uint64_t *in, *out_golden, *out_rtl, *reg_golden, *reg_rtl;
};
struct history { /* the last steps */
	struct history_step *at;
	unsigned room;
	uint64_t n; /* steps seen; step i of them is at[i % room] while i + room >= n */
	bool regs;  /* registers are compared */
};

struct outcome {
	bool failed;	      /* a difference; assertions are apart */
	uint64_t step, cycle; /* of the first difference */
	struct mismatch m;
	uint64_t steps;			   /* run */
	const struct bind_abi *abi;	   /* of the RTL that ran: which registers were compared */
	unsigned n_regs;		   /* how many with a user's Verilog in the golden twin's place */
	struct bind_assertions assertions; /* of the RTL, up to there */
};

void scenario_init(struct scenario *s, const struct hw_block *block, const void *params);
void scenario_free(struct scenario *s);

/* What bind_abi.create() gets: of the seed another one for each owner, so that instances start at different bits. */
uint64_t scenario_seed(const struct scenario *s);

/* The library of its block. */
int scenario_open(const struct scenario *s, struct bind_rtl *rtl, struct err *e);
/* That of the Verilog in the golden twin's place, if there is one; else *rtl is empty. bind_close() it. */
int scenario_open_golden(struct scenario *s, struct bind_rtl *rtl, struct err *e);

/* A checker in the scenario's start state. */
void scenario_start(const struct scenario *s, struct checker *c, const struct bind_abi *abi);

/* Runs the steps up to the first difference. h: NULL, or gets the last steps (history_init made it). */
struct outcome scenario_run(const struct scenario *s, const struct bind_abi *abi, struct history *h);

/* Nothing differed, and no assertion failed. */
static inline bool outcome_is_good(const struct outcome *o)
{
	return !o->failed && !o->assertions.failed;
}

void history_init(struct history *h, const struct bind_layout *l, unsigned room);
static inline const struct history_step *history_at(const struct history *h, uint64_t i)
{
	return &h->at[i % h->room];
}
void history_free(struct history *h);

/* The wave of cycles from..to, and what its save file opens on. h: NULL, or gets the last steps up to cycle `to`. */
int scenario_wave(const struct scenario *s, const struct bind_abi *abi, const char *path, uint64_t from, uint64_t to,
		  struct gtkw *view, struct history *h, struct err *e);

#endif
