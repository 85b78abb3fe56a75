#include "cli/sample_report.h"

#include <inttypes.h>
#include <math.h>

#include "base/number.h"

static void print_head(const struct gpu_sampled *s, FILE *to)
{
	char simulated[32], all[32];

	fprintf(to, "  ESTIMATES, not measurements: %" PRIu32 " of %" PRIu32 " launches were simulated", s->simulated, s->launches);
	if (s->divided)
		fprintf(to, ",\n  %" PRIu32 " of %s in windows of CTAs, of which %" PRIu32 " of %" PRIu32 " were;", s->divided,
			s->launches > 1 ? "all" : "which", s->simulated_windows, s->windows);
	else
		fputc(',', to);
	fprintf(to, " with %s of %s\n", number_commas(s->simulated_warp_insts, simulated), number_commas(s->warp_insts, all));
	fprintf(to, "  warp instructions, in %" PRIu32 " run%s; %s to within %g %%, intervals of %g %%, seed %" PRIu64 "\n\n",
		s->runs, s->runs > 1 ? "s" : "", s->options.metric, 100 * s->options.error, 100 * s->options.confidence,
		s->options.seed);
}

static void number(const struct gpu_estimate *e, double v, char out[64])
{
	if (e->kind == STAT_COUNT && v >= 0 && v < 1e18)
		number_commas((uint64_t)(v + 0.5), out);
	else
		snprintf(out, 64, "%.*f", e->kind == STAT_PERCENT ? 2 : 3, e->kind == STAT_PERCENT ? 100 * v : v);
}

static void print_estimate(const struct gpu_estimate *e, FILE *to)
{
	char value[64], half[64], relative[32] = "";

	number(e, e->e.value, value);
	number(e, e->e.half, half);
	if (e->e.value != 0 && e->kind != STAT_PERCENT)
		snprintf(relative, sizeof relative, "%.2f %%", 100 * e->e.half / fabs(e->e.value));
	fprintf(to, "  %-28s %18s +- %-14s %9s  %-12s %s\n", e->name, value, half, relative, e->unit, e->meaning);
}

static const char *const kinds[] = {"launches", "first, last windows", "windows between"};

static void print_strata(const struct gpu_sampled *s, const struct trace *t, FILE *to)
{
	char least[32], most[32];

	fprintf(to, "\n  %-28s %-20s %8s %9s %8s  warp instructions of a launch\n", "stratum of kernel", "of", "all", "measured",
		"skipped");
	for (uint32_t h = 0; h < s->strata.n; h++) {
		const struct stratum *m = &s->strata.stratum[h];

		fprintf(to, "  %-28s %-20s %8" PRIu32 " %9" PRIu32 " %8" PRIu32 "  %s to %s\n", trace_kernel(t, m->kernel)->name,
			kinds[m->kind], m->n, s->drawn[h], m->n - s->drawn[h], number_commas(m->least, least),
			number_commas(m->most, most));
	}
}

void sample_report_text(const struct gpu_sampled *s, const struct trace *t, FILE *to)
{
	print_head(s, to);
	for (uint32_t i = 0; i < s->n; i++)
		print_estimate(&s->estimate[i], to);
	print_strata(s, t, to);
}
