#include "dispatch/timeline_ran.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "base/lanes.h"

static int by_sm_and_start(const void *a, const void *b)
{
	const struct timeline_ran *x = a, *y = b;

	if (x->sm != y->sm)
		return x->sm < y->sm ? -1 : 1;
	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	return (x->cta > y->cta) - (x->cta < y->cta);
}

static void give_contexts(struct timeline_ran *ran, uint64_t n)
{
	struct lanes contexts = {0};

	for (uint64_t i = 0; i < n; i++) {
		if (i > 0 && ran[i].sm != ran[i - 1].sm)
			lanes_free(&contexts);
		ran[i].context = lanes_take(&contexts, ran[i].start, ran[i].end);
	}
	lanes_free(&contexts);
}

struct timeline_ran *timeline_ran(const struct timeline *t, uint64_t cycles, uint64_t *n)
{
	struct timeline_ran *ran = xmalloc((t->first[t->n_launches] + 1) * sizeof *ran);

	*n = 0;
	for (uint32_t l = 0; l < t->n_launches; l++)
		for (uint32_t i = 0; i < timeline_n_ctas(t, l); i++) {
			const struct timeline_cta *c = timeline_cta(t, l, i);
			bool cut = c->end == TIMELINE_NEVER;

			if (c->start != TIMELINE_NEVER && (!cut || c->start < cycles))
				ran[(*n)++] = (struct timeline_ran){.launch = l,
								    .cta = i,
								    .sm = c->sm,
								    .stolen = c->stolen,
								    .cut = cut,
								    .start = c->start,
								    .end = cut ? cycles : c->end};
		}
	qsort(ran, *n, sizeof *ran, by_sm_and_start);
	give_contexts(ran, *n);
	return ran;
}

struct timeline_launch *timeline_launches(const struct timeline *t, const struct timeline_ran *ran, uint64_t n)
{
	struct timeline_launch *launch = xcalloc(t->n_launches + 1, sizeof *launch);

	for (uint64_t i = 0; i < n; i++) {
		struct timeline_launch *s = &launch[ran[i].launch];

		s->start = !s->ctas || ran[i].start < s->start ? ran[i].start : s->start;
		s->end = ran[i].end > s->end ? ran[i].end : s->end;
		s->ctas++;
		s->stolen += ran[i].stolen;
	}
	return launch;
}
