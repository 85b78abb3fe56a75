/* 222: the order in which an assembler would have a block's instructions (csim/ptx/lower/reorder.c): what passes what,
 * by the opcodes' order; and every workload computes what it claims in it. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "ptx/ptx.h"
#include "support/program.h"
#include "workload/program.h"

#define HEAD ".version 6.0\n.target sm_60\n.address_size 64\n.visible .entry k(.param .u64 in, .param .u32 n)\n{\n"
#define REGS ".reg .pred %p<4>;\n.reg .b32 %r<30>;\n.reg .b64 %rd<30>;\n.shared .align 4 .b8 s[64];\n"

/* The opcodes of the kernel as far as its last one, each with a blank behind it. */
static void order_of(const char *body, char *out, size_t room)
{
	char text[4096];
	struct err e = {""};
	struct ptx_module *m;
	const struct trace_kernel *k;

	snprintf(text, sizeof text, "%s%s%sret;\n}\n", HEAD, REGS, body);
	m = ptx_parse_in(PTX_ASSEMBLER_ORDER, text, strlen(text), "k.ptx", &e);
	cr_assert(m, "%s", e.text);
	k = ptx_trace_kernel(ptx_kernel_at(m, 0));
	out[0] = '\0';
	for (uint32_t i = 0; i < k->n_inst && !strstr(out, "ret"); i++) {
		strncat(out, k->names[k->inst[i].name], room - strlen(out) - 1);
		strncat(out, " ", room - strlen(out) - 1);
	}
	ptx_close(m);
}

static void expect(const char *body, const char *order)
{
	char is[1024];

	order_of(body, is, sizeof is);
	cr_expect_str_eq(is, order, "is %s\nnot %s\nof:\n%s", is, order, body);
}

/* rd1 and r1 are never written: the kernel reads what is there. */
Test(order, loads_pass_stores_of_another_space)
{
	expect("ld.global.u32 %r2, [%rd1];\nst.shared.u32 [s], %r2;\nld.global.u32 %r3, [%rd1+4];\nst.shared.u32 [s+4], %r3;\n",
	       "ld.global.u32 ld.global.u32 st.shared.u32 st.shared.u32 ret ");
}

Test(order, loads_stay_behind_stores_of_their_space)
{
	expect("ld.global.u32 %r2, [%rd1];\nst.global.u32 [%rd2], %r2;\nld.global.u32 %r3, [%rd1+4];\nst.global.u32 [%rd2+4], "
	       "%r3;\n",
	       "ld.global.u32 st.global.u32 ld.global.u32 st.global.u32 ret ");
	expect("ld.global.u32 %r2, [%rd1];\nst.u32 [%rd2], %r2;\nld.global.u32 %r3, [%rd1+4];\nst.shared.u32 [s], %r3;\n",
	       "ld.global.u32 st.u32 ld.global.u32 st.shared.u32 ret ");
}

Test(order, loads_of_what_nobody_writes_pass_all_stores)
{
	expect("ld.global.u32 %r2, [%rd1];\nst.global.u32 [%rd2], %r2;\nld.global.nc.u32 %r3, [%rd1+4];\nst.global.u32 [%rd2+4], "
	       "%r3;\n",
	       "ld.global.u32 ld.global.nc.u32 st.global.u32 st.global.u32 ret ");
}

Test(order, nothing_passes_barriers_volatile_accesses_and_releases)
{
	expect("st.shared.u32 [s], %r1;\nbar.sync 0;\nld.global.u32 %r2, [%rd1];\n", "st.shared.u32 bar.sync ld.global.u32 ret ");
	expect("add.u32 %r2, %r1, 1;\nst.shared.u32 [s], %r2;\nst.release.gpu.global.u32 [%rd2], %r1;\nld.global.u32 %r3, "
	       "[%rd1];\n",
	       "add.u32 st.shared.u32 st.release.gpu.global.u32 ld.global.u32 ret ");
	expect("st.shared.u32 [s], %r1;\nld.volatile.global.u32 %r3, [%rd1];\nld.global.u32 %r2, [%rd1];\n",
	       "st.shared.u32 ld.volatile.global.u32 ld.global.u32 ret ");
}

Test(order, carries_keep_their_order)
{
	expect("add.cc.u32 %r2, %r1, %r1;\naddc.u32 %r3, %r1, %r1;\nadd.cc.u32 %r4, %r1, %r1;\naddc.u32 %r5, %r1, %r1;\n"
	       "ld.global.u32 %r6, [%rd1];\n",
	       "ld.global.u32 add.cc.u32 addc.u32 add.cc.u32 addc.u32 ret ");
}

Test(order, a_chain_of_operations_stays_one)
{
	expect("add.u32 %r2, %r1, 1;\nadd.u32 %r2, %r2, %r2;\nmul.lo.u32 %r2, %r2, %r2;\n", "add.u32 add.u32 mul.lo.u32 ret ");
}

Test(order, every_workload_computes_what_it_claims_in_it)
{
	for (unsigned i = 0; workloads[i]; i++) {
		struct host_options o = {.size = "test", .order = PTX_ASSEMBLER_ORDER};
		struct err e = {""};
		char path[256];
		struct host *h;

		snprintf(path, sizeof path, "traces/%s/kernel.ptx", workloads[i]->name);
		o.ptx_path = path;
		h = host_new(&o, &e);
		cr_assert(h, "%s", e.text);
		cr_expect_eq(workloads[i]->run(h, &e), 0);
		cr_expect_str_eq(e.text, "", "%s: %s", workloads[i]->name, e.text);
		host_free(h);
	}
}

/* A kernel that may have one register, which the stack pointer takes: there is an order of its instructions all the
 * same, and it stores what its text says. */
Test(order, there_is_one_without_registers)
{
	static const char kernel[] = ".version 7.0\n.target sm_70\n.address_size 64\n.visible .entry k(.param .u64 p)\n.maxnreg 1\n"
				     "{\n.reg .b32 %r<4>;\n.reg .b64 %rd<4>;\nld.param.u64 %rd1, [p];\nmov.u32 %r1, 7;\n"
				     "st.global.u32 [%rd1], %r1;\nret;\n}\n";
	static const char launch[] =
		"ptx: k.ptx\nbuffers:\n  o: {count: 1, type: u32, value: 9}\n"
		"launches:\n  - {kernel: k, grid: 1, block: 1, args: [o]}\nexpect:\n  o: {type: u32, value: 7}\n";
	struct program p;

	program_file("k.ptx", kernel);
	program_file("k.yaml", launch);
	p = program_run("locus run %s/k.yaml --machine qv100", program_tmp());
	cr_expect_eq(p.status, 0, "%d: %s%s", p.status, p.out, p.err);
	program_free(&p);
}

/* Registers are given out by eights, and with 32 all of an SM's warps fit. */
static uint32_t no_dearer_than(uint32_t registers)
{
	return registers <= 32 ? 32 : (registers + 7) / 8 * 8;
}

Test(order, needs_no_registers_that_let_fewer_warps_in)
{
	unsigned n = 0;

	for (unsigned i = 0; workloads[i]; i++) {
		char path[300];
		struct err e = {""};
		struct ptx_module *in[2];

		snprintf(path, sizeof path, "traces/%s/kernel.ptx", workloads[i]->name);
		in[0] = ptx_open(path, &e);
		in[1] = ptx_open_in(PTX_ASSEMBLER_ORDER, path, &e);
		cr_assert(in[0] && in[1], "%s", e.text);
		for (unsigned k = 0; k < ptx_n_kernels(in[0]); k++) {
			const struct trace_kernel *is = ptx_trace_kernel(ptx_kernel_at(in[0], k)),
						  *ordered = ptx_trace_kernel(ptx_kernel_at(in[1], k));

			cr_expect_geq(ordered->regs_per_thread, is->regs_per_thread, "%s", is->name);
			cr_expect_leq(ordered->regs_per_thread, no_dearer_than(is->regs_per_thread), "%s: %u for %u", is->name,
				      ordered->regs_per_thread, is->regs_per_thread);
			n++;
		}
		ptx_close(in[0]);
		ptx_close(in[1]);
	}
	cr_expect_gt(n, 100);
}

/* Two loads of DRAM one after the other, or side by side: a loop of them that stages global memory in shared memory. */
Test(order, a_machine_with_it_waits_for_loads_together)
{
	json_t *text = program_stats("locus run lud --size test --machine qv100 --set sm.schedule=false"),
	       *order = program_stats("locus run lud --size test --machine qv100 --set sm.schedule=true");

	cr_expect_lt(program_stat(order, "cycles"), 0.9 * program_stat(text, "cycles"));
	cr_expect_eq(program_stat(order, "warp_insts"), program_stat(text, "warp_insts"));
	json_decref(text);
	json_decref(order);
}
