/* The reorder buffer: when an instruction's operands are there, and so its result. A time that is known when an
 * instruction enters is added up at once; instructions that wait for a load are in its list of users and are
 * notified when the load's data comes. */
#include "base/panic.h"
#include "cpu/core_impl.h"

#define NO_USER UINT32_MAX

static inline uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

/* ---- loads that can be looked up: a heap, operands that came first and then older instructions on top ---- */

static bool before(const struct cpu_ready *a, const struct cpu_ready *b)
{
	return a->cycle != b->cycle ? a->cycle < b->cycle : a->number < b->number;
}

static void ready_push(struct cpu_core *c, struct cpu_ready r)
{
	uint32_t i = c->heap_n++;

	for (; i > 0 && before(&r, &c->heap[(i - 1) / 2]); i = (i - 1) / 2)
		c->heap[i] = c->heap[(i - 1) / 2];
	c->heap[i] = r;
}

void cpu_ready_pop(struct cpu_core *c)
{
	struct cpu_ready r = c->heap[--c->heap_n];
	uint32_t i = 0, child;

	while ((child = 2 * i + 1) < c->heap_n) {
		child += child + 1 < c->heap_n && before(&c->heap[child + 1], &c->heap[child]);
		if (!before(&c->heap[child], &r))
			break;
		c->heap[i] = c->heap[child];
		i = child;
	}
	c->heap[i] = r;
}

/* ---- results ---- */

/* All operands of the instruction in entry i are there, or will be, in e->ready. Says whether its result's time is
 * known. */
static bool begin(struct cpu_core *c, uint32_t i)
{
	struct cpu_entry *e = &c->entry[i];

	if (e->kind == CPU_LOAD) {
		ready_push(c, (struct cpu_ready){e->ready, c->head + ((i - c->head) & c->mask)});
		return false;
	}
	e->complete = e->ready + e->latency;
	return true;
}

/* The result of the instruction in entry i has a time: so its users may have one, and theirs. */
static void finish_users(struct cpu_core *c, uint32_t i)
{
	uint32_t n = 0;

	c->work[n++] = i;
	while (n > 0) {
		struct cpu_entry *from = &c->entry[c->work[--n]];

		for (uint32_t user = from->users; user != NO_USER; user = c->next_user[user]) {
			uint32_t number = user / CPU_MAX_SOURCES;
			struct cpu_entry *e = &c->entry[number];

			e->ready = later(e->ready, from->complete);
			if (--e->pending == 0 && begin(c, number))
				c->work[n++] = number;
		}
		from->users = NO_USER;
	}
}

void cpu_line_there(struct cpu_core *c, uint32_t i, uint64_t cycle)
{
	struct cpu_entry *e = &c->entry[i];

	PANIC_UNLESS(e->kind == CPU_LOAD && e->left > 0, "cpu_core", c->now);
	e->ready = later(e->ready, cycle);
	if (--e->left > 0)
		return;
	e->complete = e->ready;
	finish_users(c, i);
}

/* ---- entry ---- */

/* The instruction held that operand k waits for; NULL: its result is a register's. */
static struct cpu_entry *source(const struct cpu_core *c, unsigned k)
{
	uint64_t back = c->inst.back[k];

	return back && back <= c->tail - c->head ? &c->entry[(c->tail - back) & c->mask] : NULL;
}

/* The cycle in which the last operand is there; CYCLE_NEVER: not known. */
static uint64_t operands(const struct cpu_core *c)
{
	uint64_t ready = 0;

	for (unsigned k = 0; k < c->inst.n_back; k++) {
		const struct cpu_entry *from = source(c, k);

		ready = from ? later(ready, from->complete) : ready;
	}
	return ready;
}

/* Hangs the operands without a time into their sources' lists. */
static void wait_for_sources(struct cpu_core *c, struct cpu_entry *e, uint32_t i)
{
	for (unsigned k = 0; k < c->inst.n_back; k++) {
		struct cpu_entry *from = source(c, k);
		uint32_t user = i * CPU_MAX_SOURCES + k;

		if (!from)
			continue;
		if (from->complete != CYCLE_NEVER) {
			e->ready = later(e->ready, from->complete);
			continue;
		}
		c->next_user[user] = from->users;
		from->users = user;
		e->pending++;
	}
}

static void keep_lines(struct cpu_core *c, struct cpu_entry *e)
{
	PANIC_UNLESS(c->inst.kind == CPU_FENCE || c->inst.n_lines > 0, "cpu_core", c->now);
	for (uint32_t n = 0; n < c->inst.n_lines; n++)
		c->line[c->line_tail++ & c->line_mask] = c->inst.line[n];
	e->n_lines = e->left = c->inst.n_lines;
}

static void keep_for_hook(const struct cpu_core *c, struct cpu_entry *e)
{
	if (c->inst.kind == CPU_FENCE)
		e->command = c->inst.command;
	if (c->inst.kind != CPU_STORE)
		return;
	PANIC_UNLESS(c->inst.store.bytes > 0, "cpu_core", c->now);
	e->store = c->inst.store;
}

bool cpu_can_enter(const struct cpu_core *c)
{
	return c->tail - c->head != c->rob && (!c->in_order || operands(c) <= c->now);
}

void cpu_enter(struct cpu_core *c)
{
	uint32_t i = (uint32_t)c->tail & c->mask;
	struct cpu_entry *e = &c->entry[i];

	*e = (struct cpu_entry){.complete = CYCLE_NEVER,
				.ready = c->now,
				.first = c->line_tail,
				.users = NO_USER,
				.insts = c->inst.kind == CPU_COMPUTE && c->inst.block ? c->inst.block : 1,
				.latency = c->inst.kind == CPU_COMPUTE ? c->inst.latency : 1,
				.kind = c->inst.kind};
	PANIC_UNLESS(e->latency > 0, "cpu_core", c->now);
	if (c->inst.kind != CPU_COMPUTE)
		keep_lines(c, e);
	e->flush = c->inst.kind == CPU_FENCE && c->inst.flush;
	if (c->hook)
		keep_for_hook(c, e);
	wait_for_sources(c, e, i);
	c->tail++;
	if (e->pending == 0)
		begin(c, i);
}

uint64_t cpu_next_entry(const struct cpu_core *c)
{
	uint64_t ready;

	if (c->running && c->ahead >= c->width)
		return c->now + c->ahead / c->width;

	if (!c->fetched || c->tail - c->head == c->rob)
		return CYCLE_NEVER;
	ready = c->in_order ? operands(c) : 0;
	return ready > c->now ? ready : c->now + 1;
}
