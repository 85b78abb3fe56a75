/* The flat instructions in the order that an assembler would give each block (schedule.h), ahead of assembly: loads
 * come early, and what waits for them later. The results are those of the text's order, for a thread by itself and for
 * all that barriers order.
 */
#include <string.h>

#include "ptx/lower/fold.h"
#include "ptx/lower/schedule.h"

enum { REGISTERS = 255 - 24 /* of a thread, less what addresses and spares take */ };

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

void lower_reorder(struct lower *w, struct insn *insns, struct cfg_node *node)
{
	struct arena arena = {0};
	struct fold f;
	uint32_t n = w->n_flat, *from = arena_array(&arena, n + 1, sizeof *from);
	uint8_t *side = arena_array(&arena, n + 1, 1);
	char *room =
		arena_array(&arena, n + 1, sizeof *insns > sizeof *w->k->trace.inst ? sizeof *insns : sizeof *w->k->trace.inst);

	fold_begin(&f, w, &arena);
	for (uint32_t i = 0; i < n; i++)
		side[i] = (uint8_t)side_of(w, i, &insns[i]);
	schedule_blocks(node, n, f.inst, f.n_regs, &(struct schedule_rules){.weight = f.weight, .limit = REGISTERS, .side = side},
			from);
	permute(insns, sizeof *insns, from, n, room);
	permute(node, sizeof *node, from, n, room);
	permute(w->k->trace.inst, sizeof *w->k->trace.inst, from, n, room);
	permute(w->k->trace.lines->at, sizeof w->k->trace.lines->at[0], from, n, room);
	permute(w->flat, sizeof *w->flat, from, n, room);
	for (uint32_t i = 0; i < n; i++)
		insns[i].pc = i;
	arena_free(&arena);
}
