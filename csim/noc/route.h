/* Which way a requester's requests go: the address decoder's location (hw/twins/addr_decoder.h) as a destination of the
 * networks.
 *
 * Each requester and each slice has a decoder port of its own. A stack's channels have l2.slices slices each, which
 * take the lines of their channel in turn: slice = low bits of the channel-local line; they are removed from the line
 * number by which the slice is indexed. A destination is (stack * channels + channel) * slices a channel + slice. With
 * l2.side sm a requester above the L2 names a slice of its own module instead, line by line, and decodes nothing: the
 * slice does, when it asks memory. With l2.halves 2 it names, in place of a slice of the other half, the slice of its
 * own half that is paired with it.
 *
 * Units: bytes. cycle: of the owner's clock, for mismatch reports.
 */
#ifndef CSIM_NOC_ROUTE_H
#define CSIM_NOC_ROUTE_H

#include "hw/twins/addr_decoder.h"
#include "machine/machine.h"

struct route {
	struct addr_decoder_port decoder; /* not bound where `shared` is set */
	uint32_t channels;		  /* of a stack */
	uint32_t line_bits, slice_bits;
	/* slices of the requester's module that share all of memory; 0: slices are at their channels */
	uint32_t shared;
	uint32_t half_slices, first_of_half; /* l2.halves 2: slices of the requester's half; 0: the L2 is one */
};

/* shared: as above. 0, or -1 and the reason of the binder. */
int route_init(struct route *r, const struct machine *m, const struct hw_binder *binder, const char *owner, uint32_t shared,
	       struct err *e);

/* The route of an SM or page walker of that module; half: of the L2, 0 where it is one. */
int route_init_above(struct route *r, const struct machine *m, const struct hw_binder *binder, const char *owner, uint32_t module,
		     uint32_t half, struct err *e);

/* The route of whoever asks that half of the L2, where it is two (l2.halves). */
void route_set_half(struct route *r, const struct machine *m, uint32_t half);

/* The decoder of a channel, for its channel-local addresses. */
int route_bind_channel(struct addr_decoder_port *port, const struct machine *m, const struct hw_binder *binder, const char *owner,
		       struct err *e);

static inline struct addr_location route_location(const struct route *r, uint64_t cycle, uint64_t addr, uint32_t mode)
{
	return addr_decoder_port_location(&r->decoder, cycle, addr, mode);
}

/* Slice within the channel, and the line number by which that slice is indexed, of a channel-local address. */
static inline uint32_t route_slice(const struct route *r, uint64_t local)
{
	return (uint32_t)(local >> r->line_bits) & ((1u << r->slice_bits) - 1);
}

static inline uint64_t route_slice_line(const struct route *r, uint64_t local)
{
	return local >> (r->line_bits + r->slice_bits);
}

/* The channel-local address of a slice's line. */
static inline uint64_t route_line_local(const struct route *r, uint32_t slice, uint64_t slice_line)
{
	return (slice_line << r->slice_bits | slice) << r->line_bits;
}

/* The slice at the channel of a location. */
static inline uint16_t route_home(const struct route *r, const struct addr_location *at)
{
	return (uint16_t)((at->stack * r->channels + at->channel) << r->slice_bits | route_slice(r, at->channel_local));
}

/* What struct mem_req names as its destination. */
static inline uint16_t route_destination(const struct route *r, uint64_t cycle, uint64_t addr, uint32_t mode)
{
	struct addr_location at;
	uint16_t home;

	if (r->shared)
		return (uint16_t)((addr >> r->line_bits) % r->shared);
	at = route_location(r, cycle, addr, mode);
	home = route_home(r, &at);
	return __builtin_expect(r->half_slices != 0, 0) ? (uint16_t)(r->first_of_half + home % r->half_slices) : home;
}

#endif
