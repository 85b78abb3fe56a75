#include "cli/model_report.h"

#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <string.h>

#include "cli/plan_report.h"
#include "process/interrupt.h"
#include "version.h"

static void index_text(const struct machine_cache *c, char out[32])
{
	if (c->index == INDEX_PRIC)
		snprintf(out, 32, "pric(%" PRIu32 ")", c->poly);
	else
		snprintf(out, 32, "linear");
}

void model_report_title(const struct source *s, const struct machine *m, FILE *to)
{
	char l1[32], l2[32];

	index_text(&m->l1.c, l1);
	index_text(&m->l2.c, l2);
	fprintf(to, "%s on %s: %" PRIu32 " SMs, ", trace_name(s->trace), m->name, m->sm.count);
	if (m->l1.enabled)
		fprintf(to, "L1 %" PRIu32 " KB %" PRIu32 "-way, set index %s", m->l1.c.bytes / 1024, m->l1.c.assoc, l1);
	else
		fprintf(to, "no L1");
	if (m->l2.c.index != INDEX_LINEAR)
		fprintf(to, ", L2 set index %s", l2);
	fputs("\n\n", to);
}

void model_report_title_host(const struct source *s, const struct machine *m, FILE *to)
{
	fprintf(to, "%s on the host of %s: %" PRIu32 " core%s at %" PRIu32 " MHz, ", trace_name(s->trace), m->name, m->host.count,
		m->host.count > 1 ? "s" : "", m->clock.mhz[CLOCK_HOST]);
	if (m->host.simd == 1)
		fprintf(to, "scalar\n\n");
	else
		fprintf(to, "%" PRIu32 " lanes an instruction\n\n", m->host.simd);
}

static void print_host(const struct source *s, const struct gpu_result *r, const struct model_time *t, FILE *to)
{
	fprintf(to, "\n  host: functional %.2f s", t->functional);
	if (s->executed && t->functional > 0)
		fprintf(to, " (%.2f M warp instructions a second)", (double)s->executed / t->functional / 1e6);
	if (t->phase > 0)
		fprintf(to, ", host phase %.2f s", t->phase);
	if (t->plan > 0)
		fprintf(to, ", plan %.1f ms", 1e3 * t->plan);
	fprintf(to, ", model %.2f s", t->model);
	if (t->model > 0)
		fprintf(to, " (%.2f M warp instructions a second)", (double)r->warp_insts / t->model / 1e6);
	fputc('\n', to);
	if (t->plan > 0 && s->host_seconds > 0) /* PAVER, section 3.3 */
		fprintf(to, "  host program before its first launch %.1f ms: the plan's overhead is %.1f %%\n",
			1e3 * s->host_seconds, 100 * t->plan / (t->plan + s->host_seconds));
}

/* NULL: the run came to its end. */
static const char *cut_by(const struct gpu_result *r)
{
	return !r->cut ? NULL : interrupt_taken() ? interrupt_name(interrupt_taken()) : "the limit";
}

void model_report_text(const struct source *s, const struct gpu_result *r, bool launches, const struct model_time *t, FILE *to)
{
	stats_print(&r->stats, to);
	gpu_print_arrays(&r->stats, to);
	gpu_print_traffic(&r->stats, to);
	if (launches)
		gpu_print_launches(r, to);
	fputc('\n', to);
	if (r->cut)
		fprintf(to, "  cut by %s after %" PRIu64 " cycles: invariants about the end of a run are not checked\n", cut_by(r),
			r->cycles);
	audit_print(&r->audit, to);
	if (s->checked)
		fprintf(to, "  %-32s %16s\n", "results", s->differs ? "WRONG" : "right");
	print_host(s, r, t, to);
}

json_t *model_report_origin(void)
{
	return json_pack("{s:s, s:s}", "version", LOCUS_VERSION, "git", LOCUS_GIT);
}

static json_t *launches_json(const struct gpu_result *r)
{
	json_t *all = json_array();

	for (uint32_t i = 0; i < r->n_launches; i++) {
		const struct gpu_launch *l = &r->launch[i];

		json_array_append_new(all, json_pack("{s:I, s:s, s:s*, s:o}", "index", (json_int_t)l->index, "kernel", l->kernel,
						     "program", l->program, "stats", stats_json(&l->stats)));
	}
	return all;
}

json_t *model_report_json(const struct source *s, const struct machine *m, const struct gpu_result *r, const struct plan *p)
{
	char hash[17];

	snprintf(hash, sizeof hash, "%016" PRIx64, trace_hash(s->trace));
	return json_pack("{s:o, s:s, s:s, s:s*, s:o, s:o*, s:o, s:o, s:o, s:o}", "locus", model_report_origin(), "workload",
			 trace_name(s->trace), "trace_hash", hash, "cut", cut_by(r), "machine", machine_json(m), "plan",
			 p ? plan_report_json(p, s->trace) : NULL, "stats", stats_json(&r->stats), "units",
			 stats_units_json(&r->stats), "launches", launches_json(r), "audit", audit_json(&r->audit));
}

int model_report_write(struct output *to, json_t *json, struct err *e)
{
	int failed, why;

	if (!to->f) {
		json_decref(json);
		return 0;
	}
	errno = 0;
	failed = json_dumpf(json, to->f, JSON_INDENT(2) | JSON_REAL_PRECISION(12)) != 0 || fputc('\n', to->f) == EOF;
	why = errno;
	json_decref(json);
	if (!failed)
		return output_keep(to, e);
	err_set(e, "%s: cannot write: %s", to->path, strerror(why ? why : EIO));
	output_drop(to);
	return -1;
}

int model_report_save(struct output *to, const struct source *s, const struct machine *m, const struct gpu_result *r,
		      const struct plan *p, struct err *e)
{
	return to->f ? model_report_write(to, model_report_json(s, m, r, p), e) : 0;
}
