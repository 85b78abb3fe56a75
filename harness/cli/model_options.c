#include "cli/model_options.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/root.h"
#include "cli/cli.h"
#include "cli/dump_files.h"
#include "cli/phases.h"
#include "cli/policy_options.h"
#include "taf/taf_track.h"

enum {
	KEY_L1_INDEX = 256,
	KEY_L2_INDEX,
	KEY_SIZE,
	KEY_ARG,
	KEY_SCHEDULER,
	KEY_MAX_CYCLES,
	KEY_NO_SKIP,
	KEY_MAX_INSTS,
	KEY_PRINTF,
	KEY_OPCODE_MAP,
	KEY_UNKNOWN,
	KEY_MEMCPY,
	KEY_PLAN,
	KEY_THROTTLE,
	KEY_L1_BYPASS,
	KEY_L2_BYPASS,
	KEY_L1_PREFETCH
};

static const struct argp_option options[] = {
	{"l1-index", KEY_L1_INDEX, "INDEX", 0, "set index of the L1s: linear or pric[:POLY]", 0},
	{"l2-index", KEY_L2_INDEX, "INDEX", 0, "of the L2 slices, likewise", 0},
	{"scheduler", KEY_SCHEDULER, "gto|lrr", 0, "warp scheduler", 0},
	{"throttle", KEY_THROTTLE, "POLICY", 0, "warps that may issue: none or swt:N, N a scheduler", 0},
	{"l1-bypass", KEY_L1_BYPASS, "POLICY", 0, "none or streaming[:rate=90,period=10000]", 0},
	{"l2-bypass", KEY_L2_BYPASS, "POLICY", 0, "of the L2 slices, likewise", 0},
	{"l1-prefetch", KEY_L1_PREFETCH, "POLICY", 0, "none or next-line[:mshrs=8,queue=2]", 0},
	{"size", KEY_SIZE, "test|default|paper", 0, "size of a workload", 0},
	{"arg", KEY_ARG, "KEY=VALUE", 0, "option of a workload (locus list shows them)", 0},
	{"plan", KEY_PLAN, "PLANNER", 0, "where CTAs and pages go (locus list planners)", 0},
	{"max-cycles", KEY_MAX_CYCLES, "N", 0, "stop after N core cycles", 0},
	{"max-insts", KEY_MAX_INSTS, "N", 0, "stop with the N-th warp instruction", 0},
	{"printf", KEY_PRINTF, NULL, 0, "print what kernels print (vprintf) to stderr", 0},
	{"no-skip", KEY_NO_SKIP, NULL, 0, "step clocked blocks in every cycle; same figures", 0},
	{"opcode-map", KEY_OPCODE_MAP, "FILE", 0, "Accel-Sim trace: more opcodes and their classes", 0},
	{"unknown-opcode", KEY_UNKNOWN, "alu", 0, "Accel-Sim trace: unknown ones are integer adds", 0},
	{"memcpy", KEY_MEMCPY, NULL, 0, "Accel-Sim trace: MemcpyHtoD lines become buffers", 0},
	{0},
};

static uint64_t number(struct argp_state *state, const char *option, const char *text)
{
	struct err e = {""};
	uint64_t v = 0;

	if (cli_number(option, text, 1, UINT64_MAX, &v, &e))
		argp_error(state, "%s", e.text);
	return v;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct model_options *o = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &o->on;
		break;
	case KEY_ARG:
		machine_options_push(state, "--arg", o->arg, &o->n_args, MODEL_MAX_ARGS, arg);
		break;
	case KEY_L1_INDEX:
		o->l1_index = arg;
		break;
	case KEY_L2_INDEX:
		o->l2_index = arg;
		break;
	case KEY_SCHEDULER:
		o->scheduler = arg;
		break;
	case KEY_THROTTLE:
		o->throttle = arg;
		break;
	case KEY_L1_BYPASS:
		o->l1_bypass = arg;
		break;
	case KEY_L2_BYPASS:
		o->l2_bypass = arg;
		break;
	case KEY_L1_PREFETCH:
		o->l1_prefetch = arg;
		break;
	case KEY_SIZE:
		o->size = arg;
		break;
	case KEY_PLAN:
		o->plan = arg;
		break;
	case KEY_MAX_CYCLES:
		o->max_cycles = number(state, "--max-cycles", arg);
		break;
	case KEY_MAX_INSTS:
		o->max_insts = number(state, "--max-insts", arg);
		break;
	case KEY_NO_SKIP:
		o->no_skip = true;
		break;
	case KEY_PRINTF:
		o->print = true;
		break;
	case KEY_OPCODE_MAP:
		o->accelsim.opcode_map = arg;
		break;
	case KEY_UNKNOWN:
		if (strcmp(arg, "alu"))
			argp_error(state, "--unknown-opcode=%s: must be alu", arg);
		o->accelsim.unknown_alu = true;
		break;
	case KEY_MEMCPY:
		o->accelsim.memcpy = true;
		break;
	case ARGP_KEY_ARG:
		if (o->what)
			argp_error(state,
				   "one workload, launch file or trace at a time: \"%s\" is one "
				   "too many",
				   arg);
		o->what = arg;
		break;
	case ARGP_KEY_END:
		if (!o->what)
			argp_error(state, "needs a workload, a launch file (.yaml) or a trace (.ltrace, kernelslist.g)");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_child children[] = {{&machine_options_argp, 0, NULL, 0}, {0}};
const struct argp model_options_argp = {options, parse, NULL, NULL, children, NULL, NULL};

static int set_key(struct machine *m, const char *key, const char *value, struct err *e)
{
	char text[256];

	snprintf(text, sizeof text, "%s=%s", key, value);
	return machine_set(m, text, e);
}

/* "pric:47": index and polynomial. */
static int set_index(struct machine *m, const char *cache, const char *text, struct err *e)
{
	const char *colon = strchr(text, ':');
	char key[32], kind[32];

	snprintf(kind, sizeof kind, "%.*s", colon ? (int)(colon - text) : (int)strlen(text), text);
	if (strcmp(kind, "linear") && strcmp(kind, "pric"))
		return err_set(e, "--%s-index: linear or pric[:POLY], not \"%s\"", cache, text);
	snprintf(key, sizeof key, "%s.index", cache);
	if (set_key(m, key, kind, e) != 0)
		return -1;
	if (!colon)
		return 0;
	if (strcmp(kind, "pric"))
		return err_set(e, "--%s-index: only pric takes a polynomial", cache);
	snprintf(key, sizeof key, "%s.poly", cache);
	return set_key(m, key, colon + 1, e);
}

static int set_policies(const struct model_options *o, struct machine *m, struct err *e)
{
	const struct {
		struct policy_option option;
		const char *text;
	} all[] = {
		{{"--throttle", "throttle", "warps", "a number of warps: swt:N"}, o->throttle},
		{{"--l1-bypass", "l1.bypass", "rate", NULL}, o->l1_bypass},
		{{"--l2-bypass", "l2.bypass", "rate", NULL}, o->l2_bypass},
		{{"--l1-prefetch", "l1.prefetch", "mshrs", NULL}, o->l1_prefetch},
	};

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		if (all[i].text && policy_option_apply(&all[i].option, all[i].text, m, e) != 0)
			return -1;
	return 0;
}

int model_options_machine(const struct model_options *o, struct machine *m, struct err *e)
{
	if (machine_options_load(&o->on, m, e) != 0)
		return -1;
	if (o->l1_index && set_index(m, "l1", o->l1_index, e) != 0)
		return -1;
	if (o->l2_index && set_index(m, "l2", o->l2_index, e) != 0)
		return -1;
	if (o->scheduler && set_key(m, "sm.scheduler", o->scheduler, e) != 0)
		return -1;
	if (set_policies(o, m, e) != 0)
		return -1;
	return machine_resolve(m, e);
}

int model_options_source(const struct model_options *o, const struct machine *m, struct source *s, struct err *e)
{
	char root[4096];
	struct source_options so = {.what = o->what,
				    .root = root_path("", root),
				    .size = o->size,
				    .n_args = o->n_args,
				    .args = o->arg,
				    .print = o->print,
				    .files = &dump_files,
				    .accelsim = o->accelsim};
	struct planner_wants wants = {0};
	struct taf_options tables;
	struct plan_site site;
	struct arena a = {0};
	int rc;

	if (o->plan && planner_check(o->plan, &wants, e) != 0)
		return -1;
	so.analyse = o->analyse || wants.analysis;
	if (!wants.taf && !o->taf)
		return phase_source(s, &so, e);
	plan_site_of(&site, m, &a);
	planner_taf_options(&wants, &site, &tables);
	so.taf = &tables;
	rc = phase_source(s, &so, e);
	arena_free(&a);
	return rc;
}

/* With the software tracker's extents. */
static int plan_of_tracked(struct plan *p, const char *text, struct plan_ask *ask, struct err *e)
{
	struct taf_memory extents;
	int rc;

	taf_track(&extents, ask->taf, NULL);
	ask->extents = &extents;
	rc = phase_plan(p, text, ask, e);
	taf_memory_free(&extents);
	ask->extents = NULL;
	return rc;
}

int model_options_plan(const struct model_options *o, const struct machine *m, const struct source *s,
		       const struct taf_memory *extents, struct arena *a, const struct plan **p, struct err *e)
{
	struct plan_site site;
	struct plan_ask ask = {.machine = m,
			       .site = &site,
			       .trace = s->trace,
			       .analysis = s->analysis,
			       .taf = s->taf,
			       .extents = extents,
			       .arena = a};
	struct plan *made;

	*p = NULL;
	if (!o->plan)
		return 0;
	plan_site_of(&site, m, a);
	*p = made = arena_alloc(a, sizeof *made);
	if (s->taf && !extents)
		return plan_of_tracked(made, o->plan, &ask, e);
	return phase_plan(made, o->plan, &ask, e);
}
