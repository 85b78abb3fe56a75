/* A count or a mean of an interval is written at its begin, and so drawn over the interval; a level, which is what is
 * so when an interval ends, at its end. */
#include <stdlib.h>

#include "base/alloc.h"
#include "perfetto/parts.h"

void perfetto_counters_add(struct perfetto_counters *c, struct perfetto_trace *t)
{
	const struct intervals *v = &t->session->intervals;

	*c = (struct perfetto_counters){.v = v};
	if (!v->asked)
		return;
	c->track = xmalloc((v->n + 1) * sizeof *c->track);
	for (uint32_t i = 0; i < v->n; i++) {
		const struct interval_series *s = &v->series[i];

		c->track[i] = packets_counter(&t->packets, s->sm < 0 ? &t->metrics : &t->sm[s->sm], s->path, s->metric->unit);
	}
}

void perfetto_counters_free(struct perfetto_counters *c)
{
	free(c->track);
}

/* The begin of sample i, which is the end of the one before; of the last one's successor, the end of the run. */
static uint64_t begin_of(const struct perfetto_counters *c, uint32_t i)
{
	uint64_t cycle = i * c->v->samples.every;

	return (cycle < c->v->cycles ? cycle : c->v->cycles) * PERFETTO_CYCLE;
}

static void write_value(const struct perfetto_counters *c, struct packets *p, uint64_t ns, uint32_t series, uint32_t i)
{
	double x;

	if (!metric_is_ratio(c->v->series[series].metric))
		packets_count(p, ns, c->track[series], series_at(&c->v->samples, i)[2 * series]);
	else if (intervals_value(c->v, series, i, &x))
		packets_value(p, ns, c->track[series], x);
}

static void write_sample(const struct perfetto_counters *c, struct packets *p, uint64_t ns, uint32_t i)
{
	for (uint32_t s = 0; s < c->v->n; s++) {
		bool level = c->v->series[s].metric->kind == METRIC_LEVEL;

		if (level ? i > 0 : i < c->v->samples.n)
			write_value(c, p, ns, s, level ? i - 1 : i);
	}
}

void perfetto_counters_write(void *counters, struct packets *p, uint64_t ns)
{
	struct perfetto_counters *c = counters;

	while (c->v->asked && c->next <= c->v->samples.n && begin_of(c, c->next) <= ns) {
		write_sample(c, p, begin_of(c, c->next), c->next);
		c->next++;
	}
}
