/* Stimulus for TAFE's hardware: a random host program on the bench, and steps with all inputs at random. */
#ifndef TESTS_SUPPORT_TAFE_HOST_H
#define TESTS_SUPPORT_TAFE_HOST_H

#include "hw/tafe/tafe.h"
#include "support/tafe_bench.h"

/* Rows by threads, then columns by rows (CSR), stores elsewhere between; 1 to 25 CTAs of 1 to 6 threads. */
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

/* All inputs of a step at random, in and out of the protocol; but a command mostly stays for some steps, or none would
 * ever be taken. in: zero at first, then as it was left. x: of the random numbers, not 0. */
void tafe_random_in(struct tafe_in *in, uint64_t *x, const struct tafe_params *p);

#endif
