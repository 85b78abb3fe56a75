#include "cli/model_report.h"

#include <inttypes.h>
#include <string.h>

#include "cli/sample_report.h"
#include "session/result.h"

static void index_text(const struct machine_cache *c, char out[32])
{
	if (c->index == INDEX_PRIC)
		snprintf(out, 32, "pric(%" PRIu32 ")", c->poly);
	else
		snprintf(out, 32, "linear");
}

static void title_gpu(const struct source *s, const struct machine *m, FILE *to)
{
	char l1[32], l2[32];

	index_text(&m->l1.c, l1);
	index_text(&m->l2.c, l2);
	fprintf(to, "%s on %s: %" PRIu32 " SMs, ", trace_name(s->trace), m->name, m->sm.count);
	if (m->l1.enabled && m->sm.unified_bytes)
		fprintf(to, "L1 %" PRIu32 " to %" PRIu32 " KB of %" PRIu32 " sets, set index %s", m->l1.c.bytes / 1024,
			(m->sm.unified_bytes - m->sm.carveouts.v[0]) / 1024, machine_cache_sets(&m->l1.c), l1);
	else if (m->l1.enabled)
		fprintf(to, "L1 %" PRIu32 " KB %" PRIu32 "-way, set index %s", m->l1.c.bytes / 1024, m->l1.c.assoc, l1);
	else
		fprintf(to, "no L1");
	if (m->l2.c.index != INDEX_LINEAR)
		fprintf(to, ", L2 set index %s", l2);
	fputs("\n\n", to);
}

static void title_cpu(const struct source *s, const struct machine *m, FILE *to)
{
	fprintf(to, "%s on the CPU of %s: %" PRIu32 " core%s at %" PRIu32 " MHz, ", trace_name(s->trace), m->name, m->cpu.count,
		m->cpu.count > 1 ? "s" : "", m->clock.mhz[CLOCK_CPU]);
	if (m->cpu.simd == 1)
		fprintf(to, "scalar\n\n");
	else
		fprintf(to, "%" PRIu32 " lanes per instruction\n\n", m->cpu.simd);
}

/* Which program has which modules, if several share them. */
static void print_shares(const struct programs *p, FILE *to)
{
	for (uint32_t i = 0; i < p->n; i++)
		fprintf(to, "  %-20s modules %u to %u\n", p->part[i].name, p->program[i].first_module,
			p->program[i].first_module + p->program[i].n_modules - 1);
	if (p->n)
		fputc('\n', to);
}

void model_report_title(const struct session *s)
{
	(s->options->on_cpu ? title_cpu : title_gpu)(&s->source, &s->machine, stdout);
	print_shares(&s->programs, stdout);
	if (s->hw)
		cosim_print_title(s->hw, stdout);
	fflush(stdout);
}

static void print_simulator(const struct source *s, const struct gpu_result *r, const struct session_time *t, FILE *to)
{
	fprintf(to, "\n  simulator: functional %.2f s", t->functional);
	if (s->executed && t->functional > 0)
		fprintf(to, " (%.2f million warp instructions per second)", (double)s->executed / t->functional / 1e6);
	if (t->phase > 0)
		fprintf(to, ", tracking phase %.2f s", t->phase);
	if (t->plan > 0)
		fprintf(to, ", plan %.1f ms", 1e3 * t->plan);
	fprintf(to, ", model %.2f s", t->model);
	if (t->model > 0)
		fprintf(to, " (%.2f million warp instructions per second)", (double)r->warp_insts / t->model / 1e6);
	fputc('\n', to);
	if (t->plan > 0 && s->host_seconds > 0) /* PAVER, section 3.3 */
		fprintf(to, "  host code before its first launch: %.1f ms; overhead of the plan: %.1f %%\n", 1e3 * s->host_seconds,
			100 * t->plan / (t->plan + s->host_seconds));
}

static void print_cut(const struct gpu_result *r, FILE *to)
{
	if (r->cut)
		fprintf(to, "  cut by %s after %" PRIu64 " cycles: invariants about the end of a run are not checked\n",
			result_cut_by(r), r->cycles);
}

/* A share of the schedulers' cycles in which nothing was issued, by the reason. */
static bool is_stall(const struct stat_row *r)
{
	return !(r->flags & STAT_DETAIL) && r->kind == STAT_PERCENT && !strncmp(r->name, "sched.", 6) &&
	       strcmp(r->name, "sched.issued") != 0;
}

static const struct stat_row *largest_stall(const struct stats *s)
{
	const struct stat_row *most = NULL;

	for (unsigned i = 0; i < s->n; i++)
		if (is_stall(&s->row[i]) && (!most || s->row[i].real > most->real))
			most = &s->row[i];
	return most;
}

/* The metrics by which runs are compared, then the largest stall. */
static void print_headlines(const struct stats *s, FILE *to)
{
	const struct stat_row *stall = largest_stall(s);

	for (const char *const *name = result_headlines; *name; name++) {
		const struct stat_row *row = stats_find(s, *name);

		if (row)
			stats_print_row(row, to);
	}
	if (stall)
		stats_print_row(stall, to);
}

static bool is_headline(const struct stat_row *r)
{
	for (const char *const *name = result_headlines; *name; name++)
		if (!strcmp(*name, r->name))
			return true;
	return false;
}

/* The other rows, in the order of the result. */
static void print_details(const struct stats *s, FILE *to)
{
	const struct stat_row *stall = largest_stall(s);

	for (unsigned i = 0; i < s->n; i++)
		if (!(s->row[i].flags & STAT_DETAIL) && !is_headline(&s->row[i]) && &s->row[i] != stall)
			stats_print_row(&s->row[i], to);
}

void model_report_brief(const struct session *s, FILE *to)
{
	const struct gpu_result *r = &s->result;

	if (s->options->sample)
		sample_report_text(&s->sampled, s->source.trace, to);
	print_headlines(&r->stats, to);
	print_cut(r, to);
	if (r->audit.failed)
		audit_print(&r->audit, to);
	if (s->source.differs)
		fprintf(to, "  %-32s %16s\n", "results", "WRONG");
}

void model_report_text(const struct session *s, bool launches, FILE *to)
{
	const struct gpu_result *r = &s->result;

	if (s->options->sample)
		sample_report_text(&s->sampled, s->source.trace, to);
	print_headlines(&r->stats, to);
	fputc('\n', to);
	print_details(&r->stats, to);
	gpu_print_arrays(&r->stats, to);
	gpu_print_classes(&r->stats, to);
	gpu_print_traffic(&r->stats, to);
	if (launches)
		gpu_print_launches(r, to);
	fputc('\n', to);
	print_cut(r, to);
	audit_print(&r->audit, to);
	if (s->source.checked)
		fprintf(to, "  %-32s %16s\n", "results", s->source.differs ? "WRONG" : "right");
	if (s->source.cut)
		fputs("  the last launch was executed only up to the run's limit: results are not compared and buffers are not "
		      "dumped\n",
		      to);
	print_simulator(&s->source, r, &s->time, to);
}
