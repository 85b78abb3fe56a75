/* 277: what the trace knows of products of matrices, and how a machine with tensor units runs them. Registers of
 * fragments are as the PTX ISA manual has them (9.0, sections 9.7.14.4 and 9.7.14.5); multiply-adds are m n k. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "run/gpu.h"
#include "support/program.h"
#include "support/ptx.h"

static const uint32_t one[3] = {1, 1, 1}, warp[3] = {32, 1, 1};

static struct trace *record(const char *body, const char *path)
{
	struct trace_options options = {.name = "products", .path = path};
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&options, &e);
	struct ptx_try t;
	struct trace *r;

	cr_assert_not_null(w, "%s", e.text);
	ptx_try_run(&t, "", body, one, warp, NULL, 0, w);
	cr_assert_eq(t.result, 0, "%s", t.e.text);
	r = trace_writer_finish(w, &e);
	cr_assert_not_null(r, "%s", e.text);
	ptx_try_free(&t);
	return r;
}

/* "{$a0, $a1, ...}", of n registers */
static void vector(char *to, size_t room, char letter, unsigned n, const char *comma)
{
	size_t at = (size_t)snprintf(to, room, n > 1 ? "{" : "");

	for (unsigned i = 0; i < n; i++)
		at += (size_t)snprintf(to + at, room - at, "%s%%%c%u", i ? ", " : "", letter, i);
	snprintf(to + at, room - at, "%s%s", n > 1 ? "}" : "", comma);
}

struct form {
	const char *name;
	enum trace_op op;
	unsigned macs, d, a, b, c; /* registers */
	bool doubles;
};

static const struct form forms[] = {
	{"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", OP_TENSOR_F16, 16 * 8 * 8, 4, 2, 1, 4, false},
	{"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", OP_TENSOR_F16, 16 * 8 * 16, 4, 4, 2, 4, false},
	{"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", OP_TENSOR_F16, 16 * 8 * 16, 2, 4, 2, 2, false},
	{"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", OP_TENSOR_F16, 16 * 8 * 16, 4, 4, 2, 4, false},
	{"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", OP_TENSOR_TF32, 16 * 8 * 8, 4, 4, 2, 4, false},
	{"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e5m2.f32", OP_TENSOR_8BIT, 16 * 8 * 32, 4, 4, 2, 4, false},
	{"mma.sync.aligned.m16n8k32.row.col.s32.s8.u8.s32", OP_TENSOR_8BIT, 16 * 8 * 32, 4, 4, 2, 4, false},
	{"mma.sync.aligned.m16n8k64.row.col.s32.s4.s4.s32", OP_TENSOR_4BIT, 16 * 8 * 64, 4, 4, 2, 4, false},
	{"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", OP_TENSOR_F64, 8 * 8 * 4, 2, 1, 1, 2, true},
	{"wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32", OP_TENSOR_F16, 16 * 16 * 16, 8, 8, 8, 8, false},
	{"wmma.mma.sync.aligned.row.col.m32n8k16.f16.f16", OP_TENSOR_F16, 32 * 8 * 16, 4, 8, 8, 4, false},
};

Test(tensor_trace, a_product_has_its_class_its_multiply_adds_and_all_its_registers)
{
	for (unsigned f = 0; f < sizeof forms / sizeof forms[0]; f++) {
		const struct form *form = &forms[f];
		unsigned n = form->d + form->a + form->b + form->c;
		char body[2048], operand[4][256];
		const char *type = form->doubles ? "f64" : "b32";
		const struct trace_inst *i;
		struct trace *t;

		vector(operand[0], sizeof operand[0], 'w', form->d, ",");
		vector(operand[1], sizeof operand[1], 'x', form->a, ",");
		vector(operand[2], sizeof operand[2], 'y', form->b, ",");
		vector(operand[3], sizeof operand[3], 'z', form->c, ";");
		snprintf(body, sizeof body, ".reg .%s %%w<8>, %%x<8>, %%y<8>, %%z<8>;\n%s %s %s %s %s\nret;\n", type, form->name,
			 operand[0], operand[1], operand[2], operand[3]);
		t = record(body, NULL);
		i = &trace_kernel(t, 0)->inst[0];
		cr_assert_eq(i->op, form->op, "%s: class %u", form->name, i->op);
		cr_assert_eq(1u << i->width, form->macs, "%s: 2^%u", form->name, i->width);
		cr_assert(i->ndst == form->d && i->ndst + i->nsrc == n, "%s: %u and %u", form->name, i->ndst, i->nsrc);
		for (unsigned r = 0; r < n; r++)
			for (unsigned q = 0; q < r; q++)
				cr_assert_neq(i->reg[r], i->reg[q], "%s: registers %u and %u", form->name, q, r);
		trace_close(t);
	}
}

static unsigned version_of(const char *body, struct trace **again)
{
	struct err e = {""};
	char path[4200];
	uint8_t head[12] = {0};
	FILE *f;

	snprintf(path, sizeof path, "%s/products.ltrace", program_tmp());
	trace_close(record(body, path));
	f = fopen(path, "rb");
	cr_assert_not_null(f);
	cr_assert_eq(fread(head, 1, sizeof head, f), sizeof head);
	fclose(f);
	*again = trace_open(path, &e);
	cr_assert_not_null(*again, "%s", e.text);
	return head[8];
}

#define WMMA                                                                                                                       \
	".reg .b32 %w<8>, %x<8>, %y<8>, %z<8>;\nwmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%w0, %w1, %w2, %w3, %w4, %w5, "   \
	"%w6, %w7}, {%x0, %x1, %x2, %x3, %x4, %x5, %x6, %x7}, {%y0, %y1, %y2, %y3, %y4, %y5, %y6, %y7}, {%z0, %z1, %z2, %z3, "     \
	"%z4, %z5, %z6, %z7};\nret;\n"

/* docs/reference/trace-format.md: what is folded is in every trace of PTX, from version 6 on. */
Test(tensor_trace, a_file_keeps_products_and_all_their_registers)
{
	struct trace *t;
	const struct trace_inst *i;

	cr_assert_eq(version_of("add.u32 %r1, %r2, %r3;\nret;\n", &t), 6);
	trace_close(t);
	cr_assert_eq(version_of(WMMA, &t), 6);
	i = &trace_kernel(t, 0)->inst[0];
	cr_assert(i->op == OP_TENSOR_F16 && i->width == 12 && i->ndst == 8 && i->nsrc == 24);
	for (unsigned r = 0; r < 32; r++)
		for (unsigned q = 0; q < r; q++)
			cr_assert_neq(i->reg[r], i->reg[q]);
	trace_close(t);
}

static struct gpu_result run(const char *machine, const char *set, const char *body)
{
	struct trace *t = record(body, NULL);
	struct err e = {""};
	struct machine m;
	struct gpu_config c = {.machine = &m, .trace = t};
	struct gpu_result r;

	cr_assert_eq(machine_load(&m, machine, "csim/machines", &e), 0, "%s", e.text);
	cr_assert(!set || machine_set(&m, set, &e) == 0, "%s", e.text);
	cr_assert_eq(machine_resolve(&m, &e), 0, "%s", e.text);
	cr_assert_eq(gpu_run(&c, &r, &e), 0, "%s", e.text);
	cr_assert_eq(r.audit.failed, 0);
	trace_close(t);
	return r;
}

static const struct stat_row *row(const struct gpu_result *r, const char *name)
{
	const struct stat_row *found = stats_find(&r->stats, name);

	cr_assert_not_null(found, "%s", name);
	return found;
}

#define FIVE(text) text text text text text
#define USE	   "add.f32 %f4, %f0, %f1;\nret;\n"
#define PRODUCT                                                                                                                    \
	"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0, %f1, %f2, %f3}, {%r0, %r1, %r2, %r3}, {%r4, %r5}, {%f0, %f1, "    \
	"%f2, %f3};\n"

/* A chain: 2,048 multiply-adds are 16 cycles of titanv's 128, and 32 more until the next can begin. */
Test(tensor_trace, a_chain_of_products_takes_its_latencies_and_is_counted)
{
	struct gpu_result none = run("titanv", NULL, USE), five = run("titanv", NULL, FIVE(PRODUCT) USE),
			  six = run("titanv", NULL, FIVE(PRODUCT) PRODUCT USE);

	cr_assert_eq(row(&six, "cycles")->count - row(&five, "cycles")->count, 16 + 32);
	cr_assert_eq(row(&five, "mix.tensor")->count, 5);
	cr_assert_eq(row(&five, "mix.class.tensor_f16")->count, 5);
	cr_assert_eq(row(&five, "mix.class.tensor_f64")->count, 0);
	cr_assert_eq(row(&five, "tensor.macs")->count, 5 * 2048);
	cr_assert_float_eq(row(&five, "tensor.held")->real, 5 * 16.0 / (80 * 4 * (double)row(&five, "cycles")->count), 1e-9);
	cr_assert_float_eq(row(&five, "tensor.rate")->real, 5 * 2048 / (double)row(&five, "cycles")->count, 1e-9);
	for (unsigned i = 0; i < none.stats.n; i++)
		cr_assert_null(strstr(none.stats.row[i].name, "tensor"), "%s", none.stats.row[i].name);
	gpu_result_free(&none);
	gpu_result_free(&five);
	gpu_result_free(&six);
}

/* fJ of 5 products of 2,048 multiply-adds: 7 each if the machine says so, else gtx480's 47,198 of an fma. */
Test(tensor_trace, a_product_costs_the_energy_of_its_multiply_adds)
{
	struct gpu_result own = run("gtx480", "energy.tensor=7,0,0,0,0", FIVE(PRODUCT) USE),
			  lanes = run("gtx480", NULL, FIVE(PRODUCT) USE);

	cr_assert_float_eq(row(&own, "energy.tensor")->real * 1e9, 7.0 * 5 * 2048, 1e-3);
	cr_assert_float_eq(row(&lanes, "energy.tensor")->real * 1e9, 47198.0 * 5 * 2048, 1e-3);
	cr_assert_null(stats_find(&own.stats, "tensor.held")); /* it has no units */
	gpu_result_free(&own);
	gpu_result_free(&lanes);
}

/* Rows of 16 bytes: a matrix of eight is all 32 banks, a cycle. 128 bytes apart, all eight are in the same four. */
Test(tensor_trace, ldmatrix_is_an_access_of_shared_memory_with_its_conflicts)
{
	static const struct {
		const char *regs, *parts;
		unsigned shift;
		uint64_t cycles;
	} each[] = {{"{%r10}", "x1", 4, 1},
		    {"{%r10, %r11}", "x2", 4, 2},
		    {"{%r10, %r11, %r12, %r13}", "x4", 4, 4},
		    {"{%r10}", "x1", 7, 8},
		    {"{%r10, %r11, %r12, %r13}", "x4", 7, 32}};

	for (unsigned i = 0; i < sizeof each / sizeof each[0]; i++) {
		char body[512];
		struct gpu_result r;

		snprintf(body, sizeof body,
			 ".shared .align 16 .b8 s[4096];\nmov.u32 %%r1, %%laneid;\nmov.u32 %%r2, s;\nshl.b32 %%r3, %%r1, %u;\n"
			 "add.u32 %%r3, %%r3, %%r2;\nldmatrix.sync.aligned.m8n8.%s.shared.b16 %s, [%%r3];\nret;\n",
			 each[i].shift, each[i].parts, each[i].regs);
		r = run("titanv", NULL, body);
		cr_assert_eq(row(&r, "shared.accesses")->count, 1);
		cr_assert_eq(row(&r, "shared.conflicts")->count, each[i].cycles - 1, "%s by %u: %lu", each[i].parts,
			     1u << each[i].shift, row(&r, "shared.conflicts")->count);
		gpu_result_free(&r);
	}
}
