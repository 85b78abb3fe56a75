/* Keys of a machine that may change while it runs (docs/how-to/checkpoint-and-what-if.md): what only says how long
 * something takes from now on, or how a policy decides from now on. A key that shapes state (sizes, numbers of parts,
 * clocks, address bits) is none of them, nor one by which messages that are on their way could be overtaken.
 */
#ifndef CSIM_MACHINE_LIVE_H
#define CSIM_MACHINE_LIVE_H

#include <stdbool.h>

#include "base/err.h"
#include "machine/machine.h"

extern const char *const machine_live_keys[]; /* in the schema's order; ends with NULL */

bool machine_key_is_live(const char *name);

/* Applies "KEY=VALUE,KEY=VALUE" to a resolved machine, and resolves it again. A value may have commas itself
 * ("latency.int=4,13,4,5,145"). Fails if a key is unknown or not live, or if the machine is none that could run. */
int machine_change(struct machine *m, const char *changes, struct err *e);

#endif
