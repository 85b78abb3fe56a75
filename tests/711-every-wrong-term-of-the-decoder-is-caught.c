/* 711: a wrong term anywhere in the address decoder is caught: each output bit with each address bit put into it, or
 * taken out of it, in each mode; and each entry of each table of the divisions by three and by five. With the right
 * field, bit and step.
 *
 * All faulty versions are one build each: our RTL behind a wrapper, or with tables, that an input fault_i spoils in one
 * place.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hw/twins/addr_decoder.h"
#include "lockstep/report.h"
#include "support/program.h"
#include "support/wrong_terms.h"

static void begin(struct scenario *s, const char *params, const char *rtl)
{
	unsigned char p[BIND_PARAMS_MAX];
	struct err e = {""};

	cr_assert_eq(bind_params_read(&addr_decoder_block, p, params, &e), 0, "%s", e.text);
	scenario_init(s, &addr_decoder_block, p);
	snprintf(s->owner, sizeof s->owner, "sm0");
	snprintf(s->rtl, sizeof s->rtl, "%s", rtl);
	s->n_pokes = 1;
	snprintf(s->poke[0].port, sizeof s->poke[0].port, "fault_i");
}

static void add_step(struct scenario *s, uint64_t addr, uint64_t mode)
{
	uint64_t in[2] = {addr, mode};

	stim_append(&s->stim, s->stim.steps, false, in);
}

/* ---- selections and sums: linear in the address for each mode, so that the one-hot addresses say all ---- */

#define LINEAR                                                                                                                     \
	"addr_w=28 stacks=4 page_bits=12 fgp_lsb=8 channels=4 interleave=128 banks=4 burst_w=5 map_w=10 bank_mask=640 "            \
	"hash_channel=1 hash_bank=1"
enum { ADDR_W = 28, OUT_BITS = 2 + 26 + 2 + 24 + 2 + 14 + 3 };

/* Behind the block: output bit fault_i[7:0], counted through the ports in their order, is flipped when address bit
 * fault_i[12:8] is
 * 1 and the mode is fault_i[16:13]; fault_i[17]: on. */
static void behind_a_wrapper(char path[300])
{
	static const char ports[] = "(addr_i, mode_i, stack, stack_local, channel, channel_local, bank, row, column);\n";
	char *good = program_text("rtl/decoder/addr_decoder.v"), *head = calloc(1, 1 << 16), *text, *from, *to;

	from = strstr(good, "module addr_decoder #(");
	to = strstr(good, ");\n    localparam");
	cr_assert(from && to);
	memcpy(head, from, (size_t)(to - from) + 3);
	head = wrong_terms_replace(head, "    input  wire [PORTS*ADDR_W-1:0] ",
				   "    input  wire [17:0] fault_i,\n    input  wire [PORTS*ADDR_W-1:0] ");
	good = wrong_terms_replace(good, "module addr_decoder #(", "module addr_decoder_good #(");
	text = calloc(1, strlen(good) + (1 << 16));
	sprintf(text,
		"%s\n%s    wire [1:0] stack; wire [25:0] stack_local; wire [1:0] channel; wire [23:0] channel_local;\n"
		"    wire [1:0] bank; wire [13:0] row; wire [2:0] column;\n"
		"    addr_decoder_good #(ADDR_W, PORTS, STACKS, PAGE_BITS, FGP_LSB, CHANNELS, INTERLEAVE, BANKS, BURST_W, MAP_W, "
		"BANK_MASK, HASH_CHANNEL, HASH_BANK) good %s"
		"    wire [72:0] flip = {72'd0, fault_i[17] && fault_i[16:13] == mode_i && addr_i[fault_i[12:8]]} << "
		"fault_i[7:0];\n"
		"    assign {column_o, row_o, bank_o, channel_local_o, channel_o, stack_local_o, stack_o} =\n"
		"        {column, row, bank, channel_local, channel, stack_local, stack} ^ flip;\nendmodule\n",
		good, head, ports);
	wrong_terms_write("addr_decoder.v", text, path);
	free(good);
	free(head);
}

/* Field and bit of the n-th output bit. */
static const char *output_bit(unsigned n, unsigned *bit)
{
	static const struct {
		const char *name;
		unsigned bits;
	} field[] = {{"stack", 2}, {"stack_local", 26}, {"channel", 2}, {"channel_local", 24},
		     {"bank", 2},  {"row", 14},		{"column", 3}};
	unsigned i = 0;

	for (; n >= field[i].bits; i++)
		n -= field[i].bits;
	*bit = n;
	return field[i].name;
}

Test(decoder_faults, every_term_too_few_or_too_many_in_any_mode_is_caught_at_its_address_bit)
{
	struct scenario s;
	struct bind_rtl lib;
	struct err e = {""};
	char path[300];

	behind_a_wrapper(path);
	begin(&s, LINEAR, path);
	cr_assert_eq(scenario_open(&s, &lib, &e), 0, "%s", e.text);
	for (unsigned mode = 0; mode < 16; mode++) {
		stim_free(&s.stim);
		stim_init(&s.stim, &s.layout.side[HW_INPUT]);
		for (unsigned bit = 0; bit < ADDR_W; bit++)
			add_step(&s, UINT64_C(1) << bit, mode);
		s.poke[0].value = 0;
		cr_assert_not(scenario_run(&s, lib.abi, NULL).failed, "without a fault nothing differs");
		for (unsigned fault = 0; fault < OUT_BITS * ADDR_W; fault++) {
			unsigned out = fault / ADDR_W, bit = fault % ADDR_W, at;
			const char *name = output_bit(out, &at);
			struct outcome o;

			s.poke[0].value = 1u << 17 | mode << 13 | bit << 8 | out;
			o = scenario_run(&s, lib.abi, NULL);
			cr_assert(o.failed, "mode %u, output bit %u, address bit %u", mode, out, bit);
			cr_assert_eq(o.step, bit, "mode %u, output bit %u, address bit %u: step %lu", mode, out, bit, o.step);
			cr_assert_str_eq(s.layout.side[HW_OUTPUT].slot[o.m.slot].f.name, name);
			cr_assert_eq(o.m.golden ^ o.m.rtl, UINT64_C(1) << at);
		}
	}
	scenario_free(&s);
	bind_close(&lib);
}

/* ---- the division: all entries of all its tables ---- */

/* Blocks of 24 bits: three groups of four digits. */
#define CHANNELS(odd) "addr_w=29 stacks=1 channels=" odd " interleave=32 banks=1 bank_mask=0 burst_w=4 map_w=4"
enum { DIGITS = 12, TABLES = 2 /* of a digit: quotient; remainder, as it goes on to the digits below */ };

/* A table of digit n is wrong in some bits of one entry: fault_i = {on, table, 2-bit group, 2-bit digit of the group,
 * 5-bit entry, 3-bit flip}. The remainder of a group's last digit goes on as what the next group has above it. */
static void with_wrong_tables(char path[300])
{
	static const char hook[] =
		"    function [2:0] wrong(input table_of, input integer group, input [1:0] digit, input [R_W-1:0] above, input "
		"[1:0] d);\n"
		"        wrong = fault_i[13] && fault_i[12] == table_of && fault_i[11:10] == group && fault_i[9:8] == digit &&\n"
		"                fault_i[7:3] == {above, d} ? fault_i[2:0] : 3'd0;\n"
		"    endfunction\n"
		"    function [1:0] wrong_digit(input integer group, input [1:0] digit, input [R_W-1:0] above, input [1:0] d);\n"
		"        reg [2:0] flip;\n"
		"        begin\n"
		"            flip        = wrong(0, group, digit, above, d);\n"
		"            wrong_digit = flip[1:0];\n"
		"        end\n"
		"    endfunction\n\n    genvar n;\n";
	static const char *const digit[][3] = {
		{"r3 = rest(above, d[7:6])", "r3 = rest(above, d[7:6]) ^ wrong(1, n, 3, above, d[7:6])"},
		{"r2 = rest(r3, d[5:4])", "r2 = rest(r3, d[5:4]) ^ wrong(1, n, 2, r3, d[5:4])"},
		{"r1 = rest(r2, d[3:2])", "r1 = rest(r2, d[3:2]) ^ wrong(1, n, 1, r2, d[3:2])"},
		{"assign below = ", "assign below = wrong(1, n, 0, r1, d[1:0]) ^ "},
		{"quotient(above, d[7:6]),", "wrong_digit(n, 3, above, d[7:6]) ^ quotient(above, d[7:6]),"},
		{"quotient(r3, d[5:4]),", "wrong_digit(n, 2, r3, d[5:4]) ^ quotient(r3, d[5:4]),"},
		{"quotient(r2, d[3:2]),", "wrong_digit(n, 1, r2, d[3:2]) ^ quotient(r2, d[3:2]),"},
		{"quotient(r1, d[1:0])}", "wrong_digit(n, 0, r1, d[1:0]) ^ quotient(r1, d[1:0])}"},
	};
	char *text = program_text("rtl/decoder/div_const.v"), other[300];

	text = wrong_terms_replace(text, "    input  wire [W-1:0]          x_i,",
				   "    input  wire [13:0] fault_i,\n    input  wire [W-1:0] x_i,");
	text = wrong_terms_replace(text, "    genvar n;\n", hook);
	for (unsigned i = 0; i < sizeof digit / sizeof digit[0]; i++)
		text = wrong_terms_replace(text, digit[i][0], digit[i][1]);
	wrong_terms_write("div_const.v", text, other);
	text = program_text("rtl/decoder/addr_decoder.v");
	text = wrong_terms_replace(text, "    input  wire [PORTS*ADDR_W-1:0] ",
				   "    input  wire [13:0] fault_i,\n    input  wire [PORTS*ADDR_W-1:0] ");
	text = wrong_terms_replace(text, "u_div (", "u_div (.fault_i(fault_i), ");
	wrong_terms_write("addr_decoder.v", text, path);
}

/* Whether an entry is read at digit n: its remainder is one of what is above the digit. */
static bool is_read(unsigned n, unsigned entry)
{
	return entry >> 2 < 1u << 2 * (DIGITS - 1 - n);
}

/* Each digit in turn has each value, with each remainder above it, and each two digits below. */
static void directed(struct scenario *s, unsigned by)
{
	for (unsigned n = 0; n < DIGITS; n++)
		for (uint64_t entry = 0; entry < 4 * by && is_read(n, (unsigned)entry); entry++)
			for (uint64_t below = 0; below < 16; below++)
				add_step(s,
					 (n > 1 ? (entry << 4 | below) << 2 * (n - 2) : entry << 2 * n | (n ? below & 3 : 0)) << 5,
					 MODE_FGP);
}

/* Whether the quotient can have that bit: it has as many as its highest value. */
static bool quotient_has(unsigned bit, unsigned by)
{
	return ((1u << 2 * DIGITS) - 1) / by >> bit;
}

/* A number that no remainder is has zeros in all tables; so has 0 in the quotients, by five. The last digit of a group
 * has no other table behind it: r_o is of a table of the groups. */
static bool looks_like_nothing(unsigned n, unsigned entry, unsigned flip, unsigned by)
{
	return n % 4 == 1 && entry % by == 0 && flip >= by && 3 / by == 0;
}

/* Above the highest digit is nothing, and above the one below it no four. And upper bits of the quotient's highest
 * digits, which it does not have, go nowhere. */
static bool can_show(unsigned table, unsigned n, unsigned entry, unsigned flip, unsigned by)
{
	if (!is_read(n, entry))
		return false;
	if (table)
		return !looks_like_nothing(n, entry, flip, by);
	return (flip & 1 && quotient_has(2 * n, by)) || (flip & 2 && quotient_has(2 * n + 1, by));
}

static unsigned caught_dividing_by(unsigned by, const char *params, unsigned *hidden)
{
	unsigned caught = 0;
	struct scenario s;
	struct bind_rtl lib;
	struct err e = {""};
	char path[300];

	*hidden = 0;
	with_wrong_tables(path);
	begin(&s, params, path);
	cr_assert_eq(scenario_open(&s, &lib, &e), 0, "%s", e.text);
	directed(&s, by);
	cr_assert_not(scenario_run(&s, lib.abi, NULL).failed, "without a fault nothing differs");
	for (unsigned table = 0; table < TABLES; table++)
		for (unsigned n = 0; n < DIGITS; n++)
			for (unsigned entry = 0; entry < 4 * by; entry++)
				for (unsigned flip = 1; flip < (table && by > 3 ? 8 : 4); flip++) {
					struct outcome o;

					s.poke[0].value = 1u << 13 | table << 12 | n / 4 << 10 | (n % 4) << 8 | entry << 3 | flip;
					o = scenario_run(&s, lib.abi, NULL);
					cr_assert_eq(o.failed, can_show(table, n, entry, flip, by),
						     "by %u: table %u of digit %u, entry %u, flip %u", by, table, n, entry, flip);
					cr_assert(!o.failed || o.m.side == HW_OUTPUT);
					caught += o.failed;
					*hidden += !o.failed;
				}
	scenario_free(&s);
	bind_close(&lib);
	return caught;
}

Test(decoder_faults, every_wrong_entry_of_the_division_by_three_is_caught)
{
	unsigned hidden;

	cr_assert_eq(caught_dividing_by(3, CHANNELS("3"), &hidden), 2 * (11 * 12 + 4) * 3 - 4);
	cr_assert_eq(hidden, 2 * 8 * 3 + 4);
}

/* A quotient by five has two bits less than the number: its highest digit goes nowhere. */
Test(decoder_faults, every_wrong_entry_of_the_division_by_five_is_caught)
{
	unsigned hidden;

	cr_assert_eq(caught_dividing_by(5, CHANNELS("5"), &hidden), (10 * 20 + 16 + 4) * 7 - 3 * 4 * 3 + (10 * 20 + 16) * 3);
	cr_assert_eq(hidden, (4 + 16) * 7 + 3 * 4 * 3 + (4 + 20) * 3);
}
