/* 375: a Perfetto trace, read by protoc: every CTA and launch as in the JSON timeline of the same run, on the same
 * contexts, in the same cycles; every metric over time as in the result's JSON; as many warps at a time as the metric
 * of running warps says. What any trace must keep is checked by
 * the reader (support/perfetto.h). */
#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "support/perfetto.h"
#include "support/program.h"

enum { CYCLE = 1000 /* ns */ };

static const char *in_tmp(const char *name, char path[4096])
{
	snprintf(path, 4096, "%s/%s", program_tmp(), name);
	return path;
}

static json_t *json_of(const char *name)
{
	char path[4096];
	json_error_t e;
	json_t *j = json_load_file(in_tmp(name, path), 0, &e);

	cr_assert_not_null(j, "%s: %s", path, e.text);
	return j;
}

static struct seen *trace_of(const char *name)
{
	char path[4096];

	return seen_trace(in_tmp(name, path));
}

static void run(const char *command)
{
	struct program p = program_run("cd %s && locus %s", program_tmp(), command);

	cr_assert_eq(p.status, 0, "%s: %s", command, p.err);
	program_free(&p);
}

/* ---- CTAs, as the timeline has them ---- */

static const json_t *name_of(const json_t *events, const char *what, json_int_t pid, json_int_t tid)
{
	const json_t *event;
	size_t i;

	json_array_foreach(events, i, event)
	{
		if (!strcmp(json_string_value(json_object_get(event, "name")), what) &&
		    json_integer_value(json_object_get(event, "pid")) == pid &&
		    json_integer_value(json_object_get(event, "tid")) == tid)
			return json_object_get(json_object_get(event, "args"), "name");
	}
	return NULL;
}

static bool is_of(const struct seen_slice *s, const char *process, const char *thread)
{
	if (!thread)
		return !strncmp(s->track->process, process, strlen(process));
	return !strcmp(s->track->process, process) && !strcmp(s->track->name, thread);
}

static const struct seen_slice *find(const struct seen *t, const char *process, const char *thread, const char *name, uint64_t ns)
{
	for (unsigned i = 0; i < t->n_slices; i++)
		if (t->slice[i].begin == ns && !strcmp(t->slice[i].name, name) && is_of(&t->slice[i], process, thread))
			return &t->slice[i];
	return NULL;
}

static void is_in_trace(const struct seen *t, const json_t *events, const json_t *event)
{
	json_int_t pid = json_integer_value(json_object_get(event, "pid")), tid = json_integer_value(json_object_get(event, "tid"));
	uint64_t begin = (uint64_t)json_integer_value(json_object_get(event, "ts"));
	uint64_t end = begin + (uint64_t)json_integer_value(json_object_get(event, "dur"));
	const char *name = json_string_value(json_object_get(event, "name")),
		   *process = json_string_value(name_of(events, "process_name", pid, 0)),
		   *thread = json_string_value(name_of(events, "thread_name", pid, tid));
	const struct seen_slice *s = find(t, process, thread, name, begin * CYCLE);
	const json_t *args = json_object_get(event, "args");

	cr_assert_not_null(s, "%s of %s is not in the trace", name, process);
	cr_assert_eq(s->end, end * CYCLE, "%s", name);
	cr_assert_eq(s->parent, -1);
	cr_assert_eq(seen_number(s, "launch"), (uint64_t)json_integer_value(json_object_get(args, "launch")));
	cr_assert_eq(seen_arg(s, "cut") != NULL, json_object_get(args, "cut") != NULL);
}

/* Warps 0, 1, ... of a CTA, in that order, from its start on, and over when it ends. */
static unsigned has_warps(const struct seen *t, const struct seen_slice *cta)
{
	uint64_t launch = seen_number(cta, "launch"), id = seen_number(cta, "cta");
	unsigned n = 0;

	for (unsigned i = 0; i < t->n_slices; i++) {
		const struct seen_slice *s = &t->slice[i];

		if (strcmp(s->track->name, "warps") != 0 || seen_number(s, "launch") != launch || seen_number(s, "cta") != id)
			continue;
		cr_assert_str_eq(s->track->process, cta->track->process);
		cr_assert_eq(seen_number(s, "warp"), n);
		cr_assert_eq(s->begin, cta->begin, "%s", s->name);
		cr_assert_leq(s->end, cta->end, "%s", s->name);
		cr_assert(!seen_arg(s, "cut") || (seen_arg(cta, "cut") && s->end == cta->end), "%s", s->name);
		n++;
	}
	return n;
}

static void has_the_timelines_slices(const char *trace, const char *timeline, unsigned warps)
{
	struct seen *t = trace_of(trace);
	json_t *j = json_of(timeline), *events = json_object_get(j, "traceEvents"), *event;
	unsigned n = 0;
	size_t i;

	json_array_foreach(events, i, event)
	{
		if (strcmp(json_string_value(json_object_get(event, "ph")), "X") != 0)
			continue;
		is_in_trace(t, events, event);
		n++;
	}
	cr_assert_gt(n, 1);
	for (unsigned s = 0; s < t->n_slices; s++)
		if (!strncmp(t->slice[s].name, "CTA ", 4)) {
			cr_assert_eq(has_warps(t, &t->slice[s]), warps, "%s", t->slice[s].name);
			n += warps;
		}
	cr_assert_eq(t->n_slices, n, "and no others");
	json_decref(j);
	seen_free(t);
}

Test(perfetto, has_the_launches_and_ctas_of_the_timeline)
{
	static const struct {
		const char *command;
		unsigned warps; /* of a CTA */
	} runs[] = {{"run hotspot --size test", 8},
		    {"run kmeans --size test --machine ndp4 --plan coda", 8},
		    {"run hotspot --size test --max-cycles 2000", 8},
		    {"run nn --size test --machine ndp4 --on cpu", 0},
		    {"cosim hotspot --size test --hw all=golden", 8}};

	for (unsigned i = 0; i < sizeof runs / sizeof *runs; i++) {
		char command[256];

		snprintf(command, sizeof command, "%s --perfetto t.pftrace --timeline t.json", runs[i].command);
		run(command);
		has_the_timelines_slices("t.pftrace", "t.json", runs[i].warps);
	}
}

/* An interval's level is that behind its last cycle. */
static void has_as_many_warps(const struct seen *t, const char *process, const char *metric)
{
	unsigned n = 0;

	for (unsigned i = 0; i < t->n_values; i++) {
		const struct seen_value *v = &t->value[i];
		unsigned warps = 0;

		if (strcmp(v->track->name, metric) != 0)
			continue;
		for (unsigned s = 0; s < t->n_slices; s++)
			warps += !strcmp(t->slice[s].track->name, "warps") &&
				 (!process || !strcmp(t->slice[s].track->process, process)) && t->slice[s].begin < v->at &&
				 t->slice[s].end > v->at;
		cr_assert_eq(warps, (unsigned)v->value, "%s at %llu ns", metric, (unsigned long long)v->at);
		n += warps > 0;
	}
	cr_assert_gt(n, 10, "%s", metric);
}

Test(perfetto, has_as_many_warps_at_a_time_as_run)
{
	struct seen *t;

	run("run hotspot --size test --interval 100 --interval-metrics warps.running,sm.2.warps.running --perfetto t.pftrace");
	t = trace_of("t.pftrace");
	has_as_many_warps(t, NULL, "warps.running");
	has_as_many_warps(t, "SM 2", "sm.2.warps.running");
	seen_free(t);
}

/* ---- metrics over time ---- */

/* The value that the trace has of a series at a time; NAN: none. */
static double value_at(const struct seen *t, const char *path, const char *process, uint64_t ns)
{
	double x = NAN;
	unsigned n = 0;

	for (unsigned i = 0; i < t->n_values; i++)
		if (t->value[i].at == ns && !strcmp(t->value[i].track->name, path)) {
			cr_assert_str_eq(t->value[i].track->process, process, "%s", path);
			x = t->value[i].value;
			n++;
		}
	cr_assert_leq(n, 1);
	return x;
}

static void process_of(const char *path, char process[16])
{
	unsigned sm;

	if (sscanf(path, "sm.%u.", &sm) == 1)
		snprintf(process, 16, "SM %u", sm);
	else
		snprintf(process, 16, "metrics");
}

/* Returns how many values it has. */
static unsigned has_series(const struct seen *t, const json_t *intervals, const json_t *series)
{
	uint64_t every = (uint64_t)json_integer_value(json_object_get(intervals, "cycles")),
		 cycles = (uint64_t)json_integer_value(json_object_get(intervals, "run_cycles"));
	const char *path = json_string_value(json_object_get(series, "path"));
	bool level = !strcmp(json_string_value(json_object_get(series, "kind")), "level");
	json_t *value;
	char process[16];
	unsigned n = 0;
	size_t i;

	process_of(path, process);
	json_array_foreach(json_object_get(series, "values"), i, value)
	{
		uint64_t begin = i * every, end = begin + every < cycles ? begin + every : cycles;
		double x = value_at(t, path, process, (level ? end : begin) * CYCLE);

		cr_assert_eq(json_is_null(value), isnan(x) != 0, "%s, interval %zu", path, i);
		if (json_is_null(value))
			continue;
		cr_assert_float_eq(x, json_number_value(value), 1e-11 * fabs(x), "%s, interval %zu", path, i);
		n++;
	}
	return n;
}

Test(perfetto, has_the_metrics_over_time)
{
	struct seen *t;
	json_t *j, *intervals, *series;
	unsigned n = 0;
	size_t i;

	run("run hotspot --size test --interval 300 --interval-metrics "
	    "'ipc.warp,sm.*.l1.miss_rate,warps.running,sm.2.warps.running,dram.queue,dram.1.bytes' "
	    "--perfetto t.pftrace --json t.json");
	t = trace_of("t.pftrace");
	j = json_of("t.json");
	intervals = json_object_get(j, "intervals");
	json_array_foreach(json_object_get(intervals, "series"), i, series)
	{
		n += has_series(t, intervals, series);
	}
	cr_assert_eq(i, 20, "15 SMs, and five more");
	cr_assert_eq(n, t->n_values, "and no others");
	json_decref(j);
	seen_free(t);
}

/* ---- what it must not do ---- */

Test(perfetto, changes_no_metric)
{
	struct program p = program_run("cd %s && locus run syrk --size test --json 1.json && "
				       "locus run syrk --size test --json 2.json --perfetto t.pftrace && cmp 1.json 2.json",
				       program_tmp());

	cr_expect_eq(p.status, 0, "%s%s", p.out, p.err);
	program_free(&p);
}

Test(perfetto, is_not_there_if_the_run_fails_or_the_path_is_wrong)
{
	struct program p = program_run("locus run syrk --size test --arg zz=1 --perfetto %s/t.pftrace", program_tmp());

	cr_expect_eq(program_is_clean_error(&p), 1);
	program_free(&p);
	p = program_run("ls %s/t.pftrace", program_tmp());
	cr_expect_neq(p.status, 0);
	program_free(&p);
	p = program_run("locus run syrk --size test --perfetto %s/nosuch/t.pftrace", program_tmp());
	cr_expect_eq(program_is_clean_error(&p), 1);
	program_free(&p);
	p = program_run("locus run vectoradd --size test --perfetto /dev/full");
	cr_expect_eq(p.status, 2);
	cr_expect_not_null(strstr(p.err, "/dev/full: cannot write"), "%s", p.err);
	program_free(&p);
}
