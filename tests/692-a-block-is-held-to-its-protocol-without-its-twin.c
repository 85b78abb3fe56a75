/* 692: the Verilog of a block is held to its protocol by its own assertions, with nothing beside it to compare: a fault
 * that its golden twin had too would be seen. Each fault breaks one sentence of a block's header: a valid that does not
 * hold, a payload that moves while it waits, two of which there may be one, a number out of range.
 */
#include <criterion/criterion.h>
#include <criterion/parameterized.h>
#include <criterion/redirect.h>
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hw/twins/locality_table.h"
#include "hw/twins/paver.h"
#include "hw/twins/set_monitor.h"
#include "hw/twins/throttle_coordinator.h"
#include "support/corner_scenario.h"
#include "support/program.h"
#include "support/wrong_terms.h"

enum { STEPS = 20000, SEED = 3 };

struct fault {
	const struct hw_block *block;
	const char *params;
	const char *file, *right, *wrong; /* a file in the folder of the block, a term in it */
	const char *top, *name;		  /* the assertion that fails: in this file, under this name */
};

static const struct fault fault[] = {
	{&set_monitor_block, "sets=4 tag_w=2 count_w=2", "set_monitor.v", "serve_request || (rsp_valid_q && !rsp_ready_i);",
	 "serve_request;", "set_monitor.v", "response_holds"},
	{&locality_table_block, "entries=4 addr_w=8 prio_w=2 dist_w=2", "locality_table.v",
	 "ans_distance_o = ans_distance_q[0 +: DIST_W];", "ans_distance_o = ans_distance_q[0 +: DIST_W] ^ {DIST_W{wr_valid_i}};",
	 "locality_table.v", "answer_holds"},
	{&paver_block, "sms=3 ptr_w=4 tb_w=4", "paver_dispatch.v", "ask_o         = pick &", "ask_o         = need &",
	 "paver_top.v", "one_asks"},
	{&throttle_coordinator_block, "sms=3 kernels=2 n=2 threshold=10 count_w=4", "throttle_coordinator.v",
	 "|base_d ? base_d : 7'd1", "base_d", "throttle_coordinator.v", "limit_is_never_0"},
};

/* The folder's files in a temporary one, with the fault or without; the scenario's RTL is the top there. */
static void write_files(struct scenario *s, const struct fault *f, bool faulty)
{
	char pattern[300];
	glob_t files;

	snprintf(pattern, sizeof pattern, "%.*s/*.v", (int)(strrchr(f->block->source, '/') - f->block->source), f->block->source);
	cr_assert_eq(glob(pattern, 0, NULL, &files), 0, "%s", pattern);
	for (size_t i = 0; i < files.gl_pathc; i++) {
		const char *name = strrchr(files.gl_pathv[i], '/') + 1;
		char *text = program_text(files.gl_pathv[i]);

		if (faulty && !strcmp(name, f->file))
			text = wrong_terms_replace(text, f->right, f->wrong);
		program_file(name, text);
		free(text);
	}
	globfree(&files);
	snprintf(s->rtl, sizeof s->rtl, "%s%s", program_tmp(), strrchr(f->block->source, '/'));
}

/* The line of ": NAME assert", or of ": NAME" with the assertion in the next one. */
static int line_of(const struct fault *f)
{
	char path[300], name[80], *text, *at, *end;
	int line = 1;

	snprintf(path, sizeof path, "%s/%s", program_tmp(), f->top);
	snprintf(name, sizeof name, "begin : %s", f->name);
	text = program_text(path);
	at = strstr(text, name);
	cr_assert_not_null(at, "%s", name);
	for (const char *c = text; c < at; c++)
		line += *c == '\n';
	end = strchr(at, '\n');
	line += end < strstr(at, "assert");
	free(text);
	return line;
}

/* The RTL alone under corner stimulus. */
static struct bind_assertions run(const struct scenario *s)
{
	uint64_t cycle = 0, in[64], out[64];
	struct bind_assertions a = {.cycle = &cycle};
	struct stim_reader r;
	struct bind_rtl lib;
	struct err e = {""};
	void *rtl;

	cr_assert(s->layout.side[HW_INPUT].words <= 64 && s->layout.side[HW_OUTPUT].words <= 64);
	cr_assert_eq(scenario_open(s, &lib, &e), 0, "%s", e.text);
	rtl = lib.abi->create(0);
	lib.abi->watch(rtl, &a);
	lib.abi->reset(rtl);
	stim_read(&r, &s->stim);
	while (stim_next(&r, in)) {
		cycle = r.cycle;
		lib.abi->eval(rtl, in, out);
		lib.abi->edge(rtl, NULL);
	}
	lib.abi->destroy(rtl);
	a.first_file = a.first_file ? strdup(a.first_file) : NULL;
	bind_close(&lib);
	return a;
}

/* Their numbers. */
ParameterizedTestParameters(assertions, fault_of_both_sides_is_seen)
{
	static unsigned number[sizeof fault / sizeof fault[0]];
	size_t n = sizeof number / sizeof number[0];

	for (unsigned i = 0; i < n; i++)
		number[i] = i;
	return cr_make_param_array(unsigned, number, n);
}

ParameterizedTest(unsigned *number, assertions, fault_of_both_sides_is_seen)
{
	const struct fault *f = &fault[*number];
	unsigned char params[BIND_PARAMS_MAX];
	struct bind_assertions a;
	struct scenario s;
	struct err e = {""};

	cr_redirect_stdout(); /* Verilator's messages */
	cr_assert_eq(bind_params_read(f->block, params, f->params, &e), 0, "%s", e.text);
	for (int faulty = 0; faulty < 2; faulty++) {
		scenario_init(&s, f->block, params);
		corner_scenario_fill(&s, SEED, STEPS);
		write_files(&s, f, faulty);
		a = run(&s);
		cr_assert_eq(a.failed > 0, faulty, "%s: %lu assertions failed, first in %s:%d", f->name, a.failed,
			     a.first_file ? a.first_file : "", a.first_line);
		scenario_free(&s);
	}
	cr_assert_str_eq(strrchr(a.first_file, '/') + 1, f->top);
	cr_assert_eq(a.first_line, line_of(f), "%s is in line %d, line %d failed", f->name, line_of(f), a.first_line);
	cr_assert_leq(a.failed, BIND_ASSERTIONS_MAX);
	free((char *)a.first_file);
}
