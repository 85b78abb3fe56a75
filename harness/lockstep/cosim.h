/* A simulation's blocks bound to Verilated RTL: which block how, whose RTL, waves, and what came of it.
 *
 * cosim_binder() is what the model asks for ports. A block in golden mode costs nothing: its port is the golden twin's
 * own. Each owner has its own instance of golden twin and RTL; libraries are shared. A request that the run's owners
 * cannot meet is an error before the first cycle: a block that is named and that no owner has, a wave of nothing, an
 * option about a compare where nothing is compared.
 */
#ifndef HARNESS_LOCKSTEP_COSIM_H
#define HARNESS_LOCKSTEP_COSIM_H

#include <stdio.h>

#include "hw/port.h"
#include "lockstep/unit.h"

enum { COSIM_MAX_BLOCKS = 16, COSIM_WAVE_CYCLES = 20000 /* of a wave without --wave-window */ };

struct cosim_options {
	enum unit_mode mode[COSIM_MAX_BLOCKS]; /* by the index in hw_blocks */
	bool named[COSIM_MAX_BLOCKS];	       /* by --hw, not through "all" */
	bool all_given;
	const char *rtl[COSIM_MAX_BLOCKS]; /* the user's own files; NULL: ours */
	const char *golden;		   /* of rtl's block, in place of the golden twin; NULL: the twin */
	const struct bind_fit *fit;	   /* how their ports are connected; NULL: by name */
	uint64_t x_init;		   /* seed of the bits that nothing resets in them (scenario_seed); 0: zeros */
	bool transactions[COSIM_MAX_BLOCKS];
	unsigned check_threads;	     /* 0: the model's own thread checks; 1: another one, beside it */
	bool from_reset;	     /* bundles with all steps since the reset */
	const char *bundle_prefix;   /* of the bundles' names; "mismatch" */
	bool bundles_named;	     /* the user gave the prefix */
	const char *wave;	     /* FILE.fst or NULL (cosim_waves.h) */
	const char *wave_owner;	     /* NULL: of each block the owner that differs first, or else the first owner */
	bool window_given;	     /* the user named the cycles; else a difference outside of them moves them */
	uint64_t wave_from, wave_to; /* cycles, both included */
};

/* All blocks in that mode, no waves. */
void cosim_options_init(struct cosim_options *o, enum unit_mode mode);

/* "pric=lockstep,tafe=rtl"; "pric=path/my.v". NAME may be "all" in the first, the mode of all blocks that are not
 * named, wherever it is. As soon as a block is named without it, the others are golden, but for those of --rtl, which
 * are in lockstep.
 */
int cosim_parse_hw(struct cosim_options *o, const char *text, struct err *e);
int cosim_parse_rtl(struct cosim_options *o, const char *text, struct err *e);
/* "A:B", cycles. */
int cosim_parse_window(struct cosim_options *o, const char *text, struct err *e);

struct cosim;
struct cosim *cosim_new(const struct cosim_options *o);
struct hw_binder cosim_binder(struct cosim *c);

/* After the run: checks what is left, writes bundles and save files. Returns 0; 1 if anything differed, if a block that
 * was named made no step, or if no block in lockstep made one; or -1 with an error. */
int cosim_finish(struct cosim *c, struct err *e);

/* What came of a block; call it after cosim_finish. What it is bound to holds from the first cycle on. */
struct cosim_block {
	const struct hw_block *block;
	const char *mode;   /* "golden", "rtl", "lockstep" */
	bool drives;	    /* its Verilog gives the model its values: mode rtl */
	const char *rtl;    /* the user's files; NULL: ours */
	uint64_t sum;	    /* of the Verilog (bind_rtl.sum) */
	const char *golden; /* the user's files in place of the golden twin, and their sum; NULL: the twin */
	uint64_t golden_sum;
	const struct bind_abi *abi; /* of one of the instances: which registers are compared, of ... */
	unsigned regs;		    /* ... how many */
	unsigned n_regs;	    /* with `golden`: registers of the block that both files have */
	unsigned instances;
	uint64_t steps, mismatches, assertions; /* assertions in the Verilog that failed */
	uint64_t unread; /* mode rtl: steps in which an output that the model does not read differs from the twin's */
	bool idle;	 /* no step was made but the reset */
};
/* Those of the blocks that have instances, in the order of hw_blocks. Returns how many. */
unsigned cosim_blocks(const struct cosim *c, struct cosim_block out[COSIM_MAX_BLOCKS]);

/* Lines under a run's title: whose Verilog drives the model or is compared, where that is not ours beside the golden
 * twin. */
void cosim_print_title(const struct cosim *c, FILE *to);

/* A line a block: how, instances, steps, mismatches; then the reports and the waves. Call it after cosim_finish. */
void cosim_print(const struct cosim *c, FILE *to);

/* Sums over the owners of a block. */
uint64_t cosim_steps(const struct cosim *c, const struct hw_block *b);
uint64_t cosim_mismatches(const struct cosim *c, const struct hw_block *b);

void cosim_free(struct cosim *c);

#endif
