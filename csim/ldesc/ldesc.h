/* Locality descriptors: what a program says of a data structure and the CTAs of a launch that access it (ldesc,
 * section 3.3).
 *
 * The structure is cut into D-tiles, boxes of elements; the grid into C-tiles, boxes of CTAs. D-tile i, counted in X,
 * Y, Z order, is accessed by the i-th C-tile in the order that the compute-data map gives: rank[d] is the position of
 * grid dimension d in the traversal, 1 the fastest, 0 a dimension with one C-tile that is not traversed. (3, 1, 2)
 * traverses Y, then Z, then X.
 *
 * A descriptor is a hint. It changes no result and no trace; a bad one makes a run slower. One that means nothing is
 * refused, by ldesc_check() and ldesc_check_all(), with a line that names the structure.
 *
 * Dimensions are X, Y, Z throughout. The element at (x, y, z) is at base + element * (x + len[0] * (y + len[1] * z)).
 * A tile larger than what it cuts counts as the whole; the last tile of a dimension may be cut by the end, and the
 * structure itself by the end of its buffer in its last row or plane.
 */
#ifndef CSIM_LDESC_LDESC_H
#define CSIM_LDESC_LDESC_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

enum ldesc_type { LDESC_INTER_THREAD, LDESC_INTRA_THREAD, LDESC_NO_REUSE };
enum ldesc_sharing { LDESC_COACCESSED, LDESC_NEARBY };
enum ldesc_access { LDESC_REGULAR, LDESC_IRREGULAR };
enum ldesc_unit { LDESC_CTAS, LDESC_THREADS };
extern const char *const ldesc_types[], *const ldesc_sharings[], *const ldesc_accesses[]; /* names, NULL at the end */

struct ldesc {
	char name[64];	      /* of the structure, for messages */
	uint64_t base, bytes; /* of its first element; from there to where the buffer (or the structure in it) ends */
	uint32_t element;     /* bytes */
	uint64_t len[3];      /* elements */
	enum ldesc_type type;
	uint64_t d_tile[3]; /* elements */
	uint32_t c_tile[3]; /* CTAs or threads */
	enum ldesc_unit
		/* LDESC_THREADS: counted through the grid's threads; CTAs are what a planner then uses, rounded up */
		c_unit;
	uint8_t rank[3];
	enum ldesc_sharing sharing; /* INTER_THREAD only */
	enum ldesc_access access;
	uint64_t stride;   /* elements; REGULAR only */
	uint32_t priority; /* the lowest number goes first */
};

/* A launch, as far as descriptors care. */
struct ldesc_launch {
	uint32_t grid[3], block[3];
};

/* The descriptors of a launch, highest priority first; of equal ones the first. */
struct ldesc_set {
	uint32_t n;
	const struct ldesc *d;
};

/* Tiles along dimension d; in all. */
uint64_t ldesc_d_tiles_along(const struct ldesc *l, unsigned d);
uint64_t ldesc_d_tiles(const struct ldesc *l);
uint64_t ldesc_c_tiles(const struct ldesc *l, const struct ldesc_launch *at);

/* The C-tile in CTAs, no larger than the grid. */
void ldesc_c_tile_ctas(const struct ldesc *l, const struct ldesc_launch *at, uint32_t out[3]);

/* The CTA that begins the C-tile of a D-tile: the one that holds its first thread. */
void ldesc_first_cta(const struct ldesc *l, const struct ldesc_launch *at, uint64_t d_tile, uint32_t out[3]);

/* The bytes of a D-tile, as runs of consecutive ones in ascending order; what the structure's end cuts off is left
 * out. */
typedef void (*ldesc_run_fn)(void *ctx, uint64_t addr, uint64_t bytes);
void ldesc_d_tile_runs(const struct ldesc *l, uint64_t d_tile, ldesc_run_fn fn, void *ctx);

/* One descriptor for itself, without a launch: dimensions, map, offset in the buffer. */
int ldesc_check(const struct ldesc *l, struct err *e);
/* All descriptors of a launch: as many D-tiles as C-tiles in each, no two of one priority on a structure. */
int ldesc_check_all(const struct ldesc_set *set, const struct ldesc_launch *at, struct err *e);

#endif
