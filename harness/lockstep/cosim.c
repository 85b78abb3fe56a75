#include "lockstep/cosim.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/number.h"
#include "base/panic.h"
#include "hw/twins/blocks.h"
#include "lockstep/bundle.h"
#include "lockstep/cosim_waves.h"
#include "lockstep/report.h"
#include "waves/fst.h"

enum { MAX_LIBRARIES = 64 };

struct library {
	const struct hw_block *block;
	unsigned char params[BIND_PARAMS_MAX];
	const char *rtl;
	struct bind_rtl rtl_lib;
};

struct cosim {
	struct cosim_options o;
	struct arena golden_arena;
	struct hw_binder golden;
	struct checks *checks;
	struct library *library;
	unsigned n_libraries;
	struct unit **unit;
	unsigned n_units, cap;
	pthread_mutex_t finding;       /* units of several threads may differ at once, ... */
	bool warned[COSIM_MAX_BLOCKS]; /* ... of which the block's first is told */
	struct cosim_waves waves;
	char *reports; /* text of all */
	size_t reports_size;
	FILE *reports_file;
};

struct cosim *cosim_new(const struct cosim_options *o)
{
	struct cosim *c = xcalloc(1, sizeof *c);

	c->o = *o;
	pthread_mutex_init(&c->finding, NULL);
	c->checks = checks_new(o->check_threads > 0);
	cosim_waves_init(&c->waves, &c->o);
	c->golden = hw_golden_binder(&c->golden_arena);
	c->library = xcalloc(MAX_LIBRARIES, sizeof *c->library);
	c->reports_file = open_memstream(&c->reports, &c->reports_size);
	return c;
}

void cosim_free(struct cosim *c)
{
	checks_free(c->checks);
	pthread_mutex_destroy(&c->finding);
	for (unsigned i = 0; i < c->n_units; i++) {
		unit_free(c->unit[i]);
		free(c->unit[i]);
	}
	cosim_waves_drop(&c->waves);
	for (unsigned i = 0; i < c->n_libraries; i++)
		bind_close(&c->library[i].rtl_lib);
	fclose(c->reports_file);
	free(c->reports);
	free(c->unit);
	free(c->library);
	arena_free(&c->golden_arena);
	free(c);
}

static unsigned block_index(const struct hw_block *b)
{
	unsigned i = 0;

	while (hw_blocks[i] != b)
		i++;
	PANIC_UNLESS(i < COSIM_MAX_BLOCKS, b->name, 0);
	return i;
}

/* ---- libraries ---- */

/* What is in the golden twin's place: NULL: itself. */
static const char *golden_of(const struct cosim *c, const struct hw_block *b)
{
	return c->o.rtl[block_index(b)] ? c->o.golden : NULL;
}

static const struct bind_rtl *library_of(struct cosim *c, const struct hw_block *b, const void *params, const char *rtl,
					 struct err *e)
{
	struct library *l;

	for (unsigned i = 0; i < c->n_libraries; i++) {
		l = &c->library[i];
		if (l->block == b && l->rtl == rtl && !memcmp(l->params, params, b->params_size))
			return &l->rtl_lib;
	}
	if (c->n_libraries == MAX_LIBRARIES) {
		err_set(e, "%s: more than %d different sets of parameters in one run", b->name, MAX_LIBRARIES);
		return NULL;
	}
	l = &c->library[c->n_libraries];
	memset(l, 0, sizeof *l);
	l->block = b;
	l->rtl = rtl;
	memcpy(l->params, params, b->params_size);
	if (bind_open(&l->rtl_lib,
		      &(struct bind_request){.block = b,
					     .params = params,
					     .lanes = 1,
					     .rtl = rtl,
					     .unique_x = rtl != NULL,
					     .fit = rtl ? c->o.fit : NULL},
		      e))
		return NULL;
	c->n_libraries++;
	return &l->rtl_lib;
}

static const struct bind_rtl *library(struct cosim *c, const struct hw_block *b, const void *params, struct err *e)
{
	return library_of(c, b, params, c->o.rtl[block_index(b)], e);
}

/* ---- the first mismatch of a block ---- */

static void found(void *ctx, struct unit *u)
{
	struct cosim *c = ctx;
	unsigned i = block_index(u->s.block);
	char cycle[32];

	pthread_mutex_lock(&c->finding);
	if (!c->warned[i])
		fprintf(stderr, "locus: %s of %s differs in cycle %s, the run goes on\n", u->s.block->name, u->s.owner,
			number_commas(u->failed_cycle, cycle));
	c->warned[i] = true;
	pthread_mutex_unlock(&c->finding);
}

static int write_bundles(struct cosim *c, struct err *e)
{
	const struct bind_rtl *rtl;
	char folder[600];
	int rc = 0;

	for (unsigned i = 0; hw_blocks[i] && !rc; i++) {
		struct unit *u = unit_earliest(c->unit, c->n_units, hw_blocks[i]);

		if (!u)
			continue;
		snprintf(folder, sizeof folder, "%.500s-%s-%llu", c->o.bundle_prefix, u->s.block->name,
			 (unsigned long long)u->failed_cycle);
		rtl = library(c, u->s.block, u->s.params, e);
		rc = rtl ? bundle_write(&u->s, rtl, folder, c->reports_file, e) : -1;
	}
	fflush(c->reports_file);
	return rc;
}

/* ---- ports ---- */

static struct unit *unit_new(struct cosim *c, const struct hw_block *b, const char *owner, const void *params, struct err *e)
{
	unsigned i = block_index(b);
	enum unit_mode mode = c->o.mode[i];
	const struct bind_rtl *lib, *golden = NULL;
	struct unit *u;

	if (b->check(params, e)) {
		err_prefix(e, "%s", owner);
		return NULL;
	}
	lib = library(c, b, params, e);
	if (lib && golden_of(c, b))
		golden = library_of(c, b, params, golden_of(c, b), e);
	if (!lib || (golden_of(c, b) && !golden))
		return NULL;
	if (c->n_units == c->cap) {
		c->cap = 2 * c->cap + 32;
		c->unit = xrealloc(c->unit, c->cap * sizeof(struct unit *));
	}
	u = c->unit[c->n_units++] = xcalloc(1, sizeof *u);
	unit_init(u, &(struct unit_config){.block = b,
					   .params = params,
					   .owner = owner,
					   .mode = mode,
					   .checks = c->checks,
					   .abi = lib->abi,
					   .rtl = c->o.rtl[i],
					   .golden = golden_of(c, b),
					   .golden_abi = golden ? golden->abi : NULL,
					   .x_init = c->o.x_init,
					   .fit = c->o.fit,
					   .from_reset = c->o.from_reset,
					   .transactions = c->o.transactions[i] && b->tick && mode == UNIT_LOCKSTEP,
					   .found = found,
					   .ctx = c});
	return cosim_waves_watch(&c->waves, u, c->o.rtl[i] != NULL, e) != 0 ? NULL : u;
}

static void eval(void *u, uint64_t cycle, const void *in, void *out)
{
	unit_eval(u, cycle, in, out);
}

static void tick(void *u, uint64_t cycle, const void *in)
{
	unit_tick(u, cycle, in);
}

static void watch_port(void *u, uint64_t cycle, const void *in)
{
	unit_watch(u, cycle, in);
}

static int bind(void *ctx, const struct hw_block *b, const char *owner, const void *params, struct hw_port *port, struct err *e)
{
	struct cosim *c = ctx;
	struct unit *u;

	if (c->o.mode[block_index(b)] == UNIT_GOLDEN)
		return c->golden.bind(c->golden.ctx, b, owner, params, port, e);
	u = unit_new(c, b, owner, params, e);
	if (!u)
		return -1;
	*port = (struct hw_port){.ctx = u, .eval = eval, .tick = b->tick ? tick : NULL};
	if (u->mode == UNIT_LOCKSTEP && !b->tick && !u->driver) {
		port->watched = u->golden;
		port->watch = watch_port;
	}
	return 0;
}

/* ---- requests that these owners cannot meet ---- */

static bool has_units(const struct cosim *c, const struct hw_block *b)
{
	for (unsigned i = 0; i < c->n_units; i++)
		if (c->unit[i]->s.block == b)
			return true;
	return false;
}

/* A block that the user named, by --rtl or by a mode other than golden. */
static int check_requested(const struct cosim *c, unsigned i, struct err *e)
{
	const struct hw_block *b = hw_blocks[i];
	const char *option = c->o.rtl[i] ? "--rtl" : "--hw";

	if ((!c->o.rtl[i] && (!c->o.named[i] || c->o.mode[i] == UNIT_GOLDEN)) || has_units(c, b))
		return 0;
	if (!b->wanted_by)
		return err_set(e, "%s %s: no run uses this block", option, b->name);
	return err_set(e, "%s %s: this run does not use the block, which needs %s", option, b->name, b->wanted_by);
}

static int check_wave(const struct cosim *c, struct err *e)
{
	if (!c->o.wave || c->waves.n)
		return 0;
	if (c->n_units == 0)
		return err_set(e, "--wave: no hardware block runs as rtl or in lockstep, there is nothing to show");
	return err_set(e, "--wave-owner: no Verilog block belongs to \"%s\"; one belongs to %s", c->o.wave_owner,
		       c->unit[0]->s.owner);
}

/* Options about the compare, where nothing is compared, or not in that way. */
static int check_compare(const struct cosim *c, struct err *e)
{
	bool lockstep = false, clocked = false, transactions = false;

	for (unsigned i = 0; i < c->n_units; i++) {
		const struct unit *u = c->unit[i];

		lockstep |= u->mode == UNIT_LOCKSTEP;
		clocked |= u->mode == UNIT_LOCKSTEP && u->s.block->tick;
	}
	for (unsigned i = 0; i < COSIM_MAX_BLOCKS; i++)
		transactions |= c->o.transactions[i];
	if (transactions && !clocked)
		return err_set(e, "--compare transaction: no clocked block of this run is in lockstep");
	if (lockstep)
		return 0;
	if (c->o.from_reset)
		return err_set(e, "--from-reset: no block of this run is in lockstep");
	if (c->o.bundles_named)
		return err_set(e, "--bundle: no block of this run is in lockstep");
	return c->o.check_threads ? err_set(e, "--check-threads: no block of this run is in lockstep") : 0;
}

static int complete(void *ctx, struct err *e)
{
	const struct cosim *c = ctx;

	for (unsigned i = 0; hw_blocks[i]; i++)
		if (check_requested(c, i, e) != 0)
			return -1;
	return check_wave(c, e) || check_compare(c, e) ? -1 : 0;
}

struct hw_binder cosim_binder(struct cosim *c)
{
	return (struct hw_binder){.ctx = c, .bind = bind, .apart = !c->o.check_threads, .complete = complete};
}

/* ---- the end ---- */

/* Assertions in the RTL of a block that failed, in all its instances. */
static uint64_t assertions(const struct cosim *c, const struct hw_block *b)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < c->n_units; i++) {
		const struct unit *u = c->unit[i];

		if (u->s.block == b)
			n += u->c.assertions.failed;
	}
	return n;
}

/* Of all owners of the block, the one of which an assertion failed first; NULL: none. */
static const struct unit *first_to_assert(const struct cosim *c, const struct hw_block *b)
{
	const struct unit *first = NULL;

	for (unsigned i = 0; i < c->n_units; i++) {
		const struct unit *u = c->unit[i];

		if (u->s.block == b && u->c.assertions.failed &&
		    (!first || u->c.assertions.first_cycle < first->c.assertions.first_cycle))
			first = u;
	}
	return first;
}

/* Steps in which outputs that the model does not read differ, in all instances of a block in mode rtl. */
static uint64_t unread(const struct cosim *c, const struct hw_block *b)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < c->n_units; i++)
		n += c->unit[i]->s.block == b ? c->unit[i]->unread.differs : 0;
	return n;
}

/* The reset of a clocked block in lockstep is a step, which a block that is never used makes too. */
static bool is_idle(const struct cosim *c, const struct hw_block *b)
{
	for (unsigned i = 0; i < c->n_units; i++) {
		const struct unit *u = c->unit[i];

		if (u->s.block == b && u->steps > (u->mode == UNIT_LOCKSTEP && b->tick ? 1 : 0))
			return false;
	}
	return true;
}

/* Nothing differed since nothing was looked at. */
static bool asked_in_vain(const struct cosim *c)
{
	bool compares = false, compared = false;

	for (unsigned i = 0; hw_blocks[i]; i++) {
		bool idle = is_idle(c, hw_blocks[i]);

		if (!has_units(c, hw_blocks[i]))
			continue;
		if (idle && (c->o.rtl[i] || c->o.named[i]))
			return true;
		compares |= c->o.mode[i] == UNIT_LOCKSTEP;
		compared |= c->o.mode[i] == UNIT_LOCKSTEP && !idle;
	}
	return compares && !compared;
}

int cosim_finish(struct cosim *c, struct err *e)
{
	uint64_t mismatches = 0;

	for (unsigned i = 0; i < c->n_units; i++) {
		if (unit_finish(c->unit[i], NULL) != 0)
			return fst_cut_short(c->o.wave, e);
		mismatches += c->unit[i]->mismatches;
	}
	for (unsigned i = 0; hw_blocks[i]; i++)
		mismatches += assertions(c, hw_blocks[i]) + unread(c, hw_blocks[i]);
	if (cosim_waves_keep(&c->waves, c->unit, c->n_units, e) != 0 || write_bundles(c, e) != 0)
		return -1;
	return mismatches != 0 || asked_in_vain(c);
}

uint64_t cosim_steps(const struct cosim *c, const struct hw_block *b)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < c->n_units; i++)
		n += c->unit[i]->s.block == b ? c->unit[i]->steps : 0;
	return n;
}

uint64_t cosim_mismatches(const struct cosim *c, const struct hw_block *b)
{
	uint64_t n = 0;

	for (unsigned i = 0; i < c->n_units; i++)
		n += c->unit[i]->s.block == b ? c->unit[i]->mismatches : 0;
	return n;
}

static struct cosim_block block_of(const struct cosim *c, unsigned i)
{
	static const char *const word[] = {"golden", "rtl", "lockstep"};
	struct cosim_block b = {.block = hw_blocks[i],
				.mode = word[c->o.mode[i]],
				.drives = c->o.mode[i] == UNIT_RTL,
				.rtl = c->o.rtl[i],
				.golden = golden_of(c, hw_blocks[i])};

	for (unsigned k = 0; k < c->n_libraries; k++)
		if (c->library[k].block == b.block)
			*(c->library[k].rtl == b.rtl ? &b.sum : &b.golden_sum) = c->library[k].rtl_lib.sum;
	for (unsigned k = 0; k < c->n_units; k++)
		if (c->unit[k]->s.block == b.block) {
			b.instances++;
			b.abi = c->unit[k]->c.abi;
			b.regs = c->unit[k]->s.layout.side[HW_REG].n;
			b.n_regs = c->unit[k]->c.n_regs;
		}
	b.steps = cosim_steps(c, b.block);
	b.mismatches = cosim_mismatches(c, b.block);
	b.assertions = assertions(c, b.block);
	b.unread = unread(c, b.block);
	b.idle = is_idle(c, b.block);
	return b;
}

unsigned cosim_blocks(const struct cosim *c, struct cosim_block out[COSIM_MAX_BLOCKS])
{
	unsigned n = 0;

	for (unsigned i = 0; hw_blocks[i] && n < COSIM_MAX_BLOCKS; i++) {
		out[n] = block_of(c, i);
		n += out[n].instances > 0;
	}
	return n;
}

static void print_assertions(const struct cosim *c, const struct cosim_block *b, FILE *to)
{
	const struct unit *u = first_to_assert(c, b->block);
	char times[32], cycle[32];

	fprintf(to, "    assertions in its Verilog failed %s times, first in cycle %s of %s: %s:%d\n",
		number_commas(b->assertions, times), number_commas(u->c.assertions.first_cycle, cycle), u->s.owner,
		u->c.assertions.first_file, u->c.assertions.first_line);
}

/* Of the outputs that the model does not read: what mode rtl found, or that it cannot look. */
static void print_unread(const struct cosim *c, const struct cosim_block *b, FILE *to)
{
	const struct unit *first = NULL;
	char steps[32], cycle[32], field[80], golden[REPORT_VALUE], rtl[REPORT_VALUE];
	const struct bind_slot *slot;

	for (unsigned i = 0; i < c->n_units; i++) {
		const struct unit *u = c->unit[i];

		if (u->s.block == b->block && u->unread.differs && (!first || u->unread.first_cycle < first->unread.first_cycle))
			first = u;
	}
	if (!first) {
		fprintf(to,
			b->block->tick ? "    neither compared nor read by the model: %s\n"
				       : "    not read by the model, equal to the golden twin's in every step: %s\n",
			b->block->unread);
		return;
	}
	slot = &first->s.layout.side[HW_OUTPUT].slot[first->unread.first.slot];
	fprintf(to, "    %s, which the model does not read, differs in %s steps, first in cycle %s of %s: golden %s, rtl %s\n",
		report_field(slot, HW_OUTPUT, first->unread.first.element, field), number_commas(b->unread, steps),
		number_commas(first->unread.first_cycle, cycle), first->s.owner,
		report_value(slot, first->unread.first.golden, golden), report_value(slot, first->unread.first.rtl, rtl));
}

void cosim_print_title(const struct cosim *c, FILE *to)
{
	struct cosim_block b[COSIM_MAX_BLOCKS];
	unsigned n = cosim_blocks(c, b), printed = 0;

	for (unsigned i = 0; i < n; i++) {
		if (!b[i].rtl && !b[i].drives)
			continue;
		if (b[i].golden)
			fprintf(to, "  %s: %s, XXH64 %016" PRIx64 ", in place of the golden twin: it drives the model\n",
				b[i].block->name, b[i].golden, b[i].golden_sum);
		fprintf(to, "  %s: %s%s, XXH64 %016" PRIx64 ", mode %s%s\n", b[i].block->name, b[i].rtl ? "" : "Locus's own ",
			b[i].rtl ? b[i].rtl : b[i].block->source, b[i].sum, b[i].mode, b[i].drives ? ": it drives the model" : "");
		printed++;
	}
	if (printed)
		fputc('\n', to);
}

static void print_block(const struct cosim *c, const struct cosim_block *b, FILE *to)
{
	bool compared = c->o.mode[block_index(b->block)] == UNIT_LOCKSTEP;
	char steps[32], mismatches[32];

	fprintf(to, "  %-16s %-10s %9u %18s %12s", b->block->name, b->mode, b->instances, number_commas(b->steps, steps),
		compared ? number_commas(b->mismatches, mismatches) : "-");
	if (b->rtl)
		fprintf(to, "  %s, XXH64 %016" PRIx64, b->rtl, b->sum);
	fputc('\n', to);
	if (b->idle)
		fprintf(to, "    NOT CHECKED: this run makes no step of the block\n");
	if (b->golden)
		fprintf(to, "    golden: %s, XXH64 %016" PRIx64 ", in place of the golden twin\n", b->golden, b->golden_sum);
	if (compared && b->block->tick && b->golden)
		report_common(b->n_regs, b->regs, to);
	else if (compared && b->block->tick)
		report_registers(b->abi, b->regs, to);
	if (b->assertions)
		print_assertions(c, b, to);
	if (b->drives && b->block->unread)
		print_unread(c, b, to);
	for (unsigned k = 0; k < c->n_units; k++)
		if (c->unit[k]->s.block == b->block && c->unit[k]->transact)
			transact_print(c->unit[k]->transact, c->unit[k]->s.owner, to);
}

void cosim_print(const struct cosim *c, FILE *to)
{
	struct cosim_block b[COSIM_MAX_BLOCKS];
	unsigned n = cosim_blocks(c, b);

	fprintf(to, "\n  %-16s %-10s %9s %18s %12s\n", "rtl block", "mode", "instances", "steps compared", "mismatches");
	for (unsigned i = 0; i < n; i++)
		print_block(c, &b[i], to);
	if (c->n_units == 0)
		fputs("  (every block that this machine uses is the golden twin alone: see --hw)\n", to);
	if (c->reports)
		fputs(c->reports, to);
	cosim_waves_print(&c->waves, to);
}
