/* 607: locus index prints what the paper's figures print, by the twin and by the RTL, and says what is wrong with its
 * input. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/program.h"

static void prints(const char *arguments, const char *want)
{
	struct program p = program_run("locus index %s", arguments);

	cr_assert_eq(p.status, 0, "%s: %s", arguments, p.err);
	cr_assert_str_eq(p.out, want, "%s", arguments);
	program_free(&p);
}

/* Locations of Figure 5(b): 0, 13, 23 and 57 are under S0; 4 under S1 and 2 under S2, which are our 4 and 2; 62 under
 * S7. */
Test(locus_index, figure_5b_comes_out_by_the_twin_and_by_the_rtl)
{
	const char *want = "0 0\n13 0\n23 0\n57 0\n4 4\n2 2\n62 7\n";

	prints("--poly 13 --sets 8 --line 1 0 13 23 57 4 2 62", want);
	prints("--hw rtl --poly 13 --sets 8 --line 1 0 13 23 57 4 2 62", want);
}

/* By Figure 7: A7 is in I0 alone, A12 in I0 and I2, A26 in I1 and I2, A27 nowhere; exactly, x^20 = x^3+x^2 for A27. */
Test(locus_index, single_address_bits_fall_where_figure_7_has_them)
{
	prints("0x80 4096 0x4000000", "0x80 1\n4096 5\n0x4000000 6\n");
	prints("--addr-bits 27 0x8000000", "0x8000000 0\n");
	prints("0x8000000", "0x8000000 12\n");
	prints("--hw rtl 0x8000000", "0x8000000 12\n");
}

Test(locus_index, twin_and_rtl_agree_on_addresses_from_standard_input)
{
	struct program golden = program_run("seq 0 1234567 4294967295 | locus index -");
	struct program rtl = program_run("seq 0 1234567 4294967295 | locus index --hw rtl -");

	cr_assert_eq(golden.status, 0, "%s", golden.err);
	cr_assert_eq(rtl.status, 0, "%s", rtl.err);
	cr_assert_gt(strlen(golden.out), 3000 * 4);
	cr_assert_str_eq(golden.out, rtl.out);
	program_free(&golden);
	program_free(&rtl);
}

Test(locus_index, polynomials_are_listed_by_degree)
{
	prints("--polys --sets 8", "   11  x^3+x+1\n   13  x^3+x^2+1\n");
}

static void refuses(const char *arguments, const char *why)
{
	struct program p = program_run("%s", arguments);

	cr_assert(program_is_clean_error(&p), "%s", arguments);
	cr_assert_not_null(strstr(p.err, why), "%s", p.err);
	program_free(&p);
}

Test(locus_index, what_cannot_be_is_refused_in_one_line)
{
	refuses("locus index --poly 0 1", "polynomial 0 divides nothing");
	refuses("locus index --poly 33 1", "x^5+1 = (x+1)(x^4+x^3+x^2+x+1)");
	refuses("locus index --poly 37 --sets 64 1", "polynomial 37 has degree 5, but 64 sets need degree 6");
	refuses("locus index --sets 0 1", "0 sets");
	refuses("locus index --sets 33 1", "33 sets");
	refuses("locus index --line 96 1", "lines of 96 bytes");
	refuses("locus index --addr-bits 11 1", "11 address bits to hash");
	refuses("locus index 0x100000000", "wider than the 32 bits");
	refuses("locus index 12x", "\"12x\" is not an address");
	refuses("locus index 18446744073709551616", "is not an address");
	refuses("locus index --hw verilog 1", "--hw: \"verilog\"");
	refuses("printf '1\\n2 q\\n' | locus index -", "standard input:2: \"q\"");
}
