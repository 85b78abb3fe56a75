/* The address decoders of a machine: the parameters of hw/twins/addr_decoder.h that its keys come to.
 *
 * Every requester of memory has one that knows all stacks; a DRAM channel has one that knows nothing but its own banks,
 * rows and columns and decodes channel-local addresses.
 */
#ifndef CSIM_MACHINE_DECODERS_H
#define CSIM_MACHINE_DECODERS_H

#include "hw/twins/addr_decoder.h"
#include "machine/machine.h"

/* m has gone through machine_resolve. */
struct addr_decoder_params machine_decoder(const struct machine *m);
struct addr_decoder_params machine_channel_decoder(const struct machine *m);

#endif
