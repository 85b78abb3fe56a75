/* 379: L1 and shared memory of an SM are one array, which each launch divides: qv100's 128 KB in carve-outs of 0, 8,
 * 16, 32, 64, 96 KB (CUDA C++ Programming Guide, compute capability 7.x). What a launch gets is computed by hand from
 * the CTAs that an SM holds: at most 32, 64 warps, 96 KB. That the L1 has the rest is seen by reading a ring of lines
 * twice: as many as fit all hit the second time; with one more in each of the 4 sets, by LRU, none does. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>

#include "cache/tags.h"
#include "machine/carveout.h"
#include "machine/occupancy.h"
#include "support/program.h"

enum { KB = 1024 };

static struct machine qv100(void)
{
	struct machine m;
	struct err e = {""};

	cr_assert_eq(machine_load(&m, "qv100", "csim/machines", &e), 0, "%s", e.text);
	cr_assert_eq(machine_resolve(&m, &e), 0, "%s", e.text);
	return m;
}

Test(carveout, is_the_smallest_that_holds_the_resident_ctas)
{
	static const struct {
		uint32_t warps, shared, ctas, carveout, ways;
	} known[] = {
		{1, 0, 32, 0, 256},
		{1, 256, 32, 8 * KB, 240}, /* exactly 8 KB */
		{1, 257, 32, 16 * KB, 224},
		{32, 4 * KB, 2, 8 * KB, 240},
		{32, 4 * KB + 1, 2, 16 * KB, 224},
		{32, 17 * KB, 2, 64 * KB, 128},
		{1, 12 * KB, 8, 96 * KB, 64}, /* shared memory is the limit */
		{8, 20 * KB, 4, 96 * KB, 64},
		{1, 96 * KB, 1, 96 * KB, 64},
		{1, 33 * KB, 2, 96 * KB, 64}, /* 66 KB */
	};
	struct machine m = qv100();

	for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++) {
		struct trace_kernel k = {.name = (char *)"k", .regs_per_thread = 8, .shared_bytes = known[i].shared};
		struct trace_launch l = {.warps_per_cta = known[i].warps};
		struct occupancy o;
		struct err e = {""};
		struct carveout c;

		cr_assert_eq(occupancy_of(&m, &k, &l, &o, &e), 0, "%s", e.text);
		cr_assert_eq(o.ctas, known[i].ctas, "case %u: %u CTAs", i, o.ctas);
		c = carveout_for(&m, o.shared_bytes);
		cr_assert_eq(c.shared_bytes, known[i].carveout, "case %u: %u", i, c.shared_bytes);
		cr_assert_eq(c.l1_bytes, 128 * KB - known[i].carveout);
		cr_assert_eq(c.l1_ways, known[i].ways, "case %u: %u ways", i, c.l1_ways);
	}
}

/* From compute capability 8.0 on the system takes 1 KB of each CTA: 100 KB hold 32 CTAs of 2 KB, 3 of 32 KB, not 4 of
 * 24 KB + 1 KB and no CTA of 100 KB. */
Test(carveout, the_systems_part_of_a_cta_counts)
{
	static const uint32_t known[][3] = {{2 * KB, 32, 96 * KB}, {32 * KB, 3, 99 * KB}, {24 * KB, 4, 100 * KB}};
	struct machine m = qv100();
	struct trace_launch l = {.warps_per_cta = 1};
	struct occupancy o;
	struct err e = {""};

	m.sm.shared_bytes = 100 * KB;
	m.sm.shared_reserve = KB;
	for (unsigned i = 0; i < 3; i++) {
		struct trace_kernel k = {.name = (char *)"k", .regs_per_thread = 8, .shared_bytes = known[i][0]};

		cr_assert_eq(occupancy_of(&m, &k, &l, &o, &e), 0, "%s", e.text);
		cr_assert(o.ctas == known[i][1] && o.shared_bytes == known[i][2], "case %u: %u CTAs, %lu", i, o.ctas,
			  (unsigned long)o.shared_bytes);
	}
	cr_assert_neq(occupancy_of(&m, &(struct trace_kernel){.name = (char *)"k", .regs_per_thread = 8, .shared_bytes = 100 * KB},
				   &l, &o, &e),
		      0);
}

/* As many lines as ways stay in a set, and of one more the least recently used one leaves. */
static void holds(struct tags *t, uint32_t ways)
{
	uint32_t slot;

	for (uint64_t i = 0; i < ways; i++) {
		cr_assert_eq(tags_probe(t, 0, i * t->sets, &slot), TAGS_MISS);
		cr_assert_eq(tags_state(t, slot), TAGS_INVALID, "way %lu of %u", (unsigned long)i, ways);
		tags_take(t, slot, i * t->sets, TAGS_VALID);
	}
	cr_assert_eq(tags_probe(t, 0, (uint64_t)ways * t->sets, &slot), TAGS_MISS);
	cr_assert_eq(tags_line(t, slot), 0, "line %lu is the victim", (unsigned long)tags_line(t, slot));
	tags_drop_all(t);
}

Test(carveout, sets_have_the_ways_that_they_are_told)
{
	static const uint32_t most[] = {12, 32, 40, 256}, ways[] = {1, 3, 5, 12, 7};

	for (unsigned i = 0; i < sizeof most / sizeof most[0]; i++) {
		struct arena a = {0};
		struct tags t;

		tags_init(&t, &a, 4, most[i], 128, NULL);
		for (unsigned w = 0; w < sizeof ways / sizeof ways[0]; w++) {
			tags_set_ways(&t, ways[w]);
			holds(&t, ways[w]);
		}
		tags_set_ways(&t, most[i]);
		holds(&t, most[i]);
		arena_free(&a);
	}
}

/* ---- a whole program ---- */

/* Warp 0 reads `n` lines twice, one at a time, since each load writes the register of the one before. */
#define KERNEL(name, shared)                                                                                                       \
	".visible .entry " name "(.param .u64 in, .param .u32 n)\n{\n" shared                                                      \
	".reg .b32 %r<8>;\n.reg .b64 %rd<4>;\n.reg .pred %p<4>;\nld.param.u64 %rd1, [in];\nld.param.u32 %r1, [n];\n"               \
	"mov.u32 %r2, %tid.x;\nsetp.ge.u32 %p1, %r2, 32;\n@%p1 bra END;\nmov.u32 %r3, 0;\n"                                        \
	"AGAIN:\nmov.u32 %r4, 0;\nmov.u64 %rd2, %rd1;\n"                                                                           \
	"NEXT:\nld.global.u32 %r5, [%rd2];\nadd.s64 %rd2, %rd2, 128;\nadd.s32 %r4, %r4, 1;\n"                                      \
	"setp.lt.u32 %p2, %r4, %r1;\n@%p2 bra NEXT;\nadd.s32 %r3, %r3, 1;\nsetp.lt.u32 %p3, %r3, 2;\n@%p3 bra AGAIN;\n"            \
	"END:\nret;\n}\n"
#define SHARED(bytes) ".shared .align 4 .b8 s[" bytes "];\n.reg .b32 %q;\nst.shared.u32 [s], 0;\n"

static const char kernels[] = ".version 6.0\n.target sm_70\n.address_size 64\n" KERNEL("none", "") KERNEL("little", SHARED("1024"))
	KERNEL("half", SHARED("20000")) KERNEL("all", SHARED("12288"));

static const char launch_file[] = "ptx: k.ptx\nbuffers:\n  in: {count: 40960, type: u32, value: 7}\nlaunches:\n"
				  "  - {kernel: none, grid: 1, block: 32, args: [in, 1024]}\n"
				  "  - {kernel: none, grid: 1, block: 32, args: [in, 1028]}\n"
				  "  - {kernel: little, grid: 1, block: 32, args: [in, 768]}\n"
				  "  - {kernel: little, grid: 1, block: 32, args: [in, 772]}\n"
				  "  - {kernel: half, grid: 1, block: 1024, args: [in, 512]}\n"
				  "  - {kernel: half, grid: 1, block: 1024, args: [in, 516]}\n"
				  "  - {kernel: all, grid: 1, block: 32, args: [in, 256]}\n"
				  "  - {kernel: all, grid: 1, block: 32, args: [in, 260]}\n"
				  "  - {kernel: none, grid: 1, block: 32, args: [in, 1024]}\n";

static long long number(const json_t *launch, const char *name)
{
	return (long long)json_integer_value(json_object_get(json_object_get(launch, "stats"), name));
}

Test(carveout, each_launch_has_its_l1)
{
	/* 32 CTAs of 1 KB; 2 CTAs of 20,000 bytes in 64 KB; 8 of 12 KB */
	static const long long known[][3] = {{0, 131072, 1024},	  {0, 131072, 0},      {32768, 98304, 768},
					     {32768, 98304, 0},	  {65536, 65536, 512}, {65536, 65536, 0},
					     {98304, 32768, 256}, {98304, 32768, 0},   {0, 131072, 1024}};
	struct program p;
	json_t *j, *l;

	program_file("k.ptx", kernels);
	program_file("k.yaml", launch_file);
	p = program_run("locus run %s/k.yaml --machine qv100 --set sm.fold=false --json -", program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	j = json_loads(p.out, 0, NULL);
	cr_assert_not_null(j, "%s", p.out);
	l = json_object_get(j, "launches");
	cr_assert_eq(json_array_size(l), 9);
	for (unsigned i = 0; i < 9; i++) {
		const json_t *one = json_array_get(l, i);

		cr_expect_eq(number(one, "sm.shared.carveout"), known[i][0], "launch %u", i);
		cr_expect_eq(number(one, "sm.l1.bytes"), known[i][1], "launch %u", i);
		cr_expect_eq(number(one, "l1.hits"), known[i][2], "launch %u: %lld hits", i, number(one, "l1.hits"));
	}
	json_decref(j);
	program_free(&p);
}

Test(carveout, machine_show_prints_them)
{
	struct program p = program_run("locus machine show qv100");

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert(strstr(p.out, "\n         32768         98304         4       192\n"), "%s", p.out);
	program_free(&p);
	p = program_run("locus run vectoradd --size test --machine qv100 --launches");
	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert(strstr(p.out, "L1 32 to 128 KB of 4 sets") && strstr(p.out, "    L1 KB\n"), "%s", p.out);
	program_free(&p);
}

Test(carveout, what_does_not_divide_is_refused)
{
	static const struct {
		const char *set[3], *said;
	} known[] = {
		{{"l1.bytes=64K"}, "sm.unified_bytes: 131072 bytes are not l1.bytes (65536)"},
		{{"sm.carveouts=0,8K,8K,96K"}, "sm.carveouts: must ascend, but 8192 comes after 8192"},
		{{"sm.carveouts=0,8000,96K"}, "sm.carveouts: 8000 of 131072 bytes"},
		{{"sm.carveouts=0,8K,64K"}, "sm.carveouts: the largest, 65536 bytes, is not sm.shared_bytes (98304)"},
		{{"sm.unified_bytes=0"}, "sm.carveouts: needs sm.unified_bytes, the size of the array that they divide"},
		{{"l1.allocate=miss"}, "sm.unified_bytes: needs l1.allocate fill"},
	};

	for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++) {
		struct machine m;
		struct err e = {""};

		cr_assert_eq(machine_load(&m, "qv100", "csim/machines", &e), 0);
		for (unsigned s = 0; known[i].set[s]; s++)
			cr_assert_eq(machine_set(&m, known[i].set[s], &e), 0, "%s", e.text);
		cr_assert_neq(machine_resolve(&m, &e), 0, "case %u", i);
		cr_assert(strstr(e.text, known[i].said) && !strchr(e.text, '\n'), "%s", e.text);
	}
}
