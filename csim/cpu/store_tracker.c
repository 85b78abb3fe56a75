#include "cpu/store_tracker.h"

#include <string.h>

#include "base/panic.h"

enum { LINE = 64, HELD = 2 /* stores announced that the core has not entered yet */ };

static uint64_t ring(uint64_t n)
{
	uint64_t size = 1;

	while (size < n)
		size *= 2;
	return size;
}

int store_tracker_init(struct store_tracker *t, struct arena *a, const struct machine *m, const char *owner,
		       const struct hw_binder *binder, struct taf_memory *memory, struct err *e)
{
	struct tafe_params p = {.entries = m->store_tracker.entries, .addr_w = 48, .index_w = 32, .tb_w = 31, .block_w = 10};
	uint64_t stores = ring((uint64_t)m->host.rob + m->host.store_buffer + HELD), fences = ring((uint64_t)m->host.rob + HELD);

	*t = (struct store_tracker){.memory = memory, .latency = m->store_tracker.latency};
	if (tafe_bind(binder, owner, &p, &t->port, e) != 0)
		return -1;
	t->store = arena_array(a, stores, sizeof *t->store);
	t->store_mask = stores - 1;
	t->command = arena_array(a, fences, sizeof *t->command);
	t->command_mask = fences - 1;
	return 0;
}

void store_tracker_store(struct store_tracker *t, uint64_t addr, uint64_t value, uint32_t bytes)
{
	PANIC_UNLESS(t->store_tail - t->store_head <= t->store_mask && addr % bytes == 0, "store_tracker", t->cycle);
	t->store[t->store_tail++ & t->store_mask] = (struct store_tracker_store){addr, value, (uint8_t)__builtin_ctz(bytes)};
}

void store_tracker_command(struct store_tracker *t, struct store_tracker_command command)
{
	PANIC_UNLESS(t->command_tail - t->command_head <= t->command_mask, "store_tracker", t->cycle);
	t->command[t->command_tail++ & t->command_mask] = command;
}

/* ---- memory ---- */

static uint8_t *line_of(struct store_tracker *t, uint64_t line)
{
	uint64_t first = t->memory->base / LINE;

	if (line >= first && line - first < t->memory->bytes / LINE)
		return t->memory->byte + (line - first) * LINE;
	t->stats.strays++;
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
	t->read[out->req_tag].due = t->cycle + t->latency;
	memcpy(t->read[out->req_tag].data, at ? (const void *)at : none, LINE);
}

/* Requests are taken one a cycle and all take as long, so that two answers never meet. */
static void offer_answer(struct store_tracker *t)
{
	for (uint8_t tag = 0; tag < 2; tag++) {
		if (!t->read[tag].busy || t->read[tag].due > t->cycle)
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
		tafe_port_eval(&t->port, t->cycle, &t->in, &t->out);
	t->seen = true;
}

static void count(struct store_tracker *t)
{
	t->stats.steps++;
	t->stats.tracked += t->out.ev_tracked;
	t->stats.misses += t->out.ev_miss;
	t->stats.unowned += t->out.ev_unowned;
	t->stats.wide += t->out.ev_wide;
	t->stats.stalls += t->in.st_valid && !t->out.st_ready;
	t->stats.command_cycles += t->in.cmd_valid;
}

static void step(struct store_tracker *t)
{
	see(t);
	t->in.req_ready = 1;
	offer_answer(t);
	tafe_port_tick(&t->port, t->cycle, &t->in);
	count(t);
	if (t->out.req_valid)
		take_request(t);
	t->busy = t->in.st_valid || t->in.cmd_valid || t->out.busy;
	t->in = (struct tafe_in){0};
	t->seen = false;
	t->cycle++;
}

/* Leaves out the cycles in which the core did not act, unless the run wants each. */
static void advance(struct store_tracker *t, uint64_t cycle)
{
	PANIC_UNLESS(cycle >= t->cycle && (!t->busy || cycle == t->cycle), "store_tracker", cycle);
	while (t->every_cycle && t->cycle < cycle)
		step(t);
	t->cycle = cycle;
}

bool store_tracker_offer_store(struct store_tracker *t, uint64_t cycle)
{
	const struct store_tracker_store *s = &t->store[t->store_head & t->store_mask];

	PANIC_UNLESS(t->store_head != t->store_tail, "store_tracker", cycle);
	advance(t, cycle);
	see(t);
	t->in.st_valid = 1;
	t->in.st_addr = s->addr;
	t->in.st_data = s->value;
	t->in.st_size = s->size;
	t->store_head += t->out.st_ready;
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

bool store_tracker_offer_command(struct store_tracker *t, uint64_t cycle)
{
	const struct store_tracker_command *c = &t->command[t->command_head & t->command_mask];
	bool taken = true;

	PANIC_UNLESS(t->command_head != t->command_tail, "store_tracker", cycle);
	advance(t, cycle);
	if (t->in.cmd_valid) /* one a cycle */
		return false;
	if (c->in) {
		see(t);
		put_command(&t->in, c->in);
		taken = t->out.cmd_ready;
		t->stats.commands += taken;
	}
	if (taken && c->then)
		c->then(c->ctx);
	t->command_head += taken;
	return taken;
}

void store_tracker_edge(struct store_tracker *t, uint64_t cycle)
{
	advance(t, cycle);
	if (t->busy || t->in.st_valid || t->in.cmd_valid || t->every_cycle)
		step(t);
}
