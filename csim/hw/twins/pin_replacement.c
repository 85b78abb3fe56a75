#include "hw/twins/pin_replacement.h"

#include <string.h>

int pin_replacement_params_check(const struct pin_replacement_params *p, struct err *e)
{
	if (p->sets < 1 || p->sets > PIN_REPLACEMENT_MAX_SETS || (p->sets & (p->sets - 1)))
		return err_set(e, "pin replacement: %u sets: a power of two from 1 to %d is needed", p->sets,
			       PIN_REPLACEMENT_MAX_SETS);
	if (p->ways < 1 || p->ways > PIN_REPLACEMENT_MAX_WAYS)
		return err_set(e, "pin replacement: %u ways: 1 to %d are possible", p->ways, PIN_REPLACEMENT_MAX_WAYS);
	if (p->timer < 1 || p->timer > INT32_MAX)
		return err_set(e, "pin replacement: a timer of %u cycles: 1 to %d are possible", p->timer, INT32_MAX);
	return 0;
}

static inline uint32_t all_ways(const struct pin_replacement *s)
{
	return (1u << s->p.ways) - 1;
}

/* A port of one set still has a wire for its number. */
static inline uint32_t row(const struct pin_replacement *s, uint32_t set)
{
	return set & (s->p.sets - 1);
}

static inline uint32_t rank_of(const struct pin_replacement *s, uint32_t set, uint32_t way)
{
	uint32_t bits = pin_replacement_bits(s->p.ways);

	return (uint32_t)(s->rank[set] >> way * bits) & ((1u << bits) - 1);
}

void pin_replacement_reset(struct pin_replacement *s, const struct pin_replacement_params *p)
{
	memset(s, 0, sizeof *s);
	s->p = *p;
	for (uint32_t set = 0; set < p->sets; set++)
		for (uint32_t way = 0; way < p->ways; way++) /* way 0 has been used longest ago */
			s->rank[set] |= (uint64_t)(p->ways - 1 - way) << way * pin_replacement_bits(p->ways);
}

/* ---- the choice ---- */

static uint32_t oldest(const struct pin_replacement *s, uint32_t set, uint32_t ways)
{
	uint32_t best = (uint32_t)__builtin_ctz(ways);

	for (uint32_t left = ways & (ways - 1); left; left &= left - 1) {
		uint32_t way = (uint32_t)__builtin_ctz(left);

		best = rank_of(s, set, way) > rank_of(s, set, best) ? way : best;
	}
	return best;
}

/* ways: not reserved, at least one. */
static uint32_t choose(const struct pin_replacement *s, uint32_t set, uint32_t ways)
{
	uint32_t invalid = ways & ~s->valid[set], pinned = s->soft[set] | s->hard[set];

	if (invalid)
		return (uint32_t)__builtin_ctz(invalid);
	if (ways & ~pinned)
		return oldest(s, set, ways & ~pinned);
	if (ways & s->soft[set])
		return oldest(s, set, ways & s->soft[set]);
	return (uint32_t)__builtin_ctz(ways);
}

/* The ways that the pending request can have. */
static inline uint32_t choosable(const struct pin_replacement *s)
{
	return s->req_bypass ? 0 : all_ways(s) & ~s->reserved[row(s, s->req_set)];
}

static inline uint8_t pin_of(const struct pin_replacement *s, uint32_t set, uint32_t way)
{
	return (uint8_t)((s->hard[set] >> way & 1) * PIN_HARD | (s->soft[set] >> way & 1) * PIN_SOFT);
}

/* ---- the timer ---- */

static inline bool pins_end(const struct pin_replacement *s, const struct pin_replacement_in *in)
{
	return s->timing && in->now - s->start >= s->p.timer && (in->req_valid || in->op_valid || in->fill_valid);
}

static inline uint8_t req_ready(const struct pin_replacement *s, const struct pin_replacement_in *in)
{
	return !s->req_valid || in->rsp_ready;
}

void pin_replacement_eval(const struct pin_replacement *s, const struct pin_replacement_in *in, struct pin_replacement_out *out)
{
	*out = (struct pin_replacement_out){
		.req_ready = req_ready(s, in), .rsp_valid = s->req_valid, .busy = s->req_valid, .unpin = pins_end(s, in)};
	if (s->req_valid) {
		uint32_t set = row(s, s->req_set), ways = choosable(s);

		out->rsp_found = ways != 0;
		out->rsp_way = ways ? choose(s, set, ways) : 0;
		out->rsp_pin = ways ? pin_of(s, set, out->rsp_way) : 0;
	}
}

/* ---- what is given ---- */

/* A response that is taken ends what was given before. */
static void give(struct pin_replacement *s, const struct pin_replacement_in *in)
{
	uint32_t ways = choosable(s), set = row(s, s->req_set);

	if (!s->req_valid || !in->rsp_ready)
		return;
	s->given = ways != 0;
	s->given_set = set;
	s->given_way = ways ? choose(s, set, ways) : 0;
}

/* ---- the table ---- */

/* The way becomes the one that has been used last; those that were used after it are each a position older. */
static void use(struct pin_replacement *s, uint32_t set, uint32_t way)
{
	uint32_t bits = pin_replacement_bits(s->p.ways), from = rank_of(s, set, way);
	uint64_t rank = 0;

	for (uint32_t w = 0; w < s->p.ways; w++) {
		uint32_t r = rank_of(s, set, w);

		rank |= (uint64_t)(w == way ? 0 : r + (r < from)) << w * bits;
	}
	s->rank[set] = rank;
}

static void drop(struct pin_replacement *s, uint32_t set, uint32_t ways)
{
	s->valid[set] &= ~ways;
	s->reserved[set] &= ~ways;
	s->soft[set] &= ~ways;
	s->hard[set] &= ~ways;
}

static void take(struct pin_replacement *s, uint32_t set, const struct pin_replacement_in *in)
{
	uint32_t way = 1u << in->op_way;

	s->given = 0;
	use(s, set, in->op_way);
	drop(s, set, way);
	s->valid[set] |= way;
	s->reserved[set] |= in->op_reserve ? way : 0;
	s->soft[set] |= in->op_pin == PIN_SOFT ? way : 0;
	s->hard[set] |= in->op_pin >= PIN_HARD ? way : 0;
	if (in->op_pin && !s->timing) {
		s->timing = 1;
		s->start = in->now;
	}
}

static void operate(struct pin_replacement *s, const struct pin_replacement_in *in)
{
	uint32_t set = row(s, in->op_set);

	if (in->op_kind == PIN_OP_DROP_ALL)
		for (uint32_t i = 0; i < s->p.sets; i++)
			drop(s, i, ~s->reserved[i]);
	if (in->op_kind == PIN_OP_DROP_ALL || in->op_way >= s->p.ways)
		return;
	if (in->op_kind == PIN_OP_DROP)
		drop(s, set, 1u << in->op_way);
	if (in->op_kind == PIN_OP_TAKE && s->given && s->given_set == set && s->given_way == in->op_way)
		take(s, set, in);
	if (in->op_kind == PIN_OP_USE)
		use(s, set, in->op_way);
}

static void end_pins(struct pin_replacement *s)
{
	memset(s->soft, 0, s->p.sets * sizeof *s->soft);
	memset(s->hard, 0, s->p.sets * sizeof *s->hard);
	s->timing = 0;
}

void pin_replacement_tick(struct pin_replacement *s, const struct pin_replacement_in *in)
{
	uint32_t set = row(s, in->fill_set);

	give(s, in);
	if (pins_end(s, in))
		end_pins(s);
	if (in->op_valid)
		operate(s, in);
	if (in->fill_valid && in->fill_way < s->p.ways) {
		s->reserved[set] &= ~(1u << in->fill_way);
		if (in->fill_drop)
			drop(s, set, 1u << in->fill_way);
	}
	if (req_ready(s, in)) {
		s->req_valid = in->req_valid;
		if (in->req_valid) {
			s->req_set = in->req_set;
			s->req_bypass = in->req_bypass;
		}
	}
}

HW_CLOCKED_BLOCK(
	pin_replacement, PIN_REPLACEMENT_PARAMS, PIN_REPLACEMENT_INPUTS, PIN_REPLACEMENT_OUTPUTS, PIN_REPLACEMENT_REGS,
	.name = "pin_replacement", .module = "pin_replacement", .source = "rtl/pin_replacement/pin_replacement.v",
	.unread = "busy_o", .wanted_by = "--l1-pin buffers:hard=NAME, or --plan ldesc where it pins lines",
	.shown = "req_valid_i req_set_i req_bypass_i rsp_valid_o rsp_found_o rsp_way_o rsp_pin_o op_valid_i op_kind_i op_set_i "
		 "op_way_i "
		 "op_reserve_i op_pin_i fill_valid_i fill_set_i fill_way_i now_i timing_q start_q unpin_o reserved_q soft_q hard_q",
	.ready = (const struct hw_shape[]){{"sets=32 ways=4 timer=100000", 1}, /* gtx480: L1 */ {NULL, 0}})
