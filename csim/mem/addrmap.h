/* Which stack, channel, L2 slice, bank, row and column an address stands in, and back.
 *
 * log2(stacks) bits of the physical address name the stack: which ones, the mode of the address's page says (MODE_FGP: high ones of
 * the page offset; MODE_CGP: the lowest of the page number; a base bit: those from that bit on). They are taken out:
 *
 *     stack       = (addr >> lsb(mode)) mod stacks
 *     stack local = (addr >> (lsb(mode) + k)) << lsb(mode) | addr mod 2^lsb(mode)
 *
 * A stack's local addresses are cut into blocks of `interleave` bytes that go round the channels; the quotient is kept, so that the
 * map is one-to-one for any channel count 2^k or 3*2^k:
 *
 *     channel = (stack local / interleave) mod channels
 *     local   = (stack local / (interleave * channels)) * interleave + stack local mod interleave
 *
 * A channel's slices take its lines in turn: slice = low bits of the local line; they are removed from the line number by which
 * the slice is indexed. Inside the channel the machine's `dram.map` names the bits of `local` from the top, B for the bank,
 * C for the column, S for the byte of a burst; what stands above them is the row. A column is one burst.
 *
 * Units: bytes. Source: the GTX480 maps in common use (docs/memory.md); coda, section 4.2 and Figure 5; ldesc, section 4.6.
 */
#ifndef CSIM_MEM_ADDRMAP_H
#define CSIM_MEM_ADDRMAP_H

#include <stdint.h>

#include "machine/machine.h"
#include "mem/page_mode.h"

enum { ADDRMAP_RUNS = 8 }; /* a field's bits stand in at most this many runs of neighbours */

struct addrmap_field { /* collects the bits of one letter: the k-th run of the address goes to the bits from `to` on */
	uint32_t runs, bits;
	uint8_t from[ADDRMAP_RUNS], to[ADDRMAP_RUNS];
	uint32_t mask[ADDRMAP_RUNS];
};

struct addrmap {
	uint32_t stack_bits;
	uint8_t stack_lsb[PAGE_MODES]; /* of the bits that name the stack */
	uint32_t block_bits;	       /* log2 of the interleave */
	uint32_t channel_bits;	       /* channels = (1 or 3) << channel_bits */
	uint32_t by_three;
	uint32_t line_bits, slice_bits;
	uint32_t shared; /* slices that stand at the SMs and share all of memory; 0: each at its channel */
	uint32_t row_shift;
	uint32_t group_shift, group_mask; /* of the bank's number */
	struct addrmap_field bank, column;
};

struct addrmap_place { /* where a channel-local address stands in DRAM */
	uint64_t row;
	uint32_t bank, group, column, byte; /* column: in bursts; byte: of the burst */
};

/* m has gone through machine_resolve, which checks what the user gave. */
void addrmap_init(struct addrmap *a, const struct machine *m);

/* Requests go to one of `slices` slices of the requester's module, l2.side sm, line by line. */
static inline void addrmap_share(struct addrmap *a, uint32_t slices)
{
	a->shared = slices;
}

/* x / channels without a division by a variable. */
static inline uint64_t addrmap_div(const struct addrmap *a, uint64_t x)
{
	x >>= a->channel_bits;
	return a->by_three ? x / 3 : x;
}

static inline uint32_t addrmap_channels(const struct addrmap *a)
{
	return (a->by_three ? 3u : 1u) << a->channel_bits;
}

static inline uint32_t addrmap_stack(const struct addrmap *a, uint64_t addr, uint32_t mode)
{
	return (uint32_t)(addr >> a->stack_lsb[mode]) & ((1u << a->stack_bits) - 1);
}

/* The address inside its stack. */
static inline uint64_t addrmap_in_stack(const struct addrmap *a, uint64_t addr, uint32_t mode)
{
	uint32_t lsb = a->stack_lsb[mode];
	uint64_t low = addr & (((uint64_t)1 << lsb) - 1);

	return addr >> lsb >> a->stack_bits << lsb | low;
}

/* The following take addresses inside a stack. */
static inline uint32_t addrmap_channel(const struct addrmap *a, uint64_t addr)
{
	uint64_t block = addr >> a->block_bits;

	return (uint32_t)(block - addrmap_div(a, block) * addrmap_channels(a));
}

static inline uint64_t addrmap_local(const struct addrmap *a, uint64_t addr)
{
	uint64_t low = addr & (((uint64_t)1 << a->block_bits) - 1);

	return addrmap_div(a, addr >> a->block_bits) << a->block_bits | low;
}

/* The inverse of the two above. */
static inline uint64_t addrmap_global(const struct addrmap *a, uint32_t channel, uint64_t local)
{
	uint64_t low = local & (((uint64_t)1 << a->block_bits) - 1);

	return ((local >> a->block_bits) * addrmap_channels(a) + channel) << a->block_bits | low;
}

/* Slice within the channel, and the line number by which that slice is indexed. */
static inline uint32_t addrmap_slice(const struct addrmap *a, uint64_t local)
{
	return (uint32_t)(local >> a->line_bits) & ((1u << a->slice_bits) - 1);
}

static inline uint64_t addrmap_slice_line(const struct addrmap *a, uint64_t local)
{
	return local >> (a->line_bits + a->slice_bits);
}

/* The channel-local address of a slice's line. */
static inline uint64_t addrmap_line_local(const struct addrmap *a, uint32_t slice, uint64_t slice_line)
{
	return (slice_line << a->slice_bits | slice) << a->line_bits;
}

/* What struct mem_req names as its destination, from a physical address: (stack * channels + channel) * slices a channel + slice;
 * or the slice of the requester's module. */
static inline uint16_t addrmap_destination(const struct addrmap *a, uint64_t addr, uint32_t mode)
{
	uint64_t in;
	uint32_t channel;

	if (a->shared)
		return (uint16_t)((addr >> a->line_bits) % a->shared);
	in = addrmap_in_stack(a, addr, mode);
	channel = addrmap_stack(a, addr, mode) * addrmap_channels(a) + addrmap_channel(a, in);

	return (uint16_t)(channel << a->slice_bits | addrmap_slice(a, addrmap_local(a, in)));
}

static inline uint32_t addrmap_take(const struct addrmap_field *f, uint64_t local)
{
	uint32_t v = 0;

	for (uint32_t i = 0; i < f->runs; i++)
		v |= ((uint32_t)(local >> f->from[i]) & f->mask[i]) << f->to[i];
	return v;
}

struct addrmap_place addrmap_place(const struct addrmap *a, uint64_t local);

/* The inverse: the channel-local address of a place. */
uint64_t addrmap_place_local(const struct addrmap *a, const struct addrmap_place *p);

#endif
