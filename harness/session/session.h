/* A session: what a command does from its options to a result. `locus run` and `cosim` go through all of its steps with
 * one program, `mix` with several, `plan` and `footprint` stop before the run.
 *
 *     session_open     the machine is read and checked
 *     session_source   the program is executed, or its trace opened; several become one trace, each on modules of its
 *                      own
 *     session_track    the tracking phase under a tracker, if its tables are wanted (tracking/phase.h)
 *     session_plan     what software decides
 *     session_init     what the program's initialisation moves over the links, if that is wanted
 *                      (tracking/init_traffic.h)
 *     session_run      the cycle model, hardware blocks bound as they are wanted (lockstep/cosim.h)
 *     session_close
 *
 * Options are plain data, whoever has them. An error is one line that names option, file or key; session_close() is due
 * then too. Steps that take long show progress, and a signal cuts the run, which then prints what it has
 * (session/steps.h). What is made of a session: result.h (JSON), cli/model_report.h (text).
 *
 * Studies and sweeps make their runs as processes of their own (sweep/pool.h): one that is killed or runs out of memory
 * costs one result, and each is a command that can be repeated by hand. They share with the commands what a result is:
 * session/result.h reads what they write.
 */
#ifndef HARNESS_SESSION_SESSION_H
#define HARNESS_SESSION_SESSION_H

#include "dispatch/timeline.h"
#include "lockstep/cosim.h"
#include "plan/planner.h"
#include "run/checkpoint.h"
#include "run/gpu.h"
#include "run/gpu_sampled.h"
#include "run/gpu_sets.h"
#include "run/intervals.h"
#include "sm/warp_ends.h"
#include "run/pipelines.h"
#include "run/request_paths.h"
#include "session/machine_choice.h"
#include "session/programs.h"
#include "session/tries.h"
#include "tracking/init_traffic.h"
#include "tracking/phase.h"
#include "workload/source.h"

struct session;

/* Checkpoints of the run (run/checkpoint.h). */
struct checkpoint_options {
	uint64_t every;	  /* core cycles; 0: none is written */
	const char *path; /* where the last one is kept */
	const char *from; /* the one that the run resumes; NULL: none */
};

struct session_options {
	struct machine_choice machine;

	const struct session_program *program;
	uint32_t n_programs; /* 1, or several that share the machine's modules */
	const char *size;    /* of workloads; NULL: default */
	bool print;	     /* what kernels print goes to stderr */
	enum ptx_oob oob;    /* what their accesses outside every buffer do */
	uint64_t log_bytes;  /* limit of a CTA's log while it is executed; 0: the default */
	struct accelsim_options accelsim;
	uint64_t max_unpacked;	   /* as in source_options */
	struct findings *findings; /* of what is looked for in kernels (ptx/exec/findings.h); NULL: nothing is */
	const char *record_path;   /* the trace is kept there too; NULL: it is not */

	const char *plan;    /* planners, or NULL */
	const char *tracker; /* by name; NULL: hw, if a planner wants extents */
	bool init_traffic;   /* the initialisation is run again with pages placed by the plan */
	bool analyse;	     /* the PTX is analysed even if no planner wants it */

	const struct cosim_options *hw; /* how hardware blocks are bound; NULL: to golden twins */
	bool on_cpu;			/* the kernels run on the CPU's cores */
	bool totals_only;		/* nobody asks what single launches did (gpu_config) */
	bool timeline;			/* which CTA ran where when is logged */
	bool warp_ends;			/* when each warp ended, likewise */
	bool profile;			/* what each instruction did is counted (sm/profile.h) */
	bool working_set;		/* lines that each SM accessed are counted (dispatch/working_set.h) */
	uint64_t interval;		/* core cycles: metrics over time (run/intervals.h); 0: none */
	const char *interval_metrics;	/* which; NULL: the usual ones */
	uint32_t interval_samples;	/* at most; 0: INTERVALS_SAMPLES */
	bool l1_sets;			/* what L1s do by their sets is counted (run/gpu_sets.h) */
	const char *trace_requests;	/* a filter: paths of loads' requests (run/request_paths.h); NULL: none */
	bool pipelines;			/* what instructions went through is logged (run/pipelines.h), ... */
	const char *pipelines_filter;	/* ... of these; NULL: of SM 0 */

	/* NULL: all launches are simulated (run/gpu_sampled.h). */
	const struct sample_options *sample;

	bool no_skip;
	uint32_t threads;				  /* of the host that the run may have; 0: one */
	bool always_threads;				  /* also where one is faster */
	uint64_t max_cycles, max_insts, max_thread_insts; /* 0: no limit */

	const struct checkpoint_options *checkpoints; /* NULL: none, and the run begins at its begin */
	const struct tries_options *tries;	      /* from a cycle on (session/tries.h); NULL: none */

	/* Called in session_run when the machine is built and the run begins; NULL: nobody wants to know. */
	void (*begins)(const struct session *s);
};

struct session_time {			       /* CPU seconds */
	double functional, phase, plan, model; /* plan: analysis of the PTX and planning; 0: no plan was asked for */
};

struct session {
	const struct session_options *options;
	struct arena arena; /* of the plan and all that it points to */
	struct machine machine;
	struct topology_view topology;
	struct source source;	  /* the program; of several: their traces as one */
	struct programs programs; /* if several */
	struct tracking_phase_result tracked;
	bool wants_tables; /* of TAFE: the plan does, or a tracker is named */
	bool was_tracked, has_init;
	struct init_traffic init;
	const struct plan *plan; /* NULL: none was asked for */
	struct cosim *hw;	 /* NULL: golden twins */
	struct timeline timeline;
	struct warp_ends warp_ends;
	struct gpu_profile profile; /* if wanted */
	struct intervals intervals; /* likewise */
	struct request_paths paths; /* likewise */
	struct gpu_sets l1_sets;    /* likewise */
	struct pipelines pipelines; /* likewise */
	struct tries tries;	    /* likewise */
	struct gpu_checkpoints checkpoints;
	struct checkpoint_file resumed;
	struct region region;	    /* of run and records, with checkpoints */
	struct arena records;	    /* in it */
	struct gpu_sampled sampled; /* likewise */
	struct gpu_result result;   /* of launches and tracked phase */
	bool has_run;
	int mismatch; /* of the hardware blocks: 0, 1 something differs, -1 it is not known (an error) */
	double began; /* CPU seconds */
	struct session_time time;
};

int session_open(struct session *s, const struct session_options *o, struct err *e);
int session_source(struct session *s, struct err *e);
int session_track(struct session *s, struct err *e);
int session_plan(struct session *s, struct err *e);
int session_init(struct session *s, struct err *e);

/* On success there is a result, also if session.mismatch is -1, which sets e, or if a checkpoint could not be written:
 * session.checkpoints.skipped. */
int session_run(struct session *s, struct err *e);

void session_close(struct session *s);

/* What a planner is asked: all that the session knows of program and machine. Without extents unless the tracking phase
 * was tracked. */
struct planner_request session_request(struct session *s);

/* Nothing differs: all invariants hold, results are right, hardware blocks agree. */
bool session_is_sound(const struct session *s);

#endif
