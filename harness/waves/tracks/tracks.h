/* The text of a block's transactions, as a track of a wave shows it ("SM 3 takes CTA 17"): one function for each block.
 *
 * The function gets a step's inputs and outputs and the registers before and after its edge, all as the golden twin's C
 * structs; where the RTL runs alone they hold the RTL's values. Several texts of one edge are joined by "; ".
 */
#ifndef HARNESS_WAVES_TRACKS_H
#define HARNESS_WAVES_TRACKS_H

#include <stdbool.h>
#include <stddef.h>

#include "bind/abi.h"
#include "hw/tafe/tafe.h"
#include "hw/twins/addr_decoder.h"
#include "hw/twins/addr_decoder_pipe.h"
#include "hw/twins/bypass_monitor.h"
#include "hw/twins/locality_table.h"
#include "hw/twins/paver.h"
#include "hw/twins/pin_replacement.h"
#include "hw/twins/prefetch_unit.h"
#include "hw/twins/pric.h"
#include "hw/twins/set_monitor.h"
#include "hw/twins/throttle.h"
#include "hw/twins/throttle_coordinator.h"

struct track_step {
	const void *in, *out, *before, *after; /* struct xyz_in, xyz_out, xyz, xyz */
	const void *params;
};

struct track_text {
	char at[BIND_TEXT + 1];
	size_t n;
	bool main; /* it is what the block is there for: a clean wave opens on the first such text */
};

/* Appends to the text of the edge; what has no room is cut, and ends in "..". */
void track_say(struct track_text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));
/* The same, of what the block is there for. */
#define track_say_main(t, ...) ((t)->main = true, track_say(t, __VA_ARGS__))

typedef void track_teller(const struct track_step *s, struct track_text *t);
/* NULL: the block has no such function. */
track_teller *track_of(const struct hw_block *b);

track_teller track_tafe, track_paver;
track_teller track_pric, track_set_monitor, track_pin_replacement, track_bypass_monitor;
track_teller track_throttle, track_coordinator;
track_teller track_decoder, track_decoder_pipe;
track_teller track_locality_table, track_prefetch_unit;

#endif
