/* 705: RTL that answers later than the golden twin differs by cycle, but not by transaction; a wrong answer differs in
 * both. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hw/twins/set_monitor.h"
#include "lockstep/cosim.h"
#include "support/program.h"

/* set_monitor with a read-out that takes two cycles more: our RTL as `inner`, its response kept back by a small state
 * machine, which takes the next response only when this one has been taken. WRONG adds to the second count and all
 * after it. */
static const char *deeper(const char *wrong, char path[256])
{
	static const char outer[] =
		"module set_monitor #(parameter SETS = 32, parameter TAG_W = 20, parameter COUNT_W = 16) (\n"
		"    input wire clk_i, input wire rst_i, input wire acc_valid_i, output wire acc_ready_o,\n"
		"    input wire [$clog2(SETS)-1:0] acc_set_i, input wire [TAG_W-1:0] acc_tag_i,\n"
		"    input wire req_valid_i, output wire req_ready_o, input wire [$clog2(SETS)-1:0] req_set_i,\n"
		"    output wire rsp_valid_o, input wire rsp_ready_i, output wire [COUNT_W-1:0] rsp_count_o, output wire busy_o\n"
		");\n"
		"    wire inner_valid, inner_busy;\n"
		"    wire [COUNT_W-1:0] inner_count;\n"
		"    reg [1:0] stage;\n"
		"    reg [COUNT_W-1:0] held;\n"
		"    reg [7:0] nth;\n"
		"    wire give = stage == 2'd2 && rsp_ready_i;\n"
		"    monitor_inner #(.SETS(SETS), .TAG_W(TAG_W), .COUNT_W(COUNT_W)) inner (\n"
		"        .clk_i(clk_i), .rst_i(rst_i), .acc_valid_i(acc_valid_i), .acc_ready_o(acc_ready_o), "
		".acc_set_i(acc_set_i),\n"
		"        .acc_tag_i(acc_tag_i), .req_valid_i(req_valid_i), .req_ready_o(req_ready_o), .req_set_i(req_set_i),\n"
		"        .rsp_valid_o(inner_valid), .rsp_ready_i(give), .rsp_count_o(inner_count), .busy_o(inner_busy));\n"
		"    always @(posedge clk_i)\n"
		"        if (rst_i) begin stage <= 0; held <= 0; nth <= 0; end\n"
		"        else if (give) begin stage <= 0; nth <= nth + 1'b1; end\n"
		"        else if (inner_valid && stage != 2'd2) begin stage <= stage + 1'b1; held <= inner_count%s; end\n"
		"    assign rsp_valid_o = stage == 2'd2, rsp_count_o = held, busy_o = inner_busy || stage != 0;\n"
		"endmodule\n";
	char *text = calloc(1, 1 << 20), *name;
	FILE *f = fopen("rtl/set_monitor/set_monitor.v", "r");

	cr_assert(f && text && fread(text, 1, (1 << 20) - 1, f) > 0);
	fclose(f);
	name = strstr(text, "module set_monitor");
	cr_assert(name);
	snprintf(path, 256, "%s/deeper.v", program_tmp());
	f = fopen(path, "w");
	fprintf(f, outer, wrong);
	fprintf(f, "module monitor_inner%s", name + strlen("module set_monitor"));
	fclose(f);
	free(text);
	return path;
}

/* Accesses all the time; one request at a time, the next after its response. Returns what finish says, and what is
 * printed. */
static int run(const char *rtl, bool transactions, char **said)
{
	static const struct set_monitor_params params = {.sets = 32, .tag_w = 20, .count_w = 16};
	struct set_monitor_in in = {0};
	struct set_monitor_out out;
	struct set_monitor_port port;
	struct cosim_options o;
	struct hw_binder b;
	struct err e = {""};
	struct cosim *c;
	char prefix[128];
	size_t size;
	FILE *f;
	bool waiting = false;
	int differs;

	snprintf(prefix, sizeof prefix, "%s/mm", program_tmp());
	cosim_options_init(&o, UNIT_LOCKSTEP);
	o.rtl[1] = rtl;
	o.transactions[1] = transactions;
	o.bundle_prefix = prefix;
	c = cosim_new(&o);
	b = cosim_binder(c);
	cr_assert_eq(set_monitor_bind(&b, "test", &params, &port, &e), 0, "%s", e.text);
	for (unsigned i = 0; i < 3000; i++) {
		in.acc_valid = i % 4 == 0;
		in.acc_set = i / 4 % 3;
		in.acc_tag = i % 5;
		in.req_valid = !waiting && i % 32 == 2;
		in.req_set = i / 32 % 3;
		in.rsp_ready = i % 8 != 6;
		set_monitor_port_step(&port, i, &in, &out);
		waiting = (waiting || in.req_valid) && !(out.rsp_valid && in.rsp_ready);
	}
	differs = cosim_finish(c, &e);
	cr_assert_geq(differs, 0, "%s", e.text);
	f = open_memstream(said, &size);
	cosim_print(c, f);
	fclose(f);
	cosim_free(c);
	return differs;
}

Test(transactions, a_later_answer_differs_by_cycle)
{
	char path[256], *said;

	cr_assert_eq(run(deeper("", path), false, &said), 1);
	/* The first request is taken in cycle 2 and served in 3; the golden twin's response is valid in 4. */
	cr_assert(strstr(said, "cycle 4 (step 5): output rsp_valid_o\n"), "%s", said);
	free(said);
}

Test(transactions, a_later_answer_agrees_by_transaction_and_its_latency_is_reported)
{
	char path[256], *said;

	cr_assert_eq(run(deeper("", path), true, &said), 0, "%s", said);
	/* One request in 32 steps, 94 in 3000; two cycles later, or three when ready is low two cycles after the
	 * golden's. */
	cr_assert(strstr(said, "test rsp: 94 transactions, the RTL's later by 2 to "), "%s", said);
	free(said);
}

Test(transactions, a_wrong_answer_differs_and_its_bundle_replays)
{
	char path[256], folder[256], *said, *cycle;
	struct program p;

	cr_assert_eq(run(deeper(" + (nth == 8'd3)", path), true, &said), 1);
	cr_assert(strstr(said, "output rsp_count_o\n"), "%s", said);
	cycle = strstr(said, "mm-set_monitor-");
	cr_assert(cycle);
	snprintf(folder, sizeof folder, "%s/%.*s", program_tmp(), (int)strcspn(cycle, "/"), cycle);
	p = program_run("locus replay %s", folder);
	cr_assert_eq(p.status, 1, "%s", p.err);
	cr_assert(strstr(p.out, "output rsp_count_o\n"), "%s", p.out);
	cr_assert(strstr(said, p.out), "the same report");
	program_free(&p);
	free(said);
}

Test(transactions, an_answer_that_never_comes_is_missed_at_the_end)
{
	char path[256], *said;

	cr_assert_eq(run(deeper("; if (nth == 8'd5) stage <= 2'd0", path), true, &said), 1);
	cr_assert(strstr(said, "output rsp_valid_o\n  golden 1\n  rtl    0 "), "%s", said);
	free(said);
}
