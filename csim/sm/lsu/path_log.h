/* Paths of requests: where each line that a load from global memory asked for was, station by station.
 *
 * A request is one transaction of a load: a line. All its stations are counted from the load's issue, and abut: each
 * begins where the one before it ends, and may be empty. So the stations of the request that came last are the load's
 * latency, to the tick (sm/lsu/load_latency.h has the same time in fewer parts).
 *
 *     sm          the load's issue until the L1 is asked for the line: the unit serves the load's other lines, what is
 *                 ahead of it, or translates its address
 *     l1          until the L1 takes the request: reservation fails
 *     miss queue  until its packet leaves the SM
 *     network     until the L2 slice has taken it in
 *     l2          in the slice's pipe, until its lookup succeeds
 *     to DRAM     the way to the controller; with l2.side sm the network to it
 *     DRAM queue  until the first command for its line
 *     DRAM        commands and data, until the line is in the slice
 *     back        until it is at the SM
 *     registers   until the load's registers can be read; of the request that came last
 *
 * One that hits ends with `l1`; one whose line was on its way has the rest of that way.
 *
 * The time up to the end of `l1` is told once more by cause: a cycle for each of the load's lines that the L1 took, the
 * fails of all of them by cause, and what is left. So a request that waits behind others of its load has their reasons.
 *
 * A log keeps of the loads that a filter lets through: sums, the slowest ones, and a sample: every load at first; when
 * there is no more room every second one, then every fourth. Units: ticks after the load's issue, where not said.
 */
#ifndef CSIM_SM_LSU_PATH_LOG_H
#define CSIM_SM_LSU_PATH_LOG_H

#include "base/arena.h"
#include "cache/l1.h"
#include "noc/request.h"

enum path_station {
	PATH_SM,
	PATH_L1,
	PATH_MISS_QUEUE,
	PATH_NETWORK,
	PATH_L2,
	PATH_TO_DRAM,
	PATH_DRAM_QUEUE,
	PATH_DRAM,
	PATH_BACK,
	PATH_REGISTERS,
	PATH_STATIONS
};

/* Of the time up to the end of PATH_L1. */
enum path_wait {
	PATH_SERVED,
	PATH_LINE,
	PATH_ENTRY,
	PATH_MERGE,
	PATH_QUEUE, /* enum l1_result, from L1_FAIL_LINE on */
	PATH_ELSE,
	PATH_WAITS
};

struct path_who { /* an instruction of a warp */
	uint32_t row, cta, warp;
	enum { PATH_NOBODY, PATH_ITSELF /* this very load */, PATH_OTHER } is;
};

struct path_request {
	uint64_t line; /* physical address */
	enum l1_result found : 8;
	enum req_found l2 : 8; /* unless it hit in the L1 */
	uint16_t slice;
	uint32_t end[PATH_STATIONS];
	uint32_t wait[PATH_WAITS]; /* core cycles */
	uint32_t failed;	   /* core cycles of its own fails */
	enum l1_result why;	   /* the last fail; L1_HIT: none */
	struct path_who who;	   /* whose line's coming ended them: for fails that end so */
};

enum { PATH_MAX_REQUESTS = 64 /* of a load: COALESCE_MAX */ };

struct path_load {
	uint64_t number; /* among its SM's loads that the log has counted */
	uint64_t issued; /* core cycle */
	uint32_t row, sm, launch, cta, warp;
	uint32_t latency; /* core cycles */
	uint32_t n, last; /* requests; the one that came last */
	struct path_request request[];
};

struct path_filter {
	const bool *row; /* by instruction; NULL: all */
	uint32_t first_sm, last_sm;
	uint64_t first, last; /* physical addresses of lines: one request within is enough */
	uint32_t latency;     /* core cycles, at least */
	uint64_t every;	      /* of those left every so many-th of an SM; 1: all */
};

struct path_totals { /* counters (base/metrics.h) */
	uint64_t loads, cycles, requests;
	uint64_t station[PATH_STATIONS]; /* ticks, of the requests that came last */
	uint64_t wait[PATH_WAITS];	 /* core cycles, likewise */
	uint64_t found[L1_FAIL_LINE];	 /* requests by what the L1 had */
};

struct path_blame {		 /* core cycles that requests waited for a line of that instruction to come */
	uint64_t itself, others; /* of the same load; of other loads */
};

enum { PATH_SLOWEST = 64 };

struct path_log {
	const struct path_filter *filter;
	uint32_t rows;
	uint64_t loads;		   /* counted */
	struct path_totals *total; /* by instruction */
	struct path_blame *blame;  /* likewise, and one more: of none */

	uint64_t matched;			 /* loads, of which every filter->every-th is counted */
	struct path_load *slowest[PATH_SLOWEST]; /* the slowest one first */
	uint32_t n_slowest;

	uint64_t every;		   /* of the sample */
	struct path_load **sample; /* by number */
	uint32_t n_sample, n_requests, room;
};

/* rows: instructions; room: requests in the sample, >= PATH_MAX_REQUESTS. */
void path_log_init(struct path_log *l, struct arena *a, const struct path_filter *f, uint32_t rows, uint32_t room);
void path_log_free(struct path_log *l);

/* A load is complete: gives it its number, counts it, copies it if it is kept. */
void path_log_add(struct path_log *l, struct path_load *load);

/* Takes what another log has: both are of one filter, and numbers are those of an SM. */
void path_log_take(struct path_log *l, struct path_log *from);

struct path_totals path_log_sum(const struct path_log *l);

/* When the request was where: the begin of a station. */
static inline uint32_t path_begin(const struct path_request *r, enum path_station s)
{
	return s == PATH_SM ? 0 : r->end[s - 1];
}

const char *path_station_name(enum path_station s);

#endif
