/* Instructions that are more than one row function. */
#include <fenv.h>
#include <math.h>

#include "ptx/exec/exec.h"

__extension__ typedef unsigned __int128 wide_u;
__extension__ typedef __int128 wide_s;

static void flush_row(lane_f32 *row, const lane_f32 *from)
{
	EACH_LANE(l) row[l] = fabsf(from[l]) < 0x1p-126f ? copysignf(0, from[l]) : from[l];
}

static void saturate(const struct alu_mod *m, void *row)
{
	lane_f32 *f = row;
	lane_f64 *d = row;

	for (unsigned l = 0; l < LANES; l++) { /* NaN becomes 0 */
		if (m->size == 4)
			f[l] = f[l] > 0 ? (f[l] < 1 ? f[l] : 1) : 0;
		else
			d[l] = d[l] > 0 ? (d[l] < 1 ? d[l] : 1) : 0;
	}
}

static void alu_mod(const struct exec *x, const struct warp *w, const struct insn *i, void *out)
{
	const struct alu_mod *m = &x->k->mods[i->aux];
	const void *src[3] = {row_at(x, w, i->a), row_at(x, w, i->b), row_at(x, w, i->c)};
	_Alignas(64) lane_f32 flushed[3][LANES];

	for (unsigned s = 0; s < 3 && m->ftz; s++) {
		if (!(m->float_sources >> s & 1))
			continue;
		flush_row(flushed[s], src[s]);
		src[s] = flushed[s];
	}
	if (m->rounding != FE_TONEAREST)
		fesetround(m->rounding);
	i->fn(out, src[0], src[1], src[2], row_at(x, w, i->e));
	if (m->rounding != FE_TONEAREST)
		fesetround(FE_TONEAREST);
	if (m->ftz && i->dst_size == 4)
		flush_row(out, out);
	if (m->sat)
		saturate(m, out);
}

static uint32_t combined(const struct setp_op *s, uint32_t test, uint32_t c)
{
	c = s->c_negated ? ~c : c;
	switch (s->combine) {
	case COMBINE_AND:
		return test & c;
	case COMBINE_OR:
		return test | c;
	case COMBINE_XOR:
		return test ^ c;
	default:
		return test;
	}
}

static void setp(const struct exec *x, struct warp *w, const struct insn *i, uint32_t mask, void *out)
{
	const struct setp_op *s = &x->k->setps[i->aux];
	const void *a = row_at(x, w, i->a), *b = row_at(x, w, i->b);
	_Alignas(64) lane_f32 flushed[2][LANES];
	uint32_t test, c = *(const lane_u32 *)row_at(x, w, i->c), second;
	lane_u32 *d = out;

	if (s->ftz) {
		flush_row(flushed[0], a);
		flush_row(flushed[1], b);
		a = flushed[0];
		b = flushed[1];
	}
	i->fn(&test, a, b, NULL, NULL);
	second = combined(s, ~test, c);
	test = combined(s, test, c);
	if (s->second != NO_CODE)
		row_blend(row_at(x, w, s->second), &second, mask, SIZE_PRED);
	if (s->result == SETP_MASK)
		*d = test;
	else
		for (unsigned l = 0; l < LANES; l++)
			d[l] = test >> l & 1 ? (s->result == SETP_ONE ? 0x3f800000 : UINT32_MAX) : 0;
}

/* One lane of an addition or multiplication with the carry bit; *carry: in and out. */
static uint64_t with_carry(const struct carry_op *c, uint64_t a, uint64_t b, uint64_t add, bool *carry)
{
	unsigned bits = c->wide ? 64 : 32;
	wide_u limit = (wide_u)1 << bits, sum;
	wide_u product = (wide_u)a * b;

	if (c->is_signed)
		product = (wide_u)(c->wide ? (wide_s)(int64_t)a * (int64_t)b : (wide_s)((int64_t)(int32_t)a * (int32_t)b));
	switch (c->kind) {
	case CARRY_SUB:
		sum = (wide_u)a - b - (c->in && *carry);
		*carry = (wide_u)a < (wide_u)b + (c->in && *carry);
		return (uint64_t)(sum & (limit - 1));
	case CARRY_MAD_LO:
		sum = (product & (limit - 1)) + add;
		break;
	case CARRY_MAD_HI:
		sum = (product >> bits & (limit - 1)) + add;
		break;
	default:
		sum = (wide_u)a + b;
		break;
	}
	sum += c->in && *carry;
	*carry = sum >= limit;
	return (uint64_t)(sum & (limit - 1));
}

static uint64_t lane(const void *row, unsigned l, unsigned bytes)
{
	return bytes == 8 ? ((const lane_u64 *)row)[l] : bytes == 4 ? ((const lane_u32 *)row)[l] : ((const lane_u16 *)row)[l];
}

static void set_lane(void *row, unsigned l, unsigned bytes, uint64_t v)
{
	if (bytes == 8)
		((lane_u64 *)row)[l] = v;
	else if (bytes == 4)
		((lane_u32 *)row)[l] = (uint32_t)v;
	else
		((lane_u16 *)row)[l] = (uint16_t)v;
}

static void carry(const struct exec *x, struct warp *w, const struct insn *i, uint32_t mask, void *out)
{
	const struct carry_op *c = &x->k->carries[i->aux];
	const void *a = row_at(x, w, i->a), *b = row_at(x, w, i->b), *add = row_at(x, w, i->c);
	lane_u32 *bits = row_at(x, w, x->k->carry);
	unsigned bytes = c->wide ? 8 : 4;
	uint32_t after = 0;

	for (unsigned l = 0; l < LANES; l++) {
		bool cf = *bits >> l & 1;

		set_lane(out, l, bytes, with_carry(c, lane(a, l, bytes), lane(b, l, bytes), lane(add, l, bytes), &cf));
		after |= (uint32_t)cf << l;
	}
	if (c->out)
		row_blend(bits, &after, mask, SIZE_PRED);
}

static void pack(const struct exec *x, struct warp *w, const struct insn *i, uint32_t mask)
{
	const struct pack_op *p = &x->k->packs[i->aux];
	_Alignas(64) uint8_t row[ROW_MAX_BYTES], whole[ROW_MAX_BYTES];

	if (p->unpack) {
		memcpy(whole, row_at(x, w, p->row), (size_t)LANES * p->whole);
		for (unsigned k = 0; k < p->n; k++) {
			if (p->reg[k] == NO_CODE)
				continue;
			for (unsigned l = 0; l < LANES; l++)
				set_lane(row, l, p->part, lane(whole, l, p->whole) >> 8 * p->part * k);
			row_blend(row_at(x, w, p->reg[k]), row, mask, p->part);
		}
		return;
	}
	for (unsigned l = 0; l < LANES; l++) {
		uint64_t v = 0;

		for (unsigned k = 0; k < p->n; k++)
			v |= lane(row_at(x, w, p->reg[k]), l, p->part) << 8 * p->part * k;
		set_lane(row, l, p->whole, v);
	}
	row_blend(row_at(x, w, p->row), row, mask, p->whole);
}

/* The source lane of a shuffle; *in_range as the PTX manual's pseudo-code has it. */
static unsigned shfl_source(enum warp_mode mode, unsigned l, uint32_t b, uint32_t c, bool *in_range)
{
	unsigned segment = c >> 8 & 31, most = (l & segment) | (c & 31 & ~segment), least = l & segment;
	int j;

	b &= 31;
	switch (mode) {
	case SHFL_UP:
		j = (int)l - (int)b;
		*in_range = j >= (int)most;
		break;
	case SHFL_DOWN:
		j = (int)(l + b);
		*in_range = j <= (int)most;
		break;
	case SHFL_BFLY:
		j = (int)(l ^ b);
		*in_range = j <= (int)most;
		break;
	default:
		j = (int)(least | (b & ~segment));
		*in_range = j <= (int)most;
		break;
	}
	return *in_range ? (unsigned)j : l;
}

static void shfl(const struct exec *x, struct warp *w, const struct insn *i, uint32_t mask)
{
	const lane_u32 *a = row_at(x, w, i->a), *b = row_at(x, w, i->b), *c = row_at(x, w, i->c);
	uint32_t row[LANES], in_range = 0;

	for (unsigned l = 0; l < LANES; l++) {
		bool in;

		row[l] = a[shfl_source((enum warp_mode)i->aux, l, b[l], c[l], &in)];
		in_range |= (uint32_t)in << l;
	}
	row_blend(row_at(x, w, i->d), row, mask, 4);
	if (i->target != NO_CODE)
		row_blend(row_at(x, w, i->target), &in_range, mask, SIZE_PRED);
}

static bool agree(enum warp_mode mode, uint32_t p, uint32_t lanes)
{
	return mode == VOTE_ANY ? p != 0 : mode == VOTE_ALL ? p == lanes : p == 0 || p == lanes;
}

/* Each lane asks the members that it names, of those that are active: a warp may hold several groups. */
static void vote(const struct exec *x, struct warp *w, const struct insn *i, uint32_t mask, void *out)
{
	uint32_t p = *(const lane_u32 *)row_at(x, w, i->a), answers = 0;
	const lane_u32 *members = row_at(x, w, i->e);
	lane_u32 *d = out;

	p = i->negated ? ~p : p;
	for (unsigned l = 0; l < LANES; l++) {
		uint32_t who = members[l] & mask;

		if (i->aux == VOTE_BALLOT)
			d[l] = p & who;
		else
			answers |= (uint32_t)agree((enum warp_mode)i->aux, p & who, who) << l;
	}
	if (i->aux != VOTE_BALLOT)
		*d = answers;
}

/* Functional time: the warp instructions that the module's kernels have executed, and the readings, so that none
 * repeats. */
static void clock_row(struct exec *x, const struct insn *i, void *out)
{
	uint64_t now = x->k->module->warp_insts + x->insts + ++x->reads, v = now;

	if (i->aux == SPECIAL_CLOCK_HI || i->aux == SPECIAL_TIMER_HI)
		v = now >> 32;
	else if (i->aux == SPECIAL_GRIDID)
		v = x->k->module->launches;
	for (unsigned l = 0; l < LANES; l++)
		set_lane(out, l, i->dst_size, v);
}

int exec_slow(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask)
{
	_Alignas(64) uint8_t out[ROW_MAX_BYTES];

	switch ((enum insn_kind)i->kind) {
	case INSN_ALU_MOD:
		alu_mod(x, w, i, out);
		break;
	case INSN_SETP:
		setp(x, w, i, mask, out);
		break;
	case INSN_CARRY:
		carry(x, w, i, mask, out);
		break;
	case INSN_CVT:
		exec_convert(&x->k->cvts[i->aux], out, row_at(x, w, i->a));
		break;
	case INSN_VOTE:
		vote(x, w, i, mask, out);
		break;
	case INSN_ACTIVEMASK:
		for (unsigned l = 0; l < LANES; l++)
			((lane_u32 *)out)[l] = mask;
		break;
	case INSN_PACK:
		pack(x, w, i, mask);
		return 0;
	case INSN_CLOCK:
		clock_row(x, i, out);
		break;
	case INSN_VIDEO:
		exec_video(x, w, i, out);
		break;
	case INSN_HALF:
		exec_half(x, w, i, mask);
		return 0;
	case INSN_GROUP:
		exec_group(x, w, i, mask);
		return 0;
	case INSN_MBARRIER:
		return exec_mbarrier(x, w, i, mask);
	case INSN_SLEEP:
		exec_sleep(x, w, i, mask);
		return 0;
	case INSN_SHFL:
		shfl(x, w, i, mask);
		return 0;
	case INSN_MATRIX:
		return exec_matrix(x, w, i, mask);
	case INSN_STACK:
		return exec_stack(x, w, i, mask);
	case INSN_TEXTURE:
		return exec_texture(x, w, i, mask);
	case INSN_SURFACE:
		x->effects++;
		return exec_surface(x, w, i, mask);
	case INSN_QUERY:
		return exec_query(x, w, i, mask);
	case INSN_PRINTF:
		x->effects++;
		return exec_printf(x, w, i, mask);
	case INSN_ASSERT:
		return exec_assert(x, w, i, mask);
	case INSN_MALLOC:
		x->effects++;
		return exec_malloc(x, w, i, mask);
	case INSN_FREE:
		x->effects++;
		return exec_free(x, w, i, mask);
	case INSN_TRAP:
		return exec_fail(x, w, i, __builtin_ctz(mask), "the kernel stops itself (trap)");
	default:
		return exec_fail(x, w, i, -1, "this instruction is not supported");
	}
	row_blend(row_at(x, w, i->d), out, mask, i->dst_size);
	return 0;
}
