/* 936: scripts/inputs makes a row for each study, input and machine, with ratios and rounds of what a program told it,
 * and asks for a reason where an input is small. Here the program is a script, with numbers that divide on paper. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "support/program.h"

/* Study `cache` asks for three runs that are timed: big on two machines, and one that is cut; others for nothing. big
 * touches 2,000 pages of 4 KB, 8.192 MB, of an L2 of 1,024,000 bytes; 400 CTAs in two launches, 300 in the larger, 20
 * at a time; 8,000,000 warp instructions. */
static const char fake[] =
	"#!/bin/sh\n"
	"out=''\n"
	"for a; do [ \"$last\" = --json ] && out=$a; last=$a; done\n"
	"case \"$1 $2\" in\n"
	"'study cache') echo 'run big --size default --machine gtx480 --plan lrr'\n"
	"	echo 'run big --machine gtx480 --plan other'\n"
	"	echo 'run big --machine titanv --max-insts 2000000'\n"
	"	echo 'run big --on cpu --machine ndp4'\n"
	"	echo 'run big --machine ndp4 --max-cycles 10'\n"
	"	echo 'plan big --machine ndp4 --pages'\n"
	"	echo 'run small --arg n=7 --size test' ;;\n"
	"'record '*) echo \"$2 $3 $4\" >\"$last\" ;;\n"
	"'plan '*) n=2000; read -r w rest <\"$2\"; [ $w = small ] && n=1\n"
	"	case \"$*\" in\n"
	"	*--pages*) printf '{\"stats\": {\\n    \"pages.touched\": %d,\\n    \"x\": 3\\n' $n >\"$out\" ;;\n"
	"	*) printf ' \"l2.total\": 1024000,\\n \"launches\": 2,\\n \"ctas\": 400,\\n \"ctas.largest\": 300,\\n' >\"$out\"\n"
	"		printf ' \"ctas.places\": 20,\\n \"warp_insts\": 8000000,\\n \"thread_insts\": 9\\n' >>\"$out\" ;;\n"
	"	esac ;;\n"
	"esac\n";

static struct program inputs(const char *list)
{
	char path[256];

	snprintf(path, sizeof path, "%s/locus", program_tmp());
	program_file("locus", fake);
	cr_assert_eq(chmod(path, 0700), 0);
	program_file("list", list);
	return program_run("scripts/inputs %s %s/list", path, program_tmp());
}

Test(inputs, are_measured_against_the_l2_and_the_places_for_ctas)
{
	struct program p = inputs("# why\n\ncache|titanv|*|of the other\ncache|*|small*|it is small\n");

	cr_assert_eq(p.status, 0, "%s", p.err);
	/* 8.192 MB are 8 x 1.024 MB; 300 / 20 and 400 / 20. */
	cr_expect(strstr(p.out, "| cache | gtx480 | `big` | 8.2 | 1.0 | 8.0 | 2 | 300 | 20 | 15 | - | 20 | - |\n"), "%s", p.out);
	/* A quarter of the instructions: five of twenty rounds, under ten. */
	cr_expect(
		strstr(p.out,
		       "| cache | titanv | `big` | 8.2 | 1.0 | 8.0 | 2 | 300 | 20 | 15 | 2 M warp, 25 % | 5.0 | of the other |\n"),
		"%s", p.out);
	cr_expect(strstr(p.out, "| cache | gtx480 | `small --arg n=7 --size test` | 0.0 | 1.0 | 0.0 | 2 | 300 | 20 | 15 | - | 20 | "
				"it is small |\n"),
		  "%s", p.out);
	cr_expect(strstr(p.out, "\nOf 3 rows 2 touch eight times the L2 or more, 2 have ten rounds of CTAs or more, 1 both.\n"),
		  "%s", p.out);
	cr_expect_not(strstr(p.out, "ndp4"),
		      "a run on the CPU, one that ends after 10 cycles, and a plan are not timed on the GPU");
	program_free(&p);
}

Test(inputs, that_are_small_want_a_reason_and_reasons_want_inputs)
{
	struct program p = inputs("cache|titanv|*|of the other\n");

	cr_expect_eq(p.status, 1);
	cr_expect(strstr(p.err, "inputs: no reason for cache, gtx480, small --arg n=7 --size test\n"), "%s", p.err);
	program_free(&p);
	p = inputs("cache|*|*|all\ncache|mcm4|*|nobody\n");
	cr_expect_eq(p.status, 1);
	cr_expect(strstr(p.err, "no input of a study is \"cache|mcm4|*\"\n"), "%s", p.err);
	program_free(&p);
}
