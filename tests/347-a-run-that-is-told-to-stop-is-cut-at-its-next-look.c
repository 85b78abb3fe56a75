/* 347: gpu_config.stop cuts a run where it looks up from its work, every LOOP_CHECK_CYCLES: the figures are those of a
 * run that a limit cuts in that cycle, on the SMs and on the CPU's cores. A run that ends before is none the worse. */
#include <criterion/criterion.h>
#include <string.h>

#include "memsys/loop.h"
#include "run/gpu.h"
#include "run/cpu_run.h"
#include "support/machine.h"
#include "support/made_up.h"

typedef int run_fn(const struct gpu_config *c, struct gpu_result *r, struct err *e);

static struct trace *program(uint32_t ctas)
{
	struct trace_options o = {.name = "made up"};
	struct made_up p;
	struct trace *t;

	made_up_init(&p, 7, ctas);
	t = made_up_record(&p, &o);
	made_up_free(&p);
	return t;
}

static struct gpu_result run(run_fn *f, const struct gpu_config *c)
{
	struct gpu_result r;
	struct err e = {""};

	cr_assert_eq(f(c, &r, &e), 0, "%s", e.text);
	for (unsigned i = 0; i < r.audit.n; i++)
		cr_assert(r.audit.invariant[i].holds, "%s", r.audit.invariant[i].name);
	return r;
}

static void expect_same(const struct stats *a, const struct stats *b)
{
	cr_assert_eq(a->n, b->n);
	for (unsigned i = 0; i < a->n; i++) {
		cr_assert_str_eq(a->row[i].name, b->row[i].name);
		cr_assert_eq(a->row[i].count, b->row[i].count, "%s", a->row[i].name);
		cr_assert_eq(memcmp(&a->row[i].real, &b->row[i].real, sizeof(double)), 0, "%s", a->row[i].name);
	}
}

static void stops_at_its_first_look(run_fn *f, const struct machine *m)
{
	struct trace *t = program(40);
	volatile sig_atomic_t stop = SIGINT;
	struct gpu_config stopped = {.machine = m, .trace = t, .stop = &stop};
	struct gpu_config limited = {.machine = m, .trace = t, .max_cycles = LOOP_CHECK_CYCLES};
	struct gpu_result a = run(f, &stopped), b = run(f, &limited);

	cr_assert(a.cut);
	cr_assert_eq(a.cycles, LOOP_CHECK_CYCLES);
	expect_same(&a.stats, &b.stats);
	gpu_result_free(&a);
	gpu_result_free(&b);
	stop = 0;
	limited.max_cycles = 0;
	a = run(f, &stopped);
	b = run(f, &limited);
	cr_assert_not(a.cut);
	cr_assert_gt(a.cycles, LOOP_CHECK_CYCLES, "the program must be longer than a look");
	expect_same(&a.stats, &b.stats);
	gpu_result_free(&a);
	gpu_result_free(&b);
	trace_close(t);
}

Test(stop, the_sms_stop)
{
	struct machine m = machine_with((const char *const[]){"sm.count=1", NULL});

	stops_at_its_first_look(gpu_run, &m);
}

Test(stop, the_cpus_cores_stop)
{
	struct machine m = machine_with((const char *const[]){"cpu.count=1", "link.cpu=128", NULL});

	stops_at_its_first_look(cpu_run, &m);
}
