#include "cpu/store_tracker.h"

#include <string.h>

#include "base/panic.h"

enum { LINE = 64 };

/* ---- memory ---- */

static uint8_t *line_of(struct store_tracker *t, uint64_t line)
{
	uint64_t first = t->memory->base / LINE;

	if (line >= first && line - first < t->memory->bytes / LINE)
		return t->memory->byte + (line - first) * LINE;
	t->stats.out_of_range++;
	return NULL;
}

static void take_request(struct store_tracker *t)
{
	const struct tafe_out *out = &t->out;
	uint8_t *at = line_of(t, out->req_line);
	uint64_t none[8] = {0};

	if (out->req_write) {
		t->stats.writes++;
		if (at)
			memcpy(at, out->req_data, LINE);
		return;
	}
	t->stats.reads++;
	t->read[out->req_tag].busy = true;
	t->read[out->req_tag].due = t->clock.cycle + t->latency;
	memcpy(t->read[out->req_tag].data, at ? (const void *)at : none, LINE);
}

/* Requests are taken one a cycle and all take as long, so that two answers never meet. */
static void offer_answer(struct store_tracker *t)
{
	for (uint8_t tag = 0; tag < 2; tag++) {
		if (!t->read[tag].busy || t->read[tag].due > t->clock.cycle)
			continue;
		t->read[tag].busy = false;
		t->in.rsp_valid = 1;
		t->in.rsp_tag = tag;
		memcpy(t->in.rsp_data, t->read[tag].data, LINE);
	}
}

/* ---- the cycle ---- */

static void see(struct store_tracker *t)
{
	if (!t->seen)
		tafe_port_eval(&t->port, t->clock.cycle, &t->in, &t->out);
	t->seen = true;
}

static void count(struct store_tracker *t)
{
	t->stats.steps++;
	t->stats.tracked += t->out.ev_tracked;
	t->stats.misses += t->out.ev_miss;
	t->stats.unmatched += t->out.ev_unmatched;
	t->stats.saturated += t->out.ev_saturated;
	t->stats.stalls += t->in.st_valid && !t->out.st_ready;
	t->stats.command_cycles += t->in.cmd_valid;
}

static void step(struct store_tracker *t)
{
	see(t);
	t->in.req_ready = 1;
	offer_answer(t);
	tafe_port_tick(&t->port, t->clock.cycle, &t->in);
	count(t);
	if (t->out.req_valid)
		take_request(t);
	t->clock.busy = t->in.st_valid || t->in.cmd_valid || t->out.busy;
	t->in = (struct tafe_in){0};
	t->seen = false;
	t->clock.cycle++;
}

static void advance(struct store_tracker *t, uint64_t cycle)
{
	PANIC_UNLESS(cycle >= t->clock.cycle && (!t->clock.busy || cycle == t->clock.cycle), "store_tracker", cycle);
	while (clocked_lags(&t->clock, cycle))
		step(t);
}

/* ---- the hook ---- */

static bool offer_store(struct cpu_store_hook *hook, uint64_t cycle, const struct cpu_store *s)
{
	struct store_tracker *t = (struct store_tracker *)hook;

	PANIC_UNLESS(__builtin_popcount(s->bytes) == 1 && s->bytes <= 8 && s->addr % s->bytes == 0, "store_tracker", cycle);
	advance(t, cycle);
	see(t);
	t->in.st_valid = 1;
	t->in.st_addr = s->addr;
	t->in.st_data = s->value;
	t->in.st_size = (uint8_t)__builtin_ctz(s->bytes);
	t->stats.stores += t->out.st_ready;
	return t->out.st_ready;
}

static void put_command(struct tafe_in *in, const struct tafe_in *c)
{
	in->cmd_valid = 1;
	in->cmd_op = c->cmd_op;
	in->cmd_entry = c->cmd_entry;
	in->cmd_base = c->cmd_base;
	in->cmd_limit = c->cmd_limit;
	in->cmd_size = c->cmd_size;
	in->cmd_type = c->cmd_type;
	in->cmd_extents = c->cmd_extents;
	in->cmd_source = c->cmd_source;
	in->cmd_c_s = c->cmd_c_s;
	in->cmd_c_e = c->cmd_c_e;
	in->cmd_ctas = c->cmd_ctas;
	in->cmd_grid_x = c->cmd_grid_x;
	in->cmd_grid_y = c->cmd_grid_y;
	memcpy(in->cmd_block, c->cmd_block, sizeof in->cmd_block);
}

static bool offer_command(struct cpu_store_hook *hook, uint64_t cycle, uint32_t number)
{
	struct store_tracker *t = (struct store_tracker *)hook;
	const struct tafe_in *command;

	advance(t, cycle);
	if (t->in.cmd_valid) /* one a cycle */
		return false;
	command = t->commands->find(t->commands, number);
	if (command) {
		see(t);
		put_command(&t->in, command);
		if (!t->out.cmd_ready)
			return false;
		t->stats.commands++;
	}
	t->commands->taken(t->commands, number);
	return true;
}

static void end_cycle(struct cpu_store_hook *hook, uint64_t cycle)
{
	struct store_tracker *t = (struct store_tracker *)hook;

	advance(t, cycle);
	if (t->clock.busy || t->in.st_valid || t->in.cmd_valid || t->clock.every_cycle)
		step(t);
}

static bool busy(const struct cpu_store_hook *hook)
{
	return ((const struct store_tracker *)hook)->clock.busy;
}

int store_tracker_init(struct store_tracker *t, const struct machine *m, const char *owner, const struct hw_binder *binder,
		       struct store_tracker_commands *commands, struct taf_memory *memory, struct err *e)
{
	struct tafe_params p = {.entries = m->store_tracker.entries, .addr_w = 48, .index_w = 32, .tb_w = 31, .block_w = 10};

	*t = (struct store_tracker){.hook = {offer_store, offer_command, end_cycle, busy},
				    .commands = commands,
				    .memory = memory,
				    .latency = m->store_tracker.latency,
				    .clock = clocked_with(binder)};
	return tafe_bind(binder, owner, &p, &t->port, e);
}
