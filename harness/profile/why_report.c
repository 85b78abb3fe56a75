#include "profile/why_report.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/number.h"
#include "profile/inst_names.h"

enum { TEXT = 80, MOST_HOLDERS = 4 };

static const char *const wait_names[PATH_WAITS] = {
	[PATH_SERVED] = "the L1 takes the load's lines, one a cycle",
	[PATH_LINE] = "line allocation: all ways of a set wait for their lines",
	[PATH_ENTRY] = "an MSHR entry: all wait for their lines",
	[PATH_MERGE] = "room in the MSHR entry of its line",
	[PATH_QUEUE] = "room in the miss queue",
	[PATH_ELSE] = "translation, and what is ahead of the load in its unit",
};

static double percent(uint64_t part, uint64_t whole)
{
	return whole ? 100.0 * (double)part / (double)whole : 0;
}

static double cycles(const struct why_report *r, uint64_t ticks)
{
	return (double)ticks / r->machine->clock.period[CLOCK_CORE];
}

/* ---- names ---- */

static const struct trace_kernel *kernel_at(const struct why_report *r, uint32_t row, uint32_t *inst)
{
	struct request_place at = request_paths_place(r->paths, r->trace, row);

	*inst = at.inst;
	return trace_kernel(r->trace, at.kernel);
}

static void print_load_name(const struct why_report *r, uint32_t row, FILE *to)
{
	char line[INST_NAME], name[INST_NAME], text[TEXT];
	uint32_t inst;
	const struct trace_kernel *k = kernel_at(r, row, &inst);

	inst_line_name(k, inst, line);
	inst_name(k, inst, name);
	inst_line_text(r->text, k, inst, text, sizeof text);
	fprintf(to, "%s: %s", k->name, line);
	if (*text)
		fprintf(to, "  %s", text);
	if (strcmp(line, name) != 0)
		fprintf(to, "\n  %s", name);
}

static void print_short_name(const struct why_report *r, uint32_t row, FILE *to)
{
	char line[INST_NAME], name[INST_NAME];
	uint32_t inst;
	const struct trace_kernel *k = kernel_at(r, row, &inst);

	inst_line_name(k, inst, line);
	inst_name(k, inst, name);
	if (strcmp(line, name) != 0)
		fprintf(to, "%s, %s", line, name);
	else
		fputs(name, to);
}

/* ---- a load ---- */

static void print_share(double mean, double whole, const char *what, FILE *to)
{
	if (mean > 0)
		fprintf(to, "  %10.1f  %5.1f%%  %s\n", mean, whole > 0 ? 100 * mean / whole : 0, what);
}

static void print_load(const struct why_report *r, uint32_t row, FILE *to)
{
	const struct path_totals *t = &r->paths->log.total[row];
	double n = (double)t->loads, mean = (double)t->cycles / n;
	char loads[32];

	fputc('\n', to);
	print_load_name(r, row, to);
	fprintf(to,
		"\n  %s loads of %.1f lines: %.1f %% of the lines hit in the L1, %.1f %% were on their way; %.1f core cycles a "
		"load\n",
		number_commas(t->loads, loads), (double)t->requests / n, percent(t->found[L1_HIT], t->requests),
		percent(t->found[L1_MERGED], t->requests), mean);
	fputs("\n      cycles   share  station of the line that came last\n", to);
	for (unsigned s = 0; s < PATH_STATIONS; s++)
		print_share(cycles(r, t->station[s]) / n, mean, path_station_name(s), to);
	fputs("\n      cycles   share  what it waited for in SM and L1, with the load's lines ahead of it\n", to);
	for (unsigned w = 0; w < PATH_WAITS; w++)
		print_share((double)t->wait[w] / n, mean, wait_names[w], to);
}

struct ranked {
	uint64_t by;
	uint32_t row;
};

static int larger_first(const void *a, const void *b)
{
	const struct ranked *x = a, *y = b;

	if (x->by != y->by)
		return x->by > y->by ? -1 : 1;
	return x->row < y->row ? -1 : 1;
}

static uint64_t cycles_of(const struct path_log *l, uint32_t row)
{
	return row < l->rows ? l->total[row].cycles : 0;
}

static uint64_t blame_of(const struct path_log *l, uint32_t row)
{
	return l->blame[row].itself + l->blame[row].others;
}

/* Instructions, the one with most of it first; the caller frees. */
static struct ranked *rank(const struct path_log *l, uint64_t (*by)(const struct path_log *, uint32_t), uint32_t *n)
{
	struct ranked *all = xcalloc((size_t)l->rows + 1, sizeof *all);

	*n = 0;
	for (uint32_t i = 0; i <= l->rows; i++)
		if (by(l, i))
			all[(*n)++] = (struct ranked){by(l, i), i};
	qsort(all, *n, sizeof *all, larger_first);
	return all;
}

/* Where most of its time went: a wait in SM or L1, or a station behind them. */
static const char *main_cause(const struct why_report *r, const struct path_totals *t, double *share)
{
	static const char *const short_names[PATH_WAITS] = {"SM: served",     "L1: line",	"L1: MSHR entry",
							    "L1: MSHR merge", "L1: miss queue", "SM: else"};
	const char *name = "";
	uint64_t most = 0;

	for (unsigned w = 0; w < PATH_WAITS; w++)
		if (t->wait[w] * r->machine->clock.period[CLOCK_CORE] > most) {
			most = t->wait[w] * r->machine->clock.period[CLOCK_CORE];
			name = w == PATH_ELSE && r->machine->vm.tlb ? "SM: TLB, ahead" : short_names[w];
		}
	for (unsigned s = PATH_MISS_QUEUE; s < PATH_STATIONS; s++)
		if (t->station[s] > most) {
			most = t->station[s];
			name = path_station_name(s);
		}
	*share = percent(most, t->cycles * r->machine->clock.period[CLOCK_CORE]);
	return name;
}

static void print_row(const struct why_report *r, uint32_t row, uint64_t all, FILE *to)
{
	const struct path_totals *t = &r->paths->log.total[row];
	char loads[32];
	double share;
	const char *cause = main_cause(r, t, &share);

	fprintf(to, "  %5.1f%% %11s %6.1f %8.1f  %-14s %5.1f%%  ", percent(t->cycles, all), number_commas(t->loads, loads),
		(double)t->requests / (double)t->loads, (double)t->cycles / (double)t->loads, cause, share);
	print_short_name(r, row, to);
	fputc('\n', to);
}

static void print_loads(const struct why_report *r, uint32_t most, FILE *to)
{
	uint64_t cycles_of_all = path_log_sum(&r->paths->log).cycles;
	uint32_t n;
	struct ranked *all = rank(&r->paths->log, cycles_of, &n);

	fprintf(to, "\n  %6s %11s %6s %8s  %-14s %6s  %s\n", "share", "loads", "lines", "latency", "most of it", "", "load");
	for (uint32_t i = 0; i < n && i < most; i++)
		print_row(r, all[i].row, cycles_of_all, to);
	if (n > most)
		fprintf(to, "  and %" PRIu32 " more (--loads)\n", n - most);
	print_load(r, all[0].row, to);
	free(all);
}

/* ---- for whom ---- */

static void print_holder(const struct why_report *r, uint32_t row, uint64_t n, uint64_t all, const char *whose, FILE *to)
{
	if (!n)
		return;
	fprintf(to, "  %5.1f%%  ", percent(n, all));
	if (row < r->paths->log.rows) {
		print_short_name(r, row, to);
		fprintf(to, ", %s\n", whose);
	} else {
		fputs("the network, or nobody's load\n", to);
	}
}

static void print_holders(const struct why_report *r, FILE *to)
{
	const struct path_log *l = &r->paths->log;
	uint64_t all = 0;
	uint32_t n;
	struct ranked *by = rank(l, blame_of, &n);

	for (uint32_t i = 0; i < n; i++)
		all += by[i].by;
	if (n)
		fputs("\n   share  for whom lines waited in the L1: whose line came when the wait ended\n", to);
	for (uint32_t i = 0; i < n && i < MOST_HOLDERS; i++) {
		print_holder(r, by[i].row, l->blame[by[i].row].itself, all, "the same load's", to);
		print_holder(r, by[i].row, l->blame[by[i].row].others, all, "another load's", to);
	}
	free(by);
}

/* ---- the slowest ---- */

static void print_who(const struct why_report *r, const struct path_load *load, const struct path_request *q, FILE *to)
{
	switch (q->who.is) {
	case PATH_ITSELF:
		fputs(", for a line of its own", to);
		break;
	case PATH_OTHER:
		fprintf(to, ", for a line of CTA %" PRIu32 " warp %" PRIu32, q->who.cta, q->who.warp);
		if (q->who.row != load->row) {
			fputs(" at ", to);
			print_short_name(r, q->who.row, to);
		}
		break;
	default:
		break;
	}
}

static const char *found_name(const struct path_request *q)
{
	static const char *const l2[] = {"",
					 ", hit in the L2",
					 ", on its way to the L2",
					 ", missed in the L2",
					 ", missed in the L2",
					 ", past the L2",
					 ", as another's read in the L2",
					 ", past the half of the L2"};

	switch (q->found) {
	case L1_HIT:
		return "hit";
	case L1_MERGED:
		return "on its way";
	default:
		return l2[q->l2][0] ? l2[q->l2] + 2 : "missed";
	}
}

static void print_slow_waits(const struct path_request *q, FILE *to)
{
	static const char *const names[PATH_WAITS] = {"served", "line", "MSHR entry", "MSHR merge", "miss queue", "else"};
	bool first = true;

	for (unsigned w = 0; w < PATH_WAITS; w++)
		if (q->wait[w]) {
			fprintf(to, "%s%s %" PRIu32, first ? " (" : ", ", names[w], q->wait[w]);
			first = false;
		}
	fputs(first ? "" : ")", to);
}

static void print_slow(const struct why_report *r, const struct path_load *load, FILE *to)
{
	const struct path_request *q = &load->request[load->last];
	char latency[32], issued[32];

	fprintf(to, "  %9s  in cycle %s on SM %" PRIu32 ", CTA %" PRIu32 " warp %" PRIu32 ", %" PRIu32 " lines",
		number_commas(load->latency, latency), number_commas(load->issued, issued), load->sm, load->cta, load->warp,
		load->n);
	fprintf(to, "; line %" PRIu32 " came last: %s\n             ", load->last + 1, found_name(q));
	for (unsigned s = 0; s < PATH_STATIONS; s++) {
		uint32_t t = q->end[s] - path_begin(q, s);

		if (!t)
			continue;
		fprintf(to, "%s%s %.0f", s ? ", " : "", path_station_name(s), cycles(r, t));
		if (s == PATH_L1)
			print_slow_waits(q, to);
	}
	fputc('\n', to);
	if (q->failed) {
		fprintf(to, "             %" PRIu32 " of that it waited itself", q->failed);
		print_who(r, load, q, to);
		fputc('\n', to);
	}
}

static void print_slowest(const struct why_report *r, uint32_t most, FILE *to)
{
	const struct path_log *l = &r->paths->log;

	if (most && l->n_slowest)
		fputs("\n     cycles  the slowest loads, and the core cycles of the line that came last\n", to);
	for (uint32_t i = 0; i < l->n_slowest && i < most; i++)
		print_slow(r, l->slowest[i], to);
}

void why_report_print(const struct why_report *r, uint32_t loads, uint32_t slowest, FILE *to)
{
	if (!r->paths->log.loads) {
		fputs("  no load passed the filter\n", to);
		return;
	}
	print_loads(r, loads, to);
	print_holders(r, to);
	print_slowest(r, slowest, to);
}
