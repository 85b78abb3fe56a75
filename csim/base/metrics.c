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

static void add_row(struct stats *to, const struct metric *m, const struct metric_view *v, const uint64_t *word)
{
	uint64_t a = sum(&m->a, word), b = sum(&m->b, word) * (m->kind == METRIC_CYCLES ? v->period : 1);
	unsigned flags = m->shown & v->shown & (OF_RUN | OF_LAUNCH) ? 0 : STAT_DETAIL;
	char name[512];

	snprintf(name, sizeof name, "%s%s", v->prefix, m->name);
	switch (m->kind) {
	case METRIC_COUNT:
	case METRIC_EXCESS:
		stats_count(to, flags, name, a - b, m->unit, m->meaning);
		break;
	case METRIC_RATIO:
	case METRIC_CYCLES:
		stats_real(to, flags, name, b ? (double)a / (double)b : 0, m->unit, m->meaning);
		break;
	case METRIC_PERCENT:
		stats_percent(to, flags, name, a, b, m->meaning);
		break;
	}
}

void metrics_rows(struct stats *to, const struct metric_table *t, const struct metric_view *v, const void *counters)
{
	for (const struct metric *m = t->row; m < t->row + t->n; m++)
		if ((m->shown & v->shown) && !(m->needs & ~v->has))
			add_row(to, m, v, counters);
}
