/* Replays a Dinero trace through one cache: what `locus cache` does. The tags are those of the cycle model
 * (cache/tags.h); there is no time, so a line is there as soon as it has missed.
 *
 * The trace is text, an access a line: `0 HEX` reads, `1 HEX` writes, `2 HEX` fetches an instruction from that byte
 * address; whatever follows the address on its line is ignored, as are empty lines. An access is in the one line that
 * holds its address.
 *
 * Misses can be classified by cause (Hill's three Cs): compulsory, the line was never accessed before; capacity, a
 * fully associative LRU cache of the same size and write policy misses too; conflict, all others. (Hits of the cache
 * that the fully associative one misses are not set off against them.)
 * Source of the format: Dinero IV's "din" input.
 */
#ifndef CSIM_REPLAY_DINERO_H
#define CSIM_REPLAY_DINERO_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "hw/twins/pric.h"

struct victim_policy;

enum dinero_kind { DIN_READ, DIN_WRITE, DIN_FETCH, DIN_KINDS };
enum dinero_class { DIN_COMPULSORY, DIN_CAPACITY, DIN_CONFLICT, DIN_CLASSES };

#define DIN_MAX_LINES (UINT32_C(1) << 22) /* of a cache: bounds the memory taken */

struct dinero_params {
	uint64_t bytes;
	uint32_t line, assoc;			 /* bytes; ways, 0: fully associative */
	uint32_t poly, addr_bits;		 /* of PRIC: polynomial, 0: linear index; address bits hashed, 0: all */
	const struct victim_policy *replacement; /* cache/victim.h; NULL: LRU */
	uint64_t seed;				 /* of random replacement */
	bool write_through;			 /* else write-back */
	bool no_write_allocate;
	bool classify; /* count misses by class: keeps every line number ever seen */
};

struct dinero_counts {
	uint64_t accesses[DIN_KINDS], misses[DIN_KINDS], class[DIN_CLASSES];
	uint64_t evictions;   /* valid lines that made room */
	uint64_t write_backs; /* of those, dirty */
	uint64_t dirty_left;  /* lines that are dirty at the end */
	uint64_t below;	      /* writes that went below at once: write-through, or misses without write-allocate */
};

/* 0, or -1 and what is wrong with the shape, the polynomial first named. p->assoc 0 becomes the number of lines. *sets:
 * of the cache. */
int dinero_check(struct dinero_params *p, uint32_t *sets, struct err *e);

struct dinero_cache;
struct dinero_cache *dinero_open(const struct dinero_params *p, struct err *e);
void dinero_access(struct dinero_cache *c, enum dinero_kind kind, uint64_t addr);
struct dinero_counts dinero_count(const struct dinero_cache *c);
void dinero_close(struct dinero_cache *c);

/* Feeds a whole trace. name: for messages ("FILE:LINE: reason"). 0, or -1 with *e set. */
int dinero_replay(struct dinero_cache *c, FILE *from, const char *name, struct err *e);

/* ---- classes of misses (dinero_classes.c) ---- */

struct dinero_classes;
struct dinero_classes *dinero_classes_new(uint32_t lines);
/* One access to a line number; the class that a miss would have. Call for every access. allocate: a miss brings the
 * line in. */
enum dinero_class dinero_classes_access(struct dinero_classes *c, uint64_t line, bool allocate);
void dinero_classes_free(struct dinero_classes *c);

#endif
