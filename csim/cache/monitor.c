#include "cache/monitor.h"

#include "base/panic.h"

enum { COUNT_BITS = 32, ADDRESS_BITS = 32, READ_LIMIT = 64 /* cycles in which the block must answer */ };

int monitor_init(struct monitor *m, const struct machine *machine, const char *owner, const struct hw_binder *binder, struct err *e)
{
	const struct machine_cache *c = &machine->l1.c;
	uint32_t sets = machine_cache_sets(c), low = (uint32_t)__builtin_ctz(c->line) + (uint32_t)__builtin_ctz(sets);
	struct set_monitor_params p = {.sets = sets, .tag_w = ADDRESS_BITS - low, .count_w = COUNT_BITS};

	if (set_monitor_params_check(&p, e) != 0 || set_monitor_bind(binder, owner, &p, &m->port, e) != 0)
		return err_prefix(e, "l1.monitor");
	m->on = true;
	m->clock = clocked_with(binder);
	m->tag_mask = (UINT64_C(1) << p.tag_w) - 1;
	return 0;
}

static struct set_monitor_out step(struct monitor *m, const struct set_monitor_in *in)
{
	struct set_monitor_out out;

	set_monitor_port_step(&m->port, m->clock.cycle++, in, &out);
	m->clock.busy = in->acc_valid || in->req_valid || out.busy;
	return out;
}

static void advance(struct monitor *m, uint64_t cycle)
{
	static const struct set_monitor_in nothing;

	PANIC_UNLESS(cycle >= m->clock.cycle, "set monitor", cycle);
	while (clocked_lags(&m->clock, cycle))
		step(m, &nothing);
}

void monitor_lookup(void *ctx, uint64_t cycle, uint32_t set, uint64_t tag)
{
	struct monitor *m = ctx;
	struct set_monitor_in in = {.acc_valid = 1, .acc_set = set, .acc_tag = tag & m->tag_mask};

	advance(m, cycle);
	PANIC_UNLESS(step(m, &in).acc_ready, "set monitor", cycle);
}

/* One counter, its response taken only after `hold` cycles. */
static uint32_t read_one(struct monitor *m, uint32_t set, unsigned hold)
{
	struct set_monitor_in in = {.req_valid = 1, .req_set = set};

	for (unsigned waited = 0; waited < READ_LIMIT; waited++) {
		struct set_monitor_out out = step(m, &in);

		if (in.req_valid && out.req_ready)
			in.req_valid = 0;
		if (out.rsp_valid && in.rsp_ready)
			return out.rsp_count;
		in.rsp_ready = out.rsp_valid && waited >= hold;
	}
	panic("set monitor", m->clock.cycle, "no response for set %u", set);
}

void monitor_read(struct monitor *m, uint64_t cycle)
{
	advance(m, cycle);
	for (uint32_t s = 0; s < m->port.params.sets; s++)
		m->conflicts[s] = read_one(m, s, s % 5);
}
