/* Which command comes next on each bus, and in which cycle. */
#include "dram/dram_impl.h"

/* Ranks within a cycle, by `dram.first`. column: urgent requests first; then column accesses before activates and
 * precharges. activate: urgent requests first; in each half activates, column accesses, precharges. Of one rank, the
 * older the earlier. */
enum kind { KIND_ACT, KIND_COLUMN, KIND_PRE, KINDS };

static const struct dram_next NOTHING = {.time = CYCLE_NEVER, .rank = UINT64_MAX};

static uint64_t rank(const struct dram *d, enum kind kind, bool urgent, uint64_t seq)
{
	static const uint8_t column_first[KINDS] = {2, 1, 2};
	uint64_t class;

	if (d->first == DRAM_FIRST_COLUMN)
		class = urgent ? 0 : column_first[kind];
	else
		class = (urgent ? 0 : KINDS) + kind;
	return class << 61 | seq;
}

static uint64_t later(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}

static bool is_column(enum dram_command command)
{
	return command == DRAM_RD || command == DRAM_WR;
}

/* From the cycle in which its refresh is due on, nothing else goes to the bank. */
static bool waits_for_refresh(const struct dram *d, uint64_t time, uint32_t bank, uint16_t slot)
{
	return d->refresh && slot != DRAM_NONE && bank == d->refresh_bank && time >= d->refresh_due;
}

static void offer(struct dram *d, uint64_t time, uint64_t r, enum dram_command command, uint32_t bank, uint16_t slot)
{
	struct dram_next *best = &d->next[is_column(command) || d->buses == 1 ? DRAM_COLUMN_BUS : DRAM_ROW_BUS];

	if (__builtin_expect(d->by_bank, 0) && waits_for_refresh(d, time, bank, slot))
		return;
	if (time < best->time || (time == best->time && r < best->rank))
		*best = (struct dram_next){time, r, slot, (uint8_t)command, (uint8_t)bank};
}

static bool is_urgent(const struct dram *d, uint16_t s)
{
	return d->age_cap && d->columns - d->slot[s].mark >= d->age_cap;
}

static uint16_t oldest(const struct dram *d, uint32_t dir)
{
	uint16_t found = DRAM_NONE;

	for (uint64_t left = d->waiting[dir]; left; left &= left - 1) {
		uint16_t s = d->bank[__builtin_ctzll(left)].list[dir].head;

		if (found == DRAM_NONE || d->slot[s].seq < d->slot[found].seq)
			found = s;
	}
	return found;
}

/* Whether a request of this direction is. The oldest ones of the banks become so first, and later ones never earlier:
 * so it need not be sought before that. */
static bool one_is_urgent(struct dram *d, uint32_t dir)
{
	uint64_t at = UINT64_MAX;

	if (!d->age_cap || d->columns < d->urgent_at[dir])
		return false;
	for (uint64_t left = d->waiting[dir]; left; left &= left - 1) {
		uint64_t mark = d->slot[d->bank[__builtin_ctzll(left)].list[dir].head].mark + d->age_cap;

		at = mark < at ? mark : at;
	}
	d->urgent_at[dir] = at;
	return at <= d->columns;
}

static void enter(struct dram *d, enum dram_mode mode, uint32_t turn)
{
	d->stats.drains += mode == DRAM_DRAINING;
	d->mode = mode;
	d->served = 0;
	d->turn = turn;
}

/* Down to write_low; an urgent write below that takes those that wait with it. */
static void drain(struct dram *d)
{
	uint32_t writes = d->count[DRAM_WRITE];

	d->drain_to = one_is_urgent(d, DRAM_WRITE) ? d->slot[oldest(d, DRAM_WRITE)].seq + 1 : 0;
	enter(d, DRAM_DRAINING, writes > d->write_low ? writes - d->write_low : writes);
}

static bool drain_is_over(const struct dram *d)
{
	return d->served >= d->turn && d->slot[oldest(d, DRAM_WRITE)].seq >= d->drain_to;
}

/* Writes from write_high waiting ones on, or as soon as no read waits, until write_low or fewer wait and a read does:
 * Ramulator's write mode (Kim et al., CAL 2015; controllers 1.0 and 2.0 alike). Writes without end hold reads up. */
static void choose_by_watermarks(struct dram *d)
{
	uint32_t reads = d->count[DRAM_READ], writes = d->count[DRAM_WRITE];
	bool wanted = writes >= d->write_high || (writes && one_is_urgent(d, DRAM_WRITE));

	if (d->mode == DRAM_READING && wanted)
		drain(d);
	else if (d->mode == DRAM_READING && writes && !reads)
		enter(d, DRAM_WRITING_IDLE, 0);
	else if (d->mode != DRAM_READING && (!writes || (reads && writes <= d->write_low && !wanted)))
		enter(d, DRAM_READING, 0);
}

/* Reads go before writes until write_high writes wait or one is urgent; then as many as are above write_low are served.
 * So many reads have their turn before the next drain: when both directions always have work, neither starves the
 * other. */
static void choose_by_turns(struct dram *d)
{
	uint32_t reads = d->count[DRAM_READ], writes = d->count[DRAM_WRITE];
	bool high = writes >= d->write_high, over = d->served >= d->turn;

	switch ((enum dram_mode)d->mode) {
	case DRAM_READING:
		if (writes && !reads && !high)
			enter(d, DRAM_WRITING_IDLE, 0);
		else if (writes && (over || !reads) && (high || one_is_urgent(d, DRAM_WRITE)))
			drain(d);
		break;
	case DRAM_WRITING_IDLE:
		if (high)
			drain(d);
		else if (reads || !writes)
			enter(d, DRAM_READING, 0);
		break;
	case DRAM_DRAINING:
		if (!writes || (reads && drain_is_over(d)))
			enter(d, DRAM_READING, d->turn);
		break;
	}
}

static void choose_direction(struct dram *d)
{
	if (d->drain == DRAM_DRAIN_WATERMARKS)
		choose_by_watermarks(d);
	else
		choose_by_turns(d);
}

/* A reply needs room in its port's queue; the cycle from which it has some, CYCLE_NEVER if that is not known yet. */
static uint64_t reply_room(struct dram *d, uint16_t s, uint64_t from)
{
	struct ticks when = {0};

	if (queue_has_space(d->out[d->slot[s].port], ticks_of(from, d->period), &when))
		return 0;
	d->full_out = true;
	return ticks_is_never(when) ? CYCLE_NEVER : cycles_up(when, d->period);
}

/* Offers the command that brings request `s` of bank b forward: s is the bank's oldest or its oldest for the open
 * row. */
static void offer_for(struct dram *d, uint32_t b, uint16_t s, bool urgent, uint64_t from)
{
	const struct dram_bank *bank = &d->bank[b];
	const struct dram_slot *x = &d->slot[s];
	uint64_t time;

	if (!dram_is_open(d, b)) {
		time = later(later(bank->next_act, d->bus_act), later(d->group_act[dram_group(d, b)], d->faw[d->faw_at]));
		offer(d, later(time, from), rank(d, KIND_ACT, urgent, x->seq), DRAM_ACT, b, s);
	} else if (bank->row != x->row) {
		offer(d, later(bank->next_pre, from), rank(d, KIND_PRE, urgent, x->seq), DRAM_PRE, b, s);
	} else {
		time = later(later(bank->next_col, d->bus_col[x->write]), d->group_col[dram_group(d, b)]);
		time = later(time, from);
		if (!x->write)
			time = later(time, reply_room(d, s, from));
		offer(d, time, rank(d, KIND_COLUMN, urgent, x->seq), x->write ? DRAM_WR : DRAM_RD, b, s);
	}
}

/* The first to be ready of some banks, of those the one whose request is the oldest. */
struct first {
	uint64_t time, seq;
	uint32_t bank;
};

static inline void consider(struct first *f, uint64_t time, uint64_t seq, uint32_t bank)
{
	if (time < f->time || (time == f->time && seq < f->seq))
		*f = (struct first){time, seq, bank};
}

static void offer_column(struct dram *d, uint32_t dir, uint64_t from)
{
	struct first f = {CYCLE_NEVER, UINT64_MAX, 0};
	uint64_t all = later(from, d->bus_col[dir]);

	for (uint64_t left = d->hitting[dir]; left; left &= left - 1) {
		uint32_t b = (uint32_t)__builtin_ctzll(left);
		const struct dram_bank *bank = &d->bank[b];

		consider(&f, later(all, later(bank->next_col, d->group_col[dram_group(d, b)])), bank->list[dir].hit_seq, b);
	}
	if (f.time != CYCLE_NEVER)
		offer(d, f.time, rank(d, KIND_COLUMN, false, f.seq), dir == DRAM_WRITE ? DRAM_WR : DRAM_RD, f.bank,
		      d->bank[f.bank].list[dir].hit);
}

static void offer_activate(struct dram *d, uint32_t dir, uint64_t from)
{
	struct first f = {CYCLE_NEVER, UINT64_MAX, 0};
	uint64_t all = later(from, later(d->bus_act, d->faw[d->faw_at]));

	for (uint64_t left = d->waiting[dir] & ~d->open; left; left &= left - 1) {
		uint32_t b = (uint32_t)__builtin_ctzll(left);
		const struct dram_bank *bank = &d->bank[b];

		consider(&f, later(all, later(bank->next_act, d->group_act[dram_group(d, b)])), bank->list[dir].head_seq, b);
	}
	if (f.time != CYCLE_NEVER)
		offer(d, f.time, rank(d, KIND_ACT, false, f.seq), DRAM_ACT, f.bank, d->bank[f.bank].list[dir].head);
}

static void offer_precharge(struct dram *d, uint32_t dir, uint64_t from)
{
	struct first f = {CYCLE_NEVER, UINT64_MAX, 0};

	for (uint64_t left = d->waiting[dir] & d->open & ~d->hitting[dir]; left; left &= left - 1) {
		uint32_t b = (uint32_t)__builtin_ctzll(left);
		const struct dram_bank *bank = &d->bank[b];

		consider(&f, later(from, bank->next_pre), bank->list[dir].head_seq, b);
	}
	if (f.time != CYCLE_NEVER)
		offer(d, f.time, rank(d, KIND_PRE, false, f.seq), DRAM_PRE, f.bank, d->bank[f.bank].list[dir].head);
}

static bool replies_have_room(const struct dram *d, uint64_t from)
{
	struct ticks when;

	for (uint32_t p = 0; p < d->ports; p++)
		if (!queue_has_space(d->out[p], ticks_of(from, d->period), &when))
			return false;
	return true;
}

/* Bank by bank: where one request goes before others of its kind, or waits for what the others do not. */
static void offer_each(struct dram *d, uint32_t dir, uint64_t from)
{
	for (uint64_t left = d->waiting[dir]; left; left &= left - 1) {
		uint32_t b = (uint32_t)__builtin_ctzll(left);
		const struct dram_list *l = &d->bank[b].list[dir];
		bool urgent = is_urgent(d, l->head);

		offer_for(d, b, urgent || !l->hits ? l->head : l->hit, urgent, from);
	}
}

static void offer_first_ready(struct dram *d, uint32_t dir, uint64_t from)
{
	if (d->by_bank || one_is_urgent(d, dir) || (dir == DRAM_READ && !replies_have_room(d, from))) {
		offer_each(d, dir, from);
		return;
	}
	offer_column(d, dir, from);
	offer_activate(d, dir, from);
	offer_precharge(d, dir, from);
}

static void offer_oldest(struct dram *d, uint32_t dir, uint64_t from)
{
	uint16_t s = oldest(d, dir);

	if (s != DRAM_NONE)
		offer_for(d, d->slot[s].bank, s, false, from);
}

/* All banks are closed by one command as soon as each may be, then refreshed as soon as each could be activated. */
static void offer_refresh(struct dram *d, uint64_t from)
{
	uint64_t time = later(from, d->refresh_due);

	for (uint32_t b = 0; b < d->banks; b++) {
		if (!d->open)
			time = later(time, d->bank[b].next_act);
		else if (dram_is_open(d, b))
			time = later(time, d->bank[b].next_pre);
	}
	offer(d, time, 0, d->open ? DRAM_PRE_ALL : DRAM_REF, 0, DRAM_NONE);
}

/* The bank is closed as soon as it may be, then refreshed as soon as it could be activated. */
static void offer_refresh_of_bank(struct dram *d, uint64_t from)
{
	const struct dram_bank *b = &d->bank[d->refresh_bank];
	uint64_t time = later(from, d->refresh_due);

	if (dram_is_open(d, d->refresh_bank))
		offer(d, later(time, b->next_pre), 0, DRAM_PRE, d->refresh_bank, DRAM_NONE);
	else
		offer(d, later(time, later(b->next_act, d->bus_act)), 0, DRAM_REF_BANK, d->refresh_bank, DRAM_NONE);
}

/* From the cycle in which a refresh is due on, nothing else goes. */
static void give_way_to_refresh(struct dram *d, uint64_t from)
{
	uint64_t first = dram_next_time(d);

	for (uint32_t bus = 0; bus < DRAM_BUSES; bus++)
		if (d->next[bus].time >= d->refresh_due)
			d->next[bus] = NOTHING;
	if (first >= d->refresh_due)
		offer_refresh(d, from);
}

void dram_plan(struct dram *d, uint64_t from)
{
	uint32_t dir;

	d->full_out = false;
	d->next[DRAM_COLUMN_BUS] = d->next[DRAM_ROW_BUS] = NOTHING;
	choose_direction(d);
	dir = d->mode == DRAM_READING ? DRAM_READ : DRAM_WRITE;
	if (d->sched == DRAM_FCFS)
		offer_oldest(d, dir, from);
	else
		offer_first_ready(d, dir, from);
	if (d->refresh && d->by_bank)
		offer_refresh_of_bank(d, from);
	else if (d->refresh)
		give_way_to_refresh(d, from);
}
