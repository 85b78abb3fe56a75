/* 960: a CUDA program need not wait for its launches (tests/cuda/ahead.cu), and sees no other results for it: what CUDA
 * lets it ask, it asks behind them. Buffers that were given back are found again by kind and size. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "cuda/device_released.h"
#include "support/program.h"

static void build(void)
{
	struct program p = program_run("locus nvcc tests/cuda/ahead.cu -o %s/ahead", program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}

Test(launches_ahead, are_done_when_the_program_asks, .init = build)
{
	static const char said[] = "handed over ahead\nkernel: 1\nhost: 1\nkernel: 2\nhost: 2\nahead: passed\n";
	struct program p = program_run("locus cuda --only-execute --machine titanv %s/ahead", program_tmp());

	cr_expect_eq(p.status, 0, "%d: %s%s", p.status, p.out, p.err);
	cr_expect_eq(strncmp(p.out, said, sizeof said - 1), 0, "%s", p.out);
	program_free(&p);
}

Test(launches_ahead, that_fail_are_told_to_all_later_calls, .init = build)
{
	struct program p = program_run("locus cuda --machine titanv %s/ahead late", program_tmp());

	cr_expect_eq(p.status, 2, "%d: %s", p.status, p.out);
	cr_expect(strstr(p.out, "ahead: passed\n"), "%s", p.out);
	cr_expect(strstr(p.err, "reads 4 bytes at 0x7f0000001000"), "%s", p.err);
	program_free(&p);
}

/* What is on its way when the program ends is executed all the same. */
Test(launches_ahead, of_a_program_that_ends_are_executed, .init = build)
{
	struct program p = program_run("locus cuda --only-execute --machine titanv %s/ahead leave", program_tmp());
	unsigned launches = 0;
	const char *row = strstr(p.out, "  launches ");

	cr_expect_eq(p.status, 0, "%d: %s%s", p.status, p.out, p.err);
	cr_expect(row && sscanf(row, " launches %u", &launches) == 1 && launches == 100, "%s", p.out);
	program_free(&p);
}

/* The highest number first, of the same kind and size alone. */
Test(released_buffers, are_found_by_kind_and_size)
{
	static const uint32_t given[] = {3, 9, 1, 7, 5, 2, 8, 4, 6};
	struct device_released *r = NULL;

	cr_expect_eq(device_released_take(r, WIRE_DEVICE, 64), -1);
	for (unsigned i = 0; i < 9; i++)
		device_released_put(&r, WIRE_DEVICE, 64, given[i]);
	device_released_put(&r, WIRE_HOST, 64, 20);
	device_released_put(&r, WIRE_DEVICE, 65, 30);
	for (int want = 9; want > 4; want--)
		cr_expect_eq(device_released_take(r, WIRE_DEVICE, 64), want);
	device_released_put(&r, WIRE_DEVICE, 64, 11);
	cr_expect_eq(device_released_take(r, WIRE_DEVICE, 64), 11);
	for (int want = 4; want; want--)
		cr_expect_eq(device_released_take(r, WIRE_DEVICE, 64), want);
	cr_expect_eq(device_released_take(r, WIRE_DEVICE, 64), -1);
	cr_expect_eq(device_released_take(r, WIRE_HOST, 64), 20);
	cr_expect_eq(device_released_take(r, WIRE_DEVICE, 65), 30);
	device_released_free(&r);
	cr_expect_null(r);
}
