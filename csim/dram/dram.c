#include "dram/dram_impl.h"

#include <string.h>

#include "base/panic.h"

static uint32_t most(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}

static struct dram_timing timing_of(const struct machine *m)
{
	uint32_t ccd = most(m->dram.ccd, m->dram.burst), turn = m->dram.cl + m->dram.burst + 2;
	bool by_bank = m->dram.refresh_banks == DRAM_REFRESH_SINGLE;

	return (struct dram_timing){
		.rcd = m->dram.rcd,
		.rp = m->dram.rp,
		.rc = m->dram.rc,
		.ras = m->dram.ras,
		.rrd = m->dram.rrd,
		.rrdl = most(m->dram.rrdl, m->dram.rrd),
		.faw = m->dram.faw,
		.rtp = m->dram.rtp,
		.refi = by_bank ? m->dram.refi / m->dram.banks : m->dram.refi,
		.rfc = by_bank ? m->dram.rfcsb : m->dram.rfc,
		.rrefd = m->dram.rrefd,
		.cl = m->dram.cl,
		.wl = m->dram.wl,
		.burst = m->dram.burst,
		.ccd = ccd,
		.ccdl = most(m->dram.ccdl, ccd),
		.rd_to_wr = most(turn > m->dram.wl ? turn - m->dram.wl : 0, ccd),
		.wr_to_rd = most(m->dram.wl + m->dram.burst + m->dram.cdlr, ccd),
		.wr_to_pre = m->dram.wl + m->dram.burst + m->dram.wr,
	};
}

static void set_order(struct dram *d, const struct machine *m)
{
	d->write_high = m->dram.write_high;
	d->write_low = m->dram.write_low;
	d->age_cap = m->dram.age_cap;
	d->sched = m->dram.sched;
	d->first = m->dram.first;
	d->drain = m->dram.drain;
}

/* The group is the upper or the lower bits of the bank's number. */
static uint32_t group_shift(const struct machine *m)
{
	return m->dram.group_bits == BANK_GROUP_HIGH ? addr_decoder_log2(m->dram.banks / m->dram.groups) : 0;
}

void dram_init(struct dram *d, struct arena *a, const struct machine *m, const struct addr_decoder_port *decoder, uint32_t ports,
	       struct dram_req_queue **in, struct dram_done_queue **out)
{
	*d = (struct dram){
		.t = timing_of(m),
		.decoder = *decoder,
		.group_shift = group_shift(m),
		.group_mask = m->dram.groups - 1,
		.period = m->clock.period[CLOCK_DRAM],
		.banks = m->dram.banks,
		.queue = m->dram.queue,
		.ports = ports,
		.burst_bytes = m->dram.burst_bytes,
		.buses = m->dram.command_bus == COMMAND_BUS_DUAL ? 2 : 1,
		.refresh = m->dram.refresh,
		.by_bank = m->dram.refresh_banks == DRAM_REFRESH_SINGLE,
		.in = in,
		.out = out,
		.mode = DRAM_READING,
	};
	set_order(d, m);
	d->refresh_due = d->t.refi;
	d->urgent_at[DRAM_READ] = d->urgent_at[DRAM_WRITE] = UINT64_MAX;
	PANIC_UNLESS(d->banks <= DRAM_MAX_BANKS && m->dram.groups <= DRAM_MAX_GROUPS, "dram", 0);
	d->blocked_since = arena_array(a, ports, sizeof *d->blocked_since);
	d->last_out = arena_array(a, ports, sizeof *d->last_out);
	d->front = arena_array(a, ports, sizeof *d->front);
	for (uint32_t p = 0; p < ports; p++)
		d->blocked_since[p] = CYCLE_NEVER;
	dram_list_init(d, a);
	dram_plan(d, 0);
}

void dram_reply(struct dram *d, uint32_t port, const struct dram_done *r, uint64_t cycle)
{
	struct ticks at = ticks_later(ticks_of(cycle, d->period), d->last_out[port]);

	d->last_out[port] = at;
	*queue_push(d->out[port], at) = *r;
}

/* When the oldest request of a port came, in this clock. */
static inline struct stamp arrival_of_front(const struct dram *d, uint32_t port)
{
	return stamp_of(ticks_edge(queue_next_arrival(d->in[port]), d->period));
}

/* Takes one request in, or answers it out of the write queue. false: there is no room. */
static bool take(struct dram *d, const struct dram_req *r, const struct addr_location *at, uint32_t port, uint64_t cycle)
{
	struct ticks when = {0};

	PANIC_UNLESS(r->bursts, "dram", cycle);
	if (!r->write && dram_list_covers(d, r, at->bank)) {
		if (!queue_has_space(d->out[port], ticks_of(cycle, d->period), &when)) {
			d->retry = ticks_earlier(d->retry, when);
			return false;
		}
		d->stats.requests[DRAM_READ]++;
		d->stats.forwarded++;
		dram_reply(d, port, &(struct dram_done){r->token, arrival_of_front(d, port), stamp_of(ticks_of(cycle, d->period))},
			   cycle + d->t.burst * (uint32_t)__builtin_popcount(r->bursts));
		return true;
	}
	if (d->count[r->write] == d->queue)
		return false;
	dram_list_add(d, r, at, port, arrival_of_front(d, port));
	return true;
}

/* Takes in what has come to a port. Returns whether anything did. */
static bool take_from(struct dram *d, uint32_t port, uint64_t cycle)
{
	struct ticks now = ticks_of(cycle, d->period);
	const struct dram_req *r;
	bool any = false;

	while ((r = queue_front(d->in[port], now)) != NULL) {
		if (d->blocked_since[port] == CYCLE_NEVER)
			d->front[port] = dram_location(d, r, cycle);
		if (!take(d, r, &d->front[port], port, cycle)) {
			if (d->blocked_since[port] == CYCLE_NEVER)
				d->blocked_since[port] = cycle;
			break;
		}
		if (d->blocked_since[port] != CYCLE_NEVER)
			d->stats.queue_full += cycle - d->blocked_since[port];
		d->blocked_since[port] = CYCLE_NEVER;
		queue_pop(d->in[port], now);
		any = true;
	}
	return any;
}

static bool take_all(struct dram *d, uint64_t cycle)
{
	bool any = false;

	d->retry = TIME_NEVER;
	for (uint32_t i = 0, port = d->first_port; i < d->ports; i++) {
		any |= take_from(d, port, cycle);
		port = port + 1 < d->ports ? port + 1 : 0;
	}
	if (any && ++d->first_port >= d->ports)
		d->first_port = 0;
	return any;
}

/* Issues what is due in `cycle`, and plans anew. false: nothing was. */
static bool issue(struct dram *d, uint64_t cycle)
{
	struct dram_next due[DRAM_BUSES] = {d->next[DRAM_COLUMN_BUS], d->next[DRAM_ROW_BUS]};

	if (due[DRAM_COLUMN_BUS].time != cycle && due[DRAM_ROW_BUS].time != cycle)
		return false;
	for (uint32_t bus = 0; bus < DRAM_BUSES; bus++)
		if (due[bus].time == cycle)
			dram_issue(d, &due[bus]);
	dram_plan(d, cycle + 1);
	return true;
}

/* Once all banks are closed and no refresh is late, an idle channel's refreshes follow one another every tREFI. Each
 * leaves the state of the one before it, tREFI later. So all of them before `cycle` but the last are done at once: one
 * request in cycle 2^40 has 300 million before it. Refreshes of banks are skipped by whole rounds, and where several
 * banks are in refresh at a time the last round is done one by one: it sets when each bank may be activated. */
static void refresh_at_once(struct dram *d, uint64_t cycle)
{
	uint64_t many = (cycle - 1 - d->refresh_due) / d->t.refi, round = d->by_bank ? d->banks : 1;
	enum dram_command command = d->by_bank ? DRAM_REF_BANK : DRAM_REF;

	many -= many % round;
	if (d->t.rfc > d->t.refi)
		many -= many ? round : 0;
	if (d->open || dram_next_time(d) != d->refresh_due || d->t.rfc > d->t.refi * round || !many)
		return;
	if (d->watch)
		d->watch(d->watch_context,
			 &(struct dram_command_event){
				 .cycle = d->refresh_due, .command = command, .bank = (uint8_t)d->refresh_bank, .again = many - 1});
	d->stats.command[command] += many;
	d->refresh_due += many * d->t.refi;
	dram_plan(d, d->refresh_due);
}

/* Issues what was due before `cycle`. With a request waiting the run loop never comes late, so this is refreshes
 * only. */
static void catch_up(struct dram *d, uint64_t cycle)
{
	while (dram_next_time(d) < cycle) {
		PANIC_UNLESS(!dram_waiting(d), "dram", cycle);
		refresh_at_once(d, cycle);
		issue(d, dram_next_time(d));
	}
}

/* The next tick with work, when all of `cycle` is done. */
static struct ticks next_tick(const struct dram *d, uint64_t cycle, bool slot_freed)
{
	uint64_t time = dram_next_time(d);
	struct ticks now = ticks_of(cycle, d->period),
		     next = dram_waiting(d) && time != CYCLE_NEVER ? ticks_of(time, d->period) : TIME_NEVER;

	next = ticks_earlier(next, d->retry);
	for (uint32_t p = 0; p < d->ports; p++) {
		struct ticks t = queue_next_arrival(d->in[p]);

		if (ticks_is_never(t))
			continue;
		if (ticks_by(t, now)) { /* is before a full queue */
			if (!slot_freed)
				continue;
			t = ticks_after(now, 1, d->period);
		}
		next = ticks_earlier(next, t);
	}
	return next;
}

struct ticks dram_step(struct dram *d, struct ticks now)
{
	uint64_t cycle = cycles_in(now, d->period);
	bool issued;

	if (!ticks_equal(ticks_of(cycle, d->period), now))
		return ticks_of(cycle + 1, d->period);
	if (dram_next_time(d) < cycle)
		catch_up(d, cycle);
	if (take_all(d, cycle) || d->full_out)
		dram_plan(d, cycle);
	issued = issue(d, cycle);
	return next_tick(d, cycle, issued);
}

bool dram_change(struct dram *d, const struct machine *m, struct ticks now)
{
	struct dram_timing t = timing_of(m);
	bool same = !memcmp(&t, &d->t, sizeof t) && d->write_high == m->dram.write_high && d->write_low == m->dram.write_low &&
		    d->age_cap == m->dram.age_cap && d->sched == m->dram.sched && d->first == m->dram.first &&
		    d->drain == m->dram.drain;
	uint64_t cycle = cycles_up(now, d->period);

	if (same)
		return false;
	if (dram_next_time(d) < cycle)
		catch_up(d, cycle);
	d->t = t;
	set_order(d, m);
	d->urgent_at[DRAM_READ] = d->urgent_at[DRAM_WRITE] = 0; /* looked up anew */
	dram_plan(d, cycle);
	return true;
}

void dram_finish(struct dram *d, struct ticks now)
{
	uint64_t end = cycles_up(now, d->period);

	if (!dram_waiting(d))
		catch_up(d, cycles_in(now, d->period));
	for (uint32_t p = 0; p < d->ports; p++) {
		if (d->blocked_since[p] != CYCLE_NEVER)
			d->stats.queue_full += end - d->blocked_since[p];
		d->blocked_since[p] = CYCLE_NEVER;
	}
}
