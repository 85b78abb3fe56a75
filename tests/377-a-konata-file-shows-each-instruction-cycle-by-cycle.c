/* 377: the pipeline of an SM: stages of a few instructions worked out by hand from the stated latencies; files for
 * Konata read line by line: every line is one of the format's, an instruction begins once and retires once, its stages
 * abut; as many issues of each instruction as the profile of the same run counts. CTA 0 arrives in cycle 0. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "sm/pipeline.h"
#include "support/program.h"
#include "support/sm_bench.h"

/* ---- an SM, by hand ---- */

static const struct pipeline_filter all = {
	.last_sm = UINT64_MAX, .last_cta = UINT64_MAX, .last_warp = UINT64_MAX, .last_cycle = UINT64_MAX};

static struct bench *piped(void)
{
	struct bench *b = bench_new();

	b->piped = &all;
	return b;
}

/* The n-th row (from 0) of the warp in a slot. */
static uint32_t row_of(const struct bench *b, unsigned slot, unsigned n)
{
	for (uint32_t i = 0; i < b->pipeline.n; i++)
		if (b->pipeline.row[i].slot == slot && n-- == 0)
			return i;
	cr_assert_fail("warp %u has no such row", slot);
	return 0;
}

/* Cycles of a row in a stage. */
static uint64_t cycles_in_stage(const struct bench *b, uint32_t row, uint32_t stage)
{
	const struct pipeline_log *l = &b->pipeline;
	uint64_t n = 0;

	for (uint32_t i = l->row[row].first; i != PIPELINE_NONE; i = l->span[i].next) {
		uint64_t end = l->span[i].next == PIPELINE_NONE ? l->row[row].end : l->span[l->span[i].next].from;

		if (l->span[i].stage == stage && end > l->span[i].from)
			n += end - l->span[i].from;
	}
	return n;
}

struct expected {
	uint32_t stage;
	uint64_t from;
};

/* The stages of a row, in order, and its end. */
static void is_row(const struct bench *b, uint32_t row, const struct expected *stages, unsigned n, uint64_t end)
{
	const struct pipeline_log *l = &b->pipeline;
	uint32_t at = l->row[row].first;

	cr_assert_eq(l->row[row].begin, stages[0].from, "row %u begins in %lu", row, (unsigned long)l->row[row].begin);
	for (unsigned i = 0; i < n; i++, at = l->span[at].next) {
		cr_assert_neq(at, PIPELINE_NONE, "row %u has no stage %u", row, i);
		cr_assert_eq(l->span[at].stage, stages[i].stage, "row %u, stage %u is %u", row, i, l->span[at].stage);
		cr_assert_eq(l->span[at].from, stages[i].from, "row %u, stage %u from %lu", row, i,
			     (unsigned long)l->span[at].from);
	}
	cr_assert(at == PIPELINE_NONE || l->span[at].from >= l->row[row].end);
	cr_assert_eq(l->row[row].end, end, "row %u ends in %lu", row, (unsigned long)l->row[row].end);
	cr_assert_not(l->row[row].cut);
}
#define IS_ROW(b, row, end, ...)                                                                                                   \
	is_row(b, row, (const struct expected[]){__VA_ARGS__}, sizeof((struct expected[]){__VA_ARGS__}) / sizeof(struct expected), \
	       end)

/* Division: a result after 145 cycles (dwt-pric, Table 1), an addition's after 18 of them; their depth is in both. */
Test(pipeline, shows_a_result_that_is_waited_for)
{
	struct bench *b = piped();
	uint64_t div, add;

	bench_op(b, OP_INT_DIV, 1, 0, -1);
	bench_op(b, OP_INT_ADD, 2, 0, -1);
	bench_op(b, OP_INT_ADD, 3, 2, 1);
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 3, 0xff);
	bench_play(b, 1);
	div = b->m.op.int32.latency[OP_INT_DIV - OP_INT_ADD] + b->m.pipe.depth;
	add = b->m.op.int32.latency[0] + b->m.pipe.depth;
	cr_assert_eq(b->pipeline.n, 3);
	IS_ROW(b, 0, div, {STALL_ISSUED, 0}, {PIPELINE_EXECUTED, 1});
	IS_ROW(b, 1, 1 + add, {STALL_ISSUED, 1}, {PIPELINE_EXECUTED, 2});
	IS_ROW(b, 2, div + add, {STALL_ARITHMETIC, 2}, {STALL_ISSUED, div}, {PIPELINE_EXECUTED, div + 1});
	cr_assert_eq(b->pipeline.row[2].producer, 0, "of its operands the one that came last");
	cr_assert_eq(b->pipeline.row[1].producer, PIPELINE_NONE);
	cr_assert_eq(b->pipeline.row[0].lanes, 0xff);
	bench_free(b);
}

/* Issued in 0, looked up and sent in 1, back in 101, readable in 100 + l1.latency. The sum is the warp's next one from
 * 1 on. */
Test(pipeline, shows_a_load_in_unit_memory_and_registers)
{
	struct bench *b = piped();
	uint64_t back;

	bench_load(b, SPACE_GLOBAL, 4, 1, 0);
	bench_op(b, OP_INT_ADD, 2, 1, -1);
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 2, UINT32_MAX);
	bench_addrs(b, 0, 4096, 4);
	bench_play(b, 1);
	back = 100 + b->m.l1.latency;
	IS_ROW(b, 0, back, {STALL_ISSUED, 0}, {PIPELINE_IN_UNIT, 1}, {PIPELINE_IN_MEMORY, 2}, {PIPELINE_WRITTEN, 102});
	IS_ROW(b, 1, back + b->m.op.int32.latency[0] + b->m.pipe.depth, {STALL_MEMORY, 1}, {STALL_ISSUED, back},
	       {PIPELINE_EXECUTED, back + 1});
	cr_assert_eq(b->pipeline.row[1].producer, 0);
	bench_free(b);
}

/* A store of 32 lines is served in 1 to 32; the unit has it no more from 33 on. The warp's next instruction waits for
 * no result, and issues behind it. */
Test(pipeline, shows_a_store_until_it_has_left_the_unit)
{
	struct bench *b = piped();

	bench_store(b, SPACE_GLOBAL, 4, 1, 0);
	bench_op(b, OP_INT_ADD, 2, 0, -1);
	bench_launch(b, 1, 1);
	bench_cta(b);
	bench_exec(b, 0, 0, 2, UINT32_MAX);
	bench_addrs(b, 0, UINT64_C(0x10000000), 128);
	bench_play(b, 1);
	IS_ROW(b, 0, 33, {STALL_ISSUED, 0}, {PIPELINE_IN_UNIT, 1});
	cr_assert_eq(b->pipeline.row[1].begin, 1);
	cr_assert_eq(cycles_in_stage(b, 1, STALL_ISSUED), 1);
	bench_free(b);
}

/* Slots 0 and 2 are scheduler 0's, which goes on with the warp that it issued last: the other one is ready in 0 and 1,
 * and issues in 2. */
Test(pipeline, shows_a_warp_that_its_scheduler_did_not_choose)
{
	struct bench *b = piped();

	bench_op(b, OP_INT_ADD, 1, 0, -1);
	bench_op(b, OP_INT_ADD, 2, 0, -1);
	bench_launch(b, 1, 3);
	bench_cta(b);
	for (unsigned w = 0; w < 3; w++)
		bench_exec(b, w, 0, 2, UINT32_MAX);
	bench_play(b, 1);
	cr_assert_eq(b->pipeline.n, 6);
	IS_ROW(b, row_of(b, 2, 0), 2 + b->m.op.int32.latency[0] + b->m.pipe.depth, {PIPELINE_NOT_CHOSEN, 0}, {STALL_ISSUED, 2},
	       {PIPELINE_EXECUTED, 3});
	cr_assert_eq(b->pipeline.row[row_of(b, 2, 1)].warp, 2);
	bench_free(b);
}

/* The shape of syrk (370): 32 lines of one set of 4 ways; of cycles 1 to 703, in which the other load cannot enter the
 * unit, 7 times 96 are for a way, the 31 others for transactions ahead. It issues in 704. */
Test(pipeline, shows_what_holds_up_the_unit)
{
	struct bench *b = piped();
	uint32_t column = bench_load(b, SPACE_GLOBAL, 4, 1, 0), row_load = bench_load(b, SPACE_GLOBAL, 4, 2, 0);
	uint32_t other = bench_op(b, OP_INT_ADD, 3, 0, -1), row;

	bench_launch(b, 1, 3);
	bench_cta(b);
	bench_exec(b, 0, column, 1, UINT32_MAX);
	bench_addrs(b, 0, 0, 4096);
	bench_exec(b, 1, other, 1, UINT32_MAX); /* the other scheduler's */
	bench_exec(b, 2, row_load, 1, UINT32_MAX);
	bench_addrs(b, 2, 1 << 20, 0);
	bench_play(b, 1);
	cr_assert_eq(bench_issued(b, 2, 0), 704);
	row = row_of(b, 2, 0);
	cr_assert_eq(b->pipeline.row[row].begin, 0);
	cr_assert_eq(cycles_in_stage(b, row, PIPELINE_NOT_CHOSEN), 1);
	cr_assert_eq(cycles_in_stage(b, row, STALL_MEM_LINE), 7 * 96);
	cr_assert_eq(cycles_in_stage(b, row, STALL_MEM_BUSY), 31);
	cr_assert_eq(cycles_in_stage(b, row_of(b, 0, 0), PIPELINE_IN_UNIT), 704);
	bench_free(b);
}

/* Two warps of one CTA: the one waits at the barrier until the other, behind its division, is there. */
Test(pipeline, shows_a_wait_at_a_barrier)
{
	struct bench *b = piped();
	uint32_t div = bench_op(b, OP_INT_DIV, 1, 0, -1), use = bench_op(b, OP_INT_ADD, 2, 1, -1),
		 bar = bench_op(b, OP_BARRIER, -1, -1, -1);
	uint32_t last = bench_op(b, OP_INT_ADD, 3, 0, -1);
	uint64_t there;

	bench_launch(b, 1, 2);
	bench_cta(b);
	bench_exec(b, 0, bar, 2, UINT32_MAX);
	bench_exec(b, 1, div, 2, UINT32_MAX);
	bench_exec(b, 1, bar, 2, UINT32_MAX);
	bench_play(b, 1);
	there = bench_issued(b, 1, 2);
	cr_assert_eq(bench_issued(b, 0, 1), there + 1);
	cr_assert_eq(b->pipeline.row[row_of(b, 0, 1)].pc, last);
	cr_assert_eq(b->pipeline.row[row_of(b, 1, 1)].pc, use);
	IS_ROW(b, row_of(b, 0, 1), there + 1 + b->m.op.int32.latency[0] + b->m.pipe.depth, {STALL_BARRIER, 1},
	       {STALL_ISSUED, there + 1}, {PIPELINE_EXECUTED, there + 2});
	bench_free(b);
}

Test(pipeline, has_what_the_filter_lets_through)
{
	static const struct pipeline_filter one = {
		.last_sm = 0, .last_cta = 0, .first_warp = 1, .last_warp = 1, .first_cycle = 1, .last_cycle = 2};
	struct bench *b = bench_new();

	b->piped = &one;
	for (unsigned i = 0; i < 5; i++)
		bench_op(b, OP_INT_ADD, (int)i + 1, 0, -1);
	bench_launch(b, 2, 2);
	for (unsigned c = 0; c < 2; c++) {
		bench_cta(b);
		for (unsigned w = 0; w < 2; w++)
			bench_exec(b, w, 0, 5, UINT32_MAX);
	}
	bench_play(b, 1);
	cr_assert_eq(b->pipeline.n, 2, "its second and third one, one a cycle");
	for (unsigned i = 0; i < 2; i++) {
		cr_expect_eq(b->pipeline.row[i].cta, 0);
		cr_expect_eq(b->pipeline.row[i].warp, 1);
		cr_expect_eq(b->pipeline.row[i].pc, i + 1);
		cr_expect_eq(b->pipeline.row[i].begin, i + 1);
	}
	bench_free(b);
}

/* ---- files ---- */

enum { MAX_ROWS = 1 << 17, MAX_PC = 4096 };

struct read_row {
	uint32_t pc;
	uint64_t begin, since;
	char stage[8]; /* that is open; "": none */
	bool retired, flushed;
	unsigned issues;
};

struct read {
	uint32_t n, retired, flushed, depends;
	uint64_t now, first;
	struct read_row row[MAX_ROWS];
	uint32_t issues[MAX_PC]; /* by instruction */
	uint64_t cycles[MAX_PC]; /* in the stage "Is" */
};

static struct read_row *open_row(struct read *f, const char *id)
{
	char *end;
	unsigned long i = strtoul(id, &end, 10);

	cr_assert(*id && !*end && i < f->n, "row %s has not begun", id);
	cr_assert_not(f->row[i].retired, "row %s has retired", id);
	return &f->row[i];
}

static void begin_row(struct read *f, char *const *column)
{
	cr_assert_eq(strtoul(column[1], NULL, 10), f->n, "numbers ascend");
	cr_assert_lt(f->n, MAX_ROWS);
	f->row[f->n++] = (struct read_row){.pc = (uint32_t)strtoul(column[2], NULL, 10), .begin = f->now, .since = f->now};
}

static void begin_stage(struct read *f, char *const *column)
{
	struct read_row *r = open_row(f, column[1]);

	cr_assert_str_eq(column[2], "0", "the lane");
	cr_assert_str_empty(r->stage, "row %s: %s begins within %s", column[1], column[3], r->stage);
	cr_assert_eq(r->since, f->now, "row %s: stages abut", column[1]);
	cr_assert(column[3][0] && strlen(column[3]) < sizeof r->stage);
	strcpy(r->stage, column[3]);
	r->issues += !strcmp(r->stage, "Is");
}

static void end_stage(struct read *f, char *const *column)
{
	struct read_row *r = open_row(f, column[1]);

	cr_assert_str_eq(r->stage, column[3]);
	cr_assert_gt(f->now, r->since, "row %s: %s takes no time", column[1], column[3]);
	if (!strcmp(r->stage, "Is")) {
		f->issues[r->pc]++;
		f->cycles[r->pc] += f->now - r->since;
	}
	r->stage[0] = '\0';
	r->since = f->now;
}

static void retire(struct read *f, char *const *column)
{
	struct read_row *r = open_row(f, column[1]);

	cr_assert_str_empty(r->stage);
	cr_assert_eq(r->since, f->now, "its last stage ends with it");
	cr_assert_gt(f->now, r->begin);
	cr_assert_eq(strtoul(column[2], NULL, 10), f->retired, "they retire in the order of their numbers");
	r->retired = true;
	r->flushed = column[3][0] == '1';
	cr_assert(r->issues == 1 || r->flushed);
	f->flushed += r->flushed;
	f->retired++;
}

static void read_line(struct read *f, char *line)
{
	static const struct {
		char letter[3];
		unsigned columns;
	} commands[] = {{"C=", 2}, {"C", 2}, {"I", 4}, {"L", 4}, {"S", 4}, {"E", 4}, {"R", 4}, {"W", 4}};
	char *column[6] = {NULL}, *rest = line;
	unsigned n = 0, c = 0;

	while (n < 6 && (column[n] = strsep(&rest, "\t")))
		n++;
	while (c < 8 && strcmp(commands[c].letter, column[0]) != 0)
		c++;
	cr_assert_lt(c, 8, "\"%s\" is no command", column[0]);
	cr_assert_eq(n, commands[c].columns, "%s has %u columns", column[0], n);
	switch (column[0][0]) {
	case 'C':
		f->now += strtoull(column[1], NULL, 10);
		cr_assert(column[0][1] || strtoull(column[1], NULL, 10) > 0);
		return;
	case 'I':
		begin_row(f, column);
		return;
	case 'L':
		open_row(f, column[1]);
		return;
	case 'S':
		begin_stage(f, column);
		return;
	case 'E':
		end_stage(f, column);
		return;
	case 'R':
		retire(f, column);
		return;
	default:
		open_row(f, column[1]);
		cr_assert_lt(strtoul(column[2], NULL, 10), f->n);
		f->depends++;
	}
}

static struct read *read_konata(const char *name)
{
	struct read *f = xcalloc(1, sizeof *f);
	char path[4096], *text, *rest, *line;

	snprintf(path, sizeof path, "%s/%s", program_tmp(), name);
	text = rest = program_text(path);
	cr_assert_str_eq(strsep(&rest, "\n"), "Kanata\t0004");
	while ((line = strsep(&rest, "\n")) && *line)
		read_line(f, line);
	cr_assert(line && !rest, "an empty line, or none at the end");
	cr_assert_eq(f->retired, f->n, "each retires");
	free(text);
	return f;
}

static void run(const char *command)
{
	struct program p = program_run("cd %s && locus %s", program_tmp(), command);

	cr_assert_eq(p.status, 0, "%s: %s", command, p.err);
	program_free(&p);
}

static void issues_are_the_profiles(const char *args)
{
	char command[512], path[4096];
	json_t *j, *inst, *kernels;
	struct read *f;
	size_t i;

	snprintf(command, sizeof command, "run %s --konata t.kanata --konata-filter sm=0-14", args);
	run(command);
	snprintf(command, sizeof command, "profile %s --json t.json", args);
	run(command);
	f = read_konata("t.kanata");
	snprintf(path, sizeof path, "%s/t.json", program_tmp());
	j = json_load_file(path, 0, NULL);
	kernels = json_object_get(json_object_get(j, "profile"), "kernels");
	cr_assert_eq(json_array_size(kernels), 1, "one kernel: its instructions are known by their number");
	json_array_foreach(json_object_get(json_array_get(kernels, 0), "instructions"), i, inst)
	{
		uint64_t pc = (uint64_t)json_integer_value(json_object_get(inst, "index")),
			 issued = (uint64_t)json_integer_value(json_object_get(inst, "issued"));

		cr_assert_eq(f->issues[pc], issued, "%s: instruction %d", args, (int)pc);
		cr_assert_eq(f->cycles[pc], issued, "a cycle each");
	}
	cr_assert_gt(i, 3);
	cr_assert_eq(f->flushed, 0);
	cr_assert_gt(f->depends, 0);
	json_decref(j);
	free(f);
}

Test(konata, has_each_issue_that_the_profile_counts)
{
	issues_are_the_profiles("vectoradd --size test");
	issues_are_the_profiles("vectoradd --size test --set operands.banks=16 --set pipe.depth=6 --set fetch.width=2");
	issues_are_the_profiles("vectoradd --size test --scheduler lrr --throttle ccws");
}

Test(konata, of_a_cut_run_ends_with_it)
{
	struct read *f;

	run("run syrk --size test --max-cycles 1000 --konata t.kanata --konata-filter sm=0-1,warp=0-3");
	f = read_konata("t.kanata");
	cr_assert_gt(f->n, 100);
	cr_assert_gt(f->flushed, 0, "what was on its way");
	cr_assert_lt(f->flushed, f->n);
	free(f);
}

Test(konata, is_bounded_and_says_so)
{
	struct program p = program_run("locus run syrk --size test --konata %s/t.kanata --konata-filter sm=0-14", program_tmp());
	struct read *f = read_konata("t.kanata");

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_not_null(strstr(p.out, "SM 0, cut in cycle "), "%s", p.out);
	cr_assert_leq(f->n, 65536);
	cr_assert_gt(f->n, 1000);
	cr_assert_gt(f->flushed, 0);
	free(f);
	program_free(&p);
}

Test(konata, changes_no_metric)
{
	static const char *const runs[] = {"syrk --size test", "kmeans --size test --machine ndp4 --plan coda --throttle ccws",
					   "hotspot --size test --set operands.banks=16 --set pipe.depth=6 --set fetch.width=2"};

	for (unsigned i = 0; i < sizeof runs / sizeof *runs; i++) {
		struct program p = program_run("cd %s && locus run %s --json 1.json && "
					       "locus run %s --json 2.json --konata t.kanata --konata-filter sm=0-3 && "
					       "cmp 1.json 2.json",
					       program_tmp(), runs[i], runs[i]);

		cr_expect_eq(p.status, 0, "%s%s", p.out, p.err);
		program_free(&p);
		free(read_konata("t.kanata"));
	}
}

Test(konata, of_what_is_not_there_is_refused)
{
	static const char *const wrong[] = {"sm=15", "sm=3-2", "bogus", "", "cta=x", "cycles=1-", "warp"};

	for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct program p = program_run("locus run syrk --size test --konata %s/t.kanata --konata-filter '%s'",
					       program_tmp(), wrong[i]);

		cr_expect_eq(program_is_clean_error(&p), 1, "%s", wrong[i]);
		program_free(&p);
	}
}
