/* Loads and stores of the host program as the instructions of a host core.
 *
 * A list of accesses in program order, each with the plain instructions ahead of it (index, branch: what a loop does beside the
 * access) and, if its address or value comes from an earlier access, how many accesses back that one is. Plain instructions take a
 * cycle. The first of an access is the loop's counter: it waits for the last access's counter, and the others and the access wait
 * for it.
 *
 * The whole list is one piece of work: (launch, piece) choose nothing. host_loop_of_stores() makes the list of the tracked stores
 * that a trace has ahead of a launch: the workload's own host code, as far as it was recorded (trace/trace.h).
 */
#ifndef CSIM_CORE_HOST_LOOP_H
#define CSIM_CORE_HOST_LOOP_H

#include "base/arena.h"
#include "core/host_inst.h"
#include "machine/machine.h"
#include "trace/trace.h"

struct host_step {
	uint64_t addr;
	uint32_t bytes;	 /* >= 1 */
	uint32_t source; /* 1: the access before, 2: the one before that, ...; 0: none */
	uint16_t plain;	 /* instructions ahead of it */
	bool store;
};

enum { HOST_LOOP_REACH = 1024 /* accesses back that a source can be; further ones have long been there */ };

struct host_loop {
	const struct host_step *step;
	uint64_t n, at;
	uint32_t plain_done; /* of the present access */
	uint32_t line_shift;
	uint64_t number, counter;	  /* of instructions: given out; of the last counter, + 1 */
	uint64_t access[HOST_LOOP_REACH]; /* ring: numbers of the last accesses */
};

void host_loop_init(struct host_loop *l, const struct machine *m, const struct host_step *step, uint64_t n);

struct host_feed host_loop_feed(struct host_loop *l);

/* The tracked stores that come before `launch` and not before an earlier one, each with `plain` instructions ahead; *n of them. */
struct host_step *host_loop_of_stores(struct arena *a, const struct trace *t, uint32_t launch, uint16_t plain, uint64_t *n);

#endif
