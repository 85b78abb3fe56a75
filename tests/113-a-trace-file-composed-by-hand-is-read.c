/* 113: a trace file made from docs/reference/trace-format.md alone, byte by byte, is read as the page says. Nothing of
 * csim/trace writes here; zstd and XXH64 come from their libraries. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>
#include <zstd.h>

#include "support/program.h"
#include "trace/folds.h"
#include "trace/trace.h"

struct out {
	uint8_t b[4096];
	size_t n;
};

static void le(struct out *o, unsigned bytes, uint64_t v)
{
	for (unsigned i = 0; i < bytes; i++)
		o->b[o->n++] = (uint8_t)(v >> 8 * i);
}

static void text(struct out *o, const char *s)
{
	le(o, 4, strlen(s));
	memcpy(o->b + o->n, s, strlen(s));
	o->n += strlen(s);
}

/* The page's example. */
static const uint8_t example[] = {0x03, 0x00, 0x01, 0x16, 0x08, 0x00, 0x80, 0x40, 0x01,
				  0x00, 0x03, 0x03, 0x00, 0xfc, 0xff, 0xff, 0xff, 0x0f};
/* Two warps, the second of 3 lanes: 0..1 | list at 1, then the second warp: the same instruction again one step on,
 * then by a step.
 */
static const uint8_t forms[] = {
	0x02,				       /* warp 0: 2 runs */
	0x00,	       0x00,		       /* 0, one instruction: no record, it is ld.param */
	0x01,	       0x01, 0x05,	       /* 1..2 by lanes 0 and 2 */
	0x03,	       0x80, 0x80, 0x04, 0x07, /*   list: 0x8000 (zigzag 0x10000), then -4 */
	0x03,				       /* warp 1: 3 runs */
	0x04,	       0x00,		       /* pc 1 (+1: zigzag 2, shifted 4), all 3 lanes */
	0x00,				       /*   step again: base = 0x8000 + 0x8000 = 0x10000, sx = sy = 0 */
	0x02,	       0x00,		       /* pc 1 again: -1, zigzag 1, shifted 2 */
	0x02 | 1 << 2, 0x03, 0x80, 0x02, 0x02, /*   shift 1: sx = -2, sy = 128, step 1: base = 0x10001 */
	0x02,	       0x00,		       /* and once more */
	0x01,	       0x0f,		       /*   step -8: base = 0xfff9 */
};

static size_t add_frame(struct out *file, const uint8_t *raw, size_t n)
{
	size_t packed = ZSTD_compress(file->b + file->n, sizeof file->b - file->n, raw, n, 3);

	cr_assert_not(ZSTD_isError(packed));
	file->n += packed;
	return packed;
}

static void add_instructions(struct out *o)
{
	static const uint8_t head[3][6] = {{16, 5, 8, 0, 1, 0}, {16, 1, 4, 2, 1, 1}, {22, 0, 0, 4, 0, 1}};
	static const uint16_t reg[3][2] = {{0}, {1, 0}, {2}};

	le(o, 4, 3);
	for (unsigned i = 0; i < 3; i++) {
		memcpy(o->b + o->n, head[i], 6);
		o->n += 6;
		le(o, 2, i);
		le(o, 4, 20 + i);
		for (int r = 0; r < head[i][4] + head[i][5]; r++)
			le(o, 2, reg[i][r]);
	}
}

static void add_launch(struct out *o, uint32_t block_x, uint64_t warp_insts, const uint8_t *raw, size_t n)
{
	static const uint32_t ones[] = {0, 1, 1, 1};

	for (int i = 0; i < 4; i++)
		le(o, 4, ones[i]); /* kernel, grid */
	le(o, 4, block_x);
	le(o, 4, 1);
	le(o, 4, 1);
	le(o, 4, 512);
	le(o, 8, warp_insts);
	le(o, 8, 96);
	le(o, 4, n);
	le(o, 8, XXH64(raw, n, 0));
}

/* As version 4 has them: one to the device before launch 1, one back behind the last. */
static void add_copies(struct out *o)
{
	le(o, 8, 2);
	le(o, 8, 0x1010); /* to */
	le(o, 8, 0);
	le(o, 8, 300);
	le(o, 4, 0);
	le(o, 4, 1);
	le(o, 8, 0);
	le(o, 8, 0x1000); /* from */
	le(o, 8, 7);
	le(o, 4, 1);
	le(o, 4, 2);
}

/* As version 8 has them: both launches wait for nothing, or the second for what `second` says: for all below a number,
 * how many others, and which. */
static void add_waits(struct out *o, const uint32_t second[3])
{
	le(o, 4, 0);
	le(o, 4, 0);
	le(o, 4, second[0]);
	le(o, 4, second[1]);
	for (uint32_t i = 0; i < second[1]; i++)
		le(o, 4, second[2]);
}

/* As version 10 has them: launch 0 has none. In launch 1, the only load of warp 0 waits until one of 150 modifications
 * of a word has been performed. The second load of warp 1 waits for all modifications of two words; its attempt begins
 * with the load before, instruction 2 is executed after a failed one, and the warp sleeps for 100 ns, then for 64. */
static const uint8_t ordering[] = {
	0x00,						/* launch 0: no access */
	0x02,						/* launch 1: 2 accesses */
	0x02,						/* 2 words */
	0x00, 0x80, 0x80, 0x04, 0x96, 0x01,		/*   global, 0x8000 (zigzag 0x10000), 150 modifications */
	0x00, 0x07, 0x01,				/*   global, 4 below, 1 modification */
	0x03,						/* 3 items */
	0x00, 0x01, 0x01, 0x00,				/*   word 0, needs 1, first 0 (-1), makes none */
	0x00, 0x96, 0x01, 0x05, 0x03,			/*   word 0, needs 150, first 147 (-3), makes 3 */
	0x02, 0x01, 0x01, 0x00,				/*   word 1, needs 1, first 0 (-1), makes none */
	0x01,						/* 1 run */
	0x04, 0x01, 0x05,				/*   pc 2, 1 instruction, lanes 0 and 2 */
	0x02,						/* 2 sleeps */
	0xc8, 0x01, 0x47,				/*   100 ns, 64 ns (-36) */
	0x02,						/* CTA 0: 2 accesses */
	0x00, 0x00, 0x00, 0x01, 0x01, 0x01, 0x00, 0x00, /* warp 0, record 0; item 0; 1 and 1; no run; */
	0x00, 0x00,					/*   no sleep */
	0x01, 0x02, 0x00, 0x02, 0x02, 0x02, 0x00, 0x01, /* warp 1, record 1; items 1, 2; 2 and 2; run 0; */
	0x00, 0x02,					/*   sleeps 0, 1 */
};

static struct out content(uint32_t version, const uint32_t second[3])
{
	struct out o = {.n = 0};

	le(&o, 4, 1);
	text(&o, "by_hand");
	le(&o, 4, 3); /* registers */
	le(&o, 4, 4);
	le(&o, 4, 64);
	le(&o, 4, 8);
	le(&o, 4, 3);
	text(&o, "ld.param.u64");
	text(&o, "ld.global.f32");
	text(&o, "exit");
	add_instructions(&o);
	le(&o, 4, 1);
	text(&o, "data");
	le(&o, 8, 0x1000);
	le(&o, 8, 0x20000);
	le(&o, 8, 0x900000);
	le(&o, 8, 1);
	le(&o, 8, 0x1008);
	le(&o, 8, 0xbeef);
	le(&o, 4, 2);
	le(&o, 4, 1);
	le(&o, 4, 2);
	add_launch(&o, 32, 4, example, sizeof example);
	add_launch(&o, 35, 6, forms, sizeof forms);
	if (version == 4 || version == 8 || version == 10)
		add_copies(&o);
	if (version == 8 || version == 10)
		add_waits(&o, second);
	if (version == 10) {
		le(&o, 4, 0); /* for any number of SMs */
		le(&o, 1, 1); /* lanes took turns */
		memcpy(o.b + o.n, ordering, sizeof ordering);
		o.n += sizeof ordering;
	}
	return o;
}

/* As version 6 has them: the parameter is folded into the load, which reads another register then; the exit is as it
 * was. */
static void add_folds(struct out *o)
{
	static const uint16_t reg[2] = {1, 2};

	le(o, 1, 1);
	le(o, 1, 1); /* away */
	le(o, 1, 2); /* changed: op, flags, written, read */
	le(o, 1, 16);
	le(o, 1, 2);
	le(o, 1, 1);
	le(o, 1, 1);
	le(o, 2, reg[0]);
	le(o, 2, reg[1]);
	le(o, 1, 0); /* same */
}

static const char *compose_waiting(uint32_t version, const uint32_t second[3], uint64_t *content_hash)
{
	static char path[4200];
	struct out file = {.n = 64}, tables = content(version, second), storage = {.n = 0}, head = {.n = 0};
	size_t frame[2] = {add_frame(&file, example, sizeof example), 0}, at;
	FILE *f;

	frame[1] = add_frame(&file, forms, sizeof forms);
	text(&storage, "made by hand");
	le(&storage, 4, frame[0]);
	le(&storage, 4, frame[1]);
	if (version > 1)
		le(&storage, 1, 0); /* the kernel has no lines of a source */
	if (version > 5)
		add_folds(&storage);
	at = file.n;
	*content_hash = XXH64(tables.b, tables.n, 0);
	memcpy(head.b, "\x89LTRC\r\n\x1a", 8);
	head.n = 8;
	le(&head, 4, version);
	le(&head, 4, 64);
	le(&head, 8, at);
	le(&head, 8, tables.n);
	le(&head, 8, *content_hash);
	le(&head, 8, storage.n);
	le(&head, 8, XXH64(storage.b, storage.n, 0));
	le(&head, 8, XXH64(head.b, 56, 0));
	memcpy(file.b, head.b, 64);
	snprintf(path, sizeof path, "%s/by-hand.ltrace", program_tmp());
	f = fopen(path, "wb");
	fwrite(file.b, 1, file.n, f);
	fwrite(tables.b, 1, tables.n, f);
	fwrite(storage.b, 1, storage.n, f);
	fclose(f);
	return path;
}

static const char *compose(uint32_t version, uint64_t *content_hash)
{
	return compose_waiting(version, (const uint32_t[3]){0, 0, 0}, content_hash);
}

static void expect_run(const struct trace_cta *c, unsigned i, uint32_t pc, uint32_t len, uint32_t mask)
{
	cr_assert(c->runs[i].pc == pc && c->runs[i].len == len && c->runs[i].mask == mask, "run %u is %u+%u %x", i, c->runs[i].pc,
		  c->runs[i].len, c->runs[i].mask);
}

static void expect_addr(const struct trace_cta *c, unsigned i, uint32_t mask, unsigned lane, uint64_t want)
{
	uint64_t a[TRACE_WARP_SIZE] = {0};

	trace_addr_expand(c, i, mask, a);
	cr_assert_eq(a[lane], want, "record %u, lane %u: 0x%llx", i, lane, (unsigned long long)a[lane]);
}

static void expect_tables(const struct trace *t, uint64_t hash)
{
	const struct trace_kernel *k = trace_kernel(t, 0);

	cr_assert_str_eq(trace_name(t), "made by hand");
	cr_assert_eq(trace_hash(t), hash);
	cr_assert_str_eq(k->name, "by_hand");
	cr_assert(k->n_inst == 3 && k->n_regs == 3 && k->regs_per_thread == 4 && k->shared_bytes == 64 && k->local_bytes == 8);
	cr_assert(k->inst[0].op == OP_LOAD && k->inst[0].space == SPACE_PARAM && k->inst[0].width == 8);
	cr_assert(k->inst[1].space == SPACE_GLOBAL && k->inst[1].flags == TRACE_NC && k->inst[1].reg[0] == 1 &&
		  k->inst[1].line == 21);
	cr_assert(k->inst[2].op == OP_EXIT && k->inst[2].flags == TRACE_PREDICATED && k->inst[2].reg[0] == 2);
	cr_assert_str_eq(k->names[k->inst[2].name], "exit");
	cr_assert_eq(trace_const_base(t), 0x900000);
	cr_assert(trace_store(t, 0)->addr == 0x1008 && trace_store(t, 0)->value == 0xbeef && trace_store(t, 0)->bytes == 2 &&
		  trace_store(t, 0)->before_launch == 1);
	cr_assert_eq(trace_buffer_of(t, 0x20fff), 0);
	cr_assert_eq(trace_buffer_of(t, 0x21000), -1);
	cr_assert(trace_launch(t, 1)->block[0] == 35 && trace_launch(t, 1)->warps_per_cta == 2 &&
		  trace_launch(t, 1)->warp_insts == 6);
	cr_assert_eq(trace_launch(t, 0)->dynamic_shared_bytes, 512);
}

Test(trace_format, a_file_made_from_the_documentation_is_read)
{
	struct err e = {""};
	struct trace_cta c = {0};
	uint64_t hash;
	struct trace *t = trace_open(compose(1, &hash), &e);

	cr_assert(t, "%s", e.text);
	expect_tables(t, hash);
	cr_assert_eq(trace_read_cta(t, 0, 0, &c, &e), 0, "%s", e.text);
	cr_assert(c.n_warps == 1 && c.n_runs == 3 && c.n_addrs == 1 && c.warp[0].insts == 4);
	expect_run(&c, 0, 0, 2, UINT32_MAX);
	expect_run(&c, 1, 2, 1, 3);
	expect_run(&c, 2, 2, 1, 0xfffffffc);
	for (unsigned l = 0; l < 32; l++)
		expect_addr(&c, 0, UINT32_MAX, l, 0x1000 + 4 * l);

	cr_assert_eq(trace_read_cta(t, 1, 0, &c, &e), 0, "%s", e.text);
	cr_assert(c.n_warps == 2 && c.n_runs == 5 && c.n_addrs == 4 && c.warp[1].first_addr == 1 && c.warp[1].insts == 3);
	expect_run(&c, 1, 1, 2, 5);
	expect_run(&c, 2, 1, 1, 7);
	expect_addr(&c, 0, 5, 0, 0x8000);
	expect_addr(&c, 0, 5, 2, 0x7ffc);
	expect_addr(&c, 1, 7, 2, 0x10000);
	expect_addr(&c, 2, 7, 0, 0x10001);
	expect_addr(&c, 2, 7, 1, 0xffff);
	expect_addr(&c, 2, 7, 2, 0x10081);
	expect_addr(&c, 3, 7, 1, 0xfff7);
	trace_cta_free(&c);
	trace_close(t);
}

Test(trace_format, what_is_folded_is_kept_behind_the_lines)
{
	struct err e = {""};
	uint64_t hash, without;
	struct trace *t = trace_open(compose(6, &hash), &e);
	const struct trace_inst *folds;

	cr_assert(t, "%s", e.text);
	expect_tables(t, hash);
	folds = trace_kernel(t, 0)->folds;
	cr_assert_not_null(folds);
	cr_assert(trace_is_folded(&folds[0]) && folds[0].op == OP_LOAD && folds[0].space == SPACE_PARAM);
	cr_assert(folds[1].op == OP_LOAD && folds[1].space == SPACE_GLOBAL && folds[1].width == 4 && folds[1].flags == TRACE_NC);
	cr_assert(folds[1].ndst == 1 && folds[1].nsrc == 1 && folds[1].reg[0] == 1 && folds[1].reg[1] == 2);
	cr_assert(folds[2].op == OP_EXIT && folds[2].flags == TRACE_PREDICATED && folds[2].reg[0] == 2);
	trace_close(t);
	t = trace_open(compose(2, &without), &e);
	cr_assert(t && !trace_kernel(t, 0)->folds, "%s", e.text);
	cr_assert_eq(without, hash);
	trace_close(t);
}

Test(trace_format, copies_of_the_host_program_follow_the_launches)
{
	static const struct trace_copy want[] = {{0x1010, 0, 300, TRACE_TO_DEVICE, 1}, {0, 0x1000, 7, TRACE_TO_HOST, 2}};
	struct err e = {""};
	uint64_t hash;
	struct trace *t = trace_open(compose(4, &hash), &e);

	cr_assert(t, "%s", e.text);
	expect_tables(t, hash);
	cr_assert_eq(trace_n_copies(t), 2);
	for (unsigned i = 0; i < 2; i++)
		cr_expect_eq(memcmp(trace_copy(t, i), &want[i], sizeof want[i]), 0, "copy %u", i);
	trace_close(t);
}

Test(trace_format, a_launch_says_which_it_waits_for)
{
	struct err e = {""};
	uint64_t hash;
	struct trace *t = trace_open(compose(8, &hash), &e);

	cr_assert(t, "%s", e.text);
	expect_tables(t, hash);
	cr_assert_eq(trace_n_copies(t), 2);
	cr_assert_not(trace_is_in_order(t));
	cr_assert(trace_launch(t, 1)->below == 0 && trace_launch(t, 1)->n_waits == 0);
	trace_close(t);
	t = trace_open(compose_waiting(8, (const uint32_t[3]){0, 1, 0}, &hash), &e);
	cr_assert(t, "%s", e.text);
	cr_assert(trace_launch(t, 1)->n_waits == 1 && trace_waits(t, trace_launch(t, 1))[0] == 0);
	trace_close(t);
	t = trace_open(compose(4, &hash), &e);
	cr_assert(t && trace_is_in_order(t), "%s", e.text);
	trace_close(t);
}

Test(trace_format, accesses_that_order_warps_end_the_content)
{
	static const struct trace_sync_word word[] = {{0x8000, TRACE_SYNC_GLOBAL, 150}, {0x7ffc, TRACE_SYNC_GLOBAL, 1}};
	static const struct trace_sync_item item[] = {{0, 1, 0, 0}, {0, 150, 147, 3}, {1, 1, 0, 0}};
	static const struct trace_sync_access access[] = {{0, 0, 0, 1, 1, 1, 0, 0, 0, 0}, {1, 1, 1, 2, 2, 2, 0, 1, 0, 2}};
	struct err e = {""};
	uint64_t hash;
	struct trace *t = trace_open(compose(10, &hash), &e);
	const struct trace_sync *s;
	struct trace_cta c = {0};

	cr_assert(t, "%s", e.text);
	expect_tables(t, hash);
	cr_assert(!trace_sms(t) && trace_independent_lanes(t) && !trace_sync(t, 0) && trace_sync(t, 1));
	s = trace_sync(t, 1);
	cr_assert(s->n_words == 2 && s->n_items == 3 && s->n_tails == 1 && s->n_accesses == 2);
	cr_expect_eq(memcmp(s->word, word, sizeof word), 0);
	cr_expect_eq(memcmp(s->item, item, sizeof item), 0);
	cr_expect_eq(memcmp(s->access, access, sizeof access), 0);
	cr_expect(s->n_sleeps == 2 && s->sleep[0] == 100 && s->sleep[1] == 64);
	cr_expect(s->tail[0].pc == 2 && s->tail[0].len == 1 && s->tail[0].mask == 5);
	cr_expect(s->first_access[0] == 0 && s->first_access[1] == 2);
	cr_expect_eq(trace_read_cta(t, 1, 0, &c, &e), 0, "%s", e.text);
	trace_cta_free(&c);
	trace_close(t);
}

/* For itself; for one behind it; for all below a later one; for one twice; for one that is below already; for more than
 * can be. */
Test(trace_format, a_launch_waits_for_those_before_it_alone)
{
	static const uint32_t wrong[][3] = {{0, 1, 1}, {0, 1, 2}, {2, 0, 0}, {0, 2, 0}, {1, 1, 0}, {0, TRACE_MAX_WAITS + 1, 0}};
	uint64_t hash;

	for (unsigned i = 0; i < sizeof wrong / sizeof *wrong; i++) {
		struct err e = {""};

		cr_expect_null(trace_open(compose_waiting(8, wrong[i], &hash), &e), "%u", i);
		cr_expect(strstr(e.text, "waits for"), "%u: %s", i, e.text);
	}
}
