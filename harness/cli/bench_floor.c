#include "cli/bench_floor.h"

#include <math.h>

#include "base/cputime.h"
#include "sm/lsu/coalesce.h"
#include "trace/walk.h"

struct pass {
	const struct machine *m;
	const struct trace_cta *cta;
	struct bench_floor *out;
};

static void count(void *ctx, const struct trace_access *a)
{
	const struct pass *p = ctx;
	const struct trace_addr addr = trace_addr_at(p->cta, a->addr);
	uint32_t line = a->inst->space == SPACE_CONST ? p->m->const_cache.c.line : p->m->l1.c.line;
	struct coalesce_tx tx[COALESCE_MAX];

	if (a->inst->space == SPACE_SHARED)
		p->out->cycles += coalesce_bank_cycles(&addr, p->cta->lanes, a->mask, a->inst->width, p->m->shared.banks);
	else
		p->out->lines += coalesce_lines(&addr, p->cta->lanes, a->mask, a->inst->width, line, tx);
}

static int read_launch(struct pass *p, struct trace *t, uint32_t launch, struct trace_cta *cta, struct err *e)
{
	const struct trace_launch *l = trace_launch(t, launch);

	for (uint32_t i = 0; i < l->n_ctas; i++) {
		if (trace_read_cta(t, launch, i, cta, e) != 0)
			return -1;
		for (uint32_t w = 0; w < cta->n_warps; w++)
			p->out->insts += cta->warp[w].insts;
		trace_walk_cta(trace_kernel(t, l->kernel), cta, count, p);
	}
	return 0;
}

static int pass_once(const struct machine *m, struct trace *t, struct bench_floor *out, struct err *e)
{
	struct trace_cta cta = {0};
	struct pass p = {m, &cta, out};
	double start = cpu_seconds();
	int rc = 0;

	out->insts = out->lines = out->cycles = 0;
	for (uint32_t l = 0; l < trace_n_launches(t) && rc == 0; l++)
		rc = read_launch(&p, t, l, &cta, e);
	trace_cta_free(&cta);
	out->floor = fmin(out->floor, cpu_seconds() - start);
	return rc;
}

static int run_once(const struct machine *m, struct trace *t, struct bench_floor *out, struct err *e)
{
	struct gpu_config c = {.machine = m, .trace = t, .threads = 1};
	struct gpu_result r = {0};
	double start = cpu_seconds();

	if (gpu_run(&c, &r, e) != 0)
		return -1;
	out->model = fmin(out->model, cpu_seconds() - start);
	gpu_result_free(&r);
	return 0;
}

int bench_floor_measure(const struct machine *m, struct trace *t, unsigned repeat, struct bench_floor *out, struct err *e)
{
	*out = (struct bench_floor){.floor = INFINITY, .model = INFINITY};
	for (unsigned i = 0; i < repeat; i++)
		if (pass_once(m, t, out, e) != 0 || run_once(m, t, out, e) != 0)
			return -1;
	return 0;
}
