/* Random host programs for TAFE's hardware, on its bench. */
#ifndef TESTS_SUPPORT_TAFE_HOST_H
#define TESTS_SUPPORT_TAFE_HOST_H

#include "hw/tafe/tafe.h"
#include "support/tafe_bench.h"

/* Rows by threads, then columns by rows (CSR), and stores beside both between. CTAs and threads have up to three
 * dimensions, one of some hundreds now and then; arrays and tables are anywhere in the address space, often one bit
 * apart or end to end; the constants of both relations are small, negative or at a corner. */
struct tafe_host {
	struct tafe_launch l;
	struct tafe_array rows, columns;
	bool shuffled; /* the columns */
};

/* A program from the bench's random numbers. */
void tafe_host_make(struct tafe_host *h, struct tafe_bench *b);
/* Runs it, compares both tables with the tracker's, and frees its arrays. */
void tafe_host_run(struct tafe_host *h, struct tafe_bench *b);
/* A memory and a driver that are quick or slow, by the seed. */
void tafe_host_memory(struct tafe_bench *b, unsigned seed);

#endif
