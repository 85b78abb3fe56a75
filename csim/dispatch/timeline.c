#include "dispatch/timeline.h"

#include "base/panic.h"

void timeline_init(struct timeline *t, struct arena *a, const struct trace *trace)
{
	uint32_t n = trace_n_launches(trace);

	*t = (struct timeline){.n_launches = n};
	t->first = arena_array(a, n + 1, sizeof *t->first);
	t->first[0] = 0;
	for (uint32_t i = 0; i < n; i++)
		t->first[i + 1] = t->first[i] + trace_launch(trace, i)->n_ctas;
	t->cta = arena_array(a, t->first[n], sizeof *t->cta);
	for (uint64_t i = 0; i < t->first[n]; i++)
		t->cta[i] = (struct timeline_cta){.start = TIMELINE_NEVER, .end = TIMELINE_NEVER};
}

static struct timeline_cta *entry(const struct timeline *t, uint32_t launch, uint32_t cta)
{
	PANIC_UNLESS(launch < t->n_launches && cta < timeline_n_ctas(t, launch), "timeline", cta);
	return &t->cta[t->first[launch] + cta];
}

void timeline_start(struct timeline *t, uint32_t launch, uint32_t cta, uint32_t sm, uint64_t cycle)
{
	struct timeline_cta *c = entry(t, launch, cta);

	PANIC_UNLESS(c->start == TIMELINE_NEVER, "timeline", cycle);
	c->sm = sm;
	c->start = cycle;
}

void timeline_end(struct timeline *t, uint32_t launch, uint32_t cta, uint64_t cycle)
{
	struct timeline_cta *c = entry(t, launch, cta);

	PANIC_UNLESS(c->start <= cycle && c->end == TIMELINE_NEVER, "timeline", cycle);
	c->end = cycle;
}

void timeline_stolen(struct timeline *t, uint32_t launch, uint32_t cta)
{
	entry(t, launch, cta)->stolen = true;
}

const struct timeline_cta *timeline_cta(const struct timeline *t, uint32_t launch, uint32_t cta)
{
	return entry(t, launch, cta);
}
