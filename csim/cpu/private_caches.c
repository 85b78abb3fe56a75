#include "cpu/private_caches.h"

#include "base/panic.h"

static const uint64_t whole_line[2] = {UINT64_MAX, UINT64_MAX};

static uint32_t sets_of(uint32_t bytes, uint32_t ways, uint32_t line)
{
	return bytes / line / ways;
}

void private_caches_init(struct private_caches *p, struct arena *a, const struct machine *m, struct cpu_wires wires)
{
	uint32_t line = m->cpu.line;

	*p = (struct private_caches){.l1_latency = m->cpu.l1.latency, .l2_latency = m->cpu.l2.latency, .wires = wires};
	tags_init(&p->l1, a, sets_of(m->cpu.l1.bytes, m->cpu.l1.ways, line), m->cpu.l1.ways, line, NULL);
	tags_init(&p->l2, a, sets_of(m->cpu.l2.bytes, m->cpu.l2.ways, line), m->cpu.l2.ways, line, NULL);
	p->ready = arena_array(a, tags_slots(&p->l1), sizeof *p->ready);
	/* An instruction or an entry of the store buffer waits once for a line, so an entry never overflows. */
	mshr_init(&p->mshr, a, m->cpu.mshr, m->cpu.rob + m->cpu.store_buffer);
	p->entry_slot = arena_array(a, m->cpu.mshr, sizeof *p->entry_slot);
}

static enum tags_result probe(const struct tags *t, uint64_t line, uint32_t *slot)
{
	return tags_probe(t, tags_set(t, 0, line), line, slot);
}

static void send_down(struct private_caches *p, struct ticks now, struct cpu_msg msg)
{
	*queue_push(p->wires.down, ticks_add(now, p->wires.down_ticks)) = msg;
}

/* The line takes an L1 slot whose victim, if dirty, goes to the L2, which holds it. */
static void fill_l1(struct private_caches *p, uint32_t slot, uint64_t line, uint64_t ready)
{
	uint32_t below;

	if (tags_state(&p->l1, slot) == TAGS_DIRTY) {
		PANIC_UNLESS(probe(&p->l2, tags_line(&p->l1, slot), &below) == TAGS_HIT, "private_caches", ready);
		tags_write(&p->l2, below, whole_line);
		p->stats.l1_write_backs++;
	}
	tags_take(&p->l1, slot, line, TAGS_VALID);
	p->ready[slot] = ready;
}

/* Makes room in the L2: the victim leaves the L1 too, and goes down if it is newer than below. */
static void evict_l2(struct private_caches *p, struct ticks now, uint32_t slot)
{
	bool dirty = tags_state(&p->l2, slot) == TAGS_DIRTY;
	uint64_t line = tags_line(&p->l2, slot);
	uint32_t above;

	if (tags_state(&p->l2, slot) == TAGS_INVALID)
		return;
	if (probe(&p->l1, line, &above) == TAGS_HIT) {
		dirty |= tags_state(&p->l1, above) == TAGS_DIRTY;
		tags_drop(&p->l1, above);
	}
	if (!dirty)
		return;
	send_down(p, now, (struct cpu_msg){.line = line, .write = 1});
	p->stats.l2_write_backs++;
}

static enum cpu_access miss(struct private_caches *p, struct ticks now, uint64_t line, uint32_t slot, struct mshr_waiter who)
{
	uint32_t entry;

	if (mshr_alloc(&p->mshr, line, who, &entry) == MSHR_FAIL_ENTRY)
		return CPU_REFUSED;
	evict_l2(p, now, slot);
	tags_take(&p->l2, slot, line, TAGS_RESERVED);
	p->l2.owner[slot] = entry;
	p->entry_slot[entry] = slot;
	send_down(p, now, (struct cpu_msg){.line = line, .token = entry});
	p->stats.l2_misses++;
	return CPU_COMING;
}

static enum cpu_access below_l1(struct private_caches *p, struct ticks now, uint64_t line, struct mshr_waiter who)
{
	uint32_t slot;

	switch (probe(&p->l2, line, &slot)) {
	case TAGS_HIT:
		tags_touch(&p->l2, slot);
		p->stats.l2_hits++;
		return CPU_THERE;
	case TAGS_HIT_RESERVED:
		PANIC_UNLESS(mshr_merge(&p->mshr, p->l2.owner[slot], who) == MSHR_MERGED, "private_caches", now.n);
		tags_touch(&p->l2, slot);
		p->stats.l2_reserved++;
		return CPU_COMING;
	case TAGS_MISS:
		return miss(p, now, line, slot, who);
	default:
		return CPU_REFUSED;
	}
}

static void count(struct private_caches *p, bool store, bool hit)
{
	p->stats.l1_accesses++;
	p->stats.l1_hits += hit;
	p->stats.l2_accesses += !hit;
	p->stats.loads += !store;
	p->stats.stores += store;
}

enum cpu_access private_caches_access(struct private_caches *p, uint64_t cycle, struct ticks now, uint64_t line, bool store,
				      uint32_t token, uint64_t *done)
{
	enum cpu_access r = CPU_THERE;
	uint32_t slot;
	bool hit = probe(&p->l1, line, &slot) == TAGS_HIT;

	if (hit) {
		tags_touch(&p->l1, slot);
		*done = cycle + (store ? 1 : p->l1_latency);
		*done = *done < p->ready[slot] ? p->ready[slot] : *done;
	} else {
		r = below_l1(p, now, line, (struct mshr_waiter){store ? REQ_CLIENT_STORE : REQ_CLIENT_LOAD, token});
		if (r == CPU_REFUSED)
			return r;
		if (r == CPU_THERE) {
			*done = cycle + p->l2_latency;
			fill_l1(p, slot, line, *done);
		}
	}
	if (r == CPU_THERE && store)
		tags_write(&p->l1, slot, whole_line);
	count(p, store, hit);
	return r;
}

const struct mshr_waiter *private_caches_reply(struct private_caches *p, uint64_t cycle, const struct cpu_msg *reply, uint32_t *n)
{
	const struct mshr_waiter *w = mshr_waiters(&p->mshr, reply->token, n);
	uint32_t slot;

	PANIC_UNLESS(reply->token < p->mshr.entries && p->mshr.line[reply->token] == reply->line, "private_caches", cycle);
	tags_fill(&p->l2, p->entry_slot[reply->token]);
	PANIC_UNLESS(probe(&p->l1, reply->line, &slot) == TAGS_MISS, "private_caches", cycle);
	fill_l1(p, slot, reply->line, cycle);
	for (uint32_t i = 0; i < *n; i++)
		if (w[i].client == REQ_CLIENT_STORE)
			tags_write(&p->l1, slot, whole_line);
	mshr_free(&p->mshr, reply->token);
	p->stats.fetched++;
	return w;
}

/* ---- flush ---- */

/* The L1's slot of the line that the L2 has in `slot`; false: the L1 does not hold it. */
static bool above(const struct private_caches *p, uint32_t slot, uint32_t *in_l1)
{
	return probe(&p->l1, tags_line(&p->l2, slot), in_l1) == TAGS_HIT;
}

static bool is_dirty(const struct private_caches *p, uint32_t slot)
{
	enum tags_state state = tags_state(&p->l2, slot);
	uint32_t in_l1;

	if (state == TAGS_INVALID || state == TAGS_RESERVED)
		return false;
	return state == TAGS_DIRTY || (above(p, slot, &in_l1) && tags_state(&p->l1, in_l1) == TAGS_DIRTY);
}

static void clean(struct private_caches *p, uint32_t slot)
{
	uint32_t in_l1;

	if (above(p, slot, &in_l1) && tags_state(&p->l1, in_l1) == TAGS_DIRTY)
		tags_clean(&p->l1, in_l1);
	if (tags_state(&p->l2, slot) == TAGS_DIRTY)
		tags_clean(&p->l2, slot);
}

bool private_caches_flush(struct private_caches *p, struct ticks now, struct ticks *when)
{
	if (!queue_has_space(p->wires.down, now, when))
		return false;
	*when = now;
	while (p->flush_at < tags_slots(&p->l2) && !is_dirty(p, p->flush_at))
		p->flush_at++;
	if (p->flush_at == tags_slots(&p->l2)) {
		send_down(p, now, (struct cpu_msg){.flush = 1});
		p->flush_at = 0;
		return true;
	}
	send_down(p, now, (struct cpu_msg){.line = tags_line(&p->l2, p->flush_at), .write = 1});
	p->stats.l2_write_backs++;
	clean(p, p->flush_at);
	return false;
}

uint64_t private_caches_dirty_lines(const struct private_caches *p)
{
	uint64_t n = 0;

	for (uint32_t s = 0; s < tags_slots(&p->l2); s++)
		n += is_dirty(p, s);
	return n;
}
