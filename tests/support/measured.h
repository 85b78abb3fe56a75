/* What tests of runs over traces of their own want of both: the trace when all of it is written, and a metric that
 * counts. Both fail the test if there is none. */
#ifndef TESTS_SUPPORT_MEASURED_H
#define TESTS_SUPPORT_MEASURED_H

#include <criterion/criterion.h>

#include "base/stats.h"
#include "trace/trace.h"

static inline struct trace *written_trace(struct trace_writer *w)
{
	struct err e = {""};
	struct trace *t = trace_writer_finish(w, &e);

	cr_assert(t, "%s", e.text);
	return t;
}

static inline uint64_t stat_count(const struct stats *s, const char *name)
{
	const struct stat_row *r = stats_find(s, name);

	cr_assert(r, "%s", name);
	return r->count;
}

#endif
