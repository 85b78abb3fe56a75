/* Replays a Dinero trace through one cache: what `locus cache` does. The tags are those of the cycle model (cache/tags.h); there is
 * no time, so a line is there as soon as it has missed.
 *
 * The trace is text, an access a line: `0 HEX` reads, `1 HEX` writes, `2 HEX` fetches an instruction from that byte address;
 * whatever follows the address on its line is ignored, as are empty lines. An access is in the one line that holds its address.
 *
 * Misses can be told apart by cause (Hill's three Cs): compulsory, the line was never accessed before; capacity, a fully
 * associative LRU cache of the same size and write policy misses too; conflict, all others. (Hits of the cache that the fully
 * associative one misses are not set off against them.)
 * Source of the format: Dinero IV's "din" input.
 */
#ifndef CSIM_REPLAY_DINERO_H
#define CSIM_REPLAY_DINERO_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "hw/pric.h"

enum din_kind { DIN_READ, DIN_WRITE, DIN_FETCH, DIN_KINDS };
enum din_class { DIN_COMPULSORY, DIN_CAPACITY, DIN_CONFLICT, DIN_CLASSES };

#define DIN_MAX_LINES (UINT32_C(1) << 22) /* of a cache: bounds the memory taken */

struct din_params {
	uint64_t bytes;
	uint32_t line, assoc;	  /* bytes; ways, 0: fully associative */
	uint32_t poly, addr_bits; /* of PRIC: polynomial, 0: linear index; address bits hashed, 0: all */
	bool write_through;	  /* else write-back */
	bool no_write_allocate;
	bool classify; /* count misses by class: keeps every line number ever seen */
};

struct din_counts {
	uint64_t accesses[DIN_KINDS], misses[DIN_KINDS], class[DIN_CLASSES];
	uint64_t evictions;   /* valid lines that made room */
	uint64_t write_backs; /* of those, dirty */
	uint64_t dirty_left;  /* lines that are dirty at the end */
	uint64_t below;	      /* writes that went below at once: write-through, or misses without write-allocate */
};

/* 0, or -1 and what is wrong with the shape, the polynomial first named. p->assoc 0 becomes the number of lines. *sets: of the
 * cache. */
int din_check(struct din_params *p, uint32_t *sets, struct err *e);

struct din_cache;
struct din_cache *din_open(const struct din_params *p, struct err *e);
void din_access(struct din_cache *c, enum din_kind kind, uint64_t addr);
struct din_counts din_count(const struct din_cache *c);
void din_close(struct din_cache *c);

/* Feeds a whole trace. name: for messages ("FILE:LINE: reason"). 0, or -1 with *e set. */
int din_replay(struct din_cache *c, FILE *from, const char *name, struct err *e);

/* ---- classes of misses (dinero_classes.c) ---- */

struct din_classes;
struct din_classes *din_classes_new(uint32_t lines);
/* One access to a line number; the class that a miss would have. Call for every access. allocate: a miss brings the line in. */
enum din_class din_classes_access(struct din_classes *c, uint64_t line, bool allocate);
void din_classes_free(struct din_classes *c);

#endif
