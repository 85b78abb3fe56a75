/* Connects the ports of a user's module to those of a block: by their names, by the names that others give clock and
 * reset (Chisel's clock and reset, clk, rst_n, ...), and by what --port, --tie and --leave say (fit.h).
 */
#ifndef HARNESS_BIND_CONNECT_H
#define HARNESS_BIND_CONNECT_H

#include "bind/fit.h"
#include "bind/xml.h"

/* Renames the module's ports to the block's, and marks those that are constant or open. clocked: the block is. Errors:
 * a port that the module does not have, or in that direction; a value that does not fit; an inout that is not left
 * open; a clock at whose negative edge the registers move. */
int bind_connect(struct bind_module *m, const struct bind_fit *fit, bool clocked, struct err *e);

#endif
