#include "hw/twins/addr_decoder_pipe.h"

#include <string.h>

/* The two blocks' parameters are one list. */
static struct addr_decoder_params plain(const struct addr_decoder_pipe_params *p)
{
	struct addr_decoder_params to;

	_Static_assert(sizeof to == sizeof *p, "the same list");
	memcpy(&to, p, sizeof to);
	return to;
}

int addr_decoder_pipe_params_check(const struct addr_decoder_pipe_params *p, struct err *e)
{
	struct addr_decoder_params of = plain(p);

	return addr_decoder_params_check(&of, e);
}

void addr_decoder_pipe_reset(struct addr_decoder_pipe *s, const struct addr_decoder_pipe_params *p)
{
	struct addr_decoder_params of = plain(p);

	memset(s, 0, sizeof *s);
	addr_decoder_reset(&s->decoder, &of);
}

void addr_decoder_pipe_eval(const struct addr_decoder_pipe *s, const struct addr_decoder_pipe_in *in,
			    struct addr_decoder_pipe_out *out)
{
	(void)in;
	out->busy = 0;
	for (uint32_t i = 0; i < s->decoder.p.ports; i++) {
		out->req_ready[i] = !s->skid_valid[i];
		out->rsp_valid[i] = s->rsp_valid[i];
		out->rsp_stack[i] = s->rsp_stack[i];
		out->rsp_stack_local[i] = s->rsp_stack_local[i];
		out->rsp_channel[i] = s->rsp_channel[i];
		out->rsp_channel_local[i] = s->rsp_channel_local[i];
		out->rsp_bank[i] = s->rsp_bank[i];
		out->rsp_row[i] = s->rsp_row[i];
		out->rsp_column[i] = s->rsp_column[i];
		out->busy |= s->skid_valid[i] | s->rsp_valid[i];
	}
}

static void respond(struct addr_decoder_pipe *s, uint32_t i, uint64_t addr, uint32_t mode)
{
	struct addr_location at = addr_decoder_location(&s->decoder, addr, mode);

	s->rsp_valid[i] = 1;
	s->rsp_stack[i] = at.stack;
	s->rsp_stack_local[i] = at.stack_local;
	s->rsp_channel[i] = at.channel;
	s->rsp_channel_local[i] = at.channel_local;
	s->rsp_bank[i] = at.bank;
	s->rsp_row[i] = at.row;
	s->rsp_column[i] = at.column;
}

void addr_decoder_pipe_tick(struct addr_decoder_pipe *s, const struct addr_decoder_pipe_in *in)
{
	for (uint32_t i = 0; i < s->decoder.p.ports; i++) {
		if (s->rsp_valid[i] && in->rsp_ready[i])
			s->rsp_valid[i] = 0;
		if (s->rsp_valid[i]) {
			if (in->req_valid[i] && !s->skid_valid[i]) {
				s->skid_valid[i] = 1;
				s->skid_addr[i] = in->req_addr[i];
				s->skid_mode[i] = in->req_mode[i];
			}
		} else if (s->skid_valid[i]) {
			respond(s, i, s->skid_addr[i], s->skid_mode[i]);
			s->skid_valid[i] = 0;
		} else if (in->req_valid[i]) {
			respond(s, i, in->req_addr[i], in->req_mode[i]);
		}
	}
}

HW_CLOCKED_BLOCK(addr_decoder_pipe, ADDR_DECODER_PARAMS, ADDR_DECODER_PIPE_INPUTS, ADDR_DECODER_PIPE_OUTPUTS,
		 ADDR_DECODER_PIPE_REGS, .name = "decoder_pipe", .module = "addr_decoder_pipe",
		 .source = "rtl/decoder/addr_decoder_pipe.v")
