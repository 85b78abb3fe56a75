/* 606: each single-term fault of PRIC shows at one one-hot address; illegal parameters stop Verilator, Icarus and
 * Yosys; legal ones are elaborated by all three in `make lint`. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "bind/params.h"
#include "hw/twins/pric.h"
#include "hw/twins/set_monitor.h"
#include "support/icarus.h"
#include "support/refusal.h"
#include "support/shape_matrix.h"

/* 5 sums over A[31:7]: 63 terms that can be missing, 62 that can be too many. */
Test(rtl, each_of_125_single_term_faults_shows_at_exactly_one_one_hot_address)
{
	struct program p = icarus_simulate("pric_index_fault_tb", "", "/dev/null",
					   "rtl/pric/pric_index_fault_tb.v rtl/pric/pric_index_fault.v rtl/pric/pric_index.v");

	cr_assert_str_eq(p.out, "63 deletions, 62 insertions, 125 caught, 0 elsewhere\n");
	program_free(&p);
}

Test(rtl, pric_with_illegal_parameters_stops_all_tools_and_its_twin)
{
	static const struct refusal refusal[] = {
		{"POLY=0", "polynomial"},
		{"POLY=33", "polynomial 33 is reducible"},
		{"POLY=67", "polynomial 67"},
		{"SETS=48", "48 sets"},
		{"SETS=1 POLY=1", "1 sets"},
		{"LINE_BYTES=100", "lines of 100 bytes"},
		{"ADDR_W=65", "addresses of 65 bits"},
		{"ADDR_W=12", "addresses of 12 bits"},
		{"ADDR_BITS=33", "33 address bits to hash"},
		{"ADDR_BITS=11", "11 address bits to hash"},
	};

	refusals_hold(&pric_block, refusal, sizeof refusal / sizeof refusal[0]);
}

Test(rtl, set_monitor_with_illegal_parameters_stops_all_tools_and_its_twin)
{
	static const struct refusal refusal[] = {
		{"SETS=1", "1 sets"},
		{"SETS=24", "24 sets"},
		{"SETS=512", "512 sets"},
		{"TAG_W=0", "tags of 0 bits"},
		{"TAG_W=58", "tags of 58 bits"},
		{"COUNT_W=1", "counters of 1 bits"},
		{"COUNT_W=33", "counters of 33 bits"},
	};

	refusals_hold(&set_monitor_block, refusal, sizeof refusal / sizeof refusal[0]);
}

/* The check that is behind the two above can fail. */
Test(rtl, the_defaults_are_accepted_so_refusing_them_is_an_error)
{
	struct program p = program_run("scripts/rtl-elaborate refuse rtl/pric/pric_index.v pric_index");

	cr_assert_eq(p.status, 1);
	program_free(&p);
	p = program_run("scripts/rtl-elaborate accept rtl/pric/pric_index.v pric_index");
	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}

/* The tools give different values to bits selected beyond a wire's end (x in Icarus, undefined in Yosys, 0 in
 * Verilator), so that lockstep cannot see the mistake. Each of them warns. `make lint` elaborates the shapes that
 * scripts/rtl-shapes prints: those of the whole matrix, and those of block.mk that it is given. */
static void has_shape(const char *list, const struct matrix_shape *shape)
{
	const struct hw_block *b = shape->block;
	unsigned char params[BIND_PARAMS_MAX];
	char line[1024], word[64];
	struct err e = {""};
	int at = snprintf(line, sizeof line, "%s %s", b->source, b->module);
	char given[512], *save = NULL;

	cr_assert_eq(bind_params_read(b, params, shape->params, &e), 0, "%s", e.text);
	snprintf(given, sizeof given, "%s", shape->params);
	for (char *w = strtok_r(given, " ", &save); w; w = strtok_r(NULL, " ", &save))
		for (unsigned i = 0; i < b->n_params; i++) {
			snprintf(word, sizeof word, "%s=", b->params[i].name);
			if (!strncmp(w, word, strlen(word)))
				at += snprintf(line + at, sizeof line - (size_t)at, " %s=%lu", b->params[i].verilog,
					       hw_get(params, b->params[i].offset, b->params[i].size));
		}
	snprintf(line + at, sizeof line - (size_t)at, "\n");
	cr_expect(strstr(list, line), "lint leaves out %s", line);
}

Test(rtl, lint_elaborates_every_shape_of_the_matrix)
{
	struct program p = program_run("scripts/rtl-shapes decoder/div_const:W=4,BY=15 pric/pric_index pric/pric_index");
	unsigned lines = 0;

	cr_assert_eq(p.status, 0, "%s", p.err);
	for (const char *c = p.out; *c; c++)
		lines += *c == '\n';
	cr_expect_eq(lines, matrix_size() + 2, "%s", p.out);
	for (unsigned i = 0; i < matrix_size(); i++)
		has_shape(p.out, matrix_shape(i));
	cr_expect(strstr(p.out, "rtl/decoder/div_const.v div_const W=4 BY=15\n"), "%s", p.out);
	cr_expect(strstr(p.out, "rtl/pric/pric_index.v pric_index\n"), "%s", p.out);
	program_free(&p);
}
