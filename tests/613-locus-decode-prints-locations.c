/* 613: locus decode prints where addresses are, by the twin, by the RTL and by both, and says what is wrong with its
 * input. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/program.h"

/* The words of the line after the heading, with single spaces. */
static void prints(const char *arguments, const char *want)
{
	struct program p = program_run("locus decode %s | tail -n +2 | tr -s ' ' | sed 's/^ //'", arguments);

	cr_assert_str_empty(p.err, "%s: %s", arguments, p.err);
	cr_assert_str_eq(p.out, want, "%s", arguments);
	program_free(&p);
}

/* One stack, six channels, blocks of 256 bytes, BBBCCCCBCCSSSSSS: 1 MiB is block 4096 = 6 * 682 + 4, channel-local 682
 * * 256 = 0x2aa00: row 2, bits 15-13 = 101 and bit 8 = 0: bank 10, bits 12-9 = 0101 and 7-6 = 00: column 20. */
Test(locus_decode, gtx480_by_hand)
{
	prints("0", "0x0 0 0 0 0 0 0x0 0x0\n");
	prints("0x100000", "0x100000 0 4 10 2 20 0x100000 0x2aa00\n");
	prints("--hw rtl 1048576", "0x100000 0 4 10 2 20 0x100000 0x2aa00\n");
	prints("--hw lockstep 1048576", "0x100000 0 4 10 2 20 0x100000 0x2aa00\n");
}

/* Four stacks of six channels. 0x3c00 has bits 13 to 10: FGP takes 11 and 10, CGP 13 and 12; what is left is 0xc00,
 * block 12 = 2 *
 * 6 + 0. */
Test(locus_decode, four_stacks_by_hand_in_each_mode)
{
	prints("--set dram.stacks=4 --mode fgp 0x3c00", "0x3c00 3 0 0 0 4 0xc00 0x200\n");
	prints("--set dram.stacks=4 --mode cgp 0x3c00", "0x3c00 3 0 0 0 4 0xc00 0x200\n");
	prints("--set dram.stacks=4 --mode cgp 0x1c00", "0x1c00 1 0 0 0 4 0xc00 0x200\n");
	prints("--set dram.stacks=4 --mode bit:7 0x180", "0x180 3 0 0 0 0 0x0 0x0\n");
	prints("--set dram.stacks=4 --mode bit:16 0x20080", "0x20080 2 0 0 0 2 0x80 0x80\n");
	/* 0x122 in base 4 is 1 0 2 0 2: 1. What is left is 0x48 blocks of 256 bytes = 6 * 12 + 0. */
	prints("--set dram.stacks=4 --mode xor --hw lockstep 0x12245", "0x12245 1 0 0 0 25 0x4845 0xc45\n");
	prints("--set dram.stacks=4 --set map.fgp_lsb=7 0x180", "0x180 3 0 0 0 0 0x0 0x0\n");
	prints("--set dram.stacks=4 --set vm.page=2M --mode cgp 0x600000", "0x600000 3 0 0 0 0 0x0 0x0\n");
}

Test(locus_decode, twin_and_rtl_agree_on_addresses_from_standard_input)
{
	struct program golden = program_run("seq 0 12345678901 429496729600 | locus decode --set dram.stacks=4 --mode cgp -");
	struct program rtl = program_run("seq 0 12345678901 429496729600 | locus decode --set dram.stacks=4 --mode cgp --hw rtl -");

	cr_assert_eq(golden.status, 0, "%s", golden.err);
	cr_assert_eq(rtl.status, 0, "%s", rtl.err);
	cr_assert_gt(strlen(golden.out), 35 * 90);
	cr_assert_str_eq(golden.out, rtl.out);
	program_free(&golden);
	program_free(&rtl);
}

static void refuses(const char *arguments, const char *why)
{
	struct program p = program_run("%s", arguments);

	cr_assert(program_is_clean_error(&p), "%s", arguments);
	cr_assert_not_null(strstr(p.err, why), "%s", p.err);
	program_free(&p);
}

Test(locus_decode, what_cannot_be_is_refused_in_one_line)
{
	refuses("locus decode 12x", "\"12x\" is not an address");
	refuses("locus decode --mode coarse 1", "--mode: \"coarse\"");
	refuses("locus decode --mode bit:6 1", "--mode bit");
	refuses("locus decode --mode bit:17 1", "--mode bit");
	refuses("locus decode --hw verilog 1", "--hw: \"verilog\"");
	refuses("locus decode --machine nowhere 1", "nowhere");
	refuses("locus decode --set dram.stacks=3 1", "dram.stacks");
	refuses("printf '1\\n2 q\\n' | locus decode -", "standard input:2: \"q\"");
}
