/* 294: intrinsics, atomics and functions of warps, as `locus nvcc` compiles them and the executor runs them. What they
 * give is said by the CUDA Math API and the programming guide, and worked out by hand from there. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"
#include "workload/program.h"

static struct host *h;

static struct host *opened(const char *source)
{
	struct program p = program_run("locus nvcc -arch=sm_80 -ptx tests/cuda/%s.cu -o %s/%s.ptx", source, program_tmp(), source);
	struct host_options o = {0};
	struct err e = {""};
	struct host *host;
	char path[4200];

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	snprintf(path, sizeof path, "%s/%s.ptx", program_tmp(), source);
	o.ptx_path = path;
	host = host_new(&o, &e);
	cr_assert(host && host_args_done(host, &e) == 0, "%s", e.text);
	return host;
}

static void begin(void)
{
	h = opened("intrinsics");
}
static void end(void)
{
	host_free(h);
}

static void launch(const char *kernel, uint32_t threads, unsigned n, const struct host_arg *args)
{
	struct err e = {""};

	cr_assert_eq(host_launch(h, kernel, (struct host_dim){1, 1, 1}, (struct host_dim){threads, 1, 1}, 0, n, args, &e), 0, "%s",
		     e.text);
}

Test(device_functions, whole_numbers_and_bits, .init = begin, .fini = end)
{
	static const uint32_t want[] = {
		8, 32,	       31, 32, 63,	   9,	0,   41,	 0x80000000, 0x80000000, 0x00224466, 0x28,	 0x28000000,
		3, 0xffffffff, 3,  15, 0xfffffff1, 107, 113, 0xfffffffc, 0xfffffffd, 0xfffffffe, 0x02008081, 0x01fe0101, 0x00000001,
	};
	uint64_t addr;
	uint32_t *got = host_alloc_u32(h, "out", 64, &addr, NULL);
	struct host_arg args[] = {host_u64(addr)};

	launch("bits", 1, 1, args);
	for (unsigned i = 0; i < sizeof want / sizeof want[0]; i++)
		cr_expect_eq(got[i], want[i], "result %u: 0x%x, not 0x%x", i, got[i], want[i]);
}

Test(device_functions, floats_rounded_as_named, .init = begin, .fini = end)
{
	static const float want[] = {
		1.0f,		0x1.000002p0f,	-0x1.000002p0f, -1.0f,		0x1.000006p0f, /* 1 + 2^-22 + 2^-46 */
		0x1.555554p-2f, 0x1.555556p-2f, 0x1.6a09e6p0f,	0x1.555556p-2f, 0x1p-22f + 0x1p-46f,
		1.0f,		0.0f,		2.0f,		-2.0f,		-2.0f,
		-3.0f,		4.0f,		0.0f,		0x1000002, /* 24 bits of 0x1000003 */
		0x1000002,	3.14159274f,	3.0f,		0x40080000,	2.0f,
		2.0f,		3.0f,		-2.0f,		0.25f,		1.0f,
		1.0f,		1.0f,	  /* 1 + 2^-11 is halfway; to even */
		1.0009765625f,		  /* 1 + 2^-10 */
		1.5f,		INFINITY, /* the largest half is 65504; 65520 is halfway to 2^16 */
		0.75f,		4.0f,		-0.25f,		-3.0f,		-1.0f, /* 29 - 10 * 3 */
		2.0f,								       /* 10 mod 8 */
		1.0f,		0.0f,		18.0f,		3.0f,		27.0f,
	};
	uint64_t addr;
	float *got = host_alloc_f32(h, "out", 64, &addr, NULL);
	struct host_arg args[] = {host_u64(addr)};

	launch("floats", 1, 1, args);
	for (unsigned i = 0; i < sizeof want / sizeof want[0]; i++)
		cr_expect(got[i] == want[i], "result %u: %a, not %a", i, (double)got[i], (double)want[i]);
}

Test(device_functions, lanes_of_a_warp_together, .init = begin, .fini = end)
{
	uint64_t addr;
	uint32_t *got = host_alloc_u32(h, "out", 1024, &addr, NULL), threes[2] = {0, 0}, fives = 0;
	struct host_arg args[] = {host_u64(addr)};

	launch("warps", 64, 1, args);
	for (unsigned i = 0; i < 64; i++) {
		threes[i / 32] |= (uint32_t)(i % 3 == 0) << i % 32;
		fives += i % 5 == 0;
	}
	for (unsigned i = 0; i < 64; i++) {
		unsigned lane = i % 32, up = lane < 2 ? i : i - 2, down = lane % 8 < 4 ? i + 4 : i;

		cr_expect_eq(got[i], threes[i / 32]);
		cr_expect_eq(got[64 + i], up * 1000 + down, "thread %u: %u", i, got[64 + i]);
		cr_expect_eq(got[128 + i], i < 32 ? 1 : 2);
		cr_expect_eq(got[192 + i], 0xffu << lane / 8 * 8);
		cr_expect_eq(got[256 + i], (i < 32 ? 31 * 16 : 31 * 16 + 32 * 32) + 31);
		cr_expect_eq(got[320 + i], fives + 100);
		cr_expect_eq(got[384 + i], 63 - i + i / 32 * 32 + 3);
		cr_expect_eq(got[448 + i], lane < 5 ? 0x1f : 0);
	}
}

Test(device_functions, atomics_of_all_types, .init = begin, .fini = end)
{
	uint64_t o, l, f, d;
	uint32_t *got = host_alloc_u32(h, "o", 16, &o, NULL);
	uint64_t *longs = (uint64_t *)(void *)host_alloc_u32(h, "l", 16, &l, NULL);
	float *floats = host_alloc_f32(h, "f", 4, &f, NULL);
	double *doubles = (double *)(void *)host_alloc_u32(h, "d", 4, &d, NULL);
	struct host_arg args[] = {host_u64(o), host_u64(l), host_u64(f), host_u64(d)};

	got[1] = 100;
	got[4] = 3;
	got[5] = 3;
	got[8] = 0xffffffff;
	got[10] = 0x00071234;
	longs[1] = (uint64_t)-1000;
	launch("atomics", 64, 4, args);
	cr_expect_eq(got[0], 2016);
	cr_expect_eq(got[1], 36);
	cr_expect_eq(got[2], 63);
	cr_expect_eq(got[3], (uint32_t)-63);
	cr_expect_eq(got[4], 7); /* (3 + 64) mod 10 */
	cr_expect_eq(got[5], 9); /* (3 - 64) mod 10 */
	cr_expect_eq(got[6], 0xffffffff);
	cr_expect_eq(got[7], 0); /* each bit an even number of times */
	cr_expect_eq(got[8], 0xffffffc0);
	cr_expect_eq(got[9], 128);
	cr_expect_eq(got[10], 0x00471234);
	cr_expect_eq(got[11], 69);
	cr_expect_eq(longs[0], UINT64_C(64) << 32);
	cr_expect_eq(longs[1], (uint64_t)-37);
	cr_expect_eq(longs[2], 77);
	cr_expect_eq(floats[0], 32.0f);
	cr_expect_eq(doubles[0], 16.0);
}

Test(device_functions, overloads_for_floats_are_their_functions, .init = begin, .fini = end)
{
	uint64_t addr;
	float *got = host_alloc_f32(h, "out", 1, &addr, NULL);
	struct host_arg args[] = {host_u64(addr)};

	got[0] = 1;
	launch("overloads", 1, 1, args);
	cr_expect_eq(got[0], 0, "%g", (double)got[0]);
}
