/* 903: results that differ from the reference are found, counted and named. */
#include <criterion/criterion.h>
#include <math.h>
#include <string.h>

#include "workload/program.h"
#include "workload/random.h"

static struct host *new_host(void)
{
	struct host_options o = {0};
	struct err e = {""};
	struct host *h = host_new(&o, &e);

	cr_assert_not_null(h, "%s", e.text);
	return h;
}

static int check_one(float got, float want, float rel_tol)
{
	struct host *h = new_host();
	struct err e = {""};
	uint64_t addr;
	int rc;

	*host_alloc_f32(h, "C", 1, &addr, &e) = got;
	rc = host_check_f32(h, "C", addr, &want, 1, rel_tol, &e);
	cr_assert_eq(host_differs(h), rc != 0);
	cr_assert_eq(e.text[0] != '\0', rc != 0);
	host_free(h);
	return rc;
}

Test(result_checks, the_tolerance_is_tight_on_both_sides)
{
	/* 0.5 and 1/1024 are exact, so is their product. */
	cr_expect_eq(check_one(0.5f + 0x1p-11f, 0.5f, 0x1p-10f), 0);
	cr_expect_eq(check_one(0.5f - 0x1p-11f, 0.5f, 0x1p-10f), 0);
	cr_expect_eq(check_one(0.5f + 0x1p-11f + 0x1p-24f, 0.5f, 0x1p-10f), -1);
	cr_expect_eq(check_one(0.5f - 0x1p-11f - 0x1p-24f, 0.5f, 0x1p-10f), -1);
	cr_expect_eq(check_one(-0.5f, 0.5f, 0x1p-10f), -1);
	cr_expect_eq(check_one(0x1p-149f, 0, 0.5f), -1, "a reference of 0 leaves no room");
}

Test(result_checks, what_is_not_finite_agrees_with_itself_at_most)
{
	cr_expect_eq(check_one(NAN, 1, 1), -1);
	cr_expect_eq(check_one(1, NAN, 1), -1);
	cr_expect_eq(check_one(NAN, NAN, 1), -1);
	cr_expect_eq(check_one(INFINITY, INFINITY, 0), 0);
	cr_expect_eq(check_one(-INFINITY, INFINITY, 1), -1);
	cr_expect_eq(check_one(1, INFINITY, 1), -1);
	cr_expect_eq(check_one(INFINITY, 1, 1), -1);
}

Test(result_checks, the_first_difference_is_shown_and_the_others_counted)
{
	struct host *h = new_host();
	const float want[4] = {1, 4.25f, 3, 4};
	struct err e = {""};
	uint64_t addr;
	float *v = host_alloc_f32(h, "C", 4, &addr, &e);

	host_describe(h, "syrk %dx%d", 2, 2);
	v[0] = 1, v[1] = 3.5f, v[2] = 3, v[3] = 5;
	cr_expect_eq(host_check_f32(h, "C", addr, want, 4, 0, &e), -1);
	cr_expect_str_eq(e.text, "syrk 2x2: C[1] is 3.5, the reference says 4.25 (and 1 more differ)");
	host_free(h);
}

Test(result_checks, doubles_may_differ_by_an_absolute_tolerance)
{
	static const double want[3] = {0, -1, 1};
	struct host *h = new_host();
	struct err e = {""};
	uint64_t addr = host_alloc(h, "force", sizeof want, &e);
	double *v = host_bytes(h, addr, sizeof want);

	v[0] = 0x1p-10, v[1] = -1 - 0x1p-10, v[2] = 1 - 0x1p-10;
	cr_expect_eq(host_check_f64(h, "force", addr, want, 3, 0x1p-10, &e), 0, "%s", e.text);
	v[1] = -1 - 0x1p-10 - 0x1p-50;
	v[2] = NAN;
	cr_expect_eq(host_check_f64(h, "force", addr, want, 3, 0x1p-10, &e), -1);
	cr_expect_str_eq(e.text, "force[1] is -1.0009765625000009, the reference says -1 (and 1 more differ)");
	host_free(h);
}

Test(result_checks, whole_numbers_must_be_equal)
{
	struct host *h = new_host();
	const uint32_t want[3] = {1, 2, 4000000000};
	struct err e = {""};
	uint64_t addr;
	uint32_t *v = host_alloc_u32(h, "level", 3, &addr, &e);

	memcpy(v, want, sizeof want);
	cr_expect_eq(host_check_u32(h, "level", addr, want, 3, &e), 0);
	cr_expect_not(host_differs(h));
	v[2]++;
	cr_expect_eq(host_check_u32(h, "level", addr, want, 3, &e), -1);
	cr_expect(host_differs(h));
	cr_expect_str_eq(e.text, "level[2] is 4000000001, the reference says 4000000000");
	host_free(h);
}

Test(result_checks, sums_stay_within_the_stated_tolerance_and_use_it)
{
	/* 1 + 2^-24 rounds to 1: adding that n times loses n 2^-24, close to all that the bound allows. */
	const uint64_t n = 1000;
	float sum = 1;

	for (uint64_t i = 0; i < n; i++)
		sum += 0x1p-24f;
	cr_expect_eq(check_one(sum, (float)(1 + (double)n * 0x1p-24), host_sum_tolerance(n)), 0);
	cr_expect_eq(check_one(sum, (float)(1 + (double)n * 0x1p-24), host_sum_tolerance(n / 2)), -1);
}

Test(result_checks, stores_change_memory_by_their_size)
{
	struct host *h = new_host();
	struct err e = {""};
	uint64_t addr;
	uint32_t *v = host_alloc_u32(h, "v", 2, &addr, &e);

	v[0] = v[1] = 0xffffffff;
	host_store(h, addr + 1, 2, 0xabcd1234);
	cr_expect_eq(v[0], 0xff1234ffu);
	cr_expect_eq(v[1], 0xffffffffu);
	host_store(h, addr, 8, UINT64_C(0x1122334455667788));
	cr_expect_eq(v[0], 0x55667788u);
	cr_expect_eq(v[1], 0x11223344u);
	host_free(h);
}

Test(result_checks, a_buffer_of_no_bytes_or_too_many_is_refused)
{
	struct host *h = new_host();
	struct err e = {""};
	uint64_t addr;

	cr_expect_eq(host_alloc(h, "none", 0, &e), 0);
	cr_expect_neq(e.text[0], '\0');
	e.text[0] = '\0';
	cr_expect_null(host_alloc_f32(h, "huge", UINT64_MAX / 2, &addr, &e));
	cr_expect_neq(e.text[0], '\0');
	host_free(h);
}

Test(random, is_splitmix64)
{
	/* The published sequence for the seed 1234567 (Rosetta Code, "Pseudo-random numbers/Splitmix64"). */
	static const uint64_t want[] = {UINT64_C(6457827717110365317), UINT64_C(3203168211198807973), UINT64_C(9817491932198370423),
					UINT64_C(4593380528125082431), UINT64_C(16408922859458223821)};
	struct host_random r = {1234567};

	for (unsigned i = 0; i < 5; i++)
		cr_expect_eq(host_random_u64(&r), want[i], "number %u", i);
}

Test(random, floats_and_bounded_numbers_stay_in_their_range_and_fill_it)
{
	struct host_random r = {1};
	unsigned seen = 0;
	double sum = 0;

	for (unsigned i = 0; i < 10000; i++) {
		float f = host_random_f32(&r);
		uint32_t below = host_random_below(&r, 7);

		cr_assert(f >= 0 && f < 1);
		cr_assert_lt(below, 7u);
		seen |= 1u << below;
		sum += f;
	}
	cr_expect_eq(seen, 0x7fu);
	/* Mean of 10,000 uniform numbers: deviation 0.0029; six of them. */
	cr_expect_float_eq(sum / 10000, 0.5, 6 * 0.0029);
}
