#include "waves/gtkw.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/utf8.h"
#include "process/output.h"

/* Trace flags of GTKWave's save files. */
enum {
	HEX = 0x22,
	DECIMAL = 0x24,
	BINARY = 0x28,
	COMMENT = 0x200,
	GROUP_OPEN = 0x800200,
	GROUP_CLOSED = 0xc00200,
	GROUP_END = 0x1000200
};
enum { RED = 1, YELLOW = 3, GREEN = 4 };
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

/* The line "+ALIAS NAME" shows a signal under a name that says whose it is; the last part of its own does not. */
static void signal(FILE *f, unsigned color, const char *scope, const char *label, const char *name, uint32_t bits)
{
	fprintf(f, "@%x\n[color] %u\n+%s%s TOP.cosim.%s%s", bits == 1 ? BINARY : HEX, color, label, name, scope, name);
	if (bits > 1)
		fprintf(f, "[%u:0]", bits - 1);
	fputc('\n', f);
}

/* A field: an input, or golden above RTL. */
static void field(const struct gtkw *g, enum hw_side side, const struct bind_slot *slot, FILE *f)
{
	char name[160];

	if (side == HW_INPUT) {
		signal(f, 0, "", "", bind_rtl_name(name, slot->f.name, side), slot->bits);
		return;
	}
	if (g->golden)
		signal(f, YELLOW, "golden.", "golden:", bind_golden_name(name, slot->f.name, side), slot->bits);
	if (side == HW_REG && !g->reg_mask[slot->word])
		return;
	signal(f, GREEN, "rtl.", "rtl:", bind_rtl_name(name, slot->f.name, side), slot->bits);
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

int gtkw_write(const struct gtkw *g, const char *path, struct err *e)
{
	struct output o;
	FILE *f;
	uint64_t span = g->to > g->from ? g->to - g->from : 1;

	if (output_open(&o, path, e))
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
	fputs("\n[treeopen] TOP.\n[treeopen] TOP.cosim.\n[sst_width] 40\n[signals_width] 280\n[sst_expanded] 0\n", f);
	write_signals(g, f);
	fputs("[pattern_trace] 1\n[pattern_trace] 0\n", f);
	return output_keep(&o, e);
}
