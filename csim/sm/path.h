/* Paths of an SM's loads from global memory: what the SM tells the log of sm/lsu/path_log.h.
 *
 * A load has an open record from the first time that its L1 is asked for one of its lines; what became of it later
 * comes back with the replies, as stamps (noc/request.h). A wait in the L1 that only a reply can end, for a line, an
 * MSHR entry or room in one, is put down to the load whose line came in the cycle in which it ended: of those that
 * waited for that line, the first.
 */
#ifndef CSIM_SM_PATH_H
#define CSIM_SM_PATH_H

#include "sm/lsu/path_log.h"

struct sm;
struct load;

struct path_open {
	bool on;		   /* the load is in flight, and traced */
	uint32_t wait[PATH_WAITS]; /* of its requests up to now */
	bool trying;		   /* its newest request has been failed ... */
	uint64_t since;		   /* ... from this cycle on, or since */
	uint64_t served;	   /* the cycle in which the L1 took one of its requests, or several, last; 0: none */
	uint64_t came;		   /* bits: requests whose data is there */
	struct path_load *load;	   /* with room for PATH_MAX_REQUESTS */
};

struct sm_paths {
	struct path_log log;
	struct path_open **open; /* by the load's number (sm/lsu/loads.h) */
	uint32_t n_open;
	struct l1_observer observer;
	uint64_t came_at;     /* the cycle of the last reply, ... */
	uint32_t came_for;    /* ... for this load first, ... */
	struct path_who came; /* ... of this warp */
};

/* Ahead of the first cycle. */
void path_use(struct sm *sm, struct arena *a, const struct path_filter *f, uint32_t rows, uint32_t room);
void path_free(struct sm *sm);

/* ---- what the SM tells it ---- */

/* A reply has come, ahead of what is done with it. */
void path_reply(struct sm *sm, const struct mem_req *reply);
/* A load ends. */
void path_load_done(struct sm *sm, uint32_t token);

#endif
