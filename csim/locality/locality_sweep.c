#include "locality/locality_sweep.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "workload/random.h"

struct print { /* of a set of CTAs: the sums, bit by bit, of two random words for each. Two different sets have the same
	        * one with
		  a chance of 2^-128. */
	uint64_t a, b;
};

struct sweep {
	struct locality_readers *r;
	uint32_t *active, n_active; /* CTAs that read here, in no order */
	uint32_t *at;		    /* of each CTA: where it is in `active`, plus 1; 0: it is not */
	struct print now;
	/* Sets by their prints: open addressing, because there may be millions of them, of two or three CTAs each. */
	struct print *print; /* by set */
	uint32_t *slot;	     /* set + 1; 0: free */
	uint64_t n_slots;
	uint64_t cap_ctas;
	uint32_t cap_sets;
};

static uint64_t mix(uint64_t z)
{
	struct host_random r = {z};

	return host_random_u64(&r);
}

/* Least significant digit first, by position. */
static void sort_events(uint64_t *event, uint64_t n, uint64_t n_places)
{
	enum { DIGIT = 11, BUCKETS = 1 << DIGIT };
	uint64_t *from = event, *to = xmalloc((n + 1) * sizeof *to), *spare = to;

	for (unsigned shift = 0; n_places >> shift; shift += DIGIT) {
		uint64_t start[BUCKETS + 1] = {0}, *swap;

		for (uint64_t i = 0; i < n; i++)
			start[(from[i] >> (SWEEP_CTA_BITS + shift)) % BUCKETS + 1]++;
		for (unsigned b = 0; b < BUCKETS; b++)
			start[b + 1] += start[b];
		for (uint64_t i = 0; i < n; i++)
			to[start[(from[i] >> (SWEEP_CTA_BITS + shift)) % BUCKETS]++] = from[i];
		swap = from;
		from = to;
		to = swap;
	}
	if (from != event)
		memcpy(event, from, n * sizeof *event);
	free(spare);
}

static void toggle(struct sweep *s, uint32_t cta)
{
	if (s->at[cta]) {
		uint32_t last = s->active[--s->n_active];

		s->active[s->at[cta] - 1] = last;
		s->at[last] = s->at[cta];
		s->at[cta] = 0;
	} else {
		s->active[s->n_active++] = cta;
		s->at[cta] = s->n_active;
	}
	s->now.a ^= mix(2 * (uint64_t)cta);
	s->now.b ^= mix(2 * (uint64_t)cta + 1);
}

/* The slot that holds the set of the print, or the free one for it. */
static uint64_t slot_of(const struct sweep *s, const struct print *p)
{
	uint64_t i = p->a & (s->n_slots - 1);

	while (s->slot[i] && (s->print[s->slot[i] - 1].a != p->a || s->print[s->slot[i] - 1].b != p->b))
		i = (i + 1) & (s->n_slots - 1);
	return i;
}

static void more_slots(struct sweep *s)
{
	free(s->slot);
	s->n_slots *= 2;
	s->slot = xcalloc(s->n_slots, sizeof *s->slot);
	for (uint32_t i = 0; i < s->r->n_sets; i++)
		s->slot[slot_of(s, &s->print[i])] = i + 1;
}

static int ascending(const void *x, const void *y)
{
	uint32_t a = *(const uint32_t *)x, b = *(const uint32_t *)y;

	return a < b ? -1 : a > b;
}

static void add_set(struct sweep *s)
{
	struct locality_readers *r = s->r;
	uint64_t first = r->n_sets ? r->first[r->n_sets] : 0;

	if (r->n_sets == s->cap_sets) {
		s->cap_sets = s->cap_sets ? s->cap_sets + s->cap_sets / 2 : 256;
		r->first = xrealloc(r->first, (s->cap_sets + (size_t)1) * sizeof *r->first);
		r->weight = xrealloc(r->weight, s->cap_sets * sizeof *r->weight);
		s->print = xrealloc(s->print, s->cap_sets * sizeof *s->print);
	}
	if (first + s->n_active > s->cap_ctas) {
		s->cap_ctas = (first + s->n_active) + (first + s->n_active) / 2;
		r->cta = xrealloc(r->cta, s->cap_ctas * sizeof *r->cta);
	}
	memcpy(r->cta + first, s->active, s->n_active * sizeof *r->cta);
	qsort(r->cta + first, s->n_active, sizeof *r->cta, ascending);
	s->print[r->n_sets] = s->now;
	r->weight[r->n_sets++] = 0;
	r->first[r->n_sets] = first + s->n_active;
}

/* The CTAs that are active now read `weight` elements. */
static void note(struct sweep *s, uint64_t weight)
{
	uint64_t i;

	if (s->n_active < 2) {
		s->r->alone += s->n_active ? weight : 0;
		return;
	}
	i = slot_of(s, &s->now);
	if (!s->slot[i]) {
		add_set(s);
		s->slot[i] = s->r->n_sets;
		if (2 * (uint64_t)s->r->n_sets > s->n_slots) {
			more_slots(s);
			i = slot_of(s, &s->now);
		}
	}
	s->r->weight[s->slot[i] - 1] += weight;
}

void sweep(struct locality_readers *r, uint32_t n_ctas, uint64_t *event, uint64_t n, const uint32_t *unit, uint32_t n_pages)
{
	struct sweep s = {.r = r,
			  .active = xcalloc(n_ctas + (size_t)1, sizeof *s.active),
			  .at = xcalloc(n_ctas + (size_t)1, sizeof *s.at),
			  .n_slots = 1024,
			  .slot = xcalloc(1024, sizeof *s.slot)};

	*r = (struct locality_readers){.n_ctas = n_ctas};
	sort_events(event, n, (uint64_t)n_pages * SPARSE_PAGE);
	for (uint64_t i = 0; i < n;) {
		uint64_t position = event[i] >> SWEEP_CTA_BITS, next;

		for (; i < n && event[i] >> SWEEP_CTA_BITS == position; i++)
			toggle(&s, (uint32_t)event[i] & ((1u << SWEEP_CTA_BITS) - 1));
		if (i == n)
			break;
		next = event[i] >> SWEEP_CTA_BITS;
		if (s.n_active)
			note(&s, (next - position + unit[position / SPARSE_PAGE] - 1) / unit[position / SPARSE_PAGE]);
	}
	free(s.active);
	free(s.at);
	free(s.slot);
	free(s.print);
	if (!r->first)
		r->first = xcalloc(1, sizeof *r->first);
	r->first[0] = 0;
}

void locality_readers_free(struct locality_readers *r)
{
	free(r->first);
	free(r->cta);
	free(r->weight);
	*r = (struct locality_readers){0};
}
