/* Groups and CTAs on their way to the SMs, and steals. */
#include "waves/tracks/tracks.h"

/* A response to the SM's request is a group of the table while the SM has nothing left. */
static void response(const struct paver_in *in, const struct paver *s, const struct paver_params *p, struct track_text *t)
{
	uint32_t sm = in->rsp_tag, head = (uint32_t)(in->rsp_data & ((UINT64_C(1) << p->ptr_w) - 1));

	if (sm >= p->sms || !s->sm__pending[sm])
		return;
	if (s->sm__next[sm] == s->sm__tail[sm])
		track_say_main(t, "SM %u gets group [%u, %u)", sm, head, (uint32_t)(in->rsp_data >> p->ptr_w));
	else
		track_say(t, "CTA %u is next on SM %u", (uint32_t)(in->rsp_data & ((UINT64_C(1) << p->tb_w) - 1)), sm);
}

void track_paver(const struct track_step *s, struct track_text *t)
{
	const struct paver_in *in = s->in;
	const struct paver_out *out = s->out;
	const struct paver_params *p = s->params;

	if (in->cfg_valid && out->cfg_ready)
		track_say(t, "launch of %u groups%s", in->cfg_groups, in->cfg_steal ? ", stealing" : "");
	if (out->ev_steal)
		track_say(t, "SM %u steals %u of SM %u", out->ev_recipient, out->ev_count, out->ev_donor);
	for (uint32_t sm = 0; sm < p->sms; sm++)
		if (out->tb_valid[sm] && in->tb_ready[sm])
			track_say(t, "SM %u takes CTA %u", sm, out->tb_id[sm]);
	if (in->rsp_valid)
		response(in, s->before, p, t);
}
