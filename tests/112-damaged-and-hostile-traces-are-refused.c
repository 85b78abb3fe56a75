/* 112: a damaged, truncated, too new or hostile trace gives one clear error, or the very same content; never a crash,
 * never much memory.
 *
 * Checksums catch accidents; to get behind them, as an attacker would, the tests change bytes and then seal the file
 * anew. */
#include <criterion/criterion.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>
#include <xxhash.h>
#include <zstd.h>

#include "base/alloc.h"
#include "support/made_up.h"
#include "support/program.h"
#include "support/random.h"
#include "support/trace_sound.h"
#include "trace/trace_impl.h"

enum { HEADER = 64 };

struct file {
	uint8_t *b;
	size_t n;
};

static const char *tmp_path(void)
{
	static char path[4200];

	snprintf(path, sizeof path, "%s/t.ltrace", program_tmp());
	return path;
}

static struct file load(const char *path)
{
	FILE *f = fopen(path, "rb");
	struct file out = {xcalloc(1, 1 << 20), 0};

	out.n = fread(out.b, 1, 1 << 20, f);
	fclose(f);
	cr_assert(out.n > HEADER && out.n < 1 << 20);
	return out;
}

/* A file without a disk: some file systems write a file out at once when it replaces an older one, thousands of times
 * here. */
static const char *memory_path(int *fd)
{
	static char path[64];
	static int made = -1;

	if (made < 0) {
		made = memfd_create("damaged", 0);
		cr_assert(made >= 0);
		snprintf(path, sizeof path, "/proc/self/fd/%d", made);
	}
	if (fd)
		*fd = made;
	return path;
}

static struct trace *open_bytes(const uint8_t *b, size_t n, struct err *e)
{
	int fd;
	const char *path = memory_path(&fd);

	cr_assert(ftruncate(fd, (off_t)n) == 0 && pwrite(fd, b, n, 0) == (ssize_t)n);
	*e = (struct err){""};
	return trace_open(path, e);
}

static uint64_t u64_at(const uint8_t *p)
{
	uint64_t v;

	memcpy(&v, p, 8);
	return v;
}

static void set_u64(uint8_t *p, uint64_t v)
{
	memcpy(p, &v, 8);
}

/* A number for all that can be read; 0 if some CTA is refused. */
static uint64_t digest(struct trace *t, struct trace_cta *c, struct err *e)
{
	XXH64_state_t *x = XXH64_createState();
	bool good = true;
	uint64_t h = trace_hash(t);

	XXH64_reset(x, 0);
	XXH64_update(x, &h, sizeof h);
	XXH64_update(x, trace_name(t), strlen(trace_name(t)));
	for (uint32_t l = 0; l < trace_n_launches(t) && good; l++) {
		for (uint32_t i = 0; i < trace_launch(t, l)->n_ctas && good; i++) {
			good = trace_read_cta(t, l, i, c, e) == 0;
			if (!good)
				break;
			cr_assert_null(trace_unsound(t, l, c), "%s", trace_unsound(t, l, c));
			XXH64_update(x, c->runs, c->n_runs * sizeof *c->runs);
			XXH64_update(x, c->addrs, c->n_addrs * sizeof *c->addrs);
			XXH64_update(x, c->shapes, c->n_shapes * sizeof *c->shapes);
			XXH64_update(x, c->lanes, c->n_lanes * sizeof *c->lanes);
		}
	}
	h = XXH64_digest(x);
	XXH64_freeState(x);
	return good ? h | 1 : 0;
}

/* An error says something and names the file, in one line. */
static void expect_told(const struct err *e)
{
	cr_assert(e->text[0] && !strchr(e->text, '\n') && strstr(e->text, memory_path(NULL)), "\"%s\"", e->text);
}

/* Opens and reads everything: a clean refusal, or (if same is not NULL) the same content. */
static bool accepted(const uint8_t *b, size_t n, uint64_t same, struct trace_cta *c)
{
	struct err e;
	struct trace *t = open_bytes(b, n, &e);
	uint64_t d = t ? digest(t, c, &e) : 0;

	if (!d)
		expect_told(&e);
	else if (same)
		cr_assert_eq(d, same);
	trace_close(t);
	return d != 0;
}

static struct file small_file(uint64_t seed, uint64_t *same, struct trace_cta *c)
{
	struct made_up m;
	struct trace *t;
	struct err e = {""};
	struct file f;

	made_up_init(&m, seed, 2);
	made_up_copy(&m);
	made_up_wait(&m);
	made_up_sync(&m, seed);
	t = made_up_record(&m, &(struct trace_options){.name = "small", .path = tmp_path()});
	*same = digest(t, c, &e);
	cr_assert_neq(*same, 0);
	trace_close(t);
	made_up_free(&m);
	f = load(tmp_path());
	cr_assert_eq(f.b[8], TRACE_VERSION);
	return f;
}

/* Hostile counts must not take memory; a sanitizer's own reservations make such a limit impossible there. */
static void limit_memory(void)
{
#ifndef __SANITIZE_ADDRESS__
	struct rlimit r = {UINT64_C(600) << 20, UINT64_C(600) << 20};

	cr_assert_eq(setrlimit(RLIMIT_AS, &r), 0);
#endif
}

Test(damaged_trace, every_flipped_byte_is_an_error_or_changes_nothing)
{
	struct trace_cta c = {0};
	uint64_t same, random = 3;
	struct file f = small_file(15, &same, &c);
	unsigned passed = 0;

	cr_assert(accepted(f.b, f.n, same, &c));
	for (size_t i = 0; i < f.n; i++) {
		uint8_t old = f.b[i];

		f.b[i] ^= (uint8_t)(1u << random_u64(&random) % 8);
		passed += accepted(f.b, f.n, same, &c);
		f.b[i] = old;
	}
	/* zstd has a few bits without meaning; all the rest is under a checksum. */
	cr_assert(passed < f.n / 10, "%u of %u flips went through", passed, (unsigned)f.n);
	trace_cta_free(&c);
	free(f.b);
}

Test(damaged_trace, every_truncation_is_an_error)
{
	struct trace_cta c = {0};
	uint64_t same;
	struct file f = small_file(15, &same, &c);

	for (size_t n = 0; n < f.n; n++)
		cr_assert_not(accepted(f.b, n, 0, &c), "%u bytes", (unsigned)n);
	f.b = xrealloc(f.b, f.n + 1);
	f.b[f.n] = 0;
	cr_assert_not(accepted(f.b, f.n + 1, 0, &c));
	trace_cta_free(&c);
	free(f.b);
}

Test(damaged_trace, hostile_numbers_behind_right_checksums_do_no_harm)
{
	static const uint64_t evil[] = {UINT64_MAX, 0x7fffffff, 0, 0x10000000ffffffff};
	struct trace_cta c = {0};
	uint64_t same;
	struct file f = small_file(15, &same, &c);
	uint8_t *work = xmalloc(f.n);
	size_t tables = u64_at(f.b + 16);

	limit_memory();
	for (size_t i = tables; i + 4 <= f.n; i++) {
		for (unsigned v = 0; v < 4; v++) {
			memcpy(work, f.b, f.n);
			memcpy(work + i, &evil[v], i + 8 <= f.n && v != 1 ? 8 : 4);
			trace_seal(work);
			accepted(work, f.n, 0, &c);
		}
	}
	for (size_t i = 16; i < 56; i += 8) { /* the header's own sizes and offsets */
		for (unsigned v = 0; v < 4; v++) {
			memcpy(work, f.b, f.n);
			set_u64(work + i, evil[v]);
			set_u64(work + 56, XXH64(work, 56, 0));
			cr_assert_not(accepted(work, f.n, 0, &c), "header field at %u", (unsigned)i);
		}
	}
	trace_cta_free(&c);
	free(work);
	free(f.b);
}

Test(damaged_trace, another_kind_of_file_and_a_newer_version_are_named)
{
	struct trace_cta c = {0};
	uint64_t same;
	struct file f = small_file(15, &same, &c);
	struct err e;
	char want[4400];

	f.b[8] = 11;
	cr_assert_null(open_bytes(f.b, f.n, &e));
	snprintf(want, sizeof want, "%s: the trace has format version 11, this program reads up to 10", memory_path(NULL));
	cr_assert_str_eq(e.text, want);
	cr_assert_null(open_bytes((const uint8_t *)"ptx", 3, &e));
	snprintf(want, sizeof want, "%s: not a Locus trace", memory_path(NULL));
	cr_assert_str_eq(e.text, want);
	e = (struct err){""};
	cr_assert_null(trace_open("/no/such.ltrace", &e));
	cr_assert_str_eq(e.text, "/no/such.ltrace: No such file or directory");
	e = (struct err){""};
	cr_assert_null(trace_open("/tmp", &e));
	cr_assert_str_eq(e.text, "/tmp: not a regular file");
	trace_cta_free(&c);
	free(f.b);
}

/* ---- one frame, changed before compression ---- */

/* A file of one CTA of 40 threads with every kind of run and record. */
static struct file one_frame(uint8_t *raw, size_t *n)
{
	struct trace_inst inst[4] = {
		{.op = OP_INT_ADD}, {.op = OP_LOAD, .space = SPACE_GLOBAL, .width = 4}, {.op = OP_INT_ADD}, {.op = OP_EXIT}};
	char *names[] = {"x"};
	struct trace_kernel k = {"k", 4, inst, 1, names, 1, 1, 0, 0, NULL, NULL};
	const uint32_t grid[3] = {1, 1, 1}, block[3] = {40, 1, 1};
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&(struct trace_options){.name = "one", .path = tmp_path()}, &e);
	uint64_t a[TRACE_WARP_SIZE], seed = 1;
	struct file f;

	trace_add_kernel(w, &k);
	trace_launch_begin(w, 0, grid, block, 0, &e);
	trace_cta_begin(w, 0);
	for (uint32_t warp = 0; warp < 2; warp++) {
		for (uint32_t i = 0; i < 8; i++) {
			uint32_t mask = warp ? 0xffu >> i % 3 : UINT32_MAX << i % 3;

			for (unsigned l = 0; l < 32; l++)
				a[l] = i == 2 ? random_u64(&seed) : 0x10000 + i * i * 64 + l * 4;
			trace_put_run(w, warp, i % 2, 3 - i % 2, mask);
			trace_put_addrs(w, warp, mask, a);
			trace_put_run(w, warp, 0, 1, 0);
		}
		trace_put_run(w, warp, 3, 1, warp ? 0xff : UINT32_MAX);
	}
	cr_assert_eq(trace_cta_end(w, &e), 0);
	trace_launch_end(w, &e);
	trace_close(trace_writer_finish(w, &e));
	f = load(tmp_path());
	*n = ZSTD_decompress(raw, 4096, f.b + HEADER, u64_at(f.b + 16) - HEADER);
	cr_assert_not(ZSTD_isError(*n));
	return f;
}

/* The file with another frame, all checksums right. The index entry is the content's end, the stored size the
 * storage's. */
static bool accepted_with(const struct file *f, const uint8_t *raw, size_t n, struct trace_cta *c)
{
	static uint8_t b[1 << 16];
	size_t at = u64_at(f->b + 16), content = u64_at(f->b + 24), packed;
	uint32_t size;
	uint64_t hash = XXH64(raw, n, 0);

	packed = ZSTD_compress(b + HEADER, sizeof b / 2, raw, n, 1);
	memcpy(b, f->b, HEADER);
	memcpy(b + HEADER + packed, f->b + at, f->n - at);
	set_u64(b + 16, HEADER + packed);
	size = (uint32_t)n;
	memcpy(b + HEADER + packed + content - 12, &size, 4);
	memcpy(b + HEADER + packed + content - 8, &hash, 8);
	size = (uint32_t)packed;
	memcpy(b + HEADER + packed + f->n - at - 4, &size, 4);
	trace_seal(b);
	return accepted(b, HEADER + packed + f->n - at, 0, c);
}

Test(damaged_trace, a_hostile_frame_is_refused_or_sound)
{
	static const uint8_t evil[] = {0x00, 0x01, 0x7f, 0x80, 0xff, 0x03, 0x16};
	struct trace_cta c = {0};
	uint8_t raw[4200], work[4200];
	uint64_t random = 7;
	unsigned sound = 0;
	size_t n;
	struct file f = one_frame(raw, &n);

	cr_assert(accepted_with(&f, raw, n, &c));
	for (size_t i = 0; i < n; i++) {
		cr_assert_not(accepted_with(&f, raw, i, &c), "%u of %u bytes", (unsigned)i, (unsigned)n);
		for (unsigned v = 0; v < sizeof evil; v++) {
			memcpy(work, raw, n);
			work[i] = evil[v];
			accepted_with(&f, work, n, &c);
		}
	}
	memcpy(work, raw, n);
	work[n] = 0;
	cr_assert_not(accepted_with(&f, work, n + 1, &c));
	for (int round = 0; round < 6000; round++) {
		memcpy(work, raw, n);
		for (int i = 0; i < 1 + round % 4; i++)
			work[random_u64(&random) % n] = (uint8_t)random_u64(&random);
		sound += accepted_with(&f, work, n, &c);
	}
	cr_assert(sound > 0 && sound < 6000, "%u", sound); /* both sides of the check were tried */
	trace_cta_free(&c);
	free(f.b);
}

Test(damaged_trace, a_frame_that_claims_much_is_refused_before_memory_is_taken)
{
	struct trace_cta c = {0};
	uint8_t raw[4200], *big;
	size_t n;
	struct file f = one_frame(raw, &n);
	uint8_t runs[16] = {0xff, 0xff, 0xff, 0xff, 0x0f};

	limit_memory();
	cr_assert_not(accepted_with(&f, runs, 5, &c)); /* 2^32 - 1 runs */
	cr_assert_not(accepted_with(&f, runs, 16, &c));
	/* 100 MB of zeros in a few kilobytes: runs of one instruction that run off the kernel's end at once. */
	big = xcalloc(1, 100 << 20);
	memcpy(big, (uint8_t[]){0x80, 0x80, 0x80, 0x10}, 4);
	cr_assert_not(accepted_with(&f, big, 100 << 20, &c));
	free(big);
	/* The index claims more than the format allows. */
	memcpy(f.b + u64_at(f.b + 16) + u64_at(f.b + 24) - 12, (uint8_t[]){0xff, 0xff, 0xff, 0xff}, 4);
	trace_seal(f.b);
	cr_assert_not(accepted(f.b, f.n, 0, &c));
	trace_cta_free(&c);
	free(f.b);
}

/* The model takes the last source of a guarded instruction for its guard. */
Test(damaged_trace, a_guarded_instruction_without_a_guard_is_refused)
{
	static char *name[] = {"add.u32"};
	struct trace_inst guarded = {.op = OP_INT_ADD, .flags = TRACE_PREDICATED, .nsrc = 1}, bare = {.op = OP_INT_ADD}, view;
	struct trace_kernel k = {.n_inst = 1, .inst = &guarded, .n_names = 1, .names = name, .n_regs = 1};

	cr_expect_null(trace_check_kernel(&k));
	guarded.nsrc = 0;
	cr_expect_not_null(trace_check_kernel(&k));
	k.inst = &bare;
	k.folds = &view;
	view = bare;
	cr_expect_null(trace_check_kernel(&k));
	view.flags = TRACE_PREDICATED;
	cr_expect_not_null(trace_check_kernel(&k));
}
