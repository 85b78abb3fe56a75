/* Polynomials over GF(2) as PRIC wants them: bit i of a number is the coefficient of x^i, so 37 is x^5+x^2+1. */
#ifndef CSIM_HW_TWINS_PRIC_POLY_H
#define CSIM_HW_TWINS_PRIC_POLY_H

#include <stdint.h>

#include "base/err.h"

/* Remainder of a by b; b not 0. */
uint64_t poly_mod(uint64_t a, uint64_t b);
/* The factor of least degree (and of those the least number) of a polynomial of degree 1 or more; p itself if
 * irreducible. */
uint32_t poly_least_factor(uint32_t p);
/* "x^5+x^2+1"; "0" for 0. Returns out. */
const char *poly_print(uint64_t p, char out[512]);

/* 0 if a cache of that many sets can be indexed by that polynomial, else -1 and one line that says why not: zero, of
 * another degree than log2(sets), or reducible (then with its factors). sets: a power of two, 2 to 65536, or the line
 * says so. */
int pric_poly_check(uint32_t poly, uint32_t sets, struct err *e);

/* The irreducible polynomials of a degree from 3 to 10, ascending; *n: how many. NULL and 0 for any other degree. */
const uint16_t *pric_polynomials(unsigned degree, unsigned *n);

#endif
