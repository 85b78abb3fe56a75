/* Names of the values of state registers, from the RTL itself, so that no list of them can be out of date.
 *
 * A list of constants (`localparam [1:0] IDLE = 2'd0, SCAN = 2'd1;`: sized numbers of equal width, two at least)
 * belongs to each register of its module that is assigned one of them (`state_q <= IDLE;`, `mode_q <= {8{MONITOR}};`),
 * a name that is only compared with (`q <= state == IDLE`) apart. The text is read as words, not parsed: what is
 * written in another way has no names, which costs a wave its words and nothing else.
 */
#ifndef HARNESS_BIND_STATES_H
#define HARNESS_BIND_STATES_H

#include "base/arena.h"
#include "bind/xml.h"

/* The text of bind_abi.states, in the arena. A file that cannot be read has no names. */
const char *bind_states(const struct bind_module *m, const char *const *files, unsigned n_files, struct arena *a);

#endif
