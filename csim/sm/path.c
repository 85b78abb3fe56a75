#include "sm/path.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/panic.h"
#include "sm/sm_impl.h"

/* ---- loads in flight ---- */

static struct path_open *find(const struct sm *sm, uint32_t token)
{
	const struct sm_paths *p = sm->paths;

	return token < p->n_open && p->open[token] && p->open[token]->on ? p->open[token] : NULL;
}

static struct path_open *room_for(struct sm_paths *p, uint32_t token)
{
	if (token >= p->n_open) {
		uint32_t n = token + token / 2 + 64;

		p->open = xrealloc(p->open, n * sizeof(*p->open));
		for (uint32_t i = p->n_open; i < n; i++)
			p->open[i] = NULL;
		p->n_open = n;
	}
	if (!p->open[token]) {
		struct path_open *o = p->open[token] = xcalloc(1, sizeof *o);

		o->load = xcalloc(1, sizeof *o->load + PATH_MAX_REQUESTS * sizeof o->load->request[0]);
	}
	return p->open[token];
}

static bool is_wanted(const struct sm *sm, const struct load *d)
{
	const struct path_filter *f = sm->paths->log.filter;

	return d->timed && sm->id >= f->first_sm && sm->id <= f->last_sm && (!f->row || f->row[d->row]);
}

static struct path_open *begin(struct sm *sm, uint32_t token)
{
	const struct load *d = &sm->lsu.loads.load[token];
	struct path_open *o;
	struct path_load *load;

	if (!is_wanted(sm, d))
		return NULL;
	o = room_for(sm->paths, token);
	load = o->load;
	*o = (struct path_open){.on = true, .load = load};
	*load = (struct path_load){.issued = d->issued,
				   .row = d->row,
				   .sm = sm->id,
				   .launch = sm->cta[sm->warp[d->slot].cta].launch,
				   .cta = sm->cta[sm->warp[d->slot].cta].id,
				   .warp = sm_warp_in_cta(sm, d->slot)};
	return o;
}

/* ---- at the L1 ---- */

static uint32_t after_issue(const struct sm *sm, const struct path_open *o, uint64_t cycle)
{
	return (uint32_t)((cycle - o->load->issued) * sm->period);
}

static struct path_request *new_request(struct sm *sm, struct path_open *o, const struct l1_access *a)
{
	struct path_request *r = &o->load->request[o->load->n++];

	PANIC_UNLESS(o->load->n <= PATH_MAX_REQUESTS, "path", sm->now);
	*r = (struct path_request){.line = a->line};
	r->end[PATH_SM] = after_issue(sm, o, sm->now);
	return r;
}

/* The fails since the last try. The cycle in which the one ahead was taken is told already. */
static void count_fails(struct sm *sm, struct path_open *o, struct path_request *r)
{
	uint32_t n = (uint32_t)(sm->now - o->since);

	o->wait[PATH_LINE + (r->why - L1_FAIL_LINE)] += n;
	r->failed += n;
}

/* What only a reply could end has ended in the cycle of one. */
static void name_holder(const struct sm *sm, uint32_t token, struct path_request *r)
{
	const struct sm_paths *p = sm->paths;

	if (r->why == L1_FAIL_QUEUE || p->came_at != sm->now || p->came.is == PATH_NOBODY)
		return;
	r->who = p->came;
	r->who.is = p->came_for == token ? PATH_ITSELF : PATH_OTHER;
}

static void taken(struct sm *sm, struct path_open *o, struct path_request *r, enum l1_result result)
{
	uint32_t end = after_issue(sm, o, sm->now), told = 0;

	r->found = result;
	o->wait[PATH_SERVED] += o->served != sm->now;
	o->served = sm->now;
	for (unsigned w = 0; w < PATH_ELSE; w++)
		told += r->wait[w] = o->wait[w];
	r->wait[PATH_ELSE] = (uint32_t)(sm->now - o->load->issued) - told;
	for (unsigned s = PATH_L1; s < PATH_STATIONS; s++)
		r->end[s] = end;
	if (result == L1_HIT)
		o->load->last = (uint32_t)(r - o->load->request);
	o->came |= (uint64_t)(result == L1_HIT) << (r - o->load->request);
}

static void tried(struct sm *sm, const struct l1_access *a, enum l1_result result)
{
	struct path_open *o = find(sm, a->token);
	struct path_request *r;

	if (!o)
		o = begin(sm, a->token);
	if (!o)
		return;
	r = o->trying ? &o->load->request[o->load->n - 1] : new_request(sm, o, a);
	if (o->trying)
		count_fails(sm, o, r);
	o->trying = result >= L1_FAIL_LINE;
	o->since = sm->now + (o->served == sm->now);
	if (o->trying) {
		r->why = result;
		return;
	}
	if (r->failed)
		name_holder(sm, a->token, r);
	taken(sm, o, r, result);
}

static void accessed(void *ctx, uint64_t cycle, const struct l1_access *a, enum l1_result result)
{
	struct sm *sm = ctx;

	(void)cycle;
	if (a->client == REQ_CLIENT_LOAD)
		tried(sm, a, result);
}

/* ---- replies ---- */

static void came(struct sm *sm, struct path_open *o, struct path_request *r, const struct mem_req *reply)
{
	static const uint8_t station_before[REQ_STAMPS] = {PATH_MISS_QUEUE, PATH_NETWORK,    PATH_L2,
							   PATH_TO_DRAM,    PATH_DRAM_QUEUE, PATH_DRAM};
	struct stamp issued = stamp_of(ticks_of(o->load->issued, sm->period));
	uint32_t there = after_issue(sm, o, sm->now), before = r->end[PATH_L1];

	for (unsigned i = 0; i < REQ_STAMPS; i++) {
		uint32_t t = stamp_between(issued, reply->at[i]);

		before = t > before ? t < there ? t : there : before;
		r->end[station_before[i]] = before;
	}
	r->end[PATH_BACK] = r->end[PATH_REGISTERS] = there;
	r->l2 = reply->found;
	r->slice = reply->dest;
	o->load->last = (uint32_t)(r - o->load->request);
	o->came |= UINT64_C(1) << o->load->last;
}

/* Of a load's requests for this line the first that has not come. */
static void came_for(struct sm *sm, uint32_t token, uint64_t line, const struct mem_req *reply)
{
	struct path_open *o = find(sm, token);

	for (uint32_t i = 0; o && i < o->load->n; i++)
		if (o->load->request[i].line == line && !(o->came >> i & 1)) {
			came(sm, o, &o->load->request[i], reply);
			return;
		}
}

static void note_first(struct sm *sm, const struct mshr_waiter *first)
{
	struct sm_paths *p = sm->paths;
	const struct load *d;

	p->came_at = sm->now;
	p->came = (struct path_who){.is = PATH_NOBODY};
	if (!first || first->client != REQ_CLIENT_LOAD)
		return;
	d = &sm->lsu.loads.load[first->token];
	p->came_for = first->token;
	p->came = (struct path_who){
		.row = d->row, .cta = sm->cta[sm->warp[d->slot].cta].id, .warp = sm_warp_in_cta(sm, d->slot), .is = PATH_OTHER};
}

void path_reply(struct sm *sm, const struct mem_req *reply)
{
	uint64_t line = reply->addr & ~((UINT64_C(1) << sm->lsu.l1.line_shift) - 1);
	const struct mshr_waiter *w;
	uint32_t n;

	if (reply->cache != REQ_OF_L1)
		return;
	if (reply->client == REQ_CLIENT_LOAD)
		came_for(sm, reply->token, line, reply);
	if (reply->client != REQ_CLIENT_MSHR)
		return;
	w = mshr_waiters(&sm->lsu.l1.mshr, reply->token, &n);
	note_first(sm, n ? w : NULL);
	for (uint32_t i = 0; i < n; i++)
		if (w[i].client == REQ_CLIENT_LOAD)
			came_for(sm, w[i].token, line, reply);
}

void path_load_done(struct sm *sm, uint32_t token)
{
	const struct load *d = &sm->lsu.loads.load[token];
	struct path_open *o = find(sm, token);
	uint64_t latency;

	if (!o)
		return;
	latency = sm->now + d->latency - 1 - d->issued;
	o->on = false;
	o->load->latency = (uint32_t)latency;
	o->load->request[o->load->last].end[PATH_REGISTERS] = (uint32_t)(latency * sm->period);
	path_log_add(&sm->paths->log, o->load);
}

/* ---- its begin ---- */

void path_use(struct sm *sm, struct arena *a, const struct path_filter *f, uint32_t rows, uint32_t room)
{
	struct sm_paths *p = arena_alloc(a, sizeof *p);

	path_log_init(&p->log, a, f, rows, room);
	p->observer = (struct l1_observer){.ctx = sm, .accessed = accessed};
	p->came_at = CYCLE_NEVER;
	sm->paths = p;
	sm->observed = true;
	l1_observe(&sm->lsu.l1, &p->observer);
}

void path_free(struct sm *sm)
{
	struct sm_paths *p = sm->paths;

	if (!p)
		return;
	for (uint32_t i = 0; i < p->n_open; i++)
		if (p->open[i]) {
			free(p->open[i]->load);
			free(p->open[i]);
		}
	free(p->open);
	path_log_free(&p->log);
	sm->paths = NULL;
}
