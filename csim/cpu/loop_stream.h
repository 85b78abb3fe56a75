/* Loads and stores of the host program as the instructions of a CPU core.
 *
 * Steps in program order, each an access with the non-memory instructions ahead of it (index, branch: what a loop does
 * beside the access), those behind it that use what it loads, and, if its address or value comes from an earlier
 * access, how many accesses back that one is. Non-memory instructions take a cycle. The first of an access is the
 * loop's counter: it waits for the last access's counter, and the others and the access wait for it. The k-th use
 * waits for the access and for the k-th use before it: uses are reductions (minimum, maximum) beside one another. What
 * makes a stored value (parsing a number, drawing one) is a block of instructions ahead of both, for which the store
 * waits. A fence is a step without an access (inst.h).
 *
 * Steps come one at a time from a source. All of them are one piece of work: (launch, piece) choose nothing.
 */
#ifndef CSIM_CPU_LOOP_STREAM_H
#define CSIM_CPU_LOOP_STREAM_H

#include "cpu/inst.h"
#include "machine/machine.h"

struct stream_step {
	uint64_t addr, value; /* value: of a store */
	uint32_t bytes;	      /* >= 1; for a store hook as in struct cpu_store */
	uint32_t source;      /* 1: the access before, 2: the one before that, ...; 0: none */
	uint32_t command;     /* of a fence, as in struct cpu_inst */
	uint32_t value_insts; /* of a store: that make its value; 0: none */
	uint16_t non_memory;  /* instructions ahead of it */
	uint8_t uses;	      /* instructions behind it, at most LOOP_STREAM_USES */
	bool store, fence;
	bool flush; /* of a fence, as in struct cpu_inst */
};

struct stream_steps { /* where steps come from: the first member of the source's own struct */
	bool (*next)(struct stream_steps *s, struct stream_step *out); /* false: there is no further one */
};

/* REACH: accesses back that a source can be; further ones have long been there. */
enum { LOOP_STREAM_REACH = 1024, LOOP_STREAM_USES = 4 };

struct loop_stream {
	struct cpu_feed feed;
	struct stream_steps *from;
	struct stream_step step; /* the present one */
	bool held;		 /* there is one */
	uint32_t done;		 /* of its instructions */
	uint32_t line_shift;
	uint64_t number, counter;	    /* of instructions: fed to the core; of the last counter, + 1 */
	uint64_t accesses;		    /* fed to the core */
	uint64_t access[LOOP_STREAM_REACH]; /* ring: numbers of the last accesses */
	uint64_t use[LOOP_STREAM_USES];	    /* of the last k-th use, + 1 */
};

void loop_stream_init(struct loop_stream *l, const struct machine *m, struct stream_steps *from);

#endif
