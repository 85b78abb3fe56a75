#include "cache/l2/l2_coalescer.h"

#include "base/hash_map.h"
#include "base/panic.h"
#include "base/ring.h"

void l2_coalescer_init(struct l2_coalescer *c, struct arena *a, const struct machine *m)
{
	uint32_t n = m->l2.coalescer, line = m->l2.c.line, buckets = (uint32_t)ring_slots(n);

	*c = (struct l2_coalescer){
		.entries = n,
		.merges = m->l2.coalescer_merges,
		.line_bits = (uint32_t)__builtin_ctz(line),
		.sectors = sectors_of_lines(line, line / REQ_SECTOR),
		.lead = arena_array(a, n, sizeof *c->lead),
		.reads = arena_array(a, (size_t)n * (m->l2.coalescer_merges - 1), sizeof *c->reads),
		.bucket = arena_array(a, buckets, sizeof *c->bucket),
		.bucket_mask = buckets - 1,
		.free = arena_array(a, n, sizeof *c->free),
		.answering = REQ_NO_LEAD,
	};
	for (uint32_t i = 0; i < buckets; i++)
		c->bucket[i] = REQ_NO_LEAD;
	while (c->n_free < n) {
		c->free[c->n_free] = (uint16_t)(n - 1 - c->n_free);
		c->n_free++;
	}
}

/* ---- chains of open entries ---- */

/* Neighbouring lines of a slice are a power of two apart, times an odd number. */
static uint16_t *chain_of(const struct l2_coalescer *c, uint64_t line)
{
	return &c->bucket[hash_multiply(line) >> 32 & c->bucket_mask];
}

static void open_entry(struct l2_coalescer *c, uint16_t i)
{
	uint16_t *chain = chain_of(c, c->lead[i].line);

	c->lead[i].next = *chain;
	c->lead[i].open = true;
	*chain = i;
}

/* Takes the entry that *at names out of its chain. */
static void unlink_entry(struct l2_coalescer *c, uint16_t *at)
{
	struct l2_lead *lead = &c->lead[*at];

	*at = lead->next;
	lead->open = false;
}

static void close_entry(struct l2_coalescer *c, uint16_t i)
{
	uint16_t *at = chain_of(c, c->lead[i].line);

	if (!c->lead[i].open)
		return;
	while (*at != i)
		at = &c->lead[*at].next;
	unlink_entry(c, at);
}

void l2_coalescer_close(struct l2_coalescer *c, uint64_t addr)
{
	uint64_t line = addr >> c->line_bits;
	uint16_t *at = chain_of(c, line);

	while (*at != REQ_NO_LEAD)
		if (c->lead[*at].line == line)
			unlink_entry(c, at);
		else
			at = &c->lead[*at].next;
}

/* The entry that a request can join, or REQ_NO_LEAD. */
static uint16_t find(const struct l2_coalescer *c, const struct mem_req *r)
{
	uint64_t line = r->addr >> c->line_bits;
	uint32_t sectors;
	uint16_t i;

	if (r->kind != REQ_READ || r->client == REQ_CLIENT_SYNC)
		return REQ_NO_LEAD;
	sectors = l2_request_sectors(r, &c->sectors);
	for (i = *chain_of(c, line); i != REQ_NO_LEAD; i = c->lead[i].next)
		if (c->lead[i].line == line && !(sectors & ~(uint32_t)c->lead[i].sectors))
			break;
	return i;
}

/* ---- requests ---- */

bool l2_coalescer_can_join(const struct l2_coalescer *c, const struct mem_req *r)
{
	return find(c, r) != REQ_NO_LEAD;
}

bool l2_coalescer_join(struct l2_coalescer *c, const struct mem_req *r, struct ticks now)
{
	uint16_t i = find(c, r);
	struct mem_req *read;

	if (i == REQ_NO_LEAD)
		return false;
	read = &c->reads[i * (c->merges - 1) + c->lead[i].joined++];
	*read = *r;
	read->at[REQ_AT_L2] = stamp_of(now);
	if (c->lead[i].joined == c->merges - 1)
		close_entry(c, i);
	c->counts.reads++;
	c->counts.sectors += (r->bytes + REQ_SECTOR - 1) / REQ_SECTOR;
	return true;
}

void l2_coalescer_pass(struct l2_coalescer *c, struct mem_req *r)
{
	uint16_t i;

	if (r->kind != REQ_READ) {
		l2_coalescer_close(c, r->addr);
		return;
	}
	c->dest = r->dest;
	r->lead = REQ_NO_LEAD;
	if (!c->n_free) {
		c->counts.full++;
		return;
	}
	r->lead = i = c->free[--c->n_free];
	c->lead[i] = (struct l2_lead){.line = r->addr >> c->line_bits, .sectors = (uint8_t)l2_request_sectors(r, &c->sectors)};
	open_entry(c, i);
}

/* ---- replies ---- */

/* The reply of a read that joined an entry. What was done for the leader before it came is not of its own time. */
static void fill_in(const struct l2_coalescer *c, struct mem_req *read, const struct mem_req *leader)
{
	struct stamp came = read->at[REQ_AT_L2];

	read->dest = c->dest;
	read->copy = true;
	read->found = REQ_COALESCED;
	for (unsigned s = REQ_LOOKED_UP; s < REQ_STAMPS; s++)
		read->at[s] = stamp_later(leader->at[s], came);
}

static void end_entry(struct l2_coalescer *c)
{
	c->free[c->n_free++] = c->answering;
	c->answering = REQ_NO_LEAD;
}

void l2_coalescer_answer(struct l2_coalescer *c, struct mem_req *reply)
{
	uint16_t i = reply->lead;

	PANIC_UNLESS(c->answering == REQ_NO_LEAD, "l2 coalescer", 0);
	reply->dest = c->dest;
	if (i == REQ_NO_LEAD)
		return;
	close_entry(c, i);
	c->answering = i;
	c->answered = 0;
	for (uint32_t k = 0; k < c->lead[i].joined; k++)
		fill_in(c, &c->reads[i * (c->merges - 1) + k], reply);
	if (!c->lead[i].joined)
		end_entry(c);
}

uint32_t l2_coalescer_send(struct l2_coalescer *c, const struct net_link *out, struct ticks now, struct ticks *when)
{
	uint32_t sent = 0;

	while (c->answering != REQ_NO_LEAD && net_can_send(out, now, when)) {
		net_send(out, now, &c->reads[c->answering * (c->merges - 1) + c->answered++]);
		sent++;
		if (c->answered == c->lead[c->answering].joined)
			end_entry(c);
	}
	return sent;
}
