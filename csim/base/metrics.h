/* Metrics: what a run counts, and the rows that are made of it.
 *
 * The counters of a component are one struct that holds nothing but uint64_t and struct ticks, which is one too. So two
 * structs of a kind are added or subtracted word by word, whatever they count: the total is the sum over SMs, slices or
 * channels, a launch is the difference of the totals at its end and at its begin. A metric is one line of a table that
 * is beside such a struct: name, unit, meaning, kind, the words that it is made of, and where it is shown. From the
 * same table come the rows of the run, of one SM, of one array and of one launch.
 */
#ifndef CSIM_BASE_METRICS_H
#define CSIM_BASE_METRICS_H

#include <stddef.h>
#include <stdint.h>

#include "base/stats.h"

enum metric_kind {
	METRIC_COUNT,	/* a */
	METRIC_EXCESS,	/* a - b */
	METRIC_RATIO,	/* a / b; 0 if b is */
	METRIC_PERCENT, /* likewise, as a percentage */
	METRIC_SCALED,	/* a / b, and b is a constant: a sum in another unit */
	METRIC_CYCLES,	/* a / b, and a counts ticks: in cycles of metric_view.period */
	METRIC_LEVEL	/* a, as it is at a moment: no sum of what has happened */
};

/* Where a metric is shown. */
enum {
	OF_RUN = 1,
	OF_RUN_DETAIL = 2, /* a detail row, as all that follow but OF_LAUNCH */
	OF_SM = 4,	   /* of each SM; of each instance of what a table describes, if that is something else */
	OF_SCHEDULER = 8,
	OF_ARRAY = 16,
	OF_LAUNCH = 32,
	OF_INTERVAL = 64,   /* over time alone (run/intervals.h) */
	NOT_OVER_TIME = 128 /* is known at the end of a run alone */
};

/* The sum of n words of the struct, the first one and every step-th after it. n = 0: none. */
struct metric_words {
	uint16_t first, n, step;
};

struct metric {
	const char *name, *unit, *meaning;
	enum metric_kind kind;
	unsigned shown; /* OF_..., or-ed */
	struct metric_words a, b;
	unsigned needs; /* bits that metric_view.has must have: parts that not every machine has */
};

/* clang-format off */
#define METRIC_AT(type, field) (uint16_t)(offsetof(type, field) / sizeof(uint64_t))
#define METRIC_SIZE(type, field) (uint16_t)(sizeof(((type *)0)->field) / sizeof(uint64_t))
/* All words of a field; from one field to another one, both included. */
#define METRIC_OF(type, field) {METRIC_AT(type, field), METRIC_SIZE(type, field), 1}
#define METRIC_FROM(type, first, last) {METRIC_AT(type, first), (uint16_t)(METRIC_AT(type, last) - METRIC_AT(type, first) + 1), 1}
/* clang-format on */

/* What a metric is made of: a, or a / b. */
struct metric_value {
	uint64_t a, b;
};
struct metric_value metric_value(const struct metric *m, const void *counters, uint64_t period);
/* Whether it is a quotient. */
static inline bool metric_is_ratio(const struct metric *m)
{
	return m->kind == METRIC_RATIO || m->kind == METRIC_PERCENT || m->kind == METRIC_SCALED || m->kind == METRIC_CYCLES;
}

/* Adds a struct of counters to another one of its type; takes it away. */
#define METRICS_ADD(to, from)  metrics_add((to), (from), sizeof *(to) + 0 * sizeof((to) == (from)))
#define METRICS_TAKE(to, from) metrics_take((to), (from), sizeof *(to) + 0 * sizeof((to) == (from)))
void metrics_add(void *to, const void *from, size_t bytes);
void metrics_take(void *to, const void *from, size_t bytes);

struct metric_view {
	const char *prefix; /* of the names */
	unsigned shown;	    /* rows that are shown at any of these levels */
	unsigned has;	    /* for metric.needs */
	uint64_t period;    /* of METRIC_CYCLES */
};

struct metric_table {
	const struct metric *row;
	unsigned n;
};
/* clang-format off */
#define METRIC_TABLE(rows) {rows, sizeof(rows) / sizeof *(rows)}
/* clang-format on */

/* Adds the rows of a table, in its order. */
void metrics_rows(struct stats *to, const struct metric_table *t, const struct metric_view *v, const void *counters);

#endif
