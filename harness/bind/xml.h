/* What Verilator says about a module (`verilator --xml-only`): its parameters, ports and registers with their widths.
 *
 * Registers are the variables whose name ends in _q and those that a non-blocking assignment sets, in the module and
 * in all instances below it; `path` is the hierarchical name ("u_fifo.head_q", "g_lane[0].sum_q"). Errors: a line that
 * names the file, when the XML cannot be used.
 */
#ifndef HARNESS_BIND_XML_H
#define HARNESS_BIND_XML_H

#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

enum bind_var_kind { BIND_VAR_PARAM, BIND_VAR_INPUT, BIND_VAR_OUTPUT, BIND_VAR_REG };

struct bind_var {
	enum bind_var_kind kind;
	const char *path;
	uint32_t width;		   /* bits, all dimensions together */
	const char *module, *name; /* of a register: the module that declares it, as the source names both */
};

struct bind_module {
	const char *name; /* of the top module */
	unsigned n;
	struct bind_var *var; /* in the order of the source; ports and parameters of the top module only */
	unsigned n_modules;
	const char **module; /* original names of all modules */
};

/* Reads the XML file. Everything lives in the arena. */
int bind_xml_read(struct bind_module *m, const char *path, struct arena *a, struct err *e);

/* NULL if there is none of that kind and name. */
const struct bind_var *bind_module_find(const struct bind_module *m, enum bind_var_kind kind, const char *path);

#endif
