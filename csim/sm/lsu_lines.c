/* From an address record to transactions and bank cycles. */
#include "sm/sm_impl.h"

enum { ROW = 4 * TRACE_WARP_SIZE /* bytes of a word of local memory, all lanes */ };

static inline const struct trace_cta *cta_of(const struct sm *sm, unsigned slot)
{
	return &sm->cta[sm->warp[slot].cta].trace;
}

/* One word of each lane. `in_row` bytes of the width fall into it, from byte `from` of the access on. */
static uint32_t local_row(struct sm *sm, uint64_t base, const uint64_t *offset, uint32_t mask, uint32_t from, uint32_t in_row,
			  struct coalesce_tx *out)
{
	struct trace_addr a = {.list = 0};
	uint64_t lane_addr[TRACE_WARP_SIZE];
	uint32_t n = 0;

	for (uint32_t m = mask; m; m &= m - 1) {
		uint32_t lane = (uint32_t)__builtin_ctz(m);
		uint64_t byte = offset[lane] + from;

		lane_addr[n++] = base + byte / 4 * ROW + lane * 4 + byte % 4;
	}
	return coalesce_lines(&a, lane_addr, mask, in_row, sm->m->l1.c.line, out);
}

static uint32_t local_lines(struct sm *sm, unsigned slot, const struct core_inst *in, const struct trace_addr *a, uint32_t mask)
{
	uint64_t warp = (uint64_t)sm->id * sm->m->sm.warps + slot;
	uint64_t base = sm->lsu.local_base + warp * sm->kernel->local_words * ROW;
	uint64_t offset[TRACE_WARP_SIZE];
	uint32_t n = 0, width = in->width < 4 ? in->width : 4;

	trace_addr_expand(cta_of(sm, slot), a, mask, offset);
	for (uint32_t from = 0; from < in->width; from += width)
		n += local_row(sm, base, offset, mask, from, width, &sm->lsu.tx[n]);
	return n;
}

uint32_t lsu_lines(struct sm *sm, unsigned slot, const struct core_inst *in, const struct trace_addr *a, uint32_t mask)
{
	uint32_t line = in->act == ACT_CONST ? sm->m->cst.c.line : sm->m->l1.c.line;

	if (in->act == ACT_LOCAL)
		return local_lines(sm, slot, in, a, mask);
	return coalesce_lines(a, cta_of(sm, slot)->lanes, mask, in->width, line, sm->lsu.tx);
}

/* Atomics take a bank cycle for each lane, also where lanes share a word. */
static uint32_t atomic_cycles(const struct sm *sm, unsigned slot, const struct trace_addr *a, uint32_t mask)
{
	uint64_t addr[TRACE_WARP_SIZE];
	uint8_t lanes[COALESCE_MAX_BANKS] = {0};
	uint32_t most = 0;

	trace_addr_expand(cta_of(sm, slot), a, mask, addr);
	for (uint32_t m = mask; m; m &= m - 1) {
		uint32_t bank = (uint32_t)(addr[__builtin_ctz(m)] / 4 % sm->m->shared.banks);

		if (++lanes[bank] > most)
			most = lanes[bank];
	}
	return most;
}

uint32_t lsu_bank_cycles(const struct sm *sm, unsigned slot, const struct core_inst *in, const struct trace_addr *a, uint32_t mask)
{
	if (in->op == OP_ATOM)
		return atomic_cycles(sm, slot, a, mask);
	return coalesce_bank_cycles(a, cta_of(sm, slot)->lanes, mask, in->width, sm->m->shared.banks);
}
