/* locus blocks: the Verilated blocks: builds what is not in the cache, checks ports against the golden twins, lists
 * them. */
#include <argp.h>
#include <stdio.h>

#include "base/suggestion.h"
#include "bind/bind.h"
#include "bind/params.h"
#include "cli/cli.h"
#include "cli/fit_options.h"
#include "hw/twins/blocks.h"

struct blocks_args {
	bool quiet;
	const char *block, *params, *rtl;
	struct fit_options fit;
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct blocks_args *a = state->input;

	if (key == ARGP_KEY_INIT)
		state->child_inputs[0] = &a->fit;
	else if (key == 'q')
		a->quiet = true;
	else if (key == 'p')
		a->params = arg;
	else if (key == 'r')
		a->rtl = arg;
	else if (key == ARGP_KEY_ARG && state->arg_num == 0)
		a->block = arg;
	else if (key == ARGP_KEY_END && (a->params || a->rtl) && !a->block)
		argp_error(state, "--params and --rtl need a BLOCK");
	else
		return ARGP_ERR_UNKNOWN;
	return 0;
}

static const struct argp_option options[] = {
	{"params", 'p', "N=V...", 0, "parameters of the block: \"sets=64 poly=67\" (default: the shapes built in advance)", 0},
	{"rtl", 'r', "FILE.v", 0, "build the block from FILE.v instead of its own source; FILE.v is executed", 0},
	{"quiet", 'q', NULL, 0, "build and check without printing", 0},
	{0},
};
static const struct argp_child children[] = {{&fit_options_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
	options,
	parse,
	"[BLOCK]",
	"Builds the Verilated hardware blocks that are not in the cache, checks their ports and registers "
	"against their golden twins "
	"by name and width, and lists them.\v"
	"Examples:\n  locus blocks\n  locus blocks pric --params \"sets=64 poly=67\" --rtl rtl/pric/pric_index.v",
	children,
	NULL,
	NULL};

static void print_side(const struct bind_layout *l, enum hw_side side)
{
	static const char *const word[HW_SIDES] = {"in", "out", "reg"};

	for (unsigned i = 0; i < l->side[side].n; i++) {
		const struct hw_field *f = &l->side[side].slot[i].f;
		char name[160];

		printf("    %-3s  %4u bit%s  %s", word[side], l->side[side].slot[i].bits,
		       l->side[side].slot[i].bits == 1 ? " " : "s", bind_rtl_name(name, f->name, side));
		if (f->count > 1)
			printf("  (%u of %u bits)", f->count, f->width);
		putchar('\n');
	}
}

static const struct hw_block *find(const char *name, struct err *e)
{
	struct suggestion n = {.typed = name};
	char hint[160];

	for (const struct hw_block *const *b = hw_blocks; *b; b++)
		suggestion_offer(&n, (*b)->name);
	if (!hw_block_named(name))
		err_set(e, "no block \"%s\"%s (see locus list blocks)", name, suggestion_text(&n, hint));
	return hw_block_named(name);
}

static int show(const struct hw_block *b, const char *text, const char *rtl, const struct bind_fit *fit, unsigned lanes, bool quiet,
		struct err *e)
{
	unsigned char params[BIND_PARAMS_MAX];
	struct bind_request q = {.block = b, .params = params, .lanes = lanes, .rtl = rtl, .unique_x = rtl != NULL, .fit = fit};
	struct bind_layout layout;
	struct bind_rtl r;

	if (bind_params_read(b, params, text, e) || bind_open(&r, &q, e))
		return -1;
	if (!quiet) {
		printf("%s  %s  ", b->name, rtl ? rtl : b->source);
		bind_params_write(b, params, stdout);
		printf("  %u lane%s\n    %s\n", lanes, lanes == 1 ? "" : "s", r.folder);
		bind_layout_of(&layout, b, params);
		for (int side = 0; side < HW_SIDES && lanes == 1; side++)
			print_side(&layout, side);
	}
	bind_close(&r);
	return 0;
}

/* What is built ahead. */
static int show_ready(const struct hw_block *b, bool quiet, struct err *e)
{
	for (const struct hw_shape *s = b->ready; s && s->params; s++)
		if (show(b, s->params, NULL, NULL, s->lanes, quiet, e) != 0)
			return -1;
	return 0;
}

int cli_blocks(int argc, char **argv)
{
	struct blocks_args a = {0};
	struct cli_given given;
	const struct hw_block *one = NULL;
	struct err e = {""};
	int rc = 0;

	cli_parse_given(&argp, argc, argv, &a, &given);
	cli_needs_group(&given, a.rtl, &fit_options_argp, "needs --rtl, whose ports it connects");
	if (a.fit.e.text[0])
		return cli_fail(&a.fit.e);
	if (a.block && !(one = find(a.block, &e)))
		return cli_fail(&e);
	if (a.params || a.rtl)
		rc = show(one, a.params, a.rtl, &a.fit.fit, 1, a.quiet, &e);
	for (const struct hw_block *const *b = hw_blocks; *b && !a.params && !a.rtl && !rc; b++)
		if (!one || *b == one)
			rc = show_ready(*b, a.quiet, &e);
	return rc ? cli_fail(&e) : CLI_OK;
}
