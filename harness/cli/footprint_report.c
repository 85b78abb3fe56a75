#include "cli/footprint_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "taf/taf_sparsity.h"

/* ---- arrays ---- */

enum sum { SUM_TID, SUM_DATA, SUM_ALL, SUMS };
static const char *const sum_names[SUMS] = {"TID_DEP", "data-dependent", "all"};

static const struct taf_footprint *elements_of(const struct plan_elements *by, const struct taf *t, const struct trace_buffer *b)
{
	for (int i = 0; i < TAF_ARRAYS; i++)
		if (taf_is_first_entry(t, i) && t->array[i].base == b->base)
			return &by[i].all;
	return NULL;
}

static struct plan_accuracy accuracy_of(const struct footprints *f, uint32_t buffer)
{
	struct plan_accuracy a = {0};

	plan_accuracy_add(&a, &f->touched[buffer], f->req->topology->n_modules);
	return a;
}

static struct plan_accuracy accuracy_sum(const struct footprints *f, enum sum which)
{
	struct plan_accuracy a = {0};

	for (uint32_t b = 0; b < trace_n_buffers(f->req->trace); b++)
		if (which == SUM_ALL || f->touched[b].data == (which == SUM_DATA))
			plan_accuracy_add(&a, &f->touched[b], f->req->topology->n_modules);
	return a;
}

static void print_pairs(const struct plan_accuracy *a, FILE *to)
{
	fprintf(to, "%9" PRIu64 "  %10" PRIu64 "  %10" PRIu64 "  %10" PRIu64 "  %10" PRIu64 "  ", a->pages, a->true_pos,
		a->true_neg, a->false_pos, a->false_neg);
	if (a->pages)
		fprintf(to, "%7.2f %%\n", 100 * plan_accuracy_share(a));
	else
		fputs("        -\n", to);
}

static int name_width(const struct footprints *f)
{
	size_t width = strlen(sum_names[SUM_DATA]);

	for (uint32_t b = 0; b < trace_n_buffers(f->req->trace); b++)
		if (strlen(trace_buffer(f->req->trace, b)->name) > width)
			width = strlen(trace_buffer(f->req->trace, b)->name);
	return (int)width;
}

static void print_array(const struct footprints *f, uint32_t buffer, int w, FILE *to)
{
	const struct trace_buffer *b = trace_buffer(f->req->trace, buffer);
	const struct taf_footprint *estimated = elements_of(f->estimated, f->req->taf, b),
				   *real = elements_of(f->real, f->req->taf, b);
	struct plan_accuracy a = accuracy_of(f, buffer);

	if (!f->touched[buffer].patterns || !estimated) {
		fprintf(to, "  %-*s  not registered\n", w, b->name);
		return;
	}
	fprintf(to, "  %-*s  %-18s  %11" PRIu64 "  %11" PRIu64 "  %11" PRIu64 "  ", w, b->name, f->touched[buffer].patterns,
		taf_elements(taf_array_at(f->req->taf, b->base)), taf_footprint_elements(estimated), taf_footprint_elements(real));
	print_pairs(&a, to);
}

void footprint_report_arrays(const struct footprints *f, FILE *to)
{
	int w = name_width(f);

	fprintf(to, "  %-*s  %-18s  %11s  %11s  %11s  %9s  %s\n", w, "", "", "", "elements", "elements", "",
		"pairs of a page and a module");
	fprintf(to, "  %-*s  %-18s  %11s  %11s  %11s  %9s  %10s  %10s  %10s  %10s  %9s\n", w, "array", "relations", "elements",
		"estimated", "touched", "pages", "true pos", "true neg", "false pos", "false neg", "right");
	for (uint32_t b = 0; b < trace_n_buffers(f->req->trace); b++)
		print_array(f, b, w, to);
	for (int s = 0; s < SUMS; s++) {
		struct plan_accuracy a = accuracy_sum(f, (enum sum)s);

		if (s != SUM_ALL && !a.pages)
			continue;
		fprintf(to, "  %-*s  %-18s  %11s  %11s  %11s  ", w, sum_names[s], "", "", "", "");
		print_pairs(&a, to);
	}
}

static void accuracy_stats(const char *prefix, const char *of, const struct plan_accuracy *a, unsigned flags, struct stats *to)
{
	char name[160], meaning[160];
	const struct {
		const char *key;
		uint64_t n;
		const char *what;
	} row[] = {
		{"true_pos", a->true_pos, "estimated and touched"},
		{"true_neg", a->true_neg, "neither"},
		{"false_pos", a->false_pos, "estimated only"},
		{"false_neg", a->false_neg, "touched only"},
	};

	snprintf(name, sizeof name, "%s.pages", prefix);
	snprintf(meaning, sizeof meaning, "%s", of);
	stats_count(to, flags, name, a->pages, "pages", meaning);
	for (unsigned i = 0; i < sizeof row / sizeof row[0]; i++) {
		snprintf(name, sizeof name, "%s.%s", prefix, row[i].key);
		snprintf(meaning, sizeof meaning, "pairs of a page and a module: %s", row[i].what);
		stats_count(to, flags, name, row[i].n, "pairs", meaning);
	}
	snprintf(name, sizeof name, "%s.accuracy", prefix);
	stats_real(to, flags, name, plan_accuracy_share(a), "", "pairs estimated correctly / all pairs");
}

static void array_stats(const struct footprints *f, uint32_t buffer, struct stats *to)
{
	const struct trace_buffer *b = trace_buffer(f->req->trace, buffer);
	const struct taf_footprint *estimated = elements_of(f->estimated, f->req->taf, b),
				   *real = elements_of(f->real, f->req->taf, b);
	struct plan_accuracy a = accuracy_of(f, buffer);
	char prefix[96], name[128];

	if (!f->touched[buffer].patterns || !estimated)
		return;
	snprintf(prefix, sizeof prefix, "footprint.array.%s", b->name);
	accuracy_stats(prefix, "of the array", &a, 0, to);
	snprintf(name, sizeof name, "%s.estimated", prefix);
	stats_count(to, 0, name, taf_footprint_elements(estimated), "elements",
		    "elements that at least one CTA is estimated to access");
	snprintf(name, sizeof name, "%s.touched", prefix);
	stats_count(to, 0, name, taf_footprint_elements(real), "elements", "elements that at least one CTA accesses");
}

/* Whether an entry before it takes the same indices from the same array. */
static bool indices_again(const struct taf *t, int entry)
{
	const struct taf_array *a = &t->array[entry];

	for (int i = 0; i < entry; i++) {
		const struct taf_array *b = &t->array[i];

		if (b->valid && b->ready && b->type == TAF_INDIR && t->array[b->start].base == t->array[a->start].base &&
		    b->m[0] == a->m[0] && b->c == a->c && taf_elements(b) == taf_elements(a))
			return true;
	}
	return false;
}

static void sparsity_stats(const struct footprints *f, struct stats *to)
{
	const struct taf *t = f->req->taf;
	struct taf_sparsity all = {0};

	for (int i = 0; i < TAF_ARRAYS; i++) {
		const struct taf_array *a = &t->array[i];
		struct taf_sparsity one;

		if (!a->valid || !a->ready || a->type != TAF_INDIR || indices_again(t, i))
			continue;
		one = taf_sparsity_of(t, f->req->extents, i);
		all.sum += one.sum;
		all.ctas += one.ctas;
	}
	if (all.ctas)
		stats_real(to, 0, "footprint.sparsity", all.sum / all.ctas, "",
			   "value sparsity: 1 - a CTA's indices from values / their range");
}

static uint64_t relations(const struct taf *t)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < TAF_ARRAYS; i++)
		n += t->array[i].valid;
	return n;
}

void footprint_report_stats(const struct footprints *f, struct stats *to)
{
	static const char *const prefix[SUMS] = {"footprint.tid", "footprint.data", "footprint"},
				 *const of[SUMS] = {"of arrays with TID_DEP relations alone", "of data-dependent arrays",
						    "of all registered arrays"};

	stats_count(to, 0, "footprint.metadata", f->req->taf->bytes, "bytes", "directory and extent tables");
	stats_count(to, 0, "footprint.relations", relations(f->req->taf), "relations",
		    "registered relations, each with a line of the directory");
	for (int s = SUMS - 1; s >= 0; s--) {
		struct plan_accuracy a = accuracy_sum(f, (enum sum)s);

		accuracy_stats(prefix[s], of[s], &a, 0, to);
	}
	sparsity_stats(f, to);
	for (uint32_t b = 0; b < trace_n_buffers(f->req->trace); b++)
		array_stats(f, b, to);
}

/* ---- CTAs ---- */

/* "0..511" or "0..1935 in 16 pieces" */
static void range_text(const struct taf_footprint *f, char out[48])
{
	if (!f->n)
		snprintf(out, 48, "-");
	else if (f->n == 1)
		snprintf(out, 48, "%" PRIu32 "..%" PRIu32, f->range[0].first, f->range[0].last);
	else
		snprintf(out, 48, "%" PRIu32 "..%" PRIu32 " in %" PRIu64 " pieces", f->range[0].first, f->range[f->n - 1].last,
			 f->n);
}

static void print_cta(const struct footprints *f, uint32_t i, int entry, int w, FILE *to)
{
	const struct taf_footprint *x = &f->estimated[entry].cta[i], *y = &f->real[entry].cta[i];
	uint32_t cta = f->apart.first + i;
	char estimated[48], real[48];

	range_text(x, estimated);
	range_text(y, real);
	fprintf(to, "  %9" PRIu32 "  %6" PRIu16 "  %-*s  %10" PRIu64 "  %10" PRIu64 "  %10" PRIu64 "  %-32s  %s\n", cta,
		f->modules_of.of[0][cta], w, f->req->taf->array[entry].name, taf_footprint_elements(x), taf_footprint_elements(y),
		taf_footprint_common(x, y), estimated, real);
}

void footprint_report_ctas(const struct footprints *f, FILE *to)
{
	int w = name_width(f);

	fprintf(to, "  %9s  %6s  %-*s  %10s  %10s  %10s  %-32s  %s\n", "CTA", "module", w, "array", "estimated", "touched", "both",
		"indices estimated", "touched");
	for (uint32_t i = 0; i < f->apart.n; i++)
		for (int k = 0; k < TAF_ARRAYS; k++)
			if (taf_is_first_entry(f->req->taf, k))
				print_cta(f, i, k, w, to);
}

/* ---- who touches an element ---- */

struct readers {
	const struct footprints *f;
	FILE *to;
	uint64_t modules;
	uint32_t n, first, last; /* CTAs; the run that is being gathered */
	unsigned runs;
};
enum { MOST_RUNS = 8 };

static void print_run(struct readers *r)
{
	if (r->runs++ < MOST_RUNS)
		fprintf(r->to, r->first == r->last ? "%s%" PRIu32 : "%s%" PRIu32 "-%" PRIu32, r->runs > 1 ? ", " : "", r->first,
			r->last);
	else if (r->runs == MOST_RUNS + 1)
		fputs(", ...", r->to);
}

static void take(void *ctx, uint32_t cta)
{
	struct readers *r = ctx;

	for (uint32_t i = 0; i < r->f->modules_of.n; i++)
		r->modules |= UINT64_C(1) << r->f->modules_of.of[i][cta];
	if (r->n++ && r->last + 1 != cta)
		print_run(r);
	if (r->n == 1 || r->last + 1 != cta)
		r->first = cta;
	r->last = cta;
}

static void print_readers(const struct footprints *f, const char *what, uint64_t from, uint64_t to, FILE *out)
{
	struct readers r = {.f = f, .to = out};

	fprintf(out, "  %s: CTAs ", what);
	taf_readers(f->req->taf, f->req->extents, from, to, take, &r);
	if (r.n)
		print_run(&r);
	fprintf(out, "%s (%" PRIu32 " in all), modules", r.n ? "" : "none", r.n);
	for (uint32_t h = 0; h < f->req->topology->n_modules; h++)
		if (r.modules >> h & 1)
			fprintf(out, " %" PRIu32, h);
	fputs(r.n ? "\n" : " none\n", out);
}

void footprint_report_readers(const struct footprints *f, const struct taf_array *a, uint32_t index, FILE *to)
{
	uint64_t at = a->base + (uint64_t)index * a->size, page = f->req->topology->page;
	char what[128];

	snprintf(what, sizeof what, "%s[%" PRIu32 "] at 0x%" PRIx64, a->name, index, at);
	print_readers(f, what, at, at + a->size, to);
	snprintf(what, sizeof what, "its page, 0x%" PRIx64, at / page * page);
	print_readers(f, what, at / page * page, at / page * page + page, to);
}
