/* The flat instructions in the order that an assembler would give each block (schedule.h), ahead of assembly: loads
 * come early, and what waits for them later. The results are those of the text's order, for a thread by itself and for
 * all that barriers order.
 */
#include <string.h>

#include "ptx/lower/fold.h"
#include "ptx/lower/schedule.h"

static enum schedule_side side_of(const struct lower *w, uint32_t n, const struct insn *i)
{
	const struct trace_inst *t = &w->k->trace.inst[n];

	switch (i->kind) {
	case INSN_ALU:
	case INSN_ALU_MOD:
	case INSN_SETP:
	case INSN_CVT:
	case INSN_PACK:
	case INSN_HALF:
	case INSN_VIDEO:
	case INSN_SHFL:
	case INSN_VOTE:
	case INSN_GROUP:
	case INSN_MATRIX:
		return SCHEDULE_FREE;
	case INSN_CARRY:
		return SCHEDULE_CARRY;
	case INSN_MEMORY:
		if ((t->op != OP_LOAD && t->op != OP_STORE) || t->flags & TRACE_VOLATILE ||
		    strstr(w->flat[n].s->opcode, ".release"))
			return SCHEDULE_PINNED;
		return w->k->mems[i->aux].space == SPACE_NONE ? SCHEDULE_GENERIC : SCHEDULE_MEMORY;
	default:
		return SCHEDULE_PINNED;
	}
}

/* a[i] becomes a[from[i]]. */
static void permute(void *a, size_t size, const uint32_t *from, uint32_t n, char *room)
{
	memcpy(room, a, n * size);
	for (uint32_t i = 0; i < n; i++)
		memcpy((char *)a + i * size, room + from[i] * size, size);
}

/* Takes the order's registers from what an assembler leaves; the order itself keeps what it leaves out. */
struct reorder {
	struct arena arena;
	struct fold whole, left;
	struct trace_inst *room;
	const struct cfg_node *node;
	uint8_t *side;
	uint32_t *from, *next; /* the best order so far, and another one */
};

/* Makes next[]; returns how many registers are alive at once in it. */
static uint32_t try_order(struct reorder *r, uint32_t limit)
{
	const struct schedule_rules rules = {.weight = r->left.weight, .limit = limit, .left = r->left.inst, .side = r->side};

	memcpy(r->room, r->whole.inst, r->whole.n * sizeof *r->room);
	schedule_blocks(r->node, r->whole.n, r->room, r->whole.n_regs, &rules, r->next);
	for (uint32_t i = 0; i < r->left.n; i++)
		r->room[i] = r->left.inst[r->next[i]];
	return fold_alive(&r->left, r->room, r->node);
}

/* Latency comes first as long as no more registers are needed than `registers`. There is an order whatever they are. */
static uint32_t find_order(struct reorder *r, uint32_t registers)
{
	uint32_t best = UINT32_MAX, limit = registers - STACK_REGISTERS;

	do {
		uint32_t n = try_order(r, limit), *order = r->next;

		if (n < best) {
			best = n;
			r->next = r->from;
			r->from = order;
		}
		limit -= limit ? limit / 8 + 1 : 0;
	} while (limit && best > registers);
	return best;
}

void lower_reorder(struct lower *w, struct insn *insns, struct cfg_node *node)
{
	struct reorder r = {.node = node};
	uint32_t n = w->n_flat, *registers = &w->k->trace.regs_per_thread, most, needs;
	char *room;

	room = arena_array(&r.arena, n + 1, sizeof *insns > sizeof *r.room ? sizeof *insns : sizeof *r.room);
	r.room = arena_array(&r.arena, n + 1, sizeof *r.room);
	r.from = arena_array(&r.arena, n + 1, sizeof *r.from);
	r.next = arena_array(&r.arena, n + 1, sizeof *r.next);
	r.side = arena_array(&r.arena, n + 1, 1);
	for (uint32_t i = 0; i < n; i++)
		r.side[i] = (uint8_t)side_of(w, i, &insns[i]);
	fold_begin(&r.whole, w, &r.arena);
	fold_begin(&r.left, w, &r.arena);
	fold_names(&r.left);
	most = (*registers + FOLD_UNIT - 1) / FOLD_UNIT * FOLD_UNIT; /* as dear as *registers are */
	most = most > fold_target(&r.left) ? most : fold_target(&r.left);
	needs = fold_registers(&r.left, find_order(&r, most < fold_limit(&r.left) ? most : fold_limit(&r.left)));
	*registers = needs > *registers ? needs : *registers;
	permute(insns, sizeof *insns, r.from, n, room);
	permute(node, sizeof *node, r.from, n, room);
	permute(w->k->trace.inst, sizeof *w->k->trace.inst, r.from, n, room);
	permute(w->k->trace.lines->at, sizeof w->k->trace.lines->at[0], r.from, n, room);
	permute(w->flat, sizeof *w->flat, r.from, n, room);
	for (uint32_t i = 0; i < n; i++)
		insns[i].pc = i;
	arena_free(&r.arena);
}
