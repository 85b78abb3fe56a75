#include "dispatch/group_dispatch.h"

#include <stdio.h>

#include "base/panic.h"
#include "dispatch/policy.h"

/* ---- building ---- */

static bool of_program(const struct dispatch *d, uint32_t program, uint32_t sm)
{
	return d->n_programs < 2 || d->plan->program_of_sm[sm] == program;
}

/* The positions and CTA numbers that the block must hold. */
static uint32_t most_numbers(const struct dispatch *d, const struct dispatch_program *p)
{
	uint32_t most = 0;

	for (uint32_t i = p->launch; i < p->end_launch; i++) {
		const struct plan_launch *l = &d->plan->launch[i];
		uint32_t ctas = trace_launch(d->trace, i)->n_ctas;

		if (l->dispatch != DISPATCH_GROUPS)
			continue;
		most = most > ctas ? most : ctas;
		most = most > l->lists->n ? most : l->lists->n;
	}
	return most;
}

static int init(void **state, struct arena *a, const struct dispatch *d, const struct dispatch_program *prog,
		const struct dispatch_hardware *hw, struct err *e)
{
	uint32_t program = (uint32_t)(prog - d->program), most = most_numbers(d, prog);
	struct paver_params p = {.ptr_w = most > UINT16_MAX ? 32 : 16, .tb_w = most > UINT16_MAX ? 32 : 16};
	struct group_dispatch *g = arena_alloc(a, sizeof *g);
	char owner[32] = "dispatch";

	g->latency = hw->table_latency;
	g->every_cycle = hw->binder->every_cycle;
	g->at = arena_array(a, d->n_sms, sizeof *g->at);
	g->index = arena_array(a, d->n_sms, sizeof *g->index);
	for (uint32_t sm = 0; sm < d->n_sms; sm++)
		if (of_program(d, program, sm)) {
			g->index[sm] = g->n;
			g->at[g->n++].sm = sm;
		}
	p.sms = g->n;
	if (d->n_programs > 1)
		snprintf(owner, sizeof owner, "dispatch.%u", program);
	if (paver_params_check(&p, e) != 0 || paver_bind(hw->binder, owner, &p, &g->port, e) != 0)
		return err_prefix(e, "plan");
	/* A request a cycle, and at most one an SM: there is always room. */
	queue_init(&g->memory, a, g->n + 1, ticks_of(1, d->period));
	*state = g;
	return 0;
}

static void launch(void *state, const struct dispatch *d, const struct dispatch_program *p, bool own)
{
	struct group_dispatch *g = state;

	(void)d, (void)p;
	g->configure = own;
}

/* ---- memory ---- */

/* The entry that the block asks for, as the tables in memory hold it. */
static void send_request(struct group_dispatch *g, struct ticks now)
{
	const struct plan_lists *l = g->lists;
	uint32_t at = g->out.req_index;
	struct group_answer *a;

	if (!g->out.req_valid)
		return;
	g->in.req_ready = 1;
	g->count.requests++;
	a = queue_push(&g->memory, ticks_add(now, g->latency));
	*a = (struct group_answer){.tag = g->out.req_tag, .group = g->out.req_group};
	a->data = a->group ? (uint64_t)l->first[at + 1] << g->port.params.ptr_w | l->first[at] : l->cta[at];
	if (a->group) {
		g->groups_left--;
		g->at[a->tag].asked = true;
	}
}

static uint32_t group_size(const struct group_dispatch *g, uint64_t entry)
{
	unsigned w = g->port.params.ptr_w;

	return (uint32_t)(entry >> w) - (uint32_t)(entry & ((UINT64_C(1) << w) - 1));
}

static void take_answer(struct group_dispatch *g, struct ticks now)
{
	const struct group_answer *a = queue_front(&g->memory, now);

	if (!a)
		return;
	g->in.rsp_valid = 1;
	g->in.rsp_tag = a->tag;
	g->in.rsp_data = a->data;
	if (a->group) {
		g->count.groups++;
		g->at[a->tag].asked = false;
		g->at[a->tag].left = group_size(g, a->data);
	}
	queue_pop(&g->memory, now);
}

/* ---- a cycle ---- */

static uint64_t left_over(const struct group_dispatch *g)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < g->n; i++)
		n += g->at[i].left;
	return n;
}

static void begin(struct group_dispatch *g, const struct plan_lists *l)
{
	g->configure = false;
	g->count.left_over += left_over(g);
	g->lists = l;
	g->groups_left = l->n;
	for (uint32_t i = 0; i < g->n; i++)
		g->at[i] = (struct groups_sm){.sm = g->at[i].sm};
}

static void note_steal(struct group_dispatch *g)
{
	struct groups_sm *from = &g->at[g->out.ev_donor], *to = &g->at[g->out.ev_recipient];

	if (!g->out.ev_steal)
		return;
	g->count.steals++;
	g->count.stolen += g->out.ev_count;
	from->left -= g->out.ev_count;
	to->left += g->out.ev_count;
	to->stolen = true;
}

static void before(void *state, const struct dispatch *d, const struct dispatch_program *p, struct ticks now)
{
	struct group_dispatch *g = state;

	(void)p;
	g->count.wait_cycles += g->waiting * cycles_in(ticks_between(g->since, now), d->period);
	g->since = now;
	g->in = (struct paver_in){0};
	take_answer(g, now);
	paver_port_eval(&g->port, cycles_in(now, d->period), &g->in, &g->out);
	send_request(g, now);
	note_steal(g);
}

static uint32_t next(void *state, const struct dispatch *d, const struct dispatch_program *p, uint32_t sm)
{
	struct group_dispatch *g = state;
	uint32_t i = g->index[sm];

	(void)p;
	g->in.tb_ready[i] = 1;
	if (!g->out.tb_valid[i])
		return DISPATCH_NONE;
	PANIC_UNLESS(g->at[i].left, "group dispatch: a CTA for an SM that has none left", cycles_in(g->since, d->period));
	g->at[i].left--;
	g->count.ctas++;
	g->count.ran_stolen += g->at[i].stolen;
	return g->out.tb_id[i];
}

static bool stolen(const void *state, uint32_t sm)
{
	const struct group_dispatch *g = state;

	return g->at[g->index[sm]].stolen;
}

/* SMs with room whose next CTA is not shown yet. */
static uint32_t count_waiting(const struct group_dispatch *g)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < g->n; i++) {
		const struct groups_sm *s = &g->at[i];

		n += g->in.tb_ready[i] && !g->out.tb_valid[i] && (s->left || s->asked || g->groups_left);
	}
	return n;
}

static void after(void *state, const struct dispatch *d, const struct dispatch_program *p, struct ticks now)
{
	struct group_dispatch *g = state;
	const struct plan_lists *l = d->plan->launch[p->launch].lists;

	if (g->configure) {
		g->in.cfg_valid = 1;
		g->in.cfg_groups = l->n;
		g->in.cfg_steal = l->steal;
	}
	paver_port_tick(&g->port, cycles_in(now, d->period), &g->in);
	if (g->configure && g->out.cfg_ready)
		begin(g, l);
	g->waiting = count_waiting(g);
}

static bool any_taken(const struct group_dispatch *g)
{
	for (uint32_t i = 0; i < g->n; i++)
		if (g->in.tb_ready[i] & g->out.tb_valid[i])
			return true;
	return false;
}

static struct ticks wake(const void *state, const struct dispatch *d, struct ticks now)
{
	const struct group_dispatch *g = state;

	if (g->every_cycle || g->out.busy || g->in.cfg_valid || g->in.rsp_valid || any_taken(g))
		return ticks_after(now, 1, d->period);
	return queue_next_arrival(&g->memory);
}

const struct dispatch_policy dispatch_group_dispatch = {.name = "groups",
							.init = init,
							.launch = launch,
							.next = next,
							.before = before,
							.after = after,
							.wake = wake,
							.stolen = stolen};

/* ---- the end ---- */

bool group_dispatch_total(const struct dispatch *d, struct group_dispatch_counts *sum)
{
	bool any = false;

	*sum = (struct group_dispatch_counts){0};
	for (uint32_t i = 0; i < d->n_programs; i++) {
		const struct group_dispatch *g = d->program[i].state[DISPATCH_GROUPS];

		if (!g)
			continue;
		any = true;
		sum->groups += g->count.groups;
		sum->ctas += g->count.ctas;
		sum->requests += g->count.requests;
		sum->steals += g->count.steals;
		sum->stolen += g->count.stolen;
		sum->ran_stolen += g->count.ran_stolen;
		sum->wait_cycles += g->count.wait_cycles;
		sum->left_over += g->count.left_over + left_over(g);
	}
	return any;
}
