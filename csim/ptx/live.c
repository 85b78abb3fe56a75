/* Liveness of registers: backward data flow over the blocks, then a walk through each block that counts. */
#include <string.h>

#include "ptx/graph.h"

struct live {
	struct graph g;
	const struct trace_inst *inst;
	uint32_t words; /* 64-bit words of a set */
	uint64_t *in;	/* a set for each block: alive at its begin */
};

static bool has(const uint64_t *set, uint32_t r)
{
	return set[r / 64] >> r % 64 & 1;
}

/* Before an instruction, given the set after it. A guarded write does not end the old value's life. */
static void step_back(const struct trace_inst *t, uint64_t *set)
{
	for (uint32_t k = 0; k < t->ndst && !(t->flags & TRACE_PREDICATED); k++)
		set[t->reg[k] / 64] &= ~(UINT64_C(1) << t->reg[k] % 64);
	for (uint32_t k = t->ndst; k < (uint32_t)t->ndst + t->nsrc; k++)
		set[t->reg[k] / 64] |= UINT64_C(1) << t->reg[k] % 64;
}

static void set_after(const struct live *l, const struct block *b, uint64_t *set)
{
	memset(set, 0, l->words * sizeof *set);
	for (uint32_t k = 0; k < b->n_next; k++)
		for (uint32_t w = 0; w < l->words && b->next[k] < l->g.n_blocks; w++)
			set[w] |= l->in[(size_t)b->next[k] * l->words + w];
}

static void solve(struct live *l, uint64_t *set)
{
	for (bool changed = true; changed;) {
		changed = false;
		for (uint32_t i = l->g.n_blocks; i-- > 0;) {
			const struct block *b = &l->g.block[i];
			uint64_t *in = l->in + (size_t)i * l->words;

			set_after(l, b, set);
			for (uint32_t k = b->last + 1; k-- > b->first;)
				step_back(&l->inst[k], set);
			if (memcmp(in, set, l->words * sizeof *set)) {
				memcpy(in, set, l->words * sizeof *set);
				changed = true;
			}
		}
	}
}

/* 32-bit registers of the set after an instruction; its own destinations need a place even if nobody reads them. */
static uint32_t weigh(const uint64_t *set, uint32_t words, const struct trace_inst *t, const uint8_t *weight)
{
	uint32_t sum = 0;

	for (uint32_t w = 0; w < words; w++)
		for (uint64_t rest = set[w]; rest; rest &= rest - 1)
			sum += weight[w * 64 + (uint32_t)__builtin_ctzll(rest)];
	for (uint32_t k = 0; k < t->ndst; k++)
		if (!has(set, t->reg[k]))
			sum += weight[t->reg[k]];
	return sum;
}

uint32_t cfg_registers(const struct cfg_node *node, uint32_t n, const struct trace_inst *inst, uint32_t n_regs,
		       const uint8_t *weight)
{
	struct live l = {.inst = inst, .words = (n_regs + 63) / 64};
	uint32_t most = 0;
	uint64_t *set;

	graph_make(&l.g, node, n);
	l.in = arena_array(&l.g.arena, (size_t)l.g.n_blocks * l.words + 1, sizeof *l.in);
	set = arena_array(&l.g.arena, l.words + 1, sizeof *set);
	solve(&l, set);
	for (uint32_t i = 0; i < l.g.n_blocks; i++) {
		const struct block *b = &l.g.block[i];

		set_after(&l, b, set);
		for (uint32_t k = b->last + 1; k-- > b->first;) {
			uint32_t sum = weigh(set, l.words, &inst[k], weight);

			most = sum > most ? sum : most;
			step_back(&inst[k], set);
		}
	}
	arena_free(&l.g.arena);
	return most;
}
