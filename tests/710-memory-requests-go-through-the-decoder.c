/* 710: every request to memory goes through the address decoder: golden, RTL and lockstep runs give the same bytes on
 * one stack and on four with pages of both modes; a wrong bit in the RTL is found in a run. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "support/program.h"

static void same_in_three_modes(const char *model)
{
	struct program p = program_run(
		"cd %s && for m in golden rtl lockstep; do locus cosim %s --hw decoder=$m --json $m.json || exit 3; "
		"done && locus run %s --json run.json && " PROGRAM_WITHOUT_BLOCKS " && cmp golden.json rtl.json && cmp golden.json "
		"lockstep.json && cmp golden.json run.json",
		program_tmp(), model, model);

	cr_assert_eq(p.status, 0, "%s: %s%s", model, p.out, p.err);
	program_free(&p);
}

Test(decoder_in_the_model, the_three_modes_give_the_same_json_on_gtx480)
{
	same_in_three_modes("bfs --size test");
	same_in_three_modes("vectoradd --size test --set l2.enabled=false");
}

/* kmeans under CODA has both kinds of pages; and the same with hashed banks and channels, and the L2 at the memory. */
Test(decoder_in_the_model, the_three_modes_give_the_same_json_on_four_stacks_with_both_kinds_of_pages)
{
	same_in_three_modes("kmeans --size test --machine ndp4 --plan coda");
	same_in_three_modes("kmeans --size test --machine ndp4 --plan coda --set map.hash_channel=true --set map.hash_bank=true "
			    "--set l2.side=memory");
}

/* Pages of the XOR mode, and those of the Locality Descriptor's base bits. */
Test(decoder_in_the_model, the_three_modes_give_the_same_json_with_hashed_stacks)
{
	same_in_three_modes("transpose --size test --machine mcm4 --plan xor-hash");
	same_in_three_modes("transpose --size test --machine mcm4 --plan ldesc");
}

/* The first number after a row's name. */
static long metric(const char *out, const char *name)
{
	const char *line = strstr(out, name);
	char digits[32] = "";
	size_t n = 0;

	cr_assert(line, "no %s in:\n%s", name, out);
	for (line += strlen(name); *line && *line != '\n' && n < sizeof digits - 1 && !(n && *line == ' '); line++)
		if (*line >= '0' && *line <= '9')
			digits[n++] = *line;
	return strtol(digits, NULL, 10);
}

/* An SM decodes each packet that it sends, a slice each that it looks up (again, if that had to wait), a channel each
 * that it serves. */
Test(decoder_in_the_model, each_request_and_each_dram_access_is_a_step)
{
	struct program p = program_run("locus cosim vectoradd --size test --hw decoder=lockstep");
	long sent, served, steps;

	cr_assert_eq(p.status, 0, "%s", p.err);
	sent = metric(p.out, "\n  l1.misses") + metric(p.out, "\n  l1.writes");
	served = metric(p.out, "\n  dram.reads") + metric(p.out, "\n  dram.writes");
	steps = metric(p.out, "\n  decoder          lockstep          27");
	cr_assert_geq(steps, 2 * sent + served, "%ld steps, %ld packets, %ld DRAM requests", steps, sent, served);
	program_free(&p);
}

Test(decoder_in_the_model, a_stack_bit_taken_one_too_high_is_found_with_its_owner_and_field)
{
	struct program p = program_run(
		"cd %s && sed 's/from = FROM_PAGE/from = FROM_PAGE + 1/' $OLDPWD/rtl/decoder/addr_decoder.v >wrong.v && cp "
		"$OLDPWD/rtl/decoder/div_const.v . && locus cosim kmeans --size test --machine ndp4 --plan cgp-only --rtl "
		"decoder=wrong.v",
		program_tmp());

	cr_assert_eq(p.status, 1, "%s%s", p.out, p.err);
	cr_assert(strstr(p.out, "MISMATCH decoder of "), "%s", p.out);
	cr_assert(strstr(p.out, ": output stack"), "%s", p.out);
	program_free(&p);
	p = program_run("locus replay %s/mismatch-decoder-*", program_tmp());
	cr_assert_eq(p.status, 1, "%s", p.err);
	program_free(&p);
}
