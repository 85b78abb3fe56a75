/* When the registers of an SM's warps can be read.
 *
 * A time stamp is twice the cycle, plus one if the value comes from memory (for the stall breakdown). A value may be
 * without a time yet: of memory, or of an instruction in a collector (sm/operands.h). All cycles are core cycles.
 *
 * The stamps of a large machine's registers are more than a host's cache holds, and one is looked at for each operand;
 * so they are kept in 32 bits, from a cycle on that now and then moves up.
 */
#ifndef CSIM_SM_SCOREBOARD_H
#define CSIM_SM_SCOREBOARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/arena.h"

#define SM_STAMP_NEVER	 UINT64_MAX
#define SM_STAMP_COLLECT (UINT64_MAX - 1)
static inline uint64_t sm_stamp(uint64_t cycle, bool memory)
{
	return cycle << 1 | memory;
}

/* Stamps behind the base's; 0: the value has been there since the base, or longer. */
#define REG_STAMP_NEVER	  UINT32_MAX
#define REG_STAMP_COLLECT (UINT32_MAX - 1)

struct scoreboard {
	uint32_t *reg; /* stride of them a warp slot */
	uint32_t stride;
	uint64_t base; /* a stamp */
	uint32_t slots;
};

void scoreboard_init(struct scoreboard *s, struct arena *a, uint32_t slots, uint32_t registers);

/* Moves the base up to cycle `now`. */
void scoreboard_move(struct scoreboard *s, uint64_t now);

static inline uint32_t *scoreboard_of(const struct scoreboard *s, unsigned slot)
{
	return s->reg + (size_t)slot * s->stride;
}

/* The whole stamp. */
static inline uint64_t scoreboard_stamp(const struct scoreboard *s, uint32_t reg)
{
	return reg >= REG_STAMP_COLLECT ? reg | UINT64_MAX << 32 : s->base + reg;
}

/* Registers reg[0..n) of the slot's warp get the stamp in cycle `now`. */
static inline void scoreboard_set(struct scoreboard *s, unsigned slot, const uint16_t *reg, unsigned n, uint64_t stamp,
				  uint64_t now)
{
	uint32_t *of = scoreboard_of(s, slot), is = (uint32_t)stamp;

	if (stamp < SM_STAMP_COLLECT) {
		if (__builtin_expect(stamp - s->base >= UINT32_C(1) << 31, 0))
			scoreboard_move(s, now);
		is = (uint32_t)(stamp - s->base);
	}
	for (unsigned i = 0; i < n; i++)
		of[reg[i]] = is;
}

#endif
