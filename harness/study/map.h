/* A picture of which modules touch which pages, estimated and real, as TAFE's Figure 11 has it: arrays beside each
 * other, their pages from left to right, modules from top to bottom. A pair of page and module is black if it was
 * estimated and is touched, white if neither, red if touched only, yellow if estimated only.
 *
 * Of more than 16384 pages several make a column, in the colour that most of their pairs have.
 */
#ifndef HARNESS_STUDY_MAP_H
#define HARNESS_STUDY_MAP_H

#include <stdint.h>
#include <stdio.h>

struct study_map_array {
	const char *name;
	uint32_t n_pages;
	const uint64_t *estimated, *real; /* by page: modules, a bit each */
};
struct study_map {
	const char *title;
	uint32_t modules, n_arrays;
	const struct study_map_array *array;
};

/* Writes it as SVG. */
void study_map_write(const struct study_map *m, FILE *to);

#endif
