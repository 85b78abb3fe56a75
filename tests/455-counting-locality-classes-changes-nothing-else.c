/* 455: locality classes on every machine, with every policy of caches, and with every workload: the sums hold (the run
 * audits them against the caches' own counts), all other rows are those of a run without, and the order in which
 * components are stepped changes no class. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdlib.h>
#include <string.h>

#include "run/gpu.h"
#include "support/made_up.h"
#include "support/program.h"

static struct trace *program(uint64_t seed)
{
	struct trace_options o = {.name = "made up"};
	struct made_up p;
	struct trace *t;

	made_up_init(&p, seed, 15);
	made_up_narrow(&p, 34); /* four stacks of 4 GiB */
	t = made_up_record(&p, &o);
	made_up_free(&p);
	return t;
}

static void use_policies(struct machine *m)
{
	static const char *const keys[] = {"l1.bypass.policy=streaming", "l1.bypass.rate=10",		"l1.bypass.period=200",
					   "l2.bypass.policy=streaming", "l2.bypass.rate=30",		"l2.bypass.period=500",
					   "l1.prefetch.mshrs=4",	 "l1.prefetch.policy=next-line"};
	struct err e = {""};

	for (unsigned i = 0; i < sizeof keys / sizeof keys[0]; i++)
		cr_assert_eq(machine_set(m, keys[i], &e), 0, "%s", e.text);
}

static bool is_of_classes(const struct stat_row *r)
{
	return strstr(r->name, "l1.class.") || strstr(r->name, "l2.class.");
}

/* Rows without those of classes are the other ones, in their order. */
static void expect_others_same(const struct stats *with, const struct stats *without, const char *name)
{
	unsigned k = 0;

	for (unsigned i = 0; i < with->n; i++) {
		const struct stat_row *a = &with->row[i], *b = &without->row[k];

		if (is_of_classes(a))
			continue;
		cr_assert_lt(k++, without->n);
		cr_assert_str_eq(a->name, b->name);
		cr_assert(a->count == b->count && !memcmp(&a->real, &b->real, sizeof a->real), "%s: %s", name, a->name);
	}
	cr_assert_eq(k, without->n);
}

static void expect_same(const struct stats *x, const struct stats *y, const char *name)
{
	cr_assert_eq(x->n, y->n);
	for (unsigned i = 0; i < x->n; i++)
		cr_assert_eq(x->row[i].count, y->row[i].count, "%s: %s", name, x->row[i].name);
}

static uint64_t row(const struct stats *s, const char *name)
{
	const struct stat_row *r = stats_find(s, name);

	cr_assert(r, "%s", name);
	return r->count;
}

static void run(const struct gpu_config *c, struct gpu_result *r, const char *name)
{
	struct err e = {""};

	cr_assert_eq(gpu_run(c, r, &e), 0, "%s: %s", name, e.text);
	if (r->audit.failed)
		audit_print(&r->audit, stderr);
	cr_assert_eq(r->audit.failed, 0, "%s", name);
}

static void check(const char *name, uint64_t seed, bool policies)
{
	struct trace *t = program(seed);
	struct gpu_result with, without, reverse;
	struct gpu_config c = {.trace = t};
	struct machine m;
	struct err e = {""};

	cr_assert_eq(machine_load(&m, name, "csim/machines", &e), 0, "%s", e.text);
	if (policies)
		use_policies(&m);
	cr_assert_eq(machine_resolve(&m, &e), 0, "%s", e.text);
	c.machine = &m;
	run(&c, &without, name);
	cr_assert_not(stats_find(&without.stats, "l1.class.accesses"));
	m.caches.locality_classes = true;
	run(&c, &with, name);
	expect_others_same(&with.stats, &without.stats, name);
	cr_assert_gt(row(&with.stats, "l1.class.accesses"), 0);
	if (!policies) /* without prefetches of lines that a launch before has accessed */
		cr_assert_eq(row(&with.stats, "l1.class.inter_kernel"), 0, "%s: L1s begin a launch empty", name);
	c.reverse = true;
	run(&c, &reverse, name);
	expect_same(&with.stats, &reverse.stats, name);
	gpu_result_free(&with);
	gpu_result_free(&without);
	gpu_result_free(&reverse);
	trace_close(t);
}

Test(locality_classes_anywhere, keep_their_sums_and_change_nothing_on_any_machine)
{
	DIR *d = opendir("csim/machines");
	const struct dirent *entry;
	unsigned n = 0;

	cr_assert(d);
	while ((entry = readdir(d))) {
		char name[64];
		size_t length = strlen(entry->d_name);

		if (length <= 5 || strcmp(entry->d_name + length - 5, ".yaml"))
			continue;
		snprintf(name, sizeof name, "%.*s", (int)(length - 5), entry->d_name);
		check(name, n++, true);
	}
	closedir(d);
	cr_assert_geq(n, 8);
}

/* The first word of a line of `locus list workloads`. */
static bool is_workload(const char *line, char name[64])
{
	char suite[64];

	return line[0] == ' ' && sscanf(line, "%63s %63s", name, suite) == 2;
}

Test(locality_classes_anywhere, keep_their_sums_and_change_nothing_without_policies)
{
	check("gtx480", 1, false);
	check("ndp4", 2, false);
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
	cr_assert_str_eq(p.err, "locus run: --locality-classes are those of SMs' accesses: not with --on cpu\n");
	program_free(&p);
}
