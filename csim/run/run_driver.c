#include "run/run_driver.h"

#include "base/panic.h"

static uint64_t slowest_clock(const struct machine *m)
{
	uint64_t slowest = 0;

	for (unsigned i = 0; i < CLOCK_COUNT; i++)
		if (slowest < m->clock.period[i])
			slowest = m->clock.period[i];
	return slowest;
}

struct driver run_driver_of(const struct gpu_config *c, struct loop *l)
{
	return (struct driver){.loop = l,
			       .patience = ticks_of(DRIVER_PATIENCE, slowest_clock(c->machine)),
			       .max_cycles = c->max_cycles,
			       .stop = c->stop,
			       .begins = c->begins,
			       .progress = c->progress,
			       .watcher_ctx = c->watcher_ctx};
}

uint64_t run_driver_cycles(const struct driver *d, const struct dispatch *dispatch)
{
	uint64_t period = d->loop->period;

	if (d->cut)
		return d->cycle;
	if (!dispatch_finished(dispatch))
		panic(d->who, cycles_in(d->loop->now, period), "nothing is left to do, but launch %u has not ended",
		      dispatch_launch(dispatch));
	return dispatch->sent ? cycles_in(dispatch->end, period) + 1 : 0;
}
