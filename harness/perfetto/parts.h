/* The parts of a Perfetto trace of a run, which perfetto_file.c puts together: each describes its tracks, and then has
 * slices or values. A core cycle (on the CPU one of its own) is PERFETTO_CYCLE nanoseconds of the viewer. */
#ifndef HARNESS_PERFETTO_PARTS_H
#define HARNESS_PERFETTO_PARTS_H

#include "dispatch/timeline_ran.h"
#include "perfetto/packets.h"
#include "perfetto/slices.h"
#include "session/session.h"

enum { PERFETTO_CYCLE = 1000 };

struct perfetto_trace {
	const struct session *session;
	struct packets packets;
	struct slices slices;
	struct packets_process launches, metrics, memory, *sm; /* by SM, or core of the CPU */
	uint32_t n_sms;
};

/* ---- perfetto_ctas.c: launches, and CTAs in the contexts of their SMs ---- */

struct perfetto_ctas {
	const struct trace *trace;
	uint64_t n;
	struct timeline_ran *ran;
	struct timeline_launch *launch;
	struct slice_source of_ctas, of_launches;
};
void perfetto_ctas_add(struct perfetto_ctas *c, struct perfetto_trace *t);
void perfetto_ctas_free(struct perfetto_ctas *c);

/* ---- perfetto_warps.c: warps beside the CTAs of their SMs, from their CTA's start on ---- */

struct perfetto_warps {
	const struct perfetto_ctas *ctas;
	const struct warp_ends *ends;
	struct slice_source of_warps;
};
/* On the CPU there are none. */
void perfetto_warps_add(struct perfetto_warps *w, const struct perfetto_ctas *c, struct perfetto_trace *t);

/* ---- perfetto_counters.c: metrics over time, if they were recorded ---- */

struct perfetto_counters {
	const struct intervals *v;
	uint64_t *track; /* by series */
	uint32_t next;	 /* the sample whose begin is due */
};
void perfetto_counters_add(struct perfetto_counters *c, struct perfetto_trace *t);
/* Writes the values that are due by a time. */
void perfetto_counters_write(void *counters, struct packets *p, uint64_t ns);
void perfetto_counters_free(struct perfetto_counters *c);

/* ---- perfetto_requests.c: loads that were followed, their requests station by station, these in the memory ---- */

struct perfetto_requests {
	const struct session *session;
	uint64_t period; /* ticks a core cycle */
	uint32_t n;
	const struct path_load **load; /* those kept, each once, by SM, then by issue */
	uint64_t *first;	       /* by load: the number of its first request, for arrows; one more */
	struct slice_source of_loads, of_requests, of_stations, of_memory;
};
void perfetto_requests_add(struct perfetto_requests *r, struct perfetto_trace *t);
void perfetto_requests_free(struct perfetto_requests *r);

#endif
