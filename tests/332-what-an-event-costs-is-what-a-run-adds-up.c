/* 332: energies are counts of events times the machine's energy of one: for a program of which every count can be
 * worked out by hand, one energy at a time; the parts of a run sum to its total, and its launches to the run. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "run/gpu.h"
#include "support/machine.h"
#include "support/made_up.h"
#include "support/program.h"

enum { LOADS = 16, LINE = 128, HALF = 16 /* lanes */ };

/* A CTA of one warp. LOADS loads of a line each, by all lanes; then two instructions of each class of arithmetic and
 * one of the special functions, by half of them; the end. Two lines in turn go to a channel: 8 pairs, in as many
 * banks, since the 7th and 8th come to a channel's next bank. */
static struct trace *known_program(void)
{
	struct trace_inst inst[18] = {{.op = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .ndst = 1, .nsrc = 1, .line = 1}};
	char name[] = "k", *names[] = {name};
	struct trace_kernel k = {.name = name, .inst = inst, .n_names = 1, .names = names, .n_regs = 4, .regs_per_thread = 8};
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&(struct trace_options){.name = "known"}, &e);

	for (unsigned op = OP_INT_ADD; op <= OP_SFU; op++)
		inst[1 + op] = (struct trace_inst){.op = op, .ndst = 1, .nsrc = 2, .reg = {1, 2, 3}, .line = 2};
	inst[17] = (struct trace_inst){.op = OP_EXIT, .nsrc = 1, .line = 3};
	k.n_inst = 18;
	trace_add_kernel(w, &k);
	cr_assert_eq(trace_launch_begin(w, 0, (uint32_t[]){1, 1, 1}, (uint32_t[]){32, 1, 1}, 0, &e), 0);
	trace_cta_begin(w, 0);
	for (unsigned i = 0; i < LOADS; i++) {
		uint64_t addr[TRACE_WARP_SIZE];

		for (unsigned l = 0; l < TRACE_WARP_SIZE; l++)
			addr[l] = 0x10000000 + i * LINE + l * 4;
		trace_put_run(w, 0, 0, 1, UINT32_MAX);
		trace_put_addrs(w, 0, UINT32_MAX, addr);
	}
	trace_put_run(w, 0, 1, 15, (1u << HALF) - 1);
	trace_put_run(w, 0, 1, 16, (1u << HALF) - 1);
	trace_put_run(w, 0, 17, 1, UINT32_MAX);
	cr_assert_eq(trace_cta_end(w, &e), 0);
	cr_assert_eq(trace_launch_end(w, &e), 0);
	return trace_writer_finish(w, &e);
}

static const struct stat_row *row(const struct stats *s, const char *name)
{
	const struct stat_row *r = stats_find(s, name);

	cr_assert_not_null(r, "%s", name);
	return r;
}

static struct gpu_result run(const struct machine *m, struct trace *t)
{
	struct gpu_config c = {.machine = m, .trace = t};
	struct gpu_result r;
	struct err e = {""};

	cr_assert_eq(gpu_run(&c, &r, &e), 0, "%s", e.text);
	cr_assert_eq(r.audit.failed, 0);
	return r;
}

/* A gtx480 whose energies are 0 but for those that are set. */
static struct machine only(const char *const *set)
{
	struct machine m;
	struct err e = {""};

	cr_assert_eq(machine_load(&m, "gtx480", "csim/machines", &e), 0, "%s", e.text);
	memset(&m.energy, 0, sizeof m.energy);
	for (; *set; set++)
		cr_assert_eq(machine_set(&m, *set, &e), 0, "%s", e.text);
	cr_assert_eq(machine_resolve(&m, &e), 0, "%s", e.text);
	return m;
}

/* fJ; the metrics are in uJ. */
static double total(const struct stats *s)
{
	return row(s, "energy.total")->real * 1e9;
}

Test(energy, is_counts_by_hand_times_one_constant)
{
	static const struct {
		const char *set, *part;
		uint64_t fj;
	} expected[] = {
		/* 16 loads, 30 of arithmetic, a special function, an exit */
		{"energy.issue=7", "energy.issue", 7 * (LOADS + 31 + 1)},
		/* two of each class, by half a warp */
		{"energy.int=1,10,100,1000,10000", "energy.int", 2 * HALF * 11111},
		{"energy.fp32=2,20,200,2000,20000", "energy.fp32", 2 * HALF * 22222},
		{"energy.fp64=3,30,300,3000,30000", "energy.fp64", 2 * HALF * 33333},
		{"energy.sfu=5", "energy.sfu", HALF * 5},
		{"energy.memory=3", "energy.memory", 3 * LOADS * 32},
		/* a load has 2 operands, arithmetic 3, the exit 1 */
		{"energy.register=3", "energy.registers", 3 * (LOADS * 32 * 2 + 31 * HALF * 3 + 32)},
		{"energy.l1_tag=11", "energy.l1", 11 * LOADS},
		/* a fill and a read of each line */
		{"energy.l1_data=11", "energy.l1.data", 11 * 2 * LOADS},
		{"energy.l2_tag=13", "energy.l2.tag", 13 * LOADS},
		{"energy.l2_byte=13", "energy.l2", 13 * 2 * LOADS * LINE},
		/* flits of 32 bytes: a header of 8 bytes there, that and the line back */
		{"energy.flit=17", "energy.network", 17 * LOADS * (1 + 5)},
		{"energy.dram_activate=19", "energy.dram.activate", 19 * 8},
		/* bursts of 64 bytes */
		{"energy.dram_read=23", "energy.dram.read", 23 * 2 * LOADS},
		{"energy.dram_write=29", "energy.dram.write", 0},
		{"energy.dram_io_byte=31", "energy.dram.io", 31 * LOADS * LINE},
		{"energy.shared=37", "energy.shared", 0},
		{"energy.const=41", "energy.const", 0},
		{"energy.link_byte=43", "energy.total", 0},
	};
	struct trace *t = known_program();

	for (unsigned i = 0; i < sizeof expected / sizeof expected[0]; i++) {
		struct machine m = only((const char *[]){expected[i].set, NULL});
		struct gpu_result r = run(&m, t);

		cr_assert_float_eq(row(&r.stats, expected[i].part)->real * 1e9, (double)expected[i].fj, 1e-3, "%s: %f",
				   expected[i].set, row(&r.stats, expected[i].part)->real * 1e9);
		cr_assert_float_eq(total(&r.stats), (double)expected[i].fj, 1e-3, "%s", expected[i].set);
		cr_assert_float_eq(total(&r.launch[0].stats), (double)expected[i].fj, 1e-3, "%s", expected[i].set);
		gpu_result_free(&r);
	}
	trace_close(t);
}

/* Events of the same program, by kinds for which the machine has no energy. Rows of kinds that it has one for, and of
 * parts that it has not, are not there. */
Test(energy, of_what_is_left_out_the_events_are_counted)
{
	static const struct {
		const char *kind;
		uint64_t events;
	} expected[] = {
		{"arithmetic", 31 * HALF},
		{"memory", LOADS * 32},
		{"registers", LOADS * 32 * 2 + 31 * HALF * 3 + 32},
		{"shared", 0},
		{"const", 0},
		{"l1.tag", LOADS},
		{"l1.data", 2 * LOADS},
		{"l2.tag", LOADS},
		{"l2.data", 2 * LOADS * LINE},
		{"network", LOADS * (1 + 5)},
		{"dram.activate", 8},
		{"dram.read", 2 * LOADS},
		{"dram.write", 0},
		{"dram.io", LOADS * LINE},
	};
	struct machine m = only((const char *[]){"energy.issue=1", "energy.sm_static=1", NULL});
	struct trace *t = known_program();
	struct gpu_result r = run(&m, t);
	char name[64];

	for (unsigned i = 0; i < sizeof expected / sizeof expected[0]; i++) {
		snprintf(name, sizeof name, "energy.left_out.%s", expected[i].kind);
		cr_assert_eq(row(&r.stats, name)->count, expected[i].events, "%s: %lu", name, row(&r.stats, name)->count);
		cr_assert_eq(row(&r.launch[0].stats, name)->count, expected[i].events, "%s of the launch", name);
	}
	cr_assert_null(stats_find(&r.stats, "energy.left_out.issue"));
	cr_assert_null(stats_find(&r.stats, "energy.left_out.static.sm"));
	cr_assert_null(stats_find(&r.stats, "energy.left_out.links"));
	gpu_result_free(&r);
	trace_close(t);
}

Test(energy, of_links_without_a_constant_the_bytes_are_said)
{
	json_t *s = program_stats("locus run syrk --size test --machine ndp4 --set energy.link_byte=0");

	cr_assert_gt(program_stat(s, "link.bytes"), 0);
	cr_assert_eq(program_stat(s, "energy.left_out.links"), program_stat(s, "link.bytes"));
	json_decref(s);
	s = program_stats("locus run syrk --size test --machine ndp4");
	cr_assert_null(json_object_get(s, "energy.left_out.links"));
	json_decref(s);
}

/* 15 SMs and 6 channels for the time that is printed; 3 uJ a us are 3 W. A refresh falls due every tREFI in each
 * channel, so no run is so short that they can be told from none: they are counted. */
Test(energy, static_energy_is_power_times_time)
{
	struct machine m = only((const char *[]){"energy.sm_static=1000000", "energy.channel_static=500000", NULL});
	struct trace *t = known_program();
	struct gpu_result r = run(&m, t);
	double us = row(&r.stats, "time")->real;

	cr_assert_gt(us, 0);
	cr_assert_float_eq(row(&r.stats, "energy.static.sm")->real, 15 * us, 1e-5);
	cr_assert_float_eq(row(&r.stats, "energy.static.dram")->real, 3 * us, 1e-5);
	cr_assert_float_eq(row(&r.stats, "energy.static")->real, 18 * us, 1e-5);
	cr_assert_float_eq(row(&r.stats, "energy.power")->real, 18, 1e-6);
	cr_assert_float_eq(row(&r.stats, "energy.per_instruction")->real * (LOADS * 32 + 31 * HALF + 32), 18 * us * 1e6, 3);
	gpu_result_free(&r);
	trace_close(t);
}

Test(energy, of_a_machine_without_energies_has_no_metric)
{
	struct machine m = only((const char *[]){NULL});
	struct trace *t = known_program();
	struct gpu_result r = run(&m, t);

	for (unsigned i = 0; i < r.stats.n; i++)
		cr_assert_null(strstr(r.stats.row[i].name, "energy."), "%s", r.stats.row[i].name);
	cr_assert_null(stats_find(&r.launch[0].stats, "energy.total"));
	gpu_result_free(&r);
	trace_close(t);
}

static struct trace *made_up(uint64_t seed)
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

static double sum(const struct stats *s, const char *const *name)
{
	double n = 0;

	for (; *name; name++)
		n += stats_find(s, *name) ? stats_find(s, *name)->real : 0;
	return n;
}

static void expect_sums(const struct stats *s)
{
	static const char *const of_total[] = {"energy.instructions", "energy.shared", "energy.const", "energy.l1",	"energy.l2",
					       "energy.network",      "energy.links",  "energy.dram",  "energy.static", NULL};
	static const char *const of_instructions[] = {"energy.issue", "energy.int",    "energy.fp32",	   "energy.fp64",
						      "energy.sfu",   "energy.memory", "energy.registers", NULL};
	static const char *const of_l1[] = {"energy.l1.tag", "energy.l1.data", NULL};
	static const char *const of_l2[] = {"energy.l2.tag", "energy.l2.data", NULL};
	static const char *const of_dram[] = {"energy.dram.activate", "energy.dram.read",    "energy.dram.write",
					      "energy.dram.io",	      "energy.dram.refresh", NULL};
	static const char *const of_static[] = {"energy.static.sm", "energy.static.dram", NULL};
	static const struct {
		const char *name, *const *parts;
	} sums[] = {{"energy.total", of_total}, {"energy.instructions", of_instructions},
		    {"energy.l1", of_l1},	{"energy.l2", of_l2},
		    {"energy.dram", of_dram},	{"energy.static", of_static}};

	for (unsigned i = 0; i < sizeof sums / sizeof sums[0]; i++) {
		double all = row(s, sums[i].name)->real;

		cr_assert_float_eq(sum(s, sums[i].parts), all, 1e-9 * (1 + all), "%s", sums[i].name);
	}
}

/* Its L1s and L2s are arrays' and what has none. */
static void expect_arrays(const struct stats *s, const char *part)
{
	double of_arrays = 0;

	for (unsigned i = 0; i < s->n; i++) {
		const char *end = strrchr(s->row[i].name, 'e');

		while (end && strncmp(end, "energy.", 7) && end > s->row[i].name)
			end--;
		if (!strncmp(s->row[i].name, "buffer.", 7) && end && !strcmp(end, part))
			of_arrays += s->row[i].real;
	}
	cr_assert_gt(of_arrays, 0, "%s", part);
	cr_assert_leq(of_arrays, row(s, part)->real * (1 + 1e-9), "%s", part);
}

Test(energy, parts_sum_to_the_total_and_launches_to_the_run)
{
	static const char *const machines[][5] = {
		{NULL},
		{"l2.enabled=false", NULL},
		{"module.count=3", "dram.stacks=2,1,1", "l2.side=sm", "vm.enabled=true", NULL},
		{"l1.prefetch.policy=next-line", "l1.bypass.policy=streaming", "l2.bypass.policy=streaming", NULL},
	};

	for (unsigned i = 0; i < sizeof machines / sizeof machines[0]; i++)
		for (uint64_t seed = 1; seed <= 3; seed++) {
			struct machine m = machine_with(machines[i]);
			struct trace *t;
			struct gpu_result r;
			double launches = 0;

			/* none may hide behind another one's 0 */
			m.energy.link_byte = m.energy.memory = m.energy.l1_tag = m.energy.l2_tag = m.energy.refresh = 1000;
			t = made_up(seed);
			r = run(&m, t);
			expect_sums(&r.stats);
			for (uint32_t k = 0; k < r.n_launches; k++) {
				expect_sums(&r.launch[k].stats);
				launches += row(&r.launch[k].stats, "energy.total")->real;
			}
			cr_assert_float_eq(launches, row(&r.stats, "energy.total")->real, 1e-5, "machine %u, seed %lu", i, seed);
			expect_arrays(&r.stats, "energy.l1");
			if (m.l2.enabled)
				expect_arrays(&r.stats, "energy.l2");
			cr_assert_eq(isnan(row(&r.stats, "energy.power")->real), 0);
			gpu_result_free(&r);
			trace_close(t);
		}
}

/* What is bypassed is neither read from the L1's data nor from an L2's: all loads of it. */
Test(energy, of_a_disabled_l1_is_none)
{
	struct machine m = machine_with((const char *[]){"l1.enabled=false", NULL});
	struct trace *t = known_program();
	struct gpu_result r = run(&m, t);

	cr_assert_eq(row(&r.stats, "energy.l1")->real, 0);
	cr_assert_gt(row(&r.stats, "energy.l2")->real, 0);
	gpu_result_free(&r);
	trace_close(t);
}
