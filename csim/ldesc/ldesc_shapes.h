/* Descriptors of shapes that programs often have, so that an annotation says what differs from one to the next.
 *
 * Each comes as NO_REUSE and without a priority. ldesc_coaccessed(), ldesc_nearby() and ldesc_intra() make the
 * other types of it. All have as many D-tiles as C-tiles if the grid has as many CTAs as it takes to cover the
 * columns (or elements) with tiles: host_blocks(cols, tile).
 */
#ifndef CSIM_LDESC_LDESC_SHAPES_H
#define CSIM_LDESC_LDESC_SHAPES_H

#include "ldesc/ldesc.h"

/* Rows of `cols` elements, `pitch` elements from one to the next. */
struct ldesc_matrix {
	uint32_t element; /* bytes */
	uint64_t pitch, cols, rows;
};

/* n elements, `tile` a CTA along X. */
struct ldesc ldesc_line(uint32_t element, uint64_t n, uint64_t tile);
/* CTA (x, y) has the tile of tile_x columns and tile_y rows at (x, y). Where rows are padded by so much that there
 * are more tiles than CTAs: a row of CTAs has a row of tiles. */
struct ldesc ldesc_tiles(const struct ldesc_matrix *m, uint64_t tile_x, uint64_t tile_y);
/* Each `tile` whole rows are for the CTAs of one index along grid dimension `along`. */
struct ldesc ldesc_rows(const struct ldesc_matrix *m, uint64_t tile, unsigned along);
/* Each `tile` columns are for the CTAs of one index along X. Where rows are padded by more tiles: one tile for all. */
struct ldesc ldesc_columns(const struct ldesc_matrix *m, uint64_t tile);
/* n elements for all CTAs. */
struct ldesc ldesc_whole(uint32_t element, uint64_t n);

/* INTER_THREAD; stride 0: an irregular access. */
struct ldesc ldesc_coaccessed(struct ldesc l, uint64_t stride);
struct ldesc ldesc_nearby(struct ldesc l, uint64_t stride);
struct ldesc ldesc_intra(struct ldesc l);

#endif
