/* The dual-mode address decoder: where a physical address is: stack, channel, bank, row, column, and its address inside
 * the stack and inside the channel.
 *
 * A page's 4-bit mode says which k = log2(stacks) bits of the address choose the stack: the highest of the page's
 * offset (FGP: the page goes round the stacks), the lowest of the page's number (CGP: it is in one), or those from a
 * base bit on. The bits are taken out, what is left is closed up:
 *
 *     stack       = (addr >> lsb) mod stacks          lsb: fgp_lsb, page_bits, 16, MODE_XOR_LSB or the base bit
 *     stack_local = (addr >> (lsb + k)) << lsb | addr mod 2^lsb
 *     block       = stack_local / interleave
 *     channel     = block mod channels                 channels: odd * 2^c
 *     channel_local = (block / channels) * interleave + stack_local mod interleave
 *     bank, column  = the bits of channel_local that bank_mask names, and the others between burst_w and map_w
 *     row           = channel_local >> map_w
 *
 * MODE_XOR: stack XOR all k-bit pieces of addr >> (lsb + k). hash_channel: the c low bits of channel XOR all c-bit
 * pieces of block / channels. hash_bank: bank XOR the lowest bits of row. With one stack and no hashing this is the
 * plain map of a GPU's channels. For any one mode the map is one-to-one; pages of different modes keep apart when each
 * aligned block of max(page, 2^(lsb + k)) bytes has one mode (docs/reference/hardware/decoder.md, proved).
 *
 * Units: bytes; columns in bursts. Address bits at and above addr_w do not exist for the block.
 * Source: coda, section 4.2, Figures 5 and 6; ldesc, sections 4.6, 6.2. RTL: rtl/decoder/addr_decoder.v. Combinational.
 */
#ifndef CSIM_HW_TWINS_ADDR_DECODER_H
#define CSIM_HW_TWINS_ADDR_DECODER_H

#include "hw/port.h"
#include "hw/twins/addr_mode.h"

enum {
	ADDR_DECODER_MAX_PORTS = 16,
	ADDR_DECODER_RUNS = 8,
	ADDR_DECODER_STACK_BITS = 6,
	ADDR_DECODER_CHANNEL_BITS = 8,
	ADDR_DECODER_MAX_ODD = 15
};

/*        type      name         in the RTL    default */
#define ADDR_DECODER_PARAMS(PARAM)                                                                                                 \
	PARAM(uint32_t, addr_w, ADDR_W, 64)	       /* bits of an address, at most 64 */                                        \
	PARAM(uint32_t, ports, PORTS, 1)	       /* addresses a cycle, 1 to 16 */                                            \
	PARAM(uint32_t, stacks, STACKS, 4)	       /* a power of two, 1 to 64 */                                               \
	PARAM(uint32_t, page_bits, PAGE_BITS, 12)      /* log2 of a page, 10 to 24 */                                              \
	PARAM(uint32_t, fgp_lsb, FGP_LSB, 10)	       /* 5 to page_bits - log2(stacks) */                                         \
	PARAM(uint32_t, channels, CHANNELS, 8)	       /* of a stack: 1 to 256, odd factor <= 15 */                                \
	PARAM(uint32_t, interleave, INTERLEAVE, 256)   /* bytes, a power of two, 32 to 1 MiB */                                    \
	PARAM(uint32_t, banks, BANKS, 16)	       /* a power of two, 1 to 64 */                                               \
	PARAM(uint32_t, burst_w, BURST_W, 6)	       /* log2 of a burst, 2 to 7 */                                               \
	PARAM(uint32_t, map_w, MAP_W, 16)	       /* bits below the row, burst_w to 26 */                                     \
	PARAM(uint32_t, bank_mask, BANK_MASK, 0xe100)  /* the bank's bits, log2(banks) of them, from burst_w to map_w */           \
	PARAM(uint32_t, hash_channel, HASH_CHANNEL, 0) /* 0 or 1 */                                                                \
	PARAM(uint32_t, hash_bank, HASH_BANK, 0)       /* 0 or 1 */

#define ADDR_DECODER_INPUTS(SCALAR, VECTOR)                                                                                        \
	VECTOR(uint64_t, addr, ADDR_DECODER_MAX_PORTS, p->ports, p->addr_w)                                                        \
	VECTOR(uint8_t, mode, ADDR_DECODER_MAX_PORTS, p->ports, 4)

/* All from addr_i and mode_i of the same port. */
#define ADDR_DECODER_OUTPUTS(SCALAR, VECTOR)                                                                                       \
	VECTOR(uint32_t, stack, ADDR_DECODER_MAX_PORTS, p->ports, addr_decoder_width(p->stacks))                                   \
	VECTOR(uint64_t, stack_local, ADDR_DECODER_MAX_PORTS, p->ports, ADDR_STACK_W(p))                                           \
	VECTOR(uint32_t, channel, ADDR_DECODER_MAX_PORTS, p->ports, addr_decoder_width(p->channels))                               \
	VECTOR(uint64_t, channel_local, ADDR_DECODER_MAX_PORTS, p->ports, ADDR_CHANNEL_W(p))                                       \
	VECTOR(uint32_t, bank, ADDR_DECODER_MAX_PORTS, p->ports, addr_decoder_width(p->banks))                                     \
	VECTOR(uint64_t, row, ADDR_DECODER_MAX_PORTS, p->ports, ADDR_CHANNEL_W(p) - p->map_w)                                      \
	VECTOR(uint32_t, column, ADDR_DECODER_MAX_PORTS, p->ports, ADDR_COLUMN_W(p))

struct addr_decoder_params {
	ADDR_DECODER_PARAMS(HW_MEMBER_PARAM)
};
struct addr_decoder_in {
	HW_STRUCT(ADDR_DECODER_INPUTS)
};
struct addr_decoder_out {
	HW_STRUCT(ADDR_DECODER_OUTPUTS)
};

/* Gathers bits: the k-th run of neighbours goes to the bits from `to` on. */
struct addr_decoder_field {
	uint32_t runs, bits;
	uint8_t from[ADDR_DECODER_RUNS], to[ADDR_DECODER_RUNS];
	uint32_t mask[ADDR_DECODER_RUNS];
};

/* No registers: what the parameters come to. */
struct addr_decoder {
	struct addr_decoder_params p;
	uint64_t addr_mask;
	uint32_t stack_bits, block_bits;
	uint32_t channel_bits, odd;		  /* channels: odd * 2^channel_bits */
	uint8_t lsb[16];			  /* of each mode */
	uint64_t piece[ADDR_DECODER_STACK_BITS];  /* MODE_XOR: the address bits that each stack bit is XORed with */
	uint64_t fold[ADDR_DECODER_CHANNEL_BITS]; /* hash_channel: the bits of the quotient that each channel bit is
						   * XORed with */
	uint32_t bank_hash;			  /* hash_bank: mask of the row's bits */
	struct addr_decoder_field bank, column;
};

/* What one address comes to; a caller that wants part of it pays for that part. */
struct addr_location {
	uint64_t stack_local, channel_local, row;
	uint32_t stack, channel, bank, column;
};

/* 0, or -1 and a line that says which parameter cannot be, and why. */
int addr_decoder_params_check(const struct addr_decoder_params *p, struct err *e);

/* p must have passed addr_decoder_params_check. */
void addr_decoder_reset(struct addr_decoder *s, const struct addr_decoder_params *p);

void addr_decoder_eval(const struct addr_decoder *s, const struct addr_decoder_in *in, struct addr_decoder_out *out);

extern const struct hw_block addr_decoder_block;

HW_PORT(addr_decoder)

/* ---- one address: for the model's hot paths ---- */

static inline uint32_t addr_decoder_take(const struct addr_decoder_field *f, uint64_t local)
{
	uint32_t v = 0;

	for (uint32_t i = 0; i < f->runs; i++)
		v |= ((uint32_t)(local >> f->from[i]) & f->mask[i]) << f->to[i];
	return v;
}

static inline uint32_t addr_decoder_fold(const struct addr_decoder *s, uint64_t quotient)
{
	uint32_t v = 0;

	for (uint32_t i = 0; i < s->channel_bits; i++)
		v |= (uint32_t)__builtin_parityll(quotient & s->fold[i]) << i;
	return v;
}

static inline uint32_t addr_decoder_pieces(const struct addr_decoder *s, uint64_t addr)
{
	uint32_t v = 0;

	for (uint32_t i = 0; i < s->stack_bits; i++)
		v |= (uint32_t)__builtin_parityll(addr & s->piece[i]) << i;
	return v;
}

/* Divisors that machines have are constants: these divisions are products. */
static inline uint64_t addr_decoder_divided(uint64_t x, uint32_t odd)
{
	switch (odd) {
	case 1:
		return x;
	case 3:
		return x / 3;
	case 5:
		return x / 5;
	default:
		return x / odd;
	}
}

static inline struct addr_location addr_decoder_location(const struct addr_decoder *s, uint64_t addr, uint32_t mode)
{
	uint32_t lsb = s->lsb[mode];
	uint64_t a = addr & s->addr_mask, low = ((uint64_t)1 << lsb) - 1, in_block = ((uint64_t)1 << s->block_bits) - 1;
	struct addr_location at = {.stack = (uint32_t)(a >> lsb) & (s->p.stacks - 1),
				   .stack_local = (a & low) | (a >> s->stack_bits & ~low)};
	uint64_t block = at.stack_local >> s->block_bits, q = addr_decoder_divided(block >> s->channel_bits, s->odd);

	if (__builtin_expect(mode == MODE_XOR, 0))
		at.stack ^= addr_decoder_pieces(s, a);
	at.channel = (uint32_t)(block - q * s->p.channels);
	if (s->p.hash_channel)
		at.channel ^= addr_decoder_fold(s, q);
	at.channel_local = q << s->block_bits | (at.stack_local & in_block);
	at.row = at.channel_local >> s->p.map_w;
	at.bank = addr_decoder_take(&s->bank, at.channel_local) ^ ((uint32_t)at.row & s->bank_hash);
	at.column = addr_decoder_take(&s->column, at.channel_local);
	return at;
}

/* What the block gave at one of its ports. */
static inline struct addr_location addr_location_of(const struct addr_decoder_out *out, uint32_t port)
{
	return (struct addr_location){.stack_local = out->stack_local[port],
				      .channel_local = out->channel_local[port],
				      .row = out->row[port],
				      .stack = out->stack[port],
				      .channel = out->channel[port],
				      .bank = out->bank[port],
				      .column = out->column[port]};
}

/* Through the port: not golden, so not in a header. */
struct addr_location addr_decoder_port_through(const struct addr_decoder_port *port, uint64_t cycle, uint64_t addr, uint32_t mode);

/* Where one address is. A golden port takes any number of ports of the block; the model's owners have one. */
static inline struct addr_location addr_decoder_port_location(const struct addr_decoder_port *port, uint64_t cycle, uint64_t addr,
							      uint32_t mode)
{
	if (__builtin_expect(port->golden != NULL, 1))
		return addr_decoder_location(port->golden, addr, mode);
	return addr_decoder_port_through(port, cycle, addr, mode);
}

/* ---- widths in the RTL ---- */

/* Bits that n numbers need; n >= 1; a single one has a bit that is 0. */
static inline uint32_t addr_decoder_width(uint32_t n)
{
	return n > 2 ? 32 - (uint32_t)__builtin_clz(n - 1) : 1;
}

/* What is left of n >= 1 when it is halved as often as that goes. */
static inline uint32_t addr_decoder_odd(uint32_t n)
{
	return n >> __builtin_ctz(n);
}

/* Verilog's $clog2. */
static inline uint32_t addr_decoder_log2(uint32_t n)
{
	return n > 1 ? 32 - (uint32_t)__builtin_clz(n - 1) : 0;
}

/* Of struct addr_decoder_params and of the pipe's. The quotient by a number that needs n bits has n - 1 bits less than
 * what it is of, if the number is no power of two; a column has one bit at least.
 */
#define ADDR_STACK_W(p)	  ((p)->addr_w - addr_decoder_log2((p)->stacks))
#define ADDR_CHANNEL_W(p) (ADDR_STACK_W(p) - addr_decoder_log2((p)->channels) + (((p)->channels & ((p)->channels - 1)) != 0))
#define ADDR_COLUMN_W(p)  (addr_decoder_least_1((p)->map_w - (p)->burst_w - addr_decoder_log2((p)->banks)))

static inline uint32_t addr_decoder_least_1(uint32_t n)
{
	return n ? n : 1;
}

#endif
