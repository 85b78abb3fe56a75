#include "machine/decoders.h"

#include <string.h>

/* Addresses have 64 bits in the model: none is cut off, whatever a trace holds. */
enum { ADDR_BITS = 64 };

/* dram.map names the bits from the top. */
static uint32_t bank_mask(const char *map)
{
	uint32_t mask = 0;

	for (; *map; map++)
		mask = mask << 1 | (*map == 'B');
	return mask;
}

struct addr_decoder_params machine_decoder(const struct machine *m)
{
	uint32_t page_bits = machine_page_bits(m), top = page_bits - addr_decoder_log2(m->dram.stacks);

	return (struct addr_decoder_params){
		.addr_w = ADDR_BITS,
		.ports = 1,
		.stacks = m->dram.stacks,
		.page_bits = page_bits,
		.fgp_lsb = m->dram.stacks > 1 && m->map.fgp_lsb ? m->map.fgp_lsb : top,
		.channels = m->dram.channels,
		.interleave = m->dram.interleave,
		.banks = m->dram.banks,
		.burst_w = addr_decoder_log2(m->dram.burst_bytes),
		.map_w = (uint32_t)strlen(m->dram.map),
		.bank_mask = bank_mask(m->dram.map),
		.hash_channel = m->map.hash_channel,
		.hash_bank = m->map.hash_bank,
	};
}

struct addr_decoder_params machine_channel_decoder(const struct machine *m)
{
	struct addr_decoder_params p = machine_decoder(m);

	p.stacks = 1;
	p.channels = 1;
	p.hash_channel = 0;
	return p;
}
