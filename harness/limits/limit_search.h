/* The best static limit of warps, found as the paper finds it: every limit is tried (dwt-pric, section 4.2, SWT).
 *
 * A program runs once with each limit of warps a scheduler, from 1 to all that one has; of each kernel the limit is
 * chosen with which its launches, taken together, have the highest IPC: of equal ones the highest, which restrains
 * least. Launches of a run follow one another, so kernels do not disturb each other but by what they leave in the L2.
 *
 * Runs are processes of their own, several at a time (sweep/pool.h), and are kept (sweep/store.h): a search that was
 * stopped goes on where it was. Results are of this program, this machine and this trace: the file that keeps them is
 * named by a hash of machine and trace, so that a changed launch file begins anew.
 */
#ifndef HARNESS_LIMITS_LIMIT_SEARCH_H
#define HARNESS_LIMITS_LIMIT_SEARCH_H

#include <stdio.h>

#include "base/err.h"
#include "session/session.h"

struct limit_search {
	const struct session_options *session; /* without a throttle */
	const char *args;    /* of a run, as sweep/pool.h takes them: "run kmeans --size test"; without a throttle */
	const char *program; /* path of locus; NULL: this one */
	const char *dir;     /* for results, tables, pictures */
	unsigned jobs;	     /* runs at a time */
};

enum { LIMIT_SCHEDULE = 600 };

/* Searches, prints the IPC of each kernel over the limit and the winners to `to`, and saves the former as a table and a
 * picture.
 * schedule: --throttle's text for the winners, "swt:warps=24,kernels=kmeans_transpose:1". */
int limit_search(const struct limit_search *s, FILE *to, char schedule[LIMIT_SCHEDULE], struct err *e);

#endif
