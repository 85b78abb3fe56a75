/* What the files of the DRAM controller say to one another; nobody else includes this. */
#ifndef CSIM_MEM_DRAM_IMPL_H
#define CSIM_MEM_DRAM_IMPL_H

#include "mem/dram.h"

/* dram_list.c: takes a request in; there is room. Removes one. The open row of a bank has changed. */
void dram_list_add(struct dram *d, const struct dram_req *r, uint32_t port);
void dram_list_remove(struct dram *d, uint16_t slot);
void dram_list_row_opened(struct dram *d, uint32_t bank);
void dram_list_row_closed(struct dram *d, uint32_t bank);

/* Whether the write queue holds all bytes that a read of that place wants. */
bool dram_list_covers(const struct dram *d, const struct dram_req *r);

/* dram_plan.c: works out d->next, the first command that can issue at cycle `from` or later. */
void dram_plan(struct dram *d, uint64_t from);

/* dram_issue.c: issues d->next: what it does to the banks, the earliest cycles of later commands, the request. */
void dram_issue(struct dram *d);

/* dram.c: the data of a read of `port` are complete at the end of cycle `cycle`. */
void dram_reply(struct dram *d, uint32_t port, uint32_t token, uint64_t cycle);

static inline uint32_t dram_group(const struct dram *d, uint32_t bank)
{
	return bank >> d->map.group_shift & d->map.group_mask;
}

static inline bool dram_is_open(const struct dram *d, uint32_t bank)
{
	return d->open >> bank & 1;
}

#endif
