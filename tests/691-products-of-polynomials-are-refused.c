/* 691: PRIC's Verilog and its golden twin refuse every product of polynomials: those without a factor of degree 1 too,
 * which no test of x and of x+1 finds, and squares, whose one factor has half of their degree.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "hw/twins/pric.h"
#include "support/products.h"
#include "support/program.h"
#include "support/refusal.h"

Test(products, without_a_factor_of_degree_1_stop_all_tools_and_the_twin)
{
	static const struct refusal refusal[] = {
		{"SETS=16 POLY=21", "polynomial 21 is reducible: x^4+x^2+1 = (x^2+x+1)(x^2+x+1)"},
		{"SETS=64 POLY=127", "polynomial 127 is reducible: x^6+x^5+x^4+x^3+x^2+x+1 = (x^3+x+1)(x^3+x^2+1)"},
		{"SETS=64 POLY=69", "polynomial 69 is reducible: x^6+x^2+1 = (x^3+x+1)(x^3+x+1)"},
		{"SETS=1024 POLY=1395", "polynomial 1395 is reducible: x^10+x^8+x^6+x^5+x^4+x+1 = (x^5+x^2+1)(x^5+x^3+x^2+x+1)"},
		{"SETS=65536 POLY=65861", "(x^8+x^4+x^3+x+1)(x^8+x^4+x^3+x+1)"},
	};

	refusals_hold(&pric_block, refusal, sizeof refusal / sizeof refusal[0]);
}

/* ---- every polynomial up to degree 10, by the function of the Verilog that elaboration calls ---- */

static const char bench[] = "module bench;\n"
			    "    pric_index dut (.addr_i(32'd0), .set_o(), .tag_o());\n"
			    "    integer p;\n"
			    "    initial for (p = 2; p < 2048; p = p + 1) $display(\"%0d %0d\", p, dut.irreducible(p));\n"
			    "endmodule\n";

Test(products, the_verilog_knows_all_up_to_degree_10_and_no_other)
{
	unsigned char reducible[PRODUCTS_MOST];
	unsigned seen = 0, p, irreducible;
	struct program run;
	int used;

	products_mark(reducible);
	program_file("bench.v", bench);
	run = program_run("iverilog -g2005 -s bench -o %s/bench %s/bench.v rtl/pric/pric_index.v && vvp %s/bench", program_tmp(),
			  program_tmp(), program_tmp());
	cr_assert_eq(run.status, 0, "%s", run.err);
	for (const char *at = run.out; sscanf(at, "%u %u%n", &p, &irreducible, &used) == 2; at += used, seen++)
		cr_expect(p < PRODUCTS_MOST && irreducible == !reducible[p], "%u", p);
	cr_assert_eq(seen, PRODUCTS_MOST - 2);
	program_free(&run);
}
