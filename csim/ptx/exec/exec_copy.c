/* cp.async, done at once, and mbarrier: barriers that are words of shared memory. */
#include "ptx/exec/exec.h"

static uint8_t *lane_bytes(const struct access *a, unsigned l)
{
	return a->scattered ? a->lane_bytes[l] : a->bytes + a->offset[l];
}

static void trace_access(struct exec *x, const struct warp *w, uint32_t pc, uint32_t mask, const struct access *a)
{
	x->insts++;
	if (!x->w)
		return;
	trace_put_run(x->w, w->id, pc, 1, mask);
	if (mask)
		trace_put_addrs(x->w, w->id, mask, a->address);
}

/* The lanes that read less than all their bytes, whose rest is zero; those that read none are in *none. */
static uint32_t short_lanes(const struct exec *x, const struct warp *w, const struct mem_op *m, uint32_t mask, uint32_t *none)
{
	const lane_u32 *bytes = m->src[0] == NO_CODE ? NULL : row_at(x, w, m->src[0]);
	uint32_t some = 0, whole = (uint32_t)m->width * m->n;

	*none = 0;
	for (unsigned l = 0; l < LANES && bytes; l++) {
		some |= (uint32_t)(bytes[l] < whole && bytes[l]) << l;
		*none |= (uint32_t)!bytes[l] << l;
	}
	*none &= mask;
	return some & mask;
}

static int read_short(struct exec *x, struct warp *w, const struct insn *i, uint32_t lanes, const struct access *from,
		      uint8_t data[LANES][16])
{
	const lane_u32 *bytes = lanes ? row_at(x, w, x->k->mems[i->aux].src[0]) : NULL;

	for (; lanes; lanes &= lanes - 1) {
		int l = __builtin_ctz(lanes);
		const uint8_t *at = memory_at(x->mem, from->address[l], bytes[l]);

		if (!at)
			return exec_fail(x, w, i, l, "reads %u bytes at 0x%llx, which are not in one buffer", bytes[l],
					 (unsigned long long)from->address[l]);
		memcpy(data[l], at, bytes[l]);
	}
	return 0;
}

int exec_copy(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask)
{
	const struct mem_op *m = &x->k->mems[i->aux];
	const struct insn store = {.kind = INSN_COPY, .aux = i->aux + 1, .pc = i->pc};
	uint8_t data[LANES][16] = {{0}};
	struct access from, to;
	uint32_t none, some = short_lanes(x, w, m, mask, &none), whole = mask & ~some & ~none;

	exec_addresses(x, w, m, from.address);
	exec_addresses(x, w, m + 1, to.address);
	if ((whole && access_find(x, w, i, SPACE_GLOBAL, whole, &from) < 0) || read_short(x, w, i, some, &from, data) < 0 ||
	    access_find(x, w, &store, SPACE_SHARED, mask, &to) < 0)
		return -1;
	for (uint32_t rest = whole; rest; rest &= rest - 1) {
		unsigned l = (unsigned)__builtin_ctz(rest);

		memcpy(data[l], lane_bytes(&from, l), (size_t)m->width * m->n);
	}
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		unsigned l = (unsigned)__builtin_ctz(rest);

		memcpy(lane_bytes(&to, l), data[l], (size_t)m->width * m->n);
	}
	x->changes++;
	x->effects++;
	trace_access(x, w, i->pc, mask & ~none, &from);
	trace_access(x, w, m[1].pc_shared, mask, &to);
	return 0;
}

/* ---- mbarrier: from bit 0, arrivals that this phase still lacks (16 bits, as pending_count reads them), arrivals of a
 * phase (16), number of the phase ---- */

enum { COUNT_BITS = 16, PHASE_AT = 32 };
#define COUNT(word, at) ((uint32_t)((word) >> (at)) & 0xffff)

/* *word after an arrival; false: there were more than the barrier lacks. */
static bool arrive(uint64_t *word, enum mbarrier_op op, uint32_t count)
{
	uint64_t phase = *word >> PHASE_AT;
	uint32_t lacks = COUNT(*word, 0), all = COUNT(*word, COUNT_BITS);

	if (!count || count > lacks || (op == MBARRIER_DROP && count > all))
		return false;
	lacks -= count;
	all -= op == MBARRIER_DROP ? count : 0;
	if (!lacks) {
		lacks = all;
		phase++;
	}
	*word = (phase & UINT32_MAX) << PHASE_AT | (uint64_t)all << COUNT_BITS | lacks;
	return true;
}

static uint64_t operand(const struct exec *x, const struct warp *w, const struct mem_op *m, unsigned l, bool wide)
{
	const void *row = row_at(x, w, m->src[0]);

	return wide ? ((const lane_u64 *)row)[l] : ((const lane_u32 *)row)[l];
}

int exec_mbarrier(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask)
{
	const struct mem_op *m = &x->k->mems[i->aux];
	enum mbarrier_op op = (enum mbarrier_op)i->target;
	uint32_t passed = 0, changed = 0;
	struct access at;

	exec_addresses(x, w, m, at.address);
	if (access_find(x, w, i, SPACE_SHARED, mask, &at) < 0)
		return -1;
	if (x->w)
		trace_put_addrs(x->w, w->id, mask, at.address);
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		unsigned l = (unsigned)__builtin_ctz(rest);
		uint64_t word, old, value = operand(x, w, m, l, op == MBARRIER_WAIT);

		memcpy(&word, lane_bytes(&at, l), sizeof word);
		old = word;
		if (op == MBARRIER_INIT && (!value || value > 0xffff))
			return exec_fail(x, w, i, (int)l, "a barrier of %llu arrivals; 1 to 65535 are possible",
					 (unsigned long long)value);
		if (op <= MBARRIER_INVAL)
			word = op == MBARRIER_INIT ? value << COUNT_BITS | value : 0;
		else if (op <= MBARRIER_DROP && !arrive(&word, op, (uint32_t)value))
			return exec_fail(x, w, i, (int)l, "%llu arrivals at a barrier that lacks %u", (unsigned long long)value,
					 COUNT(old, 0));
		passed |=
			(uint32_t)(op == MBARRIER_PARITY ? (word >> PHASE_AT & 1) != value : word >> PHASE_AT != value >> PHASE_AT)
			<< l;
		memcpy(lane_bytes(&at, l), &word, sizeof word);
		x->changes += word != old;
		changed |= (uint32_t)(word != old) << l;
		if (op >= MBARRIER_ARRIVE && op <= MBARRIER_DROP && m->reg[0] != NO_CODE)
			((lane_u64 *)row_at(x, w, m->reg[0]))[l] = old;
	}
	if (op >= MBARRIER_WAIT && m->reg[0] != NO_CODE)
		row_blend(row_at(x, w, m->reg[0]), &passed, mask, SIZE_PRED);
	x->effects += changed != 0;
	exec_orders(x, w, SPACE_SHARED, sizeof(uint32_t), mask, changed, op >= MBARRIER_WAIT ? ORDERING_READS : ORDERING_WRITES,
		    &at);
	return 0;
}
