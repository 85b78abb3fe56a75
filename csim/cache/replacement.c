#include "cache/replacement.h"

#include "base/panic.h"

_Static_assert((int)CACHE_SOFT_PIN == (int)PIN_SOFT && (int)CACHE_HARD_PIN == (int)PIN_HARD, "one numbering of pins");

int replacement_init(struct replacement *r, const struct machine_cache *c, uint32_t timer, const char *owner,
		     const struct hw_binder *binder, struct err *e)
{
	struct pin_replacement_params p = {.sets = machine_cache_sets(c), .ways = c->assoc, .timer = timer};

	if (pin_replacement_params_check(&p, e) != 0 || pin_replacement_bind(binder, owner, &p, &r->port, e) != 0)
		return err_prefix(e, "l1.pin");
	r->clock = clocked_with(binder);
	return 0;
}

/* The edge of `cycle`. A response is taken in the cycle in which it is there. */
static void step(struct replacement *r)
{
	struct pin_replacement_out out;

	r->in.now = (uint32_t)r->clock.cycle;
	r->in.rsp_ready = 1;
	pin_replacement_port_step(&r->port, r->clock.cycle, &r->in, &out);
	PANIC_UNLESS(out.req_ready, "pin replacement", r->clock.cycle);
	r->ended += out.unpin;
	r->clock.busy = r->in.req_valid;
	r->in = (struct pin_replacement_in){0};
	r->clock.cycle++;
}

static void go_to(struct replacement *r, uint64_t cycle)
{
	while (clocked_lags(&r->clock, cycle))
		step(r);
}

void replacement_at(struct replacement *r, uint64_t now)
{
	r->now = now;
	go_to(r, now);
}

bool replacement_victim(struct replacement *r, uint32_t set, uint32_t *way)
{
	struct pin_replacement_out out;

	r->in.req_valid = 1;
	r->in.req_set = set;
	r->in.req_bypass = r->bypass;
	step(r);
	r->in.rsp_ready = 1;
	r->in.now = (uint32_t)r->clock.cycle;
	pin_replacement_port_eval(&r->port, r->clock.cycle, &r->in, &out);
	PANIC_UNLESS(out.rsp_valid, "pin replacement", r->clock.cycle);
	if (!out.rsp_found)
		return false;
	*way = r->victim = out.rsp_way;
	r->pin = out.rsp_pin;
	return true;
}

static void operate(struct replacement *r, enum pin_replacement_op kind, uint32_t set, uint32_t way)
{
	go_to(r, r->now + 1);
	if (r->in.op_valid || r->in.fill_valid)
		go_to(r, r->clock.cycle + 1);
	r->in.op_valid = 1;
	r->in.op_kind = (uint8_t)kind;
	r->in.op_set = set;
	r->in.op_way = way;
	r->clock.busy = true;
}

void replacement_use(struct replacement *r, uint32_t set, uint32_t way)
{
	operate(r, PIN_OP_USE, set, way);
}

void replacement_take(struct replacement *r, uint32_t set, uint32_t way, bool reserved)
{
	operate(r, PIN_OP_TAKE, set, way);
	r->in.op_reserve = reserved;
	r->full += way == r->victim && r->pin == PIN_HARD;
}

void replacement_pin(struct replacement *r, enum cache_pin pin)
{
	PANIC_UNLESS(r->in.op_valid && r->in.op_kind == PIN_OP_TAKE, "pin replacement", r->clock.cycle);
	r->in.op_pin = (uint8_t)pin;
}

void replacement_fill(struct replacement *r, uint32_t set, uint32_t way)
{
	if (r->in.fill_valid)
		go_to(r, r->clock.cycle + 1);
	r->in.fill_valid = 1;
	r->in.fill_set = set;
	r->in.fill_way = way;
	r->clock.busy = true;
}

/* A line that has just come is not kept at all. */
void replacement_drop(struct replacement *r, uint32_t set, uint32_t way)
{
	if (r->in.fill_valid && r->in.fill_set == set && r->in.fill_way == way)
		r->in.fill_drop = 1;
	else
		operate(r, PIN_OP_DROP, set, way);
}

void replacement_drop_all(struct replacement *r)
{
	operate(r, PIN_OP_DROP_ALL, 0, 0);
}

void replacement_finish(struct replacement *r)
{
	go_to(r, r->clock.cycle + r->clock.busy);
	if (r->clock.busy)
		step(r);
}
