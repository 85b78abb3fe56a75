/* 703: PRIC's 32-set index for 128-byte lines is 63 terms: which of the 25 line-address bits go into which of the five
 * sums. Leaving out any one of them, or adding any one of the other 62, is caught by directed vectors with the right
 * field and cycle.
 *
 * All 125 faulty versions are one build: our RTL with an input fault_i that flips one term of the H-matrix.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "hw/twins/pric.h"
#include "lockstep/bundle.h"
#include "lockstep/report.h"
#include "support/program.h"
#include "support/random.h"

enum { LINE_BITS = 25, SUMS = 5, FAULTS = LINE_BITS * SUMS, FIRST_CYCLE = 1000 };

/* Figure 7's printed terms and the upper address bits that the exact remainder needs beside them, from the paper and
 * its arithmetic: x^i mod x^5+x^2+1 for line-address bit i, worked out by hand with x^5 = x^2 + 1. */
static const char *const column[LINE_BITS] = {
	/* bit i: the sums it goes into */
	"0",   "1",    "2",	"3",	"4",   "02", "13", "24", "023", "134", "04",   "012",  "123",
	"234", "0234", "01234", "0134", "014", "01", "12", "23", "34",	"024", "0123", "1234",
};

static bool is_term(unsigned bit, unsigned sum)
{
	return strchr(column[bit], (int)('0' + sum)) != NULL;
}

/* Our RTL with the flipped term k: sum k / 25, line-address bit k % 25. */
static const char *faulty_rtl(char path[256])
{
	static const char port[] = "    input  wire [ADDR_W-1:0]", sum[] = "assign set_o[g] = ^(addr_i & ROW);";
	char *text = calloc(1, 1 << 20), *at;
	FILE *f = fopen("rtl/pric/pric_index.v", "r");

	cr_assert(f && text && fread(text, 1, (1 << 20) - 1, f) > 0);
	fclose(f);
	snprintf(path, 256, "%s/pric_faults.v", program_tmp());
	f = fopen(path, "w");
	at = strstr(text, port);
	cr_assert(at && strstr(at, sum), "the RTL has other lines than this test breaks");
	fprintf(f, "%.*s    input  wire [7:0] fault_i,\n", (int)(at - text), text);
	fprintf(f, "%.*s", (int)(strstr(at, sum) - at), at);
	fprintf(f, "wire [ADDR_W-1:0] flipped = fault_i / 25 == g ? {{ADDR_W-1{1'b0}}, 1'b1} << (7 + fault_i %% 25) : 0;\n");
	fprintf(f, "assign set_o[g] = ^(addr_i & (ROW ^ flipped));%s", strstr(at, sum) + strlen(sum));
	fclose(f);
	free(text);
	return path;
}

/* One address bit at a time, a cycle each; every other bit 0. */
static void directed(struct scenario *s, const char *rtl, unsigned fault)
{
	struct pric_params p = pric_params_of(37, 32, 128, 0);
	uint64_t addr;

	scenario_init(s, &pric_block, &p);
	snprintf(s->owner, sizeof s->owner, "sm0.l1");
	snprintf(s->rtl, sizeof s->rtl, "%s", rtl);
	s->n_pokes = 1;
	snprintf(s->poke[0].port, sizeof s->poke[0].port, "fault_i");
	s->poke[0].value = fault;
	for (unsigned bit = 0; bit < LINE_BITS; bit++) {
		addr = UINT64_C(1) << (bit + 7);
		stim_append(&s->stim, FIRST_CYCLE + bit, false, &addr);
	}
}

Test(pric_faults, there_are_63_terms)
{
	unsigned n = 0;

	for (unsigned bit = 0; bit < LINE_BITS; bit++)
		n += (unsigned)strlen(column[bit]);
	cr_assert_eq(n, 63);
}

Test(pric_faults, every_deletion_and_every_insertion_is_caught_at_its_bit_and_cycle)
{
	unsigned deletions = 0, insertions = 0;
	struct scenario s;
	struct bind_rtl lib;
	struct err e = {""};
	char path[256];

	directed(&s, faulty_rtl(path), 0);
	cr_assert_eq(scenario_open(&s, &lib, &e), 0, "%s", e.text);
	for (unsigned fault = 0; fault < FAULTS; fault++) {
		unsigned sum = fault / LINE_BITS, bit = fault % LINE_BITS;
		struct outcome o;

		s.poke[0].value = fault;
		o = scenario_run(&s, lib.abi, NULL);
		cr_assert(o.failed, "sum %u, bit %u", sum, bit);
		cr_assert_eq(o.cycle, FIRST_CYCLE + bit, "sum %u, bit %u: cycle %llu", sum, bit, (unsigned long long)o.cycle);
		cr_assert(o.m.side == HW_OUTPUT && !strcmp(s.layout.side[HW_OUTPUT].slot[o.m.slot].f.name, "set"));
		cr_assert_eq(o.m.golden ^ o.m.rtl, 1u << sum, "exactly that sum differs");
		cr_assert_eq(o.m.golden >> sum & 1, is_term(bit, sum), "a lone address bit shows the golden twin's term");
		deletions += is_term(bit, sum);
		insertions += !is_term(bit, sum);
	}
	cr_assert_eq(deletions, 63);
	cr_assert_eq(insertions, 62);
	s.poke[0].value = FAULTS; /* none */
	cr_assert_not(scenario_run(&s, lib.abi, NULL).failed, "without a fault nothing differs");
	scenario_free(&s);
	bind_close(&lib);
}

/* A fault among many random steps, as a bundle: found in its own cycle, replayed, and cut down to one address with one
 * bit. */
static void bundle_of(const char *rtl, unsigned fault)
{
	char folder[128], report[160], opening[160], cycle[32];
	struct scenario s, back;
	struct bind_rtl lib;
	struct err e = {""};
	struct program p;
	uint64_t seed = 12345, first = 0;
	unsigned bit = fault % LINE_BITS + 7;

	directed(&s, rtl, fault);
	stim_free(&s.stim);
	stim_init(&s.stim, &s.layout.side[HW_INPUT]);
	for (unsigned i = 0; i < 200; i++) {
		/* The fault shows whenever its bit is 1: keep it 0 for a while. */
		uint64_t addr = (random_u64(&seed) & 0xffffffff & ~(UINT64_C(1) << bit)) | (uint64_t)(i >= 150) << bit;
		stim_append(&s.stim, FIRST_CYCLE + 2 * i, false, &addr);
		first = i == 150 ? FIRST_CYCLE + 2 * i : first;
	}
	cr_assert_eq(scenario_open(&s, &lib, &e), 0, "%s", e.text);
	snprintf(folder, sizeof folder, "%s/bundle-%u", program_tmp(), fault);
	cr_assert_eq(bundle_write(&s, &lib, folder, NULL, &e), 0, "%s", e.text);
	p = program_run("locus replay %s", folder);
	cr_assert_eq(p.status, 1, "%s", p.err);
	snprintf(opening, sizeof opening, "MISMATCH pric of sm0.l1, cycle %s (step 150): output set_o\n",
		 number_commas(first, cycle));
	cr_assert(!strncmp(p.out, opening, strlen(opening)), "%s", p.out);
	program_free(&p);
	p = program_run("diff %s/report.txt - <<X\n$(locus replay %s)\nX", folder, folder);
	cr_assert_eq(p.status, 0, "the same report: %s", p.out);
	program_free(&p);
	p = program_run("%s/rerun.sh --minimize", folder);
	cr_assert_eq(p.status, 1, "%s", p.err);
	program_free(&p);
	snprintf(report, sizeof report, "%s-min", folder);
	cr_assert_eq(bundle_read(&back, report, &e), 0, "%s", e.text);
	cr_assert_eq(back.stim.steps, 1);
	p = program_run("grep -c '^%llu %llx$' %s/stimulus.txt", (unsigned long long)(back.stim.last_cycle), 1ull << bit, report);
	cr_assert_str_eq(p.out, "1\n", "the one step has address bit %u alone", bit);
	program_free(&p);
	scenario_free(&back);
	scenario_free(&s);
	bind_close(&lib);
}

Test(pric_faults, bundles_of_several_replay_and_minimise_to_the_one_address_bit)
{
	static const unsigned fault[] = {0, 24, 25 + 6, 50 + 23, 75 + 1, 100 + 22};
	char path[256];

	faulty_rtl(path);
	for (unsigned i = 0; i < sizeof fault / sizeof fault[0]; i++)
		bundle_of(path, fault[i]);
}
