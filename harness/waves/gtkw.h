/* A save file for GTKWave: the signals of a block in groups, golden (yellow) above RTL (green), zoomed to the window,
 * with the marker on the first difference, whose element comes first; without one, on the first transaction. State
 * registers show the names that their values have in the RTL, by filter files beside the save file (filter.h). */
#ifndef HARNESS_WAVES_GTKW_H
#define HARNESS_WAVES_GTKW_H

#include <stdint.h>

#include "base/err.h"
#include "bind/fields.h"

/* Of a field: the one that differs first. */
struct gtkw_element {
	bool any;
	enum hw_side side;
	unsigned slot;
	uint32_t element;
};

struct gtkw {
	const struct hw_block *block;
	const struct bind_layout *layout;
	const char *fst;	  /* name of the wave file, which is beside the save file */
	uint64_t from, to;	  /* time units that are to be seen */
	uint64_t marker;	  /* 0: none */
	bool golden;		  /* the file has the golden side too */
	const uint64_t *reg_mask; /* the bits of the registers that the RTL has, by word */
	const char *states;	  /* of bind_abi */
	struct gtkw_element differs;
};

int gtkw_write(const struct gtkw *g, const char *path, struct err *e);

#endif
