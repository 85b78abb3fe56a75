/* One DRAM channel on a bench: requests go in at a chosen cycle, replies and the command log come out.
 *
 * Times are DRAM cycles. The machine is gtx480 without refresh, with its GDDR5 or with a pseudo-channel of HBM2
 * instead, changed by the assignments in the call.
 */
#ifndef TESTS_SUPPORT_DRAM_RIG_H
#define TESTS_SUPPORT_DRAM_RIG_H

#include <stdbool.h>
#include <stdint.h>

#include "dram/dram.h"

enum rig_memory { RIG_GDDR5, RIG_HBM2, RIG_MEMORIES };
#define EACH_MEMORY for (enum rig_memory memory = RIG_GDDR5; memory < RIG_MEMORIES; memory++)
enum { RIG_QUEUE = 4096, RIG_LOG = 1 << 17 };

struct rig {
	struct arena arena;
	struct machine m;
	struct dram d;
	struct dram_req_queue in, *in_list[1];
	struct dram_done_queue out, *out_list[1];
	struct ticks next;
	struct dram_command_event *log;
	uint32_t commands;
};

/* What makes HBM2 of gtx480's memory: a NULL-terminated list of "key=value". */
extern const char *const rig_hbm2[];

/* set: NULL-terminated list of "key=value", or NULL. */
struct rig *rig_of(enum rig_memory memory, const char *const *set);
struct rig *rig_new(const char *const *set); /* GDDR5 */
/* A channel of a machine of csim/machines as it is, refresh included. */
struct rig *rig_of_machine(const char *machine, const char *const *set);
void rig_free(struct rig *r);

/* The n-th bank of a group. */
uint32_t rig_bank(const struct rig *r, uint32_t group, uint32_t n);

/* A request for `bursts` of the line at (bank, row, first column); arrives at `cycle`. Arrivals must not go back in
 * time. A write has all bytes of its bursts, unless the caller changes the request that is returned. */
struct dram_req *rig_push(struct rig *r, uint64_t cycle, bool write, uint32_t bank, uint64_t row, uint32_t column, uint8_t bursts,
			  uint32_t token);

/* Runs all events up to and including `cycle`. */
void rig_run(struct rig *r, uint64_t cycle);

/* Whether a reply can be taken at that cycle; if so it is taken and *token is set. */
bool rig_reply(struct rig *r, uint64_t cycle, uint32_t *token);

/* Asserts that the next reply is `token`, not there at cycle - 1, there at cycle. */
void rig_expect_reply(struct rig *r, uint64_t cycle, uint32_t token);

/* Cycle of the n-th (from 0) command of that kind in the log; fails the test if there is none. Any bank: pass -1. */
uint64_t rig_command(const struct rig *r, enum dram_command command, int bank, uint32_t n);
uint32_t rig_commands(const struct rig *r, enum dram_command command, int bank);

#endif
