/* 510: the controller sleeps from command to command; a slow one that looks at every request in every cycle, and asks
 * the judge of command logs what may go, issues the same commands in the same cycles. Reads alone, then writes alone:
 * turns between them have tests of their own (503, 505). */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/dram_check.h"
#include "support/dram_rig.h"
#include "support/random.h"

enum { REQUESTS = 400, LOG = 8192 };

struct request {
	uint64_t arrival, row;
	uint32_t bank, column, bursts, done; /* bursts: a mask; done: those accessed */
	bool out;
};

struct poller {
	const struct machine *m;
	struct request r[REQUESTS];
	uint32_t waiting, next_in, left;
	bool write;
	int64_t open[DRAM_MAX_BANKS];
	uint64_t refresh_due;
	struct dram_command_event log[LOG];
	uint32_t n;
};

struct choice {
	struct dram_command_event e;
	uint32_t request, class;
	bool any;
};

static bool is_column(enum dram_command c)
{
	return c == DRAM_RD || c == DRAM_WR;
}

/* Whether an older request of the bank, or any for its open row if this one is not, goes before it. */
static bool stands_behind(const struct poller *p, uint32_t i)
{
	const struct request *x = &p->r[i];
	bool hit = p->open[x->bank] == (int64_t)x->row;

	for (uint32_t k = 0; k < p->next_in; k++) {
		const struct request *y = &p->r[k];
		bool other_hit = p->open[y->bank] == (int64_t)y->row;

		if (k == i || y->out || y->bank != x->bank)
			continue;
		if (other_hit > hit || (other_hit == hit && k < i))
			return true;
	}
	return false;
}

static struct dram_command_event command_for(const struct poller *p, uint32_t i, uint64_t cycle)
{
	const struct request *x = &p->r[i];
	struct dram_command_event e = {.cycle = cycle, .bank = (uint8_t)x->bank, .row = x->row};

	e.command = p->open[x->bank] < 0 ? DRAM_ACT : p->open[x->bank] != (int64_t)x->row ? DRAM_PRE : p->write ? DRAM_WR : DRAM_RD;
	if (is_column(e.command))
		e.column = x->column + (uint32_t)__builtin_ctz(x->bursts & ~x->done);
	return e;
}

static uint32_t class_of(const struct machine *m, enum dram_command c)
{
	if (m->dram.first == DRAM_FIRST_ACTIVATE)
		return c == DRAM_ACT ? 0 : is_column(c) ? 1 : 2;
	return is_column(c) ? 0 : 1;
}

/* The best command of a cycle; columns, rows: which kinds are asked for. Requests are looked at from the oldest on. */
static struct choice choose(const struct poller *p, uint64_t cycle, bool columns, bool rows)
{
	struct choice best = {.any = false};

	for (uint32_t i = 0; i < p->next_in; i++) {
		struct dram_command_event e;
		uint32_t class;

		if (p->r[i].out || stands_behind(p, i))
			continue;
		e = command_for(p, i, cycle);
		class = class_of(p->m, e.command);
		if (!(is_column(e.command) ? columns : rows) || !dram_check_next(p->m, p->log, p->n, &e))
			continue;
		if (!best.any || class < best.class)
			best = (struct choice){e, i, class, true};
	}
	return best;
}

static void issue(struct poller *p, const struct choice *c)
{
	struct request *x = &p->r[c->request];

	p->log[p->n++] = c->e;
	cr_assert(p->n < LOG);
	if (c->e.command == DRAM_ACT)
		p->open[x->bank] = (int64_t)x->row;
	else if (c->e.command == DRAM_PRE)
		p->open[x->bank] = -1;
	else
		x->done |= x->bursts & ~x->done & -(x->bursts & ~x->done);
	if (x->done == x->bursts) {
		x->out = true;
		p->waiting--;
		p->left--;
	}
}

/* Once a refresh is due, nothing but closing all banks and it. */
static void refresh(struct poller *p, uint64_t cycle)
{
	struct dram_command_event e = {.cycle = cycle, .command = DRAM_REF};

	for (uint32_t b = 0; b < p->m->dram.banks; b++)
		if (p->open[b] >= 0)
			e.command = DRAM_PRE_ALL;
	if (!dram_check_next(p->m, p->log, p->n, &e))
		return;
	p->log[p->n++] = e;
	memset(p->open, -1, sizeof p->open);
	if (e.command == DRAM_REF)
		p->refresh_due += p->m->dram.refi;
}

static void poll(struct poller *p, uint64_t cycle)
{
	bool dual = p->m->dram.command_bus == COMMAND_BUS_DUAL;
	struct choice column, row;

	while (p->next_in < REQUESTS && p->r[p->next_in].arrival <= cycle && p->waiting < p->m->dram.queue) {
		p->next_in++;
		p->waiting++;
	}
	if (p->m->dram.refresh && cycle >= p->refresh_due) {
		refresh(p, cycle);
		return;
	}
	column = choose(p, cycle, true, !dual);
	row = dual ? choose(p, cycle, false, true) : (struct choice){.any = false};
	if (column.any)
		issue(p, &column);
	if (row.any)
		issue(p, &row);
}

static void compare(const struct rig *r, const struct poller *p, const char *what)
{
	for (uint32_t i = 0; i < p->n; i++) {
		const struct dram_command_event *a = &r->log[i], *b = &p->log[i];

		cr_assert(i < r->commands && a->cycle == b->cycle && a->command == b->command && a->bank == b->bank &&
				  a->column == b->column && (a->row == b->row || b->command >= DRAM_PRE_ALL),
			  "%s: command %u is %d of bank %u at %lu, not %d of bank %u at %lu", what, i, a->command, a->bank,
			  (unsigned long)a->cycle, b->command, b->bank, (unsigned long)b->cycle);
	}
	cr_assert_geq(r->commands, p->n, "%s", what);
}

static void play(enum rig_memory memory, uint64_t seed, const char *const *set)
{
	static struct poller p;
	struct rig *r = rig_of(memory, set);
	uint32_t line = 128 / r->m.dram.burst_bytes;
	uint64_t s = seed, cycle = 0, gap, banks, rows;
	char what[64];

	p = (struct poller){.m = &r->m, .left = REQUESTS, .refresh_due = r->m.dram.refi, .write = seed % 2};
	memset(p.open, -1, sizeof p.open);
	gap = 1 + (uint32_t)random_below(&s, 3) * (uint32_t)random_below(&s, 20);
	banks = 1 + (uint32_t)random_below(&s, r->m.dram.banks);
	rows = 1 + (uint32_t)random_below(&s, 5);
	for (uint32_t i = 0; i < REQUESTS; i++) {
		struct request *x = &p.r[i];

		cycle += (uint32_t)random_below(&s, (uint32_t)gap);
		*x = (struct request){.arrival = cycle,
				      .row = (uint32_t)random_below(&s, (uint32_t)rows),
				      .bank = (uint32_t)random_below(&s, (uint32_t)banks),
				      .column = line * (uint32_t)random_below(&s, 8),
				      .bursts = 1 + (uint32_t)random_below(&s, (1u << line) - 1)};
		rig_push(r, cycle, p.write, x->bank, x->row, x->column, (uint8_t)x->bursts, i);
	}
	for (cycle = 0; p.left; cycle++)
		poll(&p, cycle);
	rig_run(r, cycle);
	snprintf(what, sizeof what, "memory %d, seed %lu", memory, (unsigned long)seed);
	compare(r, &p, what);
	rig_free(r);
}

#define SET(...) ((const char *const[]){"dram.age_cap=0", __VA_ARGS__, NULL})

Test(dram_polling, both_issue_the_same_commands_in_the_same_cycles)
{
	EACH_MEMORY for (uint64_t seed = 1; seed <= 12; seed++)
	{
		play(memory, seed, SET("dram.first=column"));
		play(memory, seed, SET("dram.first=activate"));
		play(memory, seed, SET("dram.refresh=true", "dram.refi=600"));
		play(memory, seed, SET("dram.queue=5", "dram.write_high=5", "dram.write_low=2"));
		play(memory, seed, SET("dram.faw=37", "dram.rrdl=9", "dram.ccdl=5", "dram.rtp=9", "dram.ras=17", "dram.rc=31"));
	}
}
