#include "cache/l1_sets.h"

static void looked_up(void *ctx, uint64_t cycle, uint32_t set, uint64_t tag)
{
	struct l1_sets *s = ctx;

	(void)tag;
	s->set = set;
	s->looked_up = cycle;
}

void l1_sets_finish(struct l1_sets *s, uint64_t cycle)
{
	if (s->failing != s->n)
		s->count[s->failing].fail_line += cycle - s->since;
	s->failing = s->n;
}

static void accessed(void *ctx, uint64_t cycle, const struct l1_access *a, enum l1_result r)
{
	struct l1_sets *s = ctx;
	struct l1_set_counts *c = &s->count[s->looked_up == cycle ? s->set : s->n];

	l1_sets_finish(s, cycle);
	if (r == L1_FAIL_LINE) {
		s->failing = s->looked_up == cycle ? s->set : s->n;
		s->since = cycle;
	}
	if (r >= L1_FAIL_LINE)
		return;
	c->accesses++;
	c->hits += a->kind == REQ_READ && (r == L1_HIT || r == L1_MERGED);
	c->misses += a->kind == REQ_READ && r == L1_MISS;
}

void l1_sets_observe(struct l1_sets *s, struct l1 *l, struct l1_set_counts *count)
{
	uint32_t n = 1u << l->set_bits;

	*s = (struct l1_sets){.observer = {.ctx = s, .lookup = looked_up, .accessed = accessed},
			      .n = n,
			      .failing = n,
			      .looked_up = UINT64_MAX,
			      .count = count};
	l1_observe(l, &s->observer);
}
