/* 455: locality classes on every machine, with every policy of caches, and with every workload: the sums hold (the run
 * audits them against the caches' own counts), all other rows are those of a run without, and the order in which
 * components are stepped changes no class. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "support/any_machine.h"
#include "support/program.h"

static const char *const policies[] = {"l1.bypass.policy=streaming",
				       "l1.bypass.rate=10",
				       "l1.bypass.period=200",
				       "l2.bypass.policy=streaming",
				       "l2.bypass.rate=30",
				       "l2.bypass.period=500",
				       "l1.prefetch.mshrs=4",
				       "l1.prefetch.policy=next-line",
				       NULL};

static bool is_of_classes(const struct stat_row *r)
{
	return strstr(r->name, "l1.class.") || strstr(r->name, "l2.class.");
}

static bool is_same(const struct stat_row *a, const struct stat_row *b)
{
	return !strcmp(a->name, b->name) && a->count == b->count && !memcmp(&a->real, &b->real, sizeof a->real);
}

/* y has the rows of x, in their order, but for those of classes if `others` are asked for. */
static void expect_rows(const struct stats *x, const struct stats *y, bool others, const char *name)
{
	unsigned k = 0;

	for (unsigned i = 0; i < x->n; i++) {
		if (others && is_of_classes(&x->row[i]))
			continue;
		cr_assert_lt(k, y->n);
		cr_assert(is_same(&x->row[i], &y->row[k++]), "%s: %s", name, x->row[i].name);
	}
	cr_assert_eq(k, y->n);
}

static uint64_t row(const struct stats *s, const char *name)
{
	const struct stat_row *r = stats_find(s, name);

	cr_assert(r, "%s", name);
	return r->count;
}

static void check(const char *name, uint64_t seed, const char *const *set)
{
	struct trace *t = any_machine_program(seed, 15);
	struct gpu_result with, without, reverse;
	struct machine m = any_machine_with(name, set);
	struct gpu_config c = {.machine = &m, .trace = t};

	any_machine_run(&c, &without, name);
	cr_assert_not(stats_find(&without.stats, "l1.class.accesses"));
	m.caches.locality_classes = true;
	any_machine_run(&c, &with, name);
	expect_rows(&with.stats, &without.stats, true, name);
	cr_assert_gt(row(&with.stats, "l1.class.accesses"), 0);
	if (!set) /* without prefetches of lines that a launch before has accessed */
		cr_assert_eq(row(&with.stats, "l1.class.inter_kernel"), 0, "%s: L1s begin a launch empty", name);
	c.reverse = true;
	any_machine_run(&c, &reverse, name);
	expect_rows(&with.stats, &reverse.stats, false, name);
	gpu_result_free(&with);
	gpu_result_free(&without);
	gpu_result_free(&reverse);
	trace_close(t);
}

static void check_with_policies(const char *name, unsigned number)
{
	if (any_machine_goes_by_lines(name))
		check(name, number, policies);
}

Test(locality_classes_anywhere, keep_their_sums_and_change_nothing_on_any_machine)
{
	any_machine_each(check_with_policies);
}

/* The first word of a line of `locus list workloads`. */
static bool is_workload(const char *line, char name[64])
{
	char suite[64];

	return line[0] == ' ' && sscanf(line, "%63s %63s", name, suite) == 2;
}

Test(locality_classes_anywhere, keep_their_sums_and_change_nothing_without_policies)
{
	check("gtx480", 1, NULL);
	check("ndp4", 2, NULL);
}

Test(locality_classes_anywhere, keep_their_sums_in_every_workload)
{
	struct program list = program_run("locus list workloads");
	unsigned n = 0;

	for (char *line = strtok(list.out, "\n"); line; line = strtok(NULL, "\n")) {
		struct program p;
		char name[64];

		if (!is_workload(line, name))
			continue;
		p = program_run("locus run %s --size test --locality-classes", name);
		cr_expect_eq(p.status, 0, "%s: %s", name, p.out);
		cr_expect(strstr(p.out, "\n  locality class "), "%s", name);
		program_free(&p);
		n++;
	}
	cr_assert_geq(n, 50);
	program_free(&list);
}

Test(locality_classes_anywhere, are_refused_on_the_cpu)
{
	struct program p = program_run("locus run bfs --size test --machine ndp4 --on cpu --locality-classes");

	cr_assert_eq(p.status, 2);
	cr_assert_str_eq(p.err, "locus run: --locality-classes: describes SMs, and --on cpu runs the kernels on CPU cores\n");
	program_free(&p);
}
