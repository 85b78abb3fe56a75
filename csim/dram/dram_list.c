/* The waiting requests: a list for each bank and direction, oldest first, with a finger on the first one for the open
 * row. */
#include "dram/dram_impl.h"

#include "base/panic.h"

static uint16_t next_for_row(const struct dram *d, uint16_t s, uint64_t row)
{
	while (s != DRAM_NONE && d->slot[s].row != row)
		s = d->slot[s].next;
	return s;
}

/* A bank's list has changed: what the plan looks at first. */
static void sum_up(struct dram *d, uint32_t bank, uint32_t dir)
{
	struct dram_list *l = &d->bank[bank].list[dir];
	uint64_t bit = UINT64_C(1) << bank;

	d->waiting[dir] = (d->waiting[dir] & ~bit) | (l->head != DRAM_NONE ? bit : 0);
	d->hitting[dir] = (d->hitting[dir] & ~bit) | (l->hits ? bit : 0);
	if (l->head != DRAM_NONE)
		l->head_seq = d->slot[l->head].seq;
	if (l->hits)
		l->hit_seq = d->slot[l->hit].seq;
}

void dram_list_init(struct dram *d, struct arena *a)
{
	uint32_t n = 2 * d->queue;

	d->slot = arena_array(a, n, sizeof *d->slot);
	for (uint32_t s = 0; s < n; s++)
		d->slot[s].next = s + 1 < n ? (uint16_t)(s + 1) : DRAM_NONE;
	d->free_slot = 0;
	for (uint32_t b = 0; b < d->banks; b++)
		d->bank[b].list[0] = d->bank[b].list[1] = (struct dram_list){DRAM_NONE, DRAM_NONE, DRAM_NONE, 0, 0, 0};
}

static uint16_t take_slot(struct dram *d)
{
	uint16_t s = d->free_slot;

	PANIC_UNLESS(s != DRAM_NONE, "dram", d->seq);
	d->free_slot = d->slot[s].next;
	return s;
}

void dram_list_add(struct dram *d, const struct dram_req *r, const struct addr_location *p, uint32_t port, struct stamp arrived)
{
	uint32_t dir = r->write ? DRAM_WRITE : DRAM_READ;
	uint16_t s = take_slot(d);
	struct dram_list *l = &d->bank[p->bank].list[dir];

	d->slot[s] = (struct dram_slot){.row = p->row,
					.local = r->local,
					.seq = d->seq++,
					.mark = d->columns,
					.next = DRAM_NONE,
					.prev = l->tail,
					.column = (uint16_t)p->column,
					.bank = (uint8_t)p->bank,
					.port = (uint8_t)port,
					.write = r->write,
					.whole = r->whole,
					.bursts = r->bursts,
					.left = r->bursts,
					.done = {.token = r->token, .arrived = arrived}};
	if (l->tail == DRAM_NONE)
		l->head = s;
	else
		d->slot[l->tail].next = s;
	l->tail = s;
	if (dram_is_open(d, p->bank) && d->bank[p->bank].row == p->row && !l->hits++)
		l->hit = s;
	sum_up(d, p->bank, dir);
	if (d->age_cap && d->urgent_at[dir] > d->columns + d->age_cap)
		d->urgent_at[dir] = d->columns + d->age_cap;
	d->count[dir]++;
	d->stats.requests[dir]++;
}

void dram_list_remove(struct dram *d, uint16_t s)
{
	struct dram_slot *x = &d->slot[s];
	struct dram_list *l = &d->bank[x->bank].list[x->write];

	if (l->hit == s)
		l->hit = --l->hits ? next_for_row(d, x->next, x->row) : DRAM_NONE;
	if (x->prev == DRAM_NONE)
		l->head = x->next;
	else
		d->slot[x->prev].next = x->next;
	if (x->next == DRAM_NONE)
		l->tail = x->prev;
	else
		d->slot[x->next].prev = x->prev;
	sum_up(d, x->bank, x->write);
	d->count[x->write]--;
	x->next = d->free_slot;
	d->free_slot = s;
}

void dram_list_row_opened(struct dram *d, uint32_t bank)
{
	struct dram_bank *b = &d->bank[bank];

	for (uint32_t dir = 0; dir < 2; dir++) {
		struct dram_list *l = &b->list[dir];

		l->hit = next_for_row(d, l->head, b->row);
		l->hits = 0;
		for (uint16_t s = l->hit; s != DRAM_NONE; s = next_for_row(d, d->slot[s].next, b->row))
			l->hits++;
		sum_up(d, bank, dir);
	}
}

void dram_list_row_closed(struct dram *d, uint32_t bank)
{
	for (uint32_t dir = 0; dir < 2; dir++) {
		d->bank[bank].list[dir].hit = DRAM_NONE;
		d->bank[bank].list[dir].hits = 0;
		sum_up(d, bank, dir);
	}
}

bool dram_list_covers(const struct dram *d, const struct dram_req *r, uint32_t bank)
{
	if (!(d->waiting[DRAM_WRITE] >> bank & 1))
		return false;
	for (uint16_t s = d->bank[bank].list[DRAM_WRITE].head; s != DRAM_NONE; s = d->slot[s].next) {
		const struct dram_slot *x = &d->slot[s];

		if (x->local == r->local && x->whole && !(r->bursts & ~x->bursts))
			return true;
	}
	return false;
}
