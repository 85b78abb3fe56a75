#include "replay/dram_trace.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/panic.h"
#include "noc/route.h"

enum { PERIOD = 1 /* no other clock is near: a tick is a cycle */ };

/* A request from its push until it and all before it are served. */
struct record {
	struct dram_trace_request r;
	uint8_t left; /* bursts that no bank has seen */
	bool served, activated, conflicted;
};

struct dram_trace {
	struct arena arena;
	struct dram d;
	struct dram_req_queue in, *in_list[1];
	struct dram_done_queue out, *out_list[1];
	uint64_t bytes;
	uint8_t bursts; /* mask of a request */
	uint32_t need;	/* requests that must be before the controller, so that it misses none in a cycle */

	struct ticks next; /* the channel's next event */
	uint64_t from;	   /* first cycle that is not yet done */
	uint64_t arrival;  /* of the last push */

	struct record *record; /* ring, indexed with the request's number, of which the token is the lower half */
	uint64_t mask;
	uint64_t pushed, accepted, oldest; /* numbers of requests; oldest: the first one not yet reported */

	dram_trace_each *each;
	void *context;
	struct dram_trace_counts n;
};

static struct record *record_of(const struct dram_trace *t, uint64_t number)
{
	return &t->record[number & t->mask];
}

static void grow_ring(struct dram_trace *t)
{
	uint64_t size = 2 * (t->mask + 1);
	struct record *old = t->record, *new = xcalloc(size, sizeof *new);

	for (uint64_t i = t->oldest; i < t->pushed; i++)
		new[i & (size - 1)] = old[i & t->mask];
	t->record = new;
	t->mask = size - 1;
	free(old);
}

static void serve(struct dram_trace *t, struct record *x, uint64_t done)
{
	x->served = true;
	x->r.done = done;
	if (done > t->n.end)
		t->n.end = done;
}

static void note_location(struct record *x, const struct dram_command_event *e)
{
	x->r.outcome = x->conflicted ? DRAM_TRACE_CONFLICT : x->activated ? DRAM_TRACE_MISS : DRAM_TRACE_HIT;
	x->r.row = e->row;
	x->r.bank = e->bank;
	x->r.column = e->column;
}

/* The channel's commands show how a request found its row, and when a write is over. */
static void watch(void *context, const struct dram_command_event *e)
{
	struct dram_trace *t = context;
	struct record *x = record_of(t, e->token);

	switch (e->command) {
	case DRAM_ACT:
		x->activated = true;
		break;
	case DRAM_PRE:
		x->conflicted = true;
		break;
	case DRAM_RD:
	case DRAM_WR:
		if (x->r.outcome == DRAM_TRACE_FORWARDED)
			note_location(x, e);
		if (--x->left == 0 && x->r.write)
			serve(t, x, e->cycle + t->d.t.wl + t->d.t.burst);
		break;
	default:
		break;
	}
}

struct dram_trace *dram_trace_open(const struct machine *machine, uint32_t bytes, dram_trace_each *each, void *context)
{
	struct dram_trace *t = xcalloc(1, sizeof *t);
	struct machine m = *machine;
	struct hw_binder golden = hw_golden_binder(&t->arena);
	struct addr_decoder_port decoder;
	uint32_t out = m.dram.queue + m.dram.cl + m.dram.burst;

	m.clock.period[CLOCK_DRAM] = PERIOD;
	t->bytes = bytes ? bytes : m.dram.burst_bytes;
	t->bursts = (uint8_t)((1u << t->bytes / m.dram.burst_bytes) - 1);
	t->need = 2 * m.dram.queue + out + 1;
	t->each = each;
	t->context = context;
	t->next = TIME_NEVER;
	t->mask = 1023;
	t->record = xcalloc(t->mask + 1, sizeof *t->record);
	queue_init(&t->in, &t->arena, 2 * t->need, ticks_of(1, PERIOD));
	queue_init(&t->out, &t->arena, out, ticks_of(1, PERIOD));
	t->in_list[0] = &t->in;
	t->out_list[0] = &t->out;
	if (route_bind_channel(&decoder, &m, &golden, "channel", NULL) != 0)
		panic("dram_trace", 0, "a machine that was resolved has no decoder");
	dram_init(&t->d, &t->arena, &m, &decoder, 1, t->in_list, t->out_list);
	t->d.watch = watch;
	t->d.watch_context = t;
	return t;
}

void dram_trace_close(struct dram_trace *t)
{
	if (!t)
		return;
	arena_free(&t->arena);
	free(t->record);
	free(t);
}

/* The input queue is taken from in order: whatever left it in this cycle was accepted. */
static void note_accepted(struct dram_trace *t, uint64_t cycle)
{
	if (!t->accepted && t->in.ring.head)
		t->n.first = cycle;
	for (; t->accepted < t->in.ring.head; t->accepted++)
		record_of(t, t->accepted)->r.accepted = cycle;
}

/* Replies are taken when they are promised: their times are known. */
static void take_replies(struct dram_trace *t)
{
	const struct dram_done *done;
	struct ticks at;

	while (at = queue_next_arrival(&t->out), !ticks_is_never(at)) {
		struct record *x;
		uint64_t latency;

		done = queue_front(&t->out, at);
		x = record_of(t, done->token);
		serve(t, x, cycles_in(at, PERIOD));
		latency = x->r.done - x->r.accepted;
		t->n.read_cycles += latency;
		if (latency > t->n.most)
			t->n.most = latency;
		queue_pop(&t->out, at);
	}
}

static void report_served(struct dram_trace *t)
{
	struct record *x;

	for (; t->oldest < t->accepted && (x = record_of(t, t->oldest))->served; t->oldest++)
		if (t->each)
			t->each(t->context, &x->r);
}

/* As far as is known what the channel will see: to the end, or until a later push could come before it. */
static void run(struct dram_trace *t, bool to_the_end)
{
	while (!ticks_is_never(t->next)) {
		uint64_t now = cycles_in(t->next, PERIOD);

		if (!to_the_end && now >= t->arrival && queue_count(&t->in) < t->need)
			return;
		t->from = now + 1;
		t->next = dram_step(&t->d, t->next);
		note_accepted(t, now);
		take_replies(t);
		report_served(t);
	}
}

void dram_trace_push(struct dram_trace *t, uint64_t line, uint64_t addr, bool write, uint64_t cycle)
{
	struct dram_req *q;

	PANIC_UNLESS(cycle >= t->arrival && cycle <= DRAM_TRACE_MAX_CYCLE, "dram_trace", cycle);
	if (t->pushed - t->oldest > t->mask)
		grow_ring(t);
	*record_of(t, t->pushed) = (struct record){
		.r = {.line = line, .addr = addr, .arrived = cycle, .write = write, .outcome = DRAM_TRACE_FORWARDED},
		.left = (uint8_t)__builtin_popcount(t->bursts),
	};
	q = queue_push(&t->in, ticks_of(cycle, PERIOD));
	*q = (struct dram_req){.local = addr & ~(t->bytes - 1),
			       .token = (uint32_t)t->pushed++,
			       .bursts = t->bursts,
			       .write = write,
			       .whole = write};
	t->arrival = cycle;
	if (cycle >= t->from)
		t->next = ticks_earlier(t->next, ticks_of(cycle, PERIOD));
	if (queue_count(&t->in) == t->in.ring.cap || cycle > t->from)
		run(t, false);
}

struct dram_trace_counts dram_trace_end(struct dram_trace *t)
{
	run(t, true);
	PANIC_UNLESS(t->oldest == t->pushed && !dram_waiting(&t->d), "dram_trace", t->n.end);
	dram_finish(&t->d, ticks_of(t->n.end, PERIOD));
	t->n.requests[DRAM_READ] = t->d.stats.requests[DRAM_READ];
	t->n.requests[DRAM_WRITE] = t->d.stats.requests[DRAM_WRITE];
	t->n.stats = t->d.stats;
	return t->n;
}
