#include "waves/gtkw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/utf8.h"
#include "bind/abi.h"
#include "process/output.h"
#include "waves/filter.h"

/* Trace flags of GTKWave's save files. */
enum {
	HEX = 0x22,
	DECIMAL = 0x24,
	BINARY = 0x28,
	TEXT = 0x820,
	FILTERED = 0x2000,
	GROUP_OPEN = 0x800200,
	GROUP_CLOSED = 0xc00200,
	GROUP_END = 0x1000200
};
enum { RED = 1, ORANGE = 2, YELLOW = 3, GREEN = 4 };
enum { WIDE = 64 };
#define VIEW_FRAMES 5.0 /* of 200 pixels, that the waves' part of the window is wide */

/* Between quotes, which the format has no way to quote. */
static void file_name(FILE *f, const char *name)
{
	char *clean = utf8_clean(xstrdup(name));

	for (const char *s = clean; *s; s++)
		putc(*s == '"' ? '?' : *s, f);
	free(clean);
}

static void group(FILE *f, unsigned flags, const char *name)
{
	fprintf(f, "@%x\n-%s\n", flags, name);
}

/* How a signal is shown. */
struct look {
	unsigned color;
	const char *scope, *name; /* "rtl", "inv.state_q" */
	const char *filter;	  /* name of a filter file, that has names of its values; NULL: none */
};

/* "rtl:inv/state_q". GTKWave shows what follows the last dot of a label, so it has none. */
static const char *label(char out[200], const struct look *l)
{
	snprintf(out, 200, "%s%s%s", l->scope, *l->scope ? ":" : "", l->name);
	for (char *c = out; *c; c++)
		*c = *c == '.' ? '/' : *c;
	return out;
}

static void format(const struct look *l, uint32_t bits, FILE *f)
{
	fprintf(f, "@%x\n", (bits == 1 ? BINARY : HEX) | (l->filter ? FILTERED : 0));
	if (l->filter)
		fprintf(f, "^1 %s\n", l->filter);
	fprintf(f, "[color] %u\n", l->color);
}

/* The line "+LABEL NAME" shows a signal under a name that says whose it is; the last part of its own does not. */
static void signal(const struct look *l, uint32_t bits, FILE *f)
{
	char text[200];

	format(l, bits, f);
	fprintf(f, "+%s TOP.cosim.%s%s%s", label(text, l), l->scope, *l->scope ? "." : "", l->name);
	if (bits > 1)
		fprintf(f, "[%u:0]", bits - 1);
	fputc('\n', f);
}

/* One element of a packed field, as a group of its bits: GTKWave counts those of a vector from the highest one on. */
static void element(const struct look *l, const struct bind_slot *slot, uint32_t i, FILE *f)
{
	uint32_t top = slot->bits - 1, high = (i + 1) * slot->f.width - 1;
	char text[200];

	if (slot->f.count == 1) {
		signal(l, slot->bits, f);
		return;
	}
	format(l, slot->f.width, f);
	fprintf(f, "#{%s[%u]}", label(text, l), i);
	for (uint32_t k = 0; k < slot->f.width; k++)
		fprintf(f, " (%u)TOP.cosim.%s%s%s[%u:0]", top - high + k, l->scope, *l->scope ? "." : "", l->name, top);
	fputc('\n', f);
}

/* The filter file of a register whose values have names in the RTL; NULL: they have none. */
static const char *filter_of(const struct gtkw *g, enum hw_side side, const struct bind_slot *slot, char out[FILTER_PATH])
{
	char name[160];

	if (side != HW_REG || filter_bits(g->states, bind_rtl_name(name, slot->f.name, side)) != slot->f.width)
		return NULL;
	return filter_name(out, g->fst, name);
}

/* The looks of a field: an input's, or golden's and the RTL's. Returns how many of the two sides have it. */
static unsigned looks(const struct gtkw *g, enum hw_side side, const struct bind_slot *slot, char name[2][160], const char *filter,
		      struct look out[2])
{
	unsigned n = 0;

	bind_rtl_name(name[0], slot->f.name, side);
	bind_golden_name(name[1], slot->f.name, side);
	if (side == HW_INPUT) {
		out[0] = (struct look){0, "", name[0], NULL};
		return 1;
	}
	if (g->golden)
		out[n++] = (struct look){YELLOW, "golden", name[1], filter};
	if (side != HW_REG || g->reg_mask[slot->word])
		out[n++] = (struct look){GREEN, "rtl", name[0], filter};
	return n;
}

/* A field: an input, or golden above RTL. An array of states also element by element. */
static void field(const struct gtkw *g, enum hw_side side, const struct bind_slot *slot, FILE *f)
{
	char name[2][160], path[FILTER_PATH];
	const char *filter = filter_of(g, side, slot, path);
	struct look look[2];
	unsigned n = looks(g, side, slot, name, filter, look);

	for (unsigned i = 0; i < n; i++) {
		struct look whole = look[i];

		whole.filter = slot->f.count == 1 ? filter : NULL;
		signal(&whole, slot->bits, f);
	}
	if (!filter || slot->f.count == 1)
		return;
	group(f, GROUP_CLOSED, name[0]);
	for (uint32_t k = 0; k < slot->f.count; k++)
		for (unsigned i = 0; i < n; i++)
			element(&look[i], slot, k, f);
	group(f, GROUP_END, name[0]);
}

/* What differs first, alone: an array is one wide signal, in which nobody finds an element. */
static void first_difference(const struct gtkw *g, FILE *f)
{
	const struct gtkw_element *d = &g->differs;
	const struct bind_slot *slot = &g->layout->side[d->side].slot[d->slot];
	char name[2][160], path[FILTER_PATH];
	struct look look[2];
	unsigned n = looks(g, d->side, slot, name, filter_of(g, d->side, slot, path), look);

	group(f, GROUP_OPEN, "first difference: golden, rtl");
	for (unsigned i = 0; i < n; i++)
		element(&look[i], slot, d->element, f);
	group(f, GROUP_END, "first difference");
}

/* Field by field. wide: those of more than 64 bits, or those of at most. */
static void fields(const struct gtkw *g, enum hw_side side, bool wide, FILE *f)
{
	const struct bind_side *s = &g->layout->side[side];

	for (unsigned i = 0; i < s->n; i++)
		if ((s->slot[i].bits > WIDE) == wide)
			field(g, side, &s->slot[i], f);
}

/* The field that the RTL calls so, if the wave has it. */
static void named(const struct gtkw *g, const char *name, size_t length, FILE *f)
{
	for (int side = 0; side < HW_SIDES; side++)
		for (unsigned i = 0; i < g->layout->side[side].n; i++) {
			const struct bind_slot *slot = &g->layout->side[side].slot[i];
			char own[160];

			bind_rtl_name(own, slot->f.name, side);
			if (strlen(own) == length && !memcmp(own, name, length))
				field(g, side, slot, f);
		}
}

/* What the block wants to be seen first, in its order. */
static void overview(const struct gtkw *g, FILE *f)
{
	group(f, GROUP_OPEN, g->golden ? "overview: golden, rtl" : "overview: rtl");
	for (const char *at = g->block->shown; *at; at += strspn(at, " ")) {
		size_t length = strcspn(at, " ");

		named(g, at, length, f);
		at += length;
	}
	group(f, GROUP_END, "overview");
}

static bool has_wide(const struct bind_side *s)
{
	for (unsigned i = 0; i < s->n; i++)
		if (s->slot[i].bits > WIDE)
			return true;
	return false;
}

static void write_signals(const struct gtkw *g, FILE *f)
{
	unsigned open = g->block->shown ? GROUP_CLOSED : GROUP_OPEN;
	bool clocked = g->block->tick != NULL;

	fprintf(f, "@%x\nTOP.cosim.cycle[63:0]\n", DECIMAL);
	if (clocked)
		fprintf(f, "@%x\nTOP.cosim.clk_i\n", BINARY);
	if (g->golden)
		fprintf(f, "@%x\n[color] %d\nTOP.cosim.differs\n", BINARY, RED);
	fprintf(f, "@%x\n[color] %d\n+transaction TOP.cosim.transaction[%d:0]\n", TEXT, ORANGE, 8 * BIND_TEXT - 1);
	if (g->differs.any)
		first_difference(g, f);
	if (g->block->shown)
		overview(g, f);
	group(f, open, "inputs");
	fields(g, HW_INPUT, false, f);
	fields(g, HW_INPUT, true, f);
	group(f, GROUP_END, "inputs");
	group(f, open, g->golden ? "outputs: golden, rtl" : "outputs: rtl");
	fields(g, HW_OUTPUT, false, f);
	fields(g, HW_OUTPUT, true, f);
	group(f, GROUP_END, "outputs");
	if (!clocked)
		return;
	group(f, open, g->golden ? "registers: golden, rtl" : "registers: rtl");
	fields(g, HW_REG, false, f);
	group(f, GROUP_END, "registers");
	if (!has_wide(&g->layout->side[HW_REG]))
		return;
	group(f, GROUP_CLOSED, "tables: golden, rtl");
	fields(g, HW_REG, true, f);
	group(f, GROUP_END, "tables");
}

/* A filter file for each register whose values have names. */
static int write_filters(const struct gtkw *g, const char *path, struct err *e)
{
	const char *slash = strrchr(path, '/');
	int folder = slash ? (int)(slash - path + 1) : 0;
	char name[160], file[FILTER_PATH], whole[FILTER_PATH + 4200];

	for (unsigned i = 0; i < g->layout->side[HW_REG].n; i++) {
		const struct bind_slot *slot = &g->layout->side[HW_REG].slot[i];

		if (!filter_of(g, HW_REG, slot, file))
			continue;
		snprintf(whole, sizeof whole, "%.*s%s", folder, path, file);
		if (filter_write(g->states, bind_rtl_name(name, slot->f.name, HW_REG), whole, e))
			return -1;
	}
	return 0;
}

int gtkw_write(const struct gtkw *g, const char *path, struct err *e)
{
	struct output o;
	FILE *f;
	uint64_t span = g->to > g->from ? g->to - g->from : 1;

	if (write_filters(g, path, e) || output_open(&o, path, e))
		return -1;
	f = o.f;
	fprintf(f, "[*] %s: open with gtkwave -f FST -a this file\n[dumpfile] \"", g->block->name);
	file_name(f, g->fst);
	fputs("\"\n[savefile] \"", f);
	file_name(f, path);
	fputs("\"\n", f);
	fprintf(f, "[timestart] %llu\n[size] 1400 700\n[pos] -1 -1\n", (unsigned long long)g->from);
	/* The zoom, minus the binary logarithm of the time units in a frame; then the marker and the 26 named ones. */
	fprintf(f, "*%.6f %lld", -log2((double)span / VIEW_FRAMES), g->marker ? (long long)g->marker : -1LL);
	for (int i = 0; i < 26; i++)
		fputs(" -1", f);
	fputs("\n[treeopen] TOP.\n[treeopen] TOP.cosim.\n[sst_width] 40\n[signals_width] 340\n[sst_expanded] 0\n", f);
	write_signals(g, f);
	fputs("[pattern_trace] 1\n[pattern_trace] 0\n", f);
	return output_keep(&o, e);
}
