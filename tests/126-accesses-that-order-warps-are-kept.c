/* 126: the accesses that order a launch's warps are in a trace and in its file, whose version and hash depend on them;
 * each thing that cannot be true of them is refused, in the tables or with the CTA.
 *
 * The tables are the end of the content section: a test of its own writes hostile ones there, with right checksums. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "support/contract.h"
#include "support/made_up.h"
#include "support/program.h"
#include "support/trace_sound.h"
#include "trace/trace_impl.h"

/* Two CTAs of a full warp and one of 8 lanes. Each warp loads from global memory, again, from shared and from local
 * memory: records 0 to 3, by its instructions number 1, 3, 5 and 6. */
enum { CTAS = 2, WARPS = 2, LAST_LANES = 0xff };

static uint32_t lanes(uint32_t warp)
{
	return warp ? LAST_LANES : UINT32_MAX;
}

static void put_warp(struct trace_writer *w, uint32_t warp)
{
	const uint32_t all = lanes(warp), run[][3] = {{0, 3, all}, {1, 2, all}, {1, 1, 0}, {3, 2, 1}, {5, 1, all}};
	uint64_t addr[TRACE_WARP_SIZE] = {0};

	for (unsigned i = 0; i < 5; i++)
		trace_put_run(w, warp, run[i][0], run[i][1], run[i][2]);
	trace_put_addrs(w, warp, all, addr);
	trace_put_addrs(w, warp, all, addr);
	trace_put_addrs(w, warp, 1, addr);
	trace_put_addrs(w, warp, 1, addr);
}

/* NULL: no table. */
static struct trace *record(const char *path, const struct trace_sync *s)
{
	struct trace_inst inst[6] = {{.op = OP_INT_ADD},
				     {.op = OP_LOAD, .space = SPACE_GLOBAL, .width = 4},
				     {.op = OP_BRANCH},
				     {.op = OP_ATOM, .space = SPACE_SHARED, .width = 4},
				     {.op = OP_LOAD, .space = SPACE_LOCAL, .width = 4},
				     {.op = OP_EXIT}};
	char *names[] = {"x"};
	const struct trace_kernel k = {"k", 6, inst, 1, names, 1, 1, 64, 64, NULL, NULL};
	const uint32_t grid[3] = {CTAS, 1, 1}, block[3] = {40, 1, 1};
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&(struct trace_options){.name = "order", .path = path}, &e);
	struct trace *t;

	cr_assert(w, "%s", e.text);
	trace_add_kernel(w, &k);
	cr_assert_eq(trace_launch_begin(w, 0, grid, block, 0, &e), 0, "%s", e.text);
	for (uint32_t c = 0; c < CTAS; c++) {
		trace_cta_begin(w, c);
		for (uint32_t i = 0; i < WARPS; i++)
			put_warp(w, i);
		cr_assert_eq(trace_cta_end(w, &e), 0, "%s", e.text);
	}
	if (s)
		trace_set_sync(w, s);
	cr_assert_eq(trace_launch_end(w, &e), 0);
	t = trace_writer_finish(w, &e);
	cr_assert(t, "%s", e.text);
	return t;
}

/* ---- a sound table, and its bytes ---- */

struct table {
	struct trace_sync_word word[3];
	struct trace_sync_item item[5];
	struct trace_run tail[3];
	uint32_t sleep[3];
	struct trace_sync_access access[5];
	uint32_t first_access[CTAS + 1];
	struct trace_sync s;
};

static struct table sound(void)
{
	return (struct table){
		.word = {{0x1000, TRACE_SYNC_GLOBAL, 4}, {8, 0, 2}, {16, 1, 200}},
		.item = {{0, 2, 4, 0}, {0, 0, 3, 1}, {0, 4, 0, 3}, {1, 2, 0, 2}, {2, 0, 0, 200}},
		.tail = {{2, 1, LAST_LANES}, {0, 4, 0}, {0, 1, UINT32_MAX}},
		.sleep = {100, 7, UINT32_MAX},
		.access = {{0, 0, 0, 1, 2, 1, 0, 2, 1, 2}, /* warp, record, items, counts of an attempt, runs, sleeps */
			   {0, 1, 1, 2, 3, 2, 1, 2, 0, 3}, /* instructions 1 to 3 */
			   {0, 2, 3, 1, 6, 3, 3, 0, 3, 0},
			   {1, 0, 0, 2, 0, 0, 0, 2, 0, 0},
			   {1, 2, 4, 1, 1, 1, 0, 0, 0, 1}},
		.first_access = {0, 4, 5},
		.s = {.n_words = 3, .n_items = 5, .n_tails = 3, .n_sleeps = 3, .n_accesses = 5},
	};
}

static const struct trace_sync *sync_of(struct table *x)
{
	x->s.word = x->word;
	x->s.item = x->item;
	x->s.tail = x->tail;
	x->s.sleep = x->sleep;
	x->s.access = x->access;
	x->s.first_access = x->first_access;
	return &x->s;
}

struct out {
	uint8_t b[4096];
	size_t n;
};

static void u(struct out *o, uint64_t v)
{
	for (; v >= 0x80; v >>= 7)
		o->b[o->n++] = (uint8_t)(v | 0x80);
	o->b[o->n++] = (uint8_t)v;
}

static void s(struct out *o, int64_t v)
{
	u(o, v < 0 ? ((uint64_t) - (v + 1) << 1) + 1 : (uint64_t)v << 1);
}

static void put_access(struct out *o, const struct trace_sync_access *a, const struct trace_sync_access *last)
{
	u(o, a->warp);
	s(o, (int64_t)a->access - last->access);
	s(o, (int64_t)a->first_item - last->first_item - last->n_items);
	u(o, a->n_items);
	u(o, a->insts);
	u(o, a->records);
	s(o, (int64_t)a->first_tail - last->first_tail);
	u(o, a->n_tail);
	s(o, (int64_t)a->first_sleep - last->first_sleep - last->n_sleeps);
	u(o, a->n_sleeps);
}

/* By docs/reference/trace-format.md. */
static struct out bytes_of(const struct table *x)
{
	static const struct trace_sync_access none;
	struct out o = {.n = 0};

	u(&o, x->s.n_accesses);
	u(&o, 3);
	for (unsigned i = 0; i < 3; i++) {
		u(&o, (uint32_t)(x->word[i].cta + 1));
		s(&o, (int64_t)(x->word[i].addr - (i ? x->word[i - 1].addr : 0)));
		u(&o, x->word[i].n);
	}
	u(&o, 5);
	for (unsigned i = 0; i < 5; i++) {
		s(&o, (int64_t)x->item[i].word - (i ? x->item[i - 1].word : 0));
		u(&o, x->item[i].need);
		s(&o, (int64_t)x->item[i].first - x->item[i].need);
		u(&o, x->item[i].n);
	}
	u(&o, 3);
	for (unsigned i = 0; i < 3; i++) {
		s(&o, (int64_t)x->tail[i].pc - (i ? (int64_t)x->tail[i - 1].pc + x->tail[i - 1].len : 0));
		u(&o, x->tail[i].len);
		u(&o, x->tail[i].mask);
	}
	u(&o, 3);
	for (unsigned i = 0; i < 3; i++)
		s(&o, (int64_t)x->sleep[i] - (i ? x->sleep[i - 1] : 0));
	for (uint32_t c = 0; c < CTAS; c++) {
		u(&o, x->first_access[c + 1] - x->first_access[c]);
		for (uint32_t i = x->first_access[c]; i < x->first_access[c + 1] && i < 5; i++)
			put_access(&o, &x->access[i], i ? &x->access[i - 1] : &none);
	}
	return o;
}

/* ---- a file with other tables ---- */

static const char *path_of(const char *name)
{
	static char path[2][4200];
	char *to = path[!strcmp(name, "hostile")];

	snprintf(to, sizeof path[0], "%s/%s.ltrace", program_tmp(), name);
	return to;
}

static struct out load(const char *path)
{
	struct out o;
	FILE *f = fopen(path, "rb");

	o.n = fread(o.b, 1, sizeof o.b, f);
	fclose(f);
	cr_assert(o.n > TRACE_HEADER && o.n < sizeof o.b);
	return o;
}

static uint64_t number_at(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, 8);
	return v;
}

/* The sound file with other bytes in the place of the tables that it ends its content with. */
static const char *file_with(const struct out *tables)
{
	struct table x = sound();
	const struct out old = bytes_of(&x);
	struct out file, to;
	uint64_t end, content;
	FILE *f;

	trace_close(record(path_of("sound"), sync_of(&x)));
	file = load(path_of("sound"));
	end = number_at(file.b + 16) + number_at(file.b + 24);
	cr_assert(end > old.n && memcmp(file.b + end - old.n, old.b, old.n) == 0, "the page's bytes are others");
	to = file;
	to.n = end - old.n;
	memcpy(to.b + to.n, tables->b, tables->n);
	to.n += tables->n;
	memcpy(to.b + to.n, file.b + end, file.n - end);
	to.n += file.n - end;
	content = number_at(file.b + 24) - old.n + tables->n;
	memcpy(to.b + 24, &content, 8);
	trace_seal(to.b);
	f = fopen(path_of("hostile"), "wb");
	fwrite(to.b, 1, to.n, f);
	fclose(f);
	return path_of("hostile");
}

static void expect_refused(const struct out *tables, const char *why)
{
	char want[4400];
	struct err e = {""};

	cr_expect_null(trace_open(file_with(tables), &e), "%s", why);
	snprintf(want, sizeof want, "%s: its tables are damaged: %s", path_of("hostile"), why);
	cr_expect_str_eq(e.text, want);
}

/* ---- what is kept ---- */

Test(trace_sync, is_the_same_in_memory_and_in_a_file)
{
	struct table x = sound();
	struct trace *mem = record(NULL, sync_of(&x)), *file = record(path_of("sound"), sync_of(&x)), *again;
	struct trace_cta c = {0};
	struct err e = {""};

	again = trace_open(path_of("sound"), &e);
	cr_assert(again, "%s", e.text);
	made_up_expect_sync(&x.s, trace_sync(mem, 0), CTAS, 0);
	made_up_expect_sync(&x.s, trace_sync(file, 0), CTAS, 0);
	made_up_expect_sync(&x.s, trace_sync(again, 0), CTAS, 0);
	cr_assert(trace_sync(mem, 0)->word != x.word && trace_sync(mem, 0)->first_access != x.first_access);
	cr_assert(trace_hash(mem) == trace_hash(file) && trace_hash(mem) == trace_hash(again));
	for (uint32_t i = 0; i < CTAS; i++) {
		cr_assert_eq(trace_read_cta(again, 0, i, &c, &e), 0, "%s", e.text);
		cr_assert_null(trace_unsound(again, 0, &c));
	}
	trace_cta_free(&c);
	trace_close(mem);
	trace_close(file);
	trace_close(again);
}

static uint64_t hash_with(struct table *x)
{
	struct trace *t = record(NULL, sync_of(x));
	uint64_t h = trace_hash(t);

	trace_close(t);
	return h;
}

/* Each table differs from the one before in one more number. */
Test(trace_sync, is_part_of_the_hash)
{
	struct table x = sound();
	uint64_t h[8];

	h[0] = hash_with(&x);
	x.word[0].addr += 4;
	h[1] = hash_with(&x);
	x.item[0].need = 1;
	h[2] = hash_with(&x);
	x.tail[0].mask = 3;
	h[3] = hash_with(&x);
	x.access[3].n_tail = 1;
	h[4] = hash_with(&x);
	x.access[4].access = 0;
	x.word[2].cta = TRACE_SYNC_GLOBAL;
	h[5] = hash_with(&x);
	x.sleep[1] = 8;
	h[6] = hash_with(&x);
	x.s.n_accesses = 0;
	h[7] = hash_with(&x);
	for (int i = 0; i < 8; i++)
		for (int k = 0; k < i; k++)
			cr_assert_neq(h[i], h[k], "%d and %d", i, k);
}

Test(trace_sync, alone_makes_a_file_of_version_10)
{
	struct table x = sound(), none = {.first_access = {0}};
	struct trace *without = record(path_of("sound"), NULL), *empty;
	struct out file = load(path_of("sound")), same;

	cr_assert_eq(file.b[8], 1);
	cr_assert_null(trace_sync(without, 0));
	empty = record(path_of("sound"), sync_of(&none));
	same = load(path_of("sound"));
	cr_assert_null(trace_sync(empty, 0));
	cr_assert(file.n == same.n && memcmp(file.b, same.b, same.n) == 0);
	trace_close(without);
	trace_close(empty);
	trace_close(record(path_of("sound"), sync_of(&x)));
	cr_assert_eq(load(path_of("sound")).b[8], 10);
}

Test(trace_sync, is_printed_by_trace_info)
{
	struct table x = sound();
	struct program p;

	trace_close(record(path_of("sound"), sync_of(&x)));
	p = program_run("locus trace info %s", path_of("sound"));
	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_expect(strstr(p.out, "\n  warps ordered by       5 accesses to 3 words\n"), "%s", p.out);
	program_free(&p);
	trace_close(record(path_of("sound"), NULL));
	p = program_run("locus trace info %s", path_of("sound"));
	cr_expect(!strstr(p.out, "ordered by"), "%s", p.out);
	program_free(&p);
}

/* ---- what is refused when the file is opened ---- */

static void word_of_no_cta(struct table *x)
{
	x->word[1].cta = CTAS;
}

static void more_modifications_than_accesses(struct table *x)
{
	x->word[2].n = 32 * (3 + 5) - 4 - 2 + 1;
}

static void item_of_no_word(struct table *x)
{
	x->item[0].word = 3;
}

static void needs_too_many(struct table *x)
{
	x->item[0].need = 5;
}

static void first_too_high(struct table *x)
{
	x->item[0].first = 5;
}

static void makes_too_many(struct table *x)
{
	x->item[1].n = 2;
}

static void makes_more_than_32_bits(struct table *x)
{
	x->item[4].first = 1;
	x->item[4].n = UINT32_MAX;
}

static void tail_of_no_instruction(struct table *x)
{
	x->tail[0].len = 0;
}

static void tail_beyond_the_kernel(struct table *x)
{
	x->tail[1].len = 7;
}

static void tail_far_beyond_the_kernel(struct table *x)
{
	x->tail[0].len = UINT32_MAX;
}

static void tail_with_an_access(struct table *x)
{
	x->tail[1].mask = 1;
}

static void tail_of_other_lanes(struct table *x)
{
	x->access[3].n_tail = 3; /* with the run of all lanes, which warp 1 does not have */
}

static void access_twice(struct table *x)
{
	x->access[1].access = 0;
}

static void warps_in_disorder(struct table *x)
{
	x->access[0].warp = 1;
}

static void warp_of_no_cta(struct table *x)
{
	x->access[3].warp = WARPS;
}

static void access_of_no_word(struct table *x)
{
	x->access[0].n_items = 0;
}

static void access_beyond_the_items(struct table *x)
{
	x->access[4].n_items = 2;
}

static void access_far_beyond_the_items(struct table *x)
{
	x->access[4].n_items = UINT32_MAX;
}

static void access_beyond_the_runs(struct table *x)
{
	x->access[2].n_tail = 1;
}

static void access_beyond_the_sleeps(struct table *x)
{
	x->access[1].n_sleeps = 4;
}

static void access_far_beyond_the_sleeps(struct table *x)
{
	x->access[4].first_sleep = UINT32_MAX;
}

static void access_to_two_memories(struct table *x)
{
	x->access[1].n_items = 3;
}

static void access_to_another_cta(struct table *x)
{
	x->access[2].first_item = 4;
}

static void instructions_without_a_record(struct table *x)
{
	x->access[0].records = 0;
}

static void records_without_an_instruction(struct table *x)
{
	x->access[3].records = 1;
}

static void more_records_than_instructions(struct table *x)
{
	x->access[4].records = 2;
}

static void fewer_accesses(struct table *x)
{
	x->first_access[2] = 4;
	x->access[0].insts = x->access[0].records = UINT32_MAX; /* more bytes than the missing access has at least */
}

static void more_accesses(struct table *x)
{
	x->s.n_accesses = 4;
}

struct hostile {
	void (*make)(struct table *x);
	const char *why;
};

static const char no_such_run[] = "a run after a failed attempt is outside the kernel",
		  no_such_change[] = "an ordering access makes modifications that its word does not have",
		  no_such_item[] = "an ordering access has items that are not there",
		  half_an_attempt[] = "an attempt has instructions and no record of addresses, or the reverse";

static const struct hostile in_tables[] = {
	{word_of_no_cta, "a synchronisation word is of a CTA that its launch does not have"},
	{more_modifications_than_accesses, "synchronisation words have more modifications than there are accesses"},
	{item_of_no_word, "an ordering access names a word that is not there"},
	{needs_too_many, "an ordering access needs more modifications than its word has"},
	{first_too_high, no_such_change},
	{makes_too_many, no_such_change},
	{makes_more_than_32_bits, no_such_change},
	{tail_of_no_instruction, no_such_run},
	{tail_beyond_the_kernel, no_such_run},
	{tail_far_beyond_the_kernel, no_such_run},
	{tail_with_an_access, "a run after a failed attempt accesses memory"},
	{tail_of_other_lanes, "a run after a failed attempt has lanes outside its warp"},
	{access_twice, "ordering accesses are out of order"},
	{warps_in_disorder, "ordering accesses are out of order"},
	{warp_of_no_cta, "an ordering access is of a warp that its CTA does not have"},
	{access_of_no_word, "an ordering access has no word"},
	{access_beyond_the_items, no_such_item},
	{access_far_beyond_the_items, no_such_item},
	{access_beyond_the_runs, "an ordering access has runs after a failed attempt that are not there"},
	{access_beyond_the_sleeps, "an ordering access has times of sleep that are not there"},
	{access_far_beyond_the_sleeps, "an ordering access has times of sleep that are not there"},
	{access_to_two_memories, "an ordering access has words of different memories"},
	{access_to_another_cta, "an ordering access has a word of another CTA's shared memory"},
	{instructions_without_a_record, half_an_attempt},
	{records_without_an_instruction, half_an_attempt},
	{more_records_than_instructions, "an attempt has more records of addresses than instructions"},
	{fewer_accesses, "CTAs have fewer ordering accesses than their launch"},
	{more_accesses, "CTAs have more ordering accesses than their launch"},
};

Test(trace_sync, what_cannot_be_true_is_refused_with_its_reason)
{
	for (unsigned i = 0; i < sizeof in_tables / sizeof *in_tables; i++) {
		struct table x = sound();
		struct out o;

		in_tables[i].make(&x);
		o = bytes_of(&x);
		expect_refused(&o, in_tables[i].why);
	}
}

/* Each number of the sound tables in turn is 2^40, or more than a varint holds; counts are too large for what follows
 * before any memory is taken for them. */
Test(trace_sync, no_number_is_believed)
{
	struct table x = sound();
	const struct out good = bytes_of(&x);

	for (size_t at = 0, next; at < good.n; at = next) {
		for (next = at + 1; good.b[next - 1] & 0x80;)
			next++;
		for (unsigned digits = 5; digits <= 10; digits += 5) {
			struct out o = good;
			struct err e = {""};
			struct trace *t;

			o.n = at;
			for (unsigned i = 0; i < digits; i++)
				o.b[o.n++] = 0xff;
			o.b[o.n++] = 0x1f;
			memcpy(o.b + o.n, good.b + next, good.n - next);
			o.n += good.n - next;
			t = trace_open(file_with(&o), &e);
			cr_expect(!t || digits == 5, "number at %u", (unsigned)at); /* an address may be large */
			cr_expect(t || strstr(e.text, "out of range") || strstr(e.text, "what follows"), "%s", e.text);
			trace_close(t);
		}
	}
}

Test(trace_sync, cut_short_tables_are_refused)
{
	struct table x = sound();
	struct out o = bytes_of(&x);
	struct err e = {""};

	for (o.n--; o.n > 0; o.n--)
		cr_expect_null(trace_open(file_with(&o), &e), "%u bytes", (unsigned)o.n);
	o = bytes_of(&x);
	o.b[o.n++] = 0;
	expect_refused(&o, "bytes follow the last launch");
}

/* ---- what is refused when a CTA is read ---- */

static void access_without_a_record(struct table *x)
{
	x->access[2].access = 4;
}

static void access_to_local_memory(struct table *x)
{
	x->access[2].access = 3;
}

static void global_access_to_a_shared_word(struct table *x)
{
	x->access[4].access = 0;
}

static void shared_access_to_a_global_word(struct table *x)
{
	x->access[3].access = 2;
}

static void attempt_before_the_warp(struct table *x)
{
	x->access[0].insts = 3;
}

static void attempt_with_a_record_more(struct table *x)
{
	x->access[0].records = 2;
}

static void attempt_with_a_record_fewer(struct table *x)
{
	x->access[2].records = 2;
}

/* A run without lanes owns no record, though its instruction accesses memory. */
static void attempt_with_the_record_of_no_lanes(struct table *x)
{
	x->access[2].insts = 2; /* instructions 4, without lanes, and 5 */
	x->access[2].records = 2;
}

Test(trace_sync, what_a_cta_contradicts_is_refused_with_it)
{
	static const struct hostile in_cta[] = {
		{access_without_a_record, "an ordering access has no record of addresses"},
		{access_to_local_memory, "an ordering access is neither of global nor of shared memory"},
		{global_access_to_a_shared_word, "an ordering access and its words are of different memories"},
		{shared_access_to_a_global_word, "an ordering access and its words are of different memories"},
		{attempt_before_the_warp, "an attempt begins before its warp does"},
		{attempt_with_a_record_more, "an attempt has another number of records of addresses than its instructions"},
		{attempt_with_a_record_fewer, "an attempt has another number of records of addresses than its instructions"},
		{attempt_with_the_record_of_no_lanes,
		 "an attempt has another number of records of addresses than its instructions"},
	};

	for (unsigned i = 0; i < sizeof in_cta / sizeof *in_cta; i++) {
		const bool second = in_cta[i].make == global_access_to_a_shared_word;
		struct table x = sound();
		struct trace_cta c = {0};
		struct err e = {""};
		char want[4400];
		struct trace *t;
		struct out o;

		in_cta[i].make(&x);
		o = bytes_of(&x);
		t = trace_open(file_with(&o), &e);
		cr_assert(t, "%s", e.text);
		cr_expect_eq(trace_read_cta(t, 0, !second, &c, &e), 0, "%s", e.text); /* the other one is sound */
		cr_expect_eq(trace_read_cta(t, 0, second, &c, &e), -1, "%s", in_cta[i].why);
		snprintf(want, sizeof want, "%s: the data of launch 0, CTA %d are damaged: %s", path_of("hostile"), second,
			 in_cta[i].why);
		cr_expect_str_eq(e.text, want);
		trace_cta_free(&c);
		trace_close(t);
	}
}

/* ---- what a writer is not given ---- */

static void sets_what_cannot_be(void)
{
	struct table x = sound();

	x.item[0].need = 5;
	record(NULL, sync_of(&x));
}

static void sets_it_in_disorder(void)
{
	struct table x = sound();

	x.first_access[0] = 1;
	record(NULL, sync_of(&x));
}

static void sets_it_outside_a_launch(void)
{
	struct table x = sound();
	struct err e = {""};

	trace_set_sync(trace_writer_new(&(struct trace_options){.name = "x"}, &e), sync_of(&x));
}

Test(trace_sync, a_writer_that_is_given_nonsense_aborts)
{
	static const struct broken broken[] = {
		{"an access that needs too many modifications", sets_what_cannot_be, "trace", "needs more modifications"},
		{"CTAs whose accesses leave one out", sets_it_in_disorder, "trace", "do not follow one another"},
		{"outside a launch", sets_it_outside_a_launch, "trace: accesses that order warps, outside a launch", "w->launch"},
	};

	CONTRACT_CHECK(broken);
}
