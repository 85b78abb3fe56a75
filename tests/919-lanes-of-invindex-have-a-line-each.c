/* 919: each lane of invindex walks along a chunk of text of its own, of 256 bytes and more: a line of 128 bytes a lane
 * is what a warp needs, 32 of the L1's 128. Two warps fit. With 16 on the SM the lines are gone before their lanes come
 * to the next byte. */
#include <criterion/criterion.h>
#include <jansson.h>

#include "support/program.h"

enum { BYTES = 256 << 10, CHUNK = 256, LINE = 128, LAUNCHES = 2 /* that read the text */ };

static double misses(const char *throttle)
{
	struct program p = program_run("locus run invindex --arg n=%d --arg chunk=%d --set sm.count=2 --set l1.assoc=full "
				       "--throttle %s --json %s/r.json >/dev/null && cat %s/r.json",
				       BYTES, CHUNK, throttle, program_tmp(), program_tmp());
	json_t *all = json_loads(p.out, 0, NULL), *v = json_object_get(json_object_get(all, "stats"), "buffer.text.l1.misses");
	double value;

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_not_null(v);
	value = json_number_value(v);
	json_decref(all);
	program_free(&p);
	return value;
}

/* A launch reads every byte, from L1s that are empty when it begins. A line misses once, or twice if a chunk ends in
 * it: there are at most BYTES / CHUNK chunks. */
Test(invindex, with_a_warp_a_scheduler_a_line_misses_once_a_chunk)
{
	double n = misses("swt:1");

	cr_expect_geq(n, LAUNCHES * BYTES / LINE);
	cr_expect_leq(n, LAUNCHES * (BYTES / LINE + BYTES / CHUNK));
}

/* Every line is missed more than ten times over by unlimited warps. */
Test(invindex, thrashes_unless_warps_are_limited)
{
	double all = misses("none"), two = misses("swt:2");

	cr_expect_gt(all, 10 * LAUNCHES * BYTES / LINE);
	cr_expect_lt(two, all / 4);
}
