/* Keys that a machine does not read, since another of its keys leaves out the unit that would. */
#ifndef CSIM_MACHINE_UNREAD_H
#define CSIM_MACHINE_UNREAD_H

#include <stdbool.h>

#include "machine/machine.h"

enum { UNREAD_MAX = 256 };

/* Whether no run of a whole machine reads its value of the key; why: "throttle.policy is none". A value that leaves a
 * unit out (none, linear, false) is one that is read. */
bool machine_unread(const struct machine *m, const char *key, char why[UNREAD_MAX]);

#endif
