/* 339: from the page table to the DRAM: the lines of a buffer are read in those stacks that the mode of its pages
 * names, with the L2 on either side of the network between modules. Where a line must be follows from its virtual
 * address alone, as coda (4.1) and ldesc (4.6) have it: with 4 KB pages and 4 stacks FGP takes bits 11 and 10, a base
 * bit b the bits b + 1 and b, CGP the plan. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "run/gpu_impl.h"
#include "support/machine.h"

#define BASE UINT64_C(0x10003000)
enum { PAGE = 4096, PAGES = 50, LINE = 128, LINES = PAGES * PAGE / LINE, STACKS = 4 };

/* One warp, a lane a line: every line of the buffer once. */
static struct trace *record(void)
{
	struct trace_inst inst[2] = {{.op = OP_LOAD, .space = SPACE_GLOBAL, .width = 4, .ndst = 1, .line = 1},
				     {.op = OP_EXIT, .nsrc = 1, .line = 2}};
	char *name = (char *)"op";
	struct trace_kernel k = {
		.name = (char *)"read", .n_inst = 2, .inst = inst, .n_names = 1, .names = &name, .n_regs = 1, .regs_per_thread = 2};
	struct trace_options o = {.name = "read"};
	const uint32_t grid[3] = {1, 1, 1}, block[3] = {32, 1, 1};
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&o, &e);

	trace_add_kernel(w, &k);
	cr_assert_eq(trace_add_buffer(w, "x", BASE, PAGES * PAGE, &e), 0, "%s", e.text);
	cr_assert_eq(trace_launch_begin(w, 0, grid, block, 0, &e), 0, "%s", e.text);
	trace_cta_begin(w, 0);
	for (unsigned i = 0; i < LINES; i += 32) {
		uint64_t addr[TRACE_WARP_SIZE];

		for (unsigned l = 0; l < 32; l++)
			addr[l] = BASE + (i + l) * LINE;
		trace_put_run(w, 0, 0, 1, UINT32_MAX);
		trace_put_addrs(w, 0, UINT32_MAX, addr);
	}
	trace_put_run(w, 0, 1, 1, UINT32_MAX);
	cr_assert_eq(trace_cta_end(w, &e), 0, "%s", e.text);
	cr_assert_eq(trace_launch_end(w, &e), 0, "%s", e.text);
	return trace_writer_finish(w, &e);
}

/* Lines that each stack's channels were asked for; the lines' physical addresses. */
static void play(const char *side, struct plan_buffer *b, uint64_t reads[STACKS], uint64_t physical[LINES])
{
	const char *const set[] = {"module.count=4",
				   "sm.count=1",
				   "dram.channels=2",
				   "vm.enabled=true",
				   "vm.tlb=false",
				   "link.topology=ring",
				   side,
				   NULL};
	struct machine m = machine_with(set);
	struct trace *t = record();
	struct plan plan = {.name = "test", .n_buffers = 1, .buffer = b};
	struct gpu_config config = {.machine = &m, .trace = t, .plan = &plan};
	struct audit a = {0};
	struct err e = {""};
	struct gpu g;

	cr_assert_eq(gpu_build(&g, &config, &e), 0, "%s", e.text);
	cr_assert_eq(gpu_simulate(&g, &e), 0, "%s", e.text);
	gpu_audit(&g, &a);
	cr_assert_eq(a.failed, 0);
	memset(reads, 0, STACKS * sizeof *reads);
	for (unsigned c = 0; c < STACKS * 2; c++)
		reads[c / 2] += g.memsys->channel[c].stats.requests[DRAM_READ];
	for (unsigned i = 0; i < LINES; i++) {
		struct pages_at at;

		cr_assert(pages_translate(&g.vm.pages, BASE + i * LINE, TIME_NEVER, &at));
		physical[i] = at.addr;
	}
	gpu_free(&g);
	trace_close(t);
}

static const char *const sides[] = {"l2.side=memory", "l2.side=sm"};

static void expect(struct plan_buffer *b, unsigned (*stack_of)(const struct plan_buffer *b, uint64_t addr), const char *what)
{
	for (unsigned s = 0; s < 2; s++) {
		uint64_t got[STACKS], want[STACKS] = {0}, physical[LINES];

		for (unsigned i = 0; i < LINES; i++)
			want[stack_of(b, BASE + i * LINE)]++;
		play(sides[s], b, got, physical);
		for (unsigned k = 0; k < STACKS; k++)
			cr_assert_eq(got[k], want[k], "%s, %s: %lu lines from stack %u, not %lu", what, sides[s], got[k], k,
				     want[k]);
	}
}

static unsigned by_bit(const struct plan_buffer *b, uint64_t addr)
{
	return addr >> b->base_bit & 3;
}

static unsigned by_plan(const struct plan_buffer *b, uint64_t addr)
{
	return b->stack[addr / PAGE - BASE / PAGE];
}

Test(modes, fgp_goes_by_the_highest_bits_of_the_page_offset)
{
	struct plan_buffer b = {.placement = PLACE_FGP, .base_bit = 10 /* for the test's own use */};

	expect(&b, by_bit, "fgp");
}

Test(modes, pages_go_by_the_lowest_bits_of_their_number)
{
	struct plan_buffer b = {.placement = PLACE_PAGES, .base_bit = 12};

	expect(&b, by_bit, "pages");
}

Test(modes, a_base_bit_goes_by_its_bits)
{
	for (uint8_t bit = 7; bit <= 16; bit++) {
		struct plan_buffer b = {.placement = PLACE_BASE_BIT, .base_bit = bit};
		char what[16];

		snprintf(what, sizeof what, "bit %u", bit);
		expect(&b, by_bit, what);
	}
}

/* By its physical address: the digits of address / 256 in base 4, XORed. 50 pages of 16 granules: 400 lines a stack. */
Test(modes, xor_goes_by_all_digits_of_the_physical_address)
{
	struct plan_buffer b = {.placement = PLACE_XOR};

	for (unsigned s = 0; s < 2; s++) {
		uint64_t got[STACKS], want[STACKS] = {0}, physical[LINES];

		play(sides[s], &b, got, physical);
		for (unsigned i = 0; i < LINES; i++) {
			unsigned stack = 0;

			for (uint64_t left = physical[i] / 256; left; left /= 4)
				stack ^= left % 4;
			want[stack]++;
		}
		for (unsigned k = 0; k < STACKS; k++)
			cr_assert(got[k] == want[k] && got[k] == LINES / STACKS, "%s: %lu lines from stack %u, not %lu", sides[s],
				  got[k], k, want[k]);
	}
}

Test(modes, a_static_plan_goes_by_its_list)
{
	uint16_t stack[PAGES];
	struct plan_buffer b = {.placement = PLACE_STATIC, .n_pages = PAGES, .stack = stack};

	for (unsigned i = 0; i < PAGES; i++)
		stack[i] = (uint16_t)(i * i % 7 % 4);
	expect(&b, by_plan, "static");
}
