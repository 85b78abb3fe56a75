/* Rounds over the blocks until nothing changes; the marks of loops: see affine_impl.h. */
#include <string.h>

#include "affine/loops.h"

enum { MAX_ROUNDS = 200 };

static bool leaves(const struct flow_loop *l, uint32_t from, uint32_t to)
{
	return l->body[from] && !l->body[to];
}

/* A form that leaves a loop: the iterations are those of the exit. */
static struct affine_form outside_form(const struct state *s, const struct affine_form *f, uint32_t loop)
{
	const struct flow_loop *l = &s->loop[loop];
	uint64_t trips = s->out->loop[loop].trips;

	if (l->sure)
		return form_leave(f, loop, l->last, l->last);
	return form_leave(f, loop, 0, trips == UINT64_MAX ? AFFINE_INF : form_clamp((wide_int)trips - 1));
}

static const struct value *outside(struct state *s, const struct value *v, uint32_t loop)
{
	struct value out;

	if (!v->is_pred) {
		struct affine_form f = outside_form(s, &v->form, loop);

		return form_is_same(&f, &v->form) ? v : value_form(s, f);
	}
	if (!pred_names_loop(&v->pred, loop))
		return v;
	out = *v;
	for (uint32_t i = 0; i < out.pred.n; i++) {
		struct affine_form a = outside_form(s, v->pred.atom[i].a, loop), b = outside_form(s, v->pred.atom[i].b, loop);

		if (form_has_slack(&a) || form_has_slack(&b))
			return value_unknown_like(s, v, DEP_LOOP, AFFINE_NONE);
		out.pred.atom[i] = pred_atom(s, &a, &b, v->pred.atom[i].rel, v->pred.atom[i].is_signed, v->pred.atom[i].bits);
	}
	return memcpy(arena_alloc(s->tmp, sizeof out), &out, sizeof out);
}

static const struct value *over_edge(struct state *s, uint32_t from, uint32_t to, uint32_t r)
{
	const struct value *v = s->block[from].out[r];

	for (uint32_t l = 0; v && l < s->n_loops; l++)
		if (leaves(&s->loop[l], from, to))
			v = outside(s, v, l);
	return v;
}

bool flow_edge(const struct state *s, uint32_t from, uint32_t to)
{
	const struct block *b = &s->g.block[from];

	for (uint32_t e = 0; e < b->n_next; e++)
		if (b->next[e] == to && s->block[from].seen && s->block[from].edge[e])
			return true;
	return false;
}

/* ---- one block ---- */

static const struct value *marked(struct state *s, uint32_t loop, uint32_t r, const struct value *v)
{
	const struct mark *m = &s->loop[loop].mark[r];
	uint32_t pc = s->out->loop[loop].pc;
	struct affine_form f;

	if (!v || m->kind == MARK_KEEPS)
		return v;
	if (m->kind == MARK_UNKNOWN || v->is_pred)
		return value_unknown_like(s, v, DEP_LOOP | DEP_FLOW, pc);
	f = v->form;
	form_add_loop(&f, loop, m->step, pc);
	return value_form(s, f);
}

/* What the registers hold where the block begins; false if nothing leads there. */
static bool enter(struct state *s, uint32_t b)
{
	struct flow_block *block = &s->block[b];
	bool any = b == 0;

	memset(block->in, 0, s->n_ids * sizeof *block->in);
	for (uint32_t p = s->g.first_before[b]; p < s->g.first_before[b + 1]; p++) {
		uint32_t from = s->g.before[p];

		if (s->block[from].order >= block->order || !flow_edge(s, from, b))
			continue;
		for (uint32_t r = 0; r < s->n_ids; r++)
			block->in[r] =
				value_join(s, block->in[r], over_edge(s, from, b, r), DEP_FLOW, s->k->code[s->g.block[b].first].pc);
		any = true;
	}
	for (uint32_t l = 0; any && l < s->n_loops; l++) {
		if (s->loop[l].header != b)
			continue;
		memcpy(s->loop[l].init, block->in, s->n_ids * sizeof *block->in);
		for (uint32_t r = 0; r < s->n_ids; r++)
			block->in[r] = marked(s, l, r, block->in[r]);
	}
	return any;
}

const struct value *flow_guard(struct state *s, const struct value **reg, const struct insn *i)
{
	const struct value *p = eval_row(s, reg, i->guard, SIZE_PRED);
	struct value *n = arena_alloc(s->tmp, sizeof *n);

	n->is_pred = true;
	n->pred = !p->is_pred ? pred_unknown(DEP_MEMORY) : i->negated ? pred_not(&p->pred) : p->pred;
	return n;
}

/* Which ways out of the block can be taken. */
static void choose_edges(struct state *s, uint32_t b, const struct insn *last)
{
	struct flow_block *block = &s->block[b];
	const struct block *g = &s->g.block[b];
	uint32_t taken = last->kind == INSN_EXIT ? s->g.n_blocks : s->g.block_of[last->target];
	int d = block->cond ? pred_decide(s->out, &block->cond->pred) : -1;

	for (uint32_t e = 0; e < g->n_next; e++)
		block->edge[e] = g->n_next == 1 || d < 0 || (g->next[e] == taken) == (d == 1);
}

static void run_block(struct state *s, uint32_t b)
{
	struct flow_block *block = &s->block[b];
	const struct block *g = &s->g.block[b];
	const struct insn *last = &s->k->code[g->last];
	const struct value *guard = NULL;

	memcpy(block->out, block->in, s->n_ids * sizeof *block->in);
	for (uint32_t c = g->first; c <= g->last; c++) {
		const struct insn *i = &s->k->code[c];

		if (i->kind == INSN_GUARD)
			guard = flow_guard(s, block->out, i);
		else if (i->kind == INSN_UNGUARD)
			guard = NULL;
		else if (i->kind != INSN_BRANCH && (!guard || pred_decide(s->out, &guard->pred) != 0))
			eval_insn(s, block->out, i, guard && pred_decide(s->out, &guard->pred) != 1 ? guard : NULL);
	}
	block->cond = NULL;
	if (last->kind == INSN_BRANCH && last->guard != NO_CODE)
		block->cond = flow_guard(s, block->out, last);
	else if (last->kind == INSN_EXIT)
		block->cond = guard;
	choose_edges(s, b, last);
}

/* ---- marks ---- */

/* What the register's mark must become, given what comes back; the mark itself if it holds. */
static struct mark risen(struct state *s, uint32_t loop, uint32_t r, const struct value *back)
{
	const struct flow_loop *l = &s->loop[loop];
	const struct value *in = s->block[l->header].in[r], *init = l->init[r];
	struct mark m = l->mark[r], unknown = {.kind = MARK_UNKNOWN};
	int64_t step;

	if (m.kind == MARK_UNKNOWN || !back || !init || back == in)
		return m;
	if (back->is_pred || in->is_pred)
		return back->is_pred && in->is_pred && pred_is_same(&back->pred, &in->pred) ? m : unknown;
	if (!form_differs_by_number(&in->form, &back->form, &step) || in->form.lo != back->form.lo || in->form.hi != back->form.hi)
		return unknown;
	if (step == (m.kind == MARK_GROWS ? m.step : 0))
		return m;
	return m.kind == MARK_KEEPS && l->natural ? (struct mark){MARK_GROWS, step} : unknown;
}

static bool raise_marks(struct state *s, uint32_t loop)
{
	struct flow_loop *l = &s->loop[loop];
	bool changed = false;

	for (uint32_t p = s->g.first_before[l->header]; p < s->g.first_before[l->header + 1]; p++) {
		uint32_t from = s->g.before[p];

		if (s->block[from].order < s->block[l->header].order || !flow_edge(s, from, l->header))
			continue;
		for (uint32_t r = 0; r < s->n_ids; r++) {
			struct mark m = risen(s, loop, r, over_edge(s, from, l->header, r));

			changed |= m.kind != l->mark[r].kind || m.step != l->mark[r].step;
			l->mark[r] = m;
		}
	}
	return changed;
}

/* The marks, or else the trips, of the innermost loops in which any change: what comes out of a loop is known only
 * after its own marks and trips are. */
static bool raise_innermost(struct state *s)
{
	uint32_t deepest = 0;
	bool changed = false;

	for (uint32_t l = 0; l < s->n_loops; l++)
		deepest = s->loop[l].depth > deepest ? s->loop[l].depth : deepest;
	for (uint32_t depth = deepest; depth > 0 && !changed; depth--) {
		for (uint32_t l = 0; l < s->n_loops; l++)
			if (s->loop[l].depth == depth && s->block[s->loop[l].header].seen)
				changed |= raise_marks(s, l);
		changed = changed || loops_count(s, depth);
	}
	return changed;
}

static void round_of_blocks(struct state *s)
{
	for (uint32_t b = 0; b < s->g.n_blocks; b++)
		s->block[b].seen = false;
	for (uint32_t o = 0; o < s->n_order; o++) {
		uint32_t b = s->by_order[o];

		if (enter(s, b)) {
			s->block[b].seen = true;
			run_block(s, b);
		}
	}
}

/* Nothing is known of any register that a loop changes, nor of any loop's length: that has nothing to rise to. */
static void give_up(struct state *s)
{
	for (uint32_t l = 0; l < s->n_loops; l++) {
		for (uint32_t r = 0; r < s->n_ids; r++)
			s->loop[l].mark[r].kind = MARK_UNKNOWN;
		s->loop[l].sure = s->out->loop[l].exact = false;
		s->out->loop[l].trips = UINT64_MAX;
		s->out->loop[l].stay = NULL;
	}
	round_of_blocks(s);
}

void flow_solve(struct state *s)
{
	bool changed = true;

	loops_find(s);
	for (unsigned rounds = 0; changed && rounds < MAX_ROUNDS; rounds++) {
		round_of_blocks(s);
		changed = raise_innermost(s);
	}
	if (changed)
		give_up(s);
}
