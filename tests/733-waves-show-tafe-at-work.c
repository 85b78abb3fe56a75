/* 733: the wave file of a run of TAFE holds the registers of its three stages, golden and RTL, and the save file shows
 * first what one follows a store by. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hw/tafe/tafe.h"
#include "lockstep/cosim.h"
#include "support/program.h"
#include "support/tafe_host.h"
#include "support/vcd.h"

static void run(const char *wave)
{
	static const struct tafe_params params = {.entries = 2, .addr_w = 48, .index_w = 32, .tb_w = 31, .block_w = 10};
	struct tafe_port port;
	struct tafe_bench b;
	struct tafe_host h;
	struct cosim_options o;
	struct hw_binder binder;
	struct err e = {""};
	struct cosim *c;

	cosim_options_init(&o, UNIT_LOCKSTEP);
	o.wave = wave;
	c = cosim_new(&o);
	binder = cosim_binder(c);
	cr_assert_eq(tafe_bind(&binder, "cpu", &params, &port, &e), 0, "%s", e.text);
	tafe_bench_init(&b, port, 5);
	tafe_host_memory(&b, 2);
	tafe_host_make(&h, &b);
	tafe_host_run(&h, &b);
	cr_assert_eq(cosim_finish(c, &e), 0, "%s", e.text);
	cosim_free(c);
	tafe_bench_free(&b);
}

/* The same changes at the same times on both sides, at least so many. */
static void same(const char *text, const char *stage, const char *name, unsigned least)
{
	char of_golden[80], of_rtl[80], id[2][8], *change[2];
	unsigned n = 0;

	snprintf(of_golden, sizeof of_golden, "%s_%s", stage, name);
	snprintf(of_rtl, sizeof of_rtl, "%s", name);
	vcd_identifier(text, "golden", of_golden, id[0]);
	vcd_identifier(text, stage, of_rtl, id[1]);
	cr_assert_str_neq(id[0], id[1], "two signals, not one under two names");
	for (int side = 0; side < 2; side++)
		change[side] = vcd_changes(text, id[side]);
	cr_assert_str_eq(change[0], change[1], "%s.%s", stage, name);
	for (const char *at = change[0]; (at = strchr(at, '\n')); at++)
		n++;
	cr_assert_geq(n, least, "%s.%s changes %u times", stage, name, n);
	free(change[0]);
	free(change[1]);
}

Test(tafe_waves, registers_of_all_stages_are_beside_their_twins)
{
	char path[256], *text;

	snprintf(path, sizeof path, "%s/tafe.fst", program_tmp());
	run(path);
	text = vcd_text(path);
	same(text, "cmp", "second_addr_q", 10);
	same(text, "inv", "state_q", 10);
	same(text, "inv", "hist_lo_q", 2);
	same(text, "ext", "dirty_q", 2);
	free(text);
}

Test(tafe_waves, the_save_file_begins_with_the_way_of_a_store)
{
	static const char first[] = "-overview: golden, rtl\n", last[] = "-inputs\n";
	static const char *const shown[] = {
		"TOP.cosim.st_valid_i\n",	"TOP.cosim.golden.st_ready_o\n",     "TOP.cosim.rtl.st_ready_o\n",
		"TOP.cosim.rtl.ev_tracked_o\n", "TOP.cosim.golden.inv_state_q[2:0]", "TOP.cosim.rtl.inv.state_q[2:0]",
		"TOP.cosim.rtl.ext.dirty_q\n",	"TOP.cosim.rtl.req_line_o[41:0]"};
	char path[256], *end;
	struct program p;

	snprintf(path, sizeof path, "%s/tafe.fst", program_tmp());
	run(path);
	p = program_run("sed -n '/^-overview/,$p' %s/tafe.gtkw", program_tmp());
	cr_assert_eq(strncmp(p.out, first, strlen(first)), 0, "%s", p.out);
	end = strstr(p.out, last);
	cr_assert_not_null(end);
	*end = '\0';
	for (unsigned i = 0; i < sizeof shown / sizeof shown[0]; i++)
		cr_assert(strstr(p.out, shown[i]), "%s in: %s", shown[i], p.out);
	cr_assert_null(strstr(p.out, "word_q"));
	program_free(&p);
}
