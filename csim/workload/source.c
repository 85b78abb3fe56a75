#include "workload/source.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/cputime.h"
#include "base/suggestion.h"
#include "workload/program.h"
#include "workload/launchfile.h"
#include "workload/papers_names.h"

static bool ends_in(const char *s, const char *suffix)
{
	size_t n = strlen(s), m = strlen(suffix);

	return n > m && !strcmp(s + n - m, suffix);
}

enum source_kind source_kind_of(const char *what)
{
	if (accelsim_is_name(what))
		return SOURCE_ACCELSIM;
	if (ends_in(what, ".ltrace"))
		return SOURCE_TRACE;
	return ends_in(what, ".yaml") || ends_in(what, ".yml") ? SOURCE_LAUNCH_FILE : SOURCE_WORKLOAD;
}

/* As NVBit's tracer leaves it, before Accel-Sim's post-processing. */
static bool is_unprocessed(const char *what)
{
	const char *slash = strrchr(what, '/'), *base = slash ? slash + 1 : what;

	return !strcmp(base, "kernelslist") || ends_in(base, ".trace") || ends_in(base, ".trace.xz");
}

int source_unknown(const char *what, struct err *e)
{
	struct suggestion n = {.typed = what};
	char hint[160];

	if (is_unprocessed(what) && access(what, F_OK) == 0)
		return err_set(e,
			       "%s: a trace that is not processed yet: run Accel-Sim's post-traces-processing on the kernelslist "
			       "beside it, then take the kernelslist.g that it writes",
			       what);
	if (access(what, F_OK) == 0)
		return err_set(e,
			       "%s: neither a launch file (.yaml) nor a trace (.ltrace, .g, .traceg), nor the name of a workload",
			       what);
	for (unsigned i = 0; workloads[i]; i++)
		suggestion_offer(&n, workloads[i]->name);
	for (const struct papers_name *p = papers_names; p->name; p++)
		suggestion_offer(&n, p->name);
	return err_set(e, "no workload \"%s\"%s (see locus list)", what, suggestion_text(&n, hint));
}

static int open_recorded(struct source *s, const struct source_options *o, struct err *e)
{
	if (o->record_path)
		return err_set(e, "%s: is a recorded trace: it cannot be recorded again", o->what);
	s->trace = trace_open(o->what, e);
	return s->trace ? 0 : -1;
}

/* Runs the host program against h. -1 if it could not be run; wrong results go into s. */
static int execute(struct source *s, const struct source_options *o, const struct workload *w, struct host *h, struct err *e)
{
	struct err why = {""};
	int failed;

	if (o->program) {
		failed = o->program->run(o->program->ctx, h, &why);
	} else if (w) {
		failed = w->run(h, &why);
		s->checked = true;
	} else {
		failed = launchfile_run(h, o->what, &s->checked, &why);
	}
	s->executed = host_warp_insts(h);
	s->seconds = host_seconds(h).launches;
	s->host_seconds = host_seconds(h).before;
	s->analysis_seconds = host_seconds(h).analysis;
	if (host_was_cut(h)) { /* there is nothing to compare */
		s->cut = true;
		s->checked = false;
		return 0;
	}
	if (!failed)
		return 0;
	if (!host_differs(h)) {
		err_set(e, "%s", why.text);
		return -1;
	}
	s->differs = true;
	s->difference = why;
	return 0;
}

/* What the program said, if it said anything and there is a trace for it. */
static void keep_taf(struct source *s, struct taf *taf)
{
	if (!s->trace || !taf->n_calls) {
		taf_free(taf);
		return;
	}
	s->taf = xmalloc(sizeof *s->taf);
	*s->taf = *taf;
	if (taf->o.module_of_sm) {
		uint16_t *of = arena_array(&s->arena, taf->o.sms, sizeof *of);

		memcpy(of, taf->o.module_of_sm, taf->o.sms * sizeof *of);
		s->taf->o.module_of_sm = of;
	}
}

static int record(struct source *s, const struct source_options *o, const struct workload *w, struct err *e)
{
	struct trace_options to = {.name = o->what, .path = o->record_path, .memory_limit = o->memory_limit};
	struct host_options ho = {.n_args = o->n_args,
				  .args = o->args,
				  .size = o->size,
				  .print_to = o->print ? stderr : NULL,
				  .oob = o->oob,
				  .order = o->order,
				  .sms = o->sms,
				  .independent_lanes = o->independent_lanes,
				  .limits = o->limits,
				  .findings = o->findings,
				  .files = o->files,
				  .max_unpacked = o->max_unpacked,
				  .analyse = o->analyse ? &s->arena : NULL,
				  .descriptors = &s->arena,
				  .align = o->align};
	struct host *h = NULL;
	struct taf taf = {.o = o->taf ? *o->taf : (struct taf_options){0}};
	char ptx[4096];

	if (w && (size_t)snprintf(ptx, sizeof ptx, "%s/traces/%s/kernel.ptx", o->root, w->name) >= sizeof ptx)
		return err_set(e, "%s: the path is too long", o->root);
	ho.ptx_path = w ? ptx : NULL;
	ho.taf = o->taf ? &taf : NULL;
	if (o->program) {
		ho.window = o->program->window;
		ho.print_to = o->program->print_to;
	}
	ho.w = trace_writer_new(&to, e);
	if (!ho.w)
		return -1;
	h = host_new(&ho, e);
	if (!h || execute(s, o, w, h, e)) {
		trace_writer_drop(ho.w);
	} else {
		trace_set_name(ho.w, host_description(h));
		s->trace = trace_writer_finish(ho.w, e);
		s->analysis = host_analyses(h);
		s->descriptors = host_descriptors(h);
	}
	host_free(h);
	keep_taf(s, &taf);
	if (!s->trace)
		arena_free(&s->arena);
	return s->trace ? 0 : -1;
}

static int import(struct source *s, const struct source_options *o, struct err *e)
{
	struct trace_options to = {.name = o->what, .path = o->record_path, .memory_limit = o->memory_limit};
	struct accelsim_options how = o->accelsim;
	struct trace_writer *w;
	double start = cpu_seconds();

	how.max_unpacked = o->max_unpacked;
	w = trace_writer_new(&to, e);
	if (!w)
		return -1;
	if (accelsim_import(o->what, &how, w, &s->executed, e)) {
		trace_writer_drop(w);
		return -1;
	}
	s->trace = trace_writer_finish(w, e);
	s->seconds = cpu_seconds() - start;
	return s->trace ? 0 : -1;
}

/* Only graphs are compressed inputs of workloads. */
static int check_unpacked(const struct source_options *o, struct err *e)
{
	if (!o->max_unpacked)
		return 0;
	for (unsigned i = 0; i < o->n_args; i++)
		if (!strncmp(o->args[i], "graph=", 6))
			return 0;
	return err_set(e, "%s: reads no compressed file; --max-unpacked is for .xz traces and .gz graphs", o->what);
}

/* By its own name, or by a paper's: with that one's options ahead of the user's, so that the user's count. */
static int record_workload(struct source *s, const struct source_options *o, struct err *e)
{
	const struct papers_name *name;
	struct source_options with = *o;
	const struct workload *w;
	const char **args;
	unsigned n = 0;

	if (papers_name_find(o->what, &w, &name, e))
		return -1;
	if (!w)
		return source_unknown(o->what, e);
	if (check_unpacked(o, e) != 0)
		return -1;
	if (!name)
		return record(s, o, w, e);
	args = arena_array(&s->arena, o->n_args + PAPERS_NAME_MAX_ARGS, sizeof *args);
	while (name->args[n]) {
		args[n] = name->args[n];
		n++;
	}
	for (unsigned i = 0; i < o->n_args; i++)
		args[n + i] = o->args[i];
	with.args = args;
	with.n_args = n + o->n_args;
	if (record(s, &with, w, e) == 0)
		return 0;
	arena_free(&s->arena);
	return -1;
}

static int check_trace_options(enum source_kind kind, const struct source_options *o, struct err *e)
{
	if (o->findings)
		return err_set(e, "%s: a trace is not executed; check the program that it was recorded from", o->what);
	if (o->size || o->n_args)
		return err_set(e, "%s: %s trace takes no --size and no --arg", o->what,
			       kind == SOURCE_TRACE ? "a recorded" : "an Accel-Sim");
	if (kind == SOURCE_ACCELSIM && (o->print || o->oob))
		return err_set(e, "%s: an Accel-Sim trace is not executed; --printf and --oob are for programs that are", o->what);
	if (o->print)
		return err_set(e, "%s: a recorded trace prints nothing; --printf is for programs that are executed", o->what);
	if (o->oob)
		return err_set(e, "%s: a recorded trace reads no data; --oob is for programs that are executed", o->what);
	if (o->limits.log_bytes)
		return err_set(e, "%s: a trace is not executed; --max-cta-log is for programs that are", o->what);
	if (kind == SOURCE_TRACE && o->max_unpacked)
		return err_set(e, "%s: a recorded trace is not unpacked; --max-unpacked is for .xz traces and .gz graphs", o->what);
	return 0;
}

static int check_options(enum source_kind kind, const struct source_options *o, struct err *e)
{
	if (kind != SOURCE_ACCELSIM && (o->accelsim.opcode_map || o->accelsim.unknown_alu || o->accelsim.memcpy))
		return err_set(e, "%s: only an Accel-Sim trace takes --opcode-map, --unknown-opcode and --memcpy", o->what);
	if (kind == SOURCE_TRACE || kind == SOURCE_ACCELSIM)
		return check_trace_options(kind, o, e);
	if (kind == SOURCE_LAUNCH_FILE && (o->size || o->n_args))
		return err_set(e, "%s: a launch file takes no --size and no --arg", o->what);
	return 0;
}

int source_check_options(const struct source_options *o, struct err *e)
{
	return check_options(o->program ? SOURCE_PROGRAM : source_kind_of(o->what), o, e);
}

int source_open(struct source *s, const struct source_options *o, struct err *e)
{
	enum source_kind kind = o->program ? SOURCE_PROGRAM : source_kind_of(o->what);

	*s = (struct source){.kind = kind};
	if (check_options(kind, o, e) != 0)
		return -1;
	if (kind == SOURCE_ACCELSIM)
		return import(s, o, e);
	if (kind == SOURCE_TRACE)
		return open_recorded(s, o, e);
	if (kind == SOURCE_PROGRAM)
		return record(s, o, NULL, e);
	if (kind == SOURCE_LAUNCH_FILE)
		return record(s, o, NULL, e);
	return record_workload(s, o, e);
}

void source_close(struct source *s)
{
	trace_close(s->trace);
	if (s->taf)
		taf_free(s->taf);
	free(s->taf);
	arena_free(&s->arena);
	*s = (struct source){0};
}
