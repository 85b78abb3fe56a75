/* 602: the irreducible polynomials of degrees 3 to 10 are all there, and a polynomial that cannot index a cache is
 * refused. */
#include <criterion/criterion.h>

#include "hw/twins/pric.h"
#include "hw/twins/pric_poly.h"
#include "support/products.h"

Test(polynomials, the_tables_hold_every_polynomial_that_is_no_product_and_no_other)
{
	unsigned char reducible[PRODUCTS_MOST];

	products_mark(reducible);
	for (unsigned degree = 3; degree <= 10; degree++) {
		unsigned n, at = 0;
		const uint16_t *list = pric_polynomials(degree, &n);

		cr_assert_not_null(list);
		for (uint32_t p = 1u << degree; p < 2u << degree; p++) {
			if (reducible[p])
				continue;
			cr_assert(at < n && list[at] == p, "degree %u: %u is missing", degree, p);
			at++;
		}
		cr_assert_eq(at, n, "degree %u: %u polynomials too many", degree, n - at);
	}
}

/* Gauss: n * N(n) = sum over d | n of mu(d) * 2^(n/d). */
Test(polynomials, their_number_is_gauss_count)
{
	static const int mu[11] = {0, 1, -1, -1, 0, -1, 1, -1, 0, 0, 1};

	for (int n = 3; n <= 10; n++) {
		unsigned have;
		int sum = 0;

		for (int d = 1; d <= n; d++)
			if (n % d == 0)
				sum += mu[d] * (1 << (n / d));
		pric_polynomials((unsigned)n, &have);
		cr_assert_eq(have, (unsigned)(sum / n), "degree %d", n);
	}
}

Test(polynomials, no_table_is_claimed_for_other_degrees)
{
	unsigned n = 7;

	cr_assert_null(pric_polynomials(2, &n));
	cr_assert_eq(n, 0);
	cr_assert_null(pric_polynomials(11, &n));
}

Test(polynomials, the_check_agrees_with_the_sieve_for_every_polynomial_of_degree_1_to_10)
{
	unsigned char reducible[PRODUCTS_MOST];

	products_mark(reducible);
	for (uint32_t p = 2; p < 2048; p++) {
		struct err e = {""};
		uint32_t sets = 1u << pric_log2(p);

		cr_assert_eq(pric_poly_check(p, sets, &e) != 0, reducible[p], "%u: %s", p, e.text);
	}
}

static const char *complaint(uint32_t poly, uint32_t sets)
{
	static struct err e;

	e.text[0] = '\0';
	cr_assert_eq(pric_poly_check(poly, sets, &e), -1);
	return e.text;
}

Test(polynomials, a_refusal_says_why)
{
	cr_assert_str_eq(complaint(33, 32), "polynomial 33 is reducible: x^5+1 = (x+1)(x^4+x^3+x^2+x+1)");
	cr_assert_str_eq(complaint(32, 32), "polynomial 32 is reducible: x^5 = (x)(x)(x)(x)(x)");
	cr_assert_str_eq(complaint(0, 32), "polynomial 0 divides nothing: 32 sets need an irreducible one of degree 5");
	cr_assert_str_eq(complaint(37, 64), "polynomial 37 has degree 5, but 64 sets need degree 6");
	cr_assert_str_eq(complaint(37, 48), "48 sets: a polynomial index needs a power of two from 2 to 65536");
	cr_assert_str_eq(complaint(1, 1), "1 sets: a polynomial index needs a power of two from 2 to 65536");
}

Test(polynomials, a_product_of_large_factors_is_found_out)
{
	/* (x^8+x^4+x^3+x+1)^2, degree 16: 283 is the polynomial of AES. */
	cr_assert_str_eq(complaint(product_of(283, 283), 65536),
			 "polynomial 65861 is reducible: x^16+x^8+x^6+x^2+1 = (x^8+x^4+x^3+x+1)(x^8+x^4+x^3+x+1)");
}

Test(polynomials, parameters_of_an_index_are_checked_as_a_whole)
{
	struct pric_params p = pric_params_of(37, 32, 128, 0);
	struct err e = {""};

	cr_assert_eq(pric_params_check(&p, &e), 0);
	p.line = 100;
	cr_assert_eq(pric_params_check(&p, &e), -1);
	cr_assert_str_eq(e.text, "lines of 100 bytes: a power of two from 1 to 65536 is needed");
	p = pric_params_of(37, 32, 128, 11);
	e.text[0] = '\0';
	cr_assert_eq(pric_params_check(&p, &e), -1);
	cr_assert_str_eq(e.text, "11 address bits to hash: 32 sets of 128-byte lines need 12 to 32");
	p = pric_params_of(37, 32, 128, 65);
	e.text[0] = '\0';
	cr_assert_eq(pric_params_check(&p, &e), -1);
	cr_assert_str_eq(e.text, "addresses of 65 bits: 32 sets of 128-byte lines need 13 to 64");
}
