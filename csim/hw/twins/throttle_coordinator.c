#include "hw/twins/throttle_coordinator.h"

#include <string.h>

static int check_range(const char *what, uint32_t value, uint32_t least, uint32_t most, struct err *e)
{
	if (value < least || value > most)
		return err_set(e, "throttle coordinator: %u %s: %u to %u are possible", value, what, least, most);
	return 0;
}

int throttle_coordinator_params_check(const struct throttle_coordinator_params *p, struct err *e)
{
	if (check_range("SMs", p->sms, 2, THROTTLE_MAX_SMS, e) != 0 ||
	    check_range("kernels", p->kernels, 1, THROTTLE_MAX_KERNELS, e) != 0 ||
	    check_range("periods before a sampling", p->n, 1, 15, e) != 0 ||
	    check_range("misses per kilo", p->threshold, 0, 65535, e) != 0 ||
	    check_range("cycles of a period", p->per_cycles, 0, 1 << 30, e) != 0 || check_range("as any", p->any, 0, 1, e) != 0 ||
	    check_range("bits of a counter", p->count_w, 4, 32, e) != 0)
		return -1;
	return 0;
}

void throttle_coordinator_reset(struct throttle_coordinator *s, const struct throttle_coordinator_params *p)
{
	memset(s, 0, sizeof *s);
	s->p = *p;
}

/* ---- which SM has how many warps ---- */

/* The kernel of the message that is first of its batch, or of the batch. */
static uint32_t slot_of(const struct throttle_coordinator *s, const struct throttle_coordinator_in *in)
{
	uint32_t slot = s->phase == THROTTLE_COLLECT && s->sm == 0 ? in->msg_slot : s->slot;

	return slot < s->p.kernels ? slot : 0;
}

static uint32_t smaller(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}

/* The largest number that the round of a kernel samples. */
static uint32_t last_of(const struct throttle_coordinator *s, uint32_t base, uint32_t top)
{
	return smaller(top, base ? base + s->p.sms - 1 : s->p.sms);
}

/* Whose turn it is, and its number of warps. */
struct turn {
	uint32_t sm, number;
};

static uint32_t first_number(uint32_t base)
{
	return (base + 1) & 127;
}

/* The turn after one: of SM 0 again when all have had theirs. */
static struct turn next_turn(const struct throttle_coordinator *s, uint32_t k, struct turn t)
{
	uint32_t base = s->base[k], last = last_of(s, base, s->top[k]), up = (t.number + 1) & 127;
	bool row_ends = t.sm + last >= s->p.sms;

	if (s->samples[k] && !base)
		return (struct turn){!row_ends ? t.sm + last : t.number == last ? 0 : t.number, row_ends ? up : t.number};
	t.sm = t.sm == s->p.sms - 1 ? 0 : t.sm + 1;
	if (s->samples[k])
		t.number = t.number == base || t.number == last ? base : up;
	return t;
}

/* ---- what a batch comes to ---- */

static bool sum_is_above(const struct throttle_coordinator *s, uint64_t misses, uint64_t commits, uint32_t working)
{
	return 1000 * misses > s->p.threshold * (s->p.per_cycles ? (uint64_t)s->p.per_cycles * working : commits);
}

static bool is_above(const struct throttle_coordinator *s)
{
	return s->p.any ? s->above : sum_is_above(s, s->misses, s->commits, s->working);
}

static bool own_is_better(const struct throttle_coordinator *s)
{
	return s->own_sms && (!s->best_sms || s->own_sum * s->best_sms > s->best_sum * s->own_sms);
}

static enum throttle_mode decision(const struct throttle_coordinator *s)
{
	uint32_t k = s->slot;

	if (!s->samples[k] && s->settled[k])
		return is_above(s) ? THROTTLE_SETTLED : THROTTLE_MONITOR;
	if (!s->samples[k])
		return !is_above(s) ? THROTTLE_MONITOR : s->run[k] + 1u == s->p.n ? THROTTLE_SAMPLE : THROTTLE_WATCH;
	if (!s->best_sms)
		return THROTTLE_MONITOR;
	return s->best == last_of(s, s->base[k], s->top[k]) && s->best < s->top[k] ? THROTTLE_SAMPLE : THROTTLE_SETTLED;
}

void throttle_coordinator_eval(const struct throttle_coordinator *s, const struct throttle_coordinator_in *in,
			       struct throttle_coordinator_out *out)
{
	(void)in;
	*out = (struct throttle_coordinator_out){.msg_ready = s->phase == THROTTLE_COLLECT,
						 .turn = s->sm,
						 .ord_valid = s->phase == THROTTLE_SEND,
						 .ord_slot = s->slot,
						 .ord_mode = s->order,
						 .ord_limit = s->number,
						 .dec_valid = s->phase == THROTTLE_DECIDE,
						 .busy = s->phase != THROTTLE_COLLECT};
	if (!out->dec_valid)
		return;
	out->dec_mode = (uint8_t)decision(s);
	out->dec_above = is_above(s);
	out->dec_voted = s->samples[s->slot];
	out->dec_winner = s->best;
}

/* ---- the edge ---- */

static void keep_better(struct throttle_coordinator *s)
{
	if (!own_is_better(s))
		return;
	s->best = s->own;
	s->best_sum = s->own_sum;
	s->best_sms = s->own_sms;
}

/* To the next turn; whether it is the first one again. */
static bool go_on(struct throttle_coordinator *s, uint32_t k, uint32_t number)
{
	struct turn t = next_turn(s, k, (struct turn){s->sm, number});

	s->sm = t.sm;
	s->number = (uint8_t)t.number;
	return t.sm == 0;
}

static void collect(struct throttle_coordinator *s, const struct throttle_coordinator_in *in)
{
	uint32_t k = slot_of(s, in), works = in->msg_commits != 0;
	bool first = s->sm == 0, above = works && sum_is_above(s, in->msg_misses, in->msg_commits, 1);
	uint32_t number = first ? first_number(s->base[k]) : s->number;

	if (!first && number != s->own)
		keep_better(s);
	if (first)
		s->best = 0, s->best_sum = 0, s->best_sms = 0;
	s->own_sum = (first || number != s->own ? 0 : s->own_sum) + in->msg_commits;
	s->own_sms = (first || number != s->own ? 0 : s->own_sms) + works;
	s->own = (uint8_t)number;
	s->commits = (first ? 0 : s->commits) + in->msg_commits;
	s->misses = (first ? 0 : s->misses) + in->msg_misses;
	s->working = (first ? 0 : s->working) + works;
	s->above = (first ? 0 : s->above) | above;
	s->slot = k;
	s->most = in->msg_most;
	if (go_on(s, k, number))
		s->phase = THROTTLE_LAST;
}

/* A sampling begins, or goes on, from the winner so far. */
static void sample(struct throttle_coordinator *s, uint32_t k)
{
	if (!s->samples[k])
		s->top[k] = s->most ? s->most : 1; /* 0 means nothing, and would have no turn end */
	s->base[k] = s->samples[k] ? s->best : 0;
	s->samples[k] = 1;
	s->run[k] = 0;
}

static void decide(struct throttle_coordinator *s)
{
	uint32_t k = s->slot;

	s->order = (uint8_t)decision(s);
	if (s->order == THROTTLE_SAMPLE) {
		sample(s, k);
	} else {
		if (s->samples[k]) {
			s->base[k] = s->best;
			s->settled[k] = s->order == THROTTLE_SETTLED;
		}
		s->run[k] = (uint8_t)(s->order == THROTTLE_WATCH ? s->run[k] + 1 : 0);
		s->samples[k] = 0;
	}
	s->number = (uint8_t)(s->order == THROTTLE_SAMPLE ? first_number(s->base[k]) : s->base[k] ? s->base[k] : 1);
	s->phase = THROTTLE_SEND;
}

void throttle_coordinator_tick(struct throttle_coordinator *s, const struct throttle_coordinator_in *in)
{
	switch (s->phase) {
	case THROTTLE_COLLECT:
		if (in->msg_valid)
			collect(s, in);
		return;
	case THROTTLE_LAST:
		keep_better(s);
		s->phase = THROTTLE_DECIDE;
		return;
	case THROTTLE_DECIDE:
		decide(s);
		return;
	default:
		if (in->ord_ready && go_on(s, s->slot, s->number))
			s->phase = THROTTLE_COLLECT;
	}
}

HW_CLOCKED_BLOCK(throttle_coordinator, THROTTLE_COORDINATOR_PARAMS, THROTTLE_COORDINATOR_INPUTS, THROTTLE_COORDINATOR_OUTPUTS,
		 THROTTLE_COORDINATOR_REGS, .name = "coordinator", .module = "throttle_coordinator",
		 .source = "rtl/throttle/throttle_coordinator.v", .wanted_by = "--throttle dwt-cs",
		 .shown = "msg_valid_i msg_ready_o turn_o msg_slot_i msg_commits_i msg_misses_i msg_most_i phase_q own_q own_sum_q "
			  "best_q best_sum_q dec_valid_o dec_mode_o dec_above_o dec_voted_o dec_winner_o ord_valid_o ord_slot_o "
			  "ord_mode_o ord_limit_o",
		 .ready = (const struct hw_shape[]){
			 {"sms=15 kernels=8 n=2 threshold=10 per_cycles=0 any=0 count_w=32", 1}, /* gtx480 */
			 {NULL, 0}})
