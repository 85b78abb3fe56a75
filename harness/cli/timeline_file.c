#include "cli/timeline_file.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "dispatch/timeline_ran.h"

enum { LAUNCHES = 1, FIRST_SM = 2 }; /* processes */

struct timeline_run {
	const struct trace *trace;
	const struct machine *machine;
	bool on_cpu;	 /* its cores are "core 0", ... */
	uint64_t cycles; /* of the run: where CTAs end that a cut left unfinished */
};

struct writer {
	FILE *to;
	bool failed, first;
};

static void put(struct writer *w, json_t *event)
{
	w->failed |= fputs(w->first ? "\n" : ",\n", w->to) == EOF || !event || json_dumpf(event, w->to, JSON_COMPACT) != 0;
	w->first = false;
	json_decref(event);
}

static void put_process(struct writer *w, uint32_t pid, const char *name)
{
	put(w, json_pack("{s:s, s:s, s:i, s:{s:s}}", "ph", "M", "name", "process_name", "pid", (int)pid, "args", "name", name));
	put(w, json_pack("{s:s, s:s, s:i, s:{s:i}}", "ph", "M", "name", "process_sort_index", "pid", (int)pid, "args", "sort_index",
			 (int)pid));
}

static void put_thread(struct writer *w, uint32_t pid, uint32_t tid, const char *name)
{
	put(w, json_pack("{s:s, s:s, s:i, s:i, s:{s:s}}", "ph", "M", "name", "thread_name", "pid", (int)pid, "tid", (int)tid,
			 "args", "name", name));
}

static void put_complete(struct writer *w, const char *name, const char *category, uint32_t pid, uint32_t tid, uint64_t start,
			 uint64_t end, json_t *args)
{
	put(w, json_pack("{s:s, s:s, s:s, s:i, s:i, s:I, s:I, s:o}", "ph", "X", "name", name, "cat", category, "pid", (int)pid,
			 "tid", (int)tid, "ts", (json_int_t)start, "dur", (json_int_t)(end - start), "args", args));
}

static void put_cta(struct writer *w, const struct timeline_run *r, const struct timeline_ran *c)
{
	const uint32_t *grid = trace_launch(r->trace, c->launch)->grid;
	json_t *args = json_pack("{s:i, s:I, s:[I,I,I]}", "launch", (int)c->launch, "cta", (json_int_t)c->cta, "ctaid",
				 (json_int_t)(c->cta % grid[0]), (json_int_t)(c->cta / grid[0] % grid[1]),
				 (json_int_t)(c->cta / grid[0] / grid[1]));
	char name[48];

	if (c->stolen)
		json_object_set_new(args, "stolen", json_true());
	if (c->cut)
		json_object_set_new(args, "cut", json_true());
	snprintf(name, sizeof name, "CTA %" PRIu32 "%s", c->cta, c->stolen ? " stolen" : "");
	put_complete(w, name, c->stolen ? "cta,stolen" : "cta", FIRST_SM + c->sm, c->context + 1, c->start, c->end, args);
}

/* ---- launches ---- */

static void put_launches(struct writer *w, const struct timeline_run *r, const struct timeline_launch *span)
{
	put_process(w, LAUNCHES, "launches");
	for (uint32_t l = 0; l < trace_n_launches(r->trace); l++) {
		const struct trace_launch *t = trace_launch(r->trace, l);

		if (span[l].ctas)
			put_complete(w, trace_kernel(r->trace, t->kernel)->name, "launch", LAUNCHES, 1, span[l].start, span[l].end,
				     json_pack("{s:i, s:I, s:I, s:[I,I,I]}", "launch", (int)l, "ctas", (json_int_t)span[l].ctas,
					       "stolen", (json_int_t)span[l].stolen, "grid", (json_int_t)t->grid[0],
					       (json_int_t)t->grid[1], (json_int_t)t->grid[2]));
	}
}

/* ---- CTAs ---- */

/* One SM's CTAs, in the order of their starts. */
static void put_sm(struct writer *w, const struct timeline_run *r, const struct timeline_ran *ran, uint64_t n)
{
	uint32_t pid = FIRST_SM + ran[0].sm, contexts = 0;
	char name[32];

	snprintf(name, sizeof name, r->on_cpu ? "core %" PRIu32 : "SM %" PRIu32, ran[0].sm);
	put_process(w, pid, name);
	for (uint64_t i = 0; i < n; i++) {
		if (ran[i].context == contexts) {
			snprintf(name, sizeof name, "context %" PRIu32, contexts);
			put_thread(w, pid, ++contexts, name);
		}
		put_cta(w, r, &ran[i]);
	}
}

static void put_events(struct writer *w, const struct timeline *t, const struct timeline_run *r)
{
	uint64_t n, end;
	struct timeline_ran *ran = timeline_ran(t, r->cycles, &n);
	struct timeline_launch *launch = timeline_launches(t, ran, n);

	put_launches(w, r, launch);
	for (uint64_t i = 0; i < n; i = end) {
		for (end = i + 1; end < n && ran[end].sm == ran[i].sm; end++)
			;
		put_sm(w, r, &ran[i], end - i);
	}
	free(launch);
	free(ran);
}

int timeline_file_save(struct output *to, const struct session *session, struct err *e)
{
	const struct timeline_run run = {session->source.trace, &session->machine, session->options->on_cpu,
					 session->result.cycles};
	struct writer w = {.to = to->f, .first = true};
	json_t *other;
	char unit[64];

	if (!w.to)
		return 0;
	snprintf(unit, sizeof unit, "1 us stands for a cycle of %" PRIu32 " MHz",
		 run.machine->clock.mhz[run.on_cpu ? CLOCK_CPU : CLOCK_CORE]);
	errno = 0;
	w.failed = fputs("{\"displayTimeUnit\": \"ns\", \"otherData\": ", w.to) == EOF;
	other = json_pack("{s:s, s:s, s:s}", "workload", trace_name(run.trace), "machine", run.machine->name, "time", unit);
	w.failed |= json_dumpf(other, w.to, 0) != 0 || fputs(",\n\"traceEvents\": [", w.to) == EOF;
	json_decref(other);
	put_events(&w, &session->timeline, &run);
	w.failed |= fputs("\n]}\n", w.to) == EOF;
	if (!w.failed)
		return output_keep(to, e);
	output_failed(to, e);
	output_drop(to);
	return -1;
}
