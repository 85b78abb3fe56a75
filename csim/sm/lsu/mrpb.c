#include "sm/lsu/mrpb.h"

#include "base/panic.h"

void mrpb_init(struct mrpb *m, struct arena *a, const struct machine *machine)
{
	*m = (struct mrpb){
		.on = machine->l1.front.policy == FRONT_MRPB, .depth = machine->l1.front.depth, .full_since = UINT64_MAX};
	if (m->on)
		m->request = arena_array(a, (size_t)machine->sm.warps * m->depth, sizeof *m->request);
}

static struct mrpb_request *at(const struct mrpb *m, unsigned warp, uint32_t i)
{
	return &m->request[(size_t)warp * m->depth + (m->queue[warp].first + i) % m->depth];
}

bool mrpb_join(struct mrpb *m, uint64_t now, unsigned warp, const struct l1_access *a)
{
	if (!mrpb_has_room(m, warp)) {
		if (m->full_since == UINT64_MAX)
			m->full_since = now;
		return false;
	}
	mrpb_finish(m, now);
	*at(m, warp, m->queue[warp].n++) = (struct mrpb_request){*a, m->joined++};
	m->waiting |= UINT64_C(1) << warp;
	m->stats.requests++;
	return true;
}

const struct l1_access *mrpb_next(struct mrpb *m)
{
	if (!m->waiting)
		return NULL;
	if (!m->tried)
		m->warp = (unsigned)__builtin_ctzll(m->waiting);
	m->tried = true;
	return &at(m, m->warp, 0)->access;
}

/* Queues keep the order, so the oldest request is at the front of one. */
static bool is_oldest(const struct mrpb *m, uint64_t number)
{
	for (uint64_t left = m->waiting; left; left &= left - 1)
		if (at(m, (unsigned)__builtin_ctzll(left), 0)->number < number)
			return false;
	return true;
}

void mrpb_take(struct mrpb *m)
{
	struct mrpb_queue *q = &m->queue[m->warp];

	PANIC_UNLESS(m->tried && q->n > 0, "mrpb", m->joined);
	m->stats.reordered += !is_oldest(m, at(m, m->warp, 0)->number);
	m->tried = false;
	q->first = (q->first + 1) % m->depth;
	if (--q->n == 0)
		m->waiting &= ~(UINT64_C(1) << m->warp);
}

void mrpb_finish(struct mrpb *m, uint64_t cycles)
{
	if (m->full_since == UINT64_MAX)
		return;
	m->stats.full += cycles - m->full_since;
	m->full_since = UINT64_MAX;
}
