/* 606: each single-term fault of PRIC shows at one one-hot address; illegal parameters stop Verilator, Icarus and Yosys. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/program.h"

/* 5 sums over A[31:7]: 63 terms that can be missing, 62 that can be too many. */
Test(rtl, each_of_125_single_term_faults_shows_at_exactly_one_one_hot_address)
{
	struct program p = program_run("iverilog -g2005 -Wall -s pric_index_fault_tb -o %s/f.vvp rtl/pric/pric_index_fault_tb.v "
				       "rtl/pric/pric_index_fault.v rtl/pric/pric_index.v && vvp -n %s/f.vvp",
				       program_tmp(), program_tmp());

	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_assert_str_eq(p.out, "63 deletions, 62 insertions, 125 caught, 0 elsewhere\n");
	program_free(&p);
}

static void refused(const char *block, const char *parameters)
{
	struct program p = program_run("scripts/rtl-elaborate refuse rtl/%s.v %s %s", block, strrchr(block, '/') + 1, parameters);

	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}

Test(rtl, pric_with_illegal_parameters_stops_elaboration_in_all_three_tools)
{
	refused("pric/pric_index", "POLY=0");
	refused("pric/pric_index", "POLY=33");
	refused("pric/pric_index", "POLY=67");
	refused("pric/pric_index", "SETS=48");
	refused("pric/pric_index", "SETS=1 POLY=1");
	refused("pric/pric_index", "LINE_BYTES=100");
	refused("pric/pric_index", "ADDR_W=65");
	refused("pric/pric_index", "ADDR_W=12");
	refused("pric/pric_index", "ADDR_BITS=33");
	refused("pric/pric_index", "ADDR_BITS=11");
}

Test(rtl, set_monitor_with_illegal_parameters_stops_elaboration_in_all_three_tools)
{
	refused("set_monitor/set_monitor", "SETS=1");
	refused("set_monitor/set_monitor", "SETS=24");
	refused("set_monitor/set_monitor", "SETS=512");
	refused("set_monitor/set_monitor", "TAG_W=0");
	refused("set_monitor/set_monitor", "TAG_W=58");
	refused("set_monitor/set_monitor", "COUNT_W=1");
	refused("set_monitor/set_monitor", "COUNT_W=33");
}

/* The check that stands behind the two above can fail. */
Test(rtl, the_defaults_are_accepted_so_refusing_them_is_an_error)
{
	struct program p = program_run("scripts/rtl-elaborate refuse rtl/pric/pric_index.v pric_index");

	cr_assert_eq(p.status, 1);
	program_free(&p);
	p = program_run("scripts/rtl-elaborate accept rtl/pric/pric_index.v pric_index");
	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}
