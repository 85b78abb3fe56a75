#include "session/intervals_file.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <string.h>

static const char *kind_of(const struct interval_series *s)
{
	return s->metric->kind == METRIC_LEVEL ? "level" : metric_is_ratio(s->metric) && !s->by_unit ? "mean" : "count";
}

/* Whole where it can be: counts above 2^53 are as they were counted. */
static json_t *value_json(const struct intervals *v, uint32_t series, uint32_t i)
{
	const struct interval_series *s = &v->series[series];
	double x;

	if (!metric_is_ratio(s->metric))
		return json_integer((json_int_t)series_at(&v->samples, i)[2 * series]);
	return intervals_value(v, series, i, &x) ? json_real(x) : json_null();
}

static json_t *series_json(const struct intervals *v, uint32_t series)
{
	const struct interval_series *s = &v->series[series];
	json_t *values = json_array();

	for (uint32_t i = 0; i < v->samples.n; i++)
		json_array_append_new(values, value_json(v, series, i));
	return json_pack("{s:s, s:s, s:s, s:s, s:s, s:o}", "name", s->name, "unit", s->metric->unit, "of", s->of, "path", s->path,
			 "kind", kind_of(s), "values", values);
}

json_t *intervals_json(const struct session *s)
{
	const struct intervals *v = &s->intervals;
	json_t *all = json_array();

	for (uint32_t i = 0; i < v->n; i++)
		json_array_append_new(all, series_json(v, i));
	return json_pack("{s:I, s:I, s:I, s:I, s:I, s:o}", "cycles", (json_int_t)v->samples.every, "asked", (json_int_t)v->asked,
			 "core_clock_mhz", (json_int_t)s->machine.clock.mhz[CLOCK_CORE], "run_cycles", (json_int_t)v->cycles,
			 "samples", (json_int_t)v->samples.n, "series", all);
}

static void put_values(FILE *to, const struct intervals *v, uint32_t i)
{
	uint64_t begin = i * v->samples.every, end = begin + v->samples.every;
	double x;

	fprintf(to, "%" PRIu64 ",%" PRIu64, begin, end < v->cycles ? end : v->cycles);
	for (uint32_t s = 0; s < v->n; s++) {
		fputc(',', to);
		if (intervals_value(v, s, i, &x))
			fprintf(to, "%.12g", x);
	}
	fputc('\n', to);
}

int intervals_csv(struct output *to, const struct session *s, struct err *e)
{
	const struct intervals *v = &s->intervals;

	if (!to->f)
		return 0;
	errno = 0;
	fputs("cycle,until", to->f);
	for (uint32_t i = 0; i < v->n; i++)
		fprintf(to->f, ",%s", v->series[i].path);
	fputc('\n', to->f);
	for (uint32_t i = 0; i < v->samples.n; i++)
		put_values(to->f, v, i);
	if (!ferror(to->f))
		return output_keep(to, e);
	output_failed(to, e);
	output_drop(to);
	return -1;
}
