#include "ptx/lower/lower.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/lower/cfg.h"

enum { MAX_NAMES = 65535 };

void *lower_append(struct lower *w, void *list, unsigned *n, size_t size)
{
	char *old = *(char **)list, *grown = old;

	if ((*n & (*n - 1)) == 0) { /* full: 0, or a power of two */
		grown = arena_array(w->arena, *n ? 2u * *n : 1, size);
		if (*n)
			memcpy(grown, old, *n * size);
		*(char **)list = grown;
	}
	return grown + (*n)++ * size;
}

/* ---- instruction by instruction ---- */

static uint16_t name_index(struct lower *w, const char *name)
{
	struct trace_kernel *t = &w->k->trace;
	struct opcode_name *found;

	HASH_FIND_STR(w->names, name, found);
	if (found)
		return found->index;
	if (t->n_names == MAX_NAMES)
		return 0;
	found = arena_alloc(w->arena, sizeof *found);
	found->text = name;
	found->index = (uint16_t)t->n_names;
	HASH_ADD_KEYPTR(hh, w->names, name, strlen(name), found);
	*(const char **)APPEND(w, t->names, t->n_names) = name;
	return found->index;
}

static void split(struct lower *w, const char *opcode)
{
	char *text = arena_strdup(w->arena, opcode), *dot;

	w->n_parts = 0;
	for (; text && w->n_parts < sizeof w->part / sizeof w->part[0]; text = dot) {
		dot = strchr(text, '.');
		if (dot)
			*dot++ = 0;
		w->part[w->n_parts++] = text;
	}
	if (text)
		lower_complain(w, "it has too many modifiers");
}

/* The file's number is unknown to the module if nothing declares it. */
static uint32_t file_index(const struct ptx_module *m, uint32_t number)
{
	uint32_t lo = 0, hi = m->n_files;

	while (lo < hi) { /* the first one of this number */
		uint32_t mid = lo + (hi - lo) / 2;

		if (m->files[mid].number < number)
			lo = mid + 1;
		else
			hi = mid;
	}
	return lo < m->n_files && m->files[lo].number == number ? lo + 1 : 0;
}

static void lower_lines(struct lower *w, const struct ptx_stmt *s, struct trace_inst *t, struct trace_place *at)
{
	t->line = s->line > s->debug_lines ? s->line - s->debug_lines : 1;
	*at = (struct trace_place){.text = s->line};
	if (s->source_line) {
		at->file = file_index(w->k->module, s->source_file);
		at->line = s->source_line;
	}
}

static void lower_one(struct lower *w, unsigned n, struct insn *i)
{
	const struct flat *f = &w->flat[n];
	struct trace_inst *t = &w->k->trace.inst[n];
	const char *why;

	*i = (struct insn){.pc = n, .guard = NO_CODE};
	w->i = i;
	w->t = t;
	w->f = f;
	w->complaint = NULL;
	lower_lines(w, f->s, t, &w->k->trace.lines->at[n]);
	t->name = name_index(w, f->s->opcode);
	t->op = OP_NOP;
	split(w, f->s->opcode);
	if (f->is_call && lower_call_how(w, f->in, f->s, &why) == CALL_BAD)
		lower_complain(w, "%s", why);
	if (!w->complaint)
		lower_inst(w);
	i->guard = lower_guard(w, f, t);
	i->negated = i->kind == INSN_VOTE || i->kind == INSN_BARRIER || i->kind == INSN_GROUP
			     ? i->negated
			     : f->s->guard_negated != (f->is_call && f->s->guard >= 0 && i->kind == INSN_BRANCH);
	if (!w->complaint)
		return;
	*i = (struct insn){.pc = n, .guard = NO_CODE, .kind = INSN_UNSUPPORTED};
	if (f->in->frame != NO_CODE && w->k->frames[f->in->frame].by_address)
		return;
	*(struct ptx_complaint *)APPEND(w, w->k->complaints, w->k->n_complaints) =
		(struct ptx_complaint){f->s->line, f->s->opcode, w->complaint};
}

/* ---- assembly ---- */

static struct cfg_node node_of(const struct insn *i)
{
	bool guarded = i->guard != NO_CODE, branch = i->kind == INSN_BRANCH;
	bool ends = i->kind == INSN_EXIT || i->kind == INSN_RETURN;

	return (struct cfg_node){branch ? i->target : CFG_NO_TARGET, (!branch && !ends) || guarded, ends};
}

static bool wrapped(const struct insn *i)
{
	return i->guard != NO_CODE && i->kind != INSN_BRANCH && i->kind != INSN_CALL;
}

/* Behind a call that not all lanes make, or not of one function, they meet again. */
static bool parts_lanes(const struct lower *w, const struct insn *i)
{
	return i->kind == INSN_CALL && (i->guard != NO_CODE || w->k->calls[i->aux].frame == NO_CODE);
}

/* Puts the pseudo-instructions in, and code indices in the place of flat numbers. */
static void assemble(struct lower *w, const struct insn *in, const uint32_t *join)
{
	unsigned n = w->n_flat, at = 0;
	bool *is_join = arena_array(w->arena, n + 1, sizeof *is_join);
	uint32_t *code_of = arena_array(w->arena, n + 1, sizeof *code_of);
	struct insn *code;

	for (unsigned f = 0; f < n; f++) {
		if (in[f].kind == INSN_BRANCH)
			is_join[join[f]] = true;
		else if (parts_lanes(w, &in[f]))
			is_join[f + 1] = true;
	}
	for (unsigned f = 0; f < n; f++) {
		code_of[f] = at;
		at += 1u + is_join[f] + 2u * wrapped(&in[f]);
	}
	w->k->n_code = at;
	w->k->code = code = arena_array(w->arena, at + 1u, sizeof *code); /* one more: what follows an exit is looked
									   * at */
	code[at].kind = INSN_UNSUPPORTED;
	for (unsigned f = 0; f < n; f++) {
		if (is_join[f])
			*code++ = (struct insn){.kind = INSN_JOIN, .pc = f};
		if (wrapped(&in[f]))
			*code++ = (struct insn){
				.kind = INSN_GUARD, .pc = f, .guard = in[f].guard, .negated = f < n && w->flat[f].s->guard_negated};
		*code = in[f];
		if (in[f].kind == INSN_BRANCH) {
			code->target = code_of[in[f].target];
			code->join = join[f] == n ? NO_CODE : code_of[join[f]];
		}
		code++;
		if (wrapped(&in[f]))
			*code++ = (struct insn){.kind = INSN_UNGUARD, .pc = f + 1};
	}
	for (unsigned k = 0; k < w->k->n_frames; k++) {
		w->k->frames[k].first = code_of[w->k->frames[k].first];
		w->k->frames[k].last = code_of[w->k->frames[k].last];
	}
}

/* What cp.async stores is traced as an instruction of its own. */
static void add_store(struct lower *w, const struct insn *i)
{
	struct trace_kernel *t = &w->k->trace;
	struct trace_inst *s = &t->inst[t->n_inst];

	*s = t->inst[i->pc];
	t->lines->at[t->n_inst] = t->lines->at[i->pc];
	s->op = OP_STORE;
	s->space = SPACE_SHARED;
	s->flags &= TRACE_PREDICATED;
	memmove(s->reg, s->reg + s->ndst, s->nsrc * sizeof s->reg[0]);
	s->ndst = 0;
	t->folds[t->n_inst] = *s;
	w->k->mems[i->aux + 1].pc_shared = t->n_inst++;
}

/* A generic access may go to shared or local memory: then it is traced as one of these, which are behind the text's. */
static void add_variants(struct lower *w)
{
	struct trace_kernel *t = &w->k->trace;

	for (unsigned c = 0; c < w->k->n_code; c++) {
		const struct insn *i = &w->k->code[c];
		struct mem_op *m;

		if (i->kind == INSN_COPY)
			add_store(w, i);
		if (i->kind != INSN_MEMORY && i->kind != INSN_ATOMIC && i->kind != INSN_MATRIX_MEMORY)
			continue;
		m = &w->k->mems[i->aux];
		if (m->space != SPACE_NONE)
			continue;
		m->pc_shared = t->n_inst;
		m->pc_local = t->n_inst + 1;
		for (int local = 0; local < 2; local++) {
			t->inst[t->n_inst] = t->inst[i->pc];
			t->folds[t->n_inst] = t->folds[i->pc];
			t->folds[t->n_inst].space = local ? SPACE_LOCAL : SPACE_SHARED;
			t->lines->at[t->n_inst] = t->lines->at[i->pc];
			t->inst[t->n_inst++].space = local ? SPACE_LOCAL : SPACE_SHARED;
		}
	}
}

static unsigned count_variants(const struct lower *w)
{
	unsigned n = 0;

	for (unsigned i = 0; i < w->k->n_mems; i++)
		n += w->k->mems[i].space == SPACE_NONE;
	return n + w->n_copies;
}

static void fill_pool(struct lower *w)
{
	struct ptx_kernel *k = w->k;

	k->pool = arena_alloc(w->arena, k->pool_bytes + 64u);
	for (const struct constant *c = w->constants; c; c = c->hh.next) {
		unsigned size = c->key.size == SIZE_PRED ? 4 : (unsigned)c->key.size, n = c->key.size == SIZE_PRED ? 1 : LANES;

		if (c->key.var || c->key.func)
			*(struct pool_reloc *)APPEND(w, k->relocs, k->n_relocs) =
				(struct pool_reloc){c->row, c->key.var, c->key.func, (int64_t)c->key.bits, size, c->key.shift};
		for (unsigned l = 0; l < n; l++)
			memcpy(k->pool + c->row + l * size, &c->key.bits, size);
	}
}

/* Predicates' rows are first in the file: one for each, the carry bits, and one that nobody reads. */
static void take_predicates(struct lower *w)
{
	unsigned n = 2;

	for (unsigned r = 0; r < w->n_reg; r++)
		n += w->reg[r].type == PT_PRED;
	w->k->carry = 0;
	w->next_pred = 8;
	w->k->file_bytes = (4 * n + 63) / 64 * 64;
}

static void refuse(struct lower *w, const char *why)
{
	*(struct ptx_complaint *)APPEND(w, w->k->complaints, w->k->n_complaints) =
		(struct ptx_complaint){w->k->func->line, NULL, why};
}

static uint32_t bounded(uint64_t bytes)
{
	return bytes < UINT32_MAX - 7 ? (uint32_t)bytes : UINT32_MAX - 7;
}

/* What a kernel takes of memory and registers. Too much is a complaint as an unknown instruction is: the module's
 * others run. */
static void take_sizes(struct lower *w)
{
	struct ptx_kernel *k = w->k;

	if (k->trace.n_regs > UINT16_MAX)
		refuse(w, "more than 65535 registers");
	if (w->shared > SHARED_LIMIT)
		refuse(w, arena_printf(w->arena, "%llu bytes of shared memory; at most %u are available",
				       (unsigned long long)w->shared, SHARED_LIMIT));
	if (w->local > LOCAL_LIMIT || w->frame > LOCAL_LIMIT)
		refuse(w, arena_printf(w->arena, "more than %u bytes of local memory a thread", LOCAL_LIMIT));
	k->trace.shared_bytes = bounded(w->shared);
	k->trace.local_bytes = k->stack_base = (bounded(w->local) + 7) / 8 * 8;
	if (k->stack_pointer != NO_CODE) {
		k->stack_base = (k->stack_base + STACK_ALIGN - 1) / STACK_ALIGN * STACK_ALIGN;
		k->trace.local_bytes = k->stack_base + STACK_BYTES;
	}
	k->frame_bytes = (bounded(w->frame) + 7) / 8 * 8;
}

/* What could not be read of a function refuses the kernels that it is part of. */
static void note_bad(struct lower *w, const struct instance *in)
{
	const struct ptx_func *f = in->func;

	if (!f->bad || (in->frame != NO_CODE && w->k->frames[in->frame].by_address))
		return;
	for (unsigned i = 0; i < w->k->n_complaints; i++)
		if (w->k->complaints[i].why == f->bad)
			return;
	*(struct ptx_complaint *)APPEND(w, w->k->complaints, w->k->n_complaints) =
		(struct ptx_complaint){f->bad_line, NULL, f->bad};
}

static void lower_all(struct lower *w, struct insn *insns, struct cfg_node *node)
{
	const struct instance *in = NULL;

	take_predicates(w);
	lower_shared(w);
	if (w->k->n_frames)
		w->k->stack_pointer = lower_take_row(w, 8);
	for (unsigned f = 0; f < w->n_flat; f++) {
		const struct instance *now = w->flat[f].in;

		if (in && in->frame != NO_CODE && now->frame != in->frame)
			lower_frame_end(w, in->frame);
		if (now->frame != NO_CODE && (!in || now->frame != in->frame))
			lower_frame_begin(w, now);
		if (now != in)
			note_bad(w, now);
		in = now;
		lower_one(w, f, &insns[f]);
		node[f] = node_of(&insns[f]);
	}
	if (in && in->frame != NO_CODE)
		lower_frame_end(w, in->frame);
}

static struct trace_lines *new_lines(struct lower *w)
{
	const struct ptx_module *m = w->k->module;
	struct trace_lines *l = arena_alloc(w->arena, sizeof *l + 3 * (size_t)w->n_flat * sizeof l->at[0]);

	l->ptx = m->name;
	l->n_files = m->n_files;
	l->file = m->file_names;
	return l;
}

struct ptx_kernel *lower_kernel(struct ptx_module *m, struct ptx_func *func)
{
	struct lower w = {.arena = &m->arena};
	struct ptx_kernel *k = arena_alloc(w.arena, sizeof *k);
	struct insn *insns;
	struct cfg_node *node;
	uint32_t *join;

	w.k = k;
	k->module = m;
	k->func = func;
	k->trace.name = arena_strdup(w.arena, func->name);
	for (unsigned s = 0; s < SPECIAL_COUNT; s++)
		k->special[s] = k->special16[s] = NO_CODE;
	k->stack_pointer = NO_CODE;
	if (lower_flatten(&w, func) < 0) {
		refuse(&w, "too large once calls are replaced by the functions' bodies");
		w.n_flat = k->n_frames = 0;
	}
	k->trace.n_inst = k->n_statements = w.n_flat;
	k->trace.inst = arena_array(w.arena, w.n_flat, 3 * sizeof *k->trace.inst); /* room for the variants */
	k->trace.lines = new_lines(&w);
	insns = arena_array(w.arena, w.n_flat, sizeof *insns);
	node = arena_array(w.arena, w.n_flat, sizeof *node);
	join = arena_array(w.arena, w.n_flat, sizeof *join);
	lower_all(&w, insns, node);
	take_sizes(&w);
	k->trace.regs_per_thread = lower_registers(&w, node);
	if (m->reorders)
		lower_reorder(&w, insns, node);
	cfg_joins(node, w.n_flat, join);
	assemble(&w, insns, join);
	k->trace.folds = lower_folds(&w, node);
	if (count_variants(&w))
		add_variants(&w);
	fill_pool(&w);
	HASH_CLEAR(hh, w.locations);
	HASH_CLEAR(hh, w.constants);
	HASH_CLEAR(hh, w.names);
	return k;
}
