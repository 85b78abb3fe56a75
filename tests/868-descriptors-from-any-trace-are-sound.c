/* 868: whatever a trace holds, the descriptors that are derived from it mean something: programs made up of linear and
 * of random addresses, in grids and buffers of any shape. */
#include <criterion/criterion.h>
#include <string.h>

#include "plan/ldesc/profile_forms.h"
#include "plan/ldesc/static_source.h"
#include "support/random.h"

enum { BUFFERS = 3, INSTS = 4, WIDTH = 4 };

struct made { /* steps of an instruction's addresses in elements, by thread, CTA and iteration */
	int64_t thread, cta[3], turn;
	uint64_t base, size; /* of its buffer */
	uint32_t random;     /* one address in so many is anywhere */
};

static uint64_t address(uint64_t *r, const struct made *m, const uint32_t cta[3], uint32_t thread, uint32_t turn)
{
	int64_t at = m->thread * thread + m->turn * turn;
	uint64_t elements = m->size / WIDTH;

	for (int d = 0; d < 3; d++)
		at += m->cta[d] * cta[d];
	if (random_below(r, m->random) == 0)
		at = (int64_t)random_below(r, elements);
	return m->base + WIDTH * ((uint64_t)at % elements);
}

static void put_warp(struct trace_writer *w, uint64_t *r, const struct made *m, const uint32_t cta[3], uint32_t warp)
{
	uint32_t turns = 1 + (uint32_t)random_below(r, 4), mask = random_below(r, 3) ? UINT32_MAX : (uint32_t)random_u64(r) | 1;

	for (uint32_t t = 0; t < turns; t++)
		for (uint32_t i = 0; i < INSTS; i++) {
			uint64_t addr[TRACE_WARP_SIZE];

			for (uint32_t l = 0; l < TRACE_WARP_SIZE; l++)
				addr[l] = address(r, &m[i], cta, warp * TRACE_WARP_SIZE + l, t);
			trace_put_run(w, warp, i, 1, mask);
			trace_put_addrs(w, warp, mask, addr);
		}
	trace_put_run(w, warp, INSTS, 1, UINT32_MAX);
}

static void put_launch(struct trace_writer *w, uint64_t *r, const struct made *m)
{
	uint32_t grid[3] = {1 + (uint32_t)random_below(r, 6), 1 + (uint32_t)random_below(r, 4), 1 + (uint32_t)random_below(r, 2)},
		 block[3] = {16u << random_below(r, 2), 2u << random_below(r, 2), 1};
	struct err e = {""};

	cr_assert_eq(trace_launch_begin(w, 0, grid, block, 0, &e), 0, "%s", e.text);
	for (uint32_t c = 0; c < grid[0] * grid[1] * grid[2]; c++) {
		const uint32_t cta[3] = {c % grid[0], c / grid[0] % grid[1], c / grid[0] / grid[1]};

		trace_cta_begin(w, c);
		for (uint32_t k = 0; k < block[0] * block[1] / TRACE_WARP_SIZE; k++)
			put_warp(w, r, m, cta, k);
		cr_assert_eq(trace_cta_end(w, &e), 0, "%s", e.text);
	}
	cr_assert_eq(trace_launch_end(w, &e), 0, "%s", e.text);
}

static struct trace *program(uint64_t seed)
{
	uint64_t r = seed;
	struct trace_inst inst[INSTS + 1] = {{.op = OP_EXIT}};
	struct made m[INSTS];
	char name[] = "k", *names[] = {name};
	struct trace_kernel k = {
		.name = name, .n_inst = INSTS + 1, .inst = inst, .n_names = 1, .names = names, .n_regs = 1, .regs_per_thread = 8};
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&(struct trace_options){.name = "made up"}, &e);
	uint64_t size[BUFFERS];

	for (uint32_t b = 0; b < BUFFERS; b++) {
		size[b] = WIDTH * (1 + random_below(&r, 1 << (4 + 6 * b)));
		cr_assert_eq(trace_add_buffer(w, (char[]){(char)('a' + b), 0}, 0x1000000 * (b + 1), size[b], &e), 0, "%s", e.text);
	}
	for (uint32_t i = 0; i < INSTS; i++) {
		uint32_t b = (uint32_t)random_below(&r, BUFFERS);

		inst[i] =
			(struct trace_inst){.op = random_below(&r, 3) ? OP_LOAD : OP_STORE, .space = SPACE_GLOBAL, .width = WIDTH};
		m[i] = (struct made){.thread = (int64_t)random_below(&r, 4),
				     .turn = (int64_t)random_below(&r, 600),
				     .base = 0x1000000 * (b + 1),
				     .size = size[b],
				     .random = 1u << random_below(&r, 12)};
		for (int d = 0; d < 3; d++)
			m[i].cta[d] = (int64_t)random_below(&r, 300) - 20;
	}
	inst[INSTS] = (struct trace_inst){.op = OP_EXIT};
	trace_add_kernel(w, &k);
	for (unsigned i = 0; i < 3; i++)
		put_launch(w, &r, m);
	return trace_writer_finish(w, &e);
}

static void expect_sound(struct trace *t, uint32_t launch, const struct ldesc_set *set)
{
	struct ldesc_launch at;
	struct err e = {""};

	memcpy(at.grid, trace_launch(t, launch)->grid, sizeof at.grid);
	memcpy(at.block, trace_launch(t, launch)->block, sizeof at.block);
	cr_expect_eq(ldesc_check_all(set, &at, &e), 0, "%s", e.text);
	for (uint32_t i = 0; i < set->n; i++)
		cr_expect_eq(ldesc_check(&set->d[i], &e), 0, "%s", e.text);
}

/* Of all types, regular ones and others. */
Test(any_trace, has_sound_descriptors)
{
	uint32_t of_type[3] = {0}, irregular = 0;

	for (uint64_t seed = 1; seed <= 200; seed++) {
		struct arena a = {0};
		struct trace *t = program(seed);
		uint32_t n = trace_n_launches(t);
		const struct affine_launch **forms = arena_array(&a, n, sizeof *forms);
		struct planner_request req = {.trace = t, .arena = &a};
		const struct ldesc_set *const *sets;
		struct err e = {""};

		for (uint32_t i = 0; i < n; i++)
			cr_assert_eq(profile_forms(t, i, &a, &forms[i], &e), 0, "%s", e.text);
		sets = static_sets_of(&req, forms);
		for (uint32_t i = 0; i < n; i++) {
			expect_sound(t, i, sets[i]);
			for (uint32_t k = 0; k < sets[i]->n; k++) {
				of_type[sets[i]->d[k].type]++;
				irregular += sets[i]->d[k].type == LDESC_INTER_THREAD && sets[i]->d[k].access == LDESC_IRREGULAR;
			}
		}
		arena_free(&a);
		trace_close(t);
	}
	for (unsigned i = 0; i < 3; i++)
		cr_expect_gt(of_type[i], 0, "no %s", ldesc_types[i]);
	cr_expect_gt(irregular, 0);
	cr_expect_gt(of_type[LDESC_INTER_THREAD], irregular);
}
