/* Pages of the buffers that are touched, numbered from 0 in the order in which they come up: for maps of memory that
 * cost what is used and not what is allocated. A page is SPARSE_PAGE cells of a size that the owner chooses. */
#ifndef CSIM_LOCALITY_SPARSE_H
#define CSIM_LOCALITY_SPARSE_H

#include <stdint.h>

enum { SPARSE_PAGE = 32768, SPARSE_RECENT = 64 };

struct sparse_page;
struct sparse { /* zero-initialise */
	struct sparse_page *by_key, *recent[SPARSE_RECENT];
	uint32_t n, cap;
	uint32_t *buffer; /* of each page */
};

/* The number of the page with that index in its buffer; s->n grows if it is new. */
uint32_t sparse_page(struct sparse *s, uint32_t buffer, uint64_t index);
void sparse_free(struct sparse *s);

#endif
