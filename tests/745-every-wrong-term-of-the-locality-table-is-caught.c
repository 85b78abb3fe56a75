/* 745: a wrong term in the locality table's Verilog is caught by lockstep, and the field that differs first is the
 * one it makes wrong. All faulty versions are one build: an input fault_i chooses which term is the wrong one. */
#include <criterion/criterion.h>
#include <stdio.h>

#include "hw/twins/locality_table.h"
#include "support/locality_stimulus.h"
#include "support/wrong_terms.h"

static const struct wrong_term fault[] = {
	/* who answers */
	{"the bound is part of the range", "look_addr_i < bound_q[i*ADDR_W +: ADDR_W]", NULL,
	 "look_addr_i <= bound_q[i*ADDR_W +: ADDR_W]", NULL, NULL},
	{"the base is not part of the range", "look_addr_i >= base_q[i*ADDR_W +: ADDR_W]", NULL,
	 "look_addr_i > base_q[i*ADDR_W +: ADDR_W]", NULL, NULL},
	{"an entry that is not used matches", "used_q[i] &&", "used_q[i]", "1'b1", NULL, NULL},
	{"the first match, whatever its priority", "prio[(2*k+1)*PRIO_W +: PRIO_W] < prio[2*k*PRIO_W +: PRIO_W]", NULL, "1'b0",
	 NULL, NULL},
	{"the last match, whatever its priority", "(!hit[2*k] ||", "!hit[2*k]", "1'b1", NULL, NULL},
	{"the last of equal priority", "prio[(2*k+1)*PRIO_W +: PRIO_W] < prio[2*k*PRIO_W +: PRIO_W]", NULL,
	 "prio[(2*k+1)*PRIO_W +: PRIO_W] <= prio[2*k*PRIO_W +: PRIO_W]", NULL, NULL},
	{"an entry's own number is lost on the way", "= at[(2*k+1)*INDEX_W +: INDEX_W];", "at[(2*k+1)*INDEX_W +: INDEX_W]",
	 "at[2*k*INDEX_W +: INDEX_W]", NULL, NULL},
	/* what it says */
	{"the default is entry 0's caching", "= match ? caching_q", "match", "1'b1", NULL, NULL},
	{"the default is entry 0's prefetch", "= match ? prefetch_q", "match", "1'b1", NULL, NULL},
	{"the default has entry 0's distance", "= match ? distance_q", "match", "1'b1", NULL, NULL},
	{"the default has entry 0's bound", "= match ? bound_q", "match", "1'b1", NULL, NULL},
	/* the answers that wait */
	{"ready while two wait", "= !ans_valid_q[1];", "!ans_valid_q[1]", "1'b1", "look_ready", NULL},
	{"never ready", "look_valid_i && look_ready_o", "look_ready_o", "1'b0", "ans_valid", NULL},
	{"an answer is taken without ready", "= ans_valid_q[0] && ans_ready_i;", "ans_valid_q[0] && ans_ready_i", "ans_valid_q[0]",
	 "ans_valid", NULL},
	{"a new answer overwrites the one that waits", "= take && ans_valid_q[0] && !drop;", "take && ans_valid_q[0] && !drop",
	 "1'b0", "ans_valid", NULL},
	{"the answer behind is lost", "(drop ? ans_valid_q[1] : ans_valid_q[0])", NULL, "(ans_valid_q[0] && !drop)", "ans_valid",
	 NULL},
	{"the answer behind stays", "(ans_valid_q[1] && !drop)", NULL, "ans_valid_q[1]", "ans_valid", NULL},
	{"a match does not move up", "<= ans_match_q[1];", "ans_match_q[1]", "ans_match_q[0]", "ans_match", NULL},
	{"an index does not move up", "<= ans_index_q[INDEX_W +: INDEX_W];", "ans_index_q[INDEX_W +: INDEX_W]",
	 "ans_index_q[0 +: INDEX_W]", "ans_index", NULL},
	{"a policy does not move up", "<= ans_caching_q[3:2];", "ans_caching_q[3:2]", "ans_caching_q[1:0]", "ans_caching", NULL},
	{"a prefetch does not move up", "<= ans_prefetch_q[3:2];", "ans_prefetch_q[3:2]", "ans_prefetch_q[1:0]", "ans_prefetch",
	 NULL},
	{"a distance does not move up", "<= ans_distance_q[DIST_W +: DIST_W];", "ans_distance_q[DIST_W +: DIST_W]",
	 "ans_distance_q[0 +: DIST_W]", "ans_distance", NULL},
	{"a bound does not move up", "<= ans_bound_q[ADDR_W +: ADDR_W];", "ans_bound_q[ADDR_W +: ADDR_W]",
	 "ans_bound_q[0 +: ADDR_W]", "ans_bound", NULL},
	{"busy forgets the answer", "busy_o         = ans_valid_q[0];", "ans_valid_q[0]", "1'b0", "busy", NULL},
	/* writes */
	{"a write without valid", "end else if (wr_valid_i)\n", "wr_valid_i", "1'b1", NULL, NULL},
	{"a write goes to the entry before", "if (wr_index_i == w[INDEX_W-1:0])", "wr_index_i",
	 "wr_index_i + {{INDEX_W-1{1'b0}}, 1'b1}", NULL, NULL},
	{"an entry is never given up", "<= wr_used_i;", "wr_used_i", "1'b1", "used", NULL},
	{"base and bound are exchanged", "<= wr_base_i;", "wr_base_i", "wr_bound_i", "base", NULL},
	{"a priority is inverted", "<= wr_prio_i;", "wr_prio_i", "~wr_prio_i", "prio", NULL},
	{"prefetch is written as caching", "<= wr_caching_i;", "wr_caching_i", "wr_prefetch_i", "caching", NULL},
	{"caching is written as prefetch", "<= wr_prefetch_i;", "wr_prefetch_i", "wr_caching_i", "prefetch", NULL},
	{"the distance is lost", "<= wr_distance_i;", "wr_distance_i", "{DIST_W{1'b0}}", "distance", NULL},
};
enum { FAULTS = sizeof fault / sizeof fault[0] };

static void play(struct scenario *s, const struct locality_table_params *p)
{
	uint64_t words[16] = {0}, seed = 11;
	struct locality_table t;

	locality_table_reset(&t, p);
	for (uint64_t n = 0; n < 6000; n++) {
		struct locality_table_in in = locality_stimulus(&t, n, &seed);

		locality_table_tick(&t, &in);
		bind_pack(&s->layout.side[HW_INPUT], &in, words);
		stim_append(&s->stim, n, false, words);
	}
}

Test(locality_table_faults, every_wrong_term_is_caught_and_named)
{
	struct locality_table_params p = {4, 10, 2, 6};
	struct scenario s;
	char path[300];

	wrong_terms_build("rtl/locality_table/locality_table.v", fault, FAULTS, path);
	scenario_init(&s, &locality_table_block, &p);
	snprintf(s.rtl, sizeof s.rtl, "%s", path);
	play(&s, &p);
	wrong_terms_are_caught(&s, fault, FAULTS);
	scenario_free(&s);
}
