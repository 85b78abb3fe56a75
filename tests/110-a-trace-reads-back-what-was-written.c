/* 110: whatever is written reads back the same, in any order, from memory, from a spill file, from a file. */
#include <criterion/criterion.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/arena.h"
#include "support/made_up.h"
#include "support/program.h"
#include "support/random.h"

Test(trace, what_is_written_is_read_back_in_any_order)
{
	for (uint64_t seed = 1; seed <= 40; seed++) {
		struct made_up m;
		struct trace *t;

		made_up_init(&m, seed, seed % 4 ? 20 : 300);
		t = made_up_record(&m, &(struct trace_options){.name = "made up"});
		cr_assert_str_eq(trace_name(t), "made up");
		made_up_expect(&m, t, seed);
		trace_close(t);
		made_up_free(&m);
	}
}

Test(trace, frames_above_the_memory_limit_go_to_a_spill_file)
{
	struct made_up m;
	struct trace *all, *part;
	struct trace_sizes a, p;

	made_up_init(&m, 77, 500);
	all = made_up_record(&m, &(struct trace_options){.name = "x"});
	a = trace_sizes(all);
	part = made_up_record(&m, &(struct trace_options){.name = "y", .memory_limit = a.stored / 3});
	p = trace_sizes(part);
	cr_assert_eq(a.in_memory, a.stored);
	cr_assert_eq(p.stored, a.stored);
	cr_assert(p.in_memory <= a.stored / 3 && p.in_memory > 0);
	made_up_expect(&m, part, 1);
	cr_assert_eq(trace_hash(all), trace_hash(part));
	trace_close(all);
	trace_close(part);
	made_up_free(&m);
}

Test(trace, a_file_holds_the_same_trace_with_the_same_hash)
{
	for (uint64_t seed = 100; seed < 110; seed++) {
		struct made_up m;
		struct trace *mem, *file, *again;
		struct err e = {""};
		char path[4200];

		snprintf(path, sizeof path, "%s/%d.ltrace", program_tmp(), (int)seed);
		made_up_init(&m, seed, 50);
		if (seed % 2)
			made_up_copy(&m);
		if (seed % 4 < 2)
			made_up_wait(&m);
		if (seed % 3)
			made_up_sync(&m, seed);
		mem = made_up_record(&m, &(struct trace_options){.name = "one name"});
		file = made_up_record(&m, &(struct trace_options){.name = "another", .path = path});
		again = trace_open(path, &e);
		cr_assert(again, "%s", e.text);
		cr_assert_str_eq(trace_name(again), "another");
		made_up_expect(&m, file, seed);
		made_up_expect(&m, again, seed);
		cr_assert_eq(trace_hash(mem), trace_hash(file));
		cr_assert_eq(trace_hash(mem), trace_hash(again));
		trace_close(mem);
		trace_close(file);
		trace_close(again);
		made_up_free(&m);
	}
}

static uint64_t hash_of(const struct made_up *m)
{
	struct trace *t = made_up_record(m, &(struct trace_options){.name = "x"});
	uint64_t h = trace_hash(t);

	trace_close(t);
	return h;
}

Test(trace, another_content_has_another_hash)
{
	struct made_up m;
	uint64_t h[5];

	made_up_init(&m, 5, 20);
	h[0] = hash_of(&m);
	m.store[0].addr ^= 1;
	h[1] = hash_of(&m);
	m.kernel[0].inst[0].line++;
	h[2] = hash_of(&m);
	m.launch[0].shared++;
	h[3] = hash_of(&m);
	cr_assert(m.launch[1].warp[0].n_addrs > 0);
	m.launch[1].warp[0].addrs[0].lane[__builtin_ctz(m.launch[1].warp[0].addrs[0].mask)]++;
	h[4] = hash_of(&m);
	for (int i = 0; i < 5; i++)
		for (int k = 0; k < i; k++)
			cr_assert_neq(h[i], h[k], "%d and %d", i, k);
	made_up_free(&m);
}

struct reader {
	const struct made_up *m;
	struct trace *t;
	uint64_t seed;
};

static void *read_some(void *arg)
{
	struct reader *r = arg;
	struct trace_cta c = {0};

	for (int i = 0; i < 200; i++) {
		uint32_t l = (uint32_t)(random_u64(&r->seed) % 3);

		made_up_expect_cta(r->m, r->t, l, (uint32_t)(random_u64(&r->seed) % r->m->launch[l].n_ctas), &c);
	}
	trace_cta_free(&c);
	return NULL;
}

Test(trace, several_threads_read_one_trace)
{
	struct made_up m;
	struct reader r[3];
	pthread_t thread[3];

	made_up_init(&m, 9, 60);
	r[0] = (struct reader){&m, made_up_record(&m, &(struct trace_options){.name = "x", .memory_limit = 2000}), 1};
	for (int i = 0; i < 3; i++) {
		r[i] = (struct reader){&m, r[0].t, (uint64_t)i};
		cr_assert_eq(pthread_create(&thread[i], NULL, read_some, &r[i]), 0);
	}
	for (int i = 0; i < 3; i++)
		pthread_join(thread[i], NULL);
	trace_close(r[0].t);
	made_up_free(&m);
}

Test(trace, an_address_belongs_to_the_buffer_around_it)
{
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&(struct trace_options){.name = "x"}, &e);
	struct trace *t;

	cr_assert_eq(trace_add_buffer(w, "high", 1000, 10, &e), 0);
	cr_assert_eq(trace_add_buffer(w, "low", 100, 50, &e), 0);
	cr_assert_eq(trace_add_buffer(w, "top", UINT64_MAX, 1, &e), 0);
	cr_assert_eq(trace_add_buffer(w, "next", 150, 1, &e), 0);
	cr_assert_eq(trace_add_buffer(w, "bad", 149, 1, &e), -1);
	cr_assert_str_eq(e.text, "buffer \"bad\" overlaps buffer \"low\"");
	e = (struct err){""};
	cr_assert_eq(trace_add_buffer(w, "bad", 999, 2, &e), -1);
	cr_assert_str_eq(e.text, "buffer \"bad\" overlaps buffer \"high\"");
	t = trace_writer_finish(w, &e);
	cr_assert_eq(trace_buffer_of(t, 99), -1);
	cr_assert_eq(trace_buffer_of(t, 100), 1);
	cr_assert_eq(trace_buffer_of(t, 149), 1);
	cr_assert_eq(trace_buffer_of(t, 150), 3);
	cr_assert_eq(trace_buffer_of(t, 151), -1);
	cr_assert_eq(trace_buffer_of(t, 1009), 0);
	cr_assert_eq(trace_buffer_of(t, 1010), -1);
	cr_assert_eq(trace_buffer_of(t, UINT64_MAX), 2);
	trace_close(t);
}

Test(trace, a_writer_that_is_dropped_leaves_no_file)
{
	struct err e = {""};
	char path[4200], partial[4300];
	struct trace_writer *w;

	snprintf(path, sizeof path, "%s/dropped.ltrace", program_tmp());
	snprintf(partial, sizeof partial, "%s.partial", path);
	w = trace_writer_new(&(struct trace_options){.name = "x", .path = path}, &e);
	cr_assert(w);
	cr_assert_eq(access(path, F_OK), -1);
	trace_writer_drop(w);
	cr_assert_eq(access(path, F_OK), -1);
	cr_assert_eq(access(partial, F_OK), -1);
	cr_assert_null(trace_writer_new(&(struct trace_options){.name = "x", .path = "/no/such/folder/x.ltrace"}, &e));
	cr_assert_str_eq(e.text, "/no/such/folder/x.ltrace: cannot write: No such file or directory");
}

/* ---- records in a word: a shape's number and a base of 48 bits (struct trace_addr, trace/trace.h) ---- */

/* The kernel's only load, n times, by lanes 0 and 3: those of record i are at base(i) and 3 stride(i) behind it. */
struct two_lanes {
	uint32_t n;
	uint64_t (*base)(uint32_t i), (*stride)(uint32_t i);
};

static struct trace *record_two_lanes(const struct two_lanes *what)
{
	struct trace_inst inst[2] = {{.op = OP_LOAD, .space = SPACE_GLOBAL, .width = 1}, {.op = OP_EXIT}};
	char *names[] = {"x"};
	const struct trace_kernel k = {"k", 2, inst, 1, names, 1, 1, 0, 0, NULL, NULL};
	const uint32_t grid[3] = {1, 1, 1}, block[3] = {32, 1, 1};
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&(struct trace_options){.name = "two lanes"}, &e);
	struct trace *t;

	trace_add_kernel(w, &k);
	cr_assert_eq(trace_launch_begin(w, 0, grid, block, 0, &e), 0, "%s", e.text);
	trace_cta_begin(w, 0);
	for (uint32_t i = 0; i < what->n; i++) {
		uint64_t addr[TRACE_WARP_SIZE] = {[0] = what->base(i), [3] = what->base(i) + 3 * what->stride(i)};

		trace_put_run(w, 0, 0, 1, 9);
		trace_put_addrs(w, 0, 9, addr);
	}
	trace_put_run(w, 0, 1, 1, 9);
	cr_assert_eq(trace_cta_end(w, &e), 0, "%s", e.text);
	cr_assert_eq(trace_launch_end(w, &e), 0);
	t = trace_writer_finish(w, &e);
	cr_assert_not_null(t, "%s", e.text);
	return t;
}

/* Reads it back; shapes: in use, with the one that the decoder begins with; lists: records that are one. */
static void expect_two_lanes(const struct two_lanes *what, uint32_t shapes, uint32_t lists)
{
	struct trace *t = record_two_lanes(what);
	struct trace_cta c = {0};
	struct err e = {""};
	uint32_t listed = 0;

	cr_assert_eq(trace_read_cta(t, 0, 0, &c, &e), 0, "%s", e.text);
	cr_assert_eq(c.n_addrs, what->n);
	for (uint32_t i = 0; i < what->n; i++) {
		uint64_t lane[TRACE_WARP_SIZE] = {0};

		trace_addr_expand(&c, i, 9, lane);
		cr_assert(lane[0] == what->base(i) && lane[3] == what->base(i) + 3 * what->stride(i), "record %u", i);
		listed += trace_addr_at(&c, i).list != TRACE_AFFINE;
	}
	cr_assert_eq(c.n_shapes, shapes);
	cr_assert_eq(listed, lists);
	cr_assert_eq(c.n_lanes, 2 * lists);
	trace_cta_free(&c);
	trace_close(t);
}

static uint64_t same(uint32_t i)
{
	return 4 + 0 * i;
}

static uint64_t own(uint32_t i)
{
	return i + 1;
}

/* Bases on both sides of what 48 bits with a sign hold. */
static uint64_t far(uint32_t i)
{
	static const uint64_t base[] = {0,
					(UINT64_C(1) << 47) - 1,
					UINT64_C(1) << 47,
					UINT64_MAX,
					UINT64_C(0) - (UINT64_C(1) << 47),
					UINT64_C(0) - (UINT64_C(1) << 47) - 1,
					UINT64_C(1) << 63};

	return base[i];
}

Test(trace, records_of_one_shape_share_it)
{
	expect_two_lanes(&(struct two_lanes){1000, own, same}, 2, 0);
}

/* The first shape is the decoder's own: 65,534 are left of 65,535. */
Test(trace, a_record_whose_shape_has_no_number_left_is_a_list)
{
	expect_two_lanes(&(struct two_lanes){65534, same, own}, 65535, 0);
	expect_two_lanes(&(struct two_lanes){65600, same, own}, 65535, 66);
}

Test(trace, a_record_whose_base_does_not_fit_is_a_list)
{
	expect_two_lanes(&(struct two_lanes){7, far, same}, 2, 3);
}
