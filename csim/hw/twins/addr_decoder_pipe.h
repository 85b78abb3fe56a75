/* The address decoder behind registers, with ready/valid on every port: one decode a cycle and port, nothing lost when
 * the response has to wait.
 *
 *   request --> kept request (only while a response waits) --> decoder --> response
 *
 * A port's ready falls in the cycle after it had to keep a request, until that has gone on. Ports do not see each
 * other. All outputs depend on registers alone; a cycle without a valid request and with busy low changes nothing.
 * Parameters and results: hw/twins/addr_decoder.h. RTL: rtl/decoder/addr_decoder_pipe.v.
 */
#ifndef CSIM_HW_TWINS_ADDR_DECODER_PIPE_H
#define CSIM_HW_TWINS_ADDR_DECODER_PIPE_H

#include "hw/twins/addr_decoder.h"

#define ADDR_DECODER_PIPE_INPUTS(SCALAR, VECTOR)                                                                                   \
	VECTOR(uint8_t, req_valid, ADDR_DECODER_MAX_PORTS, p->ports, 1)                                                            \
	VECTOR(uint64_t, req_addr, ADDR_DECODER_MAX_PORTS, p->ports, p->addr_w)                                                    \
	VECTOR(uint8_t, req_mode, ADDR_DECODER_MAX_PORTS, p->ports, 4)                                                             \
	VECTOR(uint8_t, rsp_ready, ADDR_DECODER_MAX_PORTS, p->ports, 1)

/* The response: as output ports and as registers. */
#define ADDR_DECODER_PIPE_RSP(SCALAR, VECTOR)                                                                                      \
	VECTOR(uint8_t, rsp_valid, ADDR_DECODER_MAX_PORTS, p->ports, 1)                                                            \
	VECTOR(uint32_t, rsp_stack, ADDR_DECODER_MAX_PORTS, p->ports, addr_decoder_width(p->stacks))                               \
	VECTOR(uint64_t, rsp_stack_local, ADDR_DECODER_MAX_PORTS, p->ports, ADDR_STACK_W(p))                                       \
	VECTOR(uint32_t, rsp_channel, ADDR_DECODER_MAX_PORTS, p->ports, addr_decoder_width(p->channels))                           \
	VECTOR(uint64_t, rsp_channel_local, ADDR_DECODER_MAX_PORTS, p->ports, ADDR_CHANNEL_W(p))                                   \
	VECTOR(uint32_t, rsp_bank, ADDR_DECODER_MAX_PORTS, p->ports, addr_decoder_width(p->banks))                                 \
	VECTOR(uint64_t, rsp_row, ADDR_DECODER_MAX_PORTS, p->ports, ADDR_CHANNEL_W(p) - p->map_w)                                  \
	VECTOR(uint32_t, rsp_column, ADDR_DECODER_MAX_PORTS, p->ports, ADDR_COLUMN_W(p))

#define ADDR_DECODER_PIPE_OUTPUTS(SCALAR, VECTOR)                                                                                  \
	VECTOR(uint8_t, req_ready, ADDR_DECODER_MAX_PORTS, p->ports, 1)                                                            \
	ADDR_DECODER_PIPE_RSP(SCALAR, VECTOR)                                                                                      \
	SCALAR(uint8_t, busy, 1) /* something waits: step the block even without a valid request */

#define ADDR_DECODER_PIPE_REGS(SCALAR, VECTOR)                                                                                     \
	VECTOR(uint8_t, skid_valid, ADDR_DECODER_MAX_PORTS, p->ports, 1) /* the kept request */                                    \
	VECTOR(uint64_t, skid_addr, ADDR_DECODER_MAX_PORTS, p->ports, p->addr_w)                                                   \
	VECTOR(uint8_t, skid_mode, ADDR_DECODER_MAX_PORTS, p->ports, 4)                                                            \
	ADDR_DECODER_PIPE_RSP(SCALAR, VECTOR)

struct addr_decoder_pipe_params {
	ADDR_DECODER_PARAMS(HW_MEMBER_PARAM)
};
struct addr_decoder_pipe_in {
	HW_STRUCT(ADDR_DECODER_PIPE_INPUTS)
};
struct addr_decoder_pipe_out {
	HW_STRUCT(ADDR_DECODER_PIPE_OUTPUTS)
};
struct addr_decoder_pipe {
	HW_STRUCT(ADDR_DECODER_PIPE_REGS)
	struct addr_decoder decoder; /* not registers */
};

int addr_decoder_pipe_params_check(const struct addr_decoder_pipe_params *p, struct err *e);
void addr_decoder_pipe_reset(struct addr_decoder_pipe *s, const struct addr_decoder_pipe_params *p);
/* The outputs before the edge; they depend on the registers alone. */
void addr_decoder_pipe_eval(const struct addr_decoder_pipe *s, const struct addr_decoder_pipe_in *in,
			    struct addr_decoder_pipe_out *out);
/* The edge. */
void addr_decoder_pipe_tick(struct addr_decoder_pipe *s, const struct addr_decoder_pipe_in *in);

extern const struct hw_block addr_decoder_pipe_block;

HW_CLOCKED_PORT(addr_decoder_pipe)

#endif
