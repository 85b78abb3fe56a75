/* 755: a wrong term in the prefetch unit's Verilog is caught by lockstep, wherever it is, and named by what differs
 * first.
 *
 * All faulty versions are one build: an input fault_i chooses which term is the wrong one.
 */
#include <criterion/criterion.h>
#include <stdio.h>

#include "hw/twins/prefetch_unit.h"
#include "support/prefetch_stimulus.h"
#include "support/wrong_terms.h"

static const struct wrong_term fault[] = {
	/* what an access triggers */
	{"what has not missed triggers", "acc_valid_i && acc_missed_i && (next", "acc_missed_i", "1'b1", "acc_kept", "acc_lost"},
	{"no access triggers", "wanted = acc_valid_i", "acc_valid_i", "1'b1", "acc_kept", "acc_lost"},
	{"any structure is prefetched", "(next || stride) && fits;", "(next || stride)", "1'b1", "acc_kept", "acc_lost"},
	{"behind the end too", "{target[LINE_W-1:0], {LINE_B{1'b0}}} < acc_bound_i",
	 "{target[LINE_W-1:0], {LINE_B{1'b0}}} < acc_bound_i", "1'b1", "acc_kept", "acc_lost"},
	{"the bound is in the structure", "{target[LINE_W-1:0], {LINE_B{1'b0}}} < acc_bound_i", NULL,
	 "{target[LINE_W-1:0], {LINE_B{1'b0}}} <= acc_bound_i", "acc_kept", "acc_lost"},
	{"the line that has missed", "&& target != own;", "target != own", "1'b1", "acc_kept", "acc_lost"},
	{"addresses begin again", "fits   = !target[LINE_W] &&", "!target[LINE_W]", "1'b1", "acc_kept", "acc_lost"},
	{"the next but one", "own + NEXT_LINE", "NEXT_LINE", "(NEXT_LINE + NEXT_LINE)", NULL, NULL},
	{"the distance of the tiles before", "if (active == d[COUNT_W-1:0] + ONE_CTA)", "d[COUNT_W-1:0] + ONE_CTA",
	 "d[COUNT_W-1:0]", NULL, NULL},
	{"the access's distance always", "distance = distances[d*DIST_W +: DIST_W];", "distances[d*DIST_W +: DIST_W]",
	 "acc_distance_i", NULL, NULL},
	{"no distance without tiles", "distance = acc_distance_i;", "acc_distance_i", "{DIST_W{1'b0}}", NULL, NULL},
	{"kept in a full queue", "acc_kept_o = wanted && !full;", "!full", "1'b1", "acc_kept", NULL},
	{"never lost", "acc_lost_o = wanted && full;", "full", "1'b0", "acc_lost", NULL},
	/* what becomes of a line */
	{"an access does not go first", "&& !acc_valid_i && !acc_wait_i;", "!acc_valid_i", "1'b1", "issue", "drop"},
	{"one that waits does not go first", "&& !acc_wait_i;", "!acc_wait_i", "1'b1", "issue", "drop"},
	{"no line has its turn", "turn  = |waiting_q &&", "|waiting_q", "1'b1", "issue", "drop"},
	{"no way is needed", "spare = look_way_i &&", "look_way_i", "1'b1", "issue", NULL},
	{"an MSHR entry fewer is left", "free_mshrs_i > MSHRS[10:0]", NULL, "free_mshrs_i >= MSHRS[10:0]", "issue", NULL},
	{"an MSHR entry more is left", "free_mshrs_i > MSHRS[10:0]", "MSHRS[10:0]", "MSHRS[10:0] + 11'd1", "issue", NULL},
	{"a slot fewer is left", "{1'b0, free_queue_i} >= need", NULL, "{1'b0, free_queue_i} + 12'd1 >= need", "issue", NULL},
	{"a slot more is left", "free_queue_i} >= need", "need", "need + 12'd1", "issue", NULL},
	{"a dirty line needs no slot", "{11'd0, look_dirty_i}", "look_dirty_i", "1'b0", "issue", NULL},
	{"an unknown page is fetched", "turn && look_known_i &&", "look_known_i", "1'b1", "issue", NULL},
	{"what is there is fetched", "&& !look_there_i && spare", "!look_there_i", "1'b1", "issue", NULL},
	{"what is not issued is not dropped", "drop_o       = turn && !issue_o;", "!issue_o", "1'b0", "drop", NULL},
	{"all has an unknown page", "!drop_o || !look_known_i", "!look_known_i", "1'b1", "why", NULL},
	{"what is there is short", "look_there_i ? 2'd1", "look_there_i", "1'b0", "why", NULL},
	{"another line is shown", "look_line_o  = line_q[0 +: LINE_W]", "line_q[0 +: LINE_W]", "line_q[LINE_W +: LINE_W]",
	 "look_line", NULL},
	{"not busy", "busy_o       = |waiting_q", "|waiting_q", "1'b0", "busy", NULL},
	{"none is shown", "look_valid_o = |waiting_q", "|waiting_q", "1'b0", "look_valid", NULL},
	/* the queue */
	{"a line goes to the next slot", "if (waiting_q == q[WAIT_W-1:0])", "q[WAIT_W-1:0]", "q[WAIT_W-1:0] + ONE_LINE", NULL,
	 NULL},
	{"a kept line is not counted", "waiting_q <= waiting_q + ONE_LINE;", "ONE_LINE", "{WAIT_W{1'b0}}", NULL, NULL},
	{"a line stays", "waiting_q <= waiting_q - ONE_LINE;", "ONE_LINE", "{WAIT_W{1'b0}}", NULL, NULL},
	{"lines do not move up", "<= line_q[(q+1)*LINE_W +: LINE_W];", "line_q[(q+1)*LINE_W +: LINE_W]",
	 "line_q[q*LINE_W +: LINE_W]", NULL, NULL},
	/* tiles */
	{"slots that are free have tiles", "hit[k] = |counts[k*COUNT_W +: COUNT_W] &&", "|counts[k*COUNT_W +: COUNT_W]", "1'b1",
	 NULL, NULL},
	{"every slot has the tile", "tiles[k*TILE_W +: TILE_W] == cta_tile_i;", "tiles[k*TILE_W +: TILE_W] == cta_tile_i", "1'b1",
	 NULL, NULL},
	{"a CTA ends in place of beginning", "            if (cta_end_i) begin", "cta_end_i", "1'b1", NULL, NULL},
	{"no CTA ends", "counts[k*COUNT_W +: COUNT_W] - ONE_CTA;", "ONE_CTA", "{COUNT_W{1'b0}}", "residents", NULL},
	{"a second CTA is not counted", "counts[k*COUNT_W +: COUNT_W] + ONE_CTA;", "ONE_CTA", "{COUNT_W{1'b0}}", "residents", NULL},
	{"a tile closes with any CTA", "closes = counts[k*COUNT_W +: COUNT_W] == ONE_CTA;",
	 "counts[k*COUNT_W +: COUNT_W] == ONE_CTA", "1'b1", "active", NULL},
	{"a tile gets two slots", "else if (!(|hit) && !opens", "!(|hit)", "1'b1", NULL, NULL},
	{"a tile gets all free slots", "&& !opens &&", "!opens", "1'b1", NULL, NULL},
	{"a tile takes a slot in use", "&& !(|counts[k*COUNT_W +: COUNT_W]))", "!(|counts[k*COUNT_W +: COUNT_W])", "1'b1", NULL,
	 NULL},
	{"more CTAs than there are", "< ALL_CTAS)", "ALL_CTAS", "(ALL_CTAS + ONE_CTA)", "residents", NULL},
	{"a tile is not noted", "tiles_d[k*TILE_W +: TILE_W] = cta_tile_i;", "cta_tile_i", "tiles[k*TILE_W +: TILE_W]", "tile",
	 NULL},
	{"an opened tile is not active", "opens ? count + ONE_CTA", "opens", "1'b0", "active", NULL},
	{"a closed tile stays active", "closes ? count - ONE_CTA", "closes", "1'b0", "active", NULL},
	{"events without valid", "else if (cta_valid_i && cta_entry_i == t)", "cta_valid_i", "1'b1", NULL, NULL},
	{"events of another structure", "&& cta_entry_i == t)", "cta_entry_i == t", "1'b1", NULL, NULL},
	/* the table */
	{"writes without valid", "else if (wr_valid_i && wr_entry_i == w", "wr_valid_i", "1'b1", "distance", NULL},
	{"writes to all structures", "wr_entry_i == w &&", "wr_entry_i == w", "1'b1", "distance", NULL},
	{"writes to all slots", "&& wr_slot_i == p)", "wr_slot_i == p", "1'b1", "distance", NULL},
	{"distances are halved", "<= wr_distance_i;", "wr_distance_i", "wr_distance_i >> 1", "distance", NULL},
};
enum { FAULTS = sizeof fault / sizeof fault[0] };

/* ---- the steps: traffic, within the protocol at first ---- */

static void play(struct scenario *s, const struct prefetch_unit_params *p)
{
	struct prefetch_stimulus t;

	prefetch_stimulus_init(&t, p, 7);
	for (unsigned i = 0; i < 6000; i++) {
		struct prefetch_unit_in in;
		uint64_t words[32] = {0};

		t.wild = i >= 3000;
		in = prefetch_stimulus_next(&t);
		bind_pack(&s->layout.side[HW_INPUT], &in, words);
		stim_append(&s->stim, i, false, words);
	}
}

Test(prefetch_unit_faults, every_wrong_term_is_caught_and_named)
{
	static const struct prefetch_unit_params p = {3, 3, 3, 12, 9, 16, 3, 2, 1};
	struct scenario s;
	char path[300];

	wrong_terms_build("rtl/prefetch_unit/prefetch_unit.v", fault, FAULTS, path);
	scenario_init(&s, &prefetch_unit_block, &p);
	snprintf(s.rtl, sizeof s.rtl, "%s", path);
	play(&s, &p);
	wrong_terms_are_caught(&s, fault, FAULTS);
	scenario_free(&s);
}
