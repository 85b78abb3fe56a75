#include "hw/twins/paver.h"

#include <string.h>

int paver_params_check(const struct paver_params *p, struct err *e)
{
	if (p->sms < 1 || p->sms > PAVER_MAX_SMS)
		return err_set(e, "paver: %u SMs: 1 to %d are possible", p->sms, PAVER_MAX_SMS);
	if (p->ptr_w < 2 || p->ptr_w > 32)
		return err_set(e, "paver: positions of %u bits in the list of CTAs: 2 to 32 are possible", p->ptr_w);
	if (p->tb_w < 1 || p->tb_w > 32 || p->tb_w > 2 * p->ptr_w)
		return err_set(e, "paver: CTA numbers of %u bits: 1 to 32 are possible, and twice ptr_w (%u) at most", p->tb_w,
			       p->ptr_w);
	return 0;
}

void paver_reset(struct paver *s, const struct paver_params *p)
{
	memset(s, 0, sizeof *s);
	s->p = *p;
}

static uint32_t low_bits(uint64_t v, uint32_t width)
{
	return (uint32_t)(v & ((UINT64_C(1) << width) - 1));
}

/* ---- what the registers of an SM say ---- */

static inline bool empty(const struct paver *s, uint32_t sm)
{
	return s->sm__next[sm] == s->sm__tail[sm];
}

static inline bool pinned(const struct paver *s, uint32_t sm)
{
	return s->sm__valid[sm] | s->sm__pending[sm];
}

static inline bool groups_left(const struct paver *s)
{
	return s->dispatch__group != s->dispatch__groups;
}

static inline bool asks(const struct paver *s, uint32_t sm)
{
	return !pinned(s, sm) && (!empty(s, sm) || groups_left(s));
}

static inline uint32_t waiting(const struct paver *s, uint32_t sm)
{
	return low_bits(s->sm__tail[sm] - s->sm__next[sm], s->p.ptr_w);
}

/* An empty SM can be pinned, by a group that is on its way: nothing may be stolen of it either. */
static inline uint32_t stealable(const struct paver *s, uint32_t sm)
{
	return empty(s, sm) ? 0 : waiting(s, sm) - pinned(s, sm);
}

/* ---- outputs ---- */

static uint32_t steal_count(const struct paver *s)
{
	uint32_t now = stealable(s, s->steal__donor);

	return s->steal__max < now ? s->steal__max : now;
}

/* Some SM could use CTAs and another one could do without: worth being stepped, as an SM may get ready. */
static bool may_steal(const struct paver *s)
{
	bool in_need = false, to_spare = false;

	if (!s->steal__on || groups_left(s))
		return false;
	for (uint32_t sm = 0; sm < s->p.sms; sm++) {
		in_need |= empty(s, sm) && !pinned(s, sm);
		to_spare |= stealable(s, sm) != 0;
	}
	return in_need && to_spare;
}

void paver_eval(const struct paver *s, const struct paver_in *in, struct paver_out *out)
{
	bool quiet = !s->dispatch__req_valid && !groups_left(s) && s->steal__state == PAVER_IDLE, some_ask = false;

	(void)in;
	for (uint32_t sm = 0; sm < s->p.sms; sm++) {
		quiet &= empty(s, sm) && !s->sm__pending[sm];
		some_ask |= asks(s, sm);
	}
	out->cfg_ready = quiet;
	memcpy(out->tb_valid, s->sm__valid, sizeof out->tb_valid);
	memcpy(out->tb_id, s->sm__tb, sizeof out->tb_id);
	out->req_valid = s->dispatch__req_valid;
	out->req_group = s->dispatch__req_group;
	out->req_index = s->dispatch__req_index;
	out->req_tag = s->dispatch__req_tag;
	out->ev_count = s->steal__state == PAVER_APPLY ? steal_count(s) : 0;
	out->ev_steal = out->ev_count != 0;
	out->ev_donor = s->steal__donor;
	out->ev_recipient = s->steal__recipient;
	out->busy = s->dispatch__req_valid || some_ask || s->steal__state != PAVER_IDLE || may_steal(s);
}

/* ---- the edge: each step reads the registers before it (s) and writes those after it (d) ---- */

/* A launch: the last one's CTAs are handed out, so all SMs are empty. */
static void configure(struct paver *d, const struct paver_in *in)
{
	d->dispatch__group = 0;
	d->dispatch__groups = in->cfg_groups;
	d->dispatch__turn = 0;
	d->steal__on = in->cfg_steal;
	d->steal__turn = 0;
}

static void take(const struct paver *s, struct paver *d, const struct paver_in *in)
{
	for (uint32_t sm = 0; sm < s->p.sms; sm++)
		if (s->sm__valid[sm] & in->tb_ready[sm]) {
			d->sm__valid[sm] = 0;
			d->sm__next[sm] = low_bits((uint64_t)s->sm__next[sm] + 1, s->p.ptr_w);
		}
}

/* The pending request goes, and the SM that is first to ask takes its place; not the donor of a steal that ends now. */
static void ask(const struct paver *s, struct paver *d, const struct paver_in *in)
{
	bool steal = s->steal__state == PAVER_APPLY;

	if (s->dispatch__req_valid && !in->req_ready)
		return;
	d->dispatch__req_valid = 0;
	for (uint32_t i = 0, sm = s->dispatch__turn; i < s->p.sms; i++, sm = sm + 1 < s->p.sms ? sm + 1 : 0) {
		if (!asks(s, sm) || (steal && sm == s->steal__donor))
			continue;
		d->sm__pending[sm] = 1;
		d->dispatch__req_valid = 1;
		d->dispatch__req_group = empty(s, sm);
		d->dispatch__req_index = empty(s, sm) ? s->dispatch__group : s->sm__next[sm];
		d->dispatch__req_tag = sm;
		d->dispatch__group = low_bits((uint64_t)s->dispatch__group + empty(s, sm), s->p.ptr_w);
		d->dispatch__turn = sm + 1 < s->p.sms ? sm + 1 : 0;
		return;
	}
}

static void respond(const struct paver *s, struct paver *d, const struct paver_in *in)
{
	uint32_t sm = in->rsp_tag;

	if (!in->rsp_valid || sm >= s->p.sms || !s->sm__pending[sm])
		return;
	d->sm__pending[sm] = 0;
	if (empty(s, sm)) {
		d->sm__next[sm] = low_bits(in->rsp_data, s->p.ptr_w);
		d->sm__tail[sm] = low_bits(in->rsp_data >> s->p.ptr_w, s->p.ptr_w);
	} else {
		d->sm__valid[sm] = 1;
		d->sm__tb[sm] = low_bits(in->rsp_data, s->p.tb_w);
	}
}

/* ---- Algorithm 2 ---- */

static void choose_recipient(const struct paver *s, struct paver *d, const struct paver_in *in)
{
	if (!may_steal(s))
		return;
	for (uint32_t i = 0, sm = s->steal__turn; i < s->p.sms; i++, sm = sm + 1 < s->p.sms ? sm + 1 : 0) {
		if (!in->tb_ready[sm] || !empty(s, sm) || pinned(s, sm))
			continue;
		d->steal__state = PAVER_SCAN;
		d->steal__turn = sm + 1 < s->p.sms ? sm + 1 : 0;
		d->steal__recipient = sm;
		d->steal__step = d->steal__max = d->steal__sum = d->steal__rest = 0;
		return;
	}
}

/* Lines 4 to 9 for one SM. */
static void look_at(const struct paver *s, struct paver *d, uint32_t sm)
{
	if (stealable(s, sm) > s->steal__max) {
		d->steal__max = stealable(s, sm);
		d->steal__donor = sm;
	}
	d->steal__sum = low_bits((uint64_t)s->steal__sum + waiting(s, sm), s->p.ptr_w);
	d->steal__step = sm + 1 < s->p.sms ? sm + 1 : 0;
	if (sm + 1 == s->p.sms)
		d->steal__state = PAVER_DIVIDE;
}

/* Line 11, a bit: the quotient moves into the sum's register from the right. */
static void divide(const struct paver *s, struct paver *d)
{
	uint32_t rest = s->steal__rest << 1 | (s->steal__sum >> (s->p.ptr_w - 1) & 1);
	bool bit = rest >= s->p.sms;

	d->steal__rest = bit ? rest - s->p.sms : rest;
	d->steal__sum = low_bits((uint64_t)s->steal__sum << 1 | bit, s->p.ptr_w);
	d->steal__step = low_bits(s->steal__step + 1, paver_step_w(s->p.sms));
	if (s->steal__step == s->p.ptr_w - 1)
		d->steal__state = PAVER_COUNT;
}

/* Line 12. max counts what may be stolen, the sum all that wait: they can be equal, then one is stolen. */
static void subtract(const struct paver *s, struct paver *d)
{
	if (s->steal__max)
		d->steal__max = s->steal__max == s->steal__sum ? 1 : low_bits(s->steal__max - s->steal__sum, s->p.ptr_w);
	d->steal__state = PAVER_APPLY;
}

static void apply(const struct paver *s, struct paver *d)
{
	uint32_t count = steal_count(s), from = low_bits(s->sm__tail[s->steal__donor] - count, s->p.ptr_w);

	if (count) {
		d->sm__next[s->steal__recipient] = from;
		d->sm__tail[s->steal__recipient] = s->sm__tail[s->steal__donor];
		d->sm__tail[s->steal__donor] = from;
	}
	d->steal__state = PAVER_IDLE;
}

static void steal(const struct paver *s, struct paver *d, const struct paver_in *in)
{
	switch (s->steal__state) {
	case PAVER_SCAN:
		look_at(s, d, s->steal__step);
		break;
	case PAVER_DIVIDE:
		divide(s, d);
		break;
	case PAVER_COUNT:
		subtract(s, d);
		break;
	case PAVER_APPLY:
		apply(s, d);
		break;
	default:
		choose_recipient(s, d, in);
	}
}

void paver_tick(struct paver *s, const struct paver_in *in)
{
	struct paver before = *s;
	struct paver_out out;

	paver_eval(&before, in, &out);
	if (in->cfg_valid && out.cfg_ready) {
		configure(s, in);
		return;
	}
	take(&before, s, in);
	ask(&before, s, in);
	respond(&before, s, in);
	steal(&before, s, in);
}

HW_CLOCKED_BLOCK(paver, PAVER_PARAMS, PAVER_INPUTS, PAVER_OUTPUTS, PAVER_REGS, .name = "paver", .module = "paver_top",
		 .source = "rtl/paver/paver_top.v", .wanted_by = "--plan paver-rb, paver-kway or paver-mst",
		 .shown = "cfg_valid_i tb_ready_i tb_valid_o steal.state_q ev_steal_o ev_donor_o ev_recipient_o ev_count_o "
			  "req_valid_o req_group_o req_index_o req_tag_o rsp_valid_i rsp_tag_i rsp_data_i",
		 .ready = (const struct hw_shape[]){{"sms=15", 1}, /* gtx480, plans paver-* */ {NULL, 0}})
