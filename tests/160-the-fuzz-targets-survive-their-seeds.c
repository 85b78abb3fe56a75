/* 160: the targets of `make fuzz` come back from their seeds, whole, cut short and with a byte changed; the mutator of
 * .ltrace files reaches behind checksums and compression. A target ends the program if the reader it drives breaks a
 * promise. */
#include <criterion/criterion.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "cuda/fatbin.h"
#include "fuzz/fuzz.h"
#include "support/made_up.h"
#include "support/program.h"
#include "support/random.h"

enum { MAX_SEED = 1 << 16, PLACES = 40 };

typedef void target(const uint8_t *data, size_t n);

struct seed {
	uint8_t *b;
	size_t n;
};

static struct seed load(const char *path)
{
	struct seed s = {xmalloc(MAX_SEED), 0};
	FILE *f = fopen(path, "rb");

	cr_assert_not_null(f, "%s", path);
	s.n = fread(s.b, 1, MAX_SEED, f);
	cr_assert(s.n > 0 && s.n < MAX_SEED, "%s", path);
	fclose(f);
	return s;
}

/* All seeds of a target, before it makes another folder the working one. */
static unsigned load_all(const char *name, struct seed *to, unsigned max)
{
	char path[600], folder[300];
	struct dirent *entry;
	unsigned n = 0;
	DIR *d;

	snprintf(folder, sizeof folder, "tests/fuzz/corpus/%s", name);
	d = opendir(folder);
	cr_assert_not_null(d, "%s", folder);
	while ((entry = readdir(d))) {
		if (entry->d_name[0] == '.')
			continue;
		cr_assert_lt(n, max);
		snprintf(path, sizeof path, "%s/%s", folder, entry->d_name);
		to[n++] = load(path);
	}
	closedir(d);
	cr_assert_gt(n, 0);
	return n;
}

/* The bytes as a block of their own size, as libFuzzer hands them out: a sanitizer sees who reads on behind them. */
static void run(target *t, const uint8_t *b, size_t n)
{
	uint8_t *copy = xmalloc(n);

	memcpy(copy, b, n);
	t(copy, n);
	free(copy);
}

/* changes: also with a byte changed, which may make a launch file ask for much work. */
static void stand(const char *name, target *t, bool changes)
{
	struct seed seed[16];
	unsigned n = load_all(name, seed, 16);
	uint64_t random = 160;

	for (unsigned i = 0; i < n; i++) {
		run(t, seed[i].b, seed[i].n);
		for (unsigned k = 0; k < PLACES; k++) {
			size_t at = random_u64(&random) % seed[i].n;
			uint8_t old = seed[i].b[at];

			run(t, seed[i].b, at);
			seed[i].b[at] = (uint8_t)random_u64(&random);
			if (changes)
				run(t, seed[i].b, seed[i].n);
			seed[i].b[at] = old;
		}
		free(seed[i].b);
	}
}

Test(fuzz_seeds, ptx)
{
	stand("ptx", fuzz_ptx, true);
}

Test(fuzz_seeds, flow)
{
	stand("flow", fuzz_flow, true);
}

Test(fuzz_seeds, accelsim)
{
	stand("accelsim", fuzz_accelsim, true);
}

Test(fuzz_seeds, graph)
{
	stand("graph", fuzz_graph, true);
}

Test(fuzz_seeds, machine)
{
	stand("machine", fuzz_machine, true);
}

Test(fuzz_seeds, gpgpusim)
{
	stand("gpgpusim", fuzz_gpgpusim, true);
}

Test(fuzz_seeds, launch)
{
	stand("launch", fuzz_launch, false);
}

Test(fuzz_seeds, din)
{
	stand("din", fuzz_din, true);
}

Test(fuzz_seeds, stimulus)
{
	stand("stimulus", fuzz_stimulus, true);
}

Test(fuzz_seeds, dram)
{
	stand("dram", fuzz_dram, true);
}

Test(fuzz_seeds, diff)
{
	stand("diff", fuzz_diff, true);
}

Test(fuzz_seeds, rtl)
{
	stand("rtl", fuzz_rtl, true);
}

Test(fuzz_seeds, sweep)
{
	stand("sweep", fuzz_sweep, true);
}

Test(fuzz_seeds, fatbin)
{
	stand("fatbin", fuzz_fatbin, true);
}

Test(fuzz_seeds, cuda)
{
	stand("cuda", fuzz_cuda, true);
}

/* ---- the mutator of fat binaries ---- */

static size_t leave(uint8_t *data, size_t n, size_t max)
{
	(void)data;
	(void)max;
	return n;
}

/* Text that is handed to it arrives, from a fat binary too, and not only there. */
Test(fuzz_mutator, makes_whole_fat_binaries)
{
	static const char text[] = ".version 7.5\n.target sm_80\n";
	unsigned whole = 0;

	for (unsigned seed = 0; seed < 4096; seed += 5) {
		uint8_t b[4096];
		struct fatbin_ptx ptx;
		struct err e = {""};
		size_t n = sizeof text;

		memcpy(b, text, sizeof text);
		for (unsigned again = 0; again < 2; again++) {
			n = fuzz_fatbin_mutate(b, n, sizeof b, seed + 4096 * again, leave);
			cr_assert(n > 0 && n <= sizeof b);
			if (fatbin_read(b, n, 80, 0, &ptx, &e) != 0)
				break;
			whole += ptx.sm != 0;
			cr_expect_str_eq(ptx.text, text);
			free(ptx.text);
		}
	}
	cr_expect_gt(whole, 800);
}

/* ---- the mutator of .ltrace files ---- */

/* Replaces the last byte, as a mutator might. */
static size_t change_last(uint8_t *data, size_t n, size_t max)
{
	(void)max;
	if (n > 0)
		data[n - 1] ^= 1;
	return n;
}

static size_t change_nothing(uint8_t *data, size_t n, size_t max)
{
	(void)data, (void)max;
	return n;
}

static struct seed small_trace(bool copies)
{
	char path[4200];
	struct made_up m;
	struct seed s;

	snprintf(path, sizeof path, "%s/small.ltrace", program_tmp());
	made_up_init(&m, 18, 1);
	if (copies)
		made_up_copy(&m);
	trace_close(made_up_record(&m, &(struct trace_options){.name = "small", .path = path}));
	made_up_free(&m);
	s = load(path);
	s.b = xrealloc(s.b, 2 * MAX_SEED);
	return s;
}

/* Whether the bytes open as a trace, and what the error says if not. */
static bool opens(const uint8_t *b, size_t n, struct err *e)
{
	char path[4200];
	struct trace *t;
	FILE *f;

	snprintf(path, sizeof path, "%s/changed.ltrace", program_tmp());
	f = fopen(path, "wb");
	cr_assert(f && fwrite(b, 1, n, f) == n && fclose(f) == 0);
	*e = (struct err){""};
	t = trace_open(path, e);
	trace_close(t);
	return t != NULL;
}

Test(fuzz_mutator, a_trace_file_is_taken_apart_and_put_together_again)
{
	struct seed s = small_trace(false);
	struct err e;

	for (unsigned seed = 1; seed < 16; seed++) {
		s.n = fuzz_ltrace_mutate(s.b, s.n, 2 * MAX_SEED, seed, change_nothing);
		cr_assert(opens(s.b, s.n, &e), "seed %u: %s", seed, e.text);
		run(fuzz_ltrace, s.b, s.n);
	}
	free(s.b);
}

/* Of version 4: copies behind the launches, lines behind the sizes. */
Test(fuzz_mutator, takes_later_versions_apart_too)
{
	struct seed s = small_trace(true);
	struct err e;

	for (unsigned seed = 1; seed < 48; seed++) {
		s.n = fuzz_ltrace_mutate(s.b, s.n, 2 * MAX_SEED, seed, change_nothing);
		cr_assert(opens(s.b, s.n, &e), "seed %u: %s", seed, e.text);
	}
	/* The last byte of the content is now one of the last copy's launch, of which there are 3. */
	s.n = fuzz_ltrace_mutate(s.b, s.n, 2 * MAX_SEED, 2, change_last);
	cr_expect_not(opens(s.b, s.n, &e));
	cr_expect(strstr(e.text, "a copy of the host program comes after the last launch"), "%s", e.text);
	free(s.b);
}

Test(fuzz_mutator, a_change_reaches_behind_the_checksums)
{
	struct seed s = small_trace(false);
	struct err e;

	/* The content's last byte belongs to the last frame's hash, which is written anew: nothing is wrong. A frame's
	 * last byte is one of an instruction: the tables, which hold its hash, must still be sound. */
	for (unsigned seed = 2; seed < 16; seed++) {
		s.n = fuzz_ltrace_mutate(s.b, s.n, 2 * MAX_SEED, seed, change_last);
		cr_assert(opens(s.b, s.n, &e), "seed %u: %s", seed, e.text);
		run(fuzz_ltrace, s.b, s.n);
	}
	s.n = fuzz_ltrace_mutate(s.b, s.n, 2 * MAX_SEED, 0, change_last);
	cr_assert_not(opens(s.b, s.n, &e)); /* the file's bytes as they are: the checksum finds it */
	cr_assert_not_null(strstr(e.text, "checksum"), "%s", e.text);
	free(s.b);
}
