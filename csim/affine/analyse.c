/* The analysis of a launch from end to end, and what is read off at the end: the accesses with their loops and
 * guards. */
#include <string.h>

#include "affine/loops.h"

/* ---- registers ---- */

static void name_row(struct state *s, uint32_t row)
{
	if (row != NO_CODE && !(row & ROW_CONST) && row < s->k->file_bytes && !s->id_of[row / 4])
		s->id_of[row / 4] = s->n_ids++;
}

static void name_rows(struct state *s)
{
	const struct ptx_kernel *k = s->k;

	s->id_of = arena_array(s->tmp, k->file_bytes / 4u + 1u, sizeof *s->id_of);
	s->n_ids = 1; /* 0: what nobody reads */
	for (unsigned c = 0; c < k->n_code; c++) {
		const struct insn *i = &k->code[c];
		const uint32_t rows[] = {i->d,
					 i->a,
					 i->b,
					 i->c,
					 i->e,
					 i->guard,
					 i->kind == INSN_SHFL || i->kind == INSN_GROUP ? i->target : NO_CODE};

		for (unsigned r = 0; r < sizeof rows / sizeof rows[0]; r++)
			name_row(s, rows[r]);
	}
	for (unsigned i = 0; i < k->n_mems; i++) {
		name_row(s, k->mems[i].addr);
		for (unsigned e = 0; e < 4; e++)
			name_row(s, k->mems[i].reg[e]);
	}
	for (unsigned i = 0; i < k->n_setps; i++)
		name_row(s, k->setps[i].second);
	for (unsigned i = 0; i < k->n_halves; i++)
		name_row(s, k->halves[i].second);
	for (unsigned i = 0; i < k->n_packs; i++) {
		name_row(s, k->packs[i].row);
		for (unsigned e = 0; e < 4; e++)
			name_row(s, k->packs[i].reg[e]);
	}
	for (unsigned i = 0; i < k->n_matrices; i++)
		for (unsigned e = 0; e < k->matrices[i].f[0].n; e++)
			name_row(s, k->matrices[i].f[0].reg[e]);
	for (unsigned i = 0; i < k->n_texs; i++) {
		name_row(s, k->texs[i].resident);
		for (unsigned e = 0; e < 4; e++)
			name_row(s, k->texs[i].reg[e]);
	}
}

static void make_graph(struct state *s)
{
	struct cfg_node *node = arena_array(s->tmp, s->k->n_code + 1u, sizeof *node);
	const struct insn *guarded = NULL;

	for (unsigned c = 0; c < s->k->n_code; c++) {
		const struct insn *i = &s->k->code[c];
		bool branch = i->kind == INSN_BRANCH, ends = i->kind == INSN_EXIT;

		guarded = i->kind == INSN_GUARD ? i : i->kind == INSN_UNGUARD ? NULL : guarded;
		node[c] = (struct cfg_node){branch ? i->target : CFG_NO_TARGET,
					    (!branch && !ends) || (branch ? i->guard != NO_CODE : guarded != NULL), ends};
	}
	if (s->k->n_code)
		node[s->k->n_code - 1].falls = false;
	graph_make(&s->g, node, s->k->n_code);
	s->block = arena_array(s->tmp, s->g.n_blocks + 1u, sizeof *s->block);
	for (uint32_t b = 0; b < s->g.n_blocks; b++) {
		s->block[b].in = arena_array(s->tmp, s->n_ids, sizeof *s->block[b].in);
		s->block[b].out = arena_array(s->tmp, s->n_ids, sizeof *s->block[b].out);
	}
}

/* ---- accesses ---- */

static const struct affine_pred *keep_pred(struct state *s, const struct affine_pred *p)
{
	struct affine_pred *kept;

	if (!p)
		return NULL;
	kept = arena_alloc(s->keep, sizeof *kept);
	*kept = *p;
	for (uint32_t i = 0; i < p->n; i++) {
		struct affine_form *f = arena_array(s->keep, 2, sizeof *f);

		f[0] = *p->atom[i].a;
		f[1] = *p->atom[i].b;
		kept->atom[i].a = &f[0];
		kept->atom[i].b = &f[1];
	}
	return kept;
}

static bool names_other_loop(const struct affine_access *x, const struct affine_form *f)
{
	for (uint32_t i = 0; i < f->n_loops; i++) {
		bool around = false;

		for (uint32_t l = 0; l < x->n_loops; l++)
			around |= x->loop[l] == f->loop[i].loop;
		if (!around)
			return true;
	}
	return false;
}

static void add_guard(struct state *s, struct affine_access *x, const struct affine_pred *p)
{
	int d = pred_decide(s->out, p);

	if (d == 1)
		return;
	if (!p->known || x->n_guards == AFFINE_GUARDS) {
		x->complete = false;
		return;
	}
	for (uint32_t i = 0; i < p->n; i++) {
		if (names_other_loop(x, p->atom[i].a) || names_other_loop(x, p->atom[i].b)) {
			x->complete = false;
			return;
		}
	}
	x->guard[x->n_guards++] = keep_pred(s, p);
}

/* Whether every path from b passes `to`: none comes to the end without it. */
static bool always_reaches(const struct state *s, uint32_t b, uint32_t to)
{
	uint32_t *stack = arena_array(s->tmp, s->g.n_blocks + 1u, sizeof *stack), n = 0;
	bool *seen = arena_array(s->tmp, s->g.n_blocks + 1u, sizeof *seen);

	stack[n++] = b;
	while (n) {
		b = stack[--n];
		if (b == s->g.n_blocks)
			return false;
		for (uint32_t e = 0; e < s->g.block[b].n_next; e++) {
			uint32_t next = s->g.block[b].next[e];

			if (next == to || seen[next] || !s->block[b].edge[e])
				continue;
			seen[next] = true;
			stack[n++] = next;
		}
	}
	return true;
}

/* The only block that leads into b, from outside if b begins a loop; AFFINE_NONE if there are several. */
static uint32_t only_before(const struct state *s, uint32_t b)
{
	uint32_t found = AFFINE_NONE;

	for (uint32_t p = s->g.first_before[b]; p < s->g.first_before[b + 1]; p++) {
		uint32_t from = s->g.before[p];

		if (!flow_edge(s, from, b) || s->block[from].order >= s->block[b].order)
			continue;
		if (found != AFFINE_NONE)
			return AFFINE_NONE;
		found = from;
	}
	return found;
}

/* The outermost loop that an edge leaves; AFFINE_NONE if it leaves none. */
static uint32_t loop_left(const struct state *s, uint32_t from, uint32_t to)
{
	uint32_t found = AFFINE_NONE;

	for (uint32_t l = s->block[from].loop; l != AFFINE_NONE; l = s->out->loop[l].parent)
		if (!s->loop[l].body[to])
			found = l;
	return found;
}

/* Conditions of the edges that every path to the block takes. */
static void add_path(struct state *s, struct affine_access *x, uint32_t b)
{
	while (b != 0) {
		uint32_t from = only_before(s, b), taken, left;
		const struct insn *last;

		if (from == AFFINE_NONE) {
			from = s->block[b].idom;
			if (!always_reaches(s, from, b))
				x->complete = false;
			b = from;
			continue;
		}
		left = loop_left(s, from, b);
		if (left != AFFINE_NONE) { /* a loop is left some time, whatever the condition */
			x->complete &= s->out->loop[left].exact;
			b = s->loop[left].header;
			continue;
		}
		last = &s->k->code[s->g.block[from].last];
		taken = last->kind == INSN_EXIT ? s->g.n_blocks : s->g.block_of[last->target];
		if (s->block[from].cond && s->g.block[from].n_next > 1) {
			struct affine_pred p = s->block[from].cond->pred;

			if (taken != b)
				p = pred_not(&p);
			add_guard(s, x, &p);
		}
		b = from;
	}
}

static void add_loops(struct state *s, struct affine_access *x, uint32_t b)
{
	uint32_t chain[64], n = 0;

	for (uint32_t l = s->block[b].loop; l != AFFINE_NONE && n < 64; l = s->out->loop[l].parent)
		chain[n++] = l;
	x->complete &= n <= AFFINE_NEST;
	for (uint32_t i = n > AFFINE_NEST ? n - AFFINE_NEST : 0; i < n; i++) {
		uint32_t l = chain[n - 1 - i];

		if (n <= AFFINE_NEST || i >= n - AFFINE_NEST)
			x->loop[x->n_loops++] = l;
		x->complete &= s->out->loop[l].exact && s->loop[l].natural;
	}
}

static void describe(const struct state *s, struct affine_access *x, const struct insn *i)
{
	const struct mem_op *m = &s->k->mems[i->aux];

	*x = (struct affine_access){.pc = i->pc,
				    .line = (uint32_t)s->k->trace.lines->at[i->pc].text,
				    .kind = i->kind == INSN_ATOMIC ? AFFINE_ATOMIC
					    : m->store		   ? AFFINE_STORE
								   : AFFINE_LOAD,
				    .width = (uint32_t)m->width * m->n};
}

static void add_access(struct state *s, const struct value **reg, uint32_t b, const struct insn *i, const struct value *guard)
{
	const struct mem_op *m = &s->k->mems[i->aux];
	const struct value *at = eval_row(s, reg, m->addr, m->addr_bytes);
	struct affine_access *x = &s->out->access[s->out->n_accesses++];
	struct affine_form offset = form_number(m->offset);

	describe(s, x, i);
	if (i->kind == INSN_MATRIX_MEMORY) { /* lanes have addresses by a formula of their own, several each */
		x->at = form_unknown(DEP_MEMORY, i->pc);
		return;
	}
	x->complete = true;
	x->at = at->is_pred ? form_unknown(DEP_MEMORY, i->pc) : form_add(&at->form, &offset, 1, i->pc);
	add_loops(s, x, b);
	if (guard)
		add_guard(s, x, &guard->pred);
	add_path(s, x, b);
}

static bool is_global(const struct state *s, const struct insn *i)
{
	return (i->kind == INSN_MEMORY || i->kind == INSN_ATOMIC || i->kind == INSN_MATRIX_MEMORY) &&
	       (s->k->mems[i->aux].space == SPACE_GLOBAL || s->k->mems[i->aux].space == SPACE_NONE);
}

static void collect_block(struct state *s, uint32_t b)
{
	const struct value **reg = arena_array(s->tmp, s->n_ids, sizeof *reg), *guard = NULL;
	const struct block *g = &s->g.block[b];

	memcpy(reg, s->block[b].in, s->n_ids * sizeof *reg);
	for (uint32_t c = g->first; c <= g->last; c++) {
		const struct insn *i = &s->k->code[c];
		int d = guard ? pred_decide(s->out, &guard->pred) : 1;

		if (i->kind == INSN_GUARD)
			guard = flow_guard(s, reg, i);
		else if (i->kind == INSN_UNGUARD)
			guard = NULL;
		if (is_global(s, i) && d != 0)
			add_access(s, reg, b, i, guard);
		if (i->kind != INSN_BRANCH && i->kind != INSN_GUARD && d != 0)
			eval_insn(s, reg, i, d == 1 ? NULL : guard);
	}
}

/* Functions with frames are not followed: any address, in any order. */
static void collect_unknown(struct state *s)
{
	for (uint32_t c = 0; c < s->k->n_code; c++) {
		const struct insn *i = &s->k->code[c];

		if (!is_global(s, i))
			continue;
		describe(s, &s->out->access[s->out->n_accesses], i);
		s->out->access[s->out->n_accesses++].at = form_unknown(DEP_MEMORY, i->pc);
	}
}

static void collect(struct state *s)
{
	uint32_t n = 0;

	loops_dominate(s, false);
	for (uint32_t c = 0; c < s->k->n_code; c++)
		n += is_global(s, &s->k->code[c]);
	s->out->access = arena_array(s->keep, n, sizeof *s->out->access);
	if (s->k->n_frames) {
		collect_unknown(s);
		return;
	}
	for (uint32_t b = 0; b < s->g.n_blocks; b++) /* blocks are in the order of the text */
		if (s->block[b].seen)
			collect_block(s, b);
	for (uint32_t l = 0; l < s->n_loops; l++)
		s->out->loop[l].stay = keep_pred(s, s->out->loop[l].stay);
}

const struct affine_launch *affine_analyse(const struct ptx_kernel *k, const struct ptx_launch *l, const struct memory *mem,
					   struct arena *a)
{
	struct arena tmp = {0};
	struct state s = {.k = k, .l = l, .mem = mem, .keep = a, .tmp = &tmp};

	s.out = arena_alloc(a, sizeof *s.out);
	memcpy(s.out->grid, l->grid, sizeof s.out->grid);
	memcpy(s.out->block, l->block, sizeof s.out->block);
	name_rows(&s);
	make_graph(&s);
	flow_solve(&s);
	collect(&s);
	arena_free(&s.g.arena);
	arena_free(&tmp);
	return s.out;
}

const struct affine_launch *affine_renumber(const struct affine_launch *l, int32_t first_buffer, struct arena *a)
{
	struct affine_launch *copy = arena_alloc(a, sizeof *copy);

	*copy = *l;
	copy->access = arena_array(a, l->n_accesses, sizeof *copy->access);
	for (uint32_t i = 0; i < l->n_accesses; i++) {
		copy->access[i] = l->access[i];
		if (copy->access[i].at.buffer >= 0)
			copy->access[i].at.buffer += first_buffer;
	}
	return copy;
}
