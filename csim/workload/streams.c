#include "workload/streams.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/alloc.h"

struct named_set { /* of a stream: what its next operation waits for; of an event: what comes before it */
	uint64_t number;
	struct wait_set set;
	UT_hash_handle hh;
};

struct streams {
	struct named_set *stream, *event;
	struct wait_set host;	  /* what the host program has waited for */
	struct wait_set blocking; /* what was handed to streams that the default stream waits for */
	struct wait_set waits;	  /* of the operation that is handed over */
	uint32_t *below;	  /* by launch: it comes after all below this one */
	uint32_t n, cap;	  /* launches */
};

struct streams *streams_new(void)
{
	return xcalloc(1, sizeof(struct streams));
}

static void free_all(struct named_set **sets)
{
	struct named_set *s, *next;

	HASH_ITER (hh, *sets, s, next) {
		HASH_DEL(*sets, s);
		free(s);
	}
}

void streams_free(struct streams *s)
{
	if (!s)
		return;
	free_all(&s->stream);
	free_all(&s->event);
	free(s->below);
	free(s);
}

/* ---- sets ---- */

static void drop_first(struct wait_set *w, uint32_t n)
{
	w->n -= n;
	memmove(w->at, w->at + n, w->n * sizeof *w->at);
}

/* Those below the number are in it, and if the launch of that number is, the number is one more. */
static void raise(struct wait_set *w, uint32_t below)
{
	uint32_t n = 0;

	if (w->below < below)
		w->below = below;
	for (; n < w->n && w->at[n] <= w->below; n++)
		w->below += w->at[n] == w->below;
	drop_first(w, n);
}

static void insert(struct wait_set *w, uint32_t launch)
{
	uint32_t i = w->n;

	while (i > 0 && w->at[i - 1] > launch)
		i--;
	if (launch < w->below || (i > 0 && w->at[i - 1] == launch))
		return;
	if (w->n == TRACE_MAX_WAITS) {
		raise(w, i ? w->at[0] + 1 : launch + 1);
		insert(w, launch);
		return;
	}
	memmove(&w->at[i + 1], &w->at[i], (w->n - i) * sizeof *w->at);
	w->at[i] = launch;
	w->n++;
}

/* Who waits for a launch waits for what that waits for. */
static void add(const struct streams *s, struct wait_set *w, uint32_t launch)
{
	insert(w, launch);
	raise(w, s->below[launch]);
}

static void merge(const struct streams *s, struct wait_set *w, const struct wait_set *other)
{
	raise(w, other->below);
	for (uint32_t i = 0; i < other->n; i++)
		add(s, w, other->at[i]);
}

static bool has(const struct wait_set *w, uint32_t launch)
{
	uint32_t i = 0;

	while (i < w->n && w->at[i] < launch)
		i++;
	return launch < w->below || (i < w->n && w->at[i] == launch);
}

/* A launch that waits for `by` comes into the set: those that it waits for need not stay. */
static void cover(const struct streams *s, struct wait_set *w, const struct wait_set *by, uint32_t launch)
{
	uint32_t n = 0;

	for (uint32_t i = 0; i < w->n; i++)
		if (!has(by, w->at[i]))
			w->at[n++] = w->at[i];
	w->n = n;
	add(s, w, launch);
}

/* ---- streams ---- */

static struct named_set *find(struct named_set *sets, uint64_t number)
{
	struct named_set *it;

	HASH_FIND(hh, sets, &number, sizeof number, it);
	return it;
}

static struct named_set *get(struct named_set **sets, uint64_t number)
{
	struct named_set *it = find(*sets, number);

	if (it)
		return it;
	it = xcalloc(1, sizeof *it);
	it->number = number;
	HASH_ADD(hh, *sets, number, sizeof it->number, it);
	return it;
}

static void forget(struct named_set **sets, uint64_t number)
{
	struct named_set *it = find(*sets, number);

	if (!it)
		return;
	HASH_DEL(*sets, it);
	free(it);
}

static const struct wait_set *default_stream(const struct streams *s)
{
	static const struct wait_set nothing;
	const struct named_set *it = find(s->stream, STREAM_DEFAULT.number);

	return it ? &it->set : &nothing;
}

const struct wait_set *streams_waits(struct streams *s, struct stream_id id)
{
	const struct named_set *own = find(s->stream, id.number);

	s->waits = s->host;
	if (id.number == STREAM_DEFAULT.number) { /* it is a blocking one itself */
		merge(s, &s->waits, &s->blocking);
		return &s->waits;
	}
	if (own)
		merge(s, &s->waits, &own->set);
	if (id.blocking)
		merge(s, &s->waits, default_stream(s));
	return &s->waits;
}

void streams_launch(struct streams *s, struct stream_id id)
{
	const struct wait_set *waits = streams_waits(s, id);
	struct named_set *own = get(&s->stream, id.number);
	uint32_t launch = s->n++;

	if (launch >= s->cap) {
		s->cap = 2 * launch + 64;
		s->below = xrealloc(s->below, s->cap * sizeof *s->below);
	}
	s->below[launch] = waits->below;
	own->set = (struct wait_set){.below = waits->below};
	add(s, &own->set, launch);
	if (id.blocking)
		cover(s, &s->blocking, waits, launch);
}

/* An operation that waits for s->waits is the stream's last one, and has ended when these have. */
static void hand_on(struct streams *s, struct stream_id id)
{
	get(&s->stream, id.number)->set = s->waits;
	if (id.blocking)
		merge(s, &s->blocking, &s->waits);
}

void streams_pass(struct streams *s, struct stream_id id)
{
	streams_waits(s, id);
	hand_on(s, id);
}

void streams_forget(struct streams *s, uint64_t stream)
{
	forget(&s->stream, stream);
}

/* ---- events ---- */

void streams_record(struct streams *s, uint64_t event, struct stream_id id)
{
	get(&s->event, event)->set = *streams_waits(s, id);
	hand_on(s, id);
}

void streams_wait(struct streams *s, struct stream_id id, uint64_t event)
{
	const struct named_set *e = find(s->event, event);

	if (!e)
		return;
	streams_waits(s, id);
	merge(s, &s->waits, &e->set);
	hand_on(s, id);
}

const struct wait_set *streams_event(const struct streams *s, uint64_t event)
{
	const struct named_set *e = find(s->event, event);

	return e ? &e->set : NULL;
}

void streams_forget_event(struct streams *s, uint64_t event)
{
	forget(&s->event, event);
}

/* ---- the host program ---- */

void streams_sync(struct streams *s)
{
	s->host = (struct wait_set){.below = s->n};
}

void streams_sync_stream(struct streams *s, struct stream_id id)
{
	merge(s, &s->host, streams_waits(s, id));
}

void streams_sync_event(struct streams *s, uint64_t event)
{
	const struct named_set *e = find(s->event, event);

	if (e)
		merge(s, &s->host, &e->set);
}
