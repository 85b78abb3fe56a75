#include "signoff/signoff.h"

#include <inttypes.h>
#include <string.h>

#include "base/files/scratch.h"
#include "base/number.h"
#include "base/utf8.h"
#include "bind/cache.h"
#include "lockstep/report.h"
#include "signoff/four_state.h"
#include "signoff/steps.h"

static void print_check(const char *name, const struct signoff_findings *f, FILE *to)
{
	char n[32];

	fprintf(to, "  %-46s %9s\n", name, number_commas(f->n, n));
	for (unsigned i = 0; i < f->n && i < FINDINGS_SHOWN; i++) {
		char line[FINDINGS_LINE];

		snprintf(line, sizeof line, "%s", f->line[i]);
		fprintf(to, "    %s\n", utf8_clean(line));
	}
	if (f->n > FINDINGS_SHOWN)
		fprintf(to, "    and %u more\n", f->n - FINDINGS_SHOWN);
}

static void add_outcome(const struct scenario *s, const struct outcome *o, struct signoff_findings *f)
{
	const struct bind_slot *slot = &s->layout.side[o->m.side].slot[o->m.slot];
	char line[FINDINGS_LINE], field[80], golden[REPORT_VALUE], rtl[REPORT_VALUE];

	if (o->failed) {
		snprintf(line, sizeof line, "--x-init %" PRIu64 ", step %" PRIu64 ": %s %s, golden %s, rtl %s", s->seed, o->step,
			 o->m.side == HW_REG ? "register" : "output", report_field(slot, o->m.side, o->m.element, field),
			 report_value(slot, o->m.golden, golden), report_value(slot, o->m.rtl, rtl));
		signoff_found(f, line);
	}
	if (o->assertions.failed) {
		snprintf(line, sizeof line, "--x-init %" PRIu64 ", step %" PRIu64 ": assertion failed, %s:%d", s->seed,
			 o->assertions.first_cycle, o->assertions.first_file, o->assertions.first_line);
		signoff_found(f, line);
	}
}

static void scenario_of(const struct signoff_request *q, unsigned run, struct scenario *s)
{
	scenario_init(s, q->block, q->params);
	snprintf(s->rtl, sizeof s->rtl, "%s", q->rtl);
	s->fit = *q->fit;
	s->unique_x = true;
	s->seed = q->x_init ? 1 + (q->x_init - 1 + run) % SCENARIO_X_INIT_MAX : 0;
	steps_fill(s, run + 1, q->steps);
}

static void lockstep_check(const struct signoff_request *q, const struct bind_abi *abi, struct signoff_findings *f)
{
	for (unsigned run = 0; run < SIGNOFF_RUNS; run++) {
		struct scenario s;
		struct outcome o;

		scenario_of(q, run, &s);
		o = scenario_run(&s, abi, NULL);
		add_outcome(&s, &o, f);
		scenario_free(&s);
	}
}

static void print_title(const struct signoff_request *q, const struct bind_rtl *rtl, FILE *to)
{
	char shown[FINDINGS_LINE];

	snprintf(shown, sizeof shown, "%s", q->rtl);
	utf8_clean(shown);
	fprintf(to, "sign-off of %s, XXH64 %016" PRIx64 ", as %s ", shown, rtl->sum, q->block->name);
	bind_params_write(q->block, q->params, to);
	fprintf(to, "\n\n  %-46s %9s\n", "check", "findings");
}

static int four_states(const struct signoff_request *q, const struct frontends *t, struct signoff_findings *f, struct err *e)
{
	struct scenario s;
	int rc;

	scenario_of(q, 0, &s);
	rc = four_state_check(t, &s, q->four_states, f, e);
	scenario_free(&s);
	return rc;
}

static int check_all(const struct signoff_request *q, const struct bind_rtl *rtl, const struct frontends *t, FILE *to,
		     struct err *e)
{
	struct signoff_findings f[5];
	struct bind_layout layout;
	char name[100], steps[32];
	unsigned n = 0;

	memset(f, 0, sizeof f);
	bind_layout_of(&layout, q->block, q->params);
	verilator_check(t, &f[0]);
	icarus_check(t, &f[1]);
	yosys_check(t, &f[2]);
	lockstep_check(q, rtl->abi, &f[3]);
	if (four_states(q, t, &f[4], e))
		return -1;
	print_title(q, rtl, to);
	snprintf(name, sizeof name, "%.34s, warnings", program_version(t, "verilator", "--version"));
	print_check(name, &f[0], to);
	snprintf(name, sizeof name, "%.34s, warnings", program_version(t, "iverilog", "-V"));
	print_check(name, &f[1], to);
	snprintf(name, sizeof name, "%.34s, check -assert", program_version(t, "yosys", "-V"));
	print_check(name, &f[2], to);
	snprintf(name, sizeof name, "lockstep, %d runs of %s steps", SIGNOFF_RUNS, number_commas(q->steps, steps));
	print_check(name, &f[3], to);
	report_registers(rtl->abi, layout.side[HW_REG].n, to);
	snprintf(name, sizeof name, "four states in Icarus, %s steps", number_commas(q->four_states, steps));
	print_check(name, &f[4], to);
	for (unsigned i = 0; i < 5; i++)
		n += f[i].n;
	fprintf(to, "\n  %s\n", n ? "NOT SIGNED OFF" : "no finding");
	return (int)n;
}

int signoff_run(const struct signoff_request *q, FILE *to, struct err *e)
{
	struct bind_request request = {
		.block = q->block, .params = q->params, .lanes = 1, .rtl = q->rtl, .fit = q->fit, .unique_x = true};
	struct arena a = {0};
	struct bind_sources src;
	struct frontends t = {.src = &src, .a = &a};
	struct bind_rtl rtl;
	struct scratch work;
	char dir[4096];
	int n = -1;

	if (bind_open(&rtl, &request, e))
		return -1;
	if (bind_sources(&request, &a, &src, e) == 0 && bind_cache_dir(dir, e) && scratch_open(&work, dir, e) == 0) {
		t.folder = rtl.folder;
		t.work = work.path;
		n = check_all(q, &rtl, &t, to, e);
		scratch_close(&work);
	}
	bind_close(&rtl);
	arena_free(&a);
	return n;
}
