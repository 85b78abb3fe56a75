/* 133: a launch file's expectations take every type and every filling that buffers have; its registers reach the
 * occupancy. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/program.h"

static const char kernels[] = ".version 6.0\n.target sm_60\n.address_size 64\n.visible .entry nothing()\n{\nret;\n}\n"
			      ".visible .entry other()\n{\nret;\n}\n";

static struct program run(const char *command, const char *rest)
{
	char text[4096];

	snprintf(text, sizeof text, "name: p\nptx: k.ptx\nlaunches: [{kernel: nothing, grid: 512, block: 256}]\n%s", rest);
	program_file("k.ptx", kernels);
	program_file("my.yaml", text);
	return program_run("cd %s && locus %s", program_tmp(), command);
}

struct expectation {
	const char *buffer, *expect;
	const char *differs; /* NULL: it holds */
};

static void check(const struct expectation *x)
{
	char text[1000];
	struct program p;

	snprintf(text, sizeof text, "buffers: {a: {%s}}\nexpect: {a: {%s}}\n", x->buffer, x->expect);
	p = run("run my.yaml", text);
	cr_expect_eq(p.status, x->differs ? 1 : 0, "%s: %s: status %d, %s", x->buffer, x->expect, p.status, p.err);
	cr_expect(!x->differs || strstr(p.err, x->differs), "%s: %s: %s", x->buffer, x->expect, p.err);
	program_free(&p);
}

/* Each type at both ends of its range, and one off. */
Test(expect, takes_every_type)
{
	static const struct expectation all[] = {
		{"type: u8, values: [0, 255]", "values: [0, 255]", NULL},
		{"type: u8, values: [0, 255]", "values: [0, 254]", "p: a[1] is 255, the reference says 254"},
		{"type: s8, values: [-128, 127]", "values: [-128, 127]", NULL},
		{"type: s8, values: [-128, 127]", "values: [-127, 127]", "a[0] is -128, the reference says -127"},
		{"type: u16, values: [0, 65535]", "values: [0, 65535]", NULL},
		{"type: u16, values: [0, 65535]", "values: [1, 0]", "a[0] is 0, the reference says 1 (and 1 more differ)"},
		{"type: s16, values: [-32768, 32767]", "values: [-32768, 32767]", NULL},
		{"type: s16, values: [-32768, 32767]", "value: -32768", "a[1] is 32767, the reference says -32768"},
		{"type: s32, value: -2147483648, count: 3", "value: -2147483648", NULL},
		{"type: s32, value: -1, count: 3", "value: -2", "a[0] is -1, the reference says -2 (and 2 more differ)"},
		{"type: u64, value: 18446744073709551615, count: 2", "value: 18446744073709551615", NULL},
		{"type: u64, value: 18446744073709551615, count: 2", "value: 0",
		 "a[0] is 18446744073709551615, the reference says 0"},
		{"type: s64, value: -9223372036854775808, count: 2", "value: -9223372036854775808", NULL},
		{"type: s64, value: -9223372036854775808, count: 2", "value: 1", "a[0] is -9223372036854775808"},
		{"type: f64, value: 0.1, count: 2", "value: 0.1", NULL},
		{"type: f64, value: 0.1, count: 2", "value: 0.10000000000000002",
		 "a[0] is 0.10000000000000001, the reference says 0.10000000000000002"},
		{"type: f64, value: inf, count: 2", "value: inf", NULL},
		{"type: f64, value: nan, count: 2", "value: nan", "a[0] is "},
		/* The type of the expectation may be another one than the buffer's: the same bytes. */
		{"type: u8, value: 255, count: 8", "type: s64, value: -1", NULL},
		{"size: 8", "type: u16, value: 0", NULL},
	};

	for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
		check(&all[i]);
}

/* 1.001 times the expected magnitude of 1000 is 1; both sides of the edge. */
Test(expect, floats_may_differ_by_the_tolerance)
{
	static const struct expectation all[] = {
		{"type: f64, value: 1001, count: 1", "value: 1000, tolerance: 0.001", NULL},
		{"type: f64, value: 1001.001, count: 1", "value: 1000, tolerance: 0.001", "a[0] is 1001.001"},
		{"type: f64, value: -999, count: 1", "value: -1000, tolerance: 0.001", NULL},
		{"type: f64, value: -998.999, count: 1", "value: -1000, tolerance: 0.001", "a[0] is -998.999"},
		{"type: f32, value: 1001, count: 1", "value: 1000, tolerance: 0.001", NULL},
		{"type: f32, value: 1001.5, count: 1", "value: 1000, tolerance: 0.001", "a[0] is 1001.5"},
	};

	for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
		check(&all[i]);
}

Test(expect, takes_every_filling)
{
	static const struct expectation all[] = {
		{"type: s16, values: [5, 3, 1, -1]", "fill: iota, start: 5, step: -2", NULL},
		{"type: s16, values: [5, 3, 1, -2]", "fill: iota, start: 5, step: -2", "a[3] is -2, the reference says -1"},
		{"type: f64, values: [0.5, 0.75]", "fill: iota, start: 0.5, step: 0.25", NULL},
		{"type: u32, count: 3", "fill: zeros", NULL},
		{"type: u32, count: 99, fill: random, seed: 3", "fill: random, seed: 3", NULL},
		{"type: u32, count: 99, fill: random, seed: 3", "fill: random, seed: 4", "the reference says"},
		{"type: u16, values: [0x6261, 0x6463]", "file: four.bin", NULL},
		{"type: u16, values: [0x6261, 0x6462]", "file: four.bin", "a[1] is 25698, the reference says 25699"},
		{"graph: path.graph, part: rowptr, type: u32", "values: [0, 1, 3, 4]", NULL},
		{"type: u32, values: [1, 0, 2, 1]", "graph: path.graph, part: col", NULL},
		/* A list may be shorter than its buffer: zeros follow. */
		{"type: u8, values: [7], count: 3", "values: [7, 0, 0]", NULL},
	};

	program_file("four.bin", "abcd");
	program_file("path.graph", "3 2\n2\n1 3\n2\n");
	for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++)
		check(&all[i]);
}

Test(expect, what_cannot_be_is_refused)
{
	static const struct {
		const char *rest, *says;
	} all[] = {
		{"buffers: {a: {size: 8}}\nexpect: {a: {value: 1}}\n", "expect.a.type: is missing (u8 u16"},
		{"buffers: {a: {size: 6}}\nexpect: {a: {type: u32, value: 1}}\n",
		 "5:20: expect.a.type: the buffer's size is not a multiple"},
		{"buffers: {a: {type: u8, count: 2}}\nexpect: {a: {tolerance: 0.1}}\n",
		 "expect.a: needs one of value, values, file, graph, fill"},
		{"buffers: {a: {type: u8, count: 2}}\nexpect: {a: {value: 1, tolerance: 0.1}}\n",
		 "5:35: expect.a.tolerance: whole numbers are compared exactly"},
		{"buffers: {a: {type: u8, count: 2}}\nexpect: {a: {value: 256}}\n", "expect.a.value: 256 does not fit u8"},
		{"buffers: {a: {type: u8, count: 2}}\nexpect: {a: {values: [1]}}\n",
		 "expect.a.values: 1 elements, the buffer has 2"},
		{"buffers: {a: {type: u8, count: 2}}\nexpect: {a: {values: [1, 2, 3]}}\n",
		 "expect.a.values: 3 elements, the buffer has 2"},
		{"buffers: {a: {type: u8, count: 2}}\nexpect: {a: {values: [1, x]}}\n",
		 "expect.a.values: \"x\" is not a whole number"},
		{"buffers: {a: {type: u8, count: 2}}\nexpect: {a: {values: [1, [2]]}}\n", "expect.a.values: must be a number"},
		{"buffers: {a: {type: u8, count: 2}}\nexpect: {a: {values: 1}}\n", "expect.a.values: must be a list of numbers"},
		{"buffers: {a: {type: u8, count: 2}}\nexpect: {a: {value: 1, values: [1, 2]}}\n",
		 "expect.a.value: has no meaning with fill: values"},
		{"buffers: {a: {type: u8, count: 2}}\nexpect: {a: {count: 2, value: 1}}\n", "expect.a.count: unknown key"},
		{"buffers: {a: {type: u8, count: 2}}\nexpect: {a: {file: four.bin}}\n", "four.bin has 4 bytes, the buffer 2"},
		{"buffers: {a: {type: u8, count: 5}}\nexpect: {a: {file: four.bin}}\n", "four.bin has 4 bytes, the buffer 5"},
		{"buffers: {a: {type: u8, count: 2, tolerance: 1}}\n", "buffers.a.tolerance: unknown key"},
		{"buffers: {a: {values: [1, 2]}}\n", "buffers.a.type: is missing"},
		{"buffers: {a: {type: u8, count: 1, values: [1, 2]}}\n", "buffers.a.values: 2 elements, the buffer has 1"},
		{"buffers: {a: {type: u8, count: 1, fill: values}}\n", "buffers.a.fill: values needs the key \"values\""},
	};

	program_file("four.bin", "abcd");
	for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
		struct program p = run("run my.yaml", all[i].rest);

		cr_expect(program_is_clean_error(&p), "%s", all[i].rest);
		cr_expect(strstr(p.err, all[i].says), "%s: %s", all[i].rest, p.err);
		program_free(&p);
	}
}

/* A CTA of 8 warps; gtx480 has 32768 registers an SM and hands them to warps in units of 64: of 63 registers a thread,
 * 32 x 63 =
 * 2016 become 2048 a warp, 16384 a CTA, and 2 CTAs fit; of 20, 640 a warp, 6 would fit, which 48 warps an SM allow
 * too. */
Test(registers, decide_how_many_ctas_fit)
{
	static const struct {
		const char *rest, *says;
	} all[] = {
		{"registers: {nothing: 63}\n", " 2 CTAs that fit on an SM; limited by: registers"},
		{"registers: {nothing: 20}\n", " 6 CTAs that fit on an SM; limited by: warps"},
		{"registers: {nothing: 21}\n", " 5 CTAs that fit on an SM; limited by: registers"}, /* 704 a warp */
		{"registers: {other: 63}\n", " 6 CTAs that fit on an SM; limited by: warps"},
		{"", " 6 CTAs that fit on an SM; limited by: warps"},
	};
	struct program p;

	for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
		p = run("run my.yaml | grep ctas.per_sm | tr -s ' '", all[i].rest);
		cr_expect(strstr(p.out, all[i].says), "%s: %s%s", all[i].rest, p.out, p.err);
		program_free(&p);
	}
	/* And are kept in a trace. */
	p = run("record my.yaml -o my.ltrace >/dev/null && locus run my.ltrace | grep ctas.per_sm", all[0].rest);
	cr_expect(strstr(p.out, "limited by: registers"), "%s%s", p.out, p.err);
	program_free(&p);
}

Test(registers, of_an_unknown_kernel_or_too_many_are_refused)
{
	static const struct {
		const char *rest, *says;
	} all[] = {
		{"registers: {nothin: 9}\n", "4:13: registers: the PTX has no kernel \"nothin\" (did you mean \"nothing\"?)"},
		{"registers: {nothing: 0}\n", "4:22: registers.nothing: 0 is not in 1..255"},
		{"registers: {nothing: 256}\n", "registers.nothing: 256 is not in 1..255"},
		{"registers: 20\n", "registers: must be a mapping of kernels to numbers"},
	};

	for (unsigned i = 0; i < sizeof all / sizeof all[0]; i++) {
		struct program p = run("run my.yaml", all[i].rest);

		cr_expect(program_is_clean_error(&p), "%s", all[i].rest);
		cr_expect(strstr(p.err, all[i].says), "%s: %s", all[i].rest, p.err);
		program_free(&p);
	}
}
