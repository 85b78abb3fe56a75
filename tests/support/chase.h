/* A chain of dependent loads on the whole machine: one warp, each load's address ready when the load before has come
 * back. */
#ifndef TESTS_SUPPORT_CHASE_H
#define TESTS_SUPPORT_CHASE_H

#include "run/gpu_impl.h"

enum { CHASE_MAX = 1024 };

struct chase {
	uint64_t addr[CHASE_MAX];
	unsigned n;
	unsigned lanes;	      /* of the warp, 0: one */
	uint64_t stride;      /* from lane to lane */
	uint64_t base, bytes; /* of a buffer of the program; 0 bytes: none */

	uint64_t issued[CHASE_MAX + 1]; /* the cycle of each load, and of what uses the last one's value */
	unsigned seen;
	struct load_counts latency;
	struct mmu_stats mmu; /* with virtual memory: of its MMU, its TLB */
	struct translate_stats tlb;
	uint64_t entry_at[CHASE_MAX][PAGES_MAX_LEVELS]; /* physical addresses of the page-table entries of each load's
							 * page */
};

/* gtx480 with some keys changed ("key=value"s, ended by NULL; or NULL for none), and without refresh: it would come
 * between some loads and not others. */
struct machine chase_machine(const char *const *set);
/* Keys for it: clocks whose edges meet in other ways. */
enum { CHASE_CLOCKS = 3 };
extern const char *const chase_clocks[CHASE_CLOCKS][5];

/* Runs it on SM 0; every invariant must hold. */
void chase_play(struct chase *c, const struct machine *m);

#endif
