/* 124: a trace of millions of CTAs holds the index of a part of them in memory, whether it was just recorded or opened
 * from a file, and reads back every one. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/peak_memory.h"
#include "support/program.h"
#include "support/random.h"
#include "trace/frame_index.h"

enum { CTAS = 300000, WARM = 100000 /* beyond FRAMES_HELD and some FRAMES_BLOCK */, LAUNCHES = 2 };

/* CTA number i of all launches loads from 4096 i on. */
static uint64_t address_of(uint32_t launch, uint32_t cta)
{
	return ((uint64_t)launch * CTAS + cta) << 12;
}

static void put_cta(struct trace_writer *w, uint32_t launch, uint32_t cta)
{
	uint64_t addr[TRACE_WARP_SIZE];
	struct err e = {""};

	for (unsigned l = 0; l < TRACE_WARP_SIZE; l++)
		addr[l] = address_of(launch, cta) + 4 * l;
	trace_cta_begin(w, cta);
	trace_put_run(w, 0, 0, 2, UINT32_MAX);
	trace_put_addrs(w, 0, UINT32_MAX, addr);
	cr_assert_eq(trace_cta_end(w, &e), 0, "%s", e.text);
}

/* Returns the process's peak at CTA number WARM. */
static double record(struct trace_writer *w)
{
	struct trace_inst inst[2] = {{.op = OP_LOAD, .space = SPACE_GLOBAL, .width = 4}, {.op = OP_EXIT}};
	char *names[] = {"x"};
	const struct trace_kernel k = {"k", 2, inst, 1, names, 1, 1, 0, 0, NULL, NULL};
	const uint32_t grid[3] = {CTAS, 1, 1}, block[3] = {32, 1, 1};
	struct err e = {""};
	double before = 0;

	trace_add_kernel(w, &k);
	for (uint32_t l = 0; l < LAUNCHES; l++) {
		cr_assert_eq(trace_launch_begin(w, 0, grid, block, 0, &e), 0, "%s", e.text);
		for (uint32_t i = 0; i < CTAS; i++) {
			if (l == 0 && i == WARM)
				before = peak_mib();
			put_cta(w, l, i);
		}
		cr_assert_eq(trace_launch_end(w, &e), 0);
	}
	return before;
}

static void read_one(struct trace *t, uint32_t launch, uint32_t cta, struct trace_cta *c)
{
	struct err e = {""};

	cr_assert_eq(trace_read_cta(t, launch, cta, c, &e), 0, "%s", e.text);
	cr_assert(c->n_addrs == 1 && trace_addr_at(c, 0).base == address_of(launch, cta), "launch %u, CTA %u", launch, cta);
}

/* The ends of what is held, of a block and of a launch, and CTAs in no order. */
static void read_some(struct trace *t)
{
	static const uint32_t edge[] = {
		0, FRAMES_HELD - 1, FRAMES_HELD, FRAMES_HELD + FRAMES_BLOCK - 1, FRAMES_HELD + FRAMES_BLOCK, CTAS - 1};
	struct trace_cta c = {0};
	uint64_t random = 124;

	for (uint32_t l = 0; l < LAUNCHES; l++)
		for (unsigned i = 0; i < sizeof edge / sizeof *edge; i++)
			read_one(t, l, edge[i], &c);
	for (unsigned i = 0; i < 20000; i++) {
		uint64_t x = random_u64(&random);

		read_one(t, (uint32_t)(x >> 63), (uint32_t)x % CTAS, &c);
	}
	trace_cta_free(&c);
}

static struct trace *finished(struct trace_writer *w)
{
	struct err e = {""};
	struct trace *t = trace_writer_finish(w, &e);

	cr_assert_not_null(t, "%s", e.text);
	return t;
}

/* 500,000 entries of 32 bytes would be 15 MiB. */
Test(long_trace, its_index_does_not_stay_in_memory)
{
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&(struct trace_options){.name = "long", .memory_limit = 1 << 20}, &e);
	double before = record(w);
	struct trace *t = finished(w);

	read_some(t);
	peak_expect_at_most(3, before);
	trace_close(t);
}

/* The file's tables are 16 bytes a CTA, 9 MiB: neither who writes nor who opens it holds them. */
Test(long_trace, a_file_is_written_and_opened_without_its_tables_in_memory)
{
	struct trace_writer *w;
	struct err e = {""};
	char path[4200];
	struct trace *t;
	double before;
	uint64_t hash;

	snprintf(path, sizeof path, "%s/long.ltrace", program_tmp());
	w = trace_writer_new(&(struct trace_options){.name = "long", .path = path}, &e);
	before = record(w);
	t = finished(w);
	hash = trace_hash(t);
	trace_close(t);
	t = trace_open(path, &e);
	cr_assert_not_null(t, "%s", e.text);
	read_some(t);
	peak_expect_at_most(3, before);
	cr_assert_eq(trace_hash(t), hash);
	cr_assert_eq(trace_sizes(t).in_memory, 0);
	trace_close(t);
}
