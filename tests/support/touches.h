/* A program of one warp a module that touches the pages of one buffer in an order of its own: CTA i, of one thread,
 * loads the i-th line of page[i][0], then that of page[i][1], and so on. */
#ifndef TESTS_SUPPORT_TOUCHES_H
#define TESTS_SUPPORT_TOUCHES_H

#include <stdint.h>

#include "trace/trace.h"

/* Of the buffer: page 0x10000, so that its page i is page i mod 4 of the address space. */
#define TOUCHES_BASE UINT64_C(0x10000000)
enum { TOUCHES_PAGE = 4096, TOUCHES_CTAS = 4, TOUCHES_MOST = 8, TOUCHES_END = 99 };

struct touches {
	unsigned pages;				       /* of the buffer */
	uint32_t page[TOUCHES_CTAS][TOUCHES_MOST + 1]; /* a CTA's, behind the last one TOUCHES_END */
};

struct trace *touches_trace(const struct touches *c);

#endif
