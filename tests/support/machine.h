/* The GTX480 with some keys changed, checked: what most tests of the model start from. */
#ifndef TESTS_SUPPORT_MACHINE_H
#define TESTS_SUPPORT_MACHINE_H

#include "machine/machine.h"

/* set: "key=value"s, ended by NULL; or NULL for none. Fails the test if the machine is refused. */
struct machine machine_with(const char *const *set);

#endif
