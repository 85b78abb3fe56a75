#include "hw/twins/bypass_monitor.h"

#include <string.h>

int bypass_monitor_params_check(const struct bypass_monitor_params *p, struct err *e)
{
	if (p->rate < 1 || p->rate > 99)
		return err_set(e, "bypass monitor: a rate of %u %%: 1 to 99 are possible", p->rate);
	if (p->period < 2 || p->period > 1u << 30)
		return err_set(e, "bypass monitor: periods of %u cycles: 2 to %u are possible", p->period, 1u << 30);
	return 0;
}

void bypass_monitor_reset(struct bypass_monitor *s, const struct bypass_monitor_params *p)
{
	memset(s, 0, sizeof *s);
	s->p = *p;
	s->last = p->period - 1;
}

void bypass_monitor_eval(const struct bypass_monitor *s, const struct bypass_monitor_in *in, struct bypass_monitor_out *out)
{
	out->bypass = s->bypass && !in->hold;
	out->open = s->opened || (s->bypass && in->hold);
	out->busy = s->opened || (in->hold && !s->cut);
}

static uint32_t next_last(const struct bypass_monitor *s)
{
	return (s->last + s->p.period) & (UINT32_MAX >> (32 - bypass_monitor_bits(s->p.period)));
}

/* Only if the block is not stepped in every last cycle does a count go round. */
static uint32_t counted(const struct bypass_monitor *s, uint32_t count, bool one)
{
	return (count + one) & (UINT32_MAX >> (32 - bypass_monitor_bits(s->p.period + 1)));
}

static bool is_over(const struct bypass_monitor *s, uint32_t loads, uint32_t misses)
{
	return UINT64_C(100) * misses > (uint64_t)s->p.rate * loads;
}

void bypass_monitor_tick(struct bypass_monitor *s, const struct bypass_monitor_in *in)
{
	bool last = in->now == s->last, counts = !in->hold && !s->cut, was = s->bypass;
	uint32_t loads = counted(s, s->loads, in->acc_valid), misses = counted(s, s->misses, in->acc_valid && in->acc_miss);

	s->opened = 0;
	if (in->hold) {
		s->bypass = 0;
	} else if (last && counts && loads) {
		s->bypass = is_over(s, loads, misses);
		s->opened = was && !s->bypass;
	}
	s->loads = counts && !last ? loads : 0;
	s->misses = counts && !last ? misses : 0;
	s->cut = !last && (in->hold || s->cut);
	if (last)
		s->last = next_last(s);
}

HW_CLOCKED_BLOCK(bypass_monitor, BYPASS_MONITOR_PARAMS, BYPASS_MONITOR_INPUTS, BYPASS_MONITOR_OUTPUTS, BYPASS_MONITOR_REGS,
		 .name = "bypass_monitor", .module = "bypass_monitor", .source = "rtl/bypass_monitor/bypass_monitor.v",
		 .wanted_by = "--l1-bypass streaming or --l2-bypass streaming",
		 .shown = "now_i acc_valid_i acc_miss_i hold_i bypass_o open_o loads_q misses_q last_q cut_q",
		 .ready = (const struct hw_shape[]){{"rate=90 period=10000", 1}, {NULL, 0}})
