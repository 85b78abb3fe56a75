/* malloc and free in kernels: a heap of 8 MiB (CUDA's default), NULL when it is full, blocks that do not overlap. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/heap.h"
#include "support/ptx.h"
#include "support/random.h"

#define HEAD ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n"
#define MALLOC(bytes)                                                                                                              \
	"{\n.param .b64 a;\nst.param.b64 [a], " bytes ";\n.param .b64 b;\ncall.uni (b), malloc, (a);\nld.param.b64 %rd5, "         \
	"[b];\n}\n"
#define FREE(address) "{\n.param .b64 a;\nst.param.b64 [a], " address ";\ncall.uni free, (a);\n}\n"
#define LANE	      "mov.u32 %r1, %tid.x;\nld.param.u64 %rd2, [out];\nmad.wide.u32 %rd2, %r1, 8, %rd2;\n"

static void run(struct ptx_try *t, const char *body, uint32_t threads)
{
	const uint32_t grid[3] = {1, 1, 1}, block[3] = {threads, 1, 1};

	ptx_try_run(t, HEAD, body, grid, block, NULL, 0, NULL);
}

static uint64_t out(const struct ptx_try *t, uint32_t i)
{
	uint64_t v;

	memcpy(&v, (const uint8_t *)ptx_try_out(t) + 8 * i, sizeof v);
	return v;
}

/* Every thread writes its number all over its own block; nobody's is written by another. */
Test(ptx_heap, threads_have_blocks_of_their_own)
{
	static const char body[] = LANE "add.u32 %r2, %r1, 1;\nmul.wide.u32 %rd6, %r2, 4;\n" MALLOC(
		"%rd6") "mov.u32 %r3, 0;\nmov.u64 %rd7, %rd5;\n"
			"W: st.u32 [%rd7], %r1;\nadd.u64 %rd7, %rd7, 4;\nadd.u32 %r3, %r3, 1;\nsetp.lt.u32 %p1, %r3, %r2;\n@%p1 "
			"bra W;\n"
			"bar.sync 0;\nmov.u32 %r4, 0;\nR: sub.u64 %rd7, %rd7, 4;\nld.u32 %r5, [%rd7];\nadd.u32 %r4, %r4, %r5;\n"
			"setp.gt.u64 %p1, %rd7, %rd5;\n@%p1 bra R;\n" FREE("%rd5") FREE("0") "cvt.u64.u32 %rd8, %r4;\n"
											     "st.global.u64 [%rd2], %rd8;\n";
	struct ptx_try t;

	run(&t, body, 200);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (uint32_t i = 0; i < 200; i++)
		cr_assert_eq(out(&t, i), (uint64_t)i * (i + 1), "thread %u", i);
	ptx_try_free(&t);
}

/* 8 threads of 1 MiB fit, and the ninth gets NULL; once all have given theirs back, 8 MiB fit as one. */
Test(ptx_heap, a_full_heap_gives_null)
{
	static const char body[] = LANE MALLOC("1048576") "st.global.u64 [%rd2], %rd5;\n" FREE(
		"%rd5") "setp.ne.u32 %p1, %r1, 0;\n"
			"@%p1 bra END;\n" MALLOC("8388609") "mov.u64 %rd6, %rd5;\n" MALLOC(
				"8388608") "st.global.u64 [%rd2+80], %rd6;\n"
					   "st.global.u64 [%rd2+88], %rd5;\nEND:\n";
	struct ptx_try t;

	run(&t, body, 9);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	for (uint32_t i = 0; i < 8; i++)
		cr_assert_eq(out(&t, i), out(&t, 0) + ((uint64_t)i << 20), "thread %u", i);
	cr_assert_neq(out(&t, 0), 0);
	cr_assert_eq(out(&t, 8), 0);
	cr_assert_eq(out(&t, 10), 0);
	cr_assert_eq(out(&t, 11), out(&t, 0));
	ptx_try_free(&t);
}

Test(ptx_heap, what_malloc_has_not_given_cannot_be_freed)
{
	static const char *const bodies[] = {LANE FREE("%rd2"), LANE MALLOC("100") FREE("%rd5") FREE("%rd5"),
					     LANE MALLOC("100") "add.u64 %rd5, %rd5, 16;\n" FREE("%rd5")};

	for (int i = 0; i < 3; i++) {
		struct ptx_try t;

		run(&t, bodies[i], 1);
		cr_assert_eq(t.result, -1);
		cr_assert(strstr(t.e.text, "which malloc has not given or which has been freed") && strstr(t.e.text, "test.ptx:"),
			  "%s", t.e.text);
		ptx_try_free(&t);
	}
}

/* Requests and returns in random order: no two blocks overlap, and in the end all is one range again. */
Test(ptx_heap, blocks_never_overlap)
{
	struct memory m = {0};
	struct err e = {""};
	uint64_t seed = 5;
	struct {
		uint64_t at, bytes;
	} live[64] = {{0, 0}};
	uint64_t whole = 1 << 16;

	cr_assert_eq(heap_add(&m, whole, &e), 0);
	for (int step = 0; step < 20000; step++) {
		unsigned i = (unsigned)random_below(&seed, 64);
		uint64_t bytes = random_below(&seed, 3000);

		cr_assert(heap_give(&m, live[i].at));
		live[i].at = heap_take(&m, bytes);
		live[i].bytes = bytes;
		cr_assert_eq(live[i].at % 16, 0);
		for (unsigned k = 0; k < 64 && live[i].at; k++)
			cr_assert(k == i || !live[k].at || live[k].at + live[k].bytes <= live[i].at ||
				  live[i].at + bytes <= live[k].at);
	}
	for (unsigned i = 0; i < 64; i++)
		cr_assert(heap_give(&m, live[i].at));
	cr_assert_neq(heap_take(&m, whole), 0);
	memory_free(&m);
}

/* A larger heap is a buffer more; the lowest place still comes first, and what is in one is not in the other. */
Test(ptx_heap, grows_by_a_buffer)
{
	struct memory m = {.n = 0};
	struct err e = {""};
	uint64_t first, second;

	cr_assert_not(heap_is_there(&m));
	cr_assert_eq(heap_add(&m, 1024, &e), 0);
	cr_assert(heap_is_there(&m));
	cr_expect_eq(heap_grow(&m, 512, &e), 0);
	cr_expect_eq(m.n, 1);
	first = heap_take(&m, 1024);
	cr_expect_eq(first, m.buffer[0].base);
	cr_expect_eq(heap_take(&m, 16), 0);
	cr_assert_eq(heap_grow(&m, 4096, &e), 0);
	cr_assert_eq(m.n, 2);
	second = heap_take(&m, 4096);
	cr_expect_eq(second, m.buffer[1].base);
	cr_expect_eq(heap_take(&m, 16), 0);
	cr_expect(heap_give(&m, first) && heap_give(&m, second));
	cr_expect_eq(heap_take(&m, 2048), second);
	cr_expect_eq(heap_take(&m, 16), first);
	memory_free(&m);
}
