#include "noc/route.h"

#include "base/panic.h"
#include "machine/decoders.h"

int route_init(struct route *r, const struct machine *m, const struct hw_binder *binder, const char *owner, uint32_t shared,
	       struct err *e)
{
	struct addr_decoder_params p = machine_decoder(m);

	*r = (struct route){
		.channels = m->dram.channels,
		.line_bits = addr_decoder_log2(m->l2.c.line),
		.slice_bits = addr_decoder_log2(m->l2.slices),
		.shared = shared,
	};
	PANIC_UNLESS(binder, "route", 0);
	return shared ? 0 : addr_decoder_bind(binder, owner, &p, &r->decoder, e);
}

int route_init_above(struct route *r, const struct machine *m, const struct hw_binder *binder, const char *owner, uint32_t module,
		     uint32_t half, struct err *e)
{
	if (route_init(r, m, binder, owner, machine_l2_at_sms(m) ? machine_slices(m, module) : 0, e) != 0)
		return -1;
	route_set_half(r, m, half);
	return 0;
}

void route_set_half(struct route *r, const struct machine *m, uint32_t half)
{
	if (m->l2.halves > 1)
		r->half_slices = m->dram.stacks * m->dram.channels * m->l2.slices / 2;
	r->first_of_half = half * r->half_slices;
}

int route_bind_channel(struct addr_decoder_port *port, const struct machine *m, const struct hw_binder *binder, const char *owner,
		       struct err *e)
{
	struct addr_decoder_params p = machine_channel_decoder(m);

	PANIC_UNLESS(binder, "route", 0);
	return addr_decoder_bind(binder, owner, &p, port, e);
}
