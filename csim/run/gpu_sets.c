#include "run/gpu_sets.h"

#include <inttypes.h>

#include "run/gpu_impl.h"

enum { MOST_COUNTS = 1 << 22 /* of all SMs: 128 MiB */ };

int gpu_sets_begin(struct gpu *g, struct err *e)
{
	struct gpu_sets *s = g->config->sets;

	if (!s)
		return 0;
	s->sms = g->m->sm.count;
	s->sets = machine_cache_sets(&g->m->l1.c);
	if (s->sets >= MOST_COUNTS / s->sms)
		return err_set(e, "counts of %" PRIu32 " sets on %" PRIu32 " SMs are too many", s->sets, s->sms);
	s->count = arena_array(s->arena, (size_t)s->sms * (s->sets + 1), sizeof *s->count);
	g->l1_sets = arena_array(&g->arena, s->sms, sizeof *g->l1_sets);
	for (uint32_t i = 0; i < s->sms; i++)
		l1_sets_observe(&g->l1_sets[i], &g->sm[i].lsu.l1, &s->count[(size_t)i * (s->sets + 1)]);
	return 0;
}

void gpu_sets_end(struct gpu *g)
{
	for (uint32_t i = 0; g->config->sets && i < g->m->sm.count; i++)
		l1_sets_finish(&g->l1_sets[i], g->cycles);
}

void gpu_audit_sets(const struct gpu *g, const struct gpu_counts *c, struct audit *a)
{
	const struct gpu_sets *s = g->config->sets;
	const struct l1_counts *l1 = &c->sm.l1;
	struct l1_set_counts sum = {0};

	if (!s)
		return;
	for (uint64_t i = 0; i < (uint64_t)s->sms * (s->sets + 1); i++)
		METRICS_ADD(&sum, &s->count[i]);
	audit_equal(a, "l1 sets: accesses by set = accesses", sum.accesses, l1->accesses);
	audit_equal(a, "l1 sets: hits by set = hits + hits reserved", sum.hits, l1->hits + l1->reserved);
	audit_equal(a, "l1 sets: misses by set = misses", sum.misses, l1->misses);
	audit_equal(a, "l1 sets: cycles of line failures, summed over sets = of the cache", sum.fail_line,
		    c->sm.l1_stats.fail_cycles[0]);
}
