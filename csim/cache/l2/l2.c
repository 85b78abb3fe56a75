#include "cache/l2/l2_impl.h"
#include "cache/victim.h"

void l2_init(struct l2 *l, struct arena *a, const struct machine *m, const struct l2_shape *s)
{
	const struct machine_cache *c = &m->l2.c;

	*l = (struct l2){
		.half = s->half,
		.lower = s->lower,
		.line_bytes = c->line,
		.sectors = sectors_of_lines(c->line, machine_cache_sectors(c)),
		.write_allocate = m->l2.write_allocate,
		.buffers = s->buffers,
	};
	l2_pipe_init(&l->pipe, a, m, s->in, s->out, m->l2.latency);
	l->pipe.port_bytes = m->l2.port_bytes;
	if (m->l2.coalescer) {
		l->pipe.coalescer = arena_alloc(a, sizeof *l->pipe.coalescer);
		l2_coalescer_init(l->pipe.coalescer, a, m);
	}
	tags_init(&l->tags, a, machine_cache_sets(c), c->assoc, c->line, s->pric);
	tags_replace_with(&l->tags, a, victim_policy_of(m->l2.replacement),
			  (uint64_t)m->l2.seed << 32 | UINT32_C(1) << 31 | s->number);
	l->tags.all = l->sectors.all;
	l->fetched = arena_array(a, (size_t)c->mshr_entries * l->sectors.n, sizeof *l->fetched);
	l->mode = arena_array(a, tags_slots(&l->tags), sizeof *l->mode);
	load_policy_init(&l->policy, a, &m->l2.bypass, &l->tags);
	if (m->caches.locality_classes) {
		l->classes = arena_alloc(a, sizeof *l->classes);
		locality_classes_init(l->classes, a);
	}
	l->plain = !load_policy_on(&l->policy) && !l->classes && !m->caches.operators;
	mshr_init(&l->mshr, a, c->mshr_entries, c->mshr_merges);
	l->entry_slot = arena_array(a, c->mshr_entries, sizeof *l->entry_slot);
	l->waiting = arena_array(a, c->mshr_entries * c->mshr_merges, sizeof *l->waiting);
	l->buffer = arena_array(a, l->buffers + 1, sizeof *l->buffer);
}

void l2_take_fill(struct l2 *l, struct ticks now)
{
	struct l2_pipe *p = &l->pipe;

	if (p->answering != L2_NOBODY)
		return;
	p->answering = l2_fill(l, l->lower->ops->take(l->lower, p->filled, now));
	p->filled[REQ_LEFT] = stamp_of(now);
}

/* The port works for a line that has come. */
static void serve_fill(struct l2 *l, struct ticks now)
{
	l2_take_fill(l, now);
	l->pipe.blocked = !l2_answer(l, now);
}

struct ticks l2_step(struct l2 *l, struct ticks now)
{
	struct l2_pipe *p = &l->pipe;
	enum l2_turn turn;

	if (!ticks_is_edge(now, p->period))
		return ticks_edge(now, p->period);
	if (__builtin_expect(l->half != NULL, 0))
		return l2_half_step(l, now);
	l2_pipe_begin(p, now);
	l2_lower_settle(l->lower, now);
	turn = l2_pipe_turn(p, l2_lower_arrival(l->lower), now);
	if (turn == L2_TURN_ANSWER)
		serve_fill(l, now);
	else if (turn == L2_TURN_LOOKUP)
		l2_pipe_looked_up(p, l2_lookup(l, l2_pipe_request(p), now));
	l2_pipe_take_in(p, now);
	return l2_pipe_next(p, turn, l2_lower_arrival(l->lower), now);
}

void l2_write_back(struct l2 *l, uint32_t slot, struct ticks now)
{
	const uint64_t *dirty = l->tags.dirty[slot].byte;
	const struct l2_part p = {.line = tags_line(&l->tags, slot), .mask = {dirty[0], dirty[1]}, .mode = l->mode[slot]};

	l->pipe.stats.write_backs++;
	l->lower->ops->write_back(l->lower, &p, !(sectors_touched(&l->sectors, dirty) & ~l->tags.sectors[slot]), now);
}

uint64_t l2_dirty_lines(const struct l2 *l)
{
	uint64_t n = 0;

	for (uint32_t s = 0; s < tags_slots(&l->tags); s++)
		n += tags_state(&l->tags, s) == TAGS_DIRTY;
	return n;
}
