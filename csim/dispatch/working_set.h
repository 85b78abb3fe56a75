/* The working set of SMs: how many lines of global memory the CTAs that ran on one accessed, each line counted once a
 * launch, since L1s begin a launch empty. What a cache of any size would have to fetch (ldesc, section 2.1).
 *
 * Made of the trace and of where CTAs ran, after the run: no cache is asked. Local memory, parameters and accesses
 * outside all buffers do not count.
 */
#ifndef CSIM_DISPATCH_WORKING_SET_H
#define CSIM_DISPATCH_WORKING_SET_H

#include "base/stats.h"
#include "dispatch/timeline.h"

/* Adds "working_set", the mean over all n_sms SMs, and that of each as detail. `where`: of a run of the trace; CTAs
 * that did not start are left out. Fails if the trace cannot be read. */
int working_set_report(struct stats *to, struct trace *t, const struct timeline *where, uint32_t n_sms, struct err *e);

#endif
