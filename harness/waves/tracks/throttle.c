/* What an SM reports and is told, and what the coordinator decides. */
#include "waves/tracks/tracks.h"

static const char *mode(uint8_t m)
{
	static const char *const name[] = {"monitor", "watch", "sample", "settled"};

	return name[m & 3];
}

void track_throttle(const struct track_step *s, struct track_text *t)
{
	const struct throttle_in *in = s->in;
	const struct throttle_out *out = s->out;
	const struct throttle *before = s->before, *after = s->after;

	if (in->beg_valid)
		track_say(t, in->beg_on ? "kernel %u begins, at most %u warps" : "a kernel without counters begins", in->beg_slot,
			  in->beg_most);
	if (out->msg_valid)
		track_say(t, "kernel %u: %u commits, %u misses in the period", out->msg_slot, out->msg_commits, out->msg_misses);
	if (in->ord_valid)
		track_say_main(t, "order for kernel %u: %s, limit %u", in->ord_slot, mode(in->ord_mode), in->ord_limit);
	if (after->open != before->open)
		track_say(t, after->open ? "the watchdog lifts the limit" : "the limit holds again");
}

void track_coordinator(const struct track_step *s, struct track_text *t)
{
	const struct throttle_coordinator_in *in = s->in;
	const struct throttle_coordinator_out *out = s->out;

	if (in->msg_valid && out->msg_ready)
		track_say(t, "SM %u, kernel %u: %u commits, %u misses", out->turn, in->msg_slot, in->msg_commits, in->msg_misses);
	if (out->dec_valid)
		track_say_main(t, "decision for kernel %u: %s%s", out->ord_slot, mode(out->dec_mode),
			       out->dec_voted	? ", by vote"
			       : out->dec_above ? ", above the threshold"
						: "");
	if (out->ord_valid && in->ord_ready)
		track_say(t, "order to SM %u, kernel %u: %s, limit %u", out->turn, out->ord_slot, mode(out->ord_mode),
			  out->ord_limit);
}
