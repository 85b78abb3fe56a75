/* The analysis of one launch while it runs: values of the registers, blocks, loops.
 *
 * flow.c goes over the blocks until nothing changes; eval.c does one instruction; collect.c reads the result off.
 *
 * Loops. At the first instruction of a loop each register has a mark. At first all are taken to keep their value; one
 * that comes back changed by a number is marked as growing by it, one that comes back otherwise as unknown. Marks only
 * ever rise, those of inner loops before those of outer ones, so the rounds end; what holds in a round in which no mark
 * changed holds by induction over the iterations.
 */
#ifndef CSIM_AFFINE_AFFINE_IMPL_H
#define CSIM_AFFINE_AFFINE_IMPL_H

#include "affine/form.h"
#include "ptx/lower/graph.h"
#include "ptx/lower/insn.h"

struct value {
	bool is_pred;
	struct affine_form form;
	struct affine_pred pred;
};

enum mark_kind { MARK_KEEPS, MARK_GROWS, MARK_UNKNOWN };
struct mark {
	enum mark_kind kind;
	int64_t step;
};

struct flow_loop {
	uint32_t header;	   /* block */
	uint32_t depth;		   /* 1: not in another */
	bool *body;		   /* by block */
	struct mark *mark;	   /* by register */
	const struct value **init; /* by register: as it comes from outside */
	bool natural;		   /* its header dominates it */
	int64_t last;		   /* the iteration in which it is left, if exact */
	bool sure;
};

struct flow_block {
	const struct value **in, **out; /* by register; NULL: not written yet */
	const struct value *cond;	/* at its end: the branch is taken, or the lanes go on (an exit); NULL:
					 * always */
	bool seen;			/* reached in this round */
	bool edge[3];			/* by successor: it can be taken */
	uint32_t order, idom;		/* reverse post-order from the entry; dominator */
	uint32_t loop;			/* the innermost; AFFINE_NONE */
};

struct state {
	const struct ptx_kernel *k;
	const struct ptx_launch *l;
	const struct memory *mem;
	struct affine_launch *out; /* in the caller's arena */
	struct arena *keep;	   /* the caller's */
	struct arena *tmp;
	struct graph g;
	struct flow_block *block;
	uint32_t *by_order, n_order;
	struct flow_loop *loop;
	uint32_t n_loops;
	uint32_t *id_of, n_ids; /* register number by row / 4 */
};

/* eval.c */
/* Values at the end of an instruction: reg[] by register number is changed in place. guard: NULL, or the predicate that
 * it is under. */
void eval_insn(struct state *s, const struct value **reg, const struct insn *i, const struct value *guard);
const struct value *eval_row(struct state *s, const struct value **reg, uint32_t row, unsigned size);
const struct value *value_form(struct state *s, struct affine_form f);
const struct value *value_join(struct state *s, const struct value *a, const struct value *b, uint32_t deps, uint32_t pc);
const struct value *value_unknown_like(struct state *s, const struct value *v, uint32_t deps, uint32_t pc);

/* pred.c */
struct affine_pred pred_unknown(uint32_t deps);
struct affine_pred pred_not(const struct affine_pred *p);
struct affine_pred pred_both(const struct affine_pred *p, const struct affine_pred *q, bool any); /* and; or */
/* 1: holds for all threads and iterations, 0: for none, -1: it depends. */
int pred_decide(const struct affine_launch *l, const struct affine_pred *p);
bool pred_holds(const struct affine_pred *p, const int64_t index[INDEX_COUNT], const uint64_t *iteration);
struct affine_atom pred_atom(struct state *s, const struct affine_form *a, const struct affine_form *b, enum affine_relation rel,
			     bool is_signed, uint8_t bits);
bool pred_is_same(const struct affine_pred *p, const struct affine_pred *q);
bool pred_names_loop(const struct affine_pred *p, uint32_t loop);
int64_t form_at(const struct affine_form *f, const int64_t index[INDEX_COUNT], const uint64_t *iteration);

/* flow.c */
void flow_solve(struct state *s);
/* collect.c */
void collect_accesses(struct state *s);

#endif
