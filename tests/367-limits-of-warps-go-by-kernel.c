/* 367: throttle.kernels: a kernel of the program runs with the limit of its own, the others with throttle.warps. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <string.h>

#include "policy/kernel_limits.h"
#include "support/program.h"

static const char *const names[] = {"expand", "update", "expand", "expander"};

static int limits(const uint32_t **of, struct arena *a, const char *list, struct err *e)
{
	struct machine m = {.throttle = {.warps = 9}};

	snprintf(m.throttle.kernels, sizeof m.throttle.kernels, "%s", list);
	*e = (struct err){""};
	return kernel_limits_init(of, a, &m, names, 4, e);
}

Test(kernel_limits, are_those_of_the_list_and_else_the_machines)
{
	struct arena a = {0};
	const uint32_t *of;
	struct err e;

	cr_assert_eq(limits(&of, &a, "none", &e), 0);
	for (unsigned i = 0; i < 4; i++)
		cr_assert_eq(of[i], 9);
	cr_assert_eq(limits(&of, &a, "expand:1+expander:64", &e), 0, "%s", e.text);
	cr_assert_eq(of[0], 1);
	cr_assert_eq(of[1], 9);
	cr_assert_eq(of[2], 1, "two kernels of a name");
	cr_assert_eq(of[3], 64);
	arena_free(&a);
}

Test(kernel_limits, refuse_what_is_none)
{
	const char *const bad[][2] = {
		{"reduce:3", "throttle.kernels: the program has no kernel \"reduce\""},
		{"expand:0", "throttle.kernels: \"expand:0\" is not KERNEL:N with N in 1..64"},
		{"expand:65", "throttle.kernels: \"expand:65\" is not KERNEL:N with N in 1..64"},
		{"expand", "throttle.kernels: \"expand\" is not KERNEL:N with N in 1..64"},
		{"expand:", "throttle.kernels: \"expand:\" is not KERNEL:N with N in 1..64"},
		{"expand:2x", "throttle.kernels: \"expand:2x\" is not KERNEL:N with N in 1..64"},
		{"update:2+", "throttle.kernels: \"\" is not KERNEL:N with N in 1..64"},
	};
	struct arena a = {0};
	const uint32_t *of;
	struct err e;

	for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
		cr_assert_neq(limits(&of, &a, bad[i][0], &e), 0, "%s", bad[i][0]);
		cr_assert_str_eq(e.text, bad[i][1]);
	}
	arena_free(&a);
}

/* ---- on runs: kmeans launches kmeans_transpose and then kmeans_nearest ---- */

/* A metric of a launch. */
static double of_launch(const char *throttle, unsigned launch, const char *name)
{
	struct program p = program_run("locus run kmeans --size test --throttle %s --json %s/k.json && cat %s/k.json >&2", throttle,
				       program_tmp(), program_tmp());
	json_t *json = json_loads(p.err, 0, NULL);
	double value = json_number_value(
		json_object_get(json_object_get(json_array_get(json_object_get(json, "launches"), launch), "stats"), name));

	cr_assert_eq(p.status, 0, "%s", p.err);
	json_decref(json);
	program_free(&p);
	return value;
}

/* The machine is empty before the first launch: it takes the cycles that it takes when the limit is every kernel's. */
Test(kernel_limits, hold_for_the_launches_of_their_kernel)
{
	double first = of_launch("swt:64", 0, "cycles"), limited = of_launch("swt:1", 0, "cycles");

	cr_assert_lt(limited, first, "a column a warp stays in the L1");
	cr_assert_eq(of_launch("swt:warps=64,kernels=kmeans_transpose:1", 0, "cycles"), limited);
	cr_assert_eq(of_launch("swt:warps=64,kernels=kmeans_nearest:1", 0, "cycles"), first);
	cr_assert_eq(of_launch("swt:warps=64,kernels=kmeans_nearest:1", 0, "sched.throttled"), 0);
	cr_assert_gt(of_launch("swt:warps=64,kernels=kmeans_nearest:1", 1, "sched.throttled"), 0.1);
}

Test(kernel_limits, name_a_kernel_that_is_not_there)
{
	struct program p = program_run("locus run kmeans --size test --throttle swt:warps=1,kernels=nothing:2");

	cr_assert_eq(p.status, 2);
	cr_assert_str_eq(p.err, "locus: throttle.kernels: the program has no kernel \"nothing\"\n");
	program_free(&p);
}
