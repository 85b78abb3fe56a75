/* 310: occupancy: which of the five limits says how many CTAs an SM holds. By hand from the limits of the GTX480: 8
 * CTAs, 48 warps, 1536 threads, 32768 registers in units of 64 a warp, 48 KB of shared memory. */
#include <criterion/criterion.h>

#include "machine/occupancy.h"

static struct machine gtx480(void)
{
	struct machine m;
	struct err e = {""};

	cr_assert_eq(machine_load(&m, "gtx480", "csim/machines", &e), 0, "%s", e.text);
	cr_assert_eq(machine_resolve(&m, &e), 0, "%s", e.text);
	return m;
}

Test(occupancy, the_tightest_limit_counts)
{
	static const struct {
		uint32_t warps, regs, shared, dynamic, ctas;
		enum occupancy_limit by;
	} known[] = {
		{1, 16, 0, 0, 8, OCCUPANCY_CTAS},	   {8, 16, 0, 0, 6, OCCUPANCY_WARPS},
		{16, 16, 0, 0, 3, OCCUPANCY_WARPS},	   {8, 32, 0, 0, 4, OCCUPANCY_REGISTERS}, /* 8 x 1024 */
		{8, 21, 0, 0, 5, OCCUPANCY_REGISTERS},	   /* 672 -> 704 a warp, 5632 a CTA: 5.8 */
		{2, 63, 0, 0, 8, OCCUPANCY_CTAS},	   /* 2016 -> 2048 a warp: exactly 8 */
		{2, 65, 0, 0, 7, OCCUPANCY_REGISTERS},	   /* 2080 -> 2112 a warp: 7.8 */
		{4, 10, 12288, 0, 4, OCCUPANCY_SHARED},	   /* exactly 48 KB */
		{4, 10, 12288, 1, 3, OCCUPANCY_SHARED},	   /* dynamic bytes count too */
		{4, 10, 40000, 9152, 1, OCCUPANCY_SHARED}, /* all of it */
	};
	struct machine m = gtx480();

	for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++) {
		struct trace_kernel k = {.name = (char *)"k", .regs_per_thread = known[i].regs, .shared_bytes = known[i].shared};
		struct trace_launch l = {.warps_per_cta = known[i].warps, .dynamic_shared_bytes = known[i].dynamic};
		struct occupancy o;
		struct err e = {""};

		cr_assert_eq(occupancy_of(&m, &k, &l, &o, &e), 0, "%s", e.text);
		cr_assert_eq(o.ctas, known[i].ctas, "case %u: %u", i, o.ctas);
		cr_assert_eq(o.by, known[i].by, "case %u", i);
	}
}

Test(occupancy, the_thread_limit_counts_whole_warps)
{
	struct machine m = gtx480();
	struct trace_kernel k = {.name = (char *)"k", .regs_per_thread = 8};
	struct trace_launch l = {.warps_per_cta = 10};
	struct occupancy o;
	struct err e = {""};

	m.sm.threads = 1000; /* 31 warps and a piece */
	cr_assert_eq(occupancy_of(&m, &k, &l, &o, &e), 0);
	cr_assert_eq(o.ctas, 3);
	cr_assert_eq(o.by, OCCUPANCY_THREADS);
}

Test(occupancy, a_cta_that_never_fits_is_refused_with_the_limit_the_need_and_the_room)
{
	struct machine m = gtx480();
	struct trace_kernel k = {.name = (char *)"big", .regs_per_thread = 33, .shared_bytes = 1024};
	struct trace_launch l = {.warps_per_cta = 32};
	struct occupancy o;
	struct err e = {""};

	cr_assert_eq(occupancy_of(&m, &k, &l, &o, &e), -1); /* 1056 -> 1088 registers a warp */
	cr_assert_str_eq(e.text, "kernel big: a CTA needs 34816 registers, an SM of gtx480 has 32768");
	e.text[0] = '\0';
	k.regs_per_thread = 8;
	k.shared_bytes = 49153;
	cr_assert_eq(occupancy_of(&m, &k, &l, &o, &e), -1);
	cr_assert_str_eq(e.text, "kernel big: a CTA needs 49153 bytes of shared memory, an SM of gtx480 has 49152");
}
