/* Made-up programs on every machine of csim/machines: what tests run that say that something holds anywhere. */
#ifndef TESTS_SUPPORT_ANY_MACHINE_H
#define TESTS_SUPPORT_ANY_MACHINE_H

#include <stdbool.h>
#include <stdint.h>

#include "run/gpu.h"

/* Calls for each machine, by its name, in no order; fails the test if it finds hardly any. number: 0 and up. */
typedef void any_machine_fn(const char *name, unsigned number);
void any_machine_each(any_machine_fn *check);

/* That machine with some keys changed: "key=value"s, ended by NULL; or NULL for none. Fails the test if it is
 * refused. */
struct machine any_machine_with(const char *name, const char *const *set);

/* Whether its L1s move whole lines and allocate them on a miss: what policies of L1s go by. */
bool any_machine_goes_by_lines(const char *name);

/* Whether its L1s are within what the block that pins is built for. */
bool any_machine_can_pin(const char *name);

/* A made-up program (support/made_up.h) whose addresses fit any machine. length: about how many runs a warp has. */
struct trace *any_machine_program(uint64_t seed, uint32_t length);

/* Runs it; fails the test if the run is refused or an invariant is broken. name: of the machine, for messages. */
void any_machine_run(const struct gpu_config *c, struct gpu_result *r, const char *name);

/* Likewise, and returns the metrics as JSON; free() it. */
char *any_machine_metrics(const struct gpu_config *c, const char *name);

/* The run's metrics are the same, to the byte, if components are stepped in reverse, and if blocks are stepped in every
 * cycle. Returns them; free() it. */
char *any_machine_expect_order_free(const struct gpu_config *c, const char *name);

/* Those metrics are the same if the machine is in shares, which one thread steps in turn or two at once. */
void any_machine_expect_same_in_shares(const struct gpu_config *c, const char *metrics, const char *name);

#endif
