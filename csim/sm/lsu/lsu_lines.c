/* From an address record to transactions and bank cycles. */
#include "sm/lsu/lsu.h"

enum { ROW = 4 * TRACE_WARP_SIZE /* bytes of a word of local memory, all lanes */ };

/* One word of each lane. `in_row` bytes of the width fall into it, from byte `from` of the access on. */
static uint32_t local_row(const struct lsu *l, uint64_t base, const uint64_t *offset, uint32_t mask, uint32_t from, uint32_t in_row,
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
	return coalesce_lines(&a, lane_addr, mask, in_row, l->m->l1.c.line, out);
}

static uint32_t local_lines(struct lsu *l, const struct lsu_inst *i, unsigned slot)
{
	uint64_t warp = (uint64_t)l->sm * l->m->sm.warps + slot;
	uint64_t base = l->local_base + warp * l->local_words * ROW;
	uint64_t offset[TRACE_WARP_SIZE];
	uint32_t n = 0, width = i->in->width < 4 ? i->in->width : 4;

	trace_addr_expand(i->cta, i->addr, i->mask, offset);
	for (uint32_t from = 0; from < i->in->width; from += width)
		n += local_row(l, base, offset, i->mask, from, width, &l->head.tx[n]);
	return n;
}

uint32_t lsu_lines(struct lsu *l, const struct lsu_inst *i, unsigned slot)
{
	uint32_t line = i->in->act == ACT_CONST ? l->m->const_cache.c.line : l->m->l1.c.line;
	struct trace_addr a;

	if (i->in->act == ACT_LOCAL)
		return local_lines(l, i, slot);
	a = trace_addr_at(i->cta, i->addr);
	return coalesce_lines(&a, i->cta->lanes, i->mask, i->in->width, line, l->head.tx);
}

/* Atomics take a bank cycle for each lane, also where lanes share a word. */
static uint32_t atomic_cycles(const struct lsu_inst *i, uint32_t banks)
{
	uint64_t addr[TRACE_WARP_SIZE];
	uint8_t lanes[COALESCE_MAX_BANKS] = {0};
	uint32_t most = 0;

	trace_addr_expand(i->cta, i->addr, i->mask, addr);
	for (uint32_t m = i->mask; m; m &= m - 1) {
		uint32_t bank = (uint32_t)(addr[__builtin_ctz(m)] / 4 % banks);

		if (++lanes[bank] > most)
			most = lanes[bank];
	}
	return most;
}

uint32_t lsu_bank_cycles(const struct lsu_inst *i, uint32_t banks)
{
	struct trace_addr a;

	if (i->in->op == OP_ATOM)
		return atomic_cycles(i, banks);
	a = trace_addr_at(i->cta, i->addr);
	return coalesce_bank_cycles(&a, i->cta->lanes, i->mask, i->in->width, banks);
}
