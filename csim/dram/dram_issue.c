/* What a command does: to its bank, to the earliest cycles of later commands, to the request that it works for. */
#include "dram/dram_impl.h"

#include "base/panic.h"

static void at_least(uint64_t *t, uint64_t v)
{
	if (*t < v)
		*t = v;
}

static void activate(struct dram *d, const struct dram_next *n, uint64_t now)
{
	struct dram_bank *b = &d->bank[n->bank];
	struct dram_slot *x = &d->slot[n->slot];

	b->row = x->row;
	x->activated = 1;
	d->open |= UINT64_C(1) << n->bank;
	b->next_col = now + d->t.rcd;
	at_least(&b->next_pre, now + d->t.ras);
	at_least(&b->next_act, now + d->t.rc);
	at_least(&d->bus_act, now + d->t.rrd);
	at_least(&d->group_act[dram_group(d, n->bank)], now + d->t.rrdl);
	d->faw[d->faw_at] = now + d->t.faw;
	d->faw_at = (d->faw_at + 1) % 4;
	dram_list_row_opened(d, n->bank);
}

static void precharge(struct dram *d, const struct dram_next *n, uint64_t now)
{
	if (n->slot != DRAM_NONE) /* not for a refresh */
		d->slot[n->slot].conflicted = 1;
	d->open &= ~(UINT64_C(1) << n->bank);
	at_least(&d->bank[n->bank].next_act, now + d->t.rp);
	dram_list_row_closed(d, n->bank);
}

static void precharge_all(struct dram *d, uint64_t now)
{
	for (uint32_t b = 0; b < d->banks; b++) {
		if (!dram_is_open(d, b))
			continue;
		at_least(&d->bank[b].next_act, now + d->t.rp);
		dram_list_row_closed(d, b);
	}
	d->open = 0;
}

static void refresh(struct dram *d, uint64_t now)
{
	for (uint32_t b = 0; b < d->banks; b++)
		at_least(&d->bank[b].next_act, now + d->t.rfc);
	d->refresh_due += d->t.refi;
}

/* To the others it is as an activate is, a while longer. */
static void refresh_bank(struct dram *d, uint32_t bank, uint64_t now)
{
	at_least(&d->bank[bank].next_act, now + d->t.rfc);
	at_least(&d->bus_act, now + d->t.rrefd);
	d->refresh_bank = (bank + 1) % d->banks;
	d->refresh_due += d->t.refi;
}

/* Only the first burst of a request says whether it found its row open. */
static void classify(struct dram *d, const struct dram_slot *x)
{
	if (x->left != x->bursts)
		return;
	if (x->conflicted)
		d->stats.row_conflicts++;
	else if (x->activated)
		d->stats.row_misses++;
	else
		d->stats.row_hits++;
}

static void column(struct dram *d, const struct dram_next *n, uint64_t now)
{
	struct dram_slot *x = &d->slot[n->slot];
	uint64_t *same = &d->group_col[dram_group(d, x->bank)];

	classify(d, x);
	x->left &= (uint8_t)(x->left - 1);
	d->columns++;
	d->bus_col[x->write] = now + d->t.ccd;
	d->bus_col[!x->write] = now + (x->write ? d->t.wr_to_rd : d->t.rd_to_wr);
	*same = now + d->t.ccdl;
	at_least(&d->bank[x->bank].next_pre, now + (x->write ? d->t.wr_to_pre : d->t.rtp));
	d->stats.busy += d->t.burst;
	d->stats.bytes += d->burst_bytes;
	if (x->left)
		return;
	dram_list_remove(d, n->slot);
	d->served++;
	if (!x->write)
		dram_reply(d, x->port, &x->done, now + d->t.cl + d->t.burst);
}

static void report(const struct dram *d, const struct dram_next *n)
{
	const struct dram_slot *x = n->slot == DRAM_NONE ? NULL : &d->slot[n->slot];
	struct dram_command_event e = {.cycle = n->time, .command = n->command, .bank = n->bank};

	if (x) {
		e.row = x->row;
		e.token = x->done.token;
		if (n->command == DRAM_RD || n->command == DRAM_WR)
			e.column = x->column + (uint32_t)__builtin_ctz(x->left);
	}
	d->watch(d->watch_context, &e);
}

static void begin(const struct dram *d, struct dram_slot *x, uint64_t cycle)
{
	if (!x->begun)
		x->done.begun = stamp_of(ticks_of(cycle, d->period));
	x->begun = 1;
}

void dram_issue(struct dram *d, const struct dram_next *n)
{
	if (d->watch)
		report(d, n);
	d->stats.command[n->command]++;
	if (n->slot != DRAM_NONE)
		begin(d, &d->slot[n->slot], n->time);
	switch ((enum dram_command)n->command) {
	case DRAM_ACT:
		activate(d, n, n->time);
		break;
	case DRAM_PRE:
		precharge(d, n, n->time);
		break;
	case DRAM_RD:
	case DRAM_WR:
		column(d, n, n->time);
		break;
	case DRAM_PRE_ALL:
		precharge_all(d, n->time);
		break;
	case DRAM_REF:
		refresh(d, n->time);
		break;
	case DRAM_REF_BANK:
		refresh_bank(d, n->bank, n->time);
		break;
	default:
		panic("dram", n->time, "unknown command %u", n->command);
	}
}
