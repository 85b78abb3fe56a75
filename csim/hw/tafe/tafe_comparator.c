/* The comparator table: whose array a store goes to, and which elements it makes. */
#include "hw/tafe/tafe_stages.h"

uint32_t tafe_count(const struct tafe *s, uint32_t entry)
{
	uint64_t length = tafe_bits(s->cmp__limit[entry] - s->cmp__base[entry], s->p.addr_w);

	return tafe_index(s, length >> s->cmp__size[entry]);
}

static void first_stage(const struct tafe *s, struct tafe_wires *w)
{
	w->hit = false;
	w->hit_entry = 0;
	for (uint32_t i = s->p.entries; i-- > 0;)
		if (s->cmp__valid[i] && s->cmp__first_addr >= s->cmp__base[i] && s->cmp__first_addr < s->cmp__limit[i]) {
			w->hit = true;
			w->hit_entry = i;
		}
}

static void second_stage(const struct tafe *s, struct tafe_wires *w)
{
	uint32_t entry = s->cmp__second_entry, size = s->cmp__size[entry], part = s->cmp__part;
	uint64_t offset = tafe_bits(s->cmp__second_addr - s->cmp__base[entry], s->p.addr_w);
	uint32_t last_part = s->cmp__second_size <= size ? 0 : ((1u << (s->cmp__second_size - size)) - 1) & 7;
	uint64_t field = tafe_bits(s->cmp__second_data >> ((part << (size + 3)) & 63), 8u << size);

	w->el.valid = s->cmp__second_valid;
	w->el.entry = entry;
	w->el.index = tafe_index(s, (offset >> size) + part);
	w->el.value = tafe_index(s, field);
	w->el.saturated = s->cmp__second_size < size || field >> s->p.index_w != 0;
	w->second_last = part == last_part || tafe_index(s, (uint64_t)w->el.index + 1) == tafe_count(s, entry);
}

void tafe_comparator_wires(const struct tafe *s, struct tafe_wires *w)
{
	bool second_free;

	first_stage(s, w);
	second_stage(s, w);
	second_free = !s->cmp__second_valid || (w->el_ready && w->second_last);
	w->advance = s->cmp__first_valid && w->hit && second_free;
	w->first_leaves = s->cmp__first_valid && (!w->hit || second_free);
	w->st_ready = !s->drain && (!s->cmp__first_valid || w->first_leaves);
}

void tafe_comparator_tick(struct tafe *s, const struct tafe_wires *w, const struct tafe_in *in)
{
	bool take = in->st_valid && w->st_ready, moves = s->cmp__second_valid && w->el_ready;

	if (moves && w->second_last)
		s->cmp__second_valid = 0;
	if (w->advance) {
		s->cmp__second_valid = 1;
		s->cmp__second_entry = w->hit_entry;
		s->cmp__second_addr = s->cmp__first_addr;
		s->cmp__second_data = s->cmp__first_data;
		s->cmp__second_size = s->cmp__first_size;
		s->cmp__part = 0;
	} else if (moves && !w->second_last) {
		s->cmp__part = (s->cmp__part + 1) & 7;
	}
	s->cmp__first_valid = take || (s->cmp__first_valid && !w->first_leaves);
	if (take) {
		s->cmp__first_addr = in->st_addr;
		s->cmp__first_data = in->st_data;
		s->cmp__first_size = in->st_size;
	}
}

void tafe_comparator_command(struct tafe *s, const struct tafe_in *in)
{
	uint32_t i = in->cmd_entry;

	if (in->cmd_op == TAFE_READY || in->cmd_op == TAFE_RESET)
		s->cmp__valid[i] = 0;
	if (in->cmd_op != TAFE_REGISTER)
		return;
	s->cmp__valid[i] = 1;
	s->cmp__base[i] = in->cmd_base;
	s->cmp__limit[i] = in->cmd_limit;
	s->cmp__size[i] = in->cmd_size;
	s->cmp__type[i] = in->cmd_type;
	s->cmp__extents[i] = in->cmd_extents;
	s->cmp__source[i] = in->cmd_source;
	s->cmp__c_s[i] = in->cmd_c_s;
	s->cmp__c_e[i] = in->cmd_c_e;
}
