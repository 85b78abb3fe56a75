/* 152: the sample under traces/accelsim-sample, through the program; .xz equals plain; tables and copies as options. */
#include <criterion/criterion.h>
#include <lzma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"
#include "support/sass.h"

#define SAMPLE "traces/accelsim-sample/kernelslist.g"

/* 2 blocks of 2 warps: 15 instructions a warp in the first kernel, 8 in the second. Lanes: the first has an EXIT of no
 * lane. */
Test(accelsim_run, the_sample_runs_and_keeps_the_invariants)
{
	struct program p = program_run("locus run " SAMPLE " --json %s/r.json", program_tmp());

	cr_assert_eq(p.status, 0, "%s%s", p.out, p.err);
	/* 4 * 15 + 4 * 8 */
	cr_assert(strstr(p.out, "warp_insts                                     92 "), "%s", p.out);
	cr_assert(strstr(p.out, "thread_insts                                2,816 "), "%s", p.out); /* (92 - 4) * 32 */
	cr_assert(strstr(p.out, "barriers                                        2 "), "%s", p.out);
	cr_assert(strstr(p.out, "l1.accesses                                    20 "), "%s",
		  p.out); /* a line each: 12 loads, 8 stores */
	cr_assert(strstr(p.out, "shared.conflicts                                0 "), "%s", p.out);
	program_free(&p);
}

/* The second kernel's file has block 1 before block 0; lane l of warp 1 reads word 31 - l of shared memory. */
Test(accelsim_run, what_is_recorded_is_what_the_lines_say)
{
	struct program p = program_run("locus record " SAMPLE " -o %s/s.ltrace", program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
	p = program_run(
		"locus trace dump %s/s.ltrace --launch 1 --cta 0 --warp 1 | grep -c -e 'LDG.E.SYS *0x7f5a20000480 +4 a lane' "
		"-e 'STS *0x80 +4 a lane' -e 'LDS.U *0x7c -4 a lane'",
		program_tmp());
	cr_assert_str_eq(p.out, "3\n");
	program_free(&p);
	p = program_run("locus run %s/s.ltrace | grep warp_insts", program_tmp());
	cr_assert(strstr(p.out, " 92 "), "%s", p.out);
	program_free(&p);
}

/* A list's copies are buffers of their own with --memcpy; without, what is touched within 64 KiB is one. */
Test(accelsim_run, copies_become_buffers_if_asked)
{
	const struct accelsim_options with = {.memcpy = true};
	struct err e = {""};
	struct trace *t = sass_import(SAMPLE, NULL, &e);

	cr_assert_not_null(t, "%s", e.text);
	cr_assert_eq(trace_n_buffers(t), 1);
	cr_assert_str_eq(trace_buffer(t, 0)->name, "0x7f5a20000000");
	cr_assert(trace_buffer(t, 0)->base == 0x7f5a20000000 && trace_buffer(t, 0)->size == 3 * 512);
	trace_close(t);
	t = sass_import(SAMPLE, &with, &e);
	cr_assert_not_null(t, "%s", e.text);
	cr_assert_eq(trace_n_buffers(t), 3);
	cr_assert_str_eq(trace_buffer(t, 1)->name, "copy 0x7f5a20000200");
	cr_assert_str_eq(trace_buffer(t, 2)->name, "0x7f5a20000400");
	for (uint32_t i = 0; i < 3; i++)
		cr_assert(trace_buffer(t, i)->base == UINT64_C(0x7f5a20000000) + 512 * i && trace_buffer(t, i)->size == 512);
	trace_close(t);
}

static size_t pack(const char *from, const char *to, size_t cut)
{
	static uint8_t plain[1 << 16], packed[1 << 16];
	FILE *f = fopen(from, "r");
	size_t n, out = 0;

	cr_assert_not_null(f);
	n = fread(plain, 1, sizeof plain, f);
	fclose(f);
	cr_assert_eq(lzma_easy_buffer_encode(6, LZMA_CHECK_CRC64, NULL, plain, n, packed, &out, sizeof packed), LZMA_OK);
	f = fopen(to, "w");
	cr_assert(f && fwrite(packed, 1, out - cut, f) == out - cut);
	fclose(f);
	return out;
}

Test(accelsim_run, an_xz_is_read_as_its_plain_file)
{
	char path[256];
	struct err e = {""};
	struct trace *plain = sass_import("traces/accelsim-sample/kernel-2.traceg", NULL, &e), *packed;

	cr_assert_not_null(plain, "%s", e.text);
	snprintf(path, sizeof path, "%s/k.traceg.xz", program_tmp());
	pack("traces/accelsim-sample/kernel-2.traceg", path, 0);
	packed = sass_import(path, NULL, &e);
	cr_assert_not_null(packed, "%s", e.text);
	cr_assert_eq(trace_hash(plain), trace_hash(packed));
	trace_close(plain);
	trace_close(packed);
	pack("traces/accelsim-sample/kernel-2.traceg", path, 40);
	cr_assert_null(sass_import(path, NULL, &e));
	cr_assert(strstr(e.text, "k.traceg.xz: the .xz file is cut short"), "%s", e.text);
	e = (struct err){""};
	cr_assert_null(sass_import(sass_write("n.traceg.xz", "no xz at all\n"), NULL, &e));
	cr_assert(strstr(e.text, "n.traceg.xz: not an .xz file"), "%s", e.text);
}

/* Rows: a new opcode; a dotted one beats its base; a known one with another class; a space and a width of its own. */
Test(accelsim_run, a_table_adds_and_overrides_opcodes)
{
	char map[256];
	const struct accelsim_options mine = {.opcode_map = map}, alu = {.unknown_alu = true};
	const char *text = SASS_HEAD(SASS_V3) SASS_BLOCK(
		5, "0000 ffffffff 1 R1 FROB.X 1 R2 0 0\n0010 ffffffff 1 R1 FROB.X.Y 1 R2 0 0\n0020 ffffffff 0 MOV 0 0 0\n"
		   "0030 00000001 0 SPILL 0 4 1 0x20 4 0\n0040 ffffffff 0 EXIT 0 0 0\n");
	static const uint8_t by_map[] = {OP_FP64_MAD, OP_SFU, OP_FP32_MUL, OP_STORE, OP_EXIT};
	static const uint8_t by_alu[] = {OP_INT_ADD, OP_INT_ADD, OP_INT_ADD, OP_INT_ADD, OP_EXIT};
	struct err e = {""};
	struct trace *t;

	snprintf(
		map, sizeof map, "%s",
		sass_write(
			"my.ops",
			"# opcode class space bytes\nFROB fp64_mad\nFROB.X.Y\tsfu # dotted\nMOV fp32_mul\nSPILL store shared 8\n"));
	t = sass_import(sass_write("f.traceg", text), &mine, &e);
	cr_assert_not_null(t, "%s", e.text);
	for (uint32_t i = 0; i < 5; i++)
		cr_assert_eq(trace_kernel(t, 0)->inst[i].op, by_map[i], "%u", i);
	cr_assert(trace_kernel(t, 0)->inst[3].space == SPACE_SHARED && trace_kernel(t, 0)->inst[3].width == 8);
	trace_close(t);
	t = sass_import(sass_write("f.traceg", text), &alu, &e);
	cr_assert_not_null(t, "%s", e.text);
	for (uint32_t i = 0; i < 5; i++)
		cr_assert(trace_kernel(t, 0)->inst[i].op == by_alu[i] && trace_kernel(t, 0)->inst[i].space == SPACE_NONE);
	trace_close(t);
}

/* At least one opcode of each family of each architecture is known. */
Test(accelsim_run, opcodes_of_kepler_to_ampere_are_known)
{
	static const char *const names[] = {
		"FFMA",	   "DFMA",	   "IMADSP",   "ISCADD",   "BFE",	"TEXDEPBAR_NOT",
		"SSY",	   "PBK",	   "BRK",      "XMAD.MRG", "LOP3.LUT",	"SYNC",
		"VMNMX",   "DEPBAR.LE",	   "BSSY",     "BSYNC",	   "WARPSYNC",	"HMMA.884.F32.F32.STEP0",
		"IMMA",	   "R2UR",	   "ULDC.64",  "UIADD3",   "VOTEU.ANY", "LDGDEPBAR",
		"DMMA",	   "REDUX",	   "MUFU.RCP", "I2FP",	   "HFMA2.MMA", "BAR.SYNC.DEFER_BLOCKING",
		"BAR.ARV", "MEMBAR.SC.GPU"};
	char text[2048];

	for (size_t i = 0; i < sizeof names / sizeof names[0]; i++) {
		struct err e = {""};
		struct trace *t;

		snprintf(text, sizeof text, SASS_HEAD(SASS_V3) SASS_BLOCK(1, "0000 ffffffff 0 %s 0 0 0\n"), names[i]);
		t = sass_import(sass_write("o.traceg", text), NULL, &e);
		if (!strstr(names[i], "_NOT"))
			cr_assert_not_null(t, "%s", e.text);
		else
			cr_assert(!t && strstr(e.text, "is in no table"), "%s", e.text);
		trace_close(t);
	}
}

/* m x n x k is in the opcode; of Volta's 884 steps 16 are a wmma of 16 x 16 x 16 with sums of f32, 8 one of f16. */
Test(accelsim_run, products_of_matrices_have_their_elements_and_multiply_adds)
{
	static const struct {
		const char *name;
		enum trace_op op;
		unsigned macs;
	} each[] = {{"HMMA.884.F32.F32.STEP0", OP_TENSOR_F16, 16 * 16 * 16 / 16},
		    {"HMMA.884.F16.F16.STEP1", OP_TENSOR_F16, 16 * 16 * 16 / 8},
		    {"HMMA.1688.F32", OP_TENSOR_F16, 16 * 8 * 8},
		    {"HMMA.16816.F32.BF16", OP_TENSOR_F16, 16 * 8 * 16},
		    {"HMMA.1688.F32.TF32", OP_TENSOR_TF32, 16 * 8 * 8},
		    {"IMMA.8816.S8.S8", OP_TENSOR_8BIT, 8 * 8 * 16},
		    {"IMMA.16832.S8.S8.SAT", OP_TENSOR_8BIT, 16 * 8 * 32},
		    {"IMMA.16864.S4.S4", OP_TENSOR_4BIT, 16 * 8 * 64},
		    {"DMMA.884", OP_TENSOR_F64, 8 * 8 * 4},
		    {"FROB.X", OP_TENSOR_8BIT, 512}};
	char text[2048], path[256];
	const struct accelsim_options map = {.opcode_map = path};

	snprintf(path, sizeof path, "%s", sass_write("my.ops", "FROB tensor_8bit 512\n"));
	for (size_t i = 0; i < sizeof each / sizeof each[0]; i++) {
		struct err e = {""};
		struct trace *t;

		snprintf(text, sizeof text, SASS_HEAD(SASS_V3) SASS_BLOCK(1, "0000 ffffffff 0 %s 0 0 0\n"), each[i].name);
		t = sass_import(sass_write("o.traceg", text), &map, &e);
		cr_assert_not_null(t, "%s", e.text);
		cr_assert_eq(trace_kernel(t, 0)->inst[0].op, each[i].op, "%s", each[i].name);
		cr_assert_eq(1u << trace_kernel(t, 0)->inst[0].width, each[i].macs, "%s", each[i].name);
		trace_close(t);
	}
}

Test(accelsim_run, options_of_an_accel_sim_trace_go_with_nothing_else)
{
	struct program p = program_run("locus run vectoradd --size test --memcpy");

	cr_assert(program_is_clean_error(&p));
	cr_assert(strstr(p.err, "only an Accel-Sim trace takes"), "%s", p.err);
	program_free(&p);
	p = program_run("locus run " SAMPLE " --unknown-opcode=nop");
	cr_assert(p.status == 2 && strstr(p.err, "--unknown-opcode=nop: must be alu"), "%s", p.err);
	program_free(&p);
	p = program_run("locus run " SAMPLE " --size test");
	cr_assert(program_is_clean_error(&p));
	program_free(&p);
}
