/* Random control flow, reducible or not: a warp of 32 lanes must leave what 32 warps of one lane leave, which never
 * diverge. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/ptx.h"
#include "support/random.h"

enum { BLOCKS = 12, THREADS = 64, PROGRAMS = 150 };

struct generator {
	uint64_t state;
	char text[16384];
	size_t n;
};

static uint32_t pick(struct generator *g, uint32_t below)
{
	return (uint32_t)random_below(&g->state, below);
}

static void add(struct generator *g, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
static void add(struct generator *g, const char *fmt, ...)
{
	va_list ap;

	va_start(ap, fmt);
	g->n += (size_t)vsnprintf(g->text + g->n, sizeof g->text - g->n, fmt, ap);
	va_end(ap);
}

/* %r2: a value that each block mixes; %r3: how many more blocks the thread may enter. */
static void make_block(struct generator *g, unsigned b)
{
	add(g, "B%u: mad.lo.u32 %%r2, %%r2, %u, %u;\nsub.u32 %%r3, %%r3, 1;\nsetp.eq.u32 %%p1, %%r3, 0;\n", b,
	    pick(g, 1000) * 2 + 3, pick(g, 99999));
	if (pick(g, 2))
		add(g, "@%%p1 bra END;\n");
	else
		add(g, "@!%%p1 bra C%u;\nst.global.u32 [%%rd2], %%r2;\nexit;\nC%u:\n", b, b);
	if (pick(g, 3) == 0) /* a guarded instruction, and now and then a guarded end */
		add(g, "shr.u32 %%r4, %%r2, %u;\nsetp.lt.u32 %%p3, %%r4, 9;\n@%%p3 xor.b32 %%r2, %%r2, %u;\n%s", pick(g, 20),
		    pick(g, 9999), pick(g, 4) ? "" : "@%p3 bra END;\n");
	add(g, "shr.u32 %%r4, %%r2, %u;\nand.b32 %%r4, %%r4, %u;\nsetp.%s.u32 %%p2, %%r4, 0;\n@%%p2 bra B%u;\n", 5 + pick(g, 20),
	    pick(g, 4), pick(g, 2) ? "eq" : "ne", pick(g, BLOCKS));
	if (pick(g, 3) == 0)
		add(g, "bra B%u;\n", pick(g, BLOCKS));
}

static void make(struct generator *g, uint64_t seed)
{
	g->state = seed;
	g->n = 0;
	add(g, "ld.param.u64 %%rd2, [out];\nmov.u32 %%r1, %%tid.x;\nmov.u32 %%r5, %%ctaid.x;\nmov.u32 %%r6, %%ntid.x;\n"
	       "mad.lo.u32 %%r1, %%r5, %%r6, %%r1;\nmul.wide.u32 %%rd3, %%r1, 4;\nadd.s64 %%rd2, %%rd2, %%rd3;\n"
	       "mul.lo.u32 %%r2, %%r1, 2654435761;\nand.b32 %%r3, %%r1, 31;\nadd.u32 %%r3, %%r3, 40;\n");
	for (unsigned b = 0; b < BLOCKS; b++)
		make_block(g, b);
	add(g, "bra B0;\nEND: st.global.u32 [%%rd2], %%r2;\n");
}

Test(ptx_divergence, any_control_flow_gives_what_lanes_give_alone)
{
	static const uint32_t one[3] = {1, 1, 1}, many[3] = {THREADS, 1, 1};
	struct generator g;

	for (uint64_t seed = 1; seed <= PROGRAMS; seed++) {
		struct ptx_try together, alone;

		make(&g, seed * 7919);
		ptx_try_run(&together, "", g.text, one, many, NULL, 0, NULL);
		cr_assert_eq(together.result, 0, "seed %llu: %s", (unsigned long long)seed, together.e.text);
		ptx_try_run(&alone, "", g.text, many, one, NULL, 0, NULL);
		cr_assert_eq(alone.result, 0, "seed %llu: %s", (unsigned long long)seed, alone.e.text);
		for (unsigned i = 0; i < THREADS; i++)
			cr_assert_eq(ptx_try_out(&together)[i], ptx_try_out(&alone)[i], "seed %llu, thread %u:\n%s",
				     (unsigned long long)seed, i, g.text);
		ptx_try_free(&together);
		ptx_try_free(&alone);
	}
}
