#include "hw/twins/locality_table.h"

#include <string.h>

enum { NO_ENTRY = LOCALITY_TABLE_MAX };

int locality_table_params_check(const struct locality_table_params *p, struct err *e)
{
	if (p->entries < 2 || p->entries > LOCALITY_TABLE_MAX)
		return err_set(e, "locality table: %u entries: 2 to %d are possible", p->entries, LOCALITY_TABLE_MAX);
	if (p->addr_w < 8 || p->addr_w > 64)
		return err_set(e, "locality table: addresses of %u bits: 8 to 64 are possible", p->addr_w);
	if (p->prio_w < 1 || p->prio_w > 8)
		return err_set(e, "locality table: priorities of %u bits: 1 to 8 are possible", p->prio_w);
	if (p->dist_w < 1 || p->dist_w > 32)
		return err_set(e, "locality table: distances of %u bits: 1 to 32 are possible", p->dist_w);
	return 0;
}

void locality_table_reset(struct locality_table *t, const struct locality_table_params *p)
{
	memset(t, 0, sizeof *t);
	t->p = *p;
}

void locality_table_eval(const struct locality_table *t, const struct locality_table_in *in, struct locality_table_out *out)
{
	(void)in;
	out->look_ready = !t->ans_valid[1];
	out->ans_valid = t->ans_valid[0];
	out->ans_match = t->ans_match[0];
	out->ans_index = t->ans_index[0];
	out->ans_caching = t->ans_caching[0];
	out->ans_prefetch = t->ans_prefetch[0];
	out->ans_distance = t->ans_distance[0];
	out->ans_bound = t->ans_bound[0];
	out->busy = t->ans_valid[0];
}

static uint32_t best_entry(const struct locality_table *t, uint64_t addr)
{
	uint32_t best = NO_ENTRY;

	for (uint32_t i = 0; i < t->p.entries; i++)
		if (t->used[i] && addr >= t->base[i] && addr < t->bound[i] && (best == NO_ENTRY || t->prio[i] < t->prio[best]))
			best = i;
	return best;
}

static void answer(struct locality_table *t, uint32_t slot, uint64_t addr)
{
	uint32_t i = best_entry(t, addr);
	bool match = i != NO_ENTRY;

	t->ans_valid[slot] = 1;
	t->ans_match[slot] = match;
	t->ans_index[slot] = match ? i : 0;
	t->ans_caching[slot] = match ? t->caching[i] : 0;
	t->ans_prefetch[slot] = match ? t->prefetch[i] : 0;
	t->ans_distance[slot] = match ? t->distance[i] : 0;
	t->ans_bound[slot] = match ? t->bound[i] : 0;
}

/* The answer that waits behind, if any, becomes the one that can be taken. */
static void drop_oldest(struct locality_table *t)
{
	t->ans_valid[0] = t->ans_valid[1];
	if (!t->ans_valid[1])
		return;
	t->ans_valid[1] = 0;
	t->ans_match[0] = t->ans_match[1];
	t->ans_index[0] = t->ans_index[1];
	t->ans_caching[0] = t->ans_caching[1];
	t->ans_prefetch[0] = t->ans_prefetch[1];
	t->ans_distance[0] = t->ans_distance[1];
	t->ans_bound[0] = t->ans_bound[1];
}

static void write_entry(struct locality_table *t, const struct locality_table_in *in)
{
	uint32_t i = in->wr_index;

	if (i >= t->p.entries)
		return;
	t->used[i] = in->wr_used;
	t->base[i] = in->wr_base;
	t->bound[i] = in->wr_bound;
	t->prio[i] = in->wr_prio;
	t->caching[i] = in->wr_caching;
	t->prefetch[i] = in->wr_prefetch;
	t->distance[i] = in->wr_distance;
}

void locality_table_tick(struct locality_table *t, const struct locality_table_in *in)
{
	bool take = in->look_valid && !t->ans_valid[1];

	if (t->ans_valid[0] && in->ans_ready)
		drop_oldest(t);
	if (take)
		answer(t, t->ans_valid[0], in->look_addr);
	if (in->wr_valid)
		write_entry(t, in);
}

HW_CLOCKED_BLOCK(locality_table, LOCALITY_TABLE_PARAMS, LOCALITY_TABLE_INPUTS, LOCALITY_TABLE_OUTPUTS, LOCALITY_TABLE_REGS,
		 .name = "locality_table", .module = "locality_table", .source = "rtl/locality_table/locality_table.v",
		 .unread = "look_ready_o busy_o", .wanted_by = "--plan ldesc, ldesc-cache or ldesc-pref",
		 .shown = "look_valid_i look_ready_o look_addr_i ans_valid_o ans_ready_i ans_match_o ans_index_o ans_caching_o "
			  "ans_prefetch_o ans_distance_o wr_valid_i wr_index_i",
		 .ready = (const struct hw_shape[]){{"entries=16 addr_w=48 prio_w=8 dist_w=32", 1}, {NULL, 0}})
