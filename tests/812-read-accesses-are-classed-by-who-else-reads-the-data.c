/* 812: PAVER's Figure 2 for kernels of two CTAs of two warps that read one thing each, and for workloads with a closed
 * form. */
#include <criterion/criterion.h>

#include "locality/locality_shares.h"
#include "support/ptx.h"
#include "support/plan_rig.h"

static struct locality_shares shares_of(const char *index, bool lines)
{
	const uint32_t grid[3] = {2, 1, 1}, block[3] = {64, 1, 1}, in[1] = {0};
	struct locality_shares s;
	struct trace_writer *w;
	struct trace *trace;
	struct ptx_try t;
	struct err e = {""};
	char body[1024];

	snprintf(body, sizeof body,
		 "ld.param.u64 %%rd1, [in];\nmov.u32 %%r1, %%tid.x;\nmov.u32 %%r2, %%ctaid.x;\n%s\nmul.wide.u32 %%rd2, %%r5, 4;\n"
		 "add.s64 %%rd3, %%rd1, %%rd2;\nld.global.u32 %%r6, [%%rd3];\nret;",
		 index);
	w = trace_writer_new(&(struct trace_options){.name = "shares"}, &e);
	ptx_try_run(&t, "", body, grid, block, in, 1, w);
	cr_assert_eq(t.result, 0, "%s: %s", index, t.e.text);
	trace = trace_writer_finish(w, &e);
	cr_assert_not_null(trace, "%s", e.text);
	cr_assert_eq(locality_shares(&s, trace, 0, lines, &e), 0, "%s", e.text);
	trace_close(trace);
	ptx_try_free(&t);
	return s;
}

Test(shares, data_is_of_warps_and_of_ctas)
{
	struct locality_shares s = shares_of("mad.lo.u32 %r5, %r2, 64, %r1;", false);

	cr_expect(s.unshared == 128 && s.total == 128); /* all apart */
	cr_expect_str_eq(locality_class(&s), "none");
	s = shares_of("and.b32 %r3, %r1, 31;\nmad.lo.u32 %r5, %r2, 32, %r3;", false);
	cr_expect(s.intra == 128 && s.total == 128); /* the warps of a CTA the same */
	cr_expect_str_eq(locality_class(&s), "none");
	s = shares_of("mov.u32 %r5, %r1;", false);
	cr_expect(s.inter == 128 && s.total == 128); /* the CTAs the same, their warps apart */
	cr_expect_str_eq(locality_class(&s), "high");
	s = shares_of("and.b32 %r5, %r1, 31;", false);
	cr_expect(s.both == 128 && s.total == 128); /* all the same */
	s = shares_of("mov.u32 %r5, 9;", false);
	cr_expect(s.both == 4 && s.total == 4); /* lanes that read together are one access */
	s = shares_of("mad.lo.u32 %r5, %r2, 64, %r1;", true);
	cr_expect(s.unshared == 4 && s.total == 4); /* a line a warp */
	s = shares_of("shr.u32 %r3, %r1, 1;\nmad.lo.u32 %r5, %r2, 32, %r3;", true);
	cr_expect(s.intra == 4 && s.total == 4); /* a line a CTA */
}

/* A thread of atax's first kernel goes along a row of its own, and all threads along x: 32 elements and one for each
 * step of a warp. */
Test(shares, are_those_of_the_closed_form)
{
	struct locality_shares s;
	struct plan_rig r;
	struct err e = {""};

	plan_rig_init(&r, 1, 1, "atax", (const char *const[]){"rows=512", "cols=512", NULL});
	cr_assert_eq(locality_shares(&s, r.s.trace, 0, false, &e), 0, "%s", e.text);
	cr_expect_float_eq(s.unshared / s.total, 32.0 / 33, 1e-12);
	cr_expect_float_eq(s.both / s.total, 1.0 / 33, 1e-12);
	plan_rig_free(&r);
	plan_rig_init(&r, 1, 1, "matmul", (const char *const[]){"n=64", NULL});
	cr_assert_eq(locality_shares(&s, r.s.trace, 0, false, &e), 0, "%s", e.text);
	cr_expect_eq(s.inter, s.total); /* a CTA reads each element of its tiles once */
	plan_rig_free(&r);
}
