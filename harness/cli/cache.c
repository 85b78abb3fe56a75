/* locus cache FILE.din: replays a Dinero trace through the cache of the model. */
#include <argp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/infile.h"
#include "base/stats.h"
#include "cache/victim.h"
#include "cli/cli.h"
#include "hw/twins/pric_poly.h"
#include "machine/schema.h"
#include "process/progress.h"
#include "replay/dinero.h"

enum {
	OPT_SIZE = 1000,
	OPT_LINE,
	OPT_ASSOC,
	OPT_INDEX,
	OPT_ADDR_BITS,
	OPT_REPLACEMENT,
	OPT_SEED,
	OPT_WRITE_THROUGH,
	OPT_NO_WRITE_ALLOCATE,
	OPT_CLASSES
};

struct cache_args {
	struct dinero_params p;
	bool pric, poly_given;	 /* --index */
	const char *replacement; /* its name */
	bool random;
	const char *file;
	struct err e; /* the first bad option value */
};

static uint64_t number(struct cache_args *a, const char *option, const char *text, uint64_t min, uint64_t max)
{
	uint64_t v = 0;

	cli_number(option, text, min, max, &v, &a->e);
	return v;
}

static void set_index(struct cache_args *a, const char *text)
{
	a->pric = !strncmp(text, "pric", 4) && (text[4] == '\0' || text[4] == ':');
	a->poly_given = a->pric && text[4] == ':';
	if (a->poly_given)
		a->p.poly = (uint32_t)number(a, "--index pric", text + 5, 0, (1u << 17) - 1);
	else if (!a->pric && strcmp(text, "linear") != 0)
		err_set(&a->e, "--index: \"%s\" is not one of linear, pric, pric:POLYNOMIAL", text);
}

/* A policy that an L2 can have, by its name there. */
static void set_replacement(struct cache_args *a, const char *text)
{
	const char *const *names = schema_find("l2.replacement")->choices;
	unsigned i = 0;

	while (names[i] && strcmp(names[i], text) != 0)
		i++;
	if (!names[i]) {
		err_set(&a->e, "--replacement: \"%s\" is not one of lru, fifo, random, srrip", text);
		return;
	}
	a->replacement = names[i];
	a->p.replacement = victim_policy_of((enum machine_replacement)i);
	a->random = i == REPLACE_RANDOM;
}

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct cache_args *a = state->input;

	switch (key) {
	case OPT_SIZE:
		a->p.bytes = number(a, "--size", arg, 1, UINT64_C(1) << 38);
		break;
	case OPT_LINE:
		a->p.line = (uint32_t)number(a, "--line", arg, 1, 65536);
		break;
	case OPT_ASSOC:
		a->p.assoc = strcmp(arg, "full") ? (uint32_t)number(a, "--assoc", arg, 1, DIN_MAX_LINES) : 0;
		break;
	case OPT_INDEX:
		set_index(a, arg);
		break;
	case OPT_ADDR_BITS:
		a->p.addr_bits = (uint32_t)number(a, "--addr-bits", arg, 1, 64);
		break;
	case OPT_REPLACEMENT:
		set_replacement(a, arg);
		break;
	case OPT_SEED:
		a->p.seed = number(a, "--seed", arg, 0, UINT64_MAX);
		break;
	case OPT_WRITE_THROUGH:
		a->p.write_through = true;
		break;
	case OPT_NO_WRITE_ALLOCATE:
		a->p.no_write_allocate = true;
		break;
	case OPT_CLASSES:
		a->p.classify = true;
		break;
	case ARGP_KEY_ARG:
		if (state->arg_num > 0)
			return ARGP_ERR_UNKNOWN;
		a->file = arg;
		break;
	case ARGP_KEY_END:
		if (!a->file)
			argp_error(state, "needs a trace (- for standard input)");
		break;
	default:
		return ARGP_ERR_UNKNOWN;
	}
	return 0;
}

static const struct argp_option options[] = {
	{"size", OPT_SIZE, "BYTES", 0, "size of the cache (default: 16K)", 0},
	{"line", OPT_LINE, "BYTES", 0, "size of a line (default: 128)", 0},
	{"assoc", OPT_ASSOC, "WAYS", 0, "associativity, or `full' (default: 4)", 0},
	{"index", OPT_INDEX, "INDEX", 0, "set index: linear (default), pric or pric:POLYNOMIAL", 0},
	{"addr-bits", OPT_ADDR_BITS, "N", 0, "pric: hash only the lowest N address bits (default: all)", 0},
	{"replacement", OPT_REPLACEMENT, "POLICY", 0, "lru (default), fifo, random or srrip", 0},
	{"seed", OPT_SEED, "N", 0, "seed of random replacement (default: 1)", 0},
	{"write-through", OPT_WRITE_THROUGH, NULL, 0, "send every write to the next level at once", 0},
	{"no-write-allocate", OPT_NO_WRITE_ALLOCATE, NULL, 0, "do not fetch the line of a write miss", 0},
	{"classes", OPT_CLASSES, NULL, 0, "classify misses as compulsory, capacity or conflict", 0},
	{0},
};
static const struct argp argp = {
	options,
	parse,
	"FILE.din",
	"Replays a Dinero trace (lines `0|1|2 HEXADDRESS': read, write, fetch) through one cache: LRU, write-back and "
	"write-allocate unless an option says otherwise.\v"
	"Examples:\n  printf '0 1000\\n1 1004\\n0 41000\\n' >x.din; locus cache x.din --assoc 1\n"
	"  seq 10000 90000 | sed 's/^/0 /' | locus cache - --size 1M --classes",
	NULL,
	NULL,
	NULL};

static void add_rows(struct stats *s, const struct dinero_params *p, const struct dinero_counts *n)
{
	static const char *const accesses[DIN_KINDS] = {"reads", "writes", "fetches"};
	static const char *const misses[DIN_KINDS] = {"read misses", "write misses", "fetch misses"};
	static const char *const rates[DIN_KINDS] = {"read miss rate", "write miss rate", "fetch miss rate"};
	static const char *const classes[DIN_CLASSES] = {"compulsory", "capacity", "conflict"};
	static const char *const meaning[DIN_CLASSES] = {"misses on lines never accessed before",
							 "other misses that a fully associative cache has too",
							 "misses that a fully associative cache does not have"};
	uint64_t all = 0, missed = 0;

	for (unsigned k = 0; k < DIN_KINDS; k++) {
		all += n->accesses[k];
		missed += n->misses[k];
	}
	stats_count(s, 0, "accesses", all, "accesses", "lines of the trace");
	for (unsigned k = 0; k < DIN_KINDS; k++)
		stats_count(s, 0, accesses[k], n->accesses[k], "accesses", "");
	stats_count(s, 0, "hits", all - missed, "accesses", "");
	stats_count(s, 0, "misses", missed, "accesses", "");
	for (unsigned k = 0; k < DIN_KINDS; k++)
		stats_count(s, 0, misses[k], n->misses[k], "accesses", "");
	stats_percent(s, 0, "miss rate", missed, all, "misses / accesses");
	for (unsigned k = 0; k < DIN_KINDS; k++)
		stats_percent(s, 0, rates[k], n->misses[k], n->accesses[k], "misses of this kind / accesses of this kind");
	for (unsigned k = 0; p->classify && k < DIN_CLASSES; k++)
		stats_count(s, 0, classes[k], n->class[k], "accesses", meaning[k]);
	stats_count(s, 0, "evictions", n->evictions, "lines", "valid lines that made room");
	stats_count(s, 0, "write-backs", n->write_backs, "lines", "dirty lines replaced");
	stats_count(s, 0, "dirty at end", n->dirty_left, "lines", "not yet written back");
	if (p->write_through || p->no_write_allocate)
		stats_count(s, 0, "writes below", n->below, "accesses", "went to the next level at once");
}

static void print_result(const struct cache_args *a, uint32_t sets, const struct dinero_counts *n)
{
	const struct dinero_params *p = &a->p;
	char poly[512], index[600] = "linear", bits[40] = "";
	struct stats s = {0};

	if (p->addr_bits)
		snprintf(bits, sizeof bits, " over %u address bits", p->addr_bits);
	if (a->pric)
		snprintf(index, sizeof index, "pric(%u): %s%s", p->poly, poly_print(p->poly, poly), bits);
	printf("%s: %lu bytes, %u-byte lines, %u %s of %u %s; %s, %s; %s; set index %s\n\n", a->file, (unsigned long)p->bytes,
	       p->line, sets, sets == 1 ? "set" : "sets", p->assoc, p->assoc == 1 ? "way" : "ways",
	       p->write_through ? "write-through" : "write-back", p->no_write_allocate ? "no write-allocate" : "write-allocate",
	       a->replacement, index);
	add_rows(&s, p, n);
	stats_print(&s, stdout);
	stats_free(&s);
}

/* The polynomial if the user named none: the least one of the right degree. */
static int choose_poly(struct cache_args *a, uint32_t sets, struct err *e)
{
	unsigned n;
	const uint16_t *list = pric_polynomials(31 - (unsigned)__builtin_clz(sets), &n);

	if (!n)
		return err_set(e,
			       "--index pric: there is no default polynomial for %u sets (only for 8 to 1024); give one as "
			       "pric:POLYNOMIAL",
			       sets);
	a->p.poly = list[0];
	return 0;
}

/* Checks the shape and settles the polynomial. */
static int resolve(struct cache_args *a, uint32_t *sets, struct err *e)
{
	if (!a->pric)
		return dinero_check(&a->p, sets, e);
	if (a->poly_given) {
		uint32_t poly = a->p.poly;

		a->p.poly = 0;
		if (dinero_check(&a->p, sets, e) != 0)
			return -1;
		if (pric_poly_check(poly, *sets, e) != 0)
			return err_prefix(e, "--index");
		a->p.poly = poly;
	} else if (dinero_check(&a->p, sets, e) != 0 || choose_poly(a, *sets, e) != 0) {
		return -1;
	}
	return dinero_check(&a->p, sets, e);
}

static int replay(struct dinero_cache *c, FILE *from, const char *name, struct err *e)
{
	struct dinero_counts n;
	struct progress p;
	int rc;

	progress_begin(&p, "replaying %s", name);
	rc = dinero_replay(c, from, name, e);
	progress_end(&p);
	n = dinero_count(c);
	return rc || n.accesses[DIN_READ] + n.accesses[DIN_WRITE] + n.accesses[DIN_FETCH] ? rc
											  : err_set(e, "%s: holds no access", name);
}

int cli_cache(int argc, char **argv)
{
	struct cache_args a = {.p = {.bytes = 16384, .line = 128, .assoc = 4, .seed = 1}, .replacement = "lru"};
	struct dinero_cache *c = NULL;
	struct cli_given given;
	struct dinero_counts n;
	uint32_t sets = 0;
	FILE *from = NULL;
	int status = CLI_OK;

	cli_parse_given(&argp, argc, argv, &a, &given);
	cli_needs(&given, a.pric, "addr-bits", "needs --index pric");
	cli_needs(&given, a.random, "seed", "needs --replacement random");
	if (a.e.text[0] || resolve(&a, &sets, &a.e) != 0 || !(c = dinero_open(&a.p, &a.e)))
		return cli_fail(&a.e);
	from = strcmp(a.file, "-") ? infile_stream(a.file, INFILE_MOST, &a.e) : stdin;
	if (!from || replay(c, from, strcmp(a.file, "-") ? a.file : "standard input", &a.e) != 0) {
		status = cli_fail(&a.e);
	} else {
		n = dinero_count(c);
		print_result(&a, sets, &n);
	}
	if (from && from != stdin)
		fclose(from);
	dinero_close(c);
	return status;
}
