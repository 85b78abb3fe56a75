/* malloc and its relatives, which end the program (exit status 2) instead of returning NULL. What they return is for
 * free(). */
#ifndef CSIM_BASE_ALLOC_H
#define CSIM_BASE_ALLOC_H

#include <stddef.h>

_Noreturn void out_of_memory(void); /* says so and ends the program */

void *xmalloc(size_t bytes);
void *xcalloc(size_t count, size_t size);
void *xrealloc(void *p, size_t bytes);
/* Room for one more item behind the n of a list. It doubles at each power of two, so that to add n items takes O(n). */
void *xgrow(void *list, size_t n, size_t item_bytes);
char *xstrdup(const char *s);

#endif
