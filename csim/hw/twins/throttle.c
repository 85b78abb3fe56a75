#include "hw/twins/throttle.h"

#include <string.h>

static int check_range(const char *what, uint32_t value, uint32_t least, uint32_t most, struct err *e)
{
	if (value < least || value > most)
		return err_set(e, "throttle: %u %s: %u to %u are possible", value, what, least, most);
	return 0;
}

int throttle_params_check(const struct throttle_params *p, struct err *e)
{
	if (check_range("kernels", p->kernels, 1, THROTTLE_MAX_KERNELS, e) != 0 ||
	    check_range("cycles of a period", p->period, 2, 1 << 30, e) != 0 ||
	    check_range("periods of a sampling", p->periods, 1, 255, e) != 0 ||
	    check_range("periods of the watchdog", p->watchdog, 0, 65535, e) != 0 ||
	    check_range("bits of a counter", p->count_w, 4, 32, e) != 0 ||
	    check_range("bits of a cycle's commits", p->commit_w, 1, p->count_w - 1 < 12 ? p->count_w - 1 : 12, e) != 0 ||
	    check_range("bits of a cycle's misses", p->miss_w, 1, p->count_w - 1 < 6 ? p->count_w - 1 : 6, e) != 0)
		return -1;
	return 0;
}

void throttle_reset(struct throttle *s, const struct throttle_params *p)
{
	memset(s, 0, sizeof *s);
	s->p = *p;
	for (uint32_t k = 0; k < p->kernels; k++) {
		s->left[k] = p->period - 1;
		s->limit[k] = 1;
	}
}

static bool period_ends(const struct throttle *s, const struct throttle_in *in)
{
	return s->on && in->now == s->due;
}

/* Whether the coordinator is told at the end of a period. */
static bool tells(const struct throttle *s)
{
	uint8_t mode = s->mode[s->slot];

	return mode == THROTTLE_SAMPLE ? s->rest[s->slot] == 1 : mode != THROTTLE_SETTLED;
}

void throttle_eval(const struct throttle *s, const struct throttle_in *in, struct throttle_out *out)
{
	uint8_t mode = s->mode[s->slot];

	*out = (struct throttle_out){.msg_valid = period_ends(s, in) && !in->beg_valid && tells(s),
				     .msg_slot = s->slot,
				     .msg_commits = s->commits[s->slot],
				     .msg_misses = s->misses[s->slot],
				     .msg_most = s->most,
				     .limited = s->on && (mode == THROTTLE_SAMPLE || mode == THROTTLE_SETTLED) && !s->open,
				     .limit = s->limit[s->slot],
				     .open = s->open,
				     .hold = s->on && (mode == THROTTLE_WATCH || mode == THROTTLE_SAMPLE),
				     .on = s->on,
				     .due = s->due,
				     .busy = period_ends(s, in)};
}

/* ---- the edge ---- */

static void clear(struct throttle *s)
{
	s->commits[s->slot] = s->misses[s->slot] = 0;
}

static void watch_for_ends(struct throttle *s)
{
	bool counts = s->mode[s->slot] == THROTTLE_SETTLED && !s->open && s->p.watchdog;

	s->open = counts && s->idle + 1 == s->p.watchdog;
	s->idle = counts && !s->open ? s->idle + 1 : 0;
}

static void end_period(struct throttle *s)
{
	s->due += s->p.period;
	watch_for_ends(s);
	if (s->mode[s->slot] != THROTTLE_SAMPLE || s->rest[s->slot] <= 1)
		clear(s);
	if (s->mode[s->slot] != THROTTLE_SAMPLE)
		return;
	if (s->rest[s->slot] == 0)
		s->mode[s->slot] = THROTTLE_MONITOR; /* nobody has answered the vote */
	else
		s->rest[s->slot]--;
}

static void begin(struct throttle *s, const struct throttle_in *in)
{
	if (s->on)
		s->left[s->slot] = s->due == in->now ? 1 : (s->due - in->now) & INT32_MAX;
	s->on = in->beg_on && in->beg_slot < s->p.kernels;
	s->idle = s->open = 0;
	s->most = in->beg_most;
	if (!s->on)
		return;
	s->slot = in->beg_slot;
	s->due = in->now + s->left[s->slot];
	if (s->mode[s->slot] == THROTTLE_SETTLED) {
		s->mode[s->slot] = THROTTLE_MONITOR;
		clear(s);
	}
}

static uint32_t added(const struct throttle *s, uint32_t count, uint32_t n)
{
	uint32_t largest = UINT32_MAX >> (32 - s->p.count_w);

	return n > largest - count ? largest : count + n;
}

static void obey(struct throttle *s, const struct throttle_in *in)
{
	uint32_t k = in->ord_slot;

	if (k >= s->p.kernels)
		return;
	s->mode[k] = in->ord_mode;
	s->limit[k] = in->ord_limit ? in->ord_limit : 1;
	s->rest[k] = (uint8_t)(in->ord_mode == THROTTLE_SAMPLE ? s->p.periods : 0);
}

void throttle_tick(struct throttle *s, const struct throttle_in *in)
{
	if (in->beg_valid)
		begin(s, in);
	else if (period_ends(s, in))
		end_period(s);
	if (s->on) {
		s->commits[s->slot] = added(s, s->commits[s->slot], in->commits);
		s->misses[s->slot] = added(s, s->misses[s->slot], in->misses);
	}
	if (in->exit)
		s->idle = 0;
	if (in->ord_valid)
		obey(s, in);
}

HW_CLOCKED_BLOCK(throttle, THROTTLE_PARAMS, THROTTLE_INPUTS, THROTTLE_OUTPUTS, THROTTLE_REGS, .name = "throttle",
		 .module = "throttle", .source = "rtl/throttle/throttle.v", .unread = "busy_o", .wanted_by = "--throttle dwt-cs",
		 .shown = "now_i due_o busy_o commits_i misses_i msg_valid_o msg_slot_o msg_commits_o msg_misses_o ord_valid_i "
			  "ord_slot_i ord_mode_i ord_limit_i limited_o limit_o hold_o beg_valid_i beg_slot_i slot_q mode_q rest_q "
			  "idle_q open_q",
		 .ready = (const struct hw_shape[]){
			 {"kernels=8 period=10000 periods=4 watchdog=256 count_w=32 commit_w=9 miss_w=2",
			  1}, /* any L1 of 1 or 2 banks */
			 {"kernels=8 period=10000 periods=4 watchdog=256 count_w=32 commit_w=9 miss_w=3", 1}, /* 4 */
			 {NULL, 0}})
