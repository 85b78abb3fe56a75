#include "base/metrics.h"

#include <stdio.h>

void metrics_add(void *to, const void *from, size_t bytes)
{
	uint64_t *t = to;
	const uint64_t *f = from;

	for (size_t i = 0; i < bytes / sizeof *t; i++)
		t[i] += f[i];
}

void metrics_take(void *to, const void *from, size_t bytes)
{
	uint64_t *t = to;
	const uint64_t *f = from;

	for (size_t i = 0; i < bytes / sizeof *t; i++)
		t[i] -= f[i];
}

static uint64_t sum(const struct metric_words *w, const uint64_t *word)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < w->n; i++)
		n += word[w->first + i * w->step];
	return n;
}

struct metric_value metric_value(const struct metric *m, const void *counters, uint64_t period)
{
	uint64_t a = sum(&m->a, counters), b = sum(&m->b, counters);

	if (m->kind == METRIC_EXCESS)
		return (struct metric_value){a - b, 0};
	return (struct metric_value){a, m->kind == METRIC_CYCLES ? b * period : b};
}

static void add_row(struct stats *to, const struct metric *m, const struct metric_view *v, const uint64_t *word)
{
	struct metric_value x = metric_value(m, word, v->period);
	unsigned flags = m->shown & v->shown & (OF_RUN | OF_LAUNCH) ? 0 : STAT_DETAIL;
	char name[512];

	snprintf(name, sizeof name, "%s%s", v->prefix, m->name);
	switch (m->kind) {
	case METRIC_COUNT:
	case METRIC_EXCESS:
	case METRIC_LEVEL:
		stats_count(to, flags, name, x.a, m->unit, m->meaning);
		break;
	case METRIC_RATIO:
	case METRIC_CYCLES:
		stats_quotient(to, flags, name, x.a, x.b, m->unit, m->meaning);
		break;
	case METRIC_SCALED:
		stats_real(to, flags, name, x.b ? (double)x.a / (double)x.b : 0, m->unit, m->meaning);
		break;
	case METRIC_PERCENT:
		stats_percent(to, flags, name, x.a, x.b, m->meaning);
		break;
	}
}

void metrics_rows(struct stats *to, const struct metric_table *t, const struct metric_view *v, const void *counters)
{
	for (const struct metric *m = t->row; m < t->row + t->n; m++)
		if ((m->shown & v->shown) && !(m->needs & ~v->has))
			add_row(to, m, v, counters);
}
