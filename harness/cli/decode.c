/* locus decode: where addresses are in a machine's memory, by the golden twin of the address decoder, by its RTL, or by
 * both. */
#include <argp.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/number.h"
#include "bind/bind.h"
#include "cli/cli.h"
#include "cli/machine_options.h"
#include "cli/words.h"
#include "hw/twins/addr_decoder.h"
#include "machine/decoders.h"
#include "machine/unread.h"

enum { OPT_MODE = 1000, OPT_HW };
enum which { BY_GOLDEN, BY_RTL, BY_BOTH };

struct decode_args {
	struct machine_options on;
	uint32_t mode;
	enum which which;
	char **addr;
	int n_addr;
	struct err e; /* the first bad option value */
};

struct decoder {
	struct addr_decoder golden;
	struct bind_layout layout;
	const struct bind_abi *abi; /* NULL: golden alone */
	void *instance;
	uint32_t mode;
	enum which which;
	unsigned long differs;
};

static void set_mode(struct decode_args *a, const char *text)
{
	uint64_t bit = 0;

	if (!strcmp(text, "fgp"))
		a->mode = MODE_FGP;
	else if (!strcmp(text, "cgp"))
		a->mode = MODE_CGP;
	else if (!strcmp(text, "xor"))
		a->mode = MODE_XOR;
	else if (strncmp(text, "bit:", 4) != 0)
		err_set(&a->e, "--mode: \"%s\" is not one of fgp, cgp, xor, bit:B with B from 7 to 16", text);
	else if (!cli_number("--mode bit", text + 4, 7, 16, &bit, &a->e))
		a->mode = bit == 16 ? MODE_BIT_16 : (uint32_t)bit;
}

static void set_which(struct decode_args *a, const char *text)
{
	static const char *const words[] = {"golden", "rtl", "lockstep"};

	for (int i = BY_GOLDEN; i <= BY_BOTH; i++)
		if (!strcmp(text, words[i])) {
			a->which = i;
			return;
		}
	err_set(&a->e, "--hw: \"%s\" is not one of golden, rtl, lockstep", text);
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct decode_args *a = state->input;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = &a->on;
		break;
	case OPT_MODE:
		set_mode(a, arg);
		break;
	case OPT_HW:
		set_which(a, arg);
		break;
	case ARGP_KEY_ARGS:
		a->addr = state->argv + state->next;
		a->n_addr = state->argc - state->next;
		break;
	case ARGP_KEY_END:
		if (a->n_addr == 0 && !a->e.text[0])
			argp_error(state, "needs an address (- for standard input)");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_option options[] = {
	{"mode", OPT_MODE, "MODE", 0,
	 "page mode: fgp (spread over stacks, the default), cgp (one stack), xor (stack by hash), bit:B (stack bits start at "
	 "bit B, 7 to 16)",
	 0},
	{"hw", OPT_HW, "golden|rtl|lockstep", 0, "decode with the C twin (default), the Verilog, or both compared", 0},
	{0},
};
static const struct argp_child children[] = {{&machine_argp, 0, NULL, 0}, {0}};
static const struct argp argp = {
	options,
	parse,
	"ADDR...",
	"Prints the location of each physical address, one per line: stack, channel of the stack, bank, row and column (in bursts) "
	"of "
	"the channel, and the address inside the stack and inside the channel. Addresses are decimal or 0x hexadecimal; - reads "
	"them from standard input.\v"
	"Examples:\n  locus decode --machine gtx480 0x1000 0x1100 4096\n"
	"  seq 0 4096 65536 | locus decode --mode cgp --hw lockstep -",
	children,
	NULL,
	NULL};

static struct addr_location by_rtl(struct decoder *d, uint64_t addr)
{
	struct addr_decoder_in in = {.addr = {addr}, .mode = {(uint8_t)d->mode}};
	struct addr_decoder_out out = {.stack = {0}};
	uint64_t in_words[4], out_words[16];

	bind_pack(&d->layout.side[HW_INPUT], &in, in_words);
	d->abi->eval(d->instance, in_words, out_words);
	bind_unpack(&d->layout.side[HW_OUTPUT], out_words, &out);
	return addr_location_of(&out, 0);
}

static void print_head(void)
{
	printf("%18s %5s %7s %4s %14s %6s %18s %18s\n", "address", "stack", "channel", "bank", "row", "column", "in stack",
	       "in channel");
}

static void print_location(uint64_t addr, const struct addr_location *at)
{
	char in_stack[32], in_channel[32], text[32];

	snprintf(text, sizeof text, "0x%llx", (unsigned long long)addr);
	snprintf(in_stack, sizeof in_stack, "0x%llx", (unsigned long long)at->stack_local);
	snprintf(in_channel, sizeof in_channel, "0x%llx", (unsigned long long)at->channel_local);
	printf("%18s %5u %7u %4u %14llu %6u %18s %18s\n", text, at->stack, at->channel, at->bank, (unsigned long long)at->row,
	       at->column, in_stack, in_channel);
}

static bool same(const struct addr_location *a, const struct addr_location *b)
{
	return a->stack == b->stack && a->stack_local == b->stack_local && a->channel == b->channel &&
	       a->channel_local == b->channel_local && a->bank == b->bank && a->row == b->row && a->column == b->column;
}

static int decode_one(void *ctx, const char *text, struct err *e)
{
	struct decoder *d = ctx;
	struct addr_location golden, rtl;
	uint64_t addr;

	if (number_parse_u64(text, &addr))
		return err_set(e, "\"%s\" is not an address: decimal or 0x hexadecimal, up to 64 bits", text);
	golden = addr_decoder_location(&d->golden, addr, d->mode);
	rtl = d->abi ? by_rtl(d, addr) : golden;
	print_location(addr, d->which == BY_RTL ? &rtl : &golden);
	if (d->which == BY_BOTH && !same(&golden, &rtl)) {
		d->differs++;
		puts("  the RTL differs:");
		print_location(addr, &rtl);
	}
	return 0;
}

static int decode_all(struct decoder *d, const struct decode_args *a, struct err *e)
{
	print_head();
	return cli_words(a->addr, a->n_addr, decode_one, d, e);
}

static int with_rtl(struct decoder *d, const struct decode_args *a, struct err *e)
{
	struct bind_request q = {.block = &addr_decoder_block, .params = &d->golden.p, .lanes = 1};
	struct bind_rtl rtl;
	int rc;

	if (bind_open(&rtl, &q, e))
		return -1;
	bind_layout_of(&d->layout, &addr_decoder_block, &d->golden.p);
	d->abi = rtl.abi;
	d->instance = rtl.abi->create(0);
	rc = decode_all(d, a, e);
	rtl.abi->destroy(d->instance);
	bind_close(&rtl);
	return rc;
}

static int ready(struct decoder *d, const struct decode_args *a, struct err *e)
{
	struct machine_choice c = machine_options_choice(&a->on);
	struct addr_decoder_params p;
	struct machine m;

	if (a->e.text[0])
		return err_set(e, "%s", a->e.text);
	c.uses = MACHINE_DECODER;
	if (machine_choose(&c, &m, e))
		return -1;
	p = machine_decoder(&m);
	if (addr_decoder_params_check(&p, e))
		return -1;
	addr_decoder_reset(&d->golden, &p);
	d->mode = a->mode;
	d->which = a->which;
	return 0;
}

int cli_decode(int argc, char **argv)
{
	struct decode_args a = {.mode = MODE_FGP};
	struct decoder d = {.abi = NULL};
	struct err e = {""};

	cli_parse(&argp, argc, argv, &a);
	if (ready(&d, &a, &e) || (a.which == BY_GOLDEN ? decode_all(&d, &a, &e) : with_rtl(&d, &a, &e)))
		return cli_fail(&e);
	return d.differs ? CLI_DIFFERS : CLI_OK;
}
