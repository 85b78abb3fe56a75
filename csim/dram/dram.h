/* One DRAM channel (of HBM3 both pseudo-channels together): its controller's queues and its banks, to the exact timing.
 *
 * A request is one L2 line or a part of it: the bursts (columns) that `bursts` names, all in one row. Reads and writes
 * wait in a queue each, `dram.queue` requests deep. Writes are posted: the sender gets no reply; they are
 * served when `write_high` of them wait, down to `write_low`, or while no read waits (`dram.drain`). In a cycle the
 * controller issues one command; with two command buses (HBM2) one column command (read, write) and one row command
 * (activate, precharge, refresh). FR-FCFS takes, among those that can issue first, column accesses to open rows before
 * activates and precharges, and older requests before younger; rows stay open until another row of the bank is wanted.
 * FCFS works for the oldest request alone.
 *
 * A request that has seen `dram.age_cap` column accesses go by since it came is urgent: its commands go before all
 * others, and its bank serves no younger request before it. An urgent write starts a drain as `write_high` writes do.
 * So nothing starves. A read of bytes that wait in the write queue is answered from there if the write covers them,
 * else DRAM's data and the waiting bytes are merged on the way back, at no cost.
 *
 * Nothing is polled: after each command and each arrival the controller works out the next command and its cycle
 * (dram_plan.c) and sleeps until then. An idle channel sleeps through its refreshes too and makes up for them when it
 * wakes.
 *
 * Each bus has a plan of its own; both are made from what was so before the cycle, and a bank is never in both. HBM2
 * and GDDR5 differ in nothing but this and the numbers.
 *
 * Units: cycles of the DRAM command clock, but what is a struct ticks or a stamp.
 * Source: timings of GDDR5 and HBM2 and where they are from: docs/explanation/memory.md; Rixner et al., "Memory access
 * scheduling", ISCA 2000.
 */
#ifndef CSIM_DRAM_DRAM_H
#define CSIM_DRAM_DRAM_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/queue.h"
#include "base/stats.h"
#include "hw/twins/addr_decoder.h"
#include "machine/machine.h"

enum { DRAM_MAX_BANKS = 64, DRAM_MAX_GROUPS = 16, DRAM_NONE = UINT16_MAX };
enum dram_bus { DRAM_COLUMN_BUS, DRAM_ROW_BUS, DRAM_BUSES }; /* a single one has the first one's place */
enum dram_direction { DRAM_READ, DRAM_WRITE };
enum dram_command { DRAM_ACT, DRAM_PRE, DRAM_RD, DRAM_WR, DRAM_PRE_ALL, DRAM_REF, DRAM_REF_BANK, DRAM_COMMANDS };
enum dram_mode { DRAM_READING, DRAM_WRITING_IDLE /* until a read comes */, DRAM_DRAINING };

struct dram_req {	/* an element of an input queue */
	uint64_t local; /* channel-local address of the line */
	uint32_t token; /* of the sender; is in the reply */
	uint8_t bursts; /* bit i: the line's i-th burst is wanted; not 0 */
	uint8_t write;
	uint8_t whole; /* of a write: it has all bytes of its bursts */
};
QUEUE_OF(dram_req);

struct dram_done { /* an element of an output queue: a read's data are there */
	uint32_t token;
	struct stamp arrived, begun; /* its first cycle at the controller; the first command for it */
};
QUEUE_OF(dram_done);

struct dram_timing {
	uint32_t rcd, rp, rc, ras, faw, rtp, cl, wl, burst;
	uint32_t refi, rfc;	     /* refresh to the next, of all banks or of one; to an activate of its banks */
	uint32_t rrefd;		     /* from a bank's refresh to a row command of another bank */
	uint32_t rrd, rrdl;	     /* rrdl: never less than rrd */
	uint32_t ccd, ccdl;	     /* never less than a burst */
	uint32_t rd_to_wr, wr_to_rd; /* CL+BL+2-WL, WL+BL+tCDLR; never less than ccd */
	uint32_t wr_to_pre;	     /* WL+BL+tWR */
};

struct dram_list { /* requests of one direction that wait for a bank, oldest first */
	uint16_t head, tail;
	uint16_t hit, hits;	    /* oldest of those for the open row, their number */
	uint64_t head_seq, hit_seq; /* when they came; if there are any */
};

struct dram_bank {
	uint64_t next_act, next_pre, next_col; /* earliest cycles */
	uint64_t row;			       /* the open one */
	struct dram_list list[2];
};

struct dram_slot { /* a waiting request */
	uint64_t row, local;
	uint64_t seq;  /* order of arrival */
	uint64_t mark; /* column accesses of the channel before it came */
	uint16_t next, prev;
	uint16_t column;
	uint8_t bank, port, write, whole;
	uint8_t bursts, left; /* asked for; not yet accessed */
	uint8_t activated, conflicted, begun;
	struct dram_done done; /* its reply; of a read */
};

struct dram_next {     /* the next command of a bus, if nothing arrives before */
	uint64_t time; /* CYCLE_NEVER: none */
	uint64_t rank; /* smaller goes first in one cycle */
	uint16_t slot; /* the request it works for */
	uint8_t command, bank;
};

struct dram_stats {
	uint64_t command[DRAM_COMMANDS];
	uint64_t requests[2], forwarded;	      /* accepted, by direction; reads answered from the write queue */
	uint64_t row_hits, row_misses, row_conflicts; /* served requests: found its row open, no row, another row */
	uint64_t busy;				      /* cycles in which the data bus carries data */
	uint64_t bytes;
	uint64_t drains;     /* times that write_high was reached or a write was urgent */
	uint64_t queue_full; /* cycles for which a request was before a full queue */
};

struct dram_command_event {
	uint64_t cycle, row;
	/* of refreshes of an idle channel: as many more follow, t.refi apart, each of the next bank if of banks */
	uint64_t again;
	uint32_t column; /* of a column access */
	uint32_t token;	 /* of the request it works for; 0 for refresh */
	enum dram_command command;
	uint8_t bank;
};

struct dram {
	struct dram_timing t;
	struct addr_decoder_port decoder; /* of channel-local addresses */
	uint32_t group_shift, group_mask; /* of the bank's number */
	uint32_t period;		  /* ticks of a cycle */
	uint32_t banks, queue, ports, burst_bytes, buses;
	uint32_t write_high, write_low, age_cap;
	enum machine_dram_sched sched;
	enum machine_dram_first first;
	enum machine_dram_drain drain;
	bool refresh, by_bank;	      /* by_bank: of one bank after the other */
	uint32_t refresh_bank;	      /* the next one */
	struct dram_req_queue **in;   /* one for each port, made and kept by the caller */
	struct dram_done_queue **out; /* likewise */
	uint64_t *blocked_since;      /* of each port: the cycle from which its front waits; CYCLE_NEVER */
	struct addr_location *front;  /* of each port whose front waits: where that is */

	struct dram_bank bank[DRAM_MAX_BANKS];
	uint64_t open;			     /* banks with an open row */
	uint64_t waiting[2];		     /* banks with requests of a direction, ... */
	uint64_t hitting[2];		     /* ... with some for the open row */
	uint64_t bus_act;		     /* earliest cycles, whole channel */
	uint64_t bus_col[2];		     /* by direction */
	uint64_t group_act[DRAM_MAX_GROUPS]; /* same bank group */
	uint64_t group_col[DRAM_MAX_GROUPS]; /* same direction, same bank group */
	uint64_t faw[4];		     /* earliest cycle of the activate after next three */
	uint32_t faw_at;		     /* ring index */
	uint64_t refresh_due;
	uint32_t count[2]; /* waiting requests */
	enum dram_mode mode;
	uint32_t served, turn;	/* requests done since the mode was entered; how many it has to itself */
	uint64_t urgent_at[2];	/* no request of a direction is urgent before so many column accesses */
	uint64_t drain_to;	/* a drain serves all writes that came before this one */
	uint64_t seq, columns;	/* requests and column accesses so far */
	struct ticks *last_out; /* of each port: arrival time of its last reply */
	uint32_t first_port;	/* the one that is asked first */
	bool full_out;		/* a reply queue was full when the plan was made */
	struct ticks retry;	/* when a reply queue has room for a read that could be answered at once */
	struct dram_next next[DRAM_BUSES];
	struct dram_slot *slot;
	uint16_t free_slot; /* the first of a list through `next` */
	struct dram_stats stats;

	void (*watch)(void *, const struct dram_command_event *); /* sees each command; NULL: nobody looks */
	void *watch_context;
};

/* decoder: of machine_channel_decoder(). in, out: `ports` queues each, made and kept by the caller. */
void dram_init(struct dram *d, struct arena *a, const struct machine *m, const struct addr_decoder_port *decoder, uint32_t ports,
	       struct dram_req_queue **in, struct dram_done_queue **out);

/* Works at tick `now`; returns the next tick at which it has anything to do (TIME_NEVER: when something arrives). */
struct ticks dram_step(struct dram *d, struct ticks now);

/* Timing and order of commands are this machine's from `now` on (machine/live.h): commands that have been issued are
 * followed as before. Returns whether anything differs; then the channel has to be stepped at `now`, or behind it. */
bool dram_change(struct dram *d, const struct machine *m, struct ticks now);

/* At the end of a run, at tick `now`: makes up for the refreshes of an idle time, and counts the waits of requests
 * still before a full queue. */
void dram_finish(struct dram *d, struct ticks now);

/* Requests that are in the controller. */
static inline uint32_t dram_waiting(const struct dram *d)
{
	return d->count[DRAM_READ] + d->count[DRAM_WRITE];
}

#endif
