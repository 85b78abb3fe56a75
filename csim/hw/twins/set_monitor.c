#include "hw/twins/set_monitor.h"

#include <string.h>

int set_monitor_params_check(const struct set_monitor_params *p, struct err *e)
{
	if (p->sets < 2 || p->sets > SET_MONITOR_MAX_SETS || (p->sets & (p->sets - 1)))
		return err_set(e, "set monitor: %u sets: a power of two from 2 to %d is needed", p->sets, SET_MONITOR_MAX_SETS);
	if (p->tag_w < 1 || p->tag_w > 57)
		return err_set(e, "set monitor: tags of %u bits: 1 to 57 are possible", p->tag_w);
	if (p->count_w < 2 || p->count_w > 32)
		return err_set(e, "set monitor: counters of %u bits: 2 to 32 are possible", p->count_w);
	return 0;
}

void set_monitor_reset(struct set_monitor *s, const struct set_monitor_params *p)
{
	memset(s, 0, sizeof *s);
	s->p = *p;
}

void set_monitor_eval(const struct set_monitor *s, const struct set_monitor_in *in, struct set_monitor_out *out)
{
	(void)in;
	out->acc_ready = !(s->acc_valid && s->req_valid && !s->rsp_valid);
	out->req_ready = !s->req_valid;
	out->rsp_valid = s->rsp_valid;
	out->rsp_count = s->rsp_count;
	out->busy = s->acc_valid | s->req_valid | s->rsp_valid;
}

static void count_access(struct set_monitor *s, uint32_t set, uint64_t tag)
{
	uint32_t largest = UINT32_MAX >> (32 - s->p.count_w);

	if (s->seen[set] && s->tag[set] != tag && s->count[set] != largest)
		s->count[set]++;
	s->seen[set] = 1;
	s->tag[set] = tag;
}

void set_monitor_tick(struct set_monitor *s, const struct set_monitor_in *in)
{
	uint8_t serve_request = s->req_valid && !s->rsp_valid;
	uint8_t serve_access = s->acc_valid && !serve_request;
	uint8_t take_access = in->acc_valid && !(s->acc_valid && serve_request);
	uint8_t take_request = in->req_valid && !s->req_valid;

	if (s->rsp_valid && in->rsp_ready)
		s->rsp_valid = 0;
	if (serve_request) {
		s->rsp_valid = 1;
		s->rsp_count = s->count[s->req_set];
	}
	if (serve_access)
		count_access(s, s->acc_set, s->acc_tag);
	s->acc_valid = take_access || (s->acc_valid && !serve_access);
	s->req_valid = take_request || (s->req_valid && !serve_request);
	if (take_access) {
		s->acc_set = in->acc_set;
		s->acc_tag = in->acc_tag;
	}
	if (take_request)
		s->req_set = in->req_set;
}

HW_CLOCKED_BLOCK(set_monitor, SET_MONITOR_PARAMS, SET_MONITOR_INPUTS, SET_MONITOR_OUTPUTS, SET_MONITOR_REGS, .name = "set_monitor",
		 .module = "set_monitor", .source = "rtl/set_monitor/set_monitor.v", .unread = "acc_ready_o",
		 .wanted_by = "--set l1.monitor=true",
		 .ready = (const struct hw_shape[]){{"sets=32 tag_w=20 count_w=32", 1}, /* gtx480: L1 */ {NULL, 0}})
