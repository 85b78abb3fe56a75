#include "report/report_data.h"

#include <jansson.h>

#include "profile/profile_report.h"

void report_data_want(struct session_options *o)
{
	o->profile = o->timeline = o->l1_sets = true;
	if (o->interval)
		return;
	o->interval = REPORT_FIRST_INTERVAL;
	o->interval_samples = REPORT_SAMPLES;
}

/* ---- profile and source ---- */

static json_t *source_json(const struct profile_lines *l, struct source_text *text)
{
	uint32_t hot[REPORT_LINES], n = profile_hottest(l, hot, REPORT_LINES);
	json_t *all = json_array();
	char line[256];

	for (uint32_t i = 0; i < n; i++) {
		const struct profile_line *at = &l->line[hot[i]];
		const struct trace_lines *names = trace_kernel(l->trace, at->kernel)->lines;
		const char *file = at->file ? names->file[at->file - 1] : NULL;

		if (file && source_text_line(text, file, at->line, line, sizeof line))
			json_array_append_new(
				all, json_pack("{s:s, s:I, s:s}", "file", file, "line", (json_int_t)at->line, "text", line));
	}
	return all;
}

static void add_profile(json_t *to, struct session *s, struct source_text *text)
{
	struct profile_lines lines;
	struct profile_report r = {&lines, text, s->result.cycles,
				   s->result.cycles * s->machine.sm.count * s->machine.sm.schedulers};

	profile_lines_make(&lines, &s->arena, s->source.trace, &s->profile);
	json_object_set_new(to, "profile", profile_report_json(&r));
	json_object_set_new(to, "source", source_json(&lines, text));
}

/* ---- sets of the L1s ---- */

static json_t *by_set(const struct gpu_sets *s, size_t word)
{
	json_t *all = json_array();

	for (uint32_t sm = 0; sm < s->sms; sm++) {
		json_t *row = json_array();

		for (uint32_t i = 0; i < s->sets; i++)
			json_array_append_new(row, json_integer((json_int_t)((const uint64_t *)gpu_sets_at(s, sm, i))[word]));
		json_array_append_new(all, row);
	}
	return all;
}

static json_t *sets_json(const struct gpu_sets *s)
{
	return json_pack("{s:I, s:I, s:o, s:o, s:o, s:o}", "sets", (json_int_t)s->sets, "sms", (json_int_t)s->sms, "accesses",
			 by_set(s, 0), "hits", by_set(s, 1), "misses", by_set(s, 2), "fail_line", by_set(s, 3));
}

/* ---- which CTA ran where, when ---- */

struct bins {
	uint32_t sms, n;
	uint64_t width;
	uint64_t *cta_cycles; /* by SM and bin */
};

static void bins_add(struct bins *b, uint32_t sm, uint64_t start, uint64_t end)
{
	for (uint64_t at = start; at < end;) {
		uint64_t bin = at / b->width, until = (bin + 1) * b->width;

		until = until < end ? until : end;
		b->cta_cycles[(uint64_t)sm * b->n + bin] += until - at;
		at = until;
	}
}

static json_t *bins_json(const struct bins *b)
{
	json_t *all = json_array();

	for (uint32_t sm = 0; sm < b->sms; sm++) {
		json_t *row = json_array();

		for (uint32_t i = 0; i < b->n; i++)
			json_array_append_new(row, json_integer((json_int_t)b->cta_cycles[(uint64_t)sm * b->n + i]));
		json_array_append_new(all, row);
	}
	return all;
}

static struct bins bins_for(struct session *s)
{
	uint32_t sms = s->machine.sm.count, most = REPORT_CELLS / sms;
	uint64_t cycles = s->result.cycles ? s->result.cycles : 1;
	struct bins b = {.sms = sms};

	most = most < 1 ? 1 : most < REPORT_BINS ? most : REPORT_BINS;
	b.width = (cycles + most - 1) / most;
	b.n = (uint32_t)((cycles + b.width - 1) / b.width);
	b.cta_cycles = arena_array(&s->arena, (size_t)sms * b.n, sizeof *b.cta_cycles);
	return b;
}

/* A CTA that had not ended when the run was cut ends with it. */
static uint64_t end_of(const struct timeline_cta *c, uint64_t cycles)
{
	return c->end < cycles ? c->end : cycles;
}

static json_t *launch_json(struct session *s, uint32_t launch, struct bins *b, json_t *ctas)
{
	const struct timeline *t = &s->timeline;
	const struct trace_launch *l = trace_launch(s->source.trace, launch);
	uint64_t first = TIMELINE_NEVER, last = 0;

	for (uint32_t i = 0; i < timeline_n_ctas(t, launch); i++) {
		const struct timeline_cta *c = timeline_cta(t, launch, i);
		uint64_t end = end_of(c, s->result.cycles);

		if (c->start >= end)
			continue;
		first = c->start < first ? c->start : first;
		last = end > last ? end : last;
		bins_add(b, c->sm, c->start, end);
		if (ctas)
			json_array_append_new(ctas, json_pack("[I,I,I,I,I,i]", (json_int_t)launch, (json_int_t)i, (json_int_t)c->sm,
							      (json_int_t)c->start, (json_int_t)end, (int)c->stolen));
	}
	if (first == TIMELINE_NEVER || launch >= REPORT_LAUNCHES)
		return NULL;
	return json_pack("{s:I, s:s, s:I, s:I, s:I}", "index", (json_int_t)launch, "kernel",
			 trace_kernel(s->source.trace, l->kernel)->name, "ctas", (json_int_t)l->n_ctas, "start", (json_int_t)first,
			 "end", (json_int_t)last);
}

static json_t *timeline_json(struct session *s)
{
	const struct timeline *t = &s->timeline;
	struct bins b = bins_for(s);
	uint64_t n = t->first[t->n_launches];
	json_t *launches = json_array(), *ctas = n <= REPORT_CTAS ? json_array() : NULL;

	for (uint32_t i = 0; i < t->n_launches; i++) {
		json_t *l = launch_json(s, i, &b, ctas);

		if (l)
			json_array_append_new(launches, l);
	}
	return json_pack("{s:I, s:I, s:I, s:o, s:I, s:o, s:o*}", "clock_mhz", (json_int_t)s->machine.clock.mhz[CLOCK_CORE],
			 "cycles", (json_int_t)s->result.cycles, "n_ctas", (json_int_t)n, "launches", launches, "bin",
			 (json_int_t)b.width, "cta_cycles", bins_json(&b), "ctas", ctas);
}

void report_data_add(json_t *result, struct session *s, struct source_text *text)
{
	add_profile(result, s, text);
	json_object_set_new(result, "l1_sets", sets_json(&s->l1_sets));
	json_object_set_new(result, "timeline", timeline_json(s));
}
