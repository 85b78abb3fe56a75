/* 742: a wrong term in PAVER's Verilog is caught by lockstep, wherever it is: an entry too many in a tail, a steal that
 * is lost, a CTA issued twice, and the others of the table below.
 *
 * All faulty versions are one build: an input fault_i, led through all modules, chooses which term is the wrong one.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hw/twins/paver.h"
#include "support/paver_bench.h"
#include "support/wrong_terms.h"

static const struct {
	const char *module;
	struct wrong_term term;
} fault[] = {
	/* the three that matter most */
	{"sm_queue",
	 {"a group is one entry too short", "<= rsp_data_i[PTR_W +: PTR_W]", "rsp_data_i[PTR_W +: PTR_W]",
	  "rsp_data_i[PTR_W +: PTR_W] - {{PTR_W-1{1'b0}}, 1'b1}", "sm__tail", NULL}},
	{"steal",
	 {"the donor keeps an entry that is stolen", "from_o      = tail - count", "tail - count",
	  "tail - count + {{PTR_W-1{1'b0}}, 1'b1}", "sm__next", NULL}},
	{"sm_queue", {"a steal is lost", "steal_i && recipient_i == ME", NULL, "1'b0", "sm__next", NULL}},
	{"sm_queue", {"a CTA is issued twice", "(valid_q & ~take)", "valid_q & ~take", "valid_q", "sm__valid", NULL}},
	/* paver_pick */
	{"pick", {"no turns", "|from ? high : low", NULL, "low", NULL, NULL}},
	{"pick", {"turns do not come round", "index == LAST[W-1:0]", NULL, "1'b0", NULL, NULL}},
	/* paver_sm_queue */
	{"sm_queue",
	 {"a CTA is passed over", "= next_q[g*PTR_W +: PTR_W] + {{PTR_W-1{1'b0}}, 1'b1}",
	  "next_q[g*PTR_W +: PTR_W] + {{PTR_W-1{1'b0}}, 1'b1}", "next_q[g*PTR_W +: PTR_W] + {{PTR_W-2{1'b0}}, 2'd2}", "sm__next",
	  NULL}},
	{"sm_queue",
	 {"empty one early", "= next_q[g*PTR_W +: PTR_W] == tail_q[g*PTR_W +: PTR_W]",
	  "next_q[g*PTR_W +: PTR_W] == tail_q[g*PTR_W +: PTR_W]", "second[g*PTR_W +: PTR_W] == tail_q[g*PTR_W +: PTR_W]", NULL,
	  NULL}},
	{"sm_queue", {"a CTA that is shown can be spared", "(valid_q[g] || pending_q[g])", NULL, "pending_q[g]", NULL, NULL}},
	{"sm_queue", {"taken though not shown", "valid_q[g] && tb_ready_i[g]", NULL, "tb_ready_i[g]", "sm__next", NULL}},
	{"sm_queue", {"a response is another SM's too", "rsp_tag_i == ME", NULL, "1'b1", NULL, NULL}},
	{"sm_queue", {"the donor keeps all", "steal_i && donor_i == ME", NULL, "1'b0", "sm__tail", NULL}},
	{"sm_queue", {"a group is shown as a CTA", "(answer & ~empty_o)", "answer & ~empty_o", "answer", "sm__valid", NULL}},
	{"sm_queue", {"an answer leaves the SM waiting", "(pending_q & ~answer)", "pending_q & ~answer", "pending_q", NULL, NULL}},
	{"sm_queue", {"a request is forgotten", "| ask_i;", "ask_i", "{SMS{1'b0}}", "sm__pending", NULL}},
	{"sm_queue", {"the recipient gets nothing", "<= to_i;", "to_i", "from_i", "sm__tail", NULL}},
	{"sm_queue",
	 {"the recipient begins at the end", "if (gets[i]) begin\n                    next_q[i*PTR_W +: PTR_W] <= from_i", "from_i",
	  "to_i", "sm__next", NULL}},
	/* paver_dispatch */
	{"dispatch",
	 {"the last group is left", "group_q != groups_q", NULL, "group_q + {{PTR_W-1{1'b0}}, 1'b1} != groups_q", NULL, NULL}},
	{"dispatch", {"a request is overwritten", "!req_valid_q || req_ready_i", NULL, "1'b1", NULL, NULL}},
	{"dispatch", {"nobody asks for a group", "~empty_i | {SMS{left}}", NULL, "~empty_i", NULL, NULL}},
	{"dispatch", {"the donor asks as it is stolen from", "need & ~held", NULL, "need", NULL, NULL}},
	{"dispatch", {"groups are asked for as CTAs", "= empty_i[index]", "empty_i[index]", "1'b0", NULL, NULL}},
	{"dispatch", {"a request does not hold", "go || (req_valid_q && !req_ready_i)", NULL, "go", "dispatch__req_valid", NULL}},
	{"dispatch", {"the same SM is first again", "turn_q      <= after", "after", "index", "dispatch__turn", NULL}},
	{"dispatch",
	 {"a CTA is asked for at a group's number", "group ? group_q : next_i[index*PTR_W +: PTR_W]", NULL, "group_q",
	  "dispatch__req_index", NULL}},
	{"dispatch",
	 {"a group is handed out twice", "group_q + {{PTR_W-1{1'b0}}, group}", NULL, "group_q", "dispatch__group", NULL}},
	{"dispatch", {"the last launch's groups", "groups_q <= cfg_groups_i", "cfg_groups_i", "groups_q", NULL, NULL}},
	/* paver_steal */
	{"steal",
	 {"the donor's registers are not looked up", "state_q == APPLY ? donor_q", "state_q == APPLY", "1'b0", NULL, NULL}},
	{"steal", {"a fetched head is stolen", "waiting - {{PTR_W-1{1'b0}}, pinned_i[at]}", NULL, "waiting", NULL, NULL}},
	{"steal", {"more is stolen than there is", "max_q < stealable ? max_q : stealable", NULL, "max_q", NULL, NULL}},
	{"steal", {"all is stolen", "max_q - sum_q", NULL, "max_q", "steal__max", NULL}},
	{"steal", {"an average too low", "part >= DIVISOR[SM_W:0]", NULL, "part > DIVISOR[SM_W:0]", NULL, NULL}},
	{"steal", {"a rest too large", "left[SM_W-1:0];\n", "left[SM_W-1:0]", "part[SM_W-1:0]", "steal__rest", NULL}},
	{"steal", {"an SM whose group is on its way is a recipient", "empty_i & ~pinned_i", NULL, "empty_i", NULL, NULL}},
	{"steal", {"stealing while groups are left", "on_q && !groups_left_i && |spare_i", NULL, "on_q && |spare_i", NULL, NULL}},
	{"steal", {"none is stolen", "|surplus ? surplus : {{PTR_W-1{1'b0}}, 1'b1}", NULL, "surplus", "steal__max", NULL}},
	{"steal", {"the highest of equals", "stealable > max_q", NULL, "stealable >= max_q", "steal__donor", NULL}},
	{"steal",
	 {"a sum without fetched heads", "<= sum_q + waiting", "sum_q + waiting", "sum_q + stealable", "steal__sum", NULL}},
	{"steal",
	 {"no end of looking", "if (step_q == LAST_SM[STEP_W-1:0])\n", "step_q == LAST_SM[STEP_W-1:0]", "1'b0", "steal__state",
	  NULL}},
	{"steal", {"an SM that has no room steals", "hungry & ready_i", NULL, "hungry", NULL, NULL}},
	{"steal", {"the same recipient again", "turn_q      <= after", "after", "index", "steal__turn", NULL}},
	{"steal", {"a steal that nobody hears of", "hold_o && |count", NULL, "1'b0", "ev_steal", NULL}},
	{"steal", {"stealing though it is not wanted", "on_q   <= cfg_steal_i", "cfg_steal_i", "1'b1", "steal__on", NULL}},
	/* paver_top */
	{"top", {"over while a group is on its way", "&empty && !(|pending)", NULL, "&empty", "cfg_ready", NULL}},
	{"top", {"over while the stealer looks", "!req_valid_o && idle", NULL, "!req_valid_o", "cfg_ready", NULL}},
	{"top", {"busy without the stealer", "req_valid_o || need || steal_busy", NULL, "req_valid_o || need", "busy", NULL}},
	{"top", {"asked again before the answer", "valid | pending;", "valid | pending", "valid", NULL, NULL}},
};
enum { FAULTS = sizeof fault / sizeof fault[0] };

/* ---- the build ---- */

/* All places. */
static char *with_each(char *text, const char *from, const char *to)
{
	char *out = calloc(1, 2 * strlen(text) + 1), *at, *rest = text;

	cr_assert(out && strstr(text, from), "no \"%s\"", from);
	while ((at = strstr(rest, from))) {
		sprintf(out + strlen(out), "%.*s%s", (int)(at - rest), rest, to);
		rest = at + strlen(from);
	}
	strcat(out, rest);
	free(text);
	return out;
}

static void build(char top[300])
{
	static const char *const modules[] = {"top", "sm_queue", "dispatch", "steal", "pick"};
	char path[300], name[40];

	for (unsigned i = 0; i < 5; i++) {
		char *text;

		snprintf(path, sizeof path, "rtl/paver/paver_%s.v", modules[i]);
		text = wrong_terms_text(path);
		for (unsigned k = 0; k < FAULTS; k++)
			if (!strcmp(fault[k].module, modules[i]))
				text = wrong_terms_spoil(text, &fault[k].term, k + 1);
		text = wrong_terms_input(text);
		if (i == 0)
			text = with_each(text, "(\n        .clk_i(clk_i),", "(\n        .fault_i(fault_i), .clk_i(clk_i),");
		if (i == 2 || i == 3)
			text = wrong_terms_replace(text, "round (\n", "round (\n        .fault_i(fault_i),");
		snprintf(name, sizeof name, "paver_%s.v", modules[i]);
		wrong_terms_write(name, text, i == 0 ? top : path);
	}
}

/* ---- the steps: launches of all kinds, as the bench plays them with the golden twin ---- */

static void record(void *ctx, const struct paver_bench *b)
{
	struct scenario *s = ctx;
	uint64_t words[64] = {0};

	bind_pack(&s->layout.side[HW_INPUT], &b->in, words);
	stim_append(&s->stim, b->cycle, false, words);
}

static void play(struct scenario *s, const struct paver_params *p)
{
	static struct paver_launch l;
	struct paver golden;
	struct paver_bench b;

	paver_reset(&golden, p);
	paver_bench_init(&b, (struct paver_port){.params = *p, .golden = &golden}, 3);
	b.watch = record;
	b.watch_ctx = s;
	for (uint32_t i = 0; i < 60; i++) {
		uint32_t size[5] = {i % 7, 3, i % 5 ? 0 : 40, i % 3 ? 11 : 1, i % 2};

		b.latency = i % 4 * 3;
		b.stall_in = i % 3 ? 0 : 2;
		b.hold_in = i % 5 ? 0 : 3;
		b.contexts = 1 + i % 3;
		b.run_min = i % 2 ? 5 : 40;
		b.run_more = i % 10;
		paver_launch_make(&l, i % 6, size, i % 9 != 0);
		paver_bench_run(&b, &l);
	}
	cr_assert_gt(b.steals, 30);
	paver_bench_free(&b);
}

Test(paver_faults, every_wrong_term_is_caught_and_named)
{
	struct paver_params p = {.sms = 3, .ptr_w = 6, .tb_w = 6};
	struct wrong_term term[FAULTS];
	struct scenario s;
	char top[300];

	build(top);
	scenario_init(&s, &paver_block, &p);
	snprintf(s.rtl, sizeof s.rtl, "%s", top);
	play(&s, &p);
	for (unsigned k = 0; k < FAULTS; k++)
		term[k] = fault[k].term;
	wrong_terms_are_caught(&s, term, FAULTS);
	scenario_free(&s);
}
