#include "sm/scoreboard.h"

void scoreboard_init(struct scoreboard *s, struct arena *a, uint32_t slots, uint32_t registers)
{
	*s = (struct scoreboard){.slots = slots, .stride = registers};
	s->reg = arena_array(a, (size_t)slots * registers, sizeof *s->reg);
}

void scoreboard_move(struct scoreboard *s, uint64_t now)
{
	uint64_t by = sm_stamp(now, false) - s->base;

	for (size_t i = 0; i < (size_t)s->slots * s->stride; i++)
		if (s->reg[i] < REG_STAMP_COLLECT)
			s->reg[i] = s->reg[i] > by ? s->reg[i] - (uint32_t)by : 0;
	s->base += by;
}
