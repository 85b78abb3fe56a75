/* Set index, conflicts, victims and bypassing of a cache. */
#include "waves/tracks/tracks.h"

void track_pric(const struct track_step *s, struct track_text *t)
{
	const struct pric_in *in = s->in;
	const struct pric_out *out = s->out;

	track_say(t, "0x%llx: set %u, tag 0x%llx", (unsigned long long)in->addr, out->set, (unsigned long long)out->tag);
}

void track_set_monitor(const struct track_step *s, struct track_text *t)
{
	const struct set_monitor_in *in = s->in;
	const struct set_monitor_out *out = s->out;
	const struct set_monitor *before = s->before, *after = s->after;

	if (before->acc_valid && after->count[before->acc_set] != before->count[before->acc_set])
		track_say_main(t, "set %u: conflict %u", before->acc_set, after->count[before->acc_set]);
	if (in->acc_valid && out->acc_ready)
		track_say(t, "set %u gets tag 0x%llx", in->acc_set, (unsigned long long)in->acc_tag);
	if (in->req_valid && out->req_ready)
		track_say(t, "how many in set %u?", in->req_set);
	if (out->rsp_valid && in->rsp_ready)
		track_say(t, "%u conflicts", out->rsp_count);
}

static void operation(const struct pin_replacement_in *in, struct track_text *t)
{
	static const char *const pin[] = {"", ", soft pin", ", hard pin", ", hard pin"};

	if (in->op_kind == PIN_OP_DROP_ALL)
		track_say(t, "all lines dropped");
	else if (in->op_kind == PIN_OP_TAKE)
		track_say(t, "set %u way %u taken%s%s", in->op_set, in->op_way, in->op_reserve ? ", reserved" : "",
			  pin[in->op_pin & 3]);
	else
		track_say(t, "set %u way %u %s", in->op_set, in->op_way, in->op_kind == PIN_OP_USE ? "used" : "dropped");
}

void track_pin_replacement(const struct track_step *s, struct track_text *t)
{
	const struct pin_replacement_in *in = s->in;
	const struct pin_replacement_out *out = s->out;

	if (out->unpin)
		track_say(t, "all pins end");
	if (in->op_valid)
		operation(in, t);
	if (in->fill_valid)
		track_say(t, "set %u way %u %s", in->fill_set, in->fill_way, in->fill_drop ? "filled for nobody" : "filled");
	if (in->req_valid && out->req_ready)
		track_say(t, "a way of set %u?", in->req_set);
	if (out->rsp_valid && in->rsp_ready && out->rsp_found)
		track_say_main(t, "way %u", out->rsp_way);
	else if (out->rsp_valid && in->rsp_ready)
		track_say(t, "no way");
}

void track_bypass_monitor(const struct track_step *s, struct track_text *t)
{
	const struct bypass_monitor_in *in = s->in;
	const struct bypass_monitor_out *out = s->out;
	const struct bypass_monitor *before = s->before, *after = s->after;

	if (out->open)
		track_say(t, "the cache is used again");
	if (after->bypass && !before->bypass)
		track_say_main(t, "loads go past the cache from now on");
	if (in->acc_valid)
		track_say(t, "load %s%s", in->acc_miss ? "misses" : "hits", out->bypass ? ", goes past" : "");
}
