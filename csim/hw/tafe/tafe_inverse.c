/* The inverse relation: the history buffer, and the search for the CTA that reads an element. */
#include "hw/tafe/tafe_stages.h"

enum { M_Z = 5, C = 6, OFS = 7, LAST_ITER = 8 }; /* words of a TID_DEP array; m_x is 0 */

static bool is_range(const struct tafe *s)
{
	return s->cmp__type[s->inv__el_entry] == TAFE_INDIR_RANGE;
}

static bool at_end(const struct tafe *s)
{
	return s->inv__tb == s->inv__ctas;
}

static bool seen_here(const struct tafe *s)
{
	return s->inv__seen >> s->inv__slot & 1;
}

/* ---- one step of the search ---- */

static bool try_range(const struct tafe *s, struct tafe_wires *w)
{
	uint32_t entry = s->inv__el_entry;
	uint32_t hi = at_end(s) ? tafe_count(s, entry) : tafe_index(s, s->inv__word[s->inv__slot] + (uint64_t)s->cmp__c_e[entry]);

	w->lo = tafe_index(s, s->inv__start + (uint64_t)s->cmp__c_s[entry]);
	w->span = tafe_index(s, (uint64_t)hi - w->lo - 1);
	return s->inv__own_valid && (at_end(s) || seen_here(s)) && w->lo < hi;
}

static bool try_tid(const struct tafe *s, struct tafe_wires *w)
{
	w->lo = tafe_index(s, (uint64_t)s->inv__start + s->inv__off);
	w->span = s->inv__span;
	return true;
}

void tafe_inverse_wires(const struct tafe *s, struct tafe_wires *w)
{
	bool range = is_range(s), bounded = range ? try_range(s, w) : try_tid(s, w);
	uint32_t next_round = (uint32_t)tafe_bits(s->inv__round + UINT64_C(1), s->p.tb_w);

	w->hist_hit = s->inv__el_valid && s->inv__hist_valid && s->inv__hist_entry == s->inv__el_entry &&
		      tafe_index(s, (uint64_t)s->inv__el_index - s->inv__hist_lo) <= s->inv__hist_span;
	w->miss = s->inv__el_valid && !w->hist_hit && s->inv__state == TAFE_IDLE;
	w->test = s->inv__state == TAFE_SCAN && !(range && !at_end(s) && !s->inv__line);
	w->found = w->test && bounded && tafe_index(s, (uint64_t)s->inv__el_index - w->lo) <= w->span;
	w->cta_done = range || s->inv__tries == s->inv__word[LAST_ITER];
	w->unmatched = w->test && !w->found && w->cta_done && (range ? s->inv__round : next_round) == s->inv__ctas;
	w->el_ready = !s->inv__el_valid || (w->hist_hit && w->ins_ready) || w->unmatched;
	w->inv_req = s->inv__state == TAFE_REQUEST;
	w->inv_line = tafe_line(s, s->cmp__source[s->inv__el_entry] + (range ? s->inv__group : 0));
}

/* ---- the next CTA ---- */

static void next_slot(struct tafe *s)
{
	if (++s->inv__slot < TAFE_EXTENTS)
		return;
	s->inv__slot = 0;
	s->inv__group++;
	s->inv__line = 0;
}

static void first_slot(struct tafe *s)
{
	s->inv__line = s->inv__line && s->inv__group == 0;
	s->inv__tb = 0;
	s->inv__group = 0;
	s->inv__slot = 0;
}

static uint32_t next_tb(const struct tafe *s)
{
	return (uint32_t)tafe_bits(s->inv__tb + UINT64_C(1), s->p.tb_w);
}

/* Past the extent that the search is at, or from the array's end to the first extent. */
static void step_range(struct tafe *s)
{
	if (at_end(s)) {
		s->inv__own_valid = 0;
		first_slot(s);
		return;
	}
	if (seen_here(s)) {
		s->inv__own_valid = 1;
		s->inv__own_group = s->inv__group;
		s->inv__own_slot = s->inv__slot;
		s->inv__start = s->inv__word[s->inv__slot];
	}
	s->inv__tb = next_tb(s);
	if (!at_end(s)) /* the last extent's line serves the array's end */
		next_slot(s);
}

static void start_at(struct tafe *s, uint32_t *level, uint32_t m)
{
	uint32_t start = tafe_index(s, (uint64_t)*level + m);

	*level = start;
	s->inv__start = start;
}

static void step_tid(struct tafe *s)
{
	uint32_t mask = (uint32_t)tafe_bits(UINT64_MAX, s->p.tb_w);

	if (next_tb(s) == s->inv__ctas) {
		first_slot(s);
		s->inv__x = s->inv__y = 0;
		s->inv__start = s->inv__row = s->inv__plane = s->inv__word[C];
		return;
	}
	s->inv__tb = next_tb(s);
	next_slot(s);
	s->inv__x = (s->inv__x + 1) & mask;
	if (s->inv__x != s->inv__grid_x) {
		start_at(s, &s->inv__start, s->inv__word[3]);
		return;
	}
	s->inv__x = 0;
	s->inv__y = (s->inv__y + 1) & mask;
	if (s->inv__y != s->inv__grid_y) {
		start_at(s, &s->inv__row, s->inv__word[4]);
		return;
	}
	s->inv__y = 0;
	start_at(s, &s->inv__plane, s->inv__word[M_Z]);
	s->inv__row = s->inv__plane;
}

static void next_iteration(struct tafe *s, bool cta_done)
{
	bool last = s->inv__iter == s->inv__word[LAST_ITER];

	s->inv__iter = last ? 0 : tafe_index(s, s->inv__iter + UINT64_C(1));
	s->inv__off = last ? 0 : tafe_index(s, (uint64_t)s->inv__off + s->inv__word[OFS]);
	s->inv__tries = cta_done ? 0 : tafe_index(s, s->inv__tries + UINT64_C(1));
}

static void step(struct tafe *s, bool cta_done)
{
	bool range = is_range(s);

	if (!range)
		next_iteration(s, cta_done);
	if (!cta_done)
		return;
	s->inv__round = (uint32_t)tafe_bits(s->inv__round + UINT64_C(1), s->p.tb_w);
	if (range)
		step_range(s);
	else
		step_tid(s);
}

/* ---- what the search needs from memory ---- */

static void start_search(struct tafe *s)
{
	s->inv__round = 0;
	s->inv__tries = 0;
	if (s->inv__held && s->inv__entry == s->inv__el_entry) {
		s->inv__state = TAFE_SCAN;
		return;
	}
	s->inv__state = TAFE_REQUEST;
	s->inv__held = 0;
	s->inv__entry = s->inv__el_entry;
	s->inv__tb = s->inv__group = s->inv__slot = 0;
	s->inv__x = s->inv__y = 0;
	s->inv__iter = s->inv__off = 0;
	s->inv__line = 0;
	s->inv__own_valid = 0;
}

static void latch_range(struct tafe *s, const uint64_t data[8])
{
	s->inv__seen = 0;
	for (uint32_t i = 0; i < TAFE_EXTENTS; i++) {
		s->inv__seen |= (uint8_t)(tafe_field(data, 72 * i, 1) << i);
		s->inv__word[i] = tafe_field(data, 72 * i + 8, s->p.index_w);
	}
}

static void latch_tid(struct tafe *s, const uint64_t data[8])
{
	uint32_t n = tafe_field(data, 8 * TAFE_APD_N, s->p.index_w);

	for (uint32_t i = 0; i <= M_Z; i++)
		s->inv__word[i] = tafe_field(data, 8 * (TAFE_APD_M + 4 * i), s->p.index_w);
	s->inv__word[C] = tafe_field(data, 8 * TAFE_APD_C, s->p.index_w);
	s->inv__word[OFS] = tafe_field(data, 8 * TAFE_APD_OFS, s->p.index_w);
	s->inv__word[LAST_ITER] = n ? n - 1 : 0;
}

static void take_line(struct tafe *s, const uint64_t data[8])
{
	bool range = is_range(s);

	s->inv__state = range ? TAFE_SCAN : TAFE_SPAN;
	s->inv__held = s->inv__line = range;
	s->inv__span = 0;
	s->inv__dim = 0;
	if (range)
		latch_range(s, data);
	else
		latch_tid(s, data);
}

/* What one dimension of the block adds to the range. */
static void add_dimension(struct tafe *s)
{
	uint32_t m = s->inv__word[s->inv__dim], threads = s->inv__block[s->inv__dim];
	bool negative = m >> (s->p.index_w - 1) & 1;
	uint32_t reach = tafe_index(s, (negative ? UINT64_C(0) - m : m) * threads);
	uint32_t lowest = negative ? tafe_index(s, (uint64_t)s->inv__word[C] - reach) : s->inv__word[C];

	s->inv__span = tafe_index(s, (uint64_t)s->inv__span + reach);
	s->inv__word[C] = s->inv__start = s->inv__row = s->inv__plane = lowest;
	if (s->inv__dim == 2) {
		s->inv__state = TAFE_SCAN;
		s->inv__held = 1;
	}
	s->inv__dim = (s->inv__dim + 1) & 3;
}

/* ---- the edge ---- */

static void search(struct tafe *s, const struct tafe_wires *w, const struct tafe_in *in)
{
	if (w->miss) {
		start_search(s);
	} else if (s->inv__state == TAFE_REQUEST) {
		if (w->give_inv && in->req_ready)
			s->inv__state = TAFE_WAIT;
	} else if (s->inv__state == TAFE_WAIT) {
		if (in->rsp_valid && in->rsp_tag == TAFE_INVERSE)
			take_line(s, in->rsp_data);
	} else if (s->inv__state == TAFE_SPAN) {
		add_dimension(s);
	} else if (s->inv__state == TAFE_SCAN) {
		if (!w->test)
			s->inv__state = TAFE_REQUEST;
		else if (!w->found)
			step(s, w->cta_done);
		if (w->found || w->unmatched)
			s->inv__state = TAFE_IDLE;
	}
}

static void remember(struct tafe *s, const struct tafe_wires *w)
{
	bool range = is_range(s);

	s->inv__hist_valid = 1;
	s->inv__hist_entry = s->inv__el_entry;
	s->inv__hist_lo = w->lo;
	s->inv__hist_span = w->span;
	s->inv__hist_group = range ? s->inv__own_group : s->inv__group;
	s->inv__hist_slot = range ? s->inv__own_slot : s->inv__slot;
}

void tafe_inverse_tick(struct tafe *s, const struct tafe_wires *w, const struct tafe_in *in)
{
	if (w->found)
		remember(s, w);
	search(s, w, in);
	if (w->el_ready)
		s->inv__el_valid = w->el.valid;
	if (w->el_ready && w->el.valid) {
		s->inv__el_entry = w->el.entry;
		s->inv__el_index = w->el.index;
		s->inv__el_value = w->el.value;
		s->inv__el_saturated = w->el.saturated;
	}
}

void tafe_inverse_command(struct tafe *s, const struct tafe_in *in)
{
	s->inv__hist_valid = 0;
	s->inv__held = 0;
	if (in->cmd_op != TAFE_SETUP)
		return;
	s->inv__ctas = in->cmd_ctas;
	s->inv__grid_x = in->cmd_grid_x;
	s->inv__grid_y = in->cmd_grid_y;
	for (int i = 0; i < 3; i++)
		s->inv__block[i] = in->cmd_block[i];
}
