/* A plan: what software decides before a run, as data.
 *
 * A planner (plan/planner.h) makes it from what the program does and what the machine is; the model reads it and knows
 * no paper. A plan has three parts, each of which may be absent (NULL): where the pages of each buffer go, to which
 * SMs the CTAs of each launch go, and what caches do with each data structure of a launch. They name policies of the
 * model with their parameters.
 *
 * CTAs are picked for the SMs of a module together; on the CPU each core counts as a module of its own. A stack is the
 * unit of placement.
 * Units: bytes; pages are those of the machine (`vm.page`), counted from the page that holds the buffer's first byte.
 */
#ifndef CSIM_PLAN_PLAN_H
#define CSIM_PLAN_PLAN_H

#include <stdbool.h>
#include <stdint.h>

#include "hw/twins/locality_entry.h"

enum plan_placement {
	PLACE_DEFAULT,	   /* what the machine does without a plan */
	PLACE_FGP,	   /* fine-grained: every page is spread over all stacks */
	PLACE_PAGES,	   /* page i of the address space on stack i mod N */
	PLACE_FIRST_TOUCH, /* on the stack nearest to the SM that touches the page first */
	PLACE_STATIC,	   /* on the stack that `stack` gives */
	PLACE_BASE_BIT,	   /* the bits that choose the stack begin at base_bit */
	PLACE_XOR,	   /* a hash of the address chooses the stack, for every 256 bytes */
	PLACE_COUNT
};

/* What a planner found out about a buffer; for people, the model does not read it. */
struct plan_finding {
	const char *verdict;  /* "regular", "private", "shared", "irregular", "unused"; NULL: it did not look */
	const char *why;      /* one clause */
	uint32_t line;	      /* of the PTX that decided; 0: none */
	double stride, chunk; /* bytes from one CTA to the next; that CTAs of the first module cover in a turn; 0:
			       * none */
};

struct plan_buffer {
	enum plan_placement placement;
	uint8_t base_bit; /* PLACE_BASE_BIT: 7..16 */
	/* PLACE_FIRST_TOUCH: bytes of aligned blocks that a touch places, a power of two; below a page: a page */
	uint32_t together;
	uint32_t n_pages; /* entries of stack[] */
	uint16_t *stack;  /* PLACE_STATIC: by page */
	struct plan_finding found;
};

enum plan_dispatch {
	DISPATCH_ROUND_ROBIN, /* CTAs in ascending order to whichever SM is served next */
	DISPATCH_AFFINITY,    /* a CTA goes to the SMs of one module only: see plan_launch.blocks */
	DISPATCH_PAIR_WAIT,   /* CTAs 2k and 2k + 1 to an SM that has room for both */
	DISPATCH_LISTS,	      /* list s belongs to SM s, which gets its CTAs in the list's order: see
			       * plan_launch.lists */
	DISPATCH_GROUPS,      /* a list is a group: handed to the SM that has none left, by the hardware of
			       * hw/twins/paver.h */
	DISPATCH_COUNT
};

enum { PLAN_LOCALITIES = 16, PLAN_LOCALITY_ADDRESS = 48 /* bits */ };

/* Lists of the CTAs of a launch. Every CTA is in exactly one of them, once; a list may be empty. */
struct plan_lists {
	uint32_t n;
	const uint32_t *first; /* n + 1: list i is cta[first[i]] .. cta[first[i + 1] - 1] */
	const uint32_t *cta;
	bool steal;	      /* DISPATCH_GROUPS: an SM without a group takes CTAs of another's when no group is left */
	uint64_t weight, cut; /* of a graph that they were cut from, and between lists; for people. 0: none */
};

/* The tiles that CTAs access of a data structure: boxes of CTAs, counted in X, Y, Z order; and how far ahead a stride
 * prefetch of it goes. */
struct plan_tiles {
	uint32_t c_tile[3], n[3]; /* CTAs of a tile, tiles of the grid: along X, Y, Z */
	uint32_t n_distances;	  /* 0: the locality's own distance holds, and the rest means nothing */
	const uint32_t *distance; /* bytes, for 1, 2 .. tiles that have a CTA on the SM; for more the last one */
};

struct plan_launch {
	enum plan_dispatch dispatch;
	/* DISPATCH_AFFINITY, by module: consecutive CTAs that it gets before the next module gets its own; the last is
	 * followed by the first. 0: a module that gets none. With the same number for all this is Equation 1 of the
	 * CODA paper. */
	uint32_t *blocks;
	const struct plan_lists *lists; /* DISPATCH_LISTS: as many as SMs; DISPATCH_GROUPS */
	/* Of the SMs' locality tables (hw/twins/locality_table.h), at most PLAN_LOCALITIES; names of the structures,
	 * for people. */
	uint32_t n_localities;
	struct locality_entry *locality;
	const char *const *locality_name;
	struct plan_tiles *tiles; /* by locality; NULL: none has any */
};

/* What a launch's localities are used for. */
struct plan_locality_use {
	bool caching, prefetch;
	bool bypass_l2; /* LOCALITY_BYPASS holds for the L2 as well */
};

/* One of several programs that share a machine: its launches follow one another, beside those of the other programs. */
struct plan_program {
	const char *name;
	uint32_t first_launch, n_launches, first_buffer, n_buffers; /* of the trace */
	uint32_t first_module, n_modules;			    /* its modules */
};

struct plan {
	char name[128];			   /* as it was asked for: "coda,chunk=rounded", "cgp-only+affinity" */
	double seconds;			   /* CPU time of making it, for the simulator section of reports */
	const char *notes;		   /* what the planner found out, in lines, for people; NULL: nothing */
	uint32_t n_buffers;		   /* of the trace */
	struct plan_buffer *buffer;	   /* NULL: PLACE_DEFAULT for all */
	uint32_t n_launches;		   /* of the trace */
	struct plan_launch *launch;	   /* NULL: round robin for all */
	struct plan_locality_use locality; /* all false: the SMs have no locality tables */
	uint32_t n_sms, n_modules;
	uint16_t *module_of_sm; /* set if any launch has DISPATCH_AFFINITY */
	uint32_t n_programs;	/* 0: one, on all SMs */
	const struct plan_program *program;
	const uint16_t *program_of_sm;
};

/* Whether a launch's policy finds what it needs: lists that hold every CTA of the launch once, and for DISPATCH_LISTS
 * as many as the machine has SMs; with several programs, CTAs only in the lists of the program's SMs; localities that
 * fit the table. Asked when a run begins. */
struct trace;
struct err;
int plan_check(const struct plan *p, const struct trace *t, struct err *e);

static inline bool plan_has_localities(const struct plan *p)
{
	return p && (p->locality.caching || p->locality.prefetch);
}

/* The tile of a CTA of a launch with that grid. */
static inline uint32_t plan_tile_of(const struct plan_tiles *t, const uint32_t grid[3], uint32_t cta)
{
	uint32_t x = cta % grid[0], y = cta / grid[0] % grid[1], z = cta / grid[0] / grid[1];

	return x / t->c_tile[0] + t->n[0] * (y / t->c_tile[1] + t->n[1] * (z / t->c_tile[2]));
}

/* The module of a CTA under DISPATCH_AFFINITY. */
static inline uint32_t plan_module_of(const struct plan_launch *l, uint32_t n_modules, uint32_t cta)
{
	uint64_t turn = 0, at;
	uint32_t h = 0;

	for (uint32_t i = 0; i < n_modules; i++)
		turn += l->blocks[i];
	at = cta % turn;
	while (at >= l->blocks[h])
		at -= l->blocks[h++];
	return h;
}

#endif
