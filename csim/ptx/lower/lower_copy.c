/* cp.async and mbarrier.
 *
 * A copy is one instruction here: it has been done when the next one begins. Its load is timed by a register of its own
 * that the program does not have; waiting for all copies reads those of the text's last eight. Waiting for all but the
 * last groups is free: the copy that would overtake its own predecessor waits for that one's register.
 */
#include <string.h>

#include "ptx/lower/lower.h"

/* cp.async.ca.shared.global{.L2::128B} [to], [from], bytes{, bytes of the source} */
static void copy(struct lower *w)
{
	const struct ptx_operand *o = w->f->s->opd;
	struct mem_op from = {.space = SPACE_GLOBAL, .n = 1, .type = PT_B8, .reg = {NO_CODE}, .src = {NO_CODE, NO_CODE}}, to;
	bool known = w->n_parts >= 5 && (!strcmp(w->part[2], "ca") || !strcmp(w->part[2], "cg")) &&
		     !strncmp(w->part[3], "shared", 6) && !strcmp(w->part[4], "global");

	for (unsigned i = 5; i < w->n_parts; i++)
		known &= !strncmp(w->part[i], "L2::", 4);
	if (!known || !lower_operands(w, 3, 5) || o[2].kind != OPD_IMM || (o[2].bits != 4 && o[2].bits != 8 && o[2].bits != 16)) {
		lower_complain(w, "no such copy here");
		return;
	}
	from.width = o[2].bits == 16 ? 8 : (uint8_t)o[2].bits;
	from.n = o[2].bits == 16 ? 2 : 1;
	to = from;
	to.space = SPACE_SHARED;
	to.store = true;
	lower_access(w, &o[1], &from);
	lower_access(w, &o[0], &to);
	if (w->f->s->n > 3 && !lower_has(w, "L2::cache_hint"))
		from.src[0] = lower_src(w, 3, 4, PT_U32);
	if (w->complaint || w->k->trace.n_regs >= UINT16_MAX)
		return;
	w->copies[w->n_copies++ % 8] = (uint16_t)w->k->trace.n_regs;
	memmove(w->t->reg + 1, w->t->reg, w->t->nsrc * sizeof w->t->reg[0]);
	w->t->reg[0] = (uint16_t)w->k->trace.n_regs++;
	w->t->ndst = 1;
	w->t->op = OP_LOAD;
	w->t->flags |= lower_has(w, "cg") ? TRACE_PAST_L1 : 0;
	w->t->space = SPACE_GLOBAL;
	w->t->width = (uint8_t)o[2].bits;
	w->i->kind = INSN_COPY;
	w->i->aux = w->k->n_mems;
	*(struct mem_op *)APPEND(w, w->k->mems, w->k->n_mems) = from;
	*(struct mem_op *)APPEND(w, w->k->mems, w->k->n_mems) = to;
}

/* cp.async.mbarrier.arrive{.noinc}.shared.b64 [a]: an arrival when this thread's copies are done, which they are;
 * without .noinc the barrier waits for one more first, so nothing changes. */
static void arrive_when_copied(struct lower *w)
{
	struct mem_op m = {.space = SPACE_SHARED, .n = 1, .width = 8, .type = PT_B64, .reg = {NO_CODE}, .src = {NO_CODE, NO_CODE}};

	if (!lower_operands(w, 1, 1))
		return;
	lower_access(w, &w->f->s->opd[0], &m);
	w->t->op = OP_NOP;
	w->i->kind = INSN_NOP;
	if (!lower_has(w, "noinc"))
		return;
	m.src[0] = lower_const(w, 1, 4);
	w->i->kind = INSN_MBARRIER;
	w->i->target = MBARRIER_ARRIVE;
	w->t->op = OP_ATOM;
	w->t->space = SPACE_SHARED;
	w->t->width = 8;
	*(struct mem_op *)APPEND(w, w->k->mems, w->k->n_mems) = m;
	w->i->aux = w->k->n_mems - 1;
}

/* cp.async.commit_group, .wait_group n, .wait_all */
void lower_cp(struct lower *w)
{
	const struct ptx_operand *o = w->f->s->opd;
	bool group = lower_has(w, "wait_group"), all = lower_has(w, "wait_all") || (group && w->f->s->n == 1 && !o->bits);

	if (w->n_parts > 3 && !strcmp(w->part[2], "mbarrier") && !strcmp(w->part[3], "arrive")) {
		arrive_when_copied(w);
		return;
	}
	if (!lower_has(w, "async") || lower_has(w, "bulk") || lower_has(w, "mbarrier")) {
		lower_complain(w, "of cp only .async of 4, 8 and 16 bytes, commit_group, wait_group and wait_all are supported");
		return;
	}
	if (!group && !lower_has(w, "wait_all") && !lower_has(w, "commit_group")) {
		copy(w);
		return;
	}
	if (!lower_operands(w, group, group))
		return;
	w->i->kind = INSN_NOP;
	w->t->op = all ? OP_INT_ADD : OP_NOP;
	for (unsigned k = 0; all && k < 8 && k < w->n_copies; k++)
		w->t->reg[w->t->nsrc++] = w->copies[k];
}

static void state(struct lower *w, const struct ptx_operand *o, struct mem_op *m, unsigned size)
{
	m->reg_bytes = (uint8_t)size;
	m->reg[0] = o->kind == OPD_SINK ? NO_CODE : lower_dst_of(w, o, size);
}

/* mbarrier.pending_count.b64 d, state: the upper bits of what an arrival gives */
static void pending_count(struct lower *w)
{
	if (!lower_operands(w, 2, 2))
		return;
	w->i->kind = INSN_CVT;
	w->i->a = lower_src(w, 1, 8, PT_B64);
	w->i->d = lower_dst(w, 0, 4);
	w->i->dst_size = 4;
	w->t->op = OP_INT_ADD;
	*(struct cvt_op *)APPEND(w, w->k->cvts, w->k->n_cvts) =
		(struct cvt_op){.from = PT_U64, .to = PT_U16, .from_bytes = 8, .to_bytes = 4, .how = CVT_VALUE};
	w->i->aux = w->k->n_cvts - 1;
}

/* init [a], n; inval [a]; arrive s, [a]{, n}; test_wait p, [a], s; test_wait.parity p, [a], parity{, ns} */
void lower_mbarrier(struct lower *w)
{
	static const struct {
		const char *name;
		enum mbarrier_op op;
		unsigned least, most, address;
	} known[] = {{"init", MBARRIER_INIT, 2, 2, 0},	    {"inval", MBARRIER_INVAL, 1, 1, 0},
		     {"arrive", MBARRIER_ARRIVE, 2, 3, 1},  {"arrive_drop", MBARRIER_DROP, 2, 3, 1},
		     {"test_wait", MBARRIER_WAIT, 3, 3, 1}, {"try_wait", MBARRIER_WAIT, 3, 4, 1}};
	struct mem_op m = {.space = SPACE_SHARED, .n = 1, .width = 8, .type = PT_B64, .reg = {NO_CODE}, .src = {NO_CODE, NO_CODE}};
	const struct ptx_operand *o = w->f->s->opd;
	unsigned k = 0;

	while (k < 6 && (w->n_parts < 2 || strcmp(known[k].name, w->part[1])))
		k++;
	if (k == 6 && lower_has(w, "pending_count")) {
		pending_count(w);
		return;
	}
	if (k == 6 || lower_has(w, "expect_tx") || lower_has(w, "shared::cluster")) {
		lower_complain(w, "barriers of transactions and clusters are not supported");
		return;
	}
	if (!lower_operands(w, known[k].least, known[k].most))
		return;
	w->i->kind = INSN_MBARRIER;
	w->i->target = known[k].op == MBARRIER_WAIT && lower_has(w, "parity") ? MBARRIER_PARITY : known[k].op;
	m.store = w->i->target < MBARRIER_ARRIVE;
	lower_access(w, &o[known[k].address], &m);
	if (w->i->target == MBARRIER_WAIT)
		m.src[0] = lower_src(w, 2, 8, PT_B64);
	else if (w->i->target == MBARRIER_PARITY)
		m.src[0] = lower_src(w, 2, 4, PT_U32);
	else if (w->f->s->n > known[k].address + 1)
		m.src[0] = lower_src(w, known[k].address + 1, 4, PT_U32);
	else
		m.src[0] = lower_const(w, 1, 4);
	if (known[k].address)
		state(w, &o[0], &m, w->i->target >= MBARRIER_WAIT ? SIZE_PRED : 8);
	w->t->op = known[k].op == MBARRIER_WAIT ? OP_LOAD : m.store ? OP_STORE : OP_ATOM;
	w->t->space = SPACE_SHARED;
	w->t->width = 8;
	*(struct mem_op *)APPEND(w, w->k->mems, w->k->n_mems) = m;
	w->i->aux = w->k->n_mems - 1;
}
