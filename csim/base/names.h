/* An index from names to positions in a list, so that a file with n entries is read in O(n).
 *
 * The index keeps pointers to the names: each name must outlive the index. An index that is all zero is empty.
 */
#ifndef CSIM_BASE_NAMES_H
#define CSIM_BASE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

struct names {
	struct names_entry *entry; /* a hash table */
};

/* Returns false if the index has the name already; the older position stays. */
bool names_add(struct names *n, const char *name, unsigned position);
/* -1: the index has no such name. */
int names_find(const struct names *n, const char *name);
/* The name is the first `bytes` bytes of `text`. */
int names_find_bytes(const struct names *n, const char *text, size_t bytes);
void names_free(struct names *n); /* leaves an empty index */

#endif
