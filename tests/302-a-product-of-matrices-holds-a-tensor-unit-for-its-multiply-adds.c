/* 302: tensor units. A product of matrices of m x n x k holds a unit for m n k multiply-adds over the unit's rate, and
 * has its result a fixed time after that; the cycles here are worked out by hand. Peak rates are NVIDIA's. */
#include <criterion/criterion.h>

#include "sm/sm_metrics.h"
#include "support/sm_bench.h"

enum { M16N8K16 = 11 /* log2 of 2,048 multiply-adds */, M8N8K4 = 8, M16N16K16 = 12, M16N8K64 = 13 };
enum { TAIL = 17 /* from the last multiply-adds to the result */ };

static struct bench *bench_with(uint32_t units, const uint32_t rate[5])
{
	struct bench *b = bench_new();

	b->m.pipe.tensor = units;
	for (unsigned i = 0; i < 5; i++)
		b->m.pipe.tensor_rate[i] = rate[i];
	b->m.op.tensor = TAIL;
	return b;
}

/* A100's, a fourth of an SM: 256 multiply-adds of halves a cycle; tf32 half, bytes twice, half bytes four times, f64 a
 * sixteenth as many (312, 156, 624, 1248 and 19.5 Tera-operations a second). */
static const uint32_t a100[5] = {256, 128, 512, 1024, 16};

static struct bench *quarter_of_a100(uint32_t units)
{
	return bench_with(units, a100);
}

static void product(struct bench *b, enum trace_op op, unsigned log_macs, int dst, int a, int c)
{
	b->inst[bench_op(b, op, dst, a, c)].width = (uint8_t)log_macs;
}

static void play(struct bench *b, unsigned warps)
{
	bench_launch(b, 1, warps);
	bench_cta(b);
	for (unsigned w = 0; w < warps; w++)
		bench_exec(b, w, 0, b->kernel.n_inst, UINT32_MAX);
	bench_play(b, 1);
}

Test(tensor, products_of_a_warp_that_are_independent_begin_an_interval_apart)
{
	static const struct {
		enum trace_op op;
		unsigned log_macs;
		uint64_t interval; /* multiply-adds over the rate */
	} each[] = {
		{OP_TENSOR_F16, M16N8K16, 2048 / 256},
		{OP_TENSOR_F16, M16N16K16, 4096 / 256},
		{OP_TENSOR_F16, M8N8K4, 1},
		{OP_TENSOR_TF32, M16N8K16 - 1, 1024 / 128},
		{OP_TENSOR_8BIT, M16N8K16 + 1, 4096 / 512},
		{OP_TENSOR_4BIT, M16N8K64, 8192 / 1024},
		{OP_TENSOR_F64, M8N8K4, 256 / 16},
	};

	for (unsigned i = 0; i < sizeof each / sizeof each[0]; i++) {
		struct bench *b = quarter_of_a100(1);

		for (int k = 0; k < 5; k++)
			product(b, each[i].op, each[i].log_macs, 10 + k, 0, 1);
		play(b, 1);
		for (unsigned k = 0; k < 5; k++)
			cr_assert_eq(bench_issued(b, 0, k), k * each[i].interval, "product %u, number %u: %lu", i, k,
				     bench_issued(b, 0, k));
		bench_free(b);
	}
}

Test(tensor, a_product_that_reads_anothers_result_begins_a_fixed_time_after_its_last_multiply_adds)
{
	static const unsigned log_macs[] = {M8N8K4, M16N8K16, M16N16K16};
	static const uint64_t expected[] = {1 + TAIL, 8 + TAIL, 16 + TAIL};

	for (unsigned i = 0; i < 3; i++) {
		struct bench *b = quarter_of_a100(4);

		for (int k = 0; k < 4; k++) /* d = a b + d */
			product(b, OP_TENSOR_F16, log_macs[i], 5, 0, 5);
		bench_op(b, OP_INT_ADD, 6, 5, -1);
		play(b, 1);
		for (unsigned k = 0; k < 5; k++)
			cr_assert_eq(bench_issued(b, 0, k), k * expected[i]);
		bench_free(b);
	}
}

/* 64 multiply-adds a core cycle and tensor core, of which an SM of V100 has eight: 80 SMs at 1530 MHz do
 * 125 TFLOP/s. */
Test(tensor, an_sm_of_v100_does_512_multiply_adds_a_cycle_and_no_more)
{
	struct machine m;
	struct err e = {""};
	double tflops;

	cr_assert_eq(machine_load(&m, "titanv", "csim/machines", &e), 0, "%s", e.text);
	tflops = m.sm.of_module.v[0] * (double)m.pipe.tensor * m.pipe.tensor_rate[0] * 2 * 1530e6 / 1e12;
	cr_assert_float_eq(tflops, 125, 0.5, "%f", tflops);
	for (unsigned warps = 4; warps <= 16; warps *= 2) {
		struct bench *b = bench_with(m.pipe.tensor, m.pipe.tensor_rate);
		uint64_t last = 0, products = 16 * warps;

		b->m.sm.schedulers = m.sm.schedulers;
		for (int k = 0; k < 16; k++)
			product(b, OP_TENSOR_F16, M16N16K16, 10 + k, 0, 1);
		play(b, warps);
		for (unsigned i = 0; i < b->n_issues; i++)
			last = b->issue[i].cycle;
		cr_assert_eq(b->n_issues, products);
		/* all four begin in cycle 0, one behind the other without a gap */
		cr_assert_eq(last + 4096 / 128, products * 4096 / 512, "%u warps: %lu", warps, last);
		bench_free(b);
	}
}

Test(tensor, part_of_a_cycle_is_a_cycle)
{
	struct bench *b = bench_with(1, (const uint32_t[5]){100, 0, 0, 0, 0});

	product(b, OP_TENSOR_F16, M16N8K16, 10, 0, -1);
	product(b, OP_TENSOR_F16, M16N8K16, 11, 0, -1);
	play(b, 1);
	cr_assert_eq(bench_issued(b, 0, 1), 21); /* 20.48 */
	bench_free(b);
}

/* Units of their own: what runs on the SPs does not wait for them, nor they for it. */
Test(tensor, other_instructions_issue_beside_products)
{
	struct bench *b = quarter_of_a100(1);

	product(b, OP_TENSOR_F16, M16N16K16, 10, 0, 1);
	bench_op(b, OP_FP32_MAD, 20, 2, 3);
	bench_op(b, OP_SFU, 21, 2, -1);
	product(b, OP_TENSOR_F16, M16N16K16, 11, 0, 1);
	bench_op(b, OP_FP32_MAD, 22, 2, 3);
	play(b, 1);
	cr_assert_eq(bench_issued(b, 0, 1), 1);
	cr_assert_eq(bench_issued(b, 0, 2), 2);
	cr_assert_eq(bench_issued(b, 0, 3), 16);
	cr_assert_eq(bench_issued(b, 0, 4), 17);
	bench_free(b);
}

/* gtx480: two SPs; a mad of floats every cycle with a result after 5, of integers likewise, of doubles every 8 with a
 * result after 8. A lane has a 32nd of the multiply-adds. */
Test(tensor, without_units_for_it_a_product_is_the_multiply_adds_of_its_lanes)
{
	static const struct {
		enum trace_op op;
		uint32_t n, interval, latency;
	} each[] = {{OP_TENSOR_F16, 64, 1, 5},
		    {OP_TENSOR_TF32, 64, 1, 5},
		    {OP_TENSOR_8BIT, 64, 1, 5},
		    {OP_TENSOR_4BIT, 64, 1, 5},
		    {OP_TENSOR_F64, 64, 8, 8}};

	for (unsigned i = 0; i < 5; i++)
		for (unsigned units = 0; units < 2; units++) {
			uint32_t rate[5] = {256, 256, 256, 256, 256};
			struct bench *b;

			rate[i] = 0; /* units for all but these */
			b = bench_with(units, rate);
			product(b, each[i].op, M16N8K16, 10, 0, 1);
			product(b, each[i].op, M16N8K16, 11, 0, 1); /* the other SP */
			product(b, each[i].op, M16N8K16, 12, 0, 1);
			bench_op(b, OP_INT_ADD, 13, 12, -1);
			play(b, 1);
			cr_assert_eq(bench_issued(b, 0, 1), 1);
			cr_assert_eq(bench_issued(b, 0, 2), each[i].n * each[i].interval);
			cr_assert_eq(bench_issued(b, 0, 3),
				     each[i].n * each[i].interval + (each[i].n - 1) * each[i].interval + each[i].latency);
			bench_free(b);
		}
}

/* A fragment of wmma is eight registers, and d, a, b and c are four. */
Test(tensor, a_product_waits_for_the_last_of_24_registers_that_it_reads)
{
	for (unsigned late = 0; late < 24; late++) {
		struct bench *b = quarter_of_a100(1);
		struct trace_inst *i;

		bench_op(b, OP_FP32_DIV, (int)(100 + late), 0, -1); /* 39 cycles */
		product(b, OP_TENSOR_F16, M16N16K16, 40, 0, -1);
		bench_op(b, OP_INT_ADD, 50, 47, 123); /* the last that it writes */
		i = &b->inst[1];
		i->ndst = 8;
		i->nsrc = 24;
		for (unsigned r = 0; r < 32; r++)
			i->reg[r] = (uint16_t)(r < 8 ? 40 + r : 100 + r - 8);
		b->kernel.n_regs = 124;
		play(b, 1);
		cr_assert_eq(bench_issued(b, 0, 1), 39, "register %u", late);
		cr_assert_eq(bench_issued(b, 0, 2), 39 + 16 + TAIL);
		bench_free(b);
	}
}

/* Depth 6, of which a collector takes four: nothing in the way, an instruction's result comes when it did without. */
Test(tensor, products_go_through_operand_collectors)
{
	struct bench *b = quarter_of_a100(1);

	b->m.pipe.depth = 6;
	b->m.operands.banks = 16;
	product(b, OP_TENSOR_F16, M16N16K16, 5, 0, 1);
	product(b, OP_TENSOR_F16, M16N16K16, 6, 2, 5);
	bench_op(b, OP_INT_ADD, 7, 6, -1);
	play(b, 1);
	cr_assert_eq(bench_issued(b, 0, 1), 16 + TAIL + 6);
	cr_assert_eq(bench_issued(b, 0, 2), 2 * (16 + TAIL + 6));
	bench_free(b);
}

static struct sm_counts counts(const struct bench *b, uint64_t cycles)
{
	return sm_count(&b->sm, cycles);
}

Test(tensor, units_are_held_for_what_they_do_up_to_the_cycle_that_is_asked_for)
{
	struct bench *b = quarter_of_a100(2);

	for (int k = 0; k < 3; k++)
		product(b, OP_TENSOR_F16, M16N16K16, 10 + k, 0, 1);
	bench_op(b, OP_INT_ADD, 20, 12, -1);
	play(b, 1);
	/* one unit from 0 to 32, the other from 1 to 17 */
	cr_assert_eq(counts(b, 100).sm.tensor_held, 48);
	cr_assert_eq(counts(b, 20).sm.tensor_held, 20 + 16);
	cr_assert_eq(counts(b, 100).tensor_slots, 200);
	cr_assert_eq(counts(b, 100).sm.macs[0], 3 * 4096);
	cr_assert_eq(counts(b, 100).sm.mix[OP_TENSOR_F16], 3);
	bench_free(b);
}

Test(tensor, units_without_a_rate_are_refused)
{
	struct machine m;
	struct err e = {""};

	cr_assert_eq(machine_load(&m, "gtx480", "csim/machines", &e), 0, "%s", e.text);
	cr_assert_eq(machine_set(&m, "pipe.tensor=4", &e), 0, "%s", e.text);
	cr_assert_neq(machine_resolve(&m, &e), 0);
	cr_assert_str_eq(e.text, "--set pipe.tensor: 4 units, but pipe.tensor_rate is 0 for all elements");
}
