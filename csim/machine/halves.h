/* Whether the L2 can be of two halves as a machine says (l2.halves, l2.far_latency). */
#ifndef CSIM_MACHINE_HALVES_H
#define CSIM_MACHINE_HALVES_H

#include "machine/machine.h"

/* Clocks are resolved. The error begins with the key. */
int machine_check_halves(const struct machine *m, struct err *e);

#endif
