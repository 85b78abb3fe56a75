/* Writes what makes a library of a block, from the port list that Verilator reports and the golden twin's layout:
 *
 *   cosim.sv    the wrapper: the block with its parameters as `rtl`, beside it `golden`, a module without logic through
 *               which the golden values enter as input ports, so that one wave file shows both; `cycle`, `differs`
 *               and `transaction`, a text that says what happens.
 *               With more than one lane: that many copies of a combinational block on array ports, no golden side.
 *   cosim.vlt   makes the registers (*_q) readable without touching the RTL
 *   shim.cpp    the lists that shim.hpp makes the C ABI (abi.h) from
 */
#ifndef HARNESS_BIND_WRAP_H
#define HARNESS_BIND_WRAP_H

#include "base/arena.h"
#include "bind/fields.h"
#include "bind/xml.h"

struct bind_wrap {
	const struct hw_block *block;
	const void *params;
	const struct bind_layout *layout;
	const struct bind_module *module;
	unsigned lanes;
	/* Which of the golden twin's registers the RTL has too, by slot, and how many: by bind_wrap_check. */
	bool reg[HW_MAX_FIELDS];
	unsigned n_regs;
	const char *alone;  /* a line for each register that is on one side alone; "" */
	const char *states; /* names of the values of registers (states.h); "" */
};

/* Compares the golden twin's fields with the module's ports and registers, both ways, by name and width. Returns -1
 * with a line that names the file, the port, what was expected and what was found. own: the block's own RTL, whose
 * registers must fit as well; otherwise w says which do (text in the arena), and inputs that the twin does not have are
 * allowed if extra is set. */
int bind_wrap_check(struct bind_wrap *w, bool own, bool extra, struct arena *a, struct err *e);

/* Writes the three files into the folder. */
int bind_wrap_write(const struct bind_wrap *w, const char *folder, struct err *e);

#endif
