/* 762: a wrong term in the Verilog of DWT-CS's hardware is caught by lockstep, wherever it is, and named by what
 * differs first. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "support/throttle_stimulus.h"
#include "support/wrong_terms.h"

static const struct wrong_term throttle[] = {
	{"a period ends without a kernel", "ends    = on_q && now_i == due_q", "on_q", "1'b1", NULL, NULL},
	{"a period ends in the midst of a launch's begin", "== due_q && !beg_valid_i;", "!beg_valid_i", "1'b1", NULL, NULL},
	{"a vote a period early", "tells   = samples ? rest == 8'd1", "8'd1", "8'd2", "msg_valid", NULL},
	{"a settled kernel tells", ": !settled;", "!settled", "1'b1", "msg_valid", NULL},
	{"counters begin again in a sampling", "(!samples || rest <= 8'd1);", "!samples", "1'b1", NULL, NULL},
	{"a limit without a kernel", "limited_o     = on_q &&", "on_q", "1'b1", "limited", NULL},
	{"no limit in a sampling", "(samples || settled)", "samples", "1'b0", "limited", NULL},
	{"the watchdog lifts nothing", "settled) && !open_q;", "!open_q", "1'b1", "limited", NULL},
	{"no hold in a sampling", "hold_o        = on_q && (samples ||", "samples", "1'b0", "hold", NULL},
	{"no hold under watch", "|| mode == WATCH);", "mode == WATCH", "1'b0", "hold", NULL},
	{"another kernel's limit", "limit_o       = limit_q[slot_q*7 +: 7];", "slot_q", "beg_slot_i", "limit", NULL},
	{"not busy", "busy_o        = on_q &&", "on_q", "1'b0", "busy", NULL},
	{"a launch without counters starts", "starts  = beg_valid_i && beg_on_i", "beg_on_i", "1'b1", NULL, NULL},
	{"a kernel that there is not", "{1'b0, beg_slot_i} < SLOTS[SLOT_W:0];", "{1'b0, beg_slot_i} < SLOTS[SLOT_W:0]", "1'b1",
	 NULL, NULL},
	{"a relaunch takes the time from the table", "again   = on_q &&", "on_q", "1'b0", NULL, NULL},
	{"a relaunch keeps its counters", "anew    = starts && mode_q", "starts", "1'b0", NULL, NULL},
	{"a period put off is lost", "now_i == due_q ? 31'd1 : to_come", "31'd1", "31'd0", NULL, NULL},
	{"the watchdog counts without a limit", "counts = settled &&", "settled", "1'b1", NULL, NULL},
	{"the watchdog a period late", "{1'b0, idle_q} + 17'd1 ==", "17'd1", "17'd0", NULL, NULL},
	{"commits wrap", "| {COUNT_W{commit_sum[COUNT_W]}};", "commit_sum[COUNT_W]", "1'b0", "commits", NULL},
	{"misses wrap", "| {COUNT_W{miss_sum[COUNT_W]}};", "miss_sum[COUNT_W]", "1'b0", "misses", NULL},
	{"counters of a kernel that does not run", "if (on_d && slot_d", "on_d", "1'b1", NULL, NULL},
	{"the time left is not kept", "if (beg_valid_i && on_q && slot_q", "beg_valid_i", "1'b0", "left", NULL},
	{"an exit does not count", "if (exit_i || beg_valid_i) idle_q", "exit_i", "1'b0", "idle", NULL},
	{"orders without valid", "if (ord_valid_i && ord_slot_i ==", "ord_valid_i", "1'b1", NULL, NULL},
	{"a limit of 0", "|ord_limit_i ? ord_limit_i", "|ord_limit_i", "1'b1", "limit", NULL},
	{"any order begins a sampling", "rest_q[k*8 +: 8]  <= ord_mode_i == SAMPLE", "ord_mode_i == SAMPLE", "1'b1", "rest", NULL},
	{"a vote without an answer samples on", "if (rest == 8'd0) mode_q", "rest == 8'd0", "1'b0", NULL, NULL},
	{"most is another launch's", "most_q <= beg_most_i;", "beg_most_i", "most_q", "most", NULL},
};
enum { THROTTLE_TERMS = sizeof throttle / sizeof throttle[0] };

static const struct wrong_term coordinator[] = {
	{"messages are taken while orders leave", "take     = msg_valid_i && collects;", "collects", "1'b1", NULL, NULL},
	{"the last SM is left out", "row_ends = step >= ALL[8:0];", "ALL[8:0]", "LAST[8:0]", NULL, NULL},
	{"all have had their turns after a row", "(!deals || number == final_number);", "number == final_number", "1'b1", NULL,
	 NULL},
	{"a row begins with SM 0", "row_ends ? next_row[SM_W-1:0] : step", "next_row[SM_W-1:0]", "{SM_W{1'b0}}", NULL, NULL},
	{"SMs in blocks", "(deals ? limit : 9'd1);", "deals", "1'b0", NULL, NULL},
	{"a kernel that there is not", "slot  = {1'b0, asked} < SLOTS", "{1'b0, asked}", "{SLOT_W+1{1'b0}}", NULL, NULL},
	{"the further round is an SM too long", "{2'd0, base} + LAST[8:0]", "LAST[8:0]", "ALL[8:0]", NULL, NULL},
	{"more numbers than warps", "{2'd0, top} < reach ?", "{2'd0, top} < reach", "1'b0", NULL, NULL},
	{"the rest goes on beyond the last number", "|| number == final_number;", "number == final_number", "1'b0", NULL, NULL},
	{"the batch before counts", "goes_on  = !first &&", "!first", "1'b1", NULL, NULL},
	{"an SM without work counts", "works    = |msg_commits_i;", "|msg_commits_i", "1'b1", NULL, NULL},
	{"a threshold twice as high", "above_all = {{RATE_W-SUM_W{1'b0}}, misses_q} * {{RATE_W-10{1'b0}}, 10'd1000}", "10'd1000",
	 "10'd500", NULL, NULL},
	{"of equals the last", "own_side > best_side);", "own_side > best_side", "own_side >= best_side", NULL, NULL},
	{"a number without work may win", "better    = |own_sms_q &&", "|own_sms_q", "1'b1", NULL, NULL},
	{"the last number is not compared", "phase_q == LATER ||", "phase_q == LATER", "1'b0", NULL, NULL},
	{"a batch fewer", "run} + 5'd1 == RUN", "5'd1", "5'd2", NULL, NULL},
	{"a further round after any winner", "further  = best_q == final_number &&", "best_q == final_number", "1'b1", NULL, NULL},
	{"a further round beyond all warps", "&& best_q < top;", "best_q < top", "1'b1", NULL, NULL},
	{"no winner is used again", "settled_q[slot_q] ? SETTLED : enough", "settled_q[slot_q]", "1'b0", NULL, NULL},
	{"nobody's vote settles", "voted    = !(|best_sms_q) ?", "!(|best_sms_q)", "1'b0", NULL, NULL},
	{"a limit of 0", "|base_d ? base_d : 7'd1;", "|base_d", "1'b1", "number", NULL},
	{"busy while it collects", "busy_o       = !collects;", "!collects", "1'b1", "busy", NULL},
	{"the winner before stays", "if (take && first) begin", "first", "1'b0", NULL, NULL},
	{"orders do not wait", "if (take || (sends && ord_ready_i)) begin", "ord_ready_i", "1'b1", "sm", NULL},
	{"one above is forgotten", "above_q   <= (!first && above_q)", "!first", "1'b0", NULL, NULL},
	{"any commits are above", "(works && above_one);", "above_one", "1'b1", "above", NULL},
	{"a run goes on", "decision == WATCH ? run + 4'd1", "4'd1", "4'd2", "run", NULL},
	{"a winner is not kept", "if (samples) settled_q[k]", "samples", "1'b0", "settled", NULL},
	{"the top of the round before", "if (decision == SAMPLE && !samples) top_q", "!samples", "1'b1", NULL, NULL},
};
enum { COORDINATOR_TERMS = sizeof coordinator / sizeof coordinator[0] };

static void append(struct scenario *s, unsigned i, bool reset, const void *in)
{
	uint64_t words[32] = {0};

	bind_pack(&s->layout.side[HW_INPUT], in, words);
	stim_append(&s->stim, i, reset, words);
}

/* Within the protocol at first. A kernel that has a winner is not sampled again: hence the coordinator's resets. */
Test(throttle_faults, every_wrong_term_of_an_sms_part_is_caught_and_named)
{
	static const struct throttle_params p = {3, 20, 3, 2, 4, 3, 2};
	struct throttle_stimulus t;
	struct scenario s;
	char path[300];

	wrong_terms_build("rtl/throttle/throttle.v", throttle, THROTTLE_TERMS, path);
	scenario_init(&s, &throttle_block, &p);
	snprintf(s.rtl, sizeof s.rtl, "%s", path);
	throttle_stimulus_init(&t, &p, 7);
	for (unsigned i = 0; i < 8000; i++) {
		struct throttle_in in;

		t.wild = i >= 6000;
		in = throttle_stimulus_next(&t);
		append(&s, i, false, &in);
	}
	wrong_terms_are_caught(&s, throttle, THROTTLE_TERMS);
	scenario_free(&s);
}

Test(throttle_faults, every_wrong_term_of_the_coordinator_is_caught_and_named)
{
	static const struct throttle_coordinator_params p = {5, 3, 2, 20, 0, 0, 8};
	struct coordinator_stimulus t;
	struct scenario s;
	char path[300];

	wrong_terms_build("rtl/throttle/throttle_coordinator.v", coordinator, COORDINATOR_TERMS, path);
	scenario_init(&s, &throttle_coordinator_block, &p);
	snprintf(s.rtl, sizeof s.rtl, "%s", path);
	coordinator_stimulus_init(&t, &p, 7);
	for (unsigned i = 0; i < 12000; i++) {
		struct throttle_coordinator_in in;

		t.wild = i >= 9000;
		in = coordinator_stimulus_next(&t);
		append(&s, i, i % 400 == 0, &in);
	}
	wrong_terms_are_caught(&s, coordinator, COORDINATOR_TERMS);
	scenario_free(&s);
}
