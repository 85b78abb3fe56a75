#include "bind/wrap.h"

#include <stdio.h>
#include <string.h>

#include "bind/abi.h"
#include "process/output.h"

static const char *side_word(enum hw_side side)
{
	return side == HW_INPUT ? "input" : side == HW_OUTPUT ? "output" : "register";
}

static enum bind_var_kind var_kind(enum hw_side side)
{
	return side == HW_INPUT ? BIND_VAR_INPUT : side == HW_OUTPUT ? BIND_VAR_OUTPUT : BIND_VAR_REG;
}

/* ---- the check ---- */

static int check_slot(const struct bind_wrap *w, enum hw_side side, const struct bind_slot *slot, struct err *e)
{
	char path[160];
	const struct bind_var *v;

	bind_rtl_name(path, slot->f.name, side);
	v = bind_module_find(w->module, var_kind(side), path);
	if (!v)
		return err_set(e, "%s %s of %u bit%s is missing in module %s (the golden twin has it%s%s%s)", side_word(side), path,
			       slot->bits, slot->bits == 1 ? "" : "s", w->module->name,
			       side == HW_REG ? "" : "; --port THEIRS=", side == HW_REG ? "" : path,
			       side == HW_REG ? "" : " names it");
	if (v->width != slot->bits)
		return err_set(e, "%s %s of module %s: expected %u bit%s, found %u", side_word(side), path, w->module->name,
			       slot->bits, slot->bits == 1 ? "" : "s", v->width);
	return 0;
}

/* Of the golden twin's field that the RTL calls so; -1: none. */
static int twin_slot(const struct bind_wrap *w, enum hw_side side, const char *path)
{
	char twin[160];

	for (unsigned i = 0; i < w->layout->side[side].n; i++)
		if (!strcmp(bind_rtl_name(twin, w->layout->side[side].slot[i].f.name, side), path))
			return (int)i;
	return -1;
}

static bool has_twin(const struct bind_wrap *w, enum hw_side side, const char *path)
{
	return twin_slot(w, side, path) >= 0;
}

static bool is_clock_or_reset(const char *path)
{
	return !strcmp(path, "clk_i") || !strcmp(path, "rst_i");
}

/* Several inputs may be one of the block's. */
static int another_width(const struct bind_wrap *w, const struct bind_var *v, struct err *e)
{
	int slot = twin_slot(w, HW_INPUT, v->path);
	uint32_t bits = slot < 0 ? 1 : w->layout->side[HW_INPUT].slot[slot].bits;

	if ((slot < 0 && !is_clock_or_reset(v->path)) || v->width == bits)
		return 0;
	return err_set(e, "input %s of module %s: expected %u bit%s, found %u", v->port, w->module->name, bits,
		       bits == 1 ? "" : "s", v->width);
}

static int another_output(const struct bind_wrap *w, unsigned i, struct err *e)
{
	const struct bind_var *var = w->module->var;

	for (unsigned k = 0; k < i; k++)
		if (var[k].kind == BIND_VAR_OUTPUT && !strcmp(var[k].path, var[i].path))
			return err_set(e, "outputs %s and %s of module %s are both %s", var[k].port, var[i].port, w->module->name,
				       var[i].path);
	return 0;
}

static int missing_in_twin(const struct bind_wrap *w, enum hw_side side, const struct bind_var *v, struct err *e)
{
	const char *bits = v->width == 1 ? "" : "s";

	if (side == HW_REG)
		return err_set(e, "register %s (%u bit%s) of module %s is missing from the golden twin of %s", v->path, v->width,
			       bits, w->module->name, w->block->name);
	if (strcmp(v->path, v->port) != 0)
		return err_set(e, "--port %s=%s: %s has no %s %s", v->port, v->path, w->block->name, side_word(side), v->path);
	return err_set(e, "%s %s (%u bit%s) of module %s is missing from the golden twin of %s (--%s %s%s)", side_word(side),
		       v->path, v->width, bits, w->module->name, w->block->name, side == HW_INPUT ? "tie" : "leave", v->port,
		       side == HW_INPUT ? "=0" : "");
}

static int check_side(const struct bind_wrap *w, enum hw_side side, bool extra, struct err *e)
{
	for (unsigned i = 0; i < w->layout->side[side].n; i++)
		if (check_slot(w, side, &w->layout->side[side].slot[i], e))
			return -1;
	for (unsigned i = 0; i < w->module->n; i++) {
		const struct bind_var *v = &w->module->var[i];

		if (v->kind != var_kind(side))
			continue;
		if (side == HW_INPUT ? another_width(w, v, e) : side == HW_OUTPUT && another_output(w, i, e))
			return -1;
		if (has_twin(w, side, v->path) || is_clock_or_reset(v->path) || (extra && side == HW_INPUT))
			continue;
		return missing_in_twin(w, side, v, e);
	}
	return 0;
}

static const char *bits(uint32_t n)
{
	return n == 1 ? "" : "s";
}

/* The registers that only one side has, a line each; one of another width is another register. */
static void match_registers(struct bind_wrap *w, struct arena *a)
{
	const struct bind_side *twin = &w->layout->side[HW_REG];
	char path[160];

	w->alone = "";
	for (unsigned i = 0; i < twin->n; i++) {
		struct err e = {""};

		w->reg[i] = check_slot(w, HW_REG, &twin->slot[i], &e) == 0;
		w->n_regs += w->reg[i];
		if (!w->reg[i])
			w->alone = arena_printf(a, "%s%s (%u bit%s) is in the golden twin alone\n", w->alone,
						bind_rtl_name(path, twin->slot[i].f.name, HW_REG), twin->slot[i].bits,
						bits(twin->slot[i].bits));
	}
	for (unsigned i = 0; i < w->module->n; i++) {
		const struct bind_var *v = &w->module->var[i];
		int slot = twin_slot(w, HW_REG, v->path);

		if (v->kind == BIND_VAR_REG && (slot < 0 || !w->reg[slot]))
			w->alone = arena_printf(a, "%s%s (%u bit%s) is in the RTL alone\n", w->alone, v->shown, v->width,
						bits(v->width));
	}
}

int bind_wrap_check(struct bind_wrap *w, bool own, bool extra, struct arena *a, struct err *e)
{
	bool clocked = w->block->tick != NULL;

	if (check_side(w, HW_INPUT, extra, e) || check_side(w, HW_OUTPUT, false, e))
		return -1;
	for (int k = 0; k < 2; k++) {
		const char *name = k ? "rst_i" : "clk_i";
		const struct bind_var *v = bind_module_find(w->module, BIND_VAR_INPUT, name);

		if (clocked && !v)
			return err_set(e, "input %s of 1 bit is missing in module %s (the block is clocked)", name,
				       w->module->name);
		if (v && (!clocked || v->width != 1))
			return err_set(e, "input %s of module %s: expected %s, found %u bits", name, w->module->name,
				       clocked ? "1 bit" : "none (the block is combinational)", v->width);
	}
	match_registers(w, a);
	return own ? check_side(w, HW_REG, false, e) : 0;
}

/* ---- the wrapper ---- */

static void write_params(const struct bind_wrap *w, FILE *f)
{
	bool first = true;

	for (unsigned i = 0; i < w->block->n_params; i++) {
		const struct hw_param *p = &w->block->params[i];
		uint64_t value = hw_get(w->params, p->offset, p->size);

		if (!bind_module_find(w->module, BIND_VAR_PARAM, p->verilog))
			continue;
		fprintf(f, "%s.%s(", first ? " #(" : ", ", p->verilog);
		fprintf(f, value < 0x80000000 ? "%llu)" : "64'd%llu)", (unsigned long long)value);
		first = false;
	}
	if (!first)
		fputs(")", f);
}

/* A single bit has no range, so that waves show it without one. */
static void write_range(uint32_t bits, FILE *f)
{
	if (bits > 1)
		fprintf(f, "[%u:0] ", bits - 1);
}

/* A port for each field of a side. */
static void declare(const struct bind_wrap *w, enum hw_side side, const char *dir, const char *prefix, FILE *f)
{
	for (unsigned i = 0; i < w->layout->side[side].n; i++) {
		const struct bind_slot *s = &w->layout->side[side].slot[i];
		char name[160];

		fprintf(f, "    %s wire ", dir);
		write_range(s->bits, f);
		fprintf(f, "%s%s", prefix, bind_golden_name(name, s->f.name, side));
		if (w->lanes > 1)
			fprintf(f, " [0:%u]", w->lanes - 1);
		fputs(",\n", f);
	}
}

static void write_instance(const struct bind_wrap *w, FILE *f)
{
	const char *index = w->lanes > 1 ? "[k]" : "";
	bool first = true;

	fprintf(f, "%s", w->module->name);
	write_params(w, f);
	fputs(" rtl (", f);
	for (unsigned i = 0; i < w->module->n; i++) {
		const struct bind_var *v = &w->module->var[i];
		bool twin = (v->kind == BIND_VAR_INPUT && has_twin(w, HW_INPUT, v->path)) || v->kind == BIND_VAR_OUTPUT;

		if (!v->port)
			continue;
		fprintf(f, "%s\n        .%s(", first ? "" : ",", v->port);
		if (v->kind == BIND_VAR_TIED)
			fprintf(f, "%u'd%llu", v->width, (unsigned long long)v->value);
		else if (v->kind != BIND_VAR_OPEN)
			fprintf(f, "%s%s%s", v->inverted ? "~" : "", v->path, twin ? index : "");
		fputs(")", f);
		first = false;
	}
	fputs("\n    );\n", f);
}

/* Inputs that the twin does not have: clock, reset and what a test adds. */
static void declare_rest(const struct bind_wrap *w, FILE *f)
{
	for (unsigned i = 0; i < w->module->n; i++) {
		const struct bind_var *v = &w->module->var[i];

		if (v->kind != BIND_VAR_INPUT || has_twin(w, HW_INPUT, v->path) ||
		    bind_module_find(w->module, BIND_VAR_INPUT, v->path) != v)
			continue;
		fputs("    input wire ", f);
		write_range(v->width, f);
		fprintf(f, "%s,\n", v->path);
	}
}

static void write_golden_ports(const struct bind_wrap *w, FILE *f)
{
	const char *comma = "";

	for (int side = HW_OUTPUT; side <= HW_REG; side++)
		for (unsigned i = 0; i < w->layout->side[side].n; i++) {
			char name[160];

			bind_golden_name(name, w->layout->side[side].slot[i].f.name, side);
			fprintf(f, "%s.%s(golden_%s)", comma, name, name);
			comma = ", ";
		}
}

static void write_wrapper(const struct bind_wrap *w, FILE *f)
{
	fprintf(f, "// Written from the port list of %s.\n/* verilator lint_off DECLFILENAME */\n", w->module->name);
	fputs("`default_nettype none\nmodule cosim (\n", f);
	declare_rest(w, f);
	declare(w, HW_INPUT, "input", "", f);
	declare(w, HW_OUTPUT, "output", "", f);
	if (w->lanes == 1) {
		declare(w, HW_OUTPUT, "input", "golden_", f);
		declare(w, HW_REG, "input", "golden_", f);
	}
	if (w->lanes == 1)
		fprintf(f, "    input wire [%d:0] transaction,\n", 8 * BIND_TEXT - 1);
	fputs("    input wire [63:0] cycle,\n    input wire differs\n);\n    ", f);
	if (w->lanes > 1) {
		fprintf(f, "genvar k;\n    generate for (k = 0; k < %u; k = k + 1) begin : g_lane\n    ", w->lanes);
		write_instance(w, f);
		fputs("    end endgenerate\nendmodule\n`default_nettype wire\n", f);
		return;
	}
	write_instance(w, f);
	fputs("    cosim_golden golden (", f);
	write_golden_ports(w, f);
	fputs(");\nendmodule\n\nmodule cosim_golden (\n", f);
	for (int side = HW_OUTPUT; side <= HW_REG; side++)
		for (unsigned i = 0; i < w->layout->side[side].n; i++) {
			const struct bind_slot *s = &w->layout->side[side].slot[i];

			char name[160];

			fprintf(f, "%s    input wire ", side == HW_OUTPUT && i == 0 ? "" : ",\n");
			write_range(s->bits, f);
			fputs(bind_golden_name(name, s->f.name, side), f);
		}
	fputs("\n);\nendmodule\n`default_nettype wire\n", f);
}

static void write_vlt(const struct bind_wrap *w, FILE *f)
{
	fputs("`verilator_config\n", f);
	for (unsigned i = 0; w->n_regs && i < w->module->n_modules; i++)
		fprintf(f, "public_flat_rd -module \"%s\" -var \"*_q\"\n", w->module->module[i]);
}

/* ---- the lists of the shim ---- */

static void write_list(const struct bind_wrap *w, const char *macro, enum hw_side side, const char *prefix, FILE *f)
{
	char name[160];

	fprintf(f, "#define %s(F)", macro);
	for (unsigned i = 0; i < w->layout->side[side].n; i++) {
		const struct bind_slot *s = &w->layout->side[side].slot[i];

		fprintf(f, " \\\n\tF(%s%s, %u)", prefix, bind_golden_name(name, s->f.name, side), s->word);
	}
	fputs("\n", f);
}

/* Registers are members of the model's root; Verilator writes a dot as __DOT__ there. */
static void write_regs(const struct bind_wrap *w, const char *macro, bool members, FILE *f)
{
	char path[160];

	fprintf(f, "#define %s(F)", macro);
	for (unsigned i = 0; i < w->layout->side[HW_REG].n; i++) {
		const struct bind_slot *s = &w->layout->side[HW_REG].slot[i];
		const struct bind_var *v =
			w->reg[i] ? bind_module_find(w->module, BIND_VAR_REG, bind_rtl_name(path, s->f.name, HW_REG)) : NULL;

		if (!v || members != (v->whole != NULL))
			continue;
		fputs(" \\\n\tF(cosim__DOT__rtl__DOT__", f);
		for (const char *c = members ? v->whole : v->path; *c; c++)
			fprintf(f, *c == '.' ? "__DOT__" : "%c", *c);
		if (members)
			fprintf(f, ", %u, %u, %u)", s->word, v->low, v->width);
		else
			fprintf(f, ", %u, %u)", s->word, s->f.width);
	}
	fputs("\n", f);
}

/* The bits of the registers that are on both sides. */
static void write_reg_mask(const struct bind_wrap *w, FILE *f)
{
	const struct bind_side *regs = &w->layout->side[HW_REG];

	fputs("#define SHIM_REG_MASK", f);
	for (unsigned i = 0; i < regs->n; i++)
		for (uint32_t k = 0; k < regs->slot[i].words; k++) {
			uint32_t left = regs->slot[i].bits - 64 * k;

			fprintf(f, " 0x%llxull,", !w->reg[i] ? 0ull : left >= 64 ? ~0ull : (1ull << left) - 1);
		}
	fputs(" 0\n", f);
}

/* Lines of text. Names of registers are Verilog's, which may be escaped ones. */
static void write_text(const char *macro, const char *text, FILE *f)
{
	fprintf(f, "#define %s \"", macro);
	for (const char *c = text; *c; c++)
		if (*c == '\n')
			fputs("\\n", f);
		else
			fprintf(f, *c == '"' || *c == '\\' || *c == '?' ? "\\%c" : "%c", *c);
	fputs("\"\n", f);
}

static void write_shim(const struct bind_wrap *w, FILE *f)
{
	fputs("#include \"Vcosim.h\"\n#include \"Vcosim___024root.h\"\n", f);
	fprintf(f, "#define SHIM_LANES %u\n#define SHIM_CLOCKED %d\n#define SHIM_REGS_N %u\n#define SHIM_SAME_STATE %d\n", w->lanes,
		w->block->tick != NULL, w->n_regs, !w->alone[0]);
	fprintf(f, "#define SHIM_IN_WORDS %u\n#define SHIM_OUT_WORDS %u\n#define SHIM_REG_WORDS %u\n",
		w->layout->side[HW_INPUT].words, w->layout->side[HW_OUTPUT].words, w->layout->side[HW_REG].words);
	write_list(w, "SHIM_INPUTS", HW_INPUT, "", f);
	write_list(w, "SHIM_OUTPUTS", HW_OUTPUT, "", f);
	write_regs(w, "SHIM_REGS", false, f);
	write_regs(w, "SHIM_MEMBERS", true, f);
	write_reg_mask(w, f);
	write_text("SHIM_ALONE", w->alone, f);
	write_text("SHIM_STATES", w->states, f);
	if (w->lanes == 1) {
		write_list(w, "SHIM_GOLDEN_OUTPUTS", HW_OUTPUT, "golden_", f);
		write_list(w, "SHIM_GOLDEN_REGS", HW_REG, "golden_", f);
	}
	fputs("#define SHIM_EXTRA(F)", f);
	for (unsigned i = 0; i < w->module->n; i++) {
		const struct bind_var *v = &w->module->var[i];

		if (v->kind == BIND_VAR_INPUT && !has_twin(w, HW_INPUT, v->path) && !is_clock_or_reset(v->path))
			fprintf(f, " \\\n\tF(%s)", v->path);
	}
	fputs("\n#include \"bind/shim.hpp\"\n", f);
}

static int write_file(const struct bind_wrap *w, const char *folder, const char *name,
		      void (*writer)(const struct bind_wrap *, FILE *), struct err *e)
{
	char path[4200];
	struct output o;

	snprintf(path, sizeof path, "%s/%s", folder, name);
	if (output_open(&o, path, e))
		return -1;
	writer(w, o.f);
	return output_keep(&o, e);
}

int bind_wrap_write(const struct bind_wrap *w, const char *folder, struct err *e)
{
	return write_file(w, folder, "cosim.sv", write_wrapper, e) || write_file(w, folder, "cosim.vlt", write_vlt, e) ||
			       write_file(w, folder, "shim.cpp", write_shim, e)
		       ? -1
		       : 0;
}
