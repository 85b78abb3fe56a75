/* What the files of the DRAM controller say to one another; nobody else includes this. */
#ifndef CSIM_DRAM_DRAM_IMPL_H
#define CSIM_DRAM_DRAM_IMPL_H

#include "dram/dram.h"

/* Where a request is in the channel: the one function in which an address is cut into bank, row and column. */
static inline struct addr_location dram_location(const struct dram *d, const struct dram_req *r, uint64_t cycle)
{
	return addr_decoder_port_location(&d->decoder, cycle, r->local, MODE_FGP);
}

/* dram_list.c: takes a request in; there is room. Removes one. The open row of a bank has changed. */
void dram_list_init(struct dram *d, struct arena *a);
void dram_list_add(struct dram *d, const struct dram_req *r, const struct addr_location *p, uint32_t port, struct stamp arrived);
void dram_list_remove(struct dram *d, uint16_t slot);
void dram_list_row_opened(struct dram *d, uint32_t bank);
void dram_list_row_closed(struct dram *d, uint32_t bank);

/* Whether the write queue holds all bytes that a read of that place wants. */
bool dram_list_covers(const struct dram *d, const struct dram_req *r, uint32_t bank);

/* dram_plan.c: works out d->next, for each bus the first command that can issue at cycle `from` or later. */
void dram_plan(struct dram *d, uint64_t from);

/* dram_issue.c: issues a command: what it does to the banks, the earliest cycles of later commands, the request. */
void dram_issue(struct dram *d, const struct dram_next *n);

/* dram.c: the data of a read of `port` are complete at the end of cycle `cycle`. */
void dram_reply(struct dram *d, uint32_t port, const struct dram_done *r, uint64_t cycle);

static inline uint32_t dram_group(const struct dram *d, uint32_t bank)
{
	return bank >> d->group_shift & d->group_mask;
}

/* The cycle of the next command of either bus. */
static inline uint64_t dram_next_time(const struct dram *d)
{
	uint64_t column = d->next[DRAM_COLUMN_BUS].time, row = d->next[DRAM_ROW_BUS].time;

	return column < row ? column : row;
}

static inline bool dram_is_open(const struct dram *d, uint32_t bank)
{
	return d->open >> bank & 1;
}

#endif
