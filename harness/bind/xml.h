/* What Verilator says about a module (`verilator --xml-only`): its parameters, ports and registers with their widths.
 *
 * Registers are the variables whose name ends in _q and those that a non-blocking assignment sets, in the module and
 * in all instances below it, packed structs by their members; `path` is the hierarchical name ("u_fifo.head_q",
 * "g_lane[0].sum_q"). Errors: a line that names the file, when the XML cannot be used.
 */
#ifndef HARNESS_BIND_XML_H
#define HARNESS_BIND_XML_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

enum bind_var_kind {
	BIND_VAR_PARAM,
	BIND_VAR_INPUT,
	BIND_VAR_OUTPUT,
	BIND_VAR_INOUT,
	BIND_VAR_REG,
	BIND_VAR_TIED, /* an input that is constant, and a port that is left open: by connect.c */
	BIND_VAR_OPEN
};

struct bind_var {
	enum bind_var_kind kind;
	const char *path;
	uint32_t width;		   /* bits, all dimensions together */
	const char *module, *name; /* of a register: the module that declares it, as the source names both */
	/* Of a packed struct each member is a register, acc_q.valid by the name acc_valid_q: */
	const char *whole; /* the struct's path; NULL: it is no member */
	const char *shown; /* "acc_q.valid"; of any other register as path */
	uint32_t low;	   /* its lowest bit in the struct */
	/* Of a port, by connect.c, after which path is the block's name for it: */
	const char *port; /* its own name */
	bool inverted;
	uint64_t value; /* of a constant */
};

struct bind_module {
	const char *name; /* of the top module */
	unsigned n;
	struct bind_var *var; /* in the order of the source; ports and parameters of the top module only */
	unsigned n_modules;
	const char **module; /* original names of all modules */
	/* Signals of the top module at whose negative edge something is assigned, and nothing at the positive one. */
	unsigned n_negative;
	const char **negative;
};

/* Reads the XML file. Everything lives in the arena. */
int bind_xml_read(struct bind_module *m, const char *path, struct arena *a, struct err *e);

/* NULL if there is none of that kind and name. */
const struct bind_var *bind_module_find(const struct bind_module *m, enum bind_var_kind kind, const char *path);

#endif
