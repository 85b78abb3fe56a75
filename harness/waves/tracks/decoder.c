/* Addresses and where they are. */
#include <stdio.h>

#include "waves/tracks/tracks.h"

/* Which port, if there are several. */
static const char *port(char out[16], uint32_t i, uint32_t ports)
{
	out[0] = '\0';
	if (ports > 1)
		snprintf(out, 16, "%u: ", i);
	return out;
}

void track_decoder(const struct track_step *s, struct track_text *t)
{
	const struct addr_decoder_in *in = s->in;
	const struct addr_decoder_out *out = s->out;
	const struct addr_decoder_params *p = s->params;
	char who[16];

	for (uint32_t i = 0; i < p->ports; i++)
		track_say(t, "%s0x%llx mode %u: stack %u channel %u bank %u row 0x%llx column 0x%x", port(who, i, p->ports),
			  (unsigned long long)in->addr[i], in->mode[i], out->stack[i], out->channel[i], out->bank[i],
			  (unsigned long long)out->row[i], out->column[i]);
}

void track_decoder_pipe(const struct track_step *s, struct track_text *t)
{
	const struct addr_decoder_pipe_in *in = s->in;
	const struct addr_decoder_pipe_out *out = s->out;
	const struct addr_decoder_pipe_params *p = s->params;
	char who[16];

	for (uint32_t i = 0; i < p->ports; i++) {
		if (in->req_valid[i] && out->req_ready[i])
			track_say(t, "%s0x%llx mode %u?", port(who, i, p->ports), (unsigned long long)in->req_addr[i],
				  in->req_mode[i]);
		if (out->rsp_valid[i] && in->rsp_ready[i])
			track_say(t, "%sstack %u channel %u bank %u row 0x%llx column 0x%x", port(who, i, p->ports),
				  out->rsp_stack[i], out->rsp_channel[i], out->rsp_bank[i], (unsigned long long)out->rsp_row[i],
				  out->rsp_column[i]);
	}
}
