/* Fetch ahead through L0s, and the way from them to the instruction cache that they share. */
#include "base/panic.h"
#include "base/ring.h"
#include "sm/fetch.h"

static inline uint64_t bit_of(unsigned slot)
{
	return UINT64_C(1) << slot;
}

void fetch_l0s_init(struct fetch *f, struct arena *a, const struct machine *m)
{
	struct fetch_l0s *l = &f->l0s;

	l->n = m->sm.schedulers;
	l->latency = m->l0.latency;
	l->l0 = arena_array(a, l->n, sizeof *l->l0);
	for (uint32_t s = 0; s < l->n; s++)
		l0_init(&l->l0[s], a, m);
	l->mask = (uint32_t)ring_slots(f->width) - 1;
	l->turn = l->n - 1;
	l->coming_mask = (uint32_t)ring_slots((uint64_t)l->n * L0_MOST_OUT) - 1;
	l->coming = arena_array(a, (size_t)l->coming_mask + 1, sizeof *l->coming);
}

/* ---- buffers ---- */

/* Behind the last one of its buffer: what is fetched next. */
static inline uint32_t next_place(const struct fetch *f, unsigned slot)
{
	return f->buffer[slot].place + f->buffer[slot].n;
}

static inline bool has_room(const struct fetch *f, unsigned slot)
{
	return f->buffer[slot].n < f->width && next_place(f, slot) < f->buffer[slot].end;
}

void fetch_goes_on(struct fetch *f, unsigned slot, uint32_t place)
{
	struct fetch_buffer *b = &f->buffer[slot];
	struct fetch_l0s *l = &f->l0s;

	PANIC_UNLESS(b->n > 0, "fetch", slot);
	if (place == b->place + 1) {
		b->place++;
		b->n--;
	} else {
		b->place = place;
		b->n = 0;
		l->missed &= ~bit_of(slot);
		l->full &= ~bit_of(slot);
		l->here &= ~bit_of(slot);
	}
	if (!(l->missed & bit_of(slot)) && has_room(f, slot))
		l->room |= bit_of(slot);
}

void fetch_jumps(struct fetch *f, unsigned slot, uint32_t place)
{
	if (place != f->buffer[slot].place)
		fetch_goes_on(f, slot, place);
}

void fetch_ends(struct fetch *f, unsigned slot)
{
	struct fetch_l0s *l = &f->l0s;

	l->room &= ~bit_of(slot);
	l->here &= ~bit_of(slot);
	l->missed &= ~bit_of(slot);
	l->full &= ~bit_of(slot);
}

/* ---- a cycle's fetches ---- */

static inline uint64_t line_of(const struct fetch *f, unsigned slot, uint32_t place)
{
	return fetch_address(f, &f->buffer[slot], place) >> f->cache.line_shift;
}

static inline void note_requests(struct fetch_l0s *l, uint32_t s)
{
	l->requesting = (l->requesting & ~(1u << s)) | (uint32_t)l0_has_request(&l->l0[s]) << s;
}

static bool __attribute__((noinline)) searches_line(struct fetch *f, unsigned s, unsigned slot)
{
	struct fetch_l0s *l = &f->l0s;
	enum l0_result r =
		l0_search(&l->l0[s], line_of(f, slot, next_place(f, slot)), line_of(f, slot, f->buffer[slot].end - 1) + 1);

	note_requests(l, s);
	if (r == L0_HIT)
		return true;
	l->room &= ~bit_of(slot);
	l->missed |= bit_of(slot);
	l->full |= r == L0_FULL ? bit_of(slot) : 0;
	return false;
}

/* The line of the next instruction is in the L0, or else the warp waits for it. */
static inline bool finds_line(struct fetch *f, unsigned s, unsigned slot)
{
	struct fetch_l0s *l = &f->l0s;

	if (l->here & bit_of(slot)) {
		l->here &= ~bit_of(slot);
		return true;
	}
	return l0_finds(&l->l0[s], line_of(f, slot, next_place(f, slot))) || searches_line(f, s, slot);
}

bool fetch_for(struct fetch *f, unsigned scheduler, unsigned slot, uint64_t now)
{
	struct fetch_buffer *b = &f->buffer[slot];
	struct fetch_l0s *l = &f->l0s;

	if (!finds_line(f, scheduler, slot))
		return false;
	b->at[next_place(f, slot) & l->mask] = now + f->latency;
	b->n++;
	l->l0[scheduler].stats.fetched++;
	if (!has_room(f, slot))
		l->room &= ~bit_of(slot);
	return b->n == 1 && f->waiting & bit_of(slot);
}

/* ---- lines ---- */

/* Of the warps that wait for lines of the L0 those that may go on. */
static void serve(struct fetch *f, uint64_t line, uint64_t waiting)
{
	struct fetch_l0s *l = &f->l0s;

	for (; waiting; waiting &= waiting - 1) {
		unsigned slot = (unsigned)__builtin_ctzll(waiting);
		bool here = line_of(f, slot, next_place(f, slot)) == line;

		if (!here && !(l->full & bit_of(slot)))
			continue;
		l->missed &= ~bit_of(slot);
		l->full &= ~bit_of(slot);
		l->room |= bit_of(slot);
		l->here |= here ? bit_of(slot) : 0;
	}
}

void fetch_take_lines(struct fetch *f, uint64_t now, const uint64_t *own)
{
	struct fetch_l0s *l = &f->l0s;

	while (l->head != l->tail) {
		const struct fetch_line *c = &l->coming[l->head & l->coming_mask];

		if (c->at > now)
			return;
		l0_take(&l->l0[c->to], c->line);
		note_requests(l, c->to);
		serve(f, c->line, l->missed & own[c->to]);
		l->head++;
	}
}

void fetch_answer(struct fetch *f, uint64_t now, uint64_t line, uint32_t to)
{
	struct fetch_l0s *l = &f->l0s;

	PANIC_UNLESS(l->tail - l->head <= l->coming_mask, "fetch", now);
	l->coming[l->tail++ & l->coming_mask] = (struct fetch_line){now + l->latency, line, to};
}

/* The next L0 behind the one served last, round. */
static void choose(struct fetch_l0s *l)
{
	uint32_t behind = l->requesting & ~((2u << l->turn) - 1);

	l->turn = (uint32_t)__builtin_ctz(behind ? behind : l->requesting);
	l->line = l0_request(&l->l0[l->turn]);
	note_requests(l, l->turn);
}

void fetch_request(struct fetch *f, uint64_t now)
{
	struct fetch_l0s *l = &f->l0s;
	struct l1_access a = {
		.mask = {UINT64_MAX, UINT64_MAX}, .lanes = 1, .buffer = UINT16_MAX, .kind = REQ_READ, .client = REQ_CLIENT_LOAD};
	enum l1_result r;

	if (f->stuck ? !f->retry : !l->requesting)
		return;
	if (!f->stuck)
		choose(l);
	a.line = l->line << f->cache.line_shift;
	a.token = l->turn;
	r = l1_access(&f->cache, now, &a);
	f->retry = false;
	f->stuck = r >= L1_FAIL_LINE;
	if (r == L1_HIT)
		fetch_answer(f, now, l->line, l->turn);
}

uint64_t fetch_l0s_next(const struct fetch *f, uint64_t now)
{
	const struct fetch_l0s *l = &f->l0s;

	if (l->room || (f->stuck ? f->retry : l->requesting != 0))
		return now + 1;
	return l->head == l->tail ? CYCLE_NEVER : l->coming[l->head & l->coming_mask].at;
}

uint64_t fetch_l0_in_flight(const struct fetch *f)
{
	uint64_t n = f->l0s.tail - f->l0s.head;

	for (uint32_t s = 0; s < f->l0s.n; s++)
		n += f->l0s.l0[s].out + l0_has_request(&f->l0s.l0[s]);
	return n;
}

struct l0_stats fetch_l0_stats(const struct fetch *f)
{
	struct l0_stats sum = {0};

	for (uint32_t s = 0; s < f->l0s.n; s++) {
		const struct l0_stats *l = &f->l0s.l0[s].stats;

		sum.hits += l->hits;
		sum.waits += l->waits;
		sum.stream += l->stream;
		sum.misses += l->misses;
		sum.demands += l->demands;
		sum.prefetches += l->prefetches;
		sum.came += l->came;
		sum.fetched += l->fetched;
	}
	return sum;
}
