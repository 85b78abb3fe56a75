/* How much more of memory the test's process has had at once since some moment. */
#ifndef TESTS_SUPPORT_PEAK_MEMORY_H
#define TESTS_SUPPORT_PEAK_MEMORY_H

#include <criterion/criterion.h>
#include <sys/resource.h>

#include "base/panic.h"

static inline double peak_mib(void)
{
	struct rusage u;

	getrusage(RUSAGE_SELF, &u);
	return (double)u.ru_maxrss / 1024;
}

/* before: peak_mib() then. Asks nothing of a sanitizer, which keeps what has been freed for a while. */
static inline void peak_expect_at_most(double mib, double before)
{
	cr_assert(CHECK_COSTLY || peak_mib() - before < mib, "%g MiB", peak_mib() - before);
}

#endif
