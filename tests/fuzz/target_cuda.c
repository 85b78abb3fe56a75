/* What a CUDA program says to the device: calls of any kind with any words and bytes. The input is a list of calls: a
 * byte for the call, a byte that says of which kind its words are (bits of their own, answers of earlier calls, small
 * numbers), then those, and what is behind it. There is a module whose names are registered, so that keys 1 to 5 mean
 * something. */
#include <stdlib.h>
#include <string.h>

#include "cuda/device.h"
#include "cuda/include/driver_types.h"
#include "fuzz/fuzz.h"

enum { MAX_CALLS = 64, EARLIER = 8 };

static const char PTX[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
			  ".global .align 4 .b8 table[64];\n.const .align 4 .f32 scale;\n.global .texref tex;\n"
			  ".visible .entry k(.param .u64 p, .param .u32 n)\n{\n.reg .b64 %rd<3>; .reg .b32 %r<3>;\n"
			  "ld.param.u64 %rd1, [p];\nld.param.u32 %r1, [n];\ncvta.to.global.u64 %rd2, %rd1;\n"
			  "st.global.u32 [%rd2], %r1;\nret;\n}\n"
			  ".visible .entry empty()\n{\nret;\n}\n";

struct input {
	const uint8_t *at, *end;
	uint64_t earlier[EARLIER];
	unsigned n;
};

static uint64_t take(struct input *in, size_t bytes)
{
	uint64_t v = 0;

	bytes = (size_t)(in->end - in->at) < bytes ? (size_t)(in->end - in->at) : bytes;
	memcpy(&v, in->at, bytes);
	in->at += bytes;
	return v;
}

static uint64_t word(struct input *in, unsigned kind)
{
	uint64_t v;

	switch (kind) {
	case 0:
		return take(in, 1);
	case 1:
		v = take(in, 1);
		return in->earlier[v % EARLIER] + v / EARLIER;
	case 2:
		return take(in, 2);
	default:
		return take(in, 8);
	}
}

static void answer(struct device *d, struct device_call *c)
{
	device_answer(d, c);
	REQUIRE(c->answer.bytes == 0 || c->out);
	REQUIRE(c->answer.error >= 0 && c->answer.error < 1000);
	free(c->out);
}

static void say(struct device *d, enum wire_op op, uint64_t a0, uint64_t a1, const char *bytes)
{
	struct device_call c = {.head = {.op = (uint32_t)op, .bytes = (uint32_t)strlen(bytes), .a = {a0, a1}},
				.bytes = (const uint8_t *)bytes};

	answer(d, &c);
	REQUIRE(c.answer.error == cudaSuccess);
}

static void call(struct device *d, struct input *in)
{
	unsigned op = (unsigned)take(in, 1), kinds = (unsigned)take(in, 2), behind = op & 64 ? (unsigned)take(in, 1) : 0;
	struct device_call c = {.head = {.op = op % (WIRE_OPS + 1)}, .ahead = op >> 7};
	uint8_t *bytes;

	for (int i = 0; i < WIRE_LAUNCH_WORDS; i++)
		c.head.a[i] = word(in, kinds >> (i % 8 * 2) & 3);
	if (behind == 255)
		behind = sizeof(struct wire_view);
	bytes = calloc(1, behind + 1);
	c.head.bytes = behind;
	for (unsigned i = 0; i < behind; i++)
		bytes[i] = (uint8_t)take(in, 1);
	c.bytes = bytes;
	answer(d, &c);
	in->earlier[in->n++ % EARLIER] = c.answer.r[0];
	free(bytes);
}

void fuzz_cuda(const uint8_t *data, size_t n)
{
	static const struct machine machine = {.name = "m",
					       .clock.mhz = {1, 1, 1, 1, 1},
					       .sm = {.count = 1,
						      .warps = 32,
						      .ctas = 8,
						      .threads = 1024,
						      .registers = 32768,
						      .shared_bytes = 49152,
						      .register_unit = 1},
					       .dram = {.burst = 1, .channels = 1, .stacks = 1, .burst_bytes = 32},
					       .device = {.capability = 70, .memory_mib = 16},
					       .pcie = {.gbps = 1}};
	struct cuda_program p = {.name = "p", .machine = &machine, .kernels = data && n && *data & 1 ? "k,3:5" : NULL};
	struct input in = {.at = data, .end = data + n};
	struct err e = {""};
	struct host *h;
	struct device d;

	p.printer = open_memstream(&p.printed, &p.n_printed);
	h = host_new(&(struct host_options){.print_to = p.printer, .oob = PTX_OOB_ZERO}, &e);
	REQUIRE(p.printer && h && host_args_done(h, &e) == 0);
	device_init(&d, &p, h);
	say(&d, WIRE_MODULE, 0, 0, PTX);
	say(&d, WIRE_FUNCTION, 0, 1, "k");
	say(&d, WIRE_FUNCTION, 0, 2, "empty");
	say(&d, WIRE_VARIABLE, 0, 3, "table");
	say(&d, WIRE_VARIABLE, 0, 4, "scale");
	say(&d, WIRE_REFERENCE, 0, 5, "tex");
	for (int i = 0; i < MAX_CALLS && in.at < in.end; i++)
		call(&d, &in);
	device_free(&d);
	host_free(h);
	fclose(p.printer);
	free(p.printed);
}
