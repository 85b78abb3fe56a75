/* locus index: the set of an address under PRIC, by the golden twin or by the Verilated RTL. */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "bind/bind.h"
#include "cli/cli.h"
#include "cli/words.h"
#include "hw/twins/pric.h"
#include "hw/twins/pric_poly.h"

enum { OPT_POLY = 1000, OPT_SETS, OPT_LINE, OPT_ADDR_BITS, OPT_HW, OPT_POLYS };

struct index_args {
	uint32_t poly, sets, line, addr_bits; /* poly without poly_given: default_poly */
	bool poly_given, rtl, list_polys;
	char **addr;
	int n_addr;
	struct err e; /* the first bad option value */
};

/* One of the two that work a set out. */
struct indexer {
	struct pric golden;
	const struct bind_abi *abi; /* NULL: golden */
	struct bind_layout layout;
	void *instance;
};

static uint32_t number(struct index_args *a, const char *option, const char *text, uint64_t min, uint64_t max)
{
	uint64_t v = 0;

	cli_number(option, text, min, max, &v, &a->e);
	return (uint32_t)v;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct index_args *a = state->input;

	switch (key) {
	case OPT_POLY:
		a->poly = number(a, "--poly", arg, 0, (1u << 17) - 1);
		a->poly_given = true;
		break;
	case OPT_SETS:
		a->sets = number(a, "--sets", arg, 0, 65536);
		break;
	case OPT_LINE:
		a->line = number(a, "--line", arg, 0, 65536);
		break;
	case OPT_ADDR_BITS:
		a->addr_bits = number(a, "--addr-bits", arg, 1, 64);
		break;
	case OPT_HW:
		a->rtl = !strcmp(arg, "rtl");
		if (!a->rtl && strcmp(arg, "golden") != 0)
			err_set(&a->e, "--hw: \"%s\" is not one of golden, rtl", arg);
		break;
	case OPT_POLYS:
		a->list_polys = true;
		break;
	case ARGP_KEY_ARGS:
		a->addr = state->argv + state->next;
		a->n_addr = state->argc - state->next;
		break;
	case ARGP_KEY_END:
		if (a->n_addr == 0 && !a->list_polys && !a->e.text[0])
			argp_error(state, "needs an address (- for standard input)");
		if (a->n_addr && a->list_polys)
			argp_error(state, "--polys lists polynomials and takes no address");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_option options[] = {
	{"poly", OPT_POLY, "P", 0,
	 "irreducible polynomial; bit i is the coefficient of x^i (default: the least for the sets, 37 for 32)", 0},
	{"sets", OPT_SETS, "N", 0, "sets of the cache, a power of two (default: 32)", 0},
	{"line", OPT_LINE, "BYTES", 0, "size of a line (default: 128)", 0},
	{"addr-bits", OPT_ADDR_BITS, "N", 0, "hash only the lowest N address bits (default: 32; 27 in the paper's Figure 7)", 0},
	{"hw", OPT_HW, "golden|rtl", 0, "compute with the C twin (default) or the Verilog", 0},
	{"polys", OPT_POLYS, NULL, 0, "list the irreducible polynomials for --sets instead", 0},
	{0},
};
static const struct argp argp = {
	options,
	parse,
	"ADDR...",
	"Prints each address and its set under the pseudo-random index, one per line. Addresses are decimal or 0x hexadecimal; - "
	"reads them from standard input.\v"
	"Examples:\n  locus index --poly 37 --sets 32 --line 128 0x1000 0x2000 4096\n"
	"  seq 0 4096 131072 | locus index --sets 64 --hw rtl -",
	NULL,
	NULL,
	NULL};

static uint32_t set_of(struct indexer *x, uint64_t addr)
{
	struct pric_in in = {.addr = addr};
	struct pric_out out;
	uint64_t in_words[4], out_words[4];

	if (!x->abi) {
		pric_eval(&x->golden, &in, &out);
		return out.set;
	}
	bind_pack(&x->layout.side[HW_INPUT], &in, in_words);
	x->abi->eval(x->instance, in_words, out_words);
	bind_unpack(&x->layout.side[HW_OUTPUT], out_words, &out);
	return out.set;
}

static int print_set(void *ctx, const char *text, struct err *e)
{
	struct indexer *x = ctx;
	uint64_t addr;

	if (number_parse_u64(text, &addr))
		return err_set(e, "\"%s\" is not an address: decimal or 0x hexadecimal, up to 64 bits", text);
	if (addr & ~x->golden.addr_mask)
		return err_set(e, "address %s is wider than the %u bits of the index (see --addr-bits, up to 64)", text,
			       x->golden.p.addr_w);
	printf("%s %u\n", text, set_of(x, addr));
	return 0;
}

static int print_all(struct indexer *x, const struct index_args *a, struct err *e)
{
	return cli_words(a->addr, a->n_addr, print_set, x, e);
}

static int print_polys(uint32_t sets, struct err *e)
{
	char text[512];
	unsigned n;
	const uint16_t *list = sets && !(sets & (sets - 1)) ? pric_polynomials(pric_log2(sets), &n) : NULL;

	if (!list)
		return err_set(e, "%u sets: polynomials are listed for powers of two from 8 to 1024", sets);
	for (unsigned i = 0; i < n; i++)
		printf("%5u  %s\n", list[i], poly_print(list[i], text));
	return 0;
}

/* The least irreducible one beside x, which would be the linear index: 37 for the paper's 32 sets. 0 if the sets are
 * none. */
static uint32_t default_poly(uint32_t sets)
{
	uint32_t p = sets + 1;

	while (p < 2 * sets && poly_least_factor(p) != p)
		p += 2;
	return sets >= 2 && p < 2 * sets ? p : 0;
}

static int with_rtl(struct indexer *x, const struct pric_params *p, const struct index_args *a, struct err *e)
{
	struct bind_request q = {.block = &pric_block, .params = p, .lanes = 1};
	struct bind_rtl rtl;
	int rc;

	if (bind_open(&rtl, &q, e))
		return -1;
	bind_layout_of(&x->layout, &pric_block, p);
	x->abi = rtl.abi;
	x->instance = rtl.abi->create(0);
	rc = print_all(x, a, e);
	rtl.abi->destroy(x->instance);
	bind_close(&rtl);
	return rc;
}

int cli_index(int argc, char **argv)
{
	struct index_args a = {.sets = 32, .line = 128};
	struct cli_given given;
	struct indexer x = {.abi = NULL};
	struct pric_params p;
	int rc;

	cli_parse_given(&argp, argc, argv, &a, &given);
	cli_needs(&given, !a.list_polys, "poly line addr-bits hw", "has no effect with --polys");
	if (a.e.text[0])
		return cli_fail(&a.e);
	if (a.list_polys)
		return print_polys(a.sets, &a.e) ? cli_fail(&a.e) : CLI_OK;
	p = pric_params_of(a.poly_given ? a.poly : default_poly(a.sets), a.sets, a.line, a.addr_bits);
	if (pric_params_check(&p, &a.e))
		return cli_fail(&a.e);
	pric_reset(&x.golden, &p);
	rc = a.rtl ? with_rtl(&x, &p, &a, &a.e) : print_all(&x, &a, &a.e);
	return rc ? cli_fail(&a.e) : CLI_OK;
}
