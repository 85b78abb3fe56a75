/* Metrics over time of a run on the SMs: which there are, and their samples. */
#include <fnmatch.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/suggestion.h"
#include "dispatch/group_dispatch.h"
#include "run/energy.h"
#include "run/gpu_impl.h"

/* Those that are shown unless some are named; a machine may not have them all. The last one is of programs whose warps
 * wait for one another. */
#define USUAL                                                                                                                      \
	"ipc.warp,occupancy,sched.issued,sched.mem_line,sched.memory,l1.accesses,l1.miss_rate,load.latency.mean,"                  \
	"l2.accesses,l2.miss_rate,dram.bytes,dram.bus_busy,dram.queue,warps.allowed,l1.bypassed,vm.moved,"                         \
	"memory.remote_share"
#define USUAL_WAITS USUAL ",sched.wait"

/* Of what the counters are. */
enum part { PART_TOTAL, PART_SM, PART_CHANNEL, PART_MODULE };

struct instance {
	enum part part;
	uint32_t number;
};

/* The counters of an instance up to a moment. */
struct words {
	struct gpu_counts gpu;
	struct energy energy;
	struct group_dispatch_counts groups;
	struct interval_levels levels;
};

struct list { /* a table that the machine has, of each instance of a part */
	const struct metric_table *table;
	enum part part;
	size_t words; /* where its counters are in struct words */
	unsigned shown, has;
};
enum { MAX_LISTS = 20 };

struct gpu_intervals {
	struct intervals *v;
	struct list list[MAX_LISTS];
	uint32_t n_lists;

	/* by series */
	struct instance *of;
	uint32_t *in; /* its list */
	uint32_t room;

	uint64_t *last, *word; /* counters at the last sample; what they did since */
	struct ticks due;
};

/* ---- which there are ---- */

enum { SHOWN_TOTAL = OF_RUN | OF_RUN_DETAIL | OF_LAUNCH | OF_INTERVAL };

static void add_list(struct gpu_intervals *g, enum part part, const struct metric_table *t, size_t words, unsigned has)
{
	unsigned shown = part == PART_MODULE ? OF_SM : part == PART_SM ? SHOWN_TOTAL | OF_SM : SHOWN_TOTAL;

	PANIC_UNLESS(g->n_lists < MAX_LISTS, "intervals", g->n_lists);
	g->list[g->n_lists++] = (struct list){t, part, words, shown, has};
}

static void add_sm_lists(const struct gpu *g, enum part part)
{
	size_t sm = offsetof(struct words, gpu.sm), levels = offsetof(struct words, levels);

	add_list(g->intervals, part, &sm_issue_metrics, sm, gpu_has(g));
	add_list(g->intervals, part, &sm_cta_metrics, sm, gpu_has(g));
	add_list(g->intervals, part, &sm_memory_metrics, sm, gpu_has(g));
	add_list(g->intervals, part, &gpu_sm_levels_metrics, levels, 0);
}

static void add_vm_lists(const struct gpu *g)
{
	size_t all = offsetof(struct words, gpu);

	if (!g->vm.on)
		return;
	add_list(g->intervals, PART_TOTAL, &gpu_page_metrics, all, 0);
	if (g->vm.mover)
		add_list(g->intervals, PART_TOTAL, &gpu_move_metrics, all, 0);
	if (!g->m->vm.tlb)
		return;
	add_list(g->intervals, PART_TOTAL, &gpu_tlb_metrics, all, 0);
	add_list(g->intervals, PART_MODULE, &gpu_module_metrics, all, 0);
}

static void add_lists(const struct gpu *g)
{
	size_t memsys = offsetof(struct words, gpu.memsys), levels = offsetof(struct words, levels);
	bool links = g->memsys->topology.nodes > 1;
	struct group_dispatch_counts groups;

	add_sm_lists(g, PART_TOTAL);
	if (group_dispatch_total(&g->dispatch, &groups))
		add_list(g->intervals, PART_TOTAL, &gpu_group_metrics, offsetof(struct words, groups), 0);
	add_list(g->intervals, PART_TOTAL, &memsys_metrics, memsys, memsys_has(g->memsys));
	add_list(g->intervals, PART_TOTAL, &gpu_memsys_levels_metrics, levels, 0);
	add_list(g->intervals, PART_TOTAL, &gpu_channel_levels_metrics, levels, 0);
	if (links)
		add_list(g->intervals, PART_TOTAL, &memsys_link_metrics, memsys, memsys_has(g->memsys));
	if (g->gccs.n)
		add_list(g->intervals, PART_TOTAL, &gpu_gcc_metrics, offsetof(struct words, gpu.gcc), 0);
	add_vm_lists(g);
	if (energy_is_known(g->m))
		add_list(g->intervals, PART_TOTAL, &energy_metrics, offsetof(struct words, energy), gpu_energy_has(g));
	add_sm_lists(g, PART_SM);
	add_list(g->intervals, PART_CHANNEL, &memsys_metrics, memsys, 0);
	add_list(g->intervals, PART_CHANNEL, &gpu_channel_levels_metrics, levels, 0);
}

static uint32_t instances(const struct gpu *g, enum part part)
{
	switch (part) {
	case PART_SM:
		return g->m->sm.count;
	case PART_CHANNEL:
		return g->memsys->channels;
	case PART_MODULE:
		return g->vm.modules;
	default:
		return 1;
	}
}

static const char *path_of(struct instance i, const char *name, char path[160])
{
	static const char *const before[] = {"", "sm", "dram", "module"};

	if (i.part == PART_CHANNEL)
		name += strlen("dram.");
	if (i.part == PART_TOTAL)
		snprintf(path, 160, "%s", name);
	else
		snprintf(path, 160, "%s.%" PRIu32 ".%s", before[i.part], i.number, name);
	return path;
}

static bool has_metric(const struct list *l, const struct metric *m)
{
	if (l->part == PART_CHANNEL && strncmp(m->name, "dram.", strlen("dram.")) != 0)
		return false;
	return (m->shown & l->shown) && !(m->shown & NOT_OVER_TIME) && !(m->needs & ~l->has);
}

/* ---- which of them are wanted ---- */

struct choice {
	char *text; /* a copy of the names, cut at its commas */
	const char **pattern;
	bool *matched;
	uint32_t n;
	bool named; /* by somebody */
};

static void choice_init(struct choice *c, const char *names, const char *usual)
{
	char *save = NULL;

	*c = (struct choice){.named = names != NULL, .text = xstrdup(names ? names : usual)};
	c->pattern = xcalloc(strlen(c->text) + 1, sizeof *c->pattern);
	c->matched = xcalloc(strlen(c->text) + 1, sizeof *c->matched);
	for (char *p = strtok_r(c->text, ",", &save); p; p = strtok_r(NULL, ",", &save))
		c->pattern[c->n++] = p;
}

static void choice_free(struct choice *c)
{
	free(c->text);
	free(c->pattern);
	free(c->matched);
}

static bool is_chosen(struct choice *c, const char *path)
{
	bool any = false;

	for (uint32_t i = 0; i < c->n; i++)
		if (fnmatch(c->pattern[i], path, 0) == 0)
			any = c->matched[i] = true;
	return any;
}

typedef int visit_fn(struct gpu *g, uint32_t list, struct instance i, const struct metric *m, void *ctx, struct err *e);

/* All series that the machine has, instance by instance, so that the counters of each are read once. */
static int visit(struct gpu *g, visit_fn *f, void *ctx, struct err *e)
{
	const struct gpu_intervals *v = g->intervals;

	for (enum part part = PART_TOTAL; part <= PART_MODULE; part++)
		for (uint32_t i = 0; i < instances(g, part); i++)
			for (uint32_t l = 0; l < v->n_lists; l++)
				for (unsigned m = 0; v->list[l].part == part && m < v->list[l].table->n; m++)
					if (has_metric(&v->list[l], &v->list[l].table->row[m]) &&
					    f(g, l, (struct instance){part, i}, &v->list[l].table->row[m], ctx, e) != 0)
						return -1;
	return 0;
}

static void add_series(struct gpu *g, uint32_t list, struct instance i, const struct metric *m, const char *path)
{
	static const char *const name[] = {"total", "sm", "channel", "module"};
	struct gpu_intervals *v = g->intervals;
	struct arena *a = v->v->arena;
	uint32_t n = v->v->n++;

	v->of[n] = i;
	v->in[n] = list;
	v->v->series[n] = (struct interval_series){
		.path = arena_strdup(a, path),
		.name = m->name,
		.of = i.part == PART_TOTAL ? name[PART_TOTAL] : arena_printf(a, "%s %" PRIu32, name[i.part], i.number),
		.metric = m,
		.sm = i.part == PART_SM ? (int32_t)i.number : -1,
		.by_unit = m->kind == METRIC_SCALED};
}

static int choose(struct gpu *g, uint32_t list, struct instance i, const struct metric *m, void *choice, struct err *e)
{
	char path[160];

	if (!is_chosen(choice, path_of(i, m->name, path)))
		return 0;
	if (g->intervals->v->n == INTERVALS_SERIES)
		return err_set(e, "--interval-metrics: at most %d series; these names match more", INTERVALS_SERIES);
	add_series(g, list, i, m, path);
	return 0;
}

static int offer(struct gpu *g, uint32_t list, struct instance i, const struct metric *m, void *suggestion, struct err *e)
{
	char path[160];

	(void)g;
	(void)list;
	(void)e;
	suggestion_offer(suggestion, arena_strdup(&g->arena, path_of(i, m->name, path)));
	return 0;
}

static int refuse_unknown(struct gpu *g, const struct choice *c, struct err *e)
{
	struct suggestion s = {0};
	char near[160];

	if (c->named && !c->n)
		return err_set(e, "--interval-metrics: names no metric");
	for (uint32_t i = 0; c->named && i < c->n; i++) {
		if (c->matched[i])
			continue;
		s.typed = c->pattern[i];
		visit(g, offer, &s, e);
		return err_set(e, "--interval-metrics: no metric over time has the name \"%s\"%s; locus list metrics",
			       c->pattern[i], suggestion_text(&s, near));
	}
	return 0;
}

/* ---- samples ---- */

static void read_total(const struct gpu *g, uint64_t cycles, struct ticks end, struct words *w)
{
	w->gpu = gpu_count(g, GPU_ALL, cycles, end);
	w->levels = gpu_memsys_levels(g->memsys);
	for (uint32_t s = 0; s < g->m->sm.count; s++) {
		struct interval_levels sm = gpu_sm_levels(&g->sm[s]);

		METRICS_ADD(&w->levels, &sm);
	}
	if (energy_is_known(g->m))
		w->energy = energy_of(g->m, &w->gpu);
	group_dispatch_total(&g->dispatch, &w->groups);
}

static void read_instance(const struct gpu *g, struct instance i, uint64_t cycles, struct ticks end, struct words *w)
{
	memset(w, 0, sizeof *w);
	switch (i.part) {
	case PART_TOTAL:
		read_total(g, cycles, end, w);
		break;
	case PART_SM:
		w->gpu.sm = sm_count(&g->sm[i.number], cycles);
		w->gpu.sm.elapsed = cycles;
		w->levels = gpu_sm_levels(&g->sm[i.number]);
		break;
	case PART_CHANNEL:
		w->gpu.memsys.dram = g->memsys->channel[i.number].stats;
		w->gpu.memsys.dram_cycles = cycles_in(end, g->m->clock.period[CLOCK_DRAM]);
		w->levels.in_channels = dram_waiting(&g->memsys->channel[i.number]);
		break;
	case PART_MODULE:
		w->gpu.mmu = g->vm.mmu[i.number].stats;
		break;
	}
}

/* What all counters have done since the last sample; levels are as they are. */
static void read_all(const struct gpu *g, uint64_t cycles, struct ticks end)
{
	struct gpu_intervals *v = g->intervals;
	struct words w;

	for (uint32_t i = 0; i < v->v->n; i++) {
		struct interval_series *s = &v->v->series[i];
		uint64_t *last = &v->last[2 * i], *word = &v->word[2 * i];
		struct metric_value x;

		if (i == 0 || v->of[i].part != v->of[i - 1].part || v->of[i].number != v->of[i - 1].number)
			read_instance(g, v->of[i], cycles, end, &w);
		x = metric_value(s->metric, (const char *)&w + v->list[v->in[i]].words, g->m->clock.period[CLOCK_CORE]);
		word[0] = x.a - (s->metric->kind == METRIC_LEVEL ? 0 : last[0]);
		word[1] = x.b - last[1];
		last[0] = x.a;
		last[1] = x.b;
		s->units = x.b;
	}
}

const struct ticks *gpu_intervals_due(const struct gpu *g)
{
	return g->intervals ? &g->intervals->due : NULL;
}

static void set_due(struct gpu *g)
{
	g->intervals->due = ticks_of(series_due(&g->intervals->v->samples), g->m->clock.period[CLOCK_CORE]);
}

void gpu_intervals_note(struct gpu *g)
{
	struct gpu_intervals *v = g->intervals;
	uint64_t cycle;

	if (!v || !ticks_equal(g->loop.until, v->due))
		return;
	cycle = series_due(&v->v->samples);
	for (uint32_t s = 0; s < g->m->sm.count; s++)
		sm_count_up_to(&g->sm[s], cycle);
	read_all(g, cycle, v->due);
	series_add(&v->v->samples, v->word);
	set_due(g);
}

void gpu_intervals_end(struct gpu *g)
{
	if (!g->intervals)
		return;
	read_all(g, g->cycles, g->end);
	series_close(&g->intervals->v->samples, g->cycles, g->intervals->word);
	g->intervals->v->cycles = g->cycles;
}

/* ---- its begin ---- */

static int choose_series(struct gpu *g, struct err *e)
{
	struct choice c;
	int rc;

	choice_init(&c, g->intervals->v->metrics, g->sync ? USUAL_WAITS : USUAL);
	rc = visit(g, choose, &c, e) == 0 ? refuse_unknown(g, &c, e) : -1;
	choice_free(&c);
	return rc;
}

int gpu_intervals_begin(struct gpu *g, struct err *e)
{
	struct intervals *v = g->config->intervals;
	struct gpu_intervals *own;
	bool *level;

	if (!v)
		return 0;
	g->intervals = own = arena_alloc(&g->arena, sizeof *own);
	own->v = v;
	own->of = arena_array(&g->arena, INTERVALS_SERIES, sizeof *own->of);
	own->in = arena_array(&g->arena, INTERVALS_SERIES, sizeof *own->in);
	v->series = arena_array(v->arena, INTERVALS_SERIES, sizeof *v->series);
	add_lists(g);
	if (choose_series(g, e) != 0)
		return -1;
	own->last = arena_array(&g->arena, v->n, 2 * sizeof *own->last);
	own->word = arena_array(&g->arena, v->n, 2 * sizeof *own->word);
	level = arena_array(v->arena, v->n, 2 * sizeof *level);
	for (uint32_t i = 0; i < v->n; i++)
		level[2 * i] = v->series[i].metric->kind == METRIC_LEVEL;
	series_init(&v->samples, v->arena, v->asked, v->most ? v->most : INTERVALS_SAMPLES, 2 * v->n, level);
	set_due(g);
	return 0;
}

/* ---- values ---- */

bool intervals_value(const struct intervals *v, uint32_t series, uint32_t i, double *out)
{
	const struct interval_series *s = &v->series[series];
	const uint64_t *word = series_at(&v->samples, i) + 2 * series;
	uint64_t by = s->by_unit ? s->units : metric_is_ratio(s->metric) ? word[1] : 1;

	if (!by)
		return false;
	*out = (double)(int64_t)word[0] / (double)by * (s->metric->kind == METRIC_PERCENT ? 100 : 1);
	return true;
}

struct metric_value intervals_sum(const struct intervals *v, uint32_t series)
{
	struct metric_value sum = {0};

	for (uint32_t i = 0; i < v->samples.n; i++) {
		sum.a += series_at(&v->samples, i)[2 * series];
		sum.b += series_at(&v->samples, i)[2 * series + 1];
	}
	return sum;
}
