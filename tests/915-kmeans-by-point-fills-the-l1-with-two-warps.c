/* 915: kmeans with each thread on its own point loads and misses as a pencil says. Points of 34 features are 136 bytes
 * apart, more than a line of 128: so the 32 lanes of a warp are on 32 lines with each load, and all the points of a
 * warp, one behind the other, are on 32 * 136 / 128 = 34. They come back to them for each of five centres. */
#include <criterion/criterion.h>
#include <jansson.h>

#include "support/program.h"

enum {
	POINTS = 1024,
	WARPS = POINTS / 32,
	FEATURES = 34,
	CENTRES = 5,
	POINT_LINES = POINTS * FEATURES * 4 / 128,
	CENTRE_LINES = (CENTRES * FEATURES * 4 + 127) / 128,
};

/* Four CTAs of 8 warps on an SM alone, whose L1 of 128 lines has one set. */
static double value_of(const char *throttle, const char *name)
{
	struct program p = program_run("locus run kmeans --arg layout=points --arg n=%d --set sm.count=1 --set l1.assoc=full "
				       "--throttle %s --json %s/r.json >/dev/null && cat %s/r.json",
				       POINTS, throttle, program_tmp(), program_tmp());
	json_t *all = json_loads(p.out, 0, NULL), *v = json_object_get(json_object_get(all, "stats"), name);
	double value;

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_not_null(v, "no %s", name);
	value = json_number_value(v);
	json_decref(all);
	program_free(&p);
	return value;
}

/* Of a centre, all lanes read the same word; at the end each stores a word beside the others'. */
Test(kmeans, a_load_of_points_is_a_transaction_a_lane)
{
	cr_expect_eq(value_of("none", "l1.accesses"), WARPS * (CENTRES * FEATURES * (32 + 1) + 1));
}

/* Two schedulers with a warp each: 2 * 34 lines and those of the centres are fewer than 128. (A centre's own line may
 * go between two warps; each warp fetches each but once.) */
Test(kmeans, with_a_warp_a_scheduler_each_line_of_points_misses_once)
{
	cr_expect_eq(value_of("swt:1", "buffer.point.l1.misses"), POINT_LINES);
	cr_expect_leq(value_of("swt:1", "buffer.centre.l1.misses"), WARPS * CENTRE_LINES);
}

/* With two each they are more: least recently used lines go before they are needed again. Unlimited, the lanes' current
 * lines alone are more than the L1 has. */
Test(kmeans, with_two_warps_a_scheduler_lines_miss_again)
{
	double two = value_of("swt:2", "buffer.point.l1.misses"), all = value_of("none", "buffer.point.l1.misses");

	cr_expect_gt(two, 1.5 * POINT_LINES);
	cr_expect_gt(all, CENTRES * POINT_LINES);
	cr_expect_gt(all, two);
}

Test(kmeans, and_so_a_warp_a_scheduler_is_fastest)
{
	double one = value_of("swt:1", "cycles");

	cr_expect_lt(one, value_of("swt:2", "cycles"));
	cr_expect_lt(one, value_of("none", "cycles"));
}
