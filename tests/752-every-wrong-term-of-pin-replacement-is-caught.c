/* 752: a wrong term in pin_replacement's Verilog is caught by lockstep, wherever it is, and named by what differs
 * first.
 *
 * All faulty versions are one build: an input fault_i chooses which term is the wrong one.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "hw/twins/pin_replacement.h"
#include "support/pin_rule.h"
#include "support/wrong_terms.h"

static const struct wrong_term fault[] = {
	/* the choice */
	{"a reserved way is a victim", "free     = ~reserved_q[req_set*WAYS +: WAYS]", "~reserved_q[req_set*WAYS +: WAYS]",
	 "{WAYS{1'b1}}", "rsp_way", "rsp_found"},
	{"soft pins are no pins", "free & ~by_soft & ~by_hard", "~by_soft", "{WAYS{1'b1}}", "rsp_way", "rsp_pin"},
	{"hard pins are no pins", "& ~by_hard;", "~by_hard", "{WAYS{1'b1}}", "rsp_way", "rsp_pin"},
	{"invalid ways are not first", "|invalid ? invalid", "|invalid", "1'b0", "rsp_way", NULL},
	{"soft and hard pins leave alike", ": |(free & by_soft) ? free & by_soft", "|(free & by_soft)", "1'b0", "rsp_way",
	 "rsp_pin"},
	{"a full set gives its oldest", "by_rank  = !(|invalid) && (|unpinned || |(free & by_soft))",
	 "(|unpinned || |(free & by_soft))", "1'b1", "rsp_way", NULL},
	{"soft pins leave from the lowest way", "|unpinned || |(free & by_soft)", "|(free & by_soft)", "1'b0", "rsp_way", NULL},
	{"the youngest leaves", "rank[i*WAY_W +: WAY_W] > oldest)", "rank[i*WAY_W +: WAY_W] > oldest",
	 "rank[i*WAY_W +: WAY_W] < oldest", "rsp_way", NULL},
	{"a victim where there is none", "req_valid_q && |victim", "|victim", "1'b1", "rsp_found", NULL},
	{"pins of victims are mixed up", "{|(victim & by_hard), |(victim & by_soft)}", NULL,
	 "{|(victim & by_soft), |(victim & by_hard)}", "rsp_pin", NULL},
	/* the handshake */
	{"a request overwrites one that waits", "!req_valid_q || rsp_ready_i", NULL, "1'b1", "req_ready", NULL},
	{"no request a cycle", "|| rsp_ready_i", "rsp_ready_i", "1'b0", "req_ready", NULL},
	{"the last request's set", "if (req_ready_o && req_valid_i)", "req_ready_o && req_valid_i", "req_valid_i && !req_valid_q",
	 "req_set", "req_bypass"},
	{"bypass is not noted", "req_bypass_q <= req_bypass_i", "req_bypass_i", "1'b0", "req_bypass", "rsp_found"},
	{"not busy", "busy_o      = req_valid_q", "req_valid_q", "1'b0", "busy", NULL},
	/* what is given */
	{"a bypassing request is given a way", "& {WAYS{!req_bypass_q}}", "!req_bypass_q", "1'b1", "rsp_found", NULL},
	{"a line takes a way that nobody gave", "op_kind_i == TAKE && its_own", "its_own", "1'b1", "given", "valid"},
	{"any way of the set", "op_way_i == given_way;", "op_way_i == given_way", "1'b1", "given", "valid"},
	{"the way of any set", "op_set == given_set", NULL, "1'b1", "given", "valid"},
	{"a way is given for good", "given && !take", "!take", "1'b1", "given", NULL},
	{"a response gives nothing", "answered ? |victim : given_q", "|victim", "1'b0", "given", "valid"},
	{"a response without a way leaves the one before", "|victim) : given_q", "|victim", "(|victim || given_q)", "given", NULL},
	{"in the set of the one before", "answered ? req_set : given_set_q", "req_set", "given_set_q", "given_set", NULL},
	{"the way of the one before", "answered ? way : given_way_q", "way", "given_way_q", "given_way", "given"},
	/* the timer */
	{"a cycle late", "elapsed >= PERIOD", NULL, "elapsed > PERIOD", "unpin", NULL},
	{"a cycle early", "elapsed >= PERIOD", NULL, "elapsed >= PERIOD - 32'd1", "unpin", NULL},
	{"fills end no pins", "op_valid_i || fill_valid_i)", "fill_valid_i", "1'b0", "unpin", NULL},
	{"requests end no pins", "(req_valid_i || op_valid_i", "req_valid_i", "1'b0", "unpin", NULL},
	{"soft pins start no timer", "&& |op_pin_i;", "|op_pin_i", "op_pin_i[1]", "timing", NULL},
	{"each pin starts it again", "begins && (!timing_q || unpin_o)", NULL, "begins", "start", NULL},
	{"it runs once", "(timing_q && !unpin_o)", NULL, "timing_q", "timing", NULL},
	{"pins stay", "kept & {LINES{!unpin_o}}", NULL, "kept", "soft", "hard"},
	/* the table */
	{"uses are not noted", "(op_valid_i && op_kind_i == USE)", "op_kind_i == USE", "1'b0", "rank", NULL},
	{"newcomers are not used", "use_way  = take ||", "take", "1'b0", "rank", NULL},
	{"older ways get older too", "op_rank[k*WAY_W +: WAY_W] < from", "op_rank[k*WAY_W +: WAY_W] < from", "1'b1", "rank", NULL},
	{"the used way stays", "op_hit[k] ? {WAY_W{1'b0}}", "{WAY_W{1'b0}}", "from", "rank", NULL},
	{"drops are lost", "op_valid_i && op_kind_i == DROP;", "op_kind_i == DROP", "1'b0", "valid", NULL},
	{"a drop of all drops one", "op_valid_i && op_kind_i == DROP_ALL;", "op_kind_i == DROP_ALL", "1'b0", "valid", NULL},
	{"a drop of all drops reserved lines", "(~reserved_q & {LINES{drop_all}})", "~reserved_q", "{LINES{1'b1}}", "valid", NULL},
	{"no line is reserved", "(taken & {LINES{op_reserve_i}})", "op_reserve_i", "1'b0", "reserved", NULL},
	{"fills are lost", "& ~fill_at;", "~fill_at", "{LINES{1'b1}}", "reserved", NULL},
	{"unwanted fills stay", "fill_at & {LINES{fill_drop_i}}", "fill_drop_i", "1'b0", "valid", NULL},
	{"the operation's set is filled", "fill_at[fill_set*WAYS +: WAYS]", "fill_set", "op_set", "reserved", NULL},
	{"newcomers inherit soft pins", "((soft_q & pinned)", "pinned", "~gone", "soft", NULL},
	{"newcomers inherit hard pins", "((hard_q & pinned)", "pinned", "~gone", "hard", NULL},
	{"soft pins are hard too", "pin_hard = op_pin_i[1]", "op_pin_i[1]", "|op_pin_i", "hard", NULL},
	{"hard pins are soft too", "pin_soft = op_pin_i == 2'd1", "op_pin_i == 2'd1", "|op_pin_i", "soft", NULL},
};
enum { FAULTS = sizeof fault / sizeof fault[0] };

/* ---- the steps: traffic as the L1 makes it, with back-pressure ---- */

static void play(struct scenario *s, const struct pin_replacement_params *p)
{
	static struct pin_replacement golden;
	static struct pin_traffic t;

	pin_replacement_reset(&golden, p);
	pin_traffic_init(&t, p, 7, 2);
	for (unsigned i = 0; i < 6000; i++) {
		struct pin_replacement_out out;
		uint64_t words[64] = {0};

		bind_pack(&s->layout.side[HW_INPUT], &t.in, words);
		stim_append(&s->stim, t.cycle, false, words);
		pin_replacement_eval(&golden, &t.in, &out);
		pin_replacement_tick(&golden, &t.in);
		pin_traffic_next(&t, &out);
	}
}

Test(pin_replacement_faults, every_wrong_term_is_caught_and_named)
{
	struct pin_replacement_params p = {.sets = 4, .ways = 4, .timer = 60};
	struct scenario s;
	char path[300];

	wrong_terms_build("rtl/pin_replacement/pin_replacement.v", fault, FAULTS, path);
	scenario_init(&s, &pin_replacement_block, &p);
	snprintf(s.rtl, sizeof s.rtl, "%s", path);
	play(&s, &p);
	wrong_terms_are_caught(&s, fault, FAULTS);
	scenario_free(&s);
}
