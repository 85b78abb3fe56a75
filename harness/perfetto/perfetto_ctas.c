#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "perfetto/parts.h"

static void describe_place(struct packets_slice *s, uint32_t cta, const uint32_t *grid)
{
	packets_number(s, "ctaid.x", cta % grid[0]);
	packets_number(s, "ctaid.y", cta / grid[0] % grid[1]);
	packets_number(s, "ctaid.z", cta / grid[0] / grid[1]);
}

static void describe_cta(const void *ctx, uint64_t a, uint32_t b, struct packets_slice *s)
{
	const struct perfetto_ctas *c = ctx;
	const struct timeline_ran *ran = &c->ran[a];

	(void)b;
	snprintf(s->name, sizeof s->name, "CTA %" PRIu32 "%s", ran->cta, ran->stolen ? " stolen" : "");
	s->category[0] = "cta";
	s->category[1] = ran->stolen ? "stolen" : NULL;
	packets_number(s, "launch", ran->launch);
	packets_number(s, "cta", ran->cta);
	describe_place(s, ran->cta, trace_launch(c->trace, ran->launch)->grid);
	if (ran->cut)
		packets_number(s, "cut", 1);
}

static void describe_launch(const void *ctx, uint64_t launch, uint32_t b, struct packets_slice *s)
{
	const struct perfetto_ctas *c = ctx;
	const struct trace_launch *l = trace_launch(c->trace, (uint32_t)launch);

	(void)b;
	snprintf(s->name, sizeof s->name, "%s", trace_kernel(c->trace, l->kernel)->name);
	s->category[0] = "launch";
	packets_number(s, "launch", launch);
	packets_number(s, "ctas", c->launch[launch].ctas);
	packets_number(s, "stolen", c->launch[launch].stolen);
	packets_text(s, "grid", "%" PRIu32 " x %" PRIu32 " x %" PRIu32, l->grid[0], l->grid[1], l->grid[2]);
}

static void add_launches(struct perfetto_ctas *c, struct perfetto_trace *t)
{
	uint64_t track = packets_thread(&t->packets, &t->launches, "launches");

	for (uint32_t l = 0; l < t->session->timeline.n_launches; l++)
		slices_add(&t->slices, &(struct slice){.begin = c->launch[l].start * PERFETTO_CYCLE,
						       .end = c->launch[l].end * PERFETTO_CYCLE,
						       .track = track,
						       .from = &c->of_launches,
						       .a = l});
}

/* Of one SM, from CTA i on; returns the first one of the next SM. */
static uint64_t add_sm(struct perfetto_ctas *c, struct perfetto_trace *t, uint64_t i)
{
	uint32_t sm = c->ran[i].sm, contexts = 0;
	uint64_t *track = NULL;
	char name[32];

	for (; i < c->n && c->ran[i].sm == sm; i++) {
		const struct timeline_ran *ran = &c->ran[i];

		if (ran->context == contexts) {
			track = xgrow(track, contexts, sizeof *track);
			snprintf(name, sizeof name, "context %" PRIu32, contexts);
			track[contexts++] = packets_thread(&t->packets, &t->sm[sm], name);
		}
		slices_add(&t->slices, &(struct slice){.begin = ran->start * PERFETTO_CYCLE,
						       .end = ran->end * PERFETTO_CYCLE,
						       .track = track[ran->context],
						       .from = &c->of_ctas,
						       .a = i});
	}
	free(track);
	return i;
}

void perfetto_ctas_add(struct perfetto_ctas *c, struct perfetto_trace *t)
{
	const struct session *s = t->session;

	*c = (struct perfetto_ctas){.trace = s->source.trace, .of_ctas = {describe_cta, c}, .of_launches = {describe_launch, c}};
	c->ran = timeline_ran(&s->timeline, s->result.cycles, &c->n);
	c->launch = timeline_launches(&s->timeline, c->ran, c->n);
	add_launches(c, t);
	for (uint64_t i = 0; i < c->n;)
		i = add_sm(c, t, i);
}

void perfetto_ctas_free(struct perfetto_ctas *c)
{
	free(c->ran);
	free(c->launch);
}
