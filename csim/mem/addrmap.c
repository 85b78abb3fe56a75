#include "mem/addrmap.h"

#include <string.h>

#include "base/panic.h"

static uint32_t log2_of(uint64_t x)
{
	return (uint32_t)__builtin_ctzll(x);
}

/* Appends address bit `at` above what the field has; bits are given from the lowest up. */
static void add_bit(struct addrmap_field *f, uint32_t at)
{
	uint32_t last = f->runs - 1;

	if (f->runs && f->from[last] + (uint32_t)__builtin_popcount(f->mask[last]) == at) {
		f->mask[last] = f->mask[last] << 1 | 1;
	} else {
		PANIC_UNLESS(f->runs < ADDRMAP_RUNS, "addrmap", 0);
		f->from[f->runs] = (uint8_t)at;
		f->to[f->runs] = (uint8_t)f->bits;
		f->mask[f->runs++] = 1;
	}
	f->bits++;
}

/* Codes that stand for nothing are taken as fine-grained. */
static uint32_t stack_lsb(const struct machine *m, uint8_t mode)
{
	if (mode == MODE_CGP)
		return machine_page_bits(m);
	if (page_mode_is_base(mode))
		return page_mode_bit(mode);
	return m->map.fgp_lsb ? m->map.fgp_lsb : machine_page_bits(m) - log2_of(m->dram.stacks);
}

void addrmap_init(struct addrmap *a, const struct machine *m)
{
	uint32_t letters = (uint32_t)strlen(m->dram.map);

	memset(a, 0, sizeof *a);
	a->stack_bits = log2_of(m->dram.stacks);
	for (uint32_t mode = 0; mode < PAGE_MODES; mode++)
		a->stack_lsb[mode] = (uint8_t)stack_lsb(m, (uint8_t)mode);
	a->block_bits = log2_of(m->dram.interleave);
	a->channel_bits = log2_of(m->dram.channels);
	a->by_three = m->dram.channels >> a->channel_bits == 3;
	a->line_bits = log2_of(m->l2.c.line);
	a->slice_bits = log2_of(m->l2.slices);
	a->row_shift = letters;
	for (uint32_t at = 0; at < letters; at++) {
		char letter = m->dram.map[letters - 1 - at];

		if (letter != 'S')
			add_bit(letter == 'B' ? &a->bank : &a->column, at);
	}
	PANIC_UNLESS(m->dram.channels == addrmap_channels(a) && 1u << a->bank.bits == m->dram.banks, "addrmap", 0);
	a->group_mask = m->dram.groups - 1;
	a->group_shift = m->dram.group_bits == BANK_GROUP_HIGH ? a->bank.bits - log2_of(m->dram.groups) : 0;
}

struct addrmap_place addrmap_place(const struct addrmap *a, uint64_t local)
{
	uint32_t bank = addrmap_take(&a->bank, local);

	return (struct addrmap_place){
		.row = local >> a->row_shift,
		.bank = bank,
		.group = bank >> a->group_shift & a->group_mask,
		.column = addrmap_take(&a->column, local),
		.byte = (uint32_t)local & ((1u << (a->row_shift - a->bank.bits - a->column.bits)) - 1),
	};
}

static uint64_t put(const struct addrmap_field *f, uint32_t v)
{
	uint64_t local = 0;

	for (uint32_t i = 0; i < f->runs; i++)
		local |= (uint64_t)(v >> f->to[i] & f->mask[i]) << f->from[i];
	return local;
}

uint64_t addrmap_place_local(const struct addrmap *a, const struct addrmap_place *p)
{
	return p->row << a->row_shift | put(&a->bank, p->bank) | put(&a->column, p->column) | p->byte;
}
