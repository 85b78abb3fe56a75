#include "cli/plan_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "machine/occupancy.h"
#include "session/plan_json.h"

enum { LISTS_SHOWN = 8, LIST_WIDTH = 72 };

/* "0-3 8-11": consecutive CTAs as ranges; what does not fit in a line is left out. */
static void print_list(const struct plan_lists *l, uint32_t i, FILE *to)
{
	uint32_t at = l->first[i], end = l->first[i + 1], next;
	int width = fprintf(to, "    %" PRIu32 ":", i);

	for (; at < end && width < LIST_WIDTH; at = next) {
		for (next = at + 1; next < end && l->cta[next] == l->cta[next - 1] + 1;)
			next++;
		width += fprintf(to, " %" PRIu32, l->cta[at]);
		if (next > at + 1)
			width += fprintf(to, "-%" PRIu32, l->cta[next - 1]);
	}
	fprintf(to, "%s\n", at < end ? " ..." : "");
}

static void print_lists(const struct plan_lists *l, FILE *to)
{
	struct plan_list_sizes s = plan_list_sizes(l);

	fprintf(to, ", %" PRIu32 " of %" PRIu32, l->n, s.least);
	if (s.least != s.most)
		fprintf(to, " to %" PRIu32, s.most);
	fprintf(to, " CTAs%s", l->steal ? ", stealing" : "");
	if (l->weight)
		fprintf(to, "; %.1f %% of what CTAs share is in a group", 100 * (1 - (double)l->cut / (double)l->weight));
	fputc('\n', to);
	for (uint32_t i = 0; i < l->n && i < LISTS_SHOWN; i++)
		print_list(l, i, to);
	if (l->n > LISTS_SHOWN)
		fprintf(to, "    ... and %" PRIu32 " more\n", l->n - LISTS_SHOWN);
}

static void print_localities(const struct plan_launch *l, FILE *to)
{
	for (uint32_t i = 0; i < l->n_localities; i++) {
		const struct locality_entry *e = &l->locality[i];

		fprintf(to, "    locality %" PRIu32 ": %s, 0x%" PRIx64 " to 0x%" PRIx64 ", priority %u: cached %s, prefetch %s", i,
			l->locality_name[i], e->base, e->bound - 1, e->priority, plan_caching_names[e->caching],
			plan_prefetch_names[e->prefetch]);
		if (e->prefetch == LOCALITY_STRIDE)
			fprintf(to, ", %" PRIu32 " bytes ahead", e->distance);
		fputc('\n', to);
	}
}

void plan_report_launches(const struct plan *p, const struct planner_request *req, FILE *to)
{
	if (!p->launch) {
		fprintf(to, "  CTAs: round robin\n\n");
		return;
	}
	for (uint32_t i = 0, n; i < p->n_launches; i += n) {
		const struct plan_launch *l = &p->launch[i];

		for (n = 1; i + n < p->n_launches && plan_launches_alike(p, i, i + n);)
			n++;
		fprintf(to, "  CTAs of launch %" PRIu32, i);
		if (n > 1)
			fprintf(to, " to %" PRIu32, i + n - 1);
		fprintf(to, " (%s): %s", trace_kernel(req->trace, trace_launch(req->trace, i)->kernel)->name,
			plan_dispatch_names[l->dispatch]);
		for (uint32_t h = 0; l->dispatch == DISPATCH_AFFINITY && h < p->n_modules; h++)
			fprintf(to, "%s%" PRIu32, h ? ", " : ", turns of ", l->blocks[h]);
		if (l->lists)
			print_lists(l->lists, to);
		else
			fputc('\n', to);
		print_localities(l, to);
	}
	fputc('\n', to);
}

static int name_width(const struct planner_request *req)
{
	size_t width = 5;

	for (uint32_t b = 0; b < trace_n_buffers(req->trace); b++)
		if (strlen(trace_buffer(req->trace, b)->name) > width)
			width = strlen(trace_buffer(req->trace, b)->name);
	return (int)width;
}

/* "12 12 11 11"; of eight stacks and more, least and most. */
static void pages_text(const struct plan *p, const struct planner_request *req, uint32_t buffer, char out[64])
{
	uint32_t n = req->topology->n_stacks;
	double *count = calloc(n, sizeof *count), least, most;
	size_t at = 0;

	if (!count)
		abort();
	if (!plan_pages_on(p, req, buffer, count)) {
		snprintf(out, 64, "as touched");
	} else if (n > 4) {
		least = most = count[0];
		for (uint32_t k = 1; k < n; k++) {
			least = count[k] < least ? count[k] : least;
			most = count[k] > most ? count[k] : most;
		}
		snprintf(out, 64, "%.6g to %.6g", least, most);
	} else {
		for (uint32_t k = 0; k < n; k++)
			at += (size_t)snprintf(out + at, 64 - at, "%s%.6g", k ? " " : "", count[k]);
	}
	free(count);
}

static void number_text(double v, char out[24])
{
	snprintf(out, 24, v > 0 ? "%.6g" : "-", v);
}

static void share_text(const struct plan_expected *x, char out[16])
{
	snprintf(out, 16, x->lines ? "%.2f %%" : "-", x->lines ? 100 * x->remote / (double)x->lines : 0);
}

static void print_why(const struct plan_finding *f, FILE *to)
{
	bool any = f->why && f->why[0];

	if (f->line)
		fprintf(to, "  line %" PRIu32 "%s", f->line, any ? ": " : "");
	if (any)
		fprintf(to, "%s%s", f->line ? "" : "  ", f->why);
}

void plan_report_arrays(const struct plan *p, const struct planner_request *req, const struct plan_expected *by,
			const struct plan_expected *sum, FILE *to)
{
	static const struct plan_buffer none = {.placement = PLACE_DEFAULT};
	int w = name_width(req);
	char stride[24], chunk[24], pages[64], share[16];

	fprintf(to, "  %-*s  %-11s  %-9s  %10s  %10s  %-20s  %12s  %8s  why\n", w, "array", "placement", "verdict", "bytes/CTA",
		"chunk", "pages by stack", "lines", "remote");
	for (uint32_t i = 0; i < p->n_buffers; i++) {
		const struct plan_buffer *b = p->buffer ? &p->buffer[i] : &none;

		number_text(b->found.stride, stride);
		number_text(b->found.chunk, chunk);
		pages_text(p, req, i, pages);
		share_text(&by[i], share);
		fprintf(to, "  %-*s  %-11s  %-9s  %10s  %10s  %-20s  %12" PRIu64 "  %8s", w, trace_buffer(req->trace, i)->name,
			plan_placement_names[b->placement], b->found.verdict ? b->found.verdict : "-", stride, chunk, pages,
			by[i].lines, share);
		print_why(&b->found, to);
		fputc('\n', to);
	}
	share_text(sum, share);
	fprintf(to, "  %-*s  %-11s  %-9s  %10s  %10s  %-20s  %12" PRIu64 "  %8s\n", w, "all", "", "", "", "", "", sum->lines,
		share);
}

static void pages_line(const char *name, int w, const struct plan_pages *p, FILE *to)
{
	double n = p->touched ? (double)p->touched : 1;

	fprintf(to, "  %-*s  %9" PRIu64, w, name, p->touched);
	for (unsigned b = 0; b < PAGES_BINS; b++)
		fprintf(to, "  %6.2f", 100 * (double)p->by_ctas[b] / n);
	fprintf(to, "  %10.2f\n", 100 * (double)p->one_module / n);
}

/* Of all CTAs those for which the plan names an SM. */
static void report_lists(const struct plan *p, const struct trace *t, struct stats *to)
{
	uint64_t listed = 0, all = 0;

	for (uint32_t i = 0; i < trace_n_launches(t); i++) {
		uint32_t n = trace_launch(t, i)->n_ctas;

		all += n;
		if (p->launch && p->launch[i].dispatch == DISPATCH_LISTS)
			listed += n;
	}
	stats_percent(to, 0, "ctas.listed", listed, all, "CTAs for which the plan names an SM / all CTAs");
}

/* Of what CTAs share, over all launches whose CTAs are in groups. */
static void report_captured(const struct plan *p, const struct trace *t, struct stats *to)
{
	uint64_t weight = 0, cut = 0;

	for (uint32_t i = 0; p->launch && i < trace_n_launches(t); i++) {
		const struct plan_lists *l = p->launch[i].lists;

		weight += l ? l->weight : 0;
		cut += l ? l->cut : 0;
	}
	if (weight)
		stats_percent(to, 0, "groups.captured", weight - cut, weight,
			      "edge weight within groups / edge weight of the graph");
}

void plan_report_ctas(const struct plan *p, const struct trace *t, struct stats *to)
{
	static const char *const names[] = {"grid.x", "grid.y", "grid.z"};

	for (unsigned d = 0; d < 3; d++) {
		uint32_t most = 0;

		for (uint32_t i = 0; i < trace_n_launches(t); i++)
			most = trace_launch(t, i)->grid[d] > most ? trace_launch(t, i)->grid[d] : most;
		stats_count(to, 0, names[d], most, "CTAs", "along the dimension, in the launch that has most");
	}
	if (!p)
		return;
	report_lists(p, t, to);
	report_captured(p, t, to);
}

int plan_grids(const struct planner_request *req, struct plan_grids *g, struct err *e)
{
	const struct trace_launch *largest = NULL;
	struct occupancy o = {0};

	*g = (struct plan_grids){.launches = trace_n_launches(req->trace)};
	for (uint32_t i = 0; i < req->machine->module.count; i++)
		g->l2 += machine_slices(req->machine, i);
	g->l2 *= req->machine->l2.enabled ? req->machine->l2.c.bytes : 0;
	for (uint32_t i = 0; i < g->launches; i++) {
		const struct trace_launch *l = trace_launch(req->trace, i);

		g->ctas += l->n_ctas;
		g->warp_insts += l->warp_insts;
		g->thread_insts += l->thread_insts;
		if (!largest || l->n_ctas > largest->n_ctas)
			largest = l;
	}
	if (!largest)
		return 0;
	if (occupancy_of(req->machine, trace_kernel(req->trace, largest->kernel), largest, &o, e) != 0)
		return -1;
	g->most = largest->n_ctas;
	g->places = (uint64_t)o.ctas * req->machine->sm.count;
	return 0;
}

static void rows_of_grids(const struct plan_grids *g, struct stats *to)
{
	stats_count(to, 0, "launches", g->launches, "", "");
	stats_count(to, 0, "warp_insts", g->warp_insts, "", "warp instructions of all launches");
	stats_count(to, 0, "thread_insts", g->thread_insts, "", "thread instructions of all launches");
	stats_count(to, 0, "ctas", g->ctas, "CTAs", "CTAs of all launches");
	stats_count(to, 0, "ctas.largest", g->most, "CTAs", "CTAs of the largest launch");
	stats_count(to, 0, "ctas.places", g->places, "CTAs", "CTAs of that launch that run at a time");
	stats_real(to, 0, "ctas.rounds", g->places ? (double)g->most / (double)g->places : 0, "rounds",
		   "rounds in which the CTAs of that launch run");
	stats_count(to, 0, "l2.total", g->l2, "bytes", "bytes of all L2 slices");
}

void plan_report_grids(const struct plan_grids *g, struct stats *to, FILE *text)
{
	struct stats s = {0};

	rows_of_grids(g, text ? &s : to);
	if (text)
		stats_print(&s, text);
	stats_free(&s);
}

void plan_report_stats(const struct plan_expected *expected, const struct plan_pages *pages, struct stats *to)
{
	static const char *const bins[PAGES_BINS] = {"1", "2", "3-4", "5-8", "9-16", "more"};
	char name[64];

	if (expected) {
		stats_count(to, 0, "expected.lines", expected->lines, "lines", "touched by warps' accesses");
		stats_real(to, 0, "expected.remote", expected->remote, "lines", "lines expected in another module");
		stats_real(to, 0, "expected.remote_share", expected->lines ? expected->remote / (double)expected->lines : 0, "",
			   "expected remote lines / all lines");
	}
	if (!pages)
		return;
	stats_count(to, 0, "pages.touched", pages->touched, "pages", "");
	for (unsigned b = 0; b < PAGES_BINS; b++) {
		snprintf(name, sizeof name, "pages.ctas.%s", bins[b]);
		stats_percent(to, 0, name, pages->by_ctas[b], pages->touched, "pages accessed by that many CTAs / all pages");
	}
	stats_percent(to, 0, "pages.one_module", pages->one_module, pages->touched,
		      "pages accessed by a single module / all pages");
}

void plan_report_pages(const struct planner_request *req, const struct plan_pages *by, const struct plan_pages *sum, FILE *to)
{
	int w = name_width(req);

	fprintf(to, "  pages of %" PRIu32 " bytes by how many CTAs touch them, %% of those touched\n\n", req->topology->page);
	fprintf(to, "  %-*s  %9s  %6s  %6s  %6s  %6s  %6s  %6s  %10s\n", w, "array", "touched", "1", "2", "3-4", "5-8", "9-16",
		">16", "one module");
	for (uint32_t b = 0; b < trace_n_buffers(req->trace); b++)
		pages_line(trace_buffer(req->trace, b)->name, w, &by[b], to);
	pages_line("all", w, sum, to);
	fprintf(to, "\n  category: %s\n", plan_pages_category(sum));
}
