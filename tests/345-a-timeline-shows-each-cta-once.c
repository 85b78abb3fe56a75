/* 345: the timeline: a schedule worked out by hand; then programs' files, read by a parser: every CTA once, on an SM
 * that it may run on, events of a thread one after another, and never more of them at a time than the SM holds. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "dispatch/dispatch.h"
#include "support/program.h"

/* ---- a schedule worked out by hand ---- */

enum { SMS = 2, PERIOD = 10, CTAS = 5 };

static struct trace *one_launch(uint32_t ctas)
{
	struct trace_inst inst = {.op = OP_EXIT, .line = 1};
	char name[] = "exit", *names[] = {name};
	struct trace_kernel k = {.name = name, .n_inst = 1, .inst = &inst, .n_names = 1, .names = names, .regs_per_thread = 8};
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&(struct trace_options){.name = "ends"}, &e);

	cr_assert_not_null(w, "%s", e.text);
	trace_add_kernel(w, &k);
	cr_assert_eq(trace_launch_begin(w, 0, (uint32_t[]){ctas, 1, 1}, (uint32_t[]){32, 1, 1}, 0, &e), 0);
	for (uint32_t c = 0; c < ctas; c++) {
		trace_cta_begin(w, c);
		trace_put_run(w, 0, 0, 1, UINT32_MAX);
		cr_assert_eq(trace_cta_end(w, &e), 0);
	}
	cr_assert_eq(trace_launch_end(w, &e), 0);
	return trace_writer_finish(w, &e);
}

/* An SM that ends CTA c exactly `length[c]` cycles after its message came; the dispatcher hears of it a cycle later. */
static void step_sm(struct cta_start_queue *start, struct cta_done_queue *done, const uint64_t *length, struct ticks now)
{
	const struct cta_start *msg = queue_front(start, now);

	if (!msg)
		return;
	*queue_push(done, ticks_after(now, length[msg->cta] + 1, PERIOD)) = (struct cta_done){msg->launch, msg->cta};
	queue_pop(start, now);
}

/* Two SMs that hold one CTA each. CTAs 0 and 1 are sent in cycle 0 and come in cycle 1. CTA 0 ends in 1 + 4, which is
 * heard in 6; CTA 2 comes in 7. CTA 1 ends in 1 + 20: heard in 22. CTA 2 ends in 7 + 3: heard in 11, and CTA 3 comes in
 * 12. CTA 3 ends in
 * 12 + 2: heard in 15; CTA 4 comes in 16, ends in 16 + 9: heard in 26. */
Test(timeline, shows_a_schedule_worked_out_by_hand)
{
	static const uint64_t length[CTAS] = {4, 20, 3, 2, 9};
	static const struct timeline_cta expected[CTAS] = {
		{1, 6, 0, false}, {1, 22, 1, false}, {7, 11, 0, false}, {12, 15, 0, true}, {16, 26, 0, false}};
	struct trace *t = one_launch(CTAS);
	struct arena a = {0};
	struct cta_start_queue start[SMS];
	struct cta_done_queue done[SMS];
	struct timeline log;
	struct dispatch d;
	struct err e = {""};
	const uint32_t limit = 1;
	const struct dispatch_config config = {.n_sms = SMS,
					       .period = PERIOD,
					       .cta_latency = 1,
					       .trace = t,
					       .limit = &limit,
					       .start = start,
					       .done = done,
					       .timeline = &log};

	for (uint32_t s = 0; s < SMS; s++) {
		queue_init(&start[s], &a, 4, ticks_of(1, PERIOD));
		queue_init(&done[s], &a, 4, ticks_of(1, PERIOD));
	}
	timeline_init(&log, &a, t);
	cr_assert_eq(dispatch_init(&d, &a, &config, &e), 0);
	for (uint64_t cycle = 0; cycle < 26; cycle++) {
		for (uint32_t s = 0; s < SMS; s++)
			step_sm(&start[s], &done[s], length, ticks_of(cycle, PERIOD));
		dispatch_step(&d, ticks_of(cycle, PERIOD));
		cr_assert_not(dispatch_finished(&d), "cycle %lu", (unsigned long)cycle);
	}
	cr_assert_eq(timeline_cta(&log, 0, 4)->end, TIMELINE_NEVER, "still running");
	dispatch_step(&d, ticks_of(26, PERIOD));
	cr_assert(dispatch_finished(&d));
	timeline_stolen(&log, 0, 3);
	cr_assert_eq(timeline_n_ctas(&log, 0), CTAS);
	for (uint32_t c = 0; c < CTAS; c++) {
		const struct timeline_cta *is = timeline_cta(&log, 0, c);

		cr_expect_eq(is->start, expected[c].start, "CTA %u comes in %lu", c, (unsigned long)is->start);
		cr_expect_eq(is->end, expected[c].end, "CTA %u ends in %lu", c, (unsigned long)is->end);
		cr_expect_eq(is->sm, expected[c].sm, "CTA %u", c);
		cr_expect_eq(is->stolen, expected[c].stolen, "CTA %u", c);
	}
	arena_free(&a);
	trace_close(t);
}

/* ---- files ---- */

enum { LAUNCHES = 1, FIRST_SM = 2, MAX_LAUNCHES = 64, MAX_CTAS = 4096, MAX_THREADS = 64 };

struct file {
	uint32_t launches, ctas[MAX_LAUNCHES];		 /* as the launches' events say */
	uint64_t start[MAX_LAUNCHES], end[MAX_LAUNCHES]; /* likewise */
	uint8_t seen[MAX_LAUNCHES][MAX_CTAS];		 /* events of each CTA */
	uint32_t sm[MAX_LAUNCHES][MAX_CTAS];
	uint64_t last; /* end of all */
	uint32_t threads;
};

static json_t *load(const char *name)
{
	char path[4096];
	json_error_t e;
	json_t *j;

	snprintf(path, sizeof path, "%s/%s", program_tmp(), name);
	j = json_load_file(path, JSON_REJECT_DUPLICATES, &e);
	cr_assert_not_null(j, "%s:%d: %s", path, e.line, e.text);
	return j;
}

static uint64_t whole(const json_t *o, const char *key)
{
	const json_t *v = json_object_get(o, key);

	cr_assert(json_is_integer(v) && json_integer_value(v) >= 0, "%s", key);
	return (uint64_t)json_integer_value(v);
}

/* What the format asks of an event: a phase, a name, process and thread; of a complete one, time stamp and duration. */
static bool is_complete(const json_t *event)
{
	const char *phase = json_string_value(json_object_get(event, "ph"));

	cr_assert(phase && json_is_string(json_object_get(event, "name")));
	cr_assert_gt(whole(event, "pid"), 0);
	if (!strcmp(phase, "M")) {
		cr_assert(json_is_object(json_object_get(event, "args")));
		return false;
	}
	cr_assert_str_eq(phase, "X");
	cr_assert_gt(whole(event, "tid"), 0);
	cr_assert_gt(whole(event, "dur"), 0);
	return true;
}

static void take_launch(struct file *f, const json_t *event)
{
	const json_t *args = json_object_get(event, "args");
	uint64_t l = whole(args, "launch");

	cr_assert(l < MAX_LAUNCHES && !f->ctas[l]);
	f->ctas[l] = (uint32_t)whole(args, "ctas");
	f->start[l] = whole(event, "ts");
	f->end[l] = whole(event, "ts") + whole(event, "dur");
	f->launches++;
}

static void take_cta(struct file *f, const json_t *event, uint64_t ends[][MAX_THREADS])
{
	const json_t *args = json_object_get(event, "args");
	uint64_t l = whole(args, "launch"), c = whole(args, "cta"), sm = whole(event, "pid") - FIRST_SM,
		 t = whole(event, "tid") - 1;
	uint64_t end = whole(event, "ts") + whole(event, "dur");

	cr_assert(l < MAX_LAUNCHES && c < MAX_CTAS && t < MAX_THREADS);
	f->seen[l][c]++;
	f->sm[l][c] = (uint32_t)sm;
	cr_assert_geq(whole(event, "ts"), ends[sm][t], "events of a thread overlap");
	cr_assert(whole(event, "ts") >= f->start[l] && end <= f->end[l], "within its launch");
	ends[sm][t] = end;
	f->last = f->last < end ? end : f->last;
	f->threads = f->threads <= t ? (uint32_t)t + 1 : f->threads;
}

static struct file *take(const char *name)
{
	struct file *f = calloc(1, sizeof *f);
	static uint64_t ends[128][MAX_THREADS];
	json_t *j = load(name), *event;
	size_t i;

	memset(ends, 0, sizeof ends);
	cr_assert(json_is_array(json_object_get(j, "traceEvents")));
	cr_assert_str_eq(json_string_value(json_object_get(j, "displayTimeUnit")), "ns");
	json_array_foreach(json_object_get(j, "traceEvents"), i, event)
	{
		if (!is_complete(event))
			continue;
		if (whole(event, "pid") == LAUNCHES)
			take_launch(f, event);
		else
			take_cta(f, event, ends);
	}
	json_decref(j);
	return f;
}

static void each_cta_once(const struct file *f)
{
	cr_assert_gt(f->launches, 0);
	for (uint32_t l = 0; l < MAX_LAUNCHES; l++)
		for (uint32_t c = 0; c < MAX_CTAS; c++)
			cr_assert_eq(f->seen[l][c], c < f->ctas[l], "launch %u, CTA %u", l, c);
}

static uint64_t stat(const char *name, const char *key)
{
	json_t *j = load(name);
	uint64_t v = whole(json_object_get(j, "stats"), key);

	json_decref(j);
	return v;
}

/* hotspot's launches of 36 CTAs on gtx480, of which each SM gets two or three; matmul's one of 16. */
Test(timeline, has_every_cta_of_a_run_once)
{
	static const char *const workloads[] = {"hotspot", "matmul", "spmv", "reduction"};

	for (unsigned i = 0; i < sizeof workloads / sizeof workloads[0]; i++) {
		struct program p = program_run("locus run %s --size test --set sm.ctas=2 --timeline %s/t.json --json %s/s.json",
					       workloads[i], program_tmp(), program_tmp());
		struct file *f;

		cr_assert_eq(p.status, 0, "%s", p.err);
		program_free(&p);
		f = take("t.json");
		each_cta_once(f);
		cr_expect_leq(f->threads, 2, "no SM holds more");
		cr_expect_eq(f->last + 1, stat("s.json", "cycles"), "the run ends with its last CTA");
		free(f);
	}
}

/* Equation 1 of CODA: 4 stacks of 4 SMs, which hold 20 CTAs each: 23 and 24 registers a thread (ptxas 13, sm_80:
 * 26 and 32). */
Test(timeline, shows_where_a_plan_puts_ctas)
{
	static const uint32_t turn[] = {20, 20};
	struct program p = program_run("locus run kmeans --size test --arg n=24K --machine ndp4 --plan coda --timeline %s/t.json",
				       program_tmp());
	struct file *f;

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	f = take("t.json");
	each_cta_once(f);
	for (uint32_t l = 0; l < 2; l++)
		for (uint32_t c = 0; c < f->ctas[l]; c++)
			cr_assert_eq(f->sm[l][c] / 4, c / turn[l] % 4, "launch %u, CTA %u on SM %u", l, c, f->sm[l][c]);
	free(f);
}

Test(timeline, does_not_change_the_run_and_is_the_same_with_hardware_blocks)
{
	const char *tmp = program_tmp();
	struct program p = program_run("locus run hotspot --size test --json %s/1.json && "
				       "locus run hotspot --size test --json %s/2.json --timeline %s/a.json && "
				       "locus cosim hotspot --size test --hw all=golden --timeline %s/b.json && "
				       "cmp %s/1.json %s/2.json && cmp %s/a.json %s/b.json",
				       tmp, tmp, tmp, tmp, tmp, tmp, tmp, tmp);

	cr_expect_eq(p.status, 0, "%s%s", p.out, p.err);
	program_free(&p);
}

/* A run that a limit cuts: what runs ends with the run, and is marked; what has not started is not there. */
Test(timeline, of_a_cut_run_ends_with_it)
{
	struct program p = program_run("locus run hotspot --size test --max-cycles 2000 --timeline %s/t.json", program_tmp());
	unsigned cut = 0, n = 0;
	json_t *j, *event;
	size_t i;

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	j = load("t.json");
	json_array_foreach(json_object_get(j, "traceEvents"), i, event)
	{
		uint64_t end;

		if (!is_complete(event) || whole(event, "pid") == LAUNCHES)
			continue;
		n++;
		end = whole(event, "ts") + whole(event, "dur");
		cr_assert_leq(end, 2000);
		if (json_is_true(json_object_get(json_object_get(event, "args"), "cut"))) {
			cut++;
			cr_assert_eq(end, 2000);
		}
	}
	cr_expect(cut && cut <= n);
	json_decref(j);
}

Test(timeline, on_the_cpu_shows_its_cores)
{
	struct program p = program_run("locus run nn --size test --machine ndp4 --on cpu --timeline %s/t.json && "
				       "grep -c '\"name\":\"core [0-7]\"' %s/t.json",
				       program_tmp(), program_tmp());
	struct file *f;

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_expect_not_null(strstr(p.out, "\n8\n"), "%s", p.out);
	program_free(&p);
	f = take("t.json");
	each_cta_once(f);
	free(f);
}
