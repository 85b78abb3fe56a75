/* Extent insertion: the buffer of one line of an extent table. */
#include "hw/tafe/tafe_stages.h"

#include <string.h>

void tafe_extent_wires(const struct tafe *s, struct tafe_wires *w)
{
	w->want_line = tafe_line(s, s->cmp__extents[s->ext__in_entry] + s->ext__in_group);
	w->here = s->ext__valid && s->ext__line == w->want_line;
	w->ins_ready = !s->ext__in_valid || w->here;
	w->ext_req = (s->ext__in_valid && !w->here && !s->ext__wait) || (w->flush && s->ext__dirty);
	w->ext_write = s->ext__dirty;
	w->ext_line = s->ext__dirty ? s->ext__line : w->want_line;
}

static void widen(struct tafe *s)
{
	uint32_t i = s->ext__in_slot, low = s->ext__in_saturated ? 0 : s->ext__in_value;
	uint32_t high = s->ext__in_saturated ? tafe_index(s, UINT64_MAX) : s->ext__in_value;
	bool known = s->ext__seen >> i & 1;

	if (!known || low < s->ext__min[i]) {
		s->ext__min[i] = low;
		s->ext__dirty = 1;
	}
	if (!known || high > s->ext__max[i]) {
		s->ext__max[i] = high;
		s->ext__dirty = 1;
	}
	s->ext__seen |= (uint8_t)(1u << i);
}

static void fill(struct tafe *s, uint64_t line, const uint64_t data[8])
{
	s->ext__wait = 0;
	s->ext__valid = 1;
	s->ext__line = line;
	s->ext__seen = 0;
	for (uint32_t i = 0; i < TAFE_EXTENTS; i++) {
		s->ext__seen |= (uint8_t)(tafe_field(data, 72 * i, 1) << i);
		s->ext__min[i] = tafe_field(data, 72 * i + 8, s->p.index_w);
		s->ext__max[i] = tafe_field(data, 72 * i + 40, s->p.index_w);
	}
}

void tafe_extent_tick(struct tafe *s, const struct tafe_wires *w, const struct tafe_in *in)
{
	bool take = w->hist_hit && w->ins_ready, leaves = s->ext__in_valid && w->here;

	if (leaves)
		widen(s);
	if (w->ext_req && in->req_ready && !w->give_inv) {
		s->ext__wait = !s->ext__dirty;
		s->ext__dirty = 0;
	} else if (s->ext__wait && in->rsp_valid && in->rsp_tag == TAFE_EXTENT) {
		fill(s, w->want_line, in->rsp_data);
	}
	s->ext__in_valid = take || (s->ext__in_valid && !leaves);
	if (take) {
		s->ext__in_entry = s->inv__el_entry;
		s->ext__in_group = s->inv__hist_group;
		s->ext__in_slot = s->inv__hist_slot;
		s->ext__in_value = s->inv__el_value;
		s->ext__in_saturated = s->inv__el_saturated;
	}
}

void tafe_extent_command(struct tafe *s)
{
	s->ext__valid = 0;
}

static void put(uint64_t data[8], uint32_t at, uint64_t value)
{
	data[at / 64] |= value << (at % 64);
	if (at % 64 > 32)
		data[at / 64 + 1] |= value >> (64 - at % 64);
}

void tafe_extent_bytes(const struct tafe *s, uint64_t data[8])
{
	memset(data, 0, 8 * sizeof data[0]);
	for (uint32_t i = 0; i < TAFE_EXTENTS; i++) {
		put(data, 72 * i, s->ext__seen >> i & 1);
		put(data, 72 * i + 8, s->ext__min[i]);
		put(data, 72 * i + 40, s->ext__max[i]);
	}
}
