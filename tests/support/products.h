/* Products of polynomials over GF(2), multiplied out: what an irreducible polynomial is not. Bit i of a number is the
 * coefficient of x^i. */
#ifndef TESTS_SUPPORT_PRODUCTS_H
#define TESTS_SUPPORT_PRODUCTS_H

#include <stdint.h>
#include <string.h>

enum { PRODUCTS_MOST = 2048 }; /* degrees up to 10 */

static inline uint32_t product_of(uint32_t a, uint32_t b)
{
	uint32_t product = 0;

	for (; b; b >>= 1, a <<= 1)
		if (b & 1)
			product ^= a;
	return product;
}

/* Trial division backwards: marks the products of two polynomials of degree 1 and more. */
static inline void products_mark(unsigned char reducible[PRODUCTS_MOST])
{
	memset(reducible, 0, PRODUCTS_MOST);
	for (uint32_t a = 2; a < PRODUCTS_MOST / 2; a++)
		for (uint32_t b = 2; b <= a; b++)
			if (product_of(a, b) < PRODUCTS_MOST)
				reducible[product_of(a, b)] = 1;
}

#endif
