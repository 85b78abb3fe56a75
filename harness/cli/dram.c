/* locus dram TRACE: drives one channel of a machine's memory with a list of requests. */
#include <argp.h>
#include <inttypes.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/files/infile.h"
#include "base/stats.h"
#include "base/utf8.h"
#include "cli/cli.h"
#include "cli/machine_options.h"
#include "machine/unread.h"
#include "session/result.h"
#include "replay/dram_trace.h"
#include "process/output.h"
#include "process/progress.h"

enum { OPT_EACH = 1000, OPT_NO_REFRESH, OPT_WINDOW, OPT_BYTES };

struct dram_args {
	struct machine_options on;
	const char *file;
	uint64_t window, bytes; /* 0: the machine's queue; a burst */
	bool each, no_refresh;
	struct err e; /* the first bad option value */
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct dram_args *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = state->child_inputs[1] = &a->on;
		break;
	case OPT_EACH:
		a->each = true;
		break;
	case OPT_NO_REFRESH:
		a->no_refresh = true;
		break;
	case OPT_WINDOW:
		cli_number("--window", arg, 1, 4096, &a->window, &a->e);
		break;
	case OPT_BYTES:
		cli_number("--bytes", arg, 1, 128, &a->bytes, &a->e);
		break;
	case ARGP_KEY_ARG:
		if (state->arg_num > 0)
			return ARGP_ERR_UNKNOWN;
		a->file = arg;
		break;
	case ARGP_KEY_END:
		if (!a->file)
			argp_error(state, "needs a trace (- for standard input)");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_option options[] = {
	{"each", OPT_EACH, NULL, 0, "print a line for each DRAM request of the trace", 0},
	{"no-refresh", OPT_NO_REFRESH, NULL, 0, "disable refresh, as --set dram.refresh=false does", 0},
	{"window", OPT_WINDOW, "N", 0, "queue N reads and N writes in the controller (default: dram.queue)", 0},
	{"bytes", OPT_BYTES, "N", 0, "size of a request, up to an L2 line (default: a burst)", 0},
	{0},
};
static const struct argp_child children[] = {{&machine_argp, 0, NULL, 0}, {&json_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
	options,
	parse,
	"TRACE",
	"Sends a trace of lines `0xADDR R|W [CYCLE]' (# starts a comment) to one memory channel of a machine. Addresses are "
	"channel-local: bank, row and column by dram.map, no channel bits. A request without a cycle arrives with the previous "
	"one, and waits until the controller has room.\v"
	"Examples:\n  printf '0x0 R 0\\n0x40 R\\n0x10000 W 90\\n' >x.txt; locus dram x.txt --each\n"
	"  printf '0x%x R\\n' $(seq 0 64 99999) | locus dram - --set dram.group_bits=low",
	children,
	NULL,
	NULL};

/* The queue holds what the window says; the marks of its writes stay below. */
static void set_window(struct machine *m, uint32_t window)
{
	m->dram.queue = window;
	if (m->dram.write_high > window)
		m->dram.write_high = window;
	if (m->dram.write_low >= m->dram.write_high)
		m->dram.write_low = m->dram.write_high / 2;
}

static int load_machine(const struct dram_args *a, struct machine *m, struct err *e)
{
	struct machine_choice c = machine_options_choice(&a->on);

	c.uses = MACHINE_CHANNEL;
	if (machine_choice_load(&c, m, e) != 0)
		return -1;
	if (a->no_refresh)
		m->dram.refresh = false;
	if (a->window && machine_options_sets(&a->on, "dram.queue"))
		return err_set(e, "--set dram.queue: has no effect: --window takes its place");
	if (a->no_refresh && machine_options_sets(&a->on, "dram.refresh"))
		return err_set(e, "--set dram.refresh: has no effect: --no-refresh takes its place");
	if (a->window)
		set_window(m, (uint32_t)a->window);
	if (machine_choice_resolve(&c, m, e) != 0)
		return -1;
	if (a->bytes && (a->bytes & (a->bytes - 1) || a->bytes < m->dram.burst_bytes || a->bytes > m->l2.c.line))
		return err_set(e, "--bytes: %" PRIu64 " is not a power of two from a burst (%u) to an L2 line (%u)", a->bytes,
			       m->dram.burst_bytes, m->l2.c.line);
	return 0;
}

static void print_each_head(void)
{
	printf("%10s %18s %2s %12s %12s %12s %8s  %-9s %4s %10s %6s\n", "line", "address", "", "arrived", "accepted", "done",
	       "latency", "row", "bank", "row no.", "column");
}

static void print_each(void *unused, const struct dram_trace_request *r)
{
	static const char *const outcome[] = {"hit", "miss", "conflict", "forwarded"};
	char address[32];

	(void)unused;
	snprintf(address, sizeof address, "0x%" PRIx64, r->addr);
	printf("%10" PRIu64 " %18s %2s %12" PRIu64 " %12" PRIu64 " %12" PRIu64 " %8" PRIu64 "  %-9s", r->line, address,
	       r->write ? "W" : "R", r->arrived, r->accepted, r->done, r->done - r->accepted, outcome[r->outcome]);
	if (r->outcome == DRAM_TRACE_FORWARDED)
		puts("    -          -      -");
	else
		printf(" %4u %10" PRIu64 " %6u\n", r->bank, r->row, r->column);
}

static void add_rows(struct stats *s, const struct machine *m, const struct dram_trace_counts *n)
{
	const struct dram_stats *d = &n->stats;
	uint64_t reads = n->requests[DRAM_READ], writes = n->requests[DRAM_WRITE], busy = n->end - n->first;
	double us = (double)busy / m->clock.mhz[CLOCK_DRAM];

	stats_count(s, 0, "cycles", n->end, "DRAM cycles", "from cycle 0 to the end of the last data");
	stats_count(s, 0, "requests", reads + writes, "requests", "");
	stats_count(s, 0, "reads", reads, "requests", "");
	stats_count(s, 0, "writes", writes, "requests", "");
	stats_real(s, 0, "read_latency", reads ? (double)n->read_cycles / (double)reads : 0, "DRAM cycles",
		   "average, from acceptance to last data");
	stats_count(s, 0, "read_latency_most", n->most, "DRAM cycles", "latency of the slowest read");
	stats_count(s, 0, "row_hits", d->row_hits, "requests", "found their row open");
	stats_count(s, 0, "row_misses", d->row_misses, "requests", "found no row open");
	stats_count(s, 0, "row_conflicts", d->row_conflicts, "requests", "found another row open");
	stats_count(s, 0, "forwarded", d->forwarded, "requests", "reads answered from waiting writes");
	stats_percent(s, 0, "row_hit_rate", d->row_hits, d->row_hits + d->row_misses + d->row_conflicts,
		      "requests that found their row open / requests sent to a bank");
	stats_count(s, 0, "activates", d->command[DRAM_ACT], "commands", "rows opened");
	stats_count(s, 0, "precharges", d->command[DRAM_PRE] + d->command[DRAM_PRE_ALL], "commands", "rows closed");
	stats_count(s, 0, "refreshes", d->command[DRAM_REF] + d->command[DRAM_REF_BANK], "commands",
		    d->command[DRAM_REF_BANK] ? "refreshes of a single bank" : "refreshes of all banks");
	stats_count(s, 0, "bytes", d->bytes, "bytes", "over the data bus");
	stats_real(s, 0, "bandwidth", busy ? (double)d->bytes / us / 1000 : 0, "GB/s",
		   "from the first acceptance to the last data");
	stats_percent(s, 0, "of_peak", d->busy, busy, "data-bus cycles in use / all of them (share of the pin bandwidth)");
}

static void print_title(const char *name, const struct machine *m)
{
	double peak = (double)m->dram.burst_bytes / m->dram.burst * m->clock.mhz[CLOCK_DRAM] / 1000;

	printf("%s on a channel of %s: %u banks in %u groups, %s command bus, %u MHz, %.1f GB/s, window %u, %s\n\n", name, m->name,
	       m->dram.banks, m->dram.groups, m->dram.command_bus == COMMAND_BUS_DUAL ? "dual" : "single", m->clock.mhz[CLOCK_DRAM],
	       peak, m->dram.queue, m->dram.refresh ? "refresh" : "no refresh");
}

static int report(const struct dram_args *a, const struct machine *m, const struct dram_trace_counts *n, struct output *json,
		  struct err *e)
{
	struct stats s = {0};
	char *name = xstrdup(a->file); /* JSON is UTF-8 */
	int rc;

	if (a->each)
		putchar('\n');
	add_rows(&s, m, n);
	stats_print(&s, stdout);
	rc = result_write(json,
			  json_pack("{s:o, s:s, s:o, s:o, s:o}", "locus", result_origin(), "trace", utf8_clean(name), "machine",
				    machine_json(m), "stats", stats_json(&s), "units", stats_units_json(&s)),
			  e);
	stats_free(&s);
	free(name);
	return rc;
}

static int replay(const struct dram_args *a, const struct machine *m, struct output *json, struct err *e)
{
	bool is_file = strcmp(a->file, "-") != 0;
	FILE *from = is_file ? infile_stream(a->file, INFILE_MOST, e) : stdin;
	const char *name = is_file ? a->file : "standard input";
	struct dram_trace *t;
	struct progress p;
	int rc = -1, failed;

	if (!from)
		return -1;
	t = dram_trace_open(m, (uint32_t)a->bytes, a->each ? print_each : NULL, NULL);
	print_title(name, m);
	if (a->each)
		print_each_head();
	progress_begin(&p, "replaying %s", name);
	failed = dram_trace_read(t, from, name, e);
	progress_end(&p);
	if (!failed) {
		struct dram_trace_counts n = dram_trace_end(t);

		rc = n.requests[DRAM_READ] + n.requests[DRAM_WRITE] ? report(a, m, &n, json, e)
								    : err_set(e, "%s: holds no request", name);
	}
	dram_trace_close(t);
	if (is_file)
		fclose(from);
	return rc;
}

int cli_dram(int argc, char **argv)
{
	struct dram_args a = {0};
	struct output json = {0};
	struct machine m;
	int rc;

	cli_parse(&argp, argc, argv, &a);
	if (a.e.text[0] || load_machine(&a, &m, &a.e) != 0 || output_open(&json, a.on.json, &a.e) != 0)
		return cli_fail(&a.e);
	rc = replay(&a, &m, &json, &a.e);
	output_drop(&json);
	return rc == 0 ? CLI_OK : cli_fail(&a.e);
}
