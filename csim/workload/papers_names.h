/* What the papers call their benchmarks: `locus run KM` is a workload with the options that make it what the paper ran.
 *
 * Papers use a name for different programs (dwt-pric's HS is hotspot, ldesc's a histogram). Such a name goes with its
 * paper before it, "ldesc:HS"; alone it is refused. A workload's own name is always the workload as its folder has it:
 * nn is not NN.
 */
#ifndef CSIM_WORKLOAD_PAPERS_NAMES_H
#define CSIM_WORKLOAD_PAPERS_NAMES_H

#include "base/err.h"
#include "workload/program.h"

enum { PAPERS_NAME_MAX_ARGS = 3 };

struct papers_name {
	const char *paper, *name, *workload;
	const char *args[PAPERS_NAME_MAX_ARGS + 1]; /* "key=value", as after --arg; NULL at the end */
};

/* By paper, in the order of its table of benchmarks; ends with a NULL name. Source: dwt-pric, Tables 2 and 3 and
 * section 2.3 (four have several spellings); ldesc, Table 2. */
extern const struct papers_name papers_names[];

/* What was typed: a workload's name, a paper's, or PAPER:NAME. *w is NULL if it is neither; *n is the row that named
 * it, NULL for a workload's own name. Fails on a name that stands for different things. */
int papers_name_find(const char *typed, const struct workload **w, const struct papers_name **n, struct err *e);

#endif
