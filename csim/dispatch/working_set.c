#include "dispatch/working_set.h"

#include <stdio.h>
#include <string.h>

#include "plan/access_scan.h"

struct working_set {
	struct trace *trace;
	const struct timeline *where;
	uint32_t launch;  /* that is being read */
	uint64_t *first;  /* by buffer: its first line's place among the lines of all buffers */
	uint64_t n_lines; /* of all buffers */
	uint32_t words;	  /* of a line's set of SMs */
	uint64_t *seen;	  /* by line: the SMs that accessed it in this launch, a bit each */
	uint64_t *lines;  /* by SM */
};

static uint64_t line_of(uint64_t addr)
{
	return addr / ACCESS_SCAN_LINE;
}

static void count(void *ctx, const struct scanned_access *a)
{
	struct working_set *w = ctx;
	const struct timeline_cta *c = timeline_cta(w->where, a->launch, a->cta);
	uint64_t line = w->first[a->buffer] + line_of(a->addr) - line_of(trace_buffer(w->trace, a->buffer)->base), *word;

	if (c->start == TIMELINE_NEVER)
		return;
	if (a->launch != w->launch) {
		memset(w->seen, 0, w->n_lines * w->words * sizeof *w->seen);
		w->launch = a->launch;
	}
	word = &w->seen[line * w->words + c->sm / 64];
	w->lines[c->sm] += ~*word >> c->sm % 64 & 1;
	*word |= UINT64_C(1) << c->sm % 64;
}

static struct working_set begin(struct trace *t, const struct timeline *where, uint32_t n_sms, struct arena *a)
{
	struct working_set w = {.trace = t, .where = where, .words = (n_sms + 63) / 64};

	w.first = arena_array(a, trace_n_buffers(t) + 1, sizeof *w.first);
	for (uint32_t b = 0; b < trace_n_buffers(t); b++) {
		const struct trace_buffer *buffer = trace_buffer(t, b);

		w.first[b] = w.n_lines;
		if (buffer->size)
			w.n_lines += line_of(buffer->base + buffer->size - 1) - line_of(buffer->base) + 1;
	}
	w.seen = arena_array(a, w.n_lines * w.words + 1, sizeof *w.seen);
	w.lines = arena_array(a, n_sms, sizeof *w.lines);
	return w;
}

static void report(struct stats *to, const uint64_t *lines, uint32_t n_sms)
{
	char name[64];
	double sum = 0;

	for (uint32_t i = 0; i < n_sms; i++)
		sum += (double)lines[i];
	stats_real(to, 0, "working_set", sum / n_sms, "lines",
		   "mean number of global-memory lines that an SM accessed, once per launch");
	for (uint32_t i = 0; i < n_sms; i++) {
		snprintf(name, sizeof name, "sm.%u.working_set", i);
		stats_count(to, STAT_DETAIL, name, lines[i], "lines", "global-memory lines that the SM accessed, once per launch");
	}
}

int working_set_report(struct stats *to, struct trace *t, const struct timeline *where, uint32_t n_sms, struct err *e)
{
	struct arena a = {0};
	struct working_set w = begin(t, where, n_sms, &a);
	int rc = access_scan_walk(t, count, &w, e);

	if (rc == 0)
		report(to, w.lines, n_sms);
	arena_free(&a);
	return rc;
}
