#include "hw/tafe/tafe.h"

#include <string.h>

#include "hw/tafe/tafe_stages.h"

int tafe_params_check(const struct tafe_params *p, struct err *e)
{
	if (p->entries != 2 && p->entries != 4 && p->entries != 8)
		return err_set(e, "tafe: %u comparator entries: 2, 4 or 8 are possible", p->entries);
	if (p->index_w < 4 || p->index_w > 32)
		return err_set(e, "tafe: indices of %u bits: 4 to 32 are possible", p->index_w);
	if (p->tb_w < 4 || p->tb_w > 31)
		return err_set(e, "tafe: CTA numbers of %u bits: 4 to 31 are possible", p->tb_w);
	if (p->addr_w < 16 || p->addr_w > 64 || p->addr_w < p->index_w + 4 || p->addr_w < p->tb_w + 5)
		return err_set(e, "tafe: addresses of %u bits: 16 to 64 are possible, more than index_w + 3 and tb_w + 4",
			       p->addr_w);
	if (p->block_w < 1 || p->block_w > 16 || p->block_w >= p->index_w)
		return err_set(e, "tafe: block dimensions of %u bits: 1 to 16 are possible, less than index_w", p->block_w);
	return 0;
}

void tafe_reset(struct tafe *s, const struct tafe_params *p)
{
	memset(s, 0, sizeof *s);
	s->p = *p;
	s->inv__ctas = s->inv__grid_x = s->inv__grid_y = 1;
}

static void wires_of(const struct tafe *s, struct tafe_wires *w)
{
	bool stores = s->cmp__first_valid || s->cmp__second_valid || s->inv__el_valid || s->ext__in_valid;

	w->empty = !stores;
	w->flush = s->drain && w->empty;
	w->cmd_ready = w->flush && !s->ext__dirty;
	tafe_extent_wires(s, w);
	tafe_inverse_wires(s, w);
	tafe_comparator_wires(s, w);
	w->give_inv = w->inv_req && !w->ext_req;
}

void tafe_eval(const struct tafe *s, const struct tafe_in *in, struct tafe_out *out)
{
	struct tafe_wires w;

	(void)in;
	wires_of(s, &w);
	out->st_ready = w.st_ready;
	out->cmd_ready = w.cmd_ready;
	out->req_valid = w.ext_req || w.inv_req;
	out->req_write = !w.give_inv && w.ext_write;
	out->req_tag = w.give_inv;
	out->req_line = w.give_inv ? w.inv_line : w.ext_line;
	tafe_extent_bytes(s, out->req_data);
	out->ev_tracked = w.hist_hit && w.ins_ready;
	out->ev_miss = w.miss;
	out->ev_unmatched = w.unmatched;
	out->ev_saturated = w.hist_hit && w.ins_ready && s->inv__el_saturated;
	out->busy = s->drain || !w.empty;
}

void tafe_tick(struct tafe *s, const struct tafe_in *in)
{
	struct tafe_wires w;

	wires_of(s, &w);
	/* Each stage's edge reads the registers of the stage before it: the last one first. */
	tafe_extent_tick(s, &w, in);
	tafe_inverse_tick(s, &w, in);
	tafe_comparator_tick(s, &w, in);
	if (in->cmd_valid && w.cmd_ready) {
		tafe_extent_command(s);
		tafe_inverse_command(s, in);
		tafe_comparator_command(s, in);
	}
	s->drain = in->cmd_valid && !w.cmd_ready;
}

HW_CLOCKED_BLOCK(
	tafe, TAFE_PARAMS, TAFE_INPUTS, TAFE_OUTPUTS, TAFE_REGS, .name = "tafe", .module = "tafe_top",
	.source = "rtl/tafe/tafe_top.v", .wanted_by = "--plan tafe, for a workload that makes TAFE calls",
	.ready = (const struct hw_shape[]){{"", 1}, {NULL, 0}},
	.shown = "st_valid_i st_ready_o st_addr_i st_data_i cmd_valid_i cmd_op_i ev_tracked_o ev_miss_o ev_unmatched_o "
		 "inv.el_index_q "
		 "inv.state_q inv.tb_q inv.hist_lo_q inv.hist_span_q ext.in_valid_q ext.line_q ext.dirty_q req_valid_o req_ready_i "
		 "req_write_o req_line_o rsp_valid_i")
