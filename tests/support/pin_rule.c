#include "support/pin_rule.h"

#include <string.h>

#include "support/random.h"

void pin_rule_init(struct pin_rule *r, const struct pin_replacement_params *p)
{
	memset(r, 0, sizeof *r);
	r->p = *p;
	r->given = -1;
	for (uint32_t set = 0; set < p->sets; set++)
		for (uint32_t way = 0; way < p->ways; way++)
			r->way[set][way].used = way;
	r->uses = p->ways;
}

/* What goes first; ways of one kind by `then`. */
struct turn {
	unsigned kind;
	uint64_t then;
};

static struct turn turn_of(const struct pin_rule *r, uint32_t set, uint32_t way)
{
	const struct pin_rule_way *w = &r->way[set][way];

	if (!w->there)
		return (struct turn){0, way};
	if (w->pin == PIN_NONE)
		return (struct turn){1, w->used};
	if (w->pin == PIN_SOFT)
		return (struct turn){2, w->used};
	return (struct turn){3, way};
}

int pin_rule_victim(const struct pin_rule *r, uint32_t set)
{
	struct turn first = {4, 0};
	int victim = -1;

	for (uint32_t way = 0; way < r->p.ways; way++) {
		struct turn t = turn_of(r, set, way);

		if (r->way[set][way].on_its_way || t.kind > first.kind || (t.kind == first.kind && t.then >= first.then))
			continue;
		first = t;
		victim = (int)way;
	}
	return victim;
}

int pin_rule_answer(const struct pin_rule *r)
{
	return r->bypasses ? -1 : pin_rule_victim(r, r->pending);
}

static void drop_all(struct pin_rule *r)
{
	for (uint32_t set = 0; set < r->p.sets; set++)
		for (uint32_t way = 0; way < r->p.ways; way++)
			if (!r->way[set][way].on_its_way)
				r->way[set][way].there = false;
}

static void operate(struct pin_rule *r, uint64_t cycle, const struct pin_replacement_in *in)
{
	struct pin_rule_way *w = &r->way[in->op_set][in->op_way];

	switch (in->op_kind) {
	case PIN_OP_DROP_ALL:
		drop_all(r);
		break;
	case PIN_OP_DROP:
		w->there = w->on_its_way = false;
		break;
	case PIN_OP_TAKE:
		if (r->given != (int)in->op_way || r->given_set != in->op_set)
			return;
		r->given = -1;
		*w = (struct pin_rule_way){true, in->op_reserve, in->op_pin > PIN_HARD ? PIN_HARD : in->op_pin, ++r->uses};
		if (in->op_pin && !r->timing)
			r->since = cycle;
		r->timing |= in->op_pin != 0;
		break;
	default:
		w->used = ++r->uses;
	}
}

static void respond(struct pin_rule *r, const struct pin_replacement_in *in)
{
	if (r->waits && in->rsp_ready) {
		r->given = pin_rule_answer(r);
		r->given_set = r->pending;
		r->waits = false;
	}
	if (!r->waits && in->req_valid) {
		r->waits = true;
		r->pending = in->req_set;
		r->bypasses = in->req_bypass;
	}
}

bool pin_rule_step(struct pin_rule *r, uint64_t cycle, const struct pin_replacement_in *in)
{
	bool ends = r->timing && cycle - r->since >= r->p.timer && (in->op_valid || in->fill_valid || in->req_valid);

	respond(r, in); /* by the pins as they were */
	for (uint32_t set = 0; ends && set < r->p.sets; set++)
		for (uint32_t way = 0; way < r->p.ways; way++)
			r->way[set][way].pin = PIN_NONE;
	r->timing &= !ends;
	if (in->op_valid)
		operate(r, cycle, in);
	if (in->fill_valid) {
		struct pin_rule_way *w = &r->way[in->fill_set][in->fill_way];

		w->on_its_way = false;
		w->there &= !in->fill_drop;
	}
	return ends;
}

/* ---- traffic ---- */

static uint32_t below(struct pin_traffic *t, uint32_t n)
{
	return (uint32_t)(random_u64(&t->seed) % n);
}

static uint32_t some_set(struct pin_traffic *t)
{
	return below(t, 4) ? below(t, t->rule.p.sets < 3 ? t->rule.p.sets : 3) : below(t, t->rule.p.sets);
}

/* The way for a newcomer: of the response that is taken now, else of the last one. */
static bool newcomer(const struct pin_traffic *t, struct pin_replacement_in *in)
{
	const struct pin_rule *r = &t->rule;
	bool now = r->waits && in->rsp_ready;
	int way = now ? pin_rule_answer(r) : r->given;

	if (way < 0)
		return false;
	in->op_set = now ? r->pending : r->given_set;
	in->op_way = (uint32_t)way;
	return true;
}

/* A newcomer, some without a way of its own; else something that can happen to any line that is there. */
static void next_op(struct pin_traffic *t, struct pin_replacement_in *in)
{
	const struct pin_rule_way *w;

	in->op_set = some_set(t);
	in->op_way = below(t, t->rule.p.ways);
	w = &t->rule.way[in->op_set][in->op_way];
	if ((below(t, 3) && newcomer(t, in)) || below(t, 20) == 0) {
		in->op_valid = 1;
		in->op_kind = PIN_OP_TAKE;
		in->op_reserve = below(t, 4) != 0;
		in->op_pin = (uint8_t)(below(t, 4) ? PIN_HARD : below(t, 4));
	} else if (below(t, 300) == 0) {
		in->op_valid = 1;
		in->op_kind = PIN_OP_DROP_ALL;
	} else if (w->there && below(t, 2)) {
		in->op_valid = 1;
		in->op_kind = below(t, 12) || w->on_its_way ? PIN_OP_USE : PIN_OP_DROP;
	}
}

static void next_fill(struct pin_traffic *t, struct pin_replacement_in *in)
{
	for (unsigned tries = 0; tries < 3 && !in->fill_valid; tries++) {
		in->fill_set = some_set(t);
		in->fill_way = below(t, t->rule.p.ways);
		in->fill_valid = t->rule.way[in->fill_set][in->fill_way].on_its_way && below(t, 3) == 0;
		in->fill_drop = in->fill_valid && below(t, 16) == 0;
	}
}

static void next_inputs(struct pin_traffic *t, bool again)
{
	struct pin_replacement_in in = {.rsp_ready = below(t, t->ready_in) == 0};

	in.req_valid = again || below(t, 3) != 0;
	in.req_set = again ? t->in.req_set : some_set(t);
	in.req_bypass = again ? t->in.req_bypass : below(t, 8) == 0;
	next_op(t, &in);
	next_fill(t, &in);
	t->in = in;
}

void pin_traffic_init(struct pin_traffic *t, const struct pin_replacement_params *p, uint64_t seed, unsigned ready_in)
{
	/* Some near the end of what the counter can hold. */
	*t = (struct pin_traffic){.seed = seed, .ready_in = ready_in, .cycle = seed % 3 ? 1000 : UINT32_MAX - 200};
	pin_rule_init(&t->rule, p);
	next_inputs(t, false);
	t->in.now = (uint32_t)t->cycle;
}

void pin_traffic_next(struct pin_traffic *t, const struct pin_replacement_out *out)
{
	bool again = t->in.req_valid && !out->req_ready;

	pin_rule_step(&t->rule, t->cycle, &t->in);
	next_inputs(t, again);
	t->cycle += 1 + (t->gaps && !t->rule.waits && below(t, 4) == 0 ? below(t, 40) : 0);
	t->in.now = (uint32_t)t->cycle;
}
