/* CPU time of this process, all threads, for the simulator section of reports and for benchmarks; never part of a
 * result. */
#ifndef CSIM_BASE_CPUTIME_H
#define CSIM_BASE_CPUTIME_H

#include <time.h>

/* Seconds since some fixed moment. */
static inline double cpu_seconds(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

#endif
