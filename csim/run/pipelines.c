/* The pipelines of a run's SMs: the filter, and the logs ahead of the run and behind it. */
#include "run/pipelines.h"

#include <inttypes.h>
#include <string.h>

#include "base/number.h"
#include "run/gpu_impl.h"
#include "sm/pipeline.h"

/* ---- a filter ---- */

static int read_term(struct pipeline_filter *f, const char *term, struct err *e)
{
	const struct {
		const char *key;
		uint64_t *first, *last;
	} keys[] = {{"sm=", &f->first_sm, &f->last_sm},
		    {"cta=", &f->first_cta, &f->last_cta},
		    {"warp=", &f->first_warp, &f->last_warp},
		    {"cycles=", &f->first_cycle, &f->last_cycle}};

	for (unsigned i = 0; i < sizeof keys / sizeof *keys; i++) {
		size_t n = strlen(keys[i].key);

		if (strncmp(term, keys[i].key, n) != 0)
			continue;
		return number_parse_range(term + n, keys[i].first, keys[i].last) == 0 ? 0
										      : err_set(e, "%s: must be N or N-M", term);
	}
	return err_set(e, "\"%s\" is not one of sm=, cta=, warp=, cycles=", term);
}

int pipelines_init(struct pipelines *p, struct arena *a, const struct machine *m, const char *filter, struct err *e)
{
	char *text = filter ? arena_strdup(a, filter) : NULL, *save = NULL;
	unsigned terms = 0;

	*p = (struct pipelines){
		.arena = a,
		.filter = {.last_cta = UINT64_MAX, .last_warp = UINT64_MAX, .last_cycle = UINT64_MAX},
	};
	for (char *term = text ? strtok_r(text, ",", &save) : NULL; term; term = strtok_r(NULL, ",", &save), terms++)
		if (read_term(&p->filter, term, e) != 0)
			return -1;
	if (filter && !terms)
		return err_set(e, "is empty");
	if (p->filter.last_sm >= m->sm.count)
		return err_set(e, "sm=%" PRIu64 ": the machine has SMs 0 to %" PRIu32, p->filter.last_sm, m->sm.count - 1);
	return 0;
}

/* ---- a run ---- */

void gpu_pipelines_begin(struct gpu *g)
{
	struct pipelines *p = g->config->pipelines;
	uint32_t first;

	if (!p)
		return;
	first = (uint32_t)p->filter.first_sm;
	p->n = (uint32_t)p->filter.last_sm - first + 1;
	p->log = arena_array(p->arena, p->n, sizeof *p->log);
	for (uint32_t i = 0; i < p->n; i++) {
		pipeline_log_init(&p->log[i], p->arena, first + i, PIPELINES_ROOM / p->n);
		pipeline_use(&g->sm[first + i], &g->arena, &p->filter, &p->log[i]);
	}
}

void gpu_pipelines_end(struct gpu *g)
{
	for (uint32_t s = 0; s < g->m->sm.count; s++)
		pipeline_finish(&g->sm[s], g->cycles);
}
