/* What a launch reads and writes, from its PTX alone: the address of each access as a linear form.
 *
 * The analysis knows the kernel's code and what is fixed before the launch: parameters, grid and block, constants of
 * the module. It runs the code once over forms instead of numbers. A form is
 *
 *   buffer + c + sum of k[v] * v over the indices of thread and CTA + sum of k * iteration over loops + slack
 *
 * where slack is an amount between lo and hi that is not linear in any of these; what it depends on is kept. So an
 * index that is clamped, masked, or taken modulo something keeps its linear part and a bounded slack; one that comes
 * out of memory has an unbounded one. A loop's register that grows by a constant in each iteration is linear in the
 * number of the iteration, which counts from 0. Guards (the branches that dominate an access and its own predicate) are
 * conjunctions and disjunctions of comparisons of such forms.
 *
 * What is claimed: an access of the launch has an address that the form takes for its thread, CTA and iterations, and
 * some slack between lo and hi. If the form has no slack, the guards are complete and the loops exact, it is also
 * executed for all of those: affine_enumerate() lists its addresses. Two assumptions are behind it, as behind any
 * compiler's analysis: indices of 32 bits do not wrap where they are widened to addresses, and an address is in the
 * buffer that its base points into. Tests compare both claims with what the executor did for every workload.
 *
 * Source: CODA, section 4.3.2 and its footnote 4 (kernel-invocation constants, thread, CTA and loop indices).
 */
#ifndef CSIM_AFFINE_AFFINE_H
#define CSIM_AFFINE_AFFINE_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "ptx/ptx.h"

enum affine_index { INDEX_TID_X, INDEX_TID_Y, INDEX_TID_Z, INDEX_CTA_X, INDEX_CTA_Y, INDEX_CTA_Z, INDEX_COUNT };
enum { AFFINE_NEST = 4 /* loops that a form can name */ };

#define AFFINE_INF  (INT64_MAX / 4) /* a bound that is not known; lo: -AFFINE_INF */
#define AFFINE_NONE UINT32_MAX

enum affine_dep { /* what slack depends on */
		  DEP_TID = 1,
		  DEP_CTA = 2,
		  DEP_LOOP = 4,
		  DEP_MEMORY = 8, /* a value that the kernel loads, or another lane's */
		  DEP_FLOW = 16	  /* which way a branch went */
};

struct affine_form {
	int32_t buffer; /* index in the memory and in the trace; -1: a plain number */
	uint32_t n_loops;
	int64_t c, k[INDEX_COUNT];
	struct affine_term {
		int64_t k;
		uint32_t loop;
	} loop[AFFINE_NEST];
	int64_t lo, hi; /* of the slack; lo <= 0 <= hi need not hold */
	bool ends;	/* the slack is lo or hi and nothing between: one of two ways was taken */
	uint32_t deps;	/* enum affine_dep, of the slack */
	uint32_t cause; /* pc of the instruction that brought the slack in; AFFINE_NONE if there is none */
};

enum affine_relation { REL_EQ, REL_NE, REL_LT, REL_LE, REL_GT, REL_GE };
struct affine_atom { /* a comparison of two forms, done in `bits` bits */
	const struct affine_form *a, *b;
	enum affine_relation rel;
	bool is_signed;
	uint8_t bits;
};
enum { AFFINE_ATOMS = 4 };
struct affine_pred { /* all of the atoms hold, or any of them; without atoms: true, or false if `any` */
	bool known;  /* false: some condition that is none */
	bool any;
	uint32_t n, deps;
	struct affine_atom atom[AFFINE_ATOMS];
};

struct affine_loop {
	uint32_t parent;		/* the loop around it; AFFINE_NONE */
	uint32_t pc, line;		/* of the first instruction */
	uint64_t trips;			/* times that the first instruction runs at most; UINT64_MAX: not known */
	bool exact;			/* always as many, or until `stay` fails */
	const struct affine_pred *stay; /* goes on after an iteration for which this holds; NULL: for `trips`
					 * iterations */
};

enum affine_kind { AFFINE_LOAD, AFFINE_STORE, AFFINE_ATOMIC };
enum { AFFINE_GUARDS = 8 };
struct affine_access {
	uint32_t pc, line;
	enum affine_kind kind;
	uint32_t width;			     /* bytes a lane */
	struct affine_form at;		     /* relative to the buffer's first byte; buffer -1: it is not known which */
	uint32_t n_loops, loop[AFFINE_NEST]; /* around it, the outermost first */
	uint32_t n_guards;
	const struct affine_pred *guard[AFFINE_GUARDS];
	bool complete; /* no other condition decides whether it is executed, and no other loop is around it */
};

struct affine_launch {
	uint32_t grid[3], block[3];
	uint32_t n_accesses, n_loops;
	struct affine_access *access; /* of global memory, in the order of the text */
	struct affine_loop *loop;
};

/* Analyses a launch; all of the result is in `a`. The parameters' buffers are found in `mem`, whose indices are those
 * of the trace. Never fails: what is not understood is unknown. */
const struct affine_launch *affine_analyse(const struct ptx_kernel *k, const struct ptx_launch *l, const struct memory *mem,
					   struct arena *a);

/* The same launch in a program whose buffers are numbered from `first_buffer` on. */
const struct affine_launch *affine_renumber(const struct affine_launch *l, int32_t first_buffer, struct arena *a);

/* True if the access is executed at exactly the addresses that affine_enumerate() gives. */
bool affine_is_exact(const struct affine_launch *l, const struct affine_access *x);

/* Calls visit with the offset in the buffer for each execution of an exact access by the threads of a CTA, thread by
 * thread. Stops when visit returns false. */
typedef bool affine_visit(void *ctx, uint32_t thread, int64_t offset);
void affine_enumerate(const struct affine_launch *l, const struct affine_access *x, const uint32_t cta[3], affine_visit *visit,
		      void *ctx);

/* Least and greatest value of a form over the launch's indices and loops; +-AFFINE_INF where there is no bound. */
struct affine_range {
	int64_t lo, hi;
};
struct affine_range affine_range_of(const struct affine_launch *l, const struct affine_form *f);

#endif
