/* What copies a page in physical memory: one a module, at the side of its crossbars where memory is asked.
 *
 *   pager --job--> current page --reads--> memory system (the page's origin: any stack, over links)
 *         <--done--                <--data--
 *                                 --writes--> memory system (the page's frame in a stack of the module)
 *                                 <--acknowledgements--
 *
 * Lines of a page are read in order and written as they come, `vm.migrate_lines` of them in flight; the next page
 * begins when all reads of the one before have left. One packet leaves in a core cycle, writes before reads. So a copy
 * takes what its packets take of crossbars, links and channels, and waits where others are. With l2.side sm it goes
 * past the slices (no line of the page can be in one before its first touch), else through those at the channels.
 */
#ifndef CSIM_VM_MOVER_H
#define CSIM_VM_MOVER_H

#include "base/queue.h"
#include "machine/machine.h"
#include "noc/crossbar.h"
#include "noc/route.h"
#include "vm/pages.h"

struct mover_job {
	struct pages_move move;
};
QUEUE_OF(mover_job);

struct mover_done {
	uint64_t page;
};
QUEUE_OF(mover_done);

struct mover_ports {
	struct mover_job_queue *job;
	struct mover_done_queue *done;
	struct net_link out;	  /* to the memory system */
	struct mem_req_queue *in; /* its replies */
	struct route route;	  /* which way requests go */
	uint16_t requester;	  /* in the memory system */
};

struct mover_counts {
	uint64_t pages, reads, writes, bytes; /* copied; lines asked for; lines written; bytes of these */
};

struct mover_page {
	struct pages_move move;
	uint32_t read, left; /* lines that were asked for; that are not there yet */
};

struct mover_line {
	uint32_t page, number; /* its page in mover.page; which line of it */
	uint32_t next;	       /* free, or waiting to be written */
};

struct mover {
	struct mover_ports port;
	uint64_t period;
	uint32_t line_bytes, lines; /* lines of a page */
	struct mover_page *page;    /* that have lines to read or in flight; left == 0: free */
	uint32_t pages, current;    /* the page that is being read; MOVER_NONE */
	struct mover_line *line;    /* in flight */
	uint32_t free, first, last; /* of lines: free ones; those that wait to be written, in order */
	uint32_t in_flight;
	struct ticks send_at;
	struct mover_counts count;
};

#define MOVER_NONE UINT32_MAX

void mover_init(struct mover *v, struct arena *a, const struct machine *m, const struct mover_ports *port);

/* Acts at `now`, an edge of the core clock; returns the next tick at which there is something to do. */
struct ticks mover_step(struct mover *v, struct ticks now);

#endif
