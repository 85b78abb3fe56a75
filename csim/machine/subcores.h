/* Whether an SM can be parted into sub-cores as a machine says (sm.subcores, subcore.*). */
#ifndef CSIM_MACHINE_SUBCORES_H
#define CSIM_MACHINE_SUBCORES_H

#include "machine/machine.h"

/* Something of an SM of its own kind: sub-cores, pipelines of one sort that its scheduler alone uses, queues. */
static inline bool machine_has_subcores(const struct machine *m)
{
	return m->sm.subcores > 1 || m->subcore.queue || m->pipe.integer || m->pipe.dp;
}

/* The error begins with the key. */
int machine_check_subcores(const struct machine *m, struct err *e);

#endif
