#include "cli/graph_report.h"

#include <inttypes.h>
#include <jansson.h>
#include <math.h>
#include <string.h>

#include "base/number.h"
#include "session/result.h"
#include "study/papers/paver_published.h"

void graph_figures(struct graph_launch *x, const struct locality_graph *g, const struct locality_score *s,
		   const struct locality_loads *loads, const struct locality_shares *shares, double seconds)
{
	*x = (struct graph_launch){.ctas = s->ctas,
				   .sharing = s->sharing,
				   .pairs = (double)s->pairs / 2,
				   .edges = (double)g->first[g->n] / 2,
				   .sp_score = s->sp_score,
				   .elements = (double)s->elements,
				   .shared_elements = (double)s->shared_elements,
				   .references = (double)s->references,
				   .shared_references = (double)s->shared_references,
				   .shares = *shares,
				   .loads = *loads,
				   .cap = g->cap,
				   .seconds = seconds};
	if (s->shared_elements)
		x->degree = x->shared_references / x->shared_elements / x->sharing;
}

struct graph_launch graph_mean(const struct graph_launch *x, uint32_t n)
{
	struct graph_launch m = {.cap = x->cap};

	for (uint32_t i = 0; i < n; i++) {
		m.ctas += x[i].ctas / n;
		m.sharing += x[i].sharing / n;
		m.pairs += x[i].pairs / n;
		m.edges += x[i].edges / n;
		m.sp_score += x[i].sp_score / n;
		m.degree += x[i].degree / n;
		m.elements += x[i].elements / n;
		m.shared_elements += x[i].shared_elements / n;
		m.references += x[i].references / n;
		m.shared_references += x[i].shared_references / n;
		m.shares.unshared += x[i].shares.unshared; /* Figure 2 is of the application: of all of its accesses */
		m.shares.intra += x[i].shares.intra;
		m.shares.inter += x[i].shares.inter;
		m.shares.both += x[i].shares.both;
		m.shares.total += x[i].shares.total;
		m.loads.exact += x[i].loads.exact;
		m.loads.possible += x[i].loads.possible;
		m.loads.open += x[i].loads.open;
		m.cap = x[i].cap < m.cap ? x[i].cap : m.cap;
		m.seconds += x[i].seconds;
	}
	return m;
}

static double part(double x, const struct locality_shares *s)
{
	return s->total > 0 ? x / s->total : 0;
}

/* ---- text ---- */

static void count_text(double v, char out[64])
{
	if (v == floor(v))
		number_commas((uint64_t)v, out);
	else
		snprintf(out, 64, "%.2f", v);
}

static void print_count(const char *name, double v, const char *meaning, FILE *to)
{
	char text[64];

	count_text(v, text);
	fprintf(to, "  %-20s %16s%s%s\n", name, text, *meaning ? "  " : "", meaning);
}

static void print_loads(const struct locality_loads *l, FILE *to)
{
	fprintf(to, "%" PRIu32 " load%s known exactly, %" PRIu32 " within bounds, %" PRIu32 " only at run time", l->exact,
		l->exact == 1 ? "" : "s", l->possible, l->open);
}

static void print_one(const struct graph_report *r, FILE *to)
{
	const struct graph_launch *x = &r->launch[0];

	print_count("CTAs", x->ctas, "", to);
	print_count("sharing CTAs", x->sharing, "read something that another CTA reads", to);
	print_count("sharing pairs", x->pairs, "pairs of CTAs that share data", to);
	print_count("edges", x->edges, x->edges < x->pairs ? "what more CTAs than the cap read joins consecutive ones" : "", to);
	fprintf(to, "  %-20s %16.9f  1 - ordered sharing pairs / CTAs^2\n", "SpScore", x->sp_score);
	fprintf(to, "  %-20s %16.6f  readers of what is shared, of the sharing CTAs\n", "degree of sharing", x->degree);
	print_count(r->lines ? "lines" : "elements", x->elements, "elements that CTAs read", to);
	print_count("references", x->references, "the same, once for each CTA that reads them", to);
	print_count("shared references", x->shared_references, "to what several CTAs read", to);
}

static void print_table(const struct graph_report *r, FILE *to)
{
	fprintf(to, "  %6s  %-24s %8s %8s %12s %12s %8s %8s  %s\n", "launch", "kernel", "CTAs", "sharing", "edges", "SpScore",
		"degree", "inter-CTA", "class");
	for (uint32_t i = 0; i <= r->n; i++) {
		const struct graph_launch *x = i < r->n ? &r->launch[i] : &r->mean;
		const struct trace *t = r->source->trace;

		if (i < r->n)
			fprintf(to, "  %6" PRIu32 "  %-24.24s", r->first + i,
				trace_kernel(t, trace_launch(t, r->first + i)->kernel)->name);
		else
			fprintf(to, "  %6s  %-24s", "mean", "");
		fprintf(to, " %8.6g %8.6g %12.10g %12.9f %8.4f %7.1f %%  %s\n", x->ctas, x->sharing, x->edges, x->sp_score,
			x->degree, 100 * part(x->shares.inter + x->shares.both, &x->shares), locality_class(&x->shares));
	}
}

static void print_shares(const struct graph_report *r, FILE *to)
{
	const struct locality_shares *s = &r->mean.shares;

	fprintf(to,
		"\n  read accesses (from the trace): %.1f %% unshared, %.1f %% intra-CTA, %.1f %% inter-CTA, %.1f %% both; class: "
		"%s\n",
		100 * part(s->unshared, s), 100 * part(s->intra, s), 100 * part(s->inter, s), 100 * part(s->both, s),
		locality_class(s));
}

static void print_published(const struct graph_report *r, FILE *to)
{
	const struct paver_published *p = paver_published_find(r->workload);
	const struct graph_launch *x = &r->mean;

	if (!p)
		return;
	fprintf(to, "\n  PAVER, Table 2: %-6s %14s %10s %12s %14s %10s  %s\n", p->benchmark, "SpScore", "CTAs", "sharing",
		"elements", "degree", "class");
	fprintf(to, "  %-22s %14.9f %10.6g %12.6g %14.10g %10.6f  %s\n", "measured", x->sp_score, x->ctas, x->sharing, x->elements,
		x->degree, locality_class(&x->shares));
	fprintf(to, "  %-22s %14.9g %10" PRIu32 " %12" PRIu32 " %14.10g ", "published", p->sp_score, p->ctas, p->sharing,
		p->elements);
	if (isnan(p->degree))
		fprintf(to, "%10s  %s\n", "-", p->sharing_class);
	else
		fprintf(to, "%10.6f  %s\n", p->degree, p->sharing_class);
	if (p->graph_ctas && p->graph_ctas != p->ctas)
		fprintf(to, "  The published SpScore is that of a graph of %" PRIu32 " CTAs, not of the %" PRIu32 " of Total TB.\n",
			p->graph_ctas, p->ctas);
}

/* The paper's overhead has the host program's time up to the launch, which is ours only if it was executed here. */
static void print_simulator(const struct graph_report *r, FILE *to)
{
	const struct source *s = r->source;
	double jit = s->analysis_seconds + r->mean.seconds;

	if (r->from_trace) {
		fprintf(to, "\n  simulator: graph from the trace %.1f ms\n", 1e3 * r->mean.seconds);
		return;
	}
	fprintf(to,
		"\n  simulator: analysis %.1f ms (PTX %.1f, graph %.1f), host program before its first launch %.1f ms: JIT "
		"overhead "
		"%.1f %%\n",
		1e3 * jit, 1e3 * s->analysis_seconds, 1e3 * r->mean.seconds, 1e3 * s->host_seconds,
		s->host_seconds + jit > 0 ? 100 * jit / (s->host_seconds + jit) : 0);
}

void graph_report_text(const struct graph_report *r, FILE *to)
{
	const struct trace *t = r->source->trace;
	const struct trace_launch *l = trace_launch(t, r->first);

	fprintf(to, "%s", trace_name(t));
	if (r->n == 1)
		fprintf(to, ", launch %" PRIu32 ": %s, %ux%ux%u CTAs of %ux%ux%u threads", r->first,
			trace_kernel(t, l->kernel)->name, l->grid[0], l->grid[1], l->grid[2], l->block[0], l->block[1],
			l->block[2]);
	else
		fprintf(to, ", %" PRIu32 " launches", r->n);
	fprintf(to, "\n  from %s: ", r->from_trace ? "the trace" : "the PTX");
	if (r->from_trace)
		fprintf(to, "%" PRIu32 " load%s", r->mean.loads.exact, r->mean.loads.exact == 1 ? "" : "s");
	else
		print_loads(&r->mean.loads, to);
	fprintf(to, "; by %s; cap %" PRIu32 " CTAs\n\n", r->lines ? "lines of 128 bytes" : "elements", r->mean.cap);
	if (r->n == 1)
		print_one(r, to);
	else
		print_table(r, to);
	print_shares(r, to);
	print_published(r, to);
	print_simulator(r, to);
}

/* ---- JSON ---- */

void graph_report_stats(const struct graph_launch *x, struct stats *to)
{
	const struct locality_shares *s = &x->shares;

	stats_real(to, 0, "graph.ctas", x->ctas, "CTAs", "");
	stats_real(to, 0, "graph.sharing_ctas", x->sharing, "CTAs", "CTAs that read data that another CTA also reads");
	stats_real(to, 0, "graph.pairs", x->pairs, "pairs", "pairs of CTAs that share data");
	stats_real(to, 0, "graph.edges", x->edges, "edges", "edges of the graph; reader sets above the cap are chains");
	stats_real(to, 0, "graph.sp_score", x->sp_score, "", "1 - ordered sharing pairs / CTAs^2");
	stats_real(to, 0, "graph.degree", x->degree, "", "readers of what is shared, of the sharing CTAs");
	stats_real(to, 0, "graph.elements", x->elements, "", "elements that CTAs read");
	stats_real(to, 0, "graph.shared_elements", x->shared_elements, "", "elements that several CTAs read");
	stats_real(to, 0, "graph.references", x->references, "", "elements, once for each CTA that reads them");
	stats_real(to, 0, "graph.shared_references", x->shared_references, "", "references to shared elements");
	stats_real(to, 0, "shares.accesses", s->total, "accesses", "reads by warps, by element");
	stats_real(to, 0, "shares.unshared", part(s->unshared, s), "",
		   "accesses to elements that a single warp reads / all accesses");
	stats_real(to, 0, "shares.intra", part(s->intra, s), "", "several warps of one CTA");
	stats_real(to, 0, "shares.inter", part(s->inter, s), "", "several CTAs, one warp in each");
	stats_real(to, 0, "shares.both", part(s->both, s), "", "several CTAs, several warps in one of them");
}

static json_t *figures_json(const struct graph_launch *x)
{
	struct stats s = {0};
	json_t *o;

	graph_report_stats(x, &s);
	o = stats_json(&s);
	stats_free(&s);
	return o;
}

static json_t *launch_json(const struct graph_report *r, uint32_t i)
{
	const struct graph_launch *x = &r->launch[i];
	const struct trace *t = r->source->trace;

	return json_pack("{s:i, s:s, s:{s:i, s:i, s:i}, s:i, s:s, s:o}", "launch", (int)(r->first + i), "kernel",
			 trace_kernel(t, trace_launch(t, r->first + i)->kernel)->name, "loads", "exact", (int)x->loads.exact,
			 "possible", (int)x->loads.possible, "open", (int)x->loads.open, "cap", (int)x->cap, "class",
			 locality_class(&x->shares), "stats", figures_json(x));
}

json_t *graph_report_json(const struct graph_report *r)
{
	json_t *launches = json_array();
	char hash[32];

	snprintf(hash, sizeof hash, "0x%016" PRIx64, trace_hash(r->source->trace));
	for (uint32_t i = 0; i < r->n; i++)
		json_array_append_new(launches, launch_json(r, i));
	return json_pack("{s:o, s:s, s:s, s:s, s:s, s:s, s:o, s:o}", "locus", result_origin(), "workload",
			 trace_name(r->source->trace), "trace_hash", hash, "source", r->from_trace ? "trace" : "static", "unit",
			 r->lines ? "line" : "element", "class", locality_class(&r->mean.shares), "launches", launches, "stats",
			 figures_json(&r->mean));
}
