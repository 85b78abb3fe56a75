/* Broken invariants: a defect of this program, never of the user's input. Prints component, time and field, aborts. */
#ifndef CSIM_BASE_PANIC_H
#define CSIM_BASE_PANIC_H

#include <stdint.h>

/* cycle: in the component's own clock. what: the field or invariant that is broken, printf style. */
_Noreturn void panic(const char *component, uint64_t cycle, const char *what, ...) __attribute__((cold, format(printf, 3, 4)));

#define PANIC_UNLESS(cond, component, cycle)                                                                                       \
	do {                                                                                                                       \
		if (__builtin_expect(!(cond), 0))                                                                                  \
			panic((component), (cycle), "%s", #cond);                                                                  \
	} while (0)

/* Of conditions that cost too much for a release build: builds with sanitizers (make SAN=1) check them. */
#ifndef CHECK_COSTLY
#define CHECK_COSTLY 0
#endif
#define PANIC_UNLESS_COSTLY(cond, component, cycle)                                                                                \
	do {                                                                                                                       \
		if (CHECK_COSTLY)                                                                                                  \
			PANIC_UNLESS(cond, component, cycle);                                                                      \
	} while (0)

#endif
