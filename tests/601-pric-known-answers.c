/* 601: PRIC gives the set numbers that the paper prints, and the exact remainder beyond what it prints. */
#include <criterion/criterion.h>

#include "hw/twins/pric.h"
#include "support/random.h"

/* Figure 5(b): the memory locations of each row, by set S0..S7, typed in from the paper. */
static const unsigned figure_5b[8][8] = {
	{0, 4, 2, 6, 1, 5, 3, 7},	  {13, 9, 15, 11, 12, 8, 14, 10},   {23, 19, 21, 17, 22, 18, 20, 16},
	{26, 30, 24, 28, 27, 31, 25, 29}, {35, 39, 33, 37, 34, 38, 32, 36}, {46, 42, 44, 40, 47, 43, 45, 41},
	{52, 48, 54, 50, 53, 49, 55, 51}, {57, 61, 59, 63, 56, 60, 58, 62},
};

/* Figure 7: the address bits of each sum, typed in from the paper; -1 ends a row. */
static const int figure_7[5][11] = {
	{25, 24, 23, 22, 21, 18, 17, 15, 12, 7, -1}, {26, 25, 24, 23, 22, 19, 18, 16, 13, 8, -1},
	{26, 22, 21, 20, 19, 18, 15, 14, 12, 9, -1}, {23, 22, 21, 20, 19, 16, 15, 13, 10, -1},
	{24, 23, 22, 21, 20, 17, 16, 14, 11, -1},
};

/* What the exact remainder of 32-bit addresses has besides, for A[31:27]: x^20 = x^3+x^2, x^21 = x^4+x^3, x^22 =
 * x^4+x^2+1, x^23 = x^3+x^2+x+1, x^24 = x^4+x^3+x^2+x modulo x^5+x^2+1, each by hand from the one before it. */
static const int beyond_print[5][5] = {
	{30, 29, -1}, {31, 30, -1}, {31, 30, 29, 27, -1}, {31, 30, 28, 27, -1}, {31, 29, 28, -1},
};

static uint64_t bits_of(const int *list)
{
	uint64_t bits = 0;

	for (; *list >= 0; list++)
		bits |= UINT64_C(1) << *list;
	return bits;
}

static struct pric made(struct pric_params p)
{
	struct err e = {""};
	struct pric s;

	cr_assert_eq(pric_params_check(&p, &e), 0, "%s", e.text);
	pric_reset(&s, &p);
	return s;
}

static uint32_t set_of(const struct pric *s, uint64_t addr)
{
	struct pric_in in = {.addr = addr};
	struct pric_out out;

	pric_eval(s, &in, &out);
	return out.set;
}

/* The paper numbers Figure 5's sets with their bits the other way round: its S1 is our set 4. */
Test(pric, figure_5b_is_the_remainder_by_13_with_the_set_number_reversed)
{
	static const uint32_t reversed[8] = {0, 4, 2, 6, 1, 5, 3, 7};
	struct pric s = made((struct pric_params){.addr_w = 6, .addr_bits = 6, .line = 1, .sets = 8, .poly = 13});

	for (unsigned row = 0; row < 8; row++)
		for (unsigned set = 0; set < 8; set++)
			cr_assert_eq(reversed[set_of(&s, figure_5b[row][set])], set, "location %u", figure_5b[row][set]);
}

Test(pric, hashing_27_address_bits_gives_the_terms_of_figure_7)
{
	struct pric s = made(pric_params_of(37, 32, 128, 0));
	unsigned terms = 0;

	s.p.addr_bits = 27;
	s = made(s.p);
	for (unsigned i = 0; i < 5; i++) {
		cr_assert_eq(s.row[i], bits_of(figure_7[i]), "I%u", i);
		terms += (unsigned)__builtin_popcountll(s.row[i]);
	}
	cr_assert_eq(terms, 48);
}

Test(pric, the_full_32_bit_address_has_the_63_terms_of_the_exact_remainder)
{
	struct pric s = made(pric_params_of(37, 32, 128, 0));
	unsigned terms = 0;

	for (unsigned i = 0; i < 5; i++) {
		cr_assert_eq(s.row[i], bits_of(figure_7[i]) | bits_of(beyond_print[i]), "I%u", i);
		terms += (unsigned)__builtin_popcountll(s.row[i]);
	}
	cr_assert_eq(terms, 63);
}

/* Long division of the polynomials, as by hand: no H-matrix, no table. */
static uint32_t remainder_by_hand(uint64_t line, uint32_t poly, unsigned degree)
{
	for (int i = 63; i >= (int)degree; i--)
		if (line >> i & 1)
			line ^= (uint64_t)poly << (i - (int)degree);
	return (uint32_t)line;
}

static void compare_with_division(uint32_t poly, uint32_t sets, uint32_t line, uint32_t addr_bits)
{
	struct pric s = made(pric_params_of(poly, sets, line, addr_bits));
	uint64_t seed = 88172645463325252u;

	for (unsigned n = 0; n < 20000; n++) {
		struct pric_in in;
		struct pric_out out;
		uint64_t x = random_u64(&seed), line_address;

		in.addr = (n < s.p.addr_w ? UINT64_C(1) << n : x) & s.addr_mask;
		line_address = in.addr / line;
		pric_eval(&s, &in, &out);
		cr_assert_eq(out.set, remainder_by_hand(line_address, poly, pric_log2(sets)), "P %u, address %#lx", poly, in.addr);
		cr_assert_eq(out.tag, line_address / sets, "P %u, address %#lx", poly, in.addr);
	}
}

Test(pric, the_set_is_the_remainder_of_a_long_division_whatever_the_shape)
{
	static const uint32_t degree_5[] = {37, 41, 47, 55, 59, 61};

	for (unsigned i = 0; i < 6; i++)
		compare_with_division(degree_5[i], 32, 128, 0);
	compare_with_division(3, 2, 32, 0);
	compare_with_division(67, 64, 128, 0);
	compare_with_division(1033, 1024, 64, 48);
	compare_with_division(37, 32, 128, 64);
	compare_with_division(65581, 65536, 1, 40);
}

/* Figure 7's form equals the exact one for 2^20 of the 2^25 lines, those below 128 MiB. */
Test(pric, the_printed_form_is_exact_for_the_lowest_128_mib_alone)
{
	struct pric exact = made(pric_params_of(37, 32, 128, 0)), printed;
	unsigned agree = 0;

	exact.p.addr_bits = 27;
	printed = made(exact.p);
	for (uint32_t line = 0; line < 1u << 25; line++) {
		bool same = set_of(&exact, (uint64_t)line * 128) == set_of(&printed, (uint64_t)line * 128);

		agree += same;
		if (line < 1u << 20)
			cr_assert(same, "line %u", line);
	}
	/* A[31:27] maps one to one onto the difference of the two, so each other value of it differs everywhere. */
	cr_assert_eq(agree, 1u << 20);
}

/* Fan-in of all sums together, 32-bit addresses and 128-byte lines. */
Test(pric, the_six_polynomials_of_degree_5_have_the_known_numbers_of_terms)
{
	static const unsigned want[6][2] = {{37, 63}, {41, 66}, {47, 63}, {55, 59}, {59, 62}, {61, 62}};

	for (unsigned i = 0; i < 6; i++) {
		struct pric s = made(pric_params_of(want[i][0], 32, 128, 0));
		unsigned terms = 0;

		for (unsigned r = 0; r < 5; r++)
			terms += (unsigned)__builtin_popcountll(s.row[r]);
		cr_assert_eq(terms, want[i][1], "P = %u: %u terms", want[i][0], terms);
	}
}
