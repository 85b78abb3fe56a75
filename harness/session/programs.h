/* Programs of a session: what each is to execute or open; and several as one, each on modules of its own.
 *
 * The machine's modules are shared out evenly, in order; the traces are joined into one (trace/join.h), in which each
 * program has launches and buffers of its own. Only a planner that wants nothing of TAFE's tables can place several
 * programs.
 */
#ifndef HARNESS_SESSION_PROGRAMS_H
#define HARNESS_SESSION_PROGRAMS_H

#include "cuda/program.h"
#include "plan/planner.h"
#include "trace/join.h"
#include "workload/source.h"

struct session_program {
	const char *what; /* workload, launch file, trace or Accel-Sim trace */
	const char *const *arg;
	unsigned n_args;
	struct cuda_program *cuda; /* that one is run, as `what` is called; NULL: it is none of CUDA */
};

struct programs {   /* by program; in an arena but for what a source holds */
	uint32_t n; /* 0: the session has one, which is none of these */
	struct source *one;
	struct trace_part *part;
	struct plan_program *program;
};

/* Room for n, and the modules of each. Fails if there is not one for each: that shows before any is executed. */
int programs_share(struct programs *p, uint32_t n, const struct topology_view *topology, struct arena *a, struct err *e);

/* Opens all, each as `how` says with its own name and arguments; fills `all` with what they are together.
 * programs_close() is due in any case. */
int programs_open(struct programs *p, const struct session_program *program, const struct source_options *how, struct source *all,
		  struct arena *a, struct err *e);
void programs_close(struct programs *p, struct source *all);

#endif
