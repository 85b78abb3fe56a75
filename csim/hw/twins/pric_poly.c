#include "hw/twins/pric_poly.h"

#include <stdbool.h>
#include <stdio.h>

static unsigned degree_of(uint64_t p)
{
	return 63 - (unsigned)__builtin_clzll(p);
}

uint64_t poly_mod(uint64_t a, uint64_t b)
{
	while (a && degree_of(a) >= degree_of(b))
		a ^= b << (degree_of(a) - degree_of(b));
	return a;
}

uint32_t poly_least_factor(uint32_t p)
{
	for (uint32_t q = 2; 2 * degree_of(q) <= degree_of(p); q++)
		if (poly_mod(p, q) == 0)
			return q;
	return p;
}

static uint64_t poly_div(uint64_t a, uint64_t b)
{
	uint64_t quotient = 0;

	while (a && degree_of(a) >= degree_of(b)) {
		quotient |= UINT64_C(1) << (degree_of(a) - degree_of(b));
		a ^= b << (degree_of(a) - degree_of(b));
	}
	return quotient;
}

const char *poly_print(uint64_t p, char out[512])
{
	int at = 0;

	if (p == 0)
		snprintf(out, 512, "0");
	for (int i = 63; i >= 0; i--) {
		if (!(p >> i & 1))
			continue;
		at += snprintf(out + at, 512 - (size_t)at, at ? "+" : "");
		if (i == 0)
			at += snprintf(out + at, 512 - (size_t)at, "1");
		else if (i == 1)
			at += snprintf(out + at, 512 - (size_t)at, "x");
		else
			at += snprintf(out + at, 512 - (size_t)at, "x^%d", i);
	}
	return out;
}

static int complain_reducible(uint32_t poly, struct err *e)
{
	char whole[512], factor[512], product[1024];
	uint32_t rest = poly;
	int at = 0;

	while (degree_of(rest) > 0) {
		uint32_t q = poly_least_factor(rest);

		at += snprintf(product + at, sizeof product - (size_t)at, "(%s)", poly_print(q, factor));
		rest = (uint32_t)poly_div(rest, q);
	}
	return err_set(e, "polynomial %u is reducible: %s = %s", poly, poly_print(poly, whole), product);
}

int pric_poly_check(uint32_t poly, uint32_t sets, struct err *e)
{
	if (sets < 2 || sets > 65536 || (sets & (sets - 1)))
		return err_set(e, "%u sets: a polynomial index needs a power of two from 2 to 65536", sets);
	if (poly == 0)
		return err_set(e, "polynomial 0 divides nothing: %u sets need an irreducible one of degree %u", sets,
			       degree_of(sets));
	if (degree_of(poly) != degree_of(sets))
		return err_set(e, "polynomial %u has degree %u, but %u sets need degree %u", poly, degree_of(poly), sets,
			       degree_of(sets));
	if (poly_least_factor(poly) != poly)
		return complain_reducible(poly, e);
	return 0;
}

/* Checked against Gauss's count and by trial division in tests/. */
static const uint16_t degree_3[] = {11, 13};
static const uint16_t degree_4[] = {19, 25, 31};
static const uint16_t degree_5[] = {37, 41, 47, 55, 59, 61};
static const uint16_t degree_6[] = {67, 73, 87, 91, 97, 103, 109, 115, 117};
static const uint16_t degree_7[] = {131, 137, 143, 145, 157, 167, 171, 185, 191, 193, 203, 211, 213, 229, 239, 241, 247, 253};
static const uint16_t degree_8[] = {283, 285, 299, 301, 313, 319, 333, 351, 355, 357, 361, 369, 375, 379, 391,
				    395, 397, 415, 419, 425, 433, 445, 451, 463, 471, 477, 487, 499, 501, 505};
static const uint16_t degree_9[] = {515, 529, 535, 539, 545, 557, 563, 587, 601, 607, 613, 617, 623, 631, 637, 647, 661,  665, 675,
				    677, 687, 695, 701, 719, 721, 731, 757, 761, 769, 787, 789, 799, 803, 817, 827, 841,  847, 859,
				    865, 875, 877, 883, 895, 901, 911, 929, 949, 953, 967, 971, 973, 981, 985, 995, 1001, 1019};
static const uint16_t degree_10[] = {
	1033, 1039, 1051, 1053, 1063, 1069, 1077, 1095, 1107, 1123, 1125, 1135, 1153, 1163, 1177, 1193, 1199, 1221, 1225, 1239,
	1255, 1261, 1267, 1279, 1291, 1293, 1305, 1311, 1315, 1329, 1341, 1347, 1367, 1377, 1383, 1387, 1413, 1423, 1431, 1435,
	1441, 1451, 1465, 1473, 1479, 1509, 1527, 1531, 1555, 1557, 1571, 1573, 1585, 1591, 1603, 1615, 1617, 1627, 1657, 1663,
	1669, 1673, 1703, 1709, 1717, 1727, 1729, 1741, 1747, 1759, 1783, 1789, 1807, 1809, 1815, 1821, 1825, 1835, 1845, 1849,
	1863, 1869, 1877, 1881, 1891, 1915, 1917, 1921, 1927, 1933, 1939, 1961, 1969, 1989, 2011, 2027, 2035, 2041, 2047};

const uint16_t *pric_polynomials(unsigned degree, unsigned *n)
{
#define ROW(d)                                                                                                                     \
	{                                                                                                                          \
		degree_##d, sizeof degree_##d / sizeof degree_##d[0]                                                               \
	}
	static const struct {
		const uint16_t *list;
		unsigned n;
	} table[] = {ROW(3), ROW(4), ROW(5), ROW(6), ROW(7), ROW(8), ROW(9), ROW(10)};
#undef ROW

	if (degree < 3 || degree > 10) {
		*n = 0;
		return NULL;
	}
	*n = table[degree - 3].n;
	return table[degree - 3].list;
}
