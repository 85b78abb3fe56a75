/* Stores, the CTAs that read them, and their extents. */
#include "waves/tracks/tracks.h"

static void command(const struct tafe_in *in, struct track_text *t)
{
	if (in->cmd_op == TAFE_SETUP)
		track_say(t, "setup: %u CTAs", in->cmd_ctas);
	else if (in->cmd_op == TAFE_REGISTER)
		track_say(t, "register 0x%llx to 0x%llx as entry %u", (unsigned long long)in->cmd_base,
			  (unsigned long long)in->cmd_limit, in->cmd_entry);
	else
		track_say(t, "%s entry %u", in->cmd_op == TAFE_READY ? "ready" : "reset", in->cmd_entry);
}

/* The value that waits meets its line in the extent buffer. */
static bool widens(const struct tafe *s, const struct tafe_params *p)
{
	uint64_t line = s->cmp__extents[s->ext__in_entry] + s->ext__in_group;

	return s->ext__in_valid && s->ext__valid && s->ext__in_slot < TAFE_EXTENTS &&
	       ((line ^ s->ext__line) << (64 - (p->addr_w - 6))) == 0;
}

void track_tafe(const struct track_step *s, struct track_text *t)
{
	const struct tafe_in *in = s->in;
	const struct tafe_out *out = s->out;
	const struct tafe *before = s->before, *after = s->after;

	if (in->cmd_valid && out->cmd_ready)
		command(in, t);
	if (in->st_valid && out->st_ready)
		track_say(t, "store 0x%llx = %llu", (unsigned long long)in->st_addr, (unsigned long long)in->st_data);
	if (out->ev_miss)
		track_say_main(t, "who reads element %u?", before->inv__el_index);
	if (out->ev_unmatched)
		track_say(t, "nobody reads element %u", before->inv__el_index);
	if (out->ev_tracked)
		track_say(t, "CTA %u reads element %u", TAFE_EXTENTS * before->inv__hist_group + before->inv__hist_slot,
			  before->inv__el_index);
	if (widens(before, s->params))
		track_say(t, "CTA %u's extent is (%u, %u)", TAFE_EXTENTS * before->ext__in_group + before->ext__in_slot,
			  after->ext__min[before->ext__in_slot], after->ext__max[before->ext__in_slot]);
}
