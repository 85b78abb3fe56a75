#include "hw/twins/pric.h"

#include <string.h>

#include "hw/twins/pric_poly.h"

struct pric_params pric_params_of(uint32_t poly, uint32_t sets, uint32_t line, uint32_t addr_bits)
{
	uint32_t addr_w = addr_bits > 32 ? addr_bits : 32;

	return (struct pric_params){
		.addr_w = addr_w, .addr_bits = addr_bits ? addr_bits : addr_w, .line = line, .sets = sets, .poly = poly};
}

int pric_params_check(const struct pric_params *p, struct err *e)
{
	uint32_t offset;

	if (p->line < 1 || p->line > 65536 || (p->line & (p->line - 1)))
		return err_set(e, "lines of %u bytes: a power of two from 1 to 65536 is needed", p->line);
	if (pric_poly_check(p->poly, p->sets, e))
		return -1;
	offset = pric_log2(p->line) + pric_log2(p->sets);
	if (p->addr_w <= offset || p->addr_w > 64)
		return err_set(e, "addresses of %u bits: %u sets of %u-byte lines need %u to 64", p->addr_w, p->sets, p->line,
			       offset + 1);
	if (p->addr_bits < offset || p->addr_bits > p->addr_w)
		return err_set(e, "%u address bits to hash: %u sets of %u-byte lines need %u to %u", p->addr_bits, p->sets, p->line,
			       offset, p->addr_w);
	return 0;
}

void pric_reset(struct pric *s, const struct pric_params *p)
{
	uint32_t column = 1; /* x^i mod P, for line-address bit i */

	memset(s, 0, sizeof *s);
	s->p = *p;
	s->degree = pric_log2(p->sets);
	s->tag_shift = pric_log2(p->line) + s->degree;
	s->addr_mask = UINT64_MAX >> (64 - p->addr_w);
	for (uint32_t bit = pric_log2(p->line); bit < p->addr_bits; bit++) {
		for (uint32_t i = 0; i < s->degree; i++)
			if (column >> i & 1)
				s->row[i] |= UINT64_C(1) << bit;
		column <<= 1;
		if (column & p->sets)
			column ^= p->poly;
	}
}

HW_BLOCK(pric, PRIC_PARAMS, PRIC_INPUTS, PRIC_OUTPUTS, .name = "pric", .module = "pric_index", .source = "rtl/pric/pric_index.v",
	 .unread = "tag_o", .wanted_by = "--l1-index pric or --l2-index pric",
	 .ready = (const struct hw_shape[]){{"sets=32 poly=37", 1},  /* gtx480: L1 */
					    {"sets=32 poly=37", 16}, /* */
					    {"sets=64 poly=67", 16}, /* gtx480: L2 */
					    {NULL, 0}})
