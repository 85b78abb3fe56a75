/* 758: a wrong term in the bypass monitor's Verilog is caught by lockstep, wherever it is, and named by what differs
 * first. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "support/bypass_stimulus.h"
#include "support/wrong_terms.h"

static const struct wrong_term fault[] = {
	/* the decision */
	{"a load is not counted", "loads_q + {{COUNT_W-1{1'b0}}, acc_valid_i}", "acc_valid_i", "1'b0", "loads", "bypass"},
	{"every load misses", "acc_valid_i && acc_miss_i};", "acc_miss_i", "1'b1", "misses", "bypass"},
	{"what is no load misses", "misses_q + {{COUNT_W-1{1'b0}}, acc_valid_i", "acc_valid_i", "1'b1", "misses", "bypass"},
	{"96 for a hundred", "+ {5'd0, misses, 2'd0}", "{5'd0, misses, 2'd0}", "{SCALED{1'b0}}", "bypass", NULL},
	{"68 for a hundred", "+ {2'd0, misses, 5'd0}", "{2'd0, misses, 5'd0}", "{SCALED{1'b0}}", "bypass", NULL},
	{"36 for a hundred", "{1'b0, misses, 6'd0} +", "{1'b0, misses, 6'd0}", "{SCALED{1'b0}}", "bypass", NULL},
	{"132 for a hundred", ": {1'b0, misses, 6'd0})", "{1'b0, misses, 6'd0}", "({1'b0, misses, 6'd0} + {2'd0, misses, 5'd0})",
	 "bypass", NULL},
	{"a bit of the rate is lost", "if (PERCENT[b])", "PERCENT[b]", "PERCENT[b] && b != 6", "bypass", NULL},
	{"all bits of the rate are set", ": PERCENT[b])", "PERCENT[b]", "1'b1", "bypass", NULL},
	{"a shift too few", "{7'd0, loads} << b", "b", "(b - 1)", "bypass", NULL},
	{"bypassed at the threshold", "missed > allowed", NULL, "missed >= allowed", "bypass", NULL},
	{"never above it", ": missed > allowed", "missed > allowed", "1'b0", "bypass", NULL},
	/* the period */
	{"no end", "last     = now_i == last_q", "now_i == last_q", "1'b0", NULL, NULL},
	{"always an end", ": now_i == last_q)", "now_i == last_q", "1'b1", NULL, NULL},
	{"an end a cycle early", ": now_i == last_q))", "last_q", "last_q - 1'b1", NULL, NULL},
	{"loads count while held", "counts   = !hold_i && !cut_q", "!hold_i", "1'b1", NULL, NULL},
	{"loads count when cut", "&& !cut_q;", "!cut_q", "1'b1", NULL, NULL},
	{"judged within a period", "judged   = last && counts", "last", "1'b1", "bypass", "opened"},
	{"a cut period is judged", "last) && counts &&", "counts", "!hold_i", "bypass", "opened"},
	{"a period without loads is judged", "&& loads != ZERO", "loads != ZERO", "1'b1", "bypass", "opened"},
	{"the last load is not judged", ": loads != ZERO", "loads != ZERO", "loads_q != ZERO", "bypass", "opened"},
	{"bypassed though held", "bypass_d = !hold_i &&", "!hold_i", "1'b1", "bypass", NULL},
	{"a decision is forgotten", ": bypass_q);", "bypass_q", "1'b0", "bypass", NULL},
	{"the last period begins too late", "last_q + STEP[NOW_W-1:0]", "STEP[NOW_W-1:0]", "(STEP[NOW_W-1:0] + 1'b1)", "last",
	 NULL},
	{"a period does not end", "<= last ?", "last", "1'b0", "last", NULL},
	/* outputs */
	{"past an open cache", "bypass_o = bypass_q &&", "bypass_q", "1'b1", "bypass", NULL},
	{"a hold comes a cycle late", "&& !hold_i;", "!hold_i", "1'b1", "bypass", NULL},
	{"no event by a period", "open_o   = opened_q ||", "opened_q", "1'b0", "open", NULL},
	{"no event by a hold", "(bypass_q && hold_i)", NULL, "1'b0", "open", NULL},
	{"an event by any hold", "(bypass_q && hold_i)", "bypass_q", "1'b1", "open", NULL},
	{"an event without a hold", ") && hold_i)", "hold_i", "1'b1", "open", NULL},
	{"not busy with an event", "busy_o   = opened_q ||", "opened_q", "1'b0", "busy", NULL},
	{"not busy in a held period's first cycle", "(hold_i && !cut_q)", NULL, "1'b0", "busy", NULL},
	{"busy all through a hold", "(hold_i && !cut_q)", "!cut_q", "1'b1", "busy", NULL},
	{"busy without a hold", "(hold_i && (", "hold_i", "1'b1", "busy", NULL},
	/* registers */
	{"loads go on", "loads_q  <= counts && !last", "!last", "1'b1", "loads", "bypass"},
	{"misses go on", "misses_q <= counts && !last", "!last", "1'b1", "misses", "bypass"},
	{"held loads stay", "loads_q  <= counts &&", "counts", "1'b1", "loads", NULL},
	{"held misses stay", "misses_q <= counts &&", "counts", "1'b1", "misses", NULL},
	{"any period opens", "opened_q <= judged &&", "judged", "last", "opened", NULL},
	{"what was open opens", ") && bypass_q &&", "bypass_q", "1'b1", "opened", NULL},
	{"what stays bypassed opens", "&& !bypass_d", "!bypass_d", "1'b1", "opened", NULL},
	{"a cut goes on", "cut_q    <= !last &&", "!last", "1'b1", "cut", NULL},
	{"a hold does not cut", "(hold_i || cut_q)", "hold_i", "1'b0", "cut", NULL},
	{"a cut ends with its hold", "|| cut_q)", "cut_q", "1'b0", "cut", NULL},
};
enum { FAULTS = sizeof fault / sizeof fault[0] };

Test(bypass_monitor_faults, every_wrong_term_is_caught_and_named)
{
	static const struct bypass_monitor_params p = {75, 60};
	struct bypass_stimulus t;
	struct scenario s;
	char path[300];

	wrong_terms_build("rtl/bypass_monitor/bypass_monitor.v", fault, FAULTS, path);
	scenario_init(&s, &bypass_monitor_block, &p);
	snprintf(s.rtl, sizeof s.rtl, "%s", path);
	bypass_stimulus_init(&t, &p, 7);
	for (unsigned i = 0; i < 40000; i++) {
		struct bypass_monitor_in in = bypass_stimulus_next(&t);
		uint64_t words[8] = {0};

		bind_pack(&s.layout.side[HW_INPUT], &in, words);
		stim_append(&s.stim, t.cycle, false, words);
	}
	wrong_terms_are_caught(&s, fault, FAULTS);
	scenario_free(&s);
}
