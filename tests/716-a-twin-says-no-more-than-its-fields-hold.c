/* 716: a golden twin that sets bits above a field's width differs from RTL that has no such bits, even if all bits that
 * both have are the same: in an output, a register, an element of an array, and in a batch of a combinational block.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hw/twins/pric.h"
#include "hw/twins/set_monitor.h"
#include "lockstep/report.h"
#include "lockstep/unit.h"
#include "support/corner_scenario.h"

static const struct set_monitor_params params = {.sets = 4, .tag_w = 6, .count_w = 3};
static struct hw_block faulty; /* set_monitor with one of the functions below */

static void wide_output(const void *s, const void *in, void *out)
{
	struct set_monitor_out *o = out;

	set_monitor_block.eval(s, in, out);
	if (o->rsp_valid)
		o->rsp_count |= 1 << 3;
}

static void wide_register(void *s, const void *in)
{
	struct set_monitor *m = s;

	set_monitor_block.tick(s, in);
	if (m->req_valid)
		m->req_set |= 1 << 2;
	else
		m->req_set &= 3;
}

static void wide_element(void *s, const void *in)
{
	struct set_monitor *m = s;

	set_monitor_block.tick(s, in);
	if (m->tag[2])
		m->tag[2] |= 1 << 6;
}

/* The report of the first difference; the caller frees it. */
static char *report_of(const struct hw_block *b)
{
	struct bind_rtl lib = {0};
	struct err e = {""};
	struct history h;
	struct scenario s;
	struct outcome o;
	char *text;
	size_t n;
	FILE *to;

	scenario_init(&s, b, &params);
	corner_scenario_fill(&s, 1, 2000);
	cr_assert_eq(scenario_open(&s, &lib, &e), 0, "%s", e.text);
	history_init(&h, &s.layout, HISTORY);
	o = scenario_run(&s, lib.abi, &h);
	cr_assert(o.failed, "it passed");
	cr_expect_eq(o.m.golden & ~o.m.rtl, UINT64_C(1) << s.layout.side[o.m.side].slot[o.m.slot].f.width,
		     "the one bit above: %lx, %lx", o.m.golden, o.m.rtl);
	to = open_memstream(&text, &n);
	report_print(&s, &o, &h, NULL, to);
	fclose(to);
	history_free(&h);
	bind_close(&lib);
	scenario_free(&s);
	return text;
}

static void expect(const char *where, const char *bits)
{
	char *text = report_of(&faulty), line[128];

	snprintf(line, sizeof line, "the golden twin's value does not fit the field, which has %s\n", bits);
	cr_expect_not_null(strstr(text, where), "%s", text);
	cr_expect_not_null(strstr(text, line), "%s", text);
	free(text);
}

Test(width, an_output_of_the_twin_must_fit)
{
	faulty = set_monitor_block;
	faulty.eval = wide_output;
	expect("output rsp_count_o\n", "3 bits");
}

Test(width, a_register_of_the_twin_must_fit)
{
	faulty = set_monitor_block;
	faulty.tick = wide_register;
	expect("register req_set_q\n", "2 bits");
}

Test(width, an_element_of_the_twin_must_fit)
{
	faulty = set_monitor_block;
	faulty.tick = wide_element;
	expect("register tag_q[2]\n", "6 bits");
}

/* ---- a combinational block, which is compared in batches ---- */

static void wide_set(const void *s, const void *in, void *out)
{
	pric_block.eval(s, in, out);
	if (((const struct pric_in *)in)->addr == 77 * 128)
		((struct pric_out *)out)->set |= 32;
}

static void note(void *ctx, struct unit *u)
{
	*(uint64_t *)ctx = u->failed_cycle;
}

Test(width, one_row_of_a_batch_must_fit)
{
	struct hw_block wrong = pric_block;
	struct pric_params p = pric_params_of(37, 32, 128, 0);
	struct bind_request q = {.block = &wrong, .params = &p, .lanes = 1};
	struct checks *checks = checks_new(false);
	struct bind_rtl lib = {0};
	struct err e = {""};
	uint64_t found = 0;
	struct unit u;

	wrong.eval = wide_set;
	cr_assert_eq(bind_open(&lib, &q, &e), 0, "%s", e.text);
	unit_init(&u, &(struct unit_config){.block = &wrong,
					    .params = &p,
					    .owner = "test",
					    .mode = UNIT_LOCKSTEP,
					    .checks = checks,
					    .abi = lib.abi,
					    .found = note,
					    .ctx = &found});
	for (uint64_t i = 0; i < 300; i++) {
		unit_watch(&u, 1000 + i, &(struct pric_in){.addr = i * 128});
	}
	unit_finish(&u, &e);
	cr_expect_eq(u.mismatches, 1);
	cr_expect_eq(found, 1077);
	unit_free(&u);
	checks_free(checks);
	bind_close(&lib);
}
