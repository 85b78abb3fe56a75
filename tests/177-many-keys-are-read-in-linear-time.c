/* 177: the time to read a file grows in proportion to its entries: keys of a YAML mapping, everything that a launch
 * file lists by name, exclusions of a sweep. A key that is there twice is found. */
#include <criterion/criterion.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/files/yaml.h"
#include "support/program.h"
#include "sweep/plan.h"
#include "workload/launchfile.h"
#include "workload/program.h"

/* CPU seconds to parse a text. */
static double parse(const char *text)
{
	struct err e = {""};
	clock_t begin = clock();
	struct yaml *y = yaml_parse(text, "m.yaml", &e);

	cr_assert(y, "%s", e.text);
	yaml_close(y);
	return (double)(clock() - begin) / CLOCKS_PER_SEC;
}

/* CPU seconds to read a mapping of that many keys. */
static double seconds(unsigned keys)
{
	char *text = malloc(keys * 24 + 1), *at = text;
	double s;

	for (unsigned i = 0; i < keys; i++)
		at += sprintf(at, "key%u: {size: 4}\n", i);
	s = parse(text);
	free(text);
	return s;
}

/* Sixteen times the keys take sixteen times the time, not 256 times; four times that is for a busy machine. */
Test(many_keys, take_linear_time)
{
	double few = seconds(2000), many = seconds(32000);

	cr_expect_lt(many, 64 * few + 0.1, "%g s, %g s", few, many);
}

Test(many_keys, are_not_there_twice)
{
	static const char *const cases[][2] = {
		{"a: 1\nb: 2\n\"a\": 3\n", "m.yaml:3:2: the key \"a\" is there twice"},
		{"x: {a: 1, b: {c: 1, c: 2}}\n", "m.yaml:1:21: the key \"c\" is there twice"},
		{"x:\n  - {a: 1}\n  - {a: 1, a: 2}\n", "m.yaml:3:12: the key \"a\" is there twice"},
	};

	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		struct err e = {""};

		cr_expect_null(yaml_parse(cases[i][0], "m.yaml", &e));
		cr_expect_str_eq(e.text, cases[i][1]);
	}
}

/* ---- launch files ---- */

#define MODULE ".version 7.0\n.target sm_70\n.address_size 64\n"
#define LAUNCH "launches:\n  - {kernel: k0, grid: 1, block: 1, args: [b0]}\n"
#define BUFFER "buffers: {b0: {type: u32, count: 64}}\n"

/* Each writes the PTX and the launch file with n entries; each line names another entry. */
struct writer {
	FILE *ptx, *yaml;
};

static void each(FILE *to, unsigned n, const char *head, const char *line)
{
	fputs(head, to);
	for (unsigned i = 0; i < n; i++)
		for (const char *s = line; *s; s++)
			if (*s == '#')
				fprintf(to, "%u", i);
			else
				fputc(*s, to);
}

static void n_buffers(FILE *to, unsigned n)
{
	each(to, n, "buffers:\n", "  b#: {type: u32, count: 1}\n");
}

static void n_kernels(FILE *to, unsigned n)
{
	each(to, n - 1, "", ".visible .entry m#(.param .u64 p) { ret; }\n");
}

static void buffers(struct writer *w, unsigned n)
{
	n_buffers(w->yaml, n);
	fputs(LAUNCH, w->yaml);
}

static void expectations(struct writer *w, unsigned n)
{
	buffers(w, n);
	each(w->yaml, n, "expect:\n", "  b#: {value: 0}\n");
}

static void dumps(struct writer *w, unsigned n)
{
	buffers(w, n);
	each(w->yaml, n, "dump:\n", "  b#: {file: folder/f#.bin}\n");
}

static void arguments(struct writer *w, unsigned n)
{
	n_buffers(w->yaml, n);
	each(w->yaml, n, "launches:\n", "  - {kernel: k0, grid: 1, block: 1, args: [b#+0]}\n");
}

static void stores(struct writer *w, unsigned n)
{
	n_buffers(w->yaml, n);
	each(w->yaml, n, "launches:\n", "  - store: {buffer: b#, type: u32, value: 1}\n");
}

static void descriptors(struct writer *w, unsigned n)
{
	n_buffers(w->yaml, n);
	fputs("launches:\n  - kernel: k0\n    grid: 1\n    block: 1\n    args: [b0]\n", w->yaml);
	fputs("    locality:\n", w->yaml);
	for (unsigned i = 0; i < n; i++)
		fprintf(w->yaml,
			"      - {buffer: b%u, length: [1], type: inter-thread, d_tile: [1], c_tile: [1], map: [1], priority: "
			"%u}\n",
			i, n - i);
}

static void scalars(struct writer *w, unsigned n)
{
	fputs(BUFFER, w->yaml);
	each(w->yaml, n, "scalars:\n", "  s#: 1\n");
	each(w->yaml, n, "launches:\n", "  - {kernel: k0, grid: 1, block: 1, args: [s#]}\n");
}

static void textures(struct writer *w, unsigned n)
{
	fputs(BUFFER, w->yaml);
	each(w->yaml, n, "textures:\n", "  t#: {buffer: b0, format: u32, width: 64, shape: linear}\n");
	each(w->yaml, n, "launches:\n", "  - {kernel: k0, grid: 1, block: 1, args: [t#]}\n");
}

static void references(struct writer *w, unsigned n)
{
	each(w->ptx, n, "", ".global .texref t#;\n");
	fputs(BUFFER, w->yaml);
	each(w->yaml, n, "textures:\n", "  t#: {buffer: b0, format: u32, width: 64, shape: linear}\n");
	fputs(LAUNCH, w->yaml);
}

static void registers(struct writer *w, unsigned n)
{
	n_kernels(w->ptx, n);
	fputs(BUFFER, w->yaml);
	each(w->yaml, n - 1, "registers:\n", "  m#: 16\n");
	fputs(LAUNCH, w->yaml);
}

static void kernels(struct writer *w, unsigned n)
{
	n_kernels(w->ptx, n);
	fputs(BUFFER, w->yaml);
	each(w->yaml, n - 1, "launches:\n", "  - {kernel: m#, grid: 1, block: 1, args: [b0]}\n");
}

static void streams(struct writer *w, unsigned n)
{
	fputs(BUFFER, w->yaml);
	each(w->yaml, n, "launches:\n", "  - {kernel: k0, grid: 1, block: 1, args: [b0], stream: #}\n");
}

/* How many times as long as to parse a launch file of n entries it takes to carry it out. */
static double carry_out(void (*write)(struct writer *, unsigned), unsigned n)
{
	static const struct host_options o = {.w = NULL};
	struct writer w = {fopen(program_path("k.ptx"), "w"), fopen(program_path("f.yaml"), "w")};
	struct err e = {""};
	struct host *h;
	char *text;
	bool expects;
	clock_t begin;
	double whole;

	cr_assert(w.ptx && w.yaml);
	fputs(MODULE ".visible .entry k0(.param .u64 p) { ret; }\n", w.ptx);
	fputs("ptx: k.ptx\n", w.yaml);
	write(&w, n);
	fclose(w.ptx);
	fclose(w.yaml);
	cr_assert_not_null(h = host_new(&o, &e));
	begin = clock();
	cr_assert_eq(launchfile_run(h, program_path("f.yaml"), &expects, &e), 0, "%s", e.text);
	whole = (double)(clock() - begin) / CLOCKS_PER_SEC;
	host_free(h);
	text = program_text(program_path("f.yaml"));
	whole /= parse(text);
	free(text);
	return whole;
}

/* Sixteen times the entries: sixteen times the time, as for parsing the same text, which meets the same cache misses
 * and page faults. With a search through all entries for each, the ratio of the two grew 7 to 18 times in the first
 * five kinds. Of each size the least ratio of some tries counts, for a busy machine has other work in its caches. */
Test(launch_file, is_read_in_linear_time)
{
	static const struct {
		const char *name;
		void (*write)(struct writer *, unsigned);
	} kind[] = {
		{"buffers", buffers},	    {"expectations", expectations}, {"dumps", dumps},	  {"arguments", arguments},
		{"stores", stores},	    {"descriptors", descriptors},   {"scalars", scalars}, {"textures", textures},
		{"references", references}, {"registers", registers},	    {"kernels", kernels}, {"streams", streams},
	};
	enum { FEW = 2000, MANY = 16 * FEW, TRIES = 5 };

	for (unsigned k = 0; k < sizeof kind / sizeof kind[0]; k++) {
		double few = HUGE_VAL, many = HUGE_VAL;

		for (unsigned i = 0; i < TRIES && (i == 0 || many > 4 * few); i++) {
			few = fmin(few, carry_out(kind[k].write, FEW));
			many = fmin(many, carry_out(kind[k].write, MANY));
		}
		cr_expect_leq(many, 4 * few, "%s: %g times its parsing for %d, %g times for %d", kind[k].name, few, FEW, many,
			      MANY);
	}
}

/* ---- plans of sweeps ---- */

/* CPU seconds to read a plan of 4,000 runs a unit, and exclusions of 3,200 values a unit. */
static double read_plan(unsigned units)
{
	FILE *f = fopen(program_path("p.yaml"), "w");
	struct sweep_plan p;
	struct err e = {""};
	clock_t begin;

	cr_assert_not_null(f);
	fprintf(f, "axes: {workload: [x], seed: 1..4000, max-cycles: 1..%u}\nexclude:\n", units);
	for (unsigned i = 0; i < 16 * units; i++) {
		fprintf(f, "  - {max-cycles: %u, seed: [", i % units + 1);
		for (unsigned seed = 3801; seed <= 4000; seed++)
			fprintf(f, "%s%u", seed == 3801 ? "" : ", ", seed);
		fputs("]}\n", f);
	}
	fclose(f);
	begin = clock();
	cr_assert_eq(sweep_plan_read(&p, program_path("p.yaml"), &e), 0, "%s", e.text);
	begin = clock() - begin;
	cr_expect_eq(p.n_points, 3800 * units);
	sweep_plan_close(&p);
	return (double)begin / CLOCKS_PER_SEC;
}

/* Sixteen times the runs and exclusions. Each run was held against each value of each exclusion: 256 times the time. */
Test(sweep_plan, is_read_in_linear_time)
{
	double few = 0, many = 1;

	for (unsigned i = 0; i < 3 && many > 40 * few + 0.05; i++) {
		few = read_plan(1);
		many = read_plan(16);
	}
	cr_expect_leq(many, 40 * few + 0.05, "%g s, %g s", few, many);
}

/* ---- names ---- */

/* Names are found as before: the first of two with the same beginning, a buffer before a scalar, nothing for a part. */
Test(launch_file, finds_its_names)
{
	static const char *const cases[][2] = {
		{"buffers: {ab: {size: 4}, a: {size: 4}}\nlaunches: [{kernel: k0, grid: 1, block: 1, args: [b]}]\n",
		 "no buffer or scalar \"b\""},
		{"buffers: {ab: {size: 4}}\nlaunches: [{kernel: k0, grid: 1, block: 1, args: [ab+9]}]\n",
		 "offset \"9\" is not in buffer ab of 4 bytes"},
		{"buffers: {a: {size: 4}}\nscalars: {a: 1}\nlaunches: [{kernel: k0, grid: 1, block: 1, args: [a]}]\n",
		 "scalars.a: a buffer has this name"},
		{"buffers: {a: {size: 4}}\nlaunches: [{kernel: k, grid: 1, block: 1, args: [a]}]\n", "the PTX has no kernel \"k\""},
		{"buffers: {a: {size: 4}, b: {size: 4}}\nlaunches: [{kernel: k0, grid: 1, block: 1, args: [a]}]\n"
		 "dump: {a: {file: x.bin}, b: {file: x.bin}}\n",
		 "dump.b.file: dump.a goes there already"},
	};

	program_file("k.ptx", MODULE ".visible .entry k0(.param .u64 p) { ret; }\n");
	for (unsigned i = 0; i < sizeof cases / sizeof cases[0]; i++) {
		static const struct host_options o = {.w = NULL};
		char text[512];
		struct err e = {""};
		struct host *h = host_new(&o, &e);
		bool expects;

		snprintf(text, sizeof text, "ptx: k.ptx\n%s", cases[i][0]);
		program_file("f.yaml", text);
		cr_expect_eq(launchfile_run(h, program_path("f.yaml"), &expects, &e), -1);
		cr_expect(strstr(e.text, cases[i][1]), "%s", e.text);
		host_free(h);
	}
}
