#include "hw/twins/addr_decoder.h"

#include <string.h>

#include "base/panic.h"

static bool is_pow2(uint32_t n)
{
	return n && !(n & (n - 1));
}

static int check_stacks(const struct addr_decoder_params *p, struct err *e)
{
	uint32_t k = addr_decoder_log2(p->stacks), top = p->page_bits > 16 ? p->page_bits : 16;

	if (p->ports < 1 || p->ports > ADDR_DECODER_MAX_PORTS)
		return err_set(e, "decoder: %u ports: 1 to %d are possible", p->ports, ADDR_DECODER_MAX_PORTS);
	if (!is_pow2(p->stacks) || p->stacks > 64)
		return err_set(e, "decoder: %u stacks: a power of two from 1 to 64 is needed", p->stacks);
	if (p->page_bits < 10 || p->page_bits > 24)
		return err_set(e, "decoder: pages of 2^%u bytes: 2^10 to 2^24 are possible", p->page_bits);
	if (p->fgp_lsb < 5 || p->fgp_lsb + k > p->page_bits)
		return err_set(e, "decoder: FGP's %u stack bits from bit %u on: they must be in 5 to %u, inside the page", k,
			       p->fgp_lsb, p->page_bits - 1);
	if (p->addr_w > 64 || (k && p->addr_w <= top + k))
		return err_set(e, "decoder: addresses of %u bits: %u to 64 are possible", p->addr_w, top + k + 1);
	return 0;
}

static int check_map(const struct addr_decoder_params *p, struct err *e)
{
	if (!is_pow2(p->banks) || p->banks > 64)
		return err_set(e, "decoder: %u banks: a power of two from 1 to 64 is needed", p->banks);
	if (p->burst_w < 2 || p->burst_w > 7)
		return err_set(e, "decoder: bursts of 2^%u bytes: 2^2 to 2^7 are possible", p->burst_w);
	if (p->map_w < p->burst_w || p->map_w > 26)
		return err_set(e, "decoder: %u address bits below the row: %u to 26 are possible", p->map_w, p->burst_w);
	if (1u << __builtin_popcount(p->bank_mask) != p->banks || p->bank_mask >> p->map_w ||
	    p->bank_mask & ((1u << p->burst_w) - 1))
		return err_set(e, "decoder: bank bits %#x: %u banks need %u of them between bits %u and %u", p->bank_mask, p->banks,
			       addr_decoder_log2(p->banks), p->burst_w, p->map_w);
	if (p->hash_bank > 1)
		return err_set(e, "decoder: hash_bank %u: 0 or 1", p->hash_bank);
	return 0;
}

int addr_decoder_params_check(const struct addr_decoder_params *p, struct err *e)
{
	bool power = is_pow2(p->channels);
	uint32_t below, taken;

	if (check_stacks(p, e))
		return -1;
	if (p->channels < 1 || p->channels > 256 || addr_decoder_odd(p->channels) > ADDR_DECODER_MAX_ODD)
		return err_set(e, "decoder: %u channels: an odd number up to %u times 2^c, up to 256, are possible", p->channels,
			       ADDR_DECODER_MAX_ODD);
	if (!is_pow2(p->interleave) || p->interleave < 32 || p->interleave > 1u << 20)
		return err_set(e, "decoder: blocks of %u bytes: a power of two from 32 to 1048576 is needed", p->interleave);
	if (p->hash_channel > 1)
		return err_set(e, "decoder: hash_channel %u: 0 or 1", p->hash_channel);
	if (check_map(p, e))
		return -1;
	below = p->map_w > addr_decoder_log2(p->interleave) ? p->map_w : addr_decoder_log2(p->interleave);
	taken = addr_decoder_log2(p->stacks) + addr_decoder_log2(p->channels) - !power + below;
	if (p->addr_w <= taken)
		return err_set(e, "decoder: addresses of %u bits leave none for the row: %u to 64 are possible", p->addr_w,
			       taken + 1);
	return 0;
}

/* Appends address bit `at` above what the field has; bits come from the lowest up. */
static void add_bit(struct addr_decoder_field *f, uint32_t at)
{
	uint32_t last = f->runs - 1;

	if (f->runs && f->from[last] + (uint32_t)__builtin_popcount(f->mask[last]) == at) {
		f->mask[last] = f->mask[last] << 1 | 1;
	} else {
		PANIC_UNLESS(f->runs < ADDR_DECODER_RUNS, "decoder", 0);
		f->from[f->runs] = (uint8_t)at;
		f->to[f->runs] = (uint8_t)f->bits;
		f->mask[f->runs++] = 1;
	}
	f->bits++;
}

static void set_modes(struct addr_decoder *s)
{
	for (uint32_t mode = 0; mode < 16; mode++)
		s->lsb[mode] = (uint8_t)(mode == MODE_CGP      ? s->p.page_bits
					 : mode == MODE_BIT_16 ? 16
					 : mode == MODE_XOR    ? MODE_XOR_LSB
					 : mode >= MODE_BIT_7  ? mode
							       : s->p.fgp_lsb);
}

void addr_decoder_reset(struct addr_decoder *s, const struct addr_decoder_params *p)
{
	memset(s, 0, sizeof *s);
	s->p = *p;
	s->addr_mask = UINT64_MAX >> (64 - p->addr_w);
	s->stack_bits = addr_decoder_log2(p->stacks);
	s->block_bits = addr_decoder_log2(p->interleave);
	s->channel_bits = (uint32_t)__builtin_ctz(p->channels);
	s->odd = addr_decoder_odd(p->channels);
	set_modes(s);
	for (uint32_t n = 0, bit = MODE_XOR_LSB + s->stack_bits; s->stack_bits && bit < 64; n++, bit++)
		s->piece[n % s->stack_bits] |= UINT64_C(1) << bit;
	for (uint32_t bit = 0; p->hash_channel && s->channel_bits && bit < 64; bit++)
		s->fold[bit % s->channel_bits] |= UINT64_C(1) << bit;
	for (uint32_t at = p->burst_w; at < p->map_w; at++)
		add_bit(p->bank_mask >> at & 1 ? &s->bank : &s->column, at);
	s->bank_hash = p->hash_bank ? p->banks - 1 : 0;
}

void addr_decoder_eval(const struct addr_decoder *s, const struct addr_decoder_in *in, struct addr_decoder_out *out)
{
	for (uint32_t i = 0; i < s->p.ports; i++) {
		struct addr_location at = addr_decoder_location(s, in->addr[i], in->mode[i]);

		out->stack[i] = at.stack;
		out->stack_local[i] = at.stack_local;
		out->channel[i] = at.channel;
		out->channel_local[i] = at.channel_local;
		out->bank[i] = at.bank;
		out->row[i] = at.row;
		out->column[i] = at.column;
	}
}

struct addr_location addr_decoder_port_through(const struct addr_decoder_port *port, uint64_t cycle, uint64_t addr, uint32_t mode)
{
	struct addr_decoder_in in; /* of one port: to clear all sixteen would take longer than to decode */
	struct addr_decoder_out out;

	in.addr[0] = addr;
	in.mode[0] = (uint8_t)mode;
	if (port->watched) {
		port->watch(port->ctx, cycle, &in);
		return addr_decoder_location(port->watched, addr, mode);
	}
	port->eval(port->ctx, cycle, &in, &out);
	return addr_location_of(&out, 0);
}

HW_BLOCK(addr_decoder, ADDR_DECODER_PARAMS, ADDR_DECODER_INPUTS, ADDR_DECODER_OUTPUTS, .name = "decoder", .module = "addr_decoder",
	 .source = "rtl/decoder/addr_decoder.v", .unread = "stack_local_o", .wanted_by = "every machine",
	 .ready = (const struct hw_shape[]){{"stacks=1 channels=6", 1},	 /* gtx480: SMs */
					    {"stacks=1 channels=6", 16}, /* */
					    {"stacks=1 channels=1", 1},	 /* gtx480: channels */
					    {"stacks=1 channels=1", 16}, /* */
					    {NULL, 0}})
