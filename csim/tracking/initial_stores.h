/* The host program's initialisation as the steps of a loop on a CPU core: the stores, and between them what calls of
 * TAFE's interface and the tracker do.
 *
 * The calls are first turned into a list of actions, each at its position among the stores: accesses to the directory,
 * fences with a command of the hardware or an effect on the metadata, an array that is read again. The steps are then
 * stores and actions in their order; a fence carries its action as a command, by number. Whoever runs the steps on a
 * core with a store tracker asks here what the hardware's part of a command is, and reports when it has been taken.
 *
 * The CPU's accesses to the metadata are lines of memory from `scratch` on, as TAF_BASE is no address of the
 * program's.
 */
#ifndef CSIM_TRACKING_INITIAL_STORES_H
#define CSIM_TRACKING_INITIAL_STORES_H

#include "cpu/loop_stream.h"
#include "hw/tafe/tafe.h"
#include "tracking/phase.h"
#include "tracking/software_tracker.h"

enum phase_action_kind {
	ACT_TOUCH,    /* accesses of 8 bytes to the metadata */
	ACT_FENCE,    /* all stores are in the caches; the hardware takes a command, if there is one; then its effect */
	ACT_SOFTWARE, /* the CPU reads array `entry` again */
	ACT_GPU,      /* a kernel does; nothing for the core */
};
enum phase_effect {
	EFFECT_NONE,
	EFFECT_CALL,  /* what the calls up to this one write */
	EFFECT_TABLE, /* the table is what software finds */
};

struct phase_action {
	enum phase_action_kind kind;
	enum phase_effect effect;
	uint64_t store;		     /* stores before it */
	uint32_t entry;		     /* of `array`, ACT_SOFTWARE, ACT_GPU */
	struct taf_array array;	     /* whose command, table or elements */
	const struct taf_call *call; /* EFFECT_CALL, and of taf_setRdy */
	uint64_t address, n;	     /* ACT_TOUCH: in the metadata; accesses */
	bool write;
	uint16_t non_memory; /* instructions ahead of the first access */
	bool command;	     /* of the hardware: */
	struct tafe_in in;
};

struct initial_stores_counts {
	uint64_t stores, watched, elements; /* of the program; to arrays that the hardware tracks; their elements */
	uint64_t hw_arrays, sw_arrays;	    /* relations of primary arrays that the hardware tracks; that are read
					     * again */
	uint64_t issued;		    /* stores, the runtime's included */
	uint64_t commands;		    /* of the hardware */
};

struct initial_stores_array { /* what became of an entry's array while the hardware tracked it */
	bool by_hardware;
	bool partial;	   /* a store was narrower than an element */
	bool early;	   /* a store came before the array's own primary array was complete */
	uint64_t elements; /* stored */
};

struct initial_stores {
	struct stream_steps steps;
	const struct taf *taf;
	const struct machine *m;
	enum tracker tracker;
	struct taf_memory *memory;	   /* what the tracker writes; */
	const struct taf_memory *software; /* what the software tracker finds */
	uint64_t scratch;

	/* the plan */
	struct phase_action *action;
	uint64_t n_actions, cap_actions;
	struct taf_array array[TAF_ARRAYS]; /* as the calls so far leave them */
	int8_t slot[TAF_ARRAYS];	    /* comparator entry of an array, -1: none */
	bool complete[TAF_ARRAYS];	    /* tracked, or read again */

	/* where the steps are */
	struct taf_stores_at at;
	uint64_t stores, next; /* stores issued; the next action */
	bool flush;	       /* still to come, behind the last of both: a fence that flushes the caches */
	struct {
		uint64_t address, n; /* accesses to the metadata still to be made */
		uint16_t non_memory;
		bool write;
	} touch;
	const struct phase_action
		*live[TAFE_MAX_ENTRIES]; /* by comparator entry: the REGISTER of what the hardware tracks, or NULL */
	struct initial_stores_array seen[TAF_ARRAYS];
	struct software_tracker software_tracker;
	uint64_t applied; /* calls whose writes are in `memory` */
	struct initial_stores_counts counts;
};

/* memory and software: tables and directory, cleared and complete. The actions are in the arena. */
void initial_stores_plan(struct initial_stores *h, struct arena *a, const struct tracking_phase_config *c,
			 struct taf_memory *memory, const struct taf_memory *software, uint64_t scratch);

/* The hardware's part of the command that a fence of the steps carries; NULL: it has none. */
const struct tafe_in *initial_stores_command(const struct initial_stores *h, uint32_t number);

/* The command has been taken, all stores before it are in the caches: the metadata is now as the calls up to it leave
 * it. */
void initial_stores_taken(struct initial_stores *h, uint32_t number);

/* When all steps have been made: what calls have written since the last command. */
void initial_stores_finish(struct initial_stores *h);

#endif
