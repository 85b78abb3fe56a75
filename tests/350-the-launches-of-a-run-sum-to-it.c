/* 350: what each launch counts: worked out by hand for launches of one kernel that find its lines in memory, then in
 * the L2; the launches of any program sum to the run, in whichever order components are stepped; with several programs
 * each launch has its own program's instructions. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "run/gpu.h"
#include "support/machine.h"
#include "support/made_up.h"
#include "support/measured.h"
#include "support/program.h"

enum { LOADS = 16, LINE = 128 };

/* CTAs of one warp, each of which loads the same LOADS lines. */
static void add_launch(struct trace_writer *w, uint32_t ctas)
{
	struct err e = {""};

	cr_assert_eq(trace_launch_begin(w, 0, (uint32_t[]){ctas, 1, 1}, (uint32_t[]){32, 1, 1}, 0, &e), 0);
	for (uint32_t c = 0; c < ctas; c++) {
		trace_cta_begin(w, c);
		for (unsigned i = 0; i < LOADS; i++) {
			uint64_t addr[TRACE_WARP_SIZE];

			for (unsigned l = 0; l < TRACE_WARP_SIZE; l++)
				addr[l] = 0x10000000 + i * LINE + l * 4;
			trace_put_run(w, 0, 0, 1, UINT32_MAX);
			trace_put_addrs(w, 0, UINT32_MAX, addr);
		}
		trace_put_run(w, 0, 1, 1, UINT32_MAX);
		cr_assert_eq(trace_cta_end(w, &e), 0);
	}
	cr_assert_eq(trace_launch_end(w, &e), 0);
}

static struct trace *three_launches(void)
{
	struct trace_inst inst[2] = {
		{.op = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .ndst = 1, .nsrc = 1, .line = 1},
		{.op = OP_EXIT, .nsrc = 1, .line = 2},
	};
	char name[] = "load", *names[] = {name};
	struct trace_kernel k = {
		.name = name, .n_inst = 2, .inst = inst, .n_names = 1, .names = names, .n_regs = 1, .regs_per_thread = 8};
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&(struct trace_options){.name = "loads"}, &e);

	trace_add_kernel(w, &k);
	add_launch(w, 1);
	add_launch(w, 1);
	add_launch(w, 2);
	return trace_writer_finish(w, &e);
}

/* The first launch reads all lines from DRAM. In the second one the L1 has been emptied and the L2 has them all. The
 * third has two CTAs, on two SMs: twice the instructions and the L1's misses, and hits in the L2. */
Test(launches, count_what_can_be_worked_out_by_hand)
{
	static const struct {
		const char *name;
		uint64_t of[3];
	} expected[] = {
		{"warp_insts", {LOADS + 1, LOADS + 1, 2 * (LOADS + 1)}},
		{"thread_insts", {32 * (LOADS + 1), 32 * (LOADS + 1), 64 * (LOADS + 1)}},
		{"ctas", {1, 1, 2}},
		{"l1.accesses", {LOADS, LOADS, 2 * LOADS}},
		{"l1.misses", {LOADS, LOADS, 2 * LOADS}},
		{"l2.accesses", {LOADS, LOADS, 2 * LOADS}},
		{"l2.misses", {LOADS, 0, 0}},
		{"l2.hits", {0, LOADS, 2 * LOADS}},
		{"dram.reads", {LOADS, 0, 0}},
		{"dram.bytes", {LOADS * LINE, 0, 0}},
	};
	struct machine m = machine_with(NULL);
	struct trace *t = three_launches();
	struct gpu_config c = {.machine = &m, .trace = t};
	struct gpu_result r;
	struct err e = {""};
	uint64_t cycles = 0;

	cr_assert_eq(gpu_run(&c, &r, &e), 0, "%s", e.text);
	cr_assert_eq(r.audit.failed, 0);
	cr_assert_eq(r.n_launches, 3);
	for (unsigned i = 0; i < 3; i++) {
		cr_assert_eq(r.launch[i].index, i);
		cr_assert_str_eq(r.launch[i].kernel, "load");
		cr_assert_null(r.launch[i].program);
		cycles += stat_count(&r.launch[i].stats, "cycles");
		for (unsigned k = 0; k < sizeof expected / sizeof expected[0]; k++)
			cr_assert_eq(stat_count(&r.launch[i].stats, expected[k].name), expected[k].of[i], "launch %u: %s: %lu", i,
				     expected[k].name, stat_count(&r.launch[i].stats, expected[k].name));
	}
	cr_assert_eq(cycles, r.cycles);
	gpu_result_free(&r);
	trace_close(t);
}

static struct trace *program(uint64_t seed)
{
	struct trace_options o = {.name = "made up"};
	struct made_up p;
	struct trace *t;

	made_up_init(&p, seed, 40);
	made_up_narrow(&p, 40);
	t = made_up_record(&p, &o);
	made_up_free(&p);
	return t;
}

/* Counts of a launch's rows sum to the run's row; all launches as text. */
static char *run(const struct gpu_config *c)
{
	json_t *all = json_array();
	struct gpu_result r;
	struct err e = {""};
	char *text;

	cr_assert_eq(gpu_run(c, &r, &e), 0, "%s", e.text);
	cr_assert_eq(r.audit.failed, 0);
	cr_assert_eq(r.n_launches, trace_n_launches(c->trace));
	for (unsigned k = 0; k < r.launch[0].stats.n; k++) {
		const struct stat_row *row = &r.launch[0].stats.row[k];
		uint64_t sum = 0;

		for (uint32_t i = 0; i < r.n_launches; i++)
			sum += stat_count(&r.launch[i].stats, row->name);
		if (row->kind == STAT_COUNT)
			cr_assert_eq(sum, stat_count(&r.stats, row->name), "%s: %lu", row->name, sum);
	}
	for (uint32_t i = 0; i < r.n_launches; i++)
		json_array_append_new(all, stats_json(&r.launch[i].stats));
	text = json_dumps(all, JSON_INDENT(1));
	json_decref(all);
	gpu_result_free(&r);
	return text;
}

Test(launches, sum_to_the_run_in_any_order_of_stepping)
{
	static const char *const machines[][5] = {
		{NULL},
		{"l2.enabled=false", NULL},
		{"clock.core=1000", "clock.net=700", "clock.l2=650", "clock.dram=1111", NULL},
		{"vm.enabled=true", "vm.placement=first-touch", NULL},
		{"module.count=3", "dram.stacks=2,1,1", "l2.side=sm", "vm.enabled=true", NULL},
	};

	for (unsigned i = 0; i < sizeof machines / sizeof machines[0]; i++)
		for (uint64_t seed = 1; seed <= 3; seed++) {
			struct machine m = machine_with(machines[i]);
			struct trace *t = program(seed);
			struct gpu_config c = {.machine = &m, .trace = t};
			char *first = run(&c), *reverse;

			c.reverse = true;
			reverse = run(&c);
			cr_assert_str_eq(first, reverse, "machine %u, seed %lu", i, seed);
			free(first);
			free(reverse);
			trace_close(t);
		}
}

/* The launch in which a limit falls is there as far as it went; later ones are not. */
Test(launches, a_cut_run_has_those_that_began)
{
	struct machine m = machine_with(NULL);
	struct trace *t = three_launches();
	struct gpu_config c = {.machine = &m, .trace = t, .max_insts = LOADS + 1 + 5};
	struct gpu_result r;
	struct err e = {""};

	cr_assert_eq(gpu_run(&c, &r, &e), 0, "%s", e.text);
	cr_assert(r.cut);
	cr_assert_eq(r.audit.failed, 0);
	cr_assert_eq(r.n_launches, 2);
	cr_assert_eq(stat_count(&r.launch[0].stats, "warp_insts"), LOADS + 1);
	cr_assert_eq(stat_count(&r.launch[1].stats, "warp_insts"), 5);
	cr_assert_eq(stat_count(&r.launch[0].stats, "cycles") + stat_count(&r.launch[1].stats, "cycles"), r.cycles);
	gpu_result_free(&r);
	trace_close(t);
}

/* ---- the program ---- */

static json_t *launches_of(const char *command)
{
	struct program p = program_run("%s --json %s/r.json >/dev/null && cat %s/r.json", command, program_tmp(), program_tmp());
	json_t *all = json_loads(p.out, 0, NULL), *launches = json_incref(json_object_get(all, "launches"));

	cr_assert_eq(p.status, 0, "%s: %s", command, p.err);
	cr_assert(json_is_array(launches), "%s", command);
	json_decref(all);
	program_free(&p);
	return launches;
}

static json_int_t insts(json_t *launch)
{
	return json_integer_value(json_object_get(json_object_get(launch, "stats"), "warp_insts"));
}

/* Both alone, then side by side: whichever order the launches end in, those of a program have its own instructions. */
Test(launches, of_programs_side_by_side_have_their_own_instructions)
{
	json_t *both = launches_of("locus mix atax bfs --size test --machine mcm4"), *launch;
	const char *const name[] = {"atax", "bfs"};
	size_t seen = 0, i;

	for (unsigned k = 0; k < 2; k++) {
		char command[128];
		json_t *alone;
		size_t next = 0;

		snprintf(command, sizeof command, "locus run %s --size test --machine mcm4", name[k]);
		alone = launches_of(command);
		json_array_foreach(both, i, launch)
		{
			if (strncmp(json_string_value(json_object_get(launch, "program")), name[k], strlen(name[k])))
				continue;
			cr_assert_str_eq(json_string_value(json_object_get(launch, "kernel")),
					 json_string_value(json_object_get(json_array_get(alone, next), "kernel")));
			cr_assert_eq(insts(launch), insts(json_array_get(alone, next)), "%s, launch %zu", name[k], next);
			next++;
		}
		cr_assert_eq(next, json_array_size(alone), "%s", name[k]);
		seen += next;
		json_decref(alone);
	}
	cr_assert_eq(seen, json_array_size(both));
	json_decref(both);
}

Test(launches, are_printed_on_request)
{
	struct program p = program_run("locus run atax --size test --launches"), q = program_run("locus run atax --size test");
	const char *table = strstr(p.out, "launch kernel");

	cr_assert_eq(p.status, 0);
	cr_assert_not_null(table);
	cr_assert_not_null(strstr(table, "\n       0 atax_rows "));
	cr_assert_not_null(strstr(table, "\n       1 atax_columns "));
	cr_assert_null(strstr(q.out, "launch kernel"));
	program_free(&p);
	program_free(&q);
	p = program_run("locus run atax --machine ndp4 --on cpu --launches");
	cr_assert_eq(p.status, 2);
	cr_assert_str_empty(p.out);
	cr_assert_str_eq(p.err, "locus run: --launches: describes SMs, and --on cpu runs the kernels on CPU cores\n");
	program_free(&p);
}
