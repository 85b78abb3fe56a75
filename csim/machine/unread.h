/* Keys that nothing reads: another key of the machine leaves out the unit that would, or the command does. */
#ifndef CSIM_MACHINE_UNREAD_H
#define CSIM_MACHINE_UNREAD_H

#include <stdbool.h>

#include "machine/machine.h"

enum { UNREAD_MAX = 256 };

/* Whether no run of a whole machine reads its value of the key; why: "throttle.policy is none". A value that leaves a
 * unit out (none, linear, false) is one that is read. */
bool machine_unread(const struct machine *m, const char *key, char why[UNREAD_MAX]);

/* How a command uses a machine: a set of these. None: a run of the whole machine by a CUDA program with groups. */
enum machine_use {
	MACHINE_WITHOUT_SMS = 1,	 /* kernels run on CPU cores, nothing on SMs */
	MACHINE_WITHOUT_CUDA = 2,	 /* the program makes no CUDA calls */
	MACHINE_WITHOUT_GROUPS = 4,	 /* no plan hands out groups of CTAs */
	MACHINE_PLACED = 8,		 /* a planner places CTAs and data, and nothing is simulated */
	MACHINE_EXECUTED = 16,		 /* a CUDA program is executed, and nothing is simulated */
	MACHINE_DECODER = 32,		 /* addresses are decoded, and nothing else */
	MACHINE_CHANNEL = 64,		 /* one memory channel is simulated alone */
	MACHINE_WITHOUT_CPU = 128,	 /* neither kernels nor a host program's stores run on the CPU */
	MACHINE_WITHOUT_PINS = 256,	 /* no plan pins lines */
	MACHINE_WITHOUT_PREFETCHES = 512 /* no plan prefetches */
};

/* Whether nothing reads the key when the machine is used so; why: "nothing is simulated". */
bool machine_unread_by(const struct machine *m, unsigned uses, const char *key, char why[UNREAD_MAX]);

#endif
