/* Memory that lives as long as a run: many allocations, one release.
 *
 * Memory comes back zeroed and aligned to 64 bytes when 64 bytes or larger, else to 16. What is large comes in the
 * host's large pages, if it has some. Running out of memory ends the program.
 */
#ifndef CSIM_BASE_ARENA_H
#define CSIM_BASE_ARENA_H

#include <stddef.h>

struct arena_block;
struct region;
struct arena {
	struct arena_block *head;
	struct region *region; /* where its memory is (base/region.h), which outlives it; NULL: on the heap */
};

void *arena_alloc(struct arena *a, size_t bytes);
void *arena_array(struct arena *a, size_t count, size_t size); /* refuses an overflowing product by ending the
							        * program */
char *arena_strdup(struct arena *a, const char *s);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void arena_free(struct arena *a); /* leaves an empty arena that can be used again */

#endif
