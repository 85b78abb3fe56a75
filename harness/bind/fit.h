/* How a user's Verilog is connected to a block where its ports are other ones: what --port, --tie, --leave and --incdir
 * say. All names are identifiers of Verilog, so that they may be written into it: a bundle holds them too (stimfile.c).
 */
#ifndef HARNESS_BIND_FIT_H
#define HARNESS_BIND_FIT_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

enum { BIND_FIT_ITEMS = 64, BIND_FIT_NAME = 64, BIND_FIT_DIRS = 4096 };

enum bind_fit_kind {
	BIND_FIT_PORT, /* theirs is the block's port `ours`, inverted if it is an input that is active low */
	BIND_FIT_TIE,  /* the input theirs has that value */
	BIND_FIT_LEAVE /* the output theirs, or inout, is connected to nothing */
};

struct bind_fit_item {
	enum bind_fit_kind kind;
	bool inverted;
	char theirs[BIND_FIT_NAME], ours[BIND_FIT_NAME];
	uint64_t value;
};

struct bind_fit {
	unsigned n;
	struct bind_fit_item item[BIND_FIT_ITEMS];
	char dirs[BIND_FIT_DIRS]; /* where headers and modules are looked up too, separated by commas */
};

/* "theirs=ours", "theirs=~ours"; "x=0"; "y"; a folder, which must be there. The message names the option. */
int bind_fit_port(struct bind_fit *f, const char *text, struct err *e);
int bind_fit_tie(struct bind_fit *f, const char *text, struct err *e);
int bind_fit_leave(struct bind_fit *f, const char *text, struct err *e);
int bind_fit_dir(struct bind_fit *f, const char *path, struct err *e);

/* The item about a port of theirs; NULL: there is none. */
const struct bind_fit_item *bind_fit_of(const struct bind_fit *f, const char *theirs);

#endif
