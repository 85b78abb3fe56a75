/* 742: a wrong term in PAVER's Verilog is caught by lockstep, wherever it is: an entry too many in a tail, a steal that
 * is lost, a CTA issued twice, and the others of the table below.
 *
 * All faulty versions are one build: an input fault_i, led through all modules, chooses which term is the wrong one.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "hw/twins/paver.h"
#include "lockstep/scenario.h"
#include "support/paver_bench.h"
#include "support/program.h"

static const struct fault {
	const char *what, *module, *where; /* where: a piece of the module's text that is there once, */
	const char *right, *wrong;	   /* and the term in it. NULL: all of it */
	const char *field;		   /* NULL: any; else what differs first */
} fault[] = {
	/* the three that matter most */
	{"a group is one entry too short", "sm_queue", "<= rsp_data_i[PTR_W +: PTR_W]", "rsp_data_i[PTR_W +: PTR_W]",
	 "rsp_data_i[PTR_W +: PTR_W] - {{PTR_W-1{1'b0}}, 1'b1}", "sm__tail"},
	{"the donor keeps an entry that is stolen", "steal", "from_o      = tail - count", "tail - count",
	 "tail - count + {{PTR_W-1{1'b0}}, 1'b1}", "sm__next"},
	{"a steal is lost", "sm_queue", "steal_i && recipient_i == ME", NULL, "1'b0", "sm__next"},
	{"a CTA is issued twice", "sm_queue", "(valid_q & ~take)", "valid_q & ~take", "valid_q", "sm__valid"},
	/* paver_pick */
	{"no turns", "pick", "|from ? high : low", NULL, "low", NULL},
	{"turns do not come round", "pick", "index == LAST[W-1:0]", NULL, "1'b0", NULL},
	/* paver_sm_queue */
	{"a CTA is passed over", "sm_queue", "= next_q[g*PTR_W +: PTR_W] + {{PTR_W-1{1'b0}}, 1'b1}",
	 "next_q[g*PTR_W +: PTR_W] + {{PTR_W-1{1'b0}}, 1'b1}", "next_q[g*PTR_W +: PTR_W] + {{PTR_W-2{1'b0}}, 2'd2}", "sm__next"},
	{"empty one early", "sm_queue", "= next_q[g*PTR_W +: PTR_W] == tail_q[g*PTR_W +: PTR_W]",
	 "next_q[g*PTR_W +: PTR_W] == tail_q[g*PTR_W +: PTR_W]", "second[g*PTR_W +: PTR_W] == tail_q[g*PTR_W +: PTR_W]", NULL},
	{"a CTA that is shown can be spared", "sm_queue", "(valid_q[g] || pending_q[g])", NULL, "pending_q[g]", NULL},
	{"taken though not shown", "sm_queue", "valid_q[g] && tb_ready_i[g]", NULL, "tb_ready_i[g]", "sm__next"},
	{"a response is another SM's too", "sm_queue", "rsp_tag_i == ME", NULL, "1'b1", NULL},
	{"the donor keeps all", "sm_queue", "steal_i && donor_i == ME", NULL, "1'b0", "sm__tail"},
	{"a group is shown as a CTA", "sm_queue", "(answer & ~empty_o)", "answer & ~empty_o", "answer", "sm__valid"},
	{"an answer leaves the SM waiting", "sm_queue", "(pending_q & ~answer)", "pending_q & ~answer", "pending_q", NULL},
	{"a request is forgotten", "sm_queue", "| ask_i;", "ask_i", "{SMS{1'b0}}", "sm__pending"},
	{"the recipient gets nothing", "sm_queue", "<= to_i;", "to_i", "from_i", "sm__tail"},
	{"the recipient begins at the end", "sm_queue",
	 "if (gets[i]) begin\n                    next_q[i*PTR_W +: PTR_W] <= from_i", "from_i", "to_i", "sm__next"},
	/* paver_dispatch */
	{"the last group is left", "dispatch", "group_q != groups_q", NULL, "group_q + {{PTR_W-1{1'b0}}, 1'b1} != groups_q", NULL},
	{"a request is overwritten", "dispatch", "!req_valid_q || req_ready_i", NULL, "1'b1", NULL},
	{"nobody asks for a group", "dispatch", "~empty_i | {SMS{left}}", NULL, "~empty_i", NULL},
	{"the donor asks as it is stolen from", "dispatch", "need & ~held", NULL, "need", NULL},
	{"groups are asked for as CTAs", "dispatch", "= empty_i[index]", "empty_i[index]", "1'b0", NULL},
	{"a request does not hold", "dispatch", "go || (req_valid_q && !req_ready_i)", NULL, "go", "dispatch__req_valid"},
	{"the same SM is first again", "dispatch", "turn_q      <= after", "after", "index", "dispatch__turn"},
	{"a CTA is asked for at a group's number", "dispatch", "group ? group_q : next_i[index*PTR_W +: PTR_W]", NULL, "group_q",
	 "dispatch__req_index"},
	{"a group is handed out twice", "dispatch", "group_q + {{PTR_W-1{1'b0}}, group}", NULL, "group_q", "dispatch__group"},
	{"the last launch's groups", "dispatch", "groups_q <= cfg_groups_i", "cfg_groups_i", "groups_q", NULL},
	/* paver_steal */
	{"the donor's registers are not looked up", "steal", "state_q == APPLY ? donor_q", "state_q == APPLY", "1'b0", NULL},
	{"a fetched head is stolen", "steal", "waiting - {{PTR_W-1{1'b0}}, pinned_i[at]}", NULL, "waiting", NULL},
	{"more is stolen than there is", "steal", "max_q < stealable ? max_q : stealable", NULL, "max_q", NULL},
	{"all is stolen", "steal", "max_q - sum_q", NULL, "max_q", "steal__max"},
	{"an average too low", "steal", "part >= DIVISOR[SM_W:0]", NULL, "part > DIVISOR[SM_W:0]", NULL},
	{"a rest too large", "steal", "left[SM_W-1:0];\n", "left[SM_W-1:0]", "part[SM_W-1:0]", "steal__rest"},
	{"an SM whose group is on its way is a recipient", "steal", "empty_i & ~pinned_i", NULL, "empty_i", NULL},
	{"stealing while groups are left", "steal", "on_q && !groups_left_i && |spare_i", NULL, "on_q && |spare_i", NULL},
	{"none is stolen", "steal", "|surplus ? surplus : {{PTR_W-1{1'b0}}, 1'b1}", NULL, "surplus", "steal__max"},
	{"the highest of equals", "steal", "stealable > max_q", NULL, "stealable >= max_q", "steal__donor"},
	{"a sum without fetched heads", "steal", "<= sum_q + waiting", "sum_q + waiting", "sum_q + stealable", "steal__sum"},
	{"no end of looking", "steal", "if (step_q == LAST_SM[STEP_W-1:0])\n", "step_q == LAST_SM[STEP_W-1:0]", "1'b0",
	 "steal__state"},
	{"an SM that has no room steals", "steal", "hungry & ready_i", NULL, "hungry", NULL},
	{"the same recipient again", "steal", "turn_q      <= after", "after", "index", "steal__turn"},
	{"a steal that nobody hears of", "steal", "hold_o && |count", NULL, "1'b0", "ev_steal"},
	{"stealing though it is not wanted", "steal", "on_q   <= cfg_steal_i", "cfg_steal_i", "1'b1", "steal__on"},
	/* paver_top */
	{"over while a group is on its way", "top", "&empty && !(|pending)", NULL, "&empty", "cfg_ready"},
	{"over while the stealer looks", "top", "!req_valid_o && idle", NULL, "!req_valid_o", "cfg_ready"},
	{"busy without the stealer", "top", "req_valid_o || need || steal_busy", NULL, "req_valid_o || need", "busy"},
	{"asked again before the answer", "top", "valid | pending;", "valid | pending", "valid", NULL},
};
enum { FAULTS = sizeof fault / sizeof fault[0] };

/* ---- the build ---- */

/* Replaces the one occurrence of `from`; frees text. */
static char *with(char *text, const char *from, const char *to)
{
	char *at = strstr(text, from), *out = calloc(1, strlen(text) + strlen(to) + 1);

	cr_assert(out && at && !strstr(at + 1, from), "\"%s\" is not there once", from);
	sprintf(out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
	free(text);
	return out;
}

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

static char *spoil(char *text, const struct fault *f)
{
	char term[600], piece[1000];
	const char *right = f->right ? f->right : f->where, *at = strstr(f->where, right);

	snprintf(term, sizeof term, "(fault_i == 6'd%u ? %s : %s)", (unsigned)(f - fault) + 1, f->wrong, right);
	snprintf(piece, sizeof piece, "%.*s%s%s", (int)(at - f->where), f->where, term, at + strlen(right));
	return with(text, f->where, piece);
}

static char *module_text(const char *module)
{
	char path[300], *text = calloc(1, 1 << 16);
	FILE *f;

	snprintf(path, sizeof path, "rtl/paver/paver_%s.v", module);
	f = fopen(path, "r");
	cr_assert(f && text && fread(text, 1, (1 << 16) - 1, f) > 0, "%s", path);
	fclose(f);
	return text;
}

static void write_module(const char *folder, const char *module, char *text)
{
	char path[400];
	FILE *f;

	snprintf(path, sizeof path, "%s/paver_%s.v", folder, module);
	f = fopen(path, "w");
	cr_assert(f && fputs(text, f) >= 0);
	fclose(f);
	free(text);
}

static void build(char top[300])
{
	static const char *const modules[] = {"top", "sm_queue", "dispatch", "steal", "pick"};
	char folder[250];

	snprintf(folder, sizeof folder, "%s/faults", program_tmp());
	mkdir(folder, 0777);
	for (unsigned i = 0; i < 5; i++) {
		char *text = module_text(modules[i]);

		for (unsigned k = 0; k < FAULTS; k++)
			if (!strcmp(fault[k].module, modules[i]))
				text = spoil(text, &fault[k]);
		text = with(text, ") (\n", ") (\n    input  wire [5:0] fault_i,\n");
		if (i == 0)
			text = with_each(text, "(\n        .clk_i(clk_i),", "(\n        .fault_i(fault_i), .clk_i(clk_i),");
		if (i == 2 || i == 3)
			text = with(text, "round (\n", "round (\n        .fault_i(fault_i),");
		write_module(folder, modules[i], text);
	}
	snprintf(top, 300, "%s/paver_top.v", folder);
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

Test(paver_faults, every_wrong_term_is_caught_and_named, .timeout = 300)
{
	struct paver_params p = {.sms = 3, .ptr_w = 6, .tb_w = 6};
	struct scenario s;
	struct bind_rtl lib;
	struct err e = {""};
	char top[300];

	build(top);
	scenario_init(&s, &paver_block, &p);
	snprintf(s.rtl, sizeof s.rtl, "%s", top);
	s.n_pokes = 1;
	snprintf(s.poke[0].port, sizeof s.poke[0].port, "fault_i");
	cr_assert_eq(scenario_open(&s, &lib, &e), 0, "%s", e.text);
	play(&s, &p);
	cr_assert_not(scenario_run(&s, lib.abi, NULL).failed, "without a fault nothing differs");
	for (unsigned k = 0; k < FAULTS; k++) {
		struct outcome o;
		const char *name;

		s.poke[0].value = k + 1;
		o = scenario_run(&s, lib.abi, NULL);
		cr_expect(o.failed, "not caught: %s", fault[k].what);
		if (!o.failed)
			continue;
		name = s.layout.side[o.m.side].slot[o.m.slot].f.name;
		cr_expect(!fault[k].field || !strcmp(name, fault[k].field), "%s: %s differs, not %s", fault[k].what, name,
			  fault[k].field);
	}
	scenario_free(&s);
	bind_close(&lib);
}
