#include "affine/loops.h"

#include <string.h>

/* ---- order and dominators ---- */

static void find_order(struct state *s)
{
	uint32_t n = s->g.n_blocks, depth = 0, left = n;
	uint32_t *stack = arena_array(s->tmp, n + 1u, sizeof *stack), *at = arena_array(s->tmp, n + 1u, sizeof *at);
	bool *seen = arena_array(s->tmp, n + 1u, sizeof *seen);

	s->by_order = arena_array(s->tmp, n + 1u, sizeof *s->by_order);
	for (uint32_t b = 0; b <= n; b++)
		s->block[b].order = AFFINE_NONE;
	seen[0] = true;
	depth = 1;
	while (depth) {
		uint32_t b = stack[depth - 1], to;

		if (b == n || at[b] == s->g.block[b].n_next) {
			depth--;
			if (b < n)
				s->by_order[--left] = b;
			continue;
		}
		to = s->g.block[b].next[at[b]++];
		if (to < n && !seen[to]) {
			seen[to] = true;
			stack[depth++] = to;
		}
	}
	s->n_order = n - left;
	memmove(s->by_order, s->by_order + left, s->n_order * sizeof *s->by_order);
	for (uint32_t o = 0; o < s->n_order; o++)
		s->block[s->by_order[o]].order = o;
}

static uint32_t meet(const struct state *s, uint32_t a, uint32_t b)
{
	while (a != b) {
		while (s->block[a].order > s->block[b].order)
			a = s->block[a].idom;
		while (s->block[b].order > s->block[a].order)
			b = s->block[b].idom;
	}
	return a;
}

/* Cooper, Harvey and Kennedy, "A Simple, Fast Dominance Algorithm". */
void loops_dominate(struct state *s, bool all_edges)
{
	for (uint32_t b = 0; b < s->g.n_blocks; b++)
		s->block[b].idom = AFFINE_NONE;
	s->block[0].idom = 0;
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t o = 1; o < s->n_order; o++) {
			uint32_t b = s->by_order[o], found = AFFINE_NONE;

			for (uint32_t p = s->g.first_before[b]; p < s->g.first_before[b + 1]; p++) {
				uint32_t from = s->g.before[p];

				if (s->block[from].idom == AFFINE_NONE || (!all_edges && !flow_edge(s, from, b)))
					continue;
				found = found == AFFINE_NONE ? from : meet(s, from, found);
			}
			changed |= found != s->block[b].idom;
			s->block[b].idom = found;
		}
	}
}

bool loops_dominates(const struct state *s, uint32_t a, uint32_t b)
{
	while (s->block[b].idom != AFFINE_NONE && s->block[b].order > s->block[a].order)
		b = s->block[b].idom;
	return a == b;
}

/* ---- loops ---- */

static void add_body(const struct state *s, struct flow_loop *l, uint32_t latch)
{
	uint32_t *stack = arena_array(s->tmp, s->g.n_blocks + 1u, sizeof *stack), n = 0;

	l->body[l->header] = true;
	if (!l->body[latch])
		stack[n++] = latch;
	l->body[latch] = true;
	while (n) {
		uint32_t b = stack[--n];

		for (uint32_t p = s->g.first_before[b]; p < s->g.first_before[b + 1]; p++) {
			uint32_t from = s->g.before[p];

			if (!l->body[from] && s->block[from].order != AFFINE_NONE) {
				l->body[from] = true;
				stack[n++] = from;
			}
		}
	}
}

static bool is_back_edge(const struct state *s, uint32_t from, uint32_t to)
{
	return s->block[from].order != AFFINE_NONE && s->block[from].order >= s->block[to].order;
}

static bool is_header(const struct state *s, uint32_t b)
{
	for (uint32_t p = s->g.first_before[b]; p < s->g.first_before[b + 1]; p++)
		if (is_back_edge(s, s->g.before[p], b))
			return true;
	return false;
}

static void fill_loop(struct state *s, struct flow_loop *l, uint32_t header)
{
	*l = (struct flow_loop){.header = header, .natural = true};
	l->body = arena_array(s->tmp, s->g.n_blocks + 1u, sizeof *l->body);
	l->mark = arena_array(s->tmp, s->n_ids, sizeof *l->mark);
	l->init = arena_array(s->tmp, s->n_ids, sizeof *l->init);
	for (uint32_t p = s->g.first_before[header]; p < s->g.first_before[header + 1]; p++) {
		uint32_t from = s->g.before[p];

		if (!is_back_edge(s, from, header))
			continue;
		l->natural &= loops_dominates(s, header, from);
		if (l->natural)
			add_body(s, l, from);
	}
	if (!l->natural) /* lanes come into its middle: nothing is known to leave it */
		memset(l->body, 1, s->g.n_blocks * sizeof *l->body);
}

static uint32_t size_of(const struct state *s, const struct flow_loop *l)
{
	uint32_t n = 0;

	for (uint32_t b = 0; b < s->g.n_blocks; b++)
		n += l->body[b];
	return n;
}

/* The smallest loop other than `except` that holds the block. */
static uint32_t innermost(const struct state *s, uint32_t block, uint32_t except)
{
	uint32_t found = AFFINE_NONE, least = UINT32_MAX;

	for (uint32_t l = 0; l < s->n_loops; l++) {
		uint32_t size = size_of(s, &s->loop[l]);

		if (l == except || !s->loop[l].body[block] || size >= least)
			continue;
		if (except != AFFINE_NONE && size <= size_of(s, &s->loop[except]))
			continue;
		found = l;
		least = size;
	}
	return found;
}

static void nest(struct state *s)
{
	for (uint32_t l = 0; l < s->n_loops; l++) {
		const struct insn *first = &s->k->code[s->g.block[s->loop[l].header].first];

		s->out->loop[l] = (struct affine_loop){.parent = innermost(s, s->loop[l].header, l),
						       .pc = first->pc,
						       .line = (uint32_t)s->k->trace.lines->at[first->pc].text,
						       .trips = UINT64_MAX};
	}
	for (uint32_t l = 0; l < s->n_loops; l++)
		for (uint32_t up = l; up != AFFINE_NONE; up = s->out->loop[up].parent)
			s->loop[l].depth++;
	for (uint32_t b = 0; b < s->g.n_blocks; b++)
		s->block[b].loop = innermost(s, b, AFFINE_NONE);
}

void loops_find(struct state *s)
{
	uint32_t n = 0;

	find_order(s);
	loops_dominate(s, true);
	for (uint32_t o = 0; o < s->n_order; o++)
		n += is_header(s, s->by_order[o]);
	s->loop = arena_array(s->tmp, n, sizeof *s->loop);
	s->out->loop = arena_array(s->keep, n, sizeof *s->out->loop);
	for (uint32_t o = 0; o < s->n_order; o++)
		if (is_header(s, s->by_order[o]))
			fill_loop(s, &s->loop[s->n_loops++], s->by_order[o]);
	s->out->n_loops = n;
	nest(s);
}

/* ---- trips ---- */

/* The first iteration t >= 0 in which d + k * t is in the relation to 0; -1: none, or not known. */
static int64_t first_time(enum affine_relation rel, int64_t d, int64_t k)
{
	switch (rel) {
	case REL_EQ:
		return d == 0 ? 0 : k && -d % k == 0 && -d / k > 0 ? -d / k : -1;
	case REL_NE:
		return d ? 0 : k ? 1 : -1;
	case REL_LT:
		return d < 0 ? 0 : k < 0 ? d / -k + 1 : -1;
	case REL_LE:
		return d <= 0 ? 0 : k < 0 ? (d - k - 1) / -k : -1;
	case REL_GT:
		return d > 0 ? 0 : k > 0 ? -d / k + 1 : -1;
	default:
		return d >= 0 ? 0 : k > 0 ? (-d + k - 1) / k : -1;
	}
}

static int64_t step_of(const struct affine_form *f, uint32_t loop)
{
	for (uint32_t i = 0; i < f->n_loops; i++)
		if (f->loop[i].loop == loop)
			return f->loop[i].k;
	return 0;
}

/* The iteration in which the atom first holds, at the latest; -1: not known. *sure: it is always that one. */
static int64_t latest(const struct state *s, uint32_t loop, const struct affine_atom *x, bool *sure)
{
	struct affine_form d = form_add(x->a, x->b, -1, AFFINE_NONE);
	int64_t k = step_of(&d, loop), t[2];
	struct affine_range r;

	d = form_leave(&d, loop, 0, 0);
	r = affine_range_of(s->out, &d);
	*sure = r.lo == r.hi;
	if (r.lo <= -AFFINE_INF || r.hi >= AFFINE_INF)
		return -1;
	if (x->rel == REL_EQ && !*sure) /* some thread's difference may not be a multiple: assumed as in the loop's
					 * source */
		return k > 0 && r.lo <= 0 ? -r.lo / k : k < 0 && r.hi >= 0 ? r.hi / -k : -1;
	t[0] = first_time(x->rel, r.lo, k);
	t[1] = first_time(x->rel, r.hi, k);
	return t[0] < 0 || t[1] < 0 ? -1 : t[0] > t[1] ? t[0] : t[1];
}

static bool dominates_latches(const struct state *s, const struct flow_loop *l, uint32_t b)
{
	for (uint32_t p = s->g.first_before[l->header]; p < s->g.first_before[l->header + 1]; p++) {
		uint32_t from = s->g.before[p];

		if (is_back_edge(s, from, l->header) && flow_edge(s, from, l->header) && !loops_dominates(s, b, from))
			return false;
	}
	return true;
}

/* The condition under which the lanes leave the loop at the end of block b; false if they do not there, or always. */
static bool exit_of(const struct state *s, const struct flow_loop *l, uint32_t b, struct affine_pred *leave)
{
	const struct block *g = &s->g.block[b];
	const struct insn *last = &s->k->code[g->last];
	uint32_t taken = last->kind == INSN_EXIT ? s->g.n_blocks : s->g.block_of[last->target];

	for (uint32_t e = 0; e < g->n_next; e++) {
		bool out = g->next[e] == s->g.n_blocks || !l->body[g->next[e]];

		if (!out || !s->block[b].edge[e])
			continue;
		*leave = !s->block[b].cond     ? (struct affine_pred){.known = true}
			 : g->next[e] == taken ? s->block[b].cond->pred
					       : pred_not(&s->block[b].cond->pred);
		return true;
	}
	return false;
}

static bool count_loop(struct state *s, uint32_t loop)
{
	struct flow_loop *l = &s->loop[loop];
	struct affine_loop *out = &s->out->loop[loop], was = *out;
	int64_t last = l->last, best = -1;
	bool was_sure = l->sure, sure = false, clear = true;
	struct affine_pred leave, stay = {0};
	uint32_t exits = 0;

	for (uint32_t b = 0; b < s->g.n_blocks && l->natural; b++) {
		if (!l->body[b] || !s->block[b].seen || !exit_of(s, l, b, &leave))
			continue;
		exits++;
		if (!leave.known || !dominates_latches(s, l, b)) {
			clear = false;
			continue;
		}
		stay = pred_not(&leave);
		for (uint32_t i = 0; i < leave.n && (leave.n == 1 || leave.any); i++) {
			bool always;
			int64_t t = latest(s, loop, &leave.atom[i], &always);

			if (t >= 0 && (best < 0 || t < best)) {
				best = t;
				sure = always && leave.n == 1;
			}
		}
	}
	out->trips = best < 0 ? UINT64_MAX : (uint64_t)best + 1;
	out->exact = exits == 1 && clear;
	l->sure = sure && out->exact;
	l->last = best;
	out->stay = out->exact && !l->sure ? memcpy(arena_alloc(s->tmp, sizeof stay), &stay, sizeof stay) : NULL;
	return out->trips != was.trips || l->sure != was_sure || (l->sure && l->last != last);
}

bool loops_count(struct state *s, uint32_t depth)
{
	bool changed = false;

	for (uint32_t l = 0; l < s->n_loops; l++)
		if (s->loop[l].depth == depth && s->block[s->loop[l].header].seen)
			changed |= count_loop(s, l);
	return changed;
}
