/* 752: a wrong term in pin_replacement's Verilog is caught by lockstep, wherever it is, and named by what differs
 * first.
 *
 * All faulty versions are one build: an input fault_i chooses which term is the wrong one.
 */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hw/twins/pin_replacement.h"
#include "lockstep/scenario.h"
#include "support/pin_rule.h"
#include "support/program.h"

static const struct fault {
	const char *what, *where;    /* where: a piece of the module's text that is there once, */
	const char *right, *wrong;   /* and the term in it. NULL: all of it */
	const char *field, *or_else; /* what differs first */
} fault[] = {
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
	 "req_set", NULL},
	{"not busy", "busy_o      = req_valid_q", "req_valid_q", "1'b0", "busy", NULL},
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
	{"uses are not noted", "(op_kind_i == USE || op_kind_i == TAKE)", "op_kind_i == USE", "1'b0", "rank", NULL},
	{"newcomers are not used", "|| op_kind_i == TAKE);", "op_kind_i == TAKE", "1'b0", "rank", NULL},
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

/* The right term stays in the text, behind the wrong one, so that a later fault in the same place finds it. */
static char *spoil(char *text, const struct fault *f)
{
	char piece[1000], term[700];
	const char *right = f->right ? f->right : f->where, *at = strstr(f->where, right);

	snprintf(term, sizeof term, "(fault_i == 6'd%u ? %s : %s)", (unsigned)(f - fault) + 1, f->wrong, right);
	snprintf(piece, sizeof piece, "%.*s%s%s", (int)(at - f->where), f->where, term, at + strlen(right));
	return with(text, f->where, piece);
}

static char *module_text(void)
{
	char *text = calloc(1, 1 << 16), *end;
	FILE *f = fopen("rtl/pin_replacement/pin_replacement.v", "r");

	cr_assert(f && text && fread(text, 1, (1 << 16) - 1, f) > 0);
	fclose(f);
	end = strstr(text, "\n`ifdef FORMAL");
	cr_assert_not_null(end);
	strcpy(end, "endmodule\n`default_nettype wire\n");
	return text;
}

static void build(unsigned from, unsigned to, char path[300])
{
	char *text = module_text();
	FILE *f;

	for (unsigned k = from; k < to; k++)
		text = spoil(text, &fault[k]);
	text = with(text, ") (\n", ") (\n    input  wire [5:0] fault_i,\n");
	snprintf(path, 300, "%s/pin_replacement_%u.v", program_tmp(), from);
	f = fopen(path, "w");
	cr_assert(f && fputs(text, f) >= 0);
	fclose(f);
	free(text);
}

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

static void is_caught(struct scenario *s, const struct bind_abi *abi, unsigned k)
{
	const struct fault *f = &fault[k];
	struct outcome o;
	const char *name;

	s->poke[0].value = k + 1;
	o = scenario_run(s, abi, NULL);
	cr_expect(o.failed, "not caught: %s", f->what);
	if (!o.failed)
		return;
	name = s->layout.side[o.m.side].slot[o.m.slot].f.name;
	cr_expect(!strcmp(name, f->field) || (f->or_else && !strcmp(name, f->or_else)), "%s: %s differs, not %s", f->what, name,
		  f->field);
}

Test(pin_replacement_faults, every_wrong_term_is_caught_and_named, .timeout = 300)
{
	struct pin_replacement_params p = {.sets = 4, .ways = 4, .timer = 60};
	struct scenario s;
	struct bind_rtl lib;
	struct err e = {""};
	char path[300];

	build(0, FAULTS, path);
	scenario_init(&s, &pin_replacement_block, &p);
	snprintf(s.rtl, sizeof s.rtl, "%s", path);
	s.n_pokes = 1;
	snprintf(s.poke[0].port, sizeof s.poke[0].port, "fault_i");
	cr_assert_eq(scenario_open(&s, &lib, &e), 0, "%s", e.text);
	play(&s, &p);
	cr_assert_not(scenario_run(&s, lib.abi, NULL).failed, "without a fault nothing differs");
	for (unsigned k = 0; k < FAULTS; k++)
		is_caught(&s, lib.abi, k);
	scenario_free(&s);
	bind_close(&lib);
}
