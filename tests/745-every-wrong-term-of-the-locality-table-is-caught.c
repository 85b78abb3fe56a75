/* 745: a wrong term in the locality table's Verilog is caught by lockstep, and the field that differs first is the
 * one it makes wrong. All faulty versions are one build: an input fault_i chooses which term is the wrong one. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "hw/twins/locality_table.h"
#include "lockstep/scenario.h"
#include "support/locality_stimulus.h"
#include "support/program.h"

static const struct fault {
	const char *what, *where;  /* where: a piece of the module's text that is there once, */
	const char *right, *wrong; /* and the term in it. NULL: all of it */
	const char *field;	   /* NULL: any; else what differs first */
} fault[] = {
	/* who answers */
	{"the bound is part of the range", "look_addr_i < bound_q[i*ADDR_W +: ADDR_W]", NULL,
	 "look_addr_i <= bound_q[i*ADDR_W +: ADDR_W]", NULL},
	{"the base is not part of the range", "look_addr_i >= base_q[i*ADDR_W +: ADDR_W]", NULL,
	 "look_addr_i > base_q[i*ADDR_W +: ADDR_W]", NULL},
	{"an entry that is not used matches", "used_q[i] &&", "used_q[i]", "1'b1", NULL},
	{"the first match, whatever its priority", "prio[(2*k+1)*PRIO_W +: PRIO_W] < prio[2*k*PRIO_W +: PRIO_W]", NULL, "1'b0",
	 NULL},
	{"the last match, whatever its priority", "(!hit[2*k] ||", "!hit[2*k]", "1'b1", NULL},
	{"the last of equal priority", "prio[(2*k+1)*PRIO_W +: PRIO_W] < prio[2*k*PRIO_W +: PRIO_W]", NULL,
	 "prio[(2*k+1)*PRIO_W +: PRIO_W] <= prio[2*k*PRIO_W +: PRIO_W]", NULL},
	{"an entry's own number is lost on the way", "= at[(2*k+1)*INDEX_W +: INDEX_W];", "at[(2*k+1)*INDEX_W +: INDEX_W]",
	 "at[2*k*INDEX_W +: INDEX_W]", NULL},
	/* what it says */
	{"the default is entry 0's caching", "= match ? caching_q", "match ?", NULL, NULL},
	{"the default is entry 0's prefetch", "= match ? prefetch_q", "match ?", NULL, NULL},
	{"the default has entry 0's distance", "= match ? distance_q", "match ?", NULL, NULL},
	{"the default has entry 0's bound", "= match ? bound_q", "match ?", NULL, NULL},
	/* the answers that wait */
	{"ready while two wait", "= !ans_valid_q[1];", "!ans_valid_q[1]", "1'b1", "look_ready"},
	{"never ready", "look_valid_i && look_ready_o", "look_ready_o", "1'b0", "ans_valid"},
	{"an answer is taken without ready", "= ans_valid_q[0] && ans_ready_i;", "ans_valid_q[0] && ans_ready_i", "ans_valid_q[0]",
	 "ans_valid"},
	{"a new answer overwrites the one that waits", "= take && ans_valid_q[0] && !drop;", "take && ans_valid_q[0] && !drop",
	 "1'b0", "ans_valid"},
	{"the answer behind is lost", "(drop ? ans_valid_q[1] : ans_valid_q[0])", NULL, "(ans_valid_q[0] && !drop)", "ans_valid"},
	{"the answer behind stays", "(ans_valid_q[1] && !drop)", NULL, "ans_valid_q[1]", "ans_valid"},
	{"a match does not move up", "<= ans_match_q[1];", "ans_match_q[1]", "ans_match_q[0]", "ans_match"},
	{"an index does not move up", "<= ans_index_q[INDEX_W +: INDEX_W];", "ans_index_q[INDEX_W +: INDEX_W]",
	 "ans_index_q[0 +: INDEX_W]", "ans_index"},
	{"a policy does not move up", "<= ans_caching_q[3:2];", "ans_caching_q[3:2]", "ans_caching_q[1:0]", "ans_caching"},
	{"a prefetch does not move up", "<= ans_prefetch_q[3:2];", "ans_prefetch_q[3:2]", "ans_prefetch_q[1:0]", "ans_prefetch"},
	{"a distance does not move up", "<= ans_distance_q[DIST_W +: DIST_W];", "ans_distance_q[DIST_W +: DIST_W]",
	 "ans_distance_q[0 +: DIST_W]", "ans_distance"},
	{"a bound does not move up", "<= ans_bound_q[ADDR_W +: ADDR_W];", "ans_bound_q[ADDR_W +: ADDR_W]",
	 "ans_bound_q[0 +: ADDR_W]", "ans_bound"},
	{"busy forgets the answer", "busy_o         = ans_valid_q[0];", "ans_valid_q[0]", "1'b0", "busy"},
	/* writes */
	{"a write without valid", "end else if (wr_valid_i)\n", "wr_valid_i", "1'b1", NULL},
	{"a write goes to the entry before", "if (wr_index_i == w[INDEX_W-1:0])", "wr_index_i",
	 "wr_index_i + {{INDEX_W-1{1'b0}}, 1'b1}", NULL},
	{"an entry is never given up", "<= wr_used_i;", "wr_used_i", "1'b1", "used"},
	{"base and bound are exchanged", "<= wr_base_i;", "wr_base_i", "wr_bound_i", "base"},
	{"a priority is inverted", "<= wr_prio_i;", "wr_prio_i", "~wr_prio_i", "prio"},
	{"prefetch is written as caching", "<= wr_caching_i;", "wr_caching_i", "wr_prefetch_i", "caching"},
	{"caching is written as prefetch", "<= wr_prefetch_i;", "wr_prefetch_i", "wr_caching_i", "prefetch"},
	{"the distance is lost", "<= wr_distance_i;", "wr_distance_i", "{DIST_W{1'b0}}", "distance"},
};
enum { FAULTS = sizeof fault / sizeof fault[0] };

/* Replaces the one occurrence of `from`; frees text. */
static char *with(char *text, const char *from, const char *to)
{
	char *at = strstr(text, from), *out = calloc(1, strlen(text) + strlen(to) + 1);

	cr_assert(out && at && !strstr(at + 1, from), "\"%s\" is not there once", from);
	sprintf(out, "%.*s%s%s", (int)(at - text), text, to, at + strlen(from));
	free(text);
	return out;
}

/* What stands for the right term; of "match ?", which is no expression, one of the same kind. */
static void term_of(const struct fault *f, const char *right, char out[600])
{
	unsigned n = (unsigned)(f - fault) + 1;

	if (!strcmp(right, "match ?"))
		snprintf(out, 600, "(match || fault_i == 6'd%u) ?", n);
	else
		snprintf(out, 600, "(fault_i == 6'd%u ? %s : %s)", n, f->wrong, right);
}

static char *spoil(char *text, const struct fault *f)
{
	char term[600], piece[1000];
	const char *right = f->right ? f->right : f->where, *at = strstr(f->where, right);

	term_of(f, right, term);
	snprintf(piece, sizeof piece, "%.*s%s%s", (int)(at - f->where), f->where, term, at + strlen(right));
	return with(text, f->where, piece);
}

static void build(char path[300])
{
	char *text = program_text("rtl/locality_table/locality_table.v"), *claims = strstr(text, "`ifdef FORMAL");
	FILE *f;

	cr_assert(claims);
	strcpy(claims, "endmodule\n`default_nettype wire\n");
	for (unsigned k = 0; k < FAULTS; k++)
		text = spoil(text, &fault[k]);
	text = with(text, ") (\n", ") (\n    input  wire [5:0] fault_i,\n");
	snprintf(path, 300, "%s/locality_table.v", program_tmp());
	f = fopen(path, "w");
	cr_assert(f && fputs(text, f) >= 0);
	fclose(f);
	free(text);
}

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

Test(locality_table_faults, every_wrong_term_is_caught_and_named, .timeout = 300)
{
	struct locality_table_params p = {4, 10, 2, 6};
	struct scenario s;
	struct bind_rtl lib;
	struct err e = {""};
	char path[300];

	build(path);
	scenario_init(&s, &locality_table_block, &p);
	snprintf(s.rtl, sizeof s.rtl, "%s", path);
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
