#include "cache/l2/channel_link.h"

void channel_link_init(struct channel_link *c, struct arena *a, const struct machine *m)
{
	uint32_t period = m->clock.period[CLOCK_L2];

	c->delay = ticks_of(m->dram.latency, m->clock.period[CLOCK_CORE]);
	queue_init(&c->down, a, m->l2.c.miss_queue + 1 + (uint32_t)cycles_up(c->delay, period), ticks_of(1, period));
	queue_init(&c->up, a, m->dram.queue, ticks_of(1, period));
}

uint32_t channel_link_take(struct channel_link *c, struct stamp at[REQ_STAMPS], struct ticks now)
{
	const struct dram_done *d = queue_front(&c->up, now);
	uint32_t token = d->token;

	at[REQ_AT_DRAM] = d->arrived;
	at[REQ_FIRST_COMMAND] = d->begun;
	queue_pop(&c->up, now);
	return token;
}

uint8_t channel_link_bursts(uint32_t line_bytes, uint32_t burst_bytes, const uint64_t mask[2], bool *whole)
{
	uint8_t bursts = 0;

	*whole = true;
	for (uint32_t i = 0; i < line_bytes / burst_bytes; i++) {
		uint32_t at = i * burst_bytes;
		uint64_t all = burst_bytes >= 64 ? UINT64_MAX : (UINT64_C(1) << burst_bytes) - 1;
		uint64_t low = mask[at / 64] >> at % 64 & all, high = burst_bytes > 64 ? mask[1] : low;

		if (!(low | high))
			continue;
		bursts |= (uint8_t)(1u << i);
		*whole &= low == all && high == all;
	}
	return bursts;
}
