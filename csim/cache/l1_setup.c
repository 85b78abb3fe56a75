/* An L1 before its first access: its size, its parts, and who decides and observes beside it. */
#include "base/metrics.h"
#include "base/panic.h"
#include "cache/l1_impl.h"
#include "cache/victim.h"

void l1_init_shape(struct l1 *l, struct arena *a, const struct machine *m, const struct l1_shape *s, const struct pric_port *pric)
{
	const struct machine_cache *c = &s->cache;

	*l = (struct l1){.enabled = s->enabled,
			 .sender = s->sender,
			 .requester = (uint16_t)s->sm,
			 .buffers = s->buffers,
			 .sent_at = TIME_NEVER};
	l->line_shift = (uint32_t)__builtin_ctz(c->line);
	l->set_bits = (uint32_t)__builtin_ctz(machine_cache_sets(c));
	l->route = *s->route;
	l->period = m->clock.period[CLOCK_CORE];
	tags_init(&l->tags, a, machine_cache_sets(c), s->ways ? s->ways : c->assoc, c->line, pric);
	l1_prefetch_init(l, a, m, s->prefetcher);
	load_policy_init(&l->policy, a, &s->bypass, &l->tags);
	l->strict = s->strict;
	l->asks = load_policy_on(&l->policy);
	l->needs_step = l->asks || l->prefetch.policy || s->strict.miss_room || s->strict.store_needs_line;
	l->sectors = sectors_of_lines(c->line, machine_cache_sectors(c));
	l->tags.all = l->sectors.all;
	l->packet_sectors = s->packet_sectors ? s->packet_sectors : 1;
	l->on_fill = s->on_fill;
	l->keeps_written = s->keeps_written;
	mshr_init(&l->mshr, a, c->mshr_entries, c->mshr_merges);
	if (l->on_fill) {
		mshr_index(&l->mshr, a);
		l->coming = arena_array(a, c->mshr_entries, sizeof *l->coming);
	}
	l->served = arena_array(a, c->mshr_merges, sizeof *l->served);
	l->entry_slot = arena_array(a, c->mshr_entries, sizeof *l->entry_slot);
	l->mode = arena_array(a, tags_slots(&l->tags), sizeof *l->mode);
	miss_queue_init(&l->queue, a, c->miss_queue, l->sectors.n);
	l->count = arena_array(a, (size_t)s->buffers + 1, sizeof *l->count);
}

void l1_init(struct l1 *l, struct arena *a, const struct machine *m, uint32_t sm, const struct route *route,
	     const struct pric_port *pric, uint32_t buffers)
{
	struct l1_shape s = {.cache = m->l1.c,
			     .ways = m->l1.most_ways,
			     .bypass = m->l1.bypass,
			     .enabled = m->l1.enabled,
			     .prefetcher = prefetcher_of(m),
			     .strict = {m->l1.miss_room, m->l1.store_needs_line},
			     .packet_sectors = m->l1.packet_sectors,
			     .on_fill = m->l1.allocate == L1_ALLOCATE_ON_FILL,
			     .keeps_written = m->l1.write_hit == L1_WRITE_UPDATES,
			     .sm = sm,
			     .buffers = buffers,
			     .route = route};

	l1_init_shape(l, a, m, &s, pric);
	tags_replace_with(&l->tags, a, victim_policy_of(m->l1.replacement), (uint64_t)m->l1.seed << 32 | sm);
	if (m->caches.operators) {
		l->streams = arena_array(a, m->l1.c.mshr_entries, sizeof *l->streams);
		l->needs_step = true;
	}
	if (m->l1.front.policy) {
		l->past_full_sets = m->l1.front.bypass;
		l->asks |= l->past_full_sets;
		l->needs_step = true;
	}
}

int l1_init_pins(struct l1 *l, const struct machine *m, const struct buffer_pins *pins, const char *owner,
		 const struct hw_binder *binder, struct err *e)
{
	if (replacement_init(&l->replacement, &m->l1.c, m->l1.pin.timer, owner, binder, e) != 0)
		return -1;
	tags_replace_by(&l->tags, &l->replacement);
	l->pins = *pins;
	l->asks |= pins->pin != NULL;
	l->needs_step = true;
	return 0;
}

void l1_observe(struct l1 *l, struct l1_observer *o)
{
	struct l1_observer **last = &l->observers;

	while (*last)
		last = &(*last)->next;
	*last = o;
	o->next = NULL;
	l->observed = true;
	l->asks |= o->taken != NULL;
	l->needs_step |= o->taken != NULL;
}

void l1_set_gate(struct l1 *l, struct l1_gate gate)
{
	l->gate = gate;
	l->asks = l->needs_step = true;
}

void l1_hold_open(struct l1 *l, uint64_t cycle, bool open)
{
	l1_at(l, cycle);
	load_policy_hold(&l->policy, &l->tags, cycle, open);
}

struct l1_counts l1_total(const struct l1 *l)
{
	struct l1_counts t = {0};

	for (uint32_t b = 0; b <= l->buffers; b++)
		METRICS_ADD(&t, &l->count[b]);
	return t;
}
