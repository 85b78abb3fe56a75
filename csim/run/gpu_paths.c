/* The paths of a run's requests: the SMs' logs as one, and their invariants. */
#include <inttypes.h>

#include "run/gpu_impl.h"
#include "run/request_paths.h"
#include "sm/path.h"

enum { MOST_BYTES = 1 << 28 /* of all SMs' sums by instruction */ };

int gpu_paths_begin(struct gpu *g, struct err *e)
{
	struct request_paths *p = g->config->paths;
	uint32_t rows, sms = g->m->sm.count, room = REQUEST_PATHS_ROOM / sms;

	if (!p)
		return 0;
	rows = gpu_number_instructions(g);
	if (rows > MOST_BYTES / (sizeof(struct path_blame) + sizeof(struct path_totals)) / sms)
		return err_set(e, "--trace-requests: of %" PRIu32 " instructions on %" PRIu32 " SMs: too many", rows, sms);
	path_log_init(&p->log, p->arena, &p->filter, rows, REQUEST_PATHS_ROOM);
	for (uint32_t s = 0; s < sms; s++)
		path_use(&g->sm[s], &g->arena, &p->filter, rows, room < PATH_MAX_REQUESTS ? PATH_MAX_REQUESTS : room);
	return 0;
}

void gpu_paths_end(struct gpu *g)
{
	for (uint32_t s = 0; g->config->paths && s < g->m->sm.count; s++)
		path_log_take(&g->config->paths->log, &g->sm[s].paths->log);
}

/* Whether the filter lets all loads through. */
static bool takes_all(const struct gpu *g, const struct path_filter *f)
{
	return !f->row && f->first_sm == 0 && f->last_sm == g->m->sm.count - 1 && f->first == 0 && f->last == UINT64_MAX &&
	       f->latency == 0 && f->every == 1;
}

/* Stations that end before they begin, and waits that are not of the time in SM and L1. */
static uint64_t wrong(const struct path_load *load, uint64_t period)
{
	uint64_t n = 0;

	for (uint32_t i = 0; i < load->n; i++) {
		const struct path_request *r = &load->request[i];
		uint64_t told = 0;

		for (unsigned s = PATH_SM; s < PATH_STATIONS; s++)
			n += r->end[s] < path_begin(r, s);
		for (unsigned w = 0; w < PATH_WAITS; w++)
			told += r->wait[w];
		n += told * period != r->end[PATH_L1];
		n += r->end[PATH_BACK] > load->request[load->last].end[PATH_BACK];
	}
	return n + (load->request[load->last].end[PATH_REGISTERS] != load->latency * period);
}

void gpu_audit_paths(const struct gpu *g, const struct gpu_counts *c, struct audit *a)
{
	const struct request_paths *p = g->config->paths;
	struct path_totals sum;
	uint64_t stations = 0, bad = 0, period = g->m->clock.period[CLOCK_CORE];

	if (!p)
		return;
	sum = path_log_sum(&p->log);
	for (unsigned s = 0; s < PATH_STATIONS; s++)
		stations += sum.station[s];
	for (uint32_t i = 0; i < p->log.n_sample; i++)
		bad += wrong(p->log.sample[i], period);
	for (uint32_t i = 0; i < p->log.n_slowest; i++)
		bad += wrong(p->log.slowest[i], period);
	audit_equal(a, "request paths: time at all stations of the last requests = latency of their loads", stations,
		    sum.cycles * period);
	audit_equal(a, "request paths: stations out of order or with a wrong sum", bad, 0);
	if (!takes_all(g, &p->filter))
		return;
	audit_equal(a, "request paths: loads = loads counted by the load/store units", sum.loads, c->sm.load.loads);
	audit_equal(a, "request paths: latency of loads = latency counted by the load/store units", sum.cycles, c->sm.load.cycles);
}
