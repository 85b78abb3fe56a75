#include "hw/twins/paver.h"
#include "support/paver_bench.h"

#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "support/random.h"

void paver_bench_init(struct paver_bench *b, struct paver_port port, uint64_t seed)
{
	memset(b, 0, sizeof *b);
	b->port = port;
	b->seed = seed;
	b->contexts = 4;
	b->run_min = 20;
	b->list_read = calloc(3, PAVER_BENCH_LOG);
	b->log = calloc(PAVER_BENCH_LOG, sizeof *b->log);
	cr_assert(b->list_read && b->log);
	b->group_read = b->list_read + PAVER_BENCH_LOG;
	b->issued = b->group_read + PAVER_BENCH_LOG;
}

void paver_bench_free(struct paver_bench *b)
{
	free(b->list_read);
	free(b->log);
}

uint64_t paver_bench_random(struct paver_bench *b)
{
	return random_u64(&b->seed) >> 16;
}

static bool one_in(struct paver_bench *b, unsigned n)
{
	return n && paver_bench_random(b) % n == 0;
}

/* ---- the launch ---- */

void paver_launch_make(struct paver_launch *l, uint32_t n_groups, const uint32_t *size, bool steal)
{
	l->n_groups = n_groups;
	l->steal = steal;
	l->first[0] = 0;
	for (uint32_t g = 0; g < n_groups; g++)
		l->first[g + 1] = l->first[g] + size[g];
	cr_assert_lt(l->first[n_groups], PAVER_BENCH_LOG);
	for (uint32_t i = 0; i < l->first[n_groups]; i++)
		l->cta[i] = i;
}

void paver_launch_shuffle(struct paver_launch *l, struct paver_bench *b)
{
	for (uint32_t i = l->first[l->n_groups]; i > 1; i--) {
		uint32_t k = (uint32_t)(paver_bench_random(b) % i), cta = l->cta[k];

		l->cta[k] = l->cta[i - 1];
		l->cta[i - 1] = cta;
	}
}

/* ---- memory ---- */

static uint64_t entry(struct paver_bench *b)
{
	const struct paver_launch *l = b->launch;
	uint32_t i = b->out.req_index;

	cr_assert_lt(i, b->out.req_group ? l->n_groups : l->first[l->n_groups], "a request for entry %u", i);
	cr_assert_eq((b->out.req_group ? b->group_read : b->list_read)[i]++, 0, "entry %u of the %s is read again", i,
		     b->out.req_group ? "group table" : "CTA list");
	return b->out.req_group ? (uint64_t)l->first[i + 1] << b->port.params.ptr_w | l->first[i] : l->cta[i];
}

static void take_request(struct paver_bench *b)
{
	uint32_t tag = b->out.req_tag;

	cr_assert_lt(tag, b->port.params.sms);
	cr_assert_not(b->read[tag].busy, "two requests of SM %u", tag);
	b->read[tag].busy = true;
	b->read[tag].data = entry(b);
	b->read[tag].due = b->cycle + 1 + (b->fixed ? b->latency : paver_bench_random(b) % (b->latency + 1));
}

/* Of the responses that are due one, from a random SM on. */
static void offer_response(struct paver_bench *b)
{
	uint32_t n = b->port.params.sms, from = (uint32_t)(paver_bench_random(b) % n);

	b->in.rsp_valid = 0;
	for (uint32_t i = 0; i < n && !b->in.rsp_valid; i++) {
		uint32_t tag = (from + i) % n;

		if (!b->read[tag].busy || b->read[tag].due > b->cycle)
			continue;
		b->read[tag].busy = false;
		b->in.rsp_valid = 1;
		b->in.rsp_tag = tag;
		b->in.rsp_data = b->read[tag].data;
	}
}

/* ---- SMs ---- */

/* A context whose CTA, if it had one, has ended; NULL: none. */
static uint64_t *free_context(struct paver_bench *b, uint32_t sm)
{
	for (unsigned k = 0; k < b->contexts; k++)
		if (b->ends[sm][k] <= b->cycle)
			return &b->ends[sm][k];
	return NULL;
}

static void set_ready(struct paver_bench *b)
{
	for (uint32_t sm = 0; sm < b->port.params.sms; sm++)
		b->in.tb_ready[sm] = free_context(b, sm) && !one_in(b, b->hold_in);
}

static void start(struct paver_bench *b, uint32_t sm)
{
	uint32_t cta = b->out.tb_id[sm];
	uint64_t run = b->run_min + (b->run_more ? paver_bench_random(b) % (b->run_more + 1) : 0);

	cr_assert_lt(cta, b->launch->first[b->launch->n_groups], "SM %u gets CTA %u", sm, cta);
	cr_assert_eq(b->issued[cta]++, 0, "CTA %u is issued again, to SM %u", cta, sm);
	b->log[b->n_issued++] = (struct paver_issue){cta, sm, b->cycle, b->thief[sm]};
	*free_context(b, sm) = b->run_min ? b->cycle + run : UINT64_MAX;
}

static void start_taken(struct paver_bench *b)
{
	for (uint32_t sm = 0; sm < b->port.params.sms; sm++)
		if (b->out.tb_valid[sm] && b->in.tb_ready[sm])
			start(b, sm);
}

/* ---- time ---- */

static bool must_step(const struct paver_bench *b)
{
	bool must = !b->skip || b->out.busy || b->in.cfg_valid || b->in.rsp_valid;

	for (uint32_t sm = 0; sm < b->port.params.sms; sm++)
		must |= b->out.tb_valid[sm] & b->in.tb_ready[sm];
	return must;
}

static void count_steal(struct paver_bench *b)
{
	cr_assert(b->out.ev_donor != b->out.ev_recipient);
	b->steals++;
	b->moved += b->out.ev_count;
	b->thief[b->out.ev_recipient] = true;
}

void paver_bench_step(struct paver_bench *b)
{
	paver_port_eval(&b->port, b->cycle, &b->in, &b->out);
	b->in.req_ready = !one_in(b, b->stall_in);
	set_ready(b);
	offer_response(b);
	if (must_step(b)) {
		b->steps++;
		paver_port_tick(&b->port, b->cycle, &b->in);
		if (b->out.req_valid && b->in.req_ready)
			take_request(b);
		if (b->out.ev_steal)
			count_steal(b);
		start_taken(b);
	}
	if (b->watch)
		b->watch(b->watch_ctx, b);
	b->cycle++;
}

void paver_bench_begin(struct paver_bench *b, const struct paver_launch *l)
{
	unsigned cycles = 0;

	memset(b->list_read, 0, 3 * PAVER_BENCH_LOG);
	memset(b->thief, 0, sizeof b->thief);
	b->n_issued = 0;
	b->launch = l;
	b->in.cfg_valid = 1;
	b->in.cfg_groups = l->n_groups;
	b->in.cfg_steal = l->steal;
	do {
		cr_assert_lt(cycles++, 100000u, "a launch is never taken");
		paver_bench_step(b);
	} while (!b->out.cfg_ready);
	b->in.cfg_valid = 0;
}

void paver_bench_run(struct paver_bench *b, const struct paver_launch *l)
{
	uint32_t n = l->first[l->n_groups];
	uint64_t limit;

	paver_bench_begin(b, l);
	limit = b->cycle + 10000 + (uint64_t)(n + l->n_groups) * (200 + b->latency + b->run_min + b->run_more);
	do {
		cr_assert_lt(b->cycle, limit, "the launch does not end: %u of %u CTAs issued", b->n_issued, n);
		paver_bench_step(b);
	} while (b->n_issued < n || !b->out.cfg_ready);
	cr_assert_eq(b->n_issued, n);
}
