#include "memsys/loop.h"

#include "base/panic.h"

/* The first place in an array of one more that begins lines of its own. */
static void *apart(void *array)
{
	return (void *)(((uintptr_t)array + 127) / 128 * 128);
}

void loop_init(struct loop *l, struct arena *a, uint32_t max, uint64_t period, uint32_t shares)
{
	PANIC_UNLESS(max && period && shares && shares <= SHARE_MAX, "loop", 0);
	*l = (struct loop){.period = period, .cap = due_room(max), .shares = {.n = shares}};
	l->part = arena_array(a, l->cap, sizeof *l->part);
	l->share = apart(arena_array(a, shares + 1, sizeof *l->share));
	if (shares > 1)
		l->shares.of = apart(arena_array(a, shares + 1, sizeof *l->shares.of));
	for (uint32_t k = 0; k < shares; k++) {
		l->share[k].next = arena_array(a, l->cap, sizeof *l->share[k].next);
		for (uint32_t i = 0; i < l->cap; i++)
			l->share[k].next[i] = TIME_NEVER;
		if (l->shares.of) {
			l->shares.of[k].number = k;
			l->shares.of[k].region = a->region;
		}
	}
}

void loop_start(struct loop *l, bool threads)
{
	pace_init(&l->share[0].pace, pace_clock());
	l->share[0].long_waits = 0;
	l->crew = threads && l->shares.n > 1 ? crew_new(l->shares.n) : NULL;
}

void loop_free(struct loop *l)
{
	if (l->crew)
		crew_free(l->crew);
	shares_free(&l->shares);
}

struct queue_end loop_add(struct loop *l, uint32_t share, loop_step *step, void *part, const char *name)
{
	struct ticks *next;

	PANIC_UNLESS(l->n < l->cap && share < l->shares.n, "loop", l->n);
	l->part[l->n] = (struct loop_part){step, part, name, false};
	next = &l->share[share].next[l->n++];
	*next = (struct ticks){0};
	return (struct queue_end){next, shares_at(&l->shares, share)};
}

static uint32_t share_of(const struct queue_end *own)
{
	return own->share ? own->share->number : 0;
}

void loop_keep_apart(struct loop *l, struct queue_end own)
{
	l->part[own.wake - l->share[share_of(&own)].next].apart = true;
}

void loop_may_stop(struct loop *l, struct queue_end own)
{
	PANIC_UNLESS(share_of(&own) == 0, "loop", 0);
	l->stopper = own.wake;
	for (uint32_t k = 0; l->shares.of && k < l->shares.n; k++)
		l->shares.of[k].watched = own.wake;
}

/* ---- a tick of a share ---- */

static inline void step(const struct loop *l, struct loop_share *s, uint32_t i, struct ticks now)
{
	const struct loop_part *p = &l->part[i];
	struct ticks next;

	s->below_known = s->below_known && p->apart;
	s->next[i] = TIME_NEVER; /* a message that comes meanwhile must not be lost */
	stepped_set(l->stepped, p->name);
	next = p->step(p->part, now);
	if (ticks_by(next, now))
		panic(p->name, now.n, "its next step is not in the future (tick %llu)", (unsigned long long)next.n);
	s->next[i] = ticks_earlier(s->next[i], next);
	stepped_set(l->stepped, NULL);
}

/* Those that were woken between two edges wait for the next one. */
static void put_off(const struct loop *l, struct loop_share *s, struct ticks edge)
{
	for (uint32_t i = 0; i < l->n; i++)
		s->next[i] = ticks_later(s->next[i], edge);
}

static inline void step_due(const struct loop *l, struct loop_share *s, uint32_t from, struct ticks now)
{
	uint64_t due = due_set(s->next, from, l->cap, now);

	while (due)
		step(l, s, from + due_take(&due, l->reverse), now);
}

static void step_parts(const struct loop *l, struct loop_share *s, struct ticks now)
{
	struct ticks edge = ticks_edge(now, l->period);
	uint32_t words = (l->cap + DUE_WORD - 1) / DUE_WORD;

	if (ticks_before(now, edge)) {
		put_off(l, s, edge);
		return;
	}
	for (uint32_t w = 0; w < words; w++)
		step_due(l, s, (l->reverse ? words - 1 - w : w) * DUE_WORD, now);
}

static inline struct ticks next_below(const struct loop *l, struct loop_share *s)
{
	if (!s->below_known)
		s->below = memsys_next(l->memsys, (uint32_t)(s - l->share));
	s->below_known = true;
	return s->below;
}

static inline void step_below(const struct loop *l, struct loop_share *s, struct ticks now)
{
	memsys_step(l->memsys, (uint32_t)(s - l->share), now);
	s->below_known = false;
}

/* Steps all of a share that is due before *until, which may become less meanwhile. Returns when it has something to do
 * next. */
static inline struct ticks run_to(const struct loop *l, struct loop_share *s, const struct ticks *until)
{
	for (;;) {
		struct ticks parts = due_soonest(s->next, l->cap), below = next_below(l, s), now = ticks_earlier(parts, below);

		if (ticks_by(*until, now))
			return now;
		s->now = now;
		if (l->reverse && ticks_by(below, now))
			step_below(l, s, now);
		if (ticks_by(parts, now))
			step_parts(l, s, now);
		if (!l->reverse && ticks_by(below, now))
			step_below(l, s, now);
	}
}

/* ---- several shares ---- */

/* Of what all have told: when the next quantum begins; when it ends, if it does not have to stop there. */
static struct ticks quantum_begin(const struct loop *l, uint32_t parity)
{
	struct ticks begin = TIME_NEVER;

	for (uint32_t k = 0; k < l->shares.n; k++)
		begin = ticks_earlier(begin, l->share[k].word[parity].soonest);
	return begin;
}

static struct ticks quantum_end(const struct loop *l, uint32_t parity, struct ticks begin)
{
	struct ticks stopper = TIME_NEVER, end = ticks_earlier(l->share[0].word[parity].until, ticks_add(begin, l->quantum));

	for (uint32_t k = 0; k < l->shares.n; k++)
		stopper = ticks_earlier(stopper, l->share[k].word[parity].stopper);
	if (ticks_before(stopper, end))
		end.n = ticks_later(stopper, begin).n + 1;
	return end;
}

static bool stops(const struct loop *l, uint32_t parity, struct ticks begin)
{
	const struct loop_word *w = &l->share[0].word[parity];

	return w->leave || ticks_by(w->until, begin);
}

static void publish(const struct loop *l, uint32_t k, struct ticks next, bool leave)
{
	const struct share *x = &l->shares.of[k];
	struct loop_word *w = &l->share[k].word[x->parity];

	*w = (struct loop_word){.soonest = ticks_earlier(next, x->soonest), .stopper = x->watched_at};
	if (k > 0)
		return;
	w->stopper = ticks_earlier(w->stopper, *l->stopper);
	w->until = l->until;
	w->leave = leave;
}

/* Keeps count for share 0: whether it is time to go on the other way. */
static bool changes(struct loop *l)
{
	struct loop_share *s = l->share;
	bool crew = s->pace.crew;
	uint64_t waits;

	if (!l->crew || l->always_crew)
		return false;
	waits = crew_long_waits(l->crew, 0);
	if (!pace_is_due(&s->pace, waits != s->long_waits))
		return false;
	s->long_waits = waits;
	pace_look(&s->pace, pace_clock());
	return s->pace.crew != crew;
}

/* A share's quantum: no others' state is looked at but what they told of the one before. */
static void quantum(struct loop *l, uint32_t k, struct ticks end)
{
	struct loop_share *s = &l->share[k];
	struct ticks next;

	share_begin(&l->shares.of[k], end);
	s->below_known = false;
	next = run_to(l, s, &end);
	publish(l, k, next, k == 0 && changes(l));
}

/* What the thread of share k does in a run: at begin and end no share has notes for another. */
static void run_share(void *loop, uint32_t k)
{
	struct loop *l = loop;
	const struct share *x = &l->shares.of[k];

	for (;;) {
		struct ticks begin;

		crew_barrier(l->crew, k);
		share_take_in(x, &l->shares);
		begin = quantum_begin(l, x->parity);
		if (stops(l, x->parity, begin))
			return;
		quantum(l, k, quantum_end(l, x->parity, begin));
	}
}

/* The same by one thread. */
static void run_in_turn(struct loop *l)
{
	for (;;) {
		uint32_t parity = l->shares.of[0].parity;
		struct ticks begin = quantum_begin(l, parity), end = quantum_end(l, parity, begin);

		for (uint32_t k = 0; k < l->shares.n; k++)
			share_take_in(&l->shares.of[k], &l->shares);
		if (stops(l, parity, begin))
			return;
		for (uint32_t k = 0; k < l->shares.n; k++)
			quantum(l, l->reverse ? l->shares.n - 1 - k : k, end);
	}
}

static struct ticks publish_all(struct loop *l)
{
	struct ticks next = TIME_NEVER;

	for (uint32_t k = 0; k < l->shares.n; k++) {
		struct ticks own = ticks_earlier(due_soonest(l->share[k].next, l->cap), memsys_next(l->memsys, k));

		share_begin(&l->shares.of[k], (struct ticks){0});
		publish(l, k, own, false);
		next = ticks_earlier(next, own);
	}
	return next;
}

static bool run_shares(struct loop *l)
{
	struct ticks next;

	while (ticks_before(next = publish_all(l), l->until)) {
		if (l->crew && (l->share[0].pace.crew || l->always_crew))
			crew_run(l->crew, run_share, l);
		else
			run_in_turn(l);
	}
	for (uint32_t k = 0; k < l->shares.n; k++)
		l->now = ticks_later(l->now, l->share[k].now);
	return !ticks_is_never(next);
}

bool loop_run(struct loop *l, struct ticks until)
{
	struct loop_share *s = l->share;
	struct ticks next;

	l->until = until;
	if (l->shares.n > 1)
		return run_shares(l);
	s->below_known = false;
	next = run_to(l, s, &l->until);
	l->now = s->now;
	return !ticks_is_never(next);
}
