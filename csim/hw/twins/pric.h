/* PRIC, the pseudo-random interleaved cache index: set = A(x) mod P(x) over GF(2).
 *
 * A is the line address read as a polynomial (bit i is the coefficient of x^i), P an irreducible polynomial of degree
 * m, and the cache has 2^m sets. Each bit of the set is then the XOR of certain address bits: a row of the H-matrix,
 * column i of which is x^i mod P. The tag is the line address above its lowest m bits; (tag, set) and line address
 * determine each other, because H's first m columns are the identity.
 * Source: dwt-pric, section 4.3, Figures 5 and 7. RTL: rtl/pric/pric_index.v. Combinational. Story:
 * docs/reference/hardware/pric.md.
 *
 * addr_bits says how many address bits are hashed. addr_bits = addr_w is the exact remainder; 27 (lines of 128 bytes, P
 * = 37) is what Figure 7 prints: it leaves A[31:27] out of the sums, not out of the tag.
 * Address bits at and above addr_w do not exist for the block: they change neither set nor tag.
 */
#ifndef CSIM_HW_TWINS_PRIC_H
#define CSIM_HW_TWINS_PRIC_H

#include "hw/port.h"

/*        type      name       in the RTL  default */
#define PRIC_PARAMS(PARAM)                                                                                                         \
	PARAM(uint32_t, addr_w, ADDR_W, 32)	  /* bits of an address, at most 64 */                                             \
	PARAM(uint32_t, addr_bits, ADDR_BITS, 32) /* of which the lowest so many are hashed, line offset included */               \
	PARAM(uint32_t, line, LINE_BYTES, 128)	  /* a power of two, 1 to 65536 */                                                 \
	PARAM(uint32_t, sets, SETS, 32)		  /* a power of two, 2 to 65536 */                                                 \
	PARAM(uint32_t, poly, POLY, 37)		  /* irreducible, of degree log2(sets); bit i is the coefficient of
						   * x^i */

#define PRIC_INPUTS(SCALAR, VECTOR) SCALAR(uint64_t, addr, p->addr_w) /* byte address */
#define PRIC_OUTPUTS(SCALAR, VECTOR)                                                                                               \
	SCALAR(uint32_t, set, pric_log2(p->sets))				   /* from addr_i */                               \
	SCALAR(uint64_t, tag, p->addr_w - pric_log2(p->line) - pric_log2(p->sets)) /* from addr_i */

enum { PRIC_MAX_DEGREE = 16 };

struct pric_params {
	PRIC_PARAMS(HW_MEMBER_PARAM)
};
struct pric_in {
	HW_STRUCT(PRIC_INPUTS)
};
struct pric_out {
	HW_STRUCT(PRIC_OUTPUTS)
};

/* No registers: what the parameters come to. */
struct pric {
	struct pric_params p;
	uint32_t degree, tag_shift;
	uint64_t addr_mask;
	uint64_t row[PRIC_MAX_DEGREE]; /* H: the address bits that set bit i is the XOR of */
};

/* The parameters of a cache with those lines, sets and polynomial. addr_bits as in a machine's file: 0 hashes the full
 * address of
 * 32 bits; more than 32 also widens the address to so many bits. */
struct pric_params pric_params_of(uint32_t poly, uint32_t sets, uint32_t line, uint32_t addr_bits);

/* 0, or -1 and a line such as `polynomial 33 is reducible: x^5+1 = (x+1)(x^4+x^3+x^2+x+1)`. */
int pric_params_check(const struct pric_params *p, struct err *e);

/* p must have passed pric_params_check. */
void pric_reset(struct pric *s, const struct pric_params *p);

static inline void pric_eval(const struct pric *s, const struct pric_in *in, struct pric_out *out)
{
	uint32_t set = 0;

	for (uint32_t i = 0; i < s->degree; i++)
		set |= (uint32_t)__builtin_parityll(in->addr & s->row[i]) << i;
	out->set = set;
	out->tag = (in->addr & s->addr_mask) >> s->tag_shift;
}

extern const struct hw_block pric_block;

HW_PORT(pric)

/* The set of a byte address: what a cache lookup wants. */
static inline uint32_t pric_port_set(const struct pric_port *port, uint64_t cycle, uint64_t addr)
{
	struct pric_in in = {.addr = addr};
	struct pric_out out;

	pric_port_eval(port, cycle, &in, &out);
	return out.set;
}

/* Floor of the base-2 logarithm; of a polynomial, its degree. n >= 1. */
static inline uint32_t pric_log2(uint32_t n)
{
	return 31 - (uint32_t)__builtin_clz(n);
}

#endif
