/* 963: the record of a CUDA program that uses streams (tests/cuda/order.cu) says of each launch which ones come before
 * it, worked out by hand from CUDA's rules; its launches run at the same time where the machine has it so. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>

#include "support/program.h"
#include "trace/trace.h"

enum { MOST = 32 };

static void build(void)
{
	struct program p = program_run("locus nvcc tests/cuda/order.cu -o %s/order", program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}

static struct trace *record(const char *options)
{
	struct program p =
		program_run("locus cuda --only-execute %s --record %s/r.ltrace %s/order", options, program_tmp(), program_tmp());
	struct err e = {""};
	char path[512];
	struct trace *t;

	cr_assert_eq(p.status, 0, "%s%s", p.out, p.err);
	program_free(&p);
	snprintf(path, sizeof path, "%s/r.ltrace", program_tmp());
	t = trace_open(path, &e);
	cr_assert_not_null(t, "%s", e.text);
	return t;
}

/* Those that come before launch i, as bits. */
static uint32_t before(const struct trace *t, uint32_t i)
{
	const struct trace_launch *l = trace_launch(t, i);
	uint32_t set = 0;

	for (uint32_t b = 0; b < l->below; b++)
		set |= UINT32_C(1) << b;
	for (uint32_t w = 0; w < l->n_waits; w++)
		set |= UINT32_C(1) << trace_waits(t, l)[w] | before(t, trace_waits(t, l)[w]);
	return set;
}

static void expect(const struct trace *t, const uint32_t *want, uint32_t n)
{
	cr_assert_eq(trace_n_launches(t), n);
	for (uint32_t i = 0; i < n; i++)
		cr_expect_eq(before(t, i), want[i], "launch %u: %#x, not %#x", i, before(t, i), want[i]);
}

#define BIT(n)	 (UINT32_C(1) << (n))
#define BELOW(n) (BIT(n) - 1)

Test(cuda_streams, say_what_each_launch_comes_after, .init = build)
{
	static const uint32_t want[] = {
		0,
		0,
		0,
		BIT(0) | BIT(1),
		BIT(0) | BIT(1) | BIT(3),
		BIT(2),
		BELOW(6),
		BIT(0) | BIT(1) | BIT(3),
		BIT(0) | BIT(1) | BIT(3) | BIT(4) | BIT(7),
		BELOW(8),
		BIT(0) | BIT(1) | BIT(3) | BIT(4) | BIT(7) | BIT(8),
		BELOW(11),
		BIT(0) | BIT(1) | BIT(3) | BIT(4) | BIT(7) | BIT(8) | BIT(10),
		BIT(0) | BIT(1) | BIT(3) | BIT(4) | BIT(7) | BIT(8) | BIT(10),
		BELOW(14),
		BELOW(14),
		BELOW(14),
		BELOW(14) | BIT(15),
		BELOW(18),
		BELOW(18),
		BELOW(18) | BIT(19),
		BELOW(18) | BIT(19) | BIT(20),
	};
	struct trace *t = record("");

	expect(t, want, sizeof want / sizeof *want);
	trace_close(t);
}

/* Launches 0, 1, 2, 4 and 6: 4 comes after the default stream's launch, and so after 0 and 1, though that one is left
 * out. */
Test(cuda_streams, hand_on_what_is_not_recorded, .init = build)
{
	static const uint32_t want[] = {0, 0, 0, BIT(0) | BIT(1), BELOW(4)};
	struct trace *t = record("--kernels 0:2,4,6");

	expect(t, want, sizeof want / sizeof *want);
	trace_close(t);
}

/* The long kernel takes as long as alone, the short one a tenth of it: it does not wait. In turns it ends behind the
 * long one. */
Test(cuda_streams, are_timed_each_by_itself, .init = build)
{
	for (int most = 1; most <= 2; most++) {
		struct program p = program_run("locus cuda --machine gtx480 --set launch.concurrent=%d --time eager %s/order times",
					       most, program_tmp());
		double ms[2];

		cr_assert_eq(p.status, 0, "%s%s", p.out, p.err);
		cr_assert_eq(sscanf(p.out, "long %lf ms, short %lf ms", &ms[0], &ms[1]), 2, "%s", p.out);
		if (most == 2)
			cr_expect(ms[1] > 0.08 * ms[0] && ms[1] < 0.12 * ms[0], "%f and %f", ms[0], ms[1]);
		else
			cr_expect(ms[1] > 1.08 * ms[0] && ms[1] < 1.12 * ms[0], "%f and %f", ms[0], ms[1]);
		program_free(&p);
	}
}
