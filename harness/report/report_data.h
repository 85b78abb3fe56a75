/* --report-data: what a result says beside its metrics so that `locus report` can draw all of its page from one file.
 *
 * "profile": that of `locus profile --json`. "source": the text of its hottest lines, [{"file", "line", "text"}].
 * "l1_sets": {"sets", "sms", "accesses", "hits", "misses", "fail_line"}, the last four by SM and set
 * (cache/l1_sets.h). "timeline": {"clock_mhz", "cycles", "n_ctas", "launches": [{"index", "kernel", "ctas", "start",
 * "end"}], "bin", "cta_cycles", "ctas"}: cta_cycles by SM and bin of so many cycles, the cycles of CTAs that were on
 * the SM in it; ctas, each [launch, cta, sm, start, end, stolen], are left out of a run that has more than
 * REPORT_CTAS.
 *
 * All of it is bounded: lines, CTAs and bins by the constants below, sets by run/gpu_sets.h.
 */
#ifndef HARNESS_REPORT_REPORT_DATA_H
#define HARNESS_REPORT_REPORT_DATA_H

#include "profile/source_text.h"
#include "session/session.h"

enum {
	REPORT_LINES = 100,	    /* of the source */
	REPORT_CTAS = 4096,	    /* one by one */
	REPORT_LAUNCHES = 1024,	    /* with their times */
	REPORT_BINS = 240,	    /* of an SM's timeline, ... */
	REPORT_CELLS = 1 << 16,	    /* ... fewer if there are so many SMs that these are not enough */
	REPORT_SAMPLES = 512,	    /* metrics over time, if nobody says an interval ... */
	REPORT_FIRST_INTERVAL = 64, /* ... of so many core cycles, which doubles when the samples are full */
};

/* What a session is asked for. */
void report_data_want(struct session_options *o);

/* Adds it to the result of a session that was, and has run. */
void report_data_add(struct json_t *result, struct session *s, struct source_text *text);

#endif
