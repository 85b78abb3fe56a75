/* Loads and requests overlap, so each is on the first of many tracks that is free. An arrow, whose number is that of
 * its request, twice, leads from a load to a request, another one, of a number more, on into the memory. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/lanes.h"
#include "perfetto/parts.h"
#include "perfetto/rows.h"
#include "profile/inst_names.h"
#include "profile/why_report.h"

/* ---- times ---- */

/* Ticks after a load's issue, rounded down to a nanosecond: what abuts goes on to do so. */
static uint64_t ns_of(const struct perfetto_requests *r, const struct path_load *load, uint32_t ticks)
{
	return load->issued * PERFETTO_CYCLE + (uint64_t)ticks * PERFETTO_CYCLE / r->period;
}

static uint64_t came_at(const struct perfetto_requests *r, const struct path_load *load, uint32_t i)
{
	return ns_of(r, load, load->request[i].end[PATH_REGISTERS]);
}

/* One that merged goes with the request that it found on its way. */
static bool is_in_memory(const struct perfetto_requests *r, const struct path_load *load, uint32_t i)
{
	const struct path_request *q = &load->request[i];

	return (q->found == L1_MISS || q->found == L1_SENT) &&
	       ns_of(r, load, q->end[PATH_DRAM]) > ns_of(r, load, q->end[PATH_NETWORK]);
}

/* ---- what slices say ---- */

static uint64_t arrow_to_request(const struct perfetto_requests *r, uint64_t load, uint32_t i)
{
	return 2 * (r->first[load] + i + 1);
}

static uint64_t arrow_to_memory(const struct perfetto_requests *r, uint64_t load, uint32_t i)
{
	return arrow_to_request(r, load, i) + 1;
}

static void describe_load(const void *ctx, uint64_t a, uint32_t b, struct packets_slice *s)
{
	const struct perfetto_requests *r = ctx;
	const struct path_load *load = r->load[a];
	const struct trace *t = r->session->source.trace;
	const struct request_place at = request_paths_place(&r->session->paths, t, load->row);
	char inst[INST_NAME];

	(void)b;
	inst_line_name(trace_kernel(t, at.kernel), at.inst, s->name);
	s->category[0] = "load";
	inst_name(trace_kernel(t, at.kernel), at.inst, inst);
	packets_text(s, "instruction", "%.200s", inst);
	packets_text(s, "kernel", "%.100s", trace_kernel(t, at.kernel)->name);
	packets_number(s, "launch", load->launch);
	packets_number(s, "cta", load->cta);
	packets_number(s, "warp", load->warp);
	packets_number(s, "latency", load->latency);
	packets_number(s, "requests", load->n);
	for (uint32_t i = 0; i < load->n; i++)
		s->flow[s->n_flows++] = arrow_to_request(r, a, i);
}

static void describe_waits(const struct path_request *q, struct packets_slice *s)
{
	for (unsigned w = 0; w < PATH_WAITS; w++)
		if (q->wait[w])
			packets_number(s, why_report_wait(w), q->wait[w]);
	if (q->failed)
		packets_number(s, "failed", q->failed);
}

static void describe_line(const struct path_request *q, struct packets_slice *s)
{
	packets_text(s, "line", "0x%" PRIx64, q->line);
}

static void describe_request(const void *ctx, uint64_t a, uint32_t b, struct packets_slice *s)
{
	const struct perfetto_requests *r = ctx;
	const struct path_request *q = &r->load[a]->request[b];

	snprintf(s->name, sizeof s->name, "0x%" PRIx64 " %s", q->line, why_report_found(q));
	s->category[0] = "request";
	describe_line(q, s);
	packets_text(s, "l1", "%s", why_report_found(q));
	if (q->found != L1_HIT) {
		packets_text(s, "l2", "%s", why_report_l2(q));
		packets_number(s, "slice", q->slice);
	}
	describe_waits(q, s);
	s->end[s->n_ends++] = arrow_to_request(r, a, b);
	if (is_in_memory(r, r->load[a], b))
		s->flow[s->n_flows++] = arrow_to_memory(r, a, b);
}

static void describe_station(const void *ctx, uint64_t a, uint32_t station, struct packets_slice *s)
{
	(void)ctx;
	(void)a;
	snprintf(s->name, sizeof s->name, "%s", path_station_name(station));
	s->category[0] = "station";
}

static void describe_memory(const void *ctx, uint64_t a, uint32_t b, struct packets_slice *s)
{
	const struct perfetto_requests *r = ctx;
	const struct path_request *q = &r->load[a]->request[b];

	snprintf(s->name, sizeof s->name, "0x%" PRIx64 " %s", q->line, why_report_l2(q));
	s->category[0] = "memory";
	describe_line(q, s);
	packets_number(s, "sm", r->load[a]->sm);
	packets_text(s, "l2", "%s", why_report_l2(q));
	s->end[s->n_ends++] = arrow_to_memory(r, a, b);
}

/* ---- which loads ---- */

static int by_sm_and_issue(const void *a, const void *b)
{
	const struct path_load *x = *(const struct path_load *const *)a, *y = *(const struct path_load *const *)b;

	if (x->sm != y->sm)
		return x->sm < y->sm ? -1 : 1;
	if (x->issued != y->issued)
		return x->issued < y->issued ? -1 : 1;
	return (x->number > y->number) - (x->number < y->number);
}

/* The slowest loads may be in the sample too. */
static void collect(struct perfetto_requests *r, const struct path_log *log)
{
	uint32_t n = 0;

	r->load = xmalloc((log->n_sample + log->n_slowest + 1) * sizeof(*r->load));
	for (uint32_t i = 0; i < log->n_sample; i++)
		r->load[n++] = log->sample[i];
	for (uint32_t i = 0; i < log->n_slowest; i++)
		r->load[n++] = log->slowest[i];
	qsort(r->load, n, sizeof(*r->load), by_sm_and_issue);
	for (uint32_t i = 0; i < n; i++)
		if (i == 0 || by_sm_and_issue(&r->load[i], &r->load[i - 1]) != 0)
			r->load[r->n++] = r->load[i];
	r->first = xcalloc(r->n + 1, sizeof *r->first);
	for (uint32_t i = 0; i < r->n; i++)
		r->first[i + 1] = r->first[i] + r->load[i]->n;
}

/* ---- tracks ---- */

/* Stations from one to another one, as children of what is on the track. */
static void add_stations(struct perfetto_requests *r, struct perfetto_trace *t, uint64_t track, const struct path_load *load,
			 const struct path_request *q, unsigned first, unsigned last)
{
	for (unsigned s = first; s <= last; s++)
		slices_add(&t->slices, &(struct slice){.begin = ns_of(r, load, path_begin(q, s)),
						       .end = ns_of(r, load, q->end[s]),
						       .track = track,
						       .from = &r->of_stations,
						       .b = s,
						       .depth = 1});
}

static void add_request(struct perfetto_requests *r, struct perfetto_trace *t, struct rows *rows, uint64_t a, uint32_t i)
{
	const struct path_load *load = r->load[a];
	uint64_t begin = ns_of(r, load, 0), end = came_at(r, load, i), track = rows_track(rows, &t->packets, begin, end);

	slices_add(&t->slices,
		   &(struct slice){.begin = begin, .end = end, .track = track, .from = &r->of_requests, .a = a, .b = i});
	add_stations(r, t, track, load, &load->request[i], PATH_SM, PATH_STATIONS - 1);
}

/* Of one SM, from load i on; returns the first one of the next SM. */
static uint32_t add_sm(struct perfetto_requests *r, struct perfetto_trace *t, uint32_t i)
{
	uint32_t sm = r->load[i]->sm;
	struct rows loads = {&t->sm[sm], "loads", {0}, NULL}, requests = {&t->sm[sm], "requests", {0}, NULL};

	for (; i < r->n && r->load[i]->sm == sm; i++) {
		const struct path_load *load = r->load[i];
		uint64_t begin = ns_of(r, load, 0), end = begin + (uint64_t)load->latency * PERFETTO_CYCLE;
		uint64_t track = rows_track(&loads, &t->packets, begin, end);

		slices_add(&t->slices, &(struct slice){.begin = begin, .end = end, .track = track, .from = &r->of_loads, .a = i});
		for (uint32_t k = 0; k < load->n; k++)
			add_request(r, t, &requests, i, k);
	}
	rows_free(&loads);
	rows_free(&requests);
	return i;
}

/* ---- in the memory ---- */

struct visit { /* of a request to a slice */
	uint64_t begin, end;
	uint32_t load, request, slice;
};

static int by_slice_and_begin(const void *a, const void *b)
{
	const struct visit *x = a, *y = b;

	if (x->slice != y->slice)
		return x->slice < y->slice ? -1 : 1;
	if (x->begin != y->begin)
		return x->begin < y->begin ? -1 : 1;
	if (x->load != y->load)
		return x->load < y->load ? -1 : 1;
	return (x->request > y->request) - (x->request < y->request);
}

static struct visit *visits(const struct perfetto_requests *r, uint64_t *n)
{
	struct visit *v = xmalloc((r->first[r->n] + 1) * sizeof *v);

	*n = 0;
	for (uint32_t l = 0; l < r->n; l++)
		for (uint32_t i = 0; i < r->load[l]->n; i++) {
			const struct path_load *load = r->load[l];
			const struct path_request *q = &load->request[i];

			if (is_in_memory(r, load, i))
				v[(*n)++] = (struct visit){.begin = ns_of(r, load, q->end[PATH_NETWORK]),
							   .end = ns_of(r, load, q->end[PATH_DRAM]),
							   .load = l,
							   .request = i,
							   .slice = q->slice};
		}
	qsort(v, *n, sizeof *v, by_slice_and_begin);
	return v;
}

static void add_visit(struct perfetto_requests *r, struct perfetto_trace *t, struct rows *rows, const struct visit *v)
{
	const struct path_load *load = r->load[v->load];
	uint64_t track = rows_track(rows, &t->packets, v->begin, v->end);

	slices_add(&t->slices,
		   &(struct slice){
			   .begin = v->begin, .end = v->end, .track = track, .from = &r->of_memory, .a = v->load, .b = v->request});
	add_stations(r, t, track, load, &load->request[v->request], PATH_L2, PATH_DRAM);
}

static void add_memory(struct perfetto_requests *r, struct perfetto_trace *t)
{
	uint64_t n;
	struct visit *v = visits(r, &n);

	for (uint64_t i = 0; i < n;) {
		uint32_t slice = v[i].slice;
		struct rows rows = {.of = &t->memory};
		char name[32];

		snprintf(name, sizeof name, "%s %" PRIu32, r->session->machine.l2.enabled ? "L2 slice" : "channel", slice);
		rows.name = name;
		for (; i < n && v[i].slice == slice; i++)
			add_visit(r, t, &rows, &v[i]);
		rows_free(&rows);
	}
	free(v);
}

void perfetto_requests_add(struct perfetto_requests *r, struct perfetto_trace *t)
{
	const struct session *s = t->session;

	*r = (struct perfetto_requests){.session = s,
					.period = s->machine.clock.period[CLOCK_CORE],
					.of_loads = {describe_load, r},
					.of_requests = {describe_request, r},
					.of_stations = {describe_station, r},
					.of_memory = {describe_memory, r}};
	if (!s->options->trace_requests)
		return;
	collect(r, &s->paths.log);
	for (uint32_t i = 0; i < r->n;)
		i = add_sm(r, t, i);
	add_memory(r, t);
}

void perfetto_requests_free(struct perfetto_requests *r)
{
	free(r->load);
	free(r->first);
}
