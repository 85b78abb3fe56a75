/* 290: what a CUDA program registers is a fat binary, or the text of PTX; of its entries that for the machine is taken,
 * whatever it is compressed with. The entries here are made with the compressors' own libraries; where nvcc is
 * installed, it makes some too. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cuda/fatbin.h"
#include "support/made_fatbin.h"
#include "support/program.h"

enum { ROOM = 1 << 16 };

static const char OLD[] = ".version 7.0\n.target sm_70\n", NEW[] = ".version 7.5\n.target sm_86\n// of a newer one\n";

#define ENTRY(kind, sm, how, text)                                                                                                 \
	{                                                                                                                          \
		kind, sm, how, text, sizeof text                                                                                   \
	}

/* As a block of its own, so that a sanitizer sees who reads on behind it. */
static int read_copy(const uint8_t *b, size_t n, uint32_t capability, struct fatbin_ptx *ptx, struct err *e)
{
	uint8_t *copy = xmalloc(n + 1);
	int rc;

	memcpy(copy, b, n);
	rc = fatbin_read(copy, n, capability, 0, ptx, e);
	free(copy);
	return rc;
}

static void expect(const struct made_entry *entry, unsigned n, uint32_t capability, const char *text, uint32_t sm)
{
	uint8_t *b = xmalloc(ROOM);
	size_t bytes = made_fatbin(b, ROOM, entry, n);
	struct fatbin_ptx ptx;
	struct err e = {""};

	cr_assert_gt(bytes, 0);
	cr_assert_eq(read_copy(b, bytes, capability, &ptx, &e), 0, "%s", e.text);
	cr_expect_str_eq(ptx.text, text);
	cr_expect_eq(ptx.sm, sm);
	cr_expect_eq(ptx.is_newer, sm > capability);
	free(ptx.text);
	free(b);
}

Test(fatbin, has_ptx_however_it_is_compressed)
{
	for (int how = MADE_PLAIN; how <= MADE_ZSTD; how++)
		expect((struct made_entry[]){ENTRY(MADE_PTX, 70, (enum made_how)how, OLD)}, 1, 80, OLD, 70);
}

/* The newest that the machine runs; if there is none, the oldest, which is newer. */
Test(fatbin, has_the_entry_for_the_machine)
{
	const struct made_entry all[] = {ENTRY(MADE_ELF, 80, MADE_PLAIN, "machine code"), ENTRY(MADE_PTX, 86, MADE_ZSTD, NEW),
					 ENTRY(MADE_PTX, 70, MADE_LZ4, OLD), ENTRY(MADE_PTX, 60, MADE_PLAIN, "older yet")};

	expect(all, 4, 90, NEW, 86);
	expect(all, 4, 86, NEW, 86);
	expect(all, 4, 80, OLD, 70);
	expect(all, 4, 60, "older yet", 60);
	expect(all, 4, 52, "older yet", 60);
	expect(all, 3, 52, OLD, 70);
}

/* clang's: the text alone. */
Test(fatbin, may_be_text)
{
	struct fatbin_ptx ptx;
	struct err e = {""};

	cr_assert_eq(read_copy((const uint8_t *)NEW, sizeof NEW, 80, &ptx, &e), 0, "%s", e.text);
	cr_expect_str_eq(ptx.text, NEW);
	cr_expect_eq(ptx.sm, 0);
	free(ptx.text);
}

static void expect_refused(const uint8_t *b, size_t n, const char *says)
{
	struct fatbin_ptx ptx;
	struct err e = {""};

	cr_expect_eq(read_copy(b, n, 80, &ptx, &e), -1, "%s", says);
	cr_expect_null(ptx.text);
	cr_expect(strstr(e.text, says), "expected \"%s\" in \"%s\"", says, e.text);
}

static void expect_changed_refused(size_t at, uint64_t value, unsigned bytes, enum made_how how, const char *says)
{
	const struct made_entry entry = ENTRY(MADE_PTX, 70, how, OLD);
	uint8_t b[512];
	size_t n = made_fatbin(b, sizeof b, &entry, 1);

	for (unsigned i = 0; i < bytes; i++)
		b[at + i] = (uint8_t)(value >> 8 * i);
	expect_refused(b, n, says);
}

Test(fatbin, is_refused_if_it_is_broken)
{
	const struct made_entry sass = ENTRY(MADE_ELF, 86, MADE_PLAIN, "machine code");
	uint8_t b[512];
	size_t n = made_fatbin(b, sizeof b, &sass, 1);

	expect_refused(b, n, "machine code for sm_86 without PTX: build with nvcc -gencode arch=compute_86,code=compute_86");
	expect_refused(b, 16, "cut off");
	expect_refused((const uint8_t *)"text of something", 18, "neither a fat binary nor the text of PTX");
	expect_refused((const uint8_t *)".version 7.0", 12, "neither"); /* without an end */
	expect_refused((const uint8_t *)"", 0, "neither");
	expect_changed_refused(4, 2, 2, MADE_PLAIN, "version 2");
	expect_changed_refused(6, 4, 2, MADE_PLAIN, "cut off");
	expect_changed_refused(8, UINT64_MAX, 8, MADE_PLAIN, "cut off");
	expect_changed_refused(8, 0, 8, MADE_PLAIN, "without PTX");
	expect_changed_refused(8, 30, 8, MADE_PLAIN, "30 bytes behind its last entry");
	expect_changed_refused(16 + 4, 0, 4, MADE_PLAIN, "entry of a fat binary that is cut off");
	expect_changed_refused(16 + 4, UINT32_MAX, 4, MADE_PLAIN, "entry of a fat binary that is cut off");
	expect_changed_refused(16 + 8, UINT64_MAX - 63, 8, MADE_PLAIN, "entry of a fat binary that is cut off");
	expect_changed_refused(16 + 16, 1 << 20, 4, MADE_ZSTD, "entry of a fat binary that is cut off");
	expect_changed_refused(16 + 64, 0, 1, MADE_PLAIN, "PTX without a text");
	for (int how = MADE_LZ4; how <= MADE_ZSTD; how++) {
		expect_changed_refused(16 + 56, UINT64_MAX, 8, (enum made_how)how, "too many");
		expect_changed_refused(16 + 56, 5, 8, (enum made_how)how, "compressed text is broken");
		expect_changed_refused(16 + 56, 5000, 8, (enum made_how)how, "compressed text is broken");
		expect_changed_refused(16 + 64, UINT64_MAX, 8, (enum made_how)how, "compressed text is broken");
	}
}

/* ---- nvcc's ---- */

static const char KERNEL[] = "__global__ void add(float *a, const float *b, int n)\n"
			     "{\n\tint i = blockIdx.x * blockDim.x + threadIdx.x;\n\tif (i < n)\n\t\ta[i] += b[i];\n}\n";

/* The words of PTX, without comments. */
static char *words_of(const char *command)
{
	struct program p = program_run(
		"cd %s && PATH=$PATH:/usr/local/cuda/bin && %s | sed 's:\\(^\\|[^/]\\)//.*::' | tr -s '[:space:]' '\\n'",
		program_tmp(), command);

	cr_assert_eq(p.status, 0, "%s", p.err);
	free(p.err);
	return p.out;
}

static void expect_nvccs(const char *mode, const char *expected)
{
	struct program p = program_run(
		"cd %s && PATH=$PATH:/usr/local/cuda/bin && nvcc -arch=sm_80 --compress-mode=%s -fatbin k.cu -o k.fatbin",
		program_tmp(), mode);
	uint8_t *b = xmalloc(ROOM);
	char path[512], *words;
	struct fatbin_ptx ptx;
	struct err e = {""};
	size_t n;
	FILE *f;

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	snprintf(path, sizeof path, "%s/k.fatbin", program_tmp());
	f = fopen(path, "rb");
	n = f ? fread(b, 1, ROOM, f) : 0;
	cr_assert_eq(read_copy(b, n, 80, &ptx, &e), 0, "%s: %s", mode, e.text);
	fclose(f);
	program_file("found.ptx", ptx.text);
	words = words_of("cat found.ptx");
	cr_expect_str_eq(words, expected, "--compress-mode=%s", mode);
	cr_expect_eq(ptx.sm, 80);
	free(words);
	free(ptx.text);
	free(b);
}

Test(fatbin, of_nvcc_has_the_ptx_that_nvcc_writes)
{
	static const char *const modes[] = {"none", "speed", "size"};
	struct program p = program_run("PATH=$PATH:/usr/local/cuda/bin; command -v nvcc");
	char *expected;

	if (p.status != 0)
		cr_skip("nvcc is not installed");
	program_free(&p);
	program_file("k.cu", KERNEL);
	expected = words_of("nvcc -arch=sm_80 -ptx k.cu -o - ");
	cr_assert(strstr(expected, "add.f32"), "%s", expected);
	for (unsigned i = 0; i < sizeof modes / sizeof *modes; i++)
		expect_nvccs(modes[i], expected);
	free(expected);
}
