#include "memsys/driver.h"

#include "base/panic.h"

/* Cycles to the first in which the limit can be reached; at most `step`. */
static uint64_t cycles_to(const struct driver_limit *l, const void *run, uint64_t step)
{
	uint64_t done = l->most ? l->count(run) : 0, cycles;

	if (l->most <= done)
		return step;
	cycles = (l->most - done + l->a_cycle - 1) / l->a_cycle;
	return cycles < step ? cycles : step;
}

static uint64_t next_look(const struct driver *d)
{
	uint64_t step = cycles_to(&d->warp_insts, d->run, LOOP_CHECK_CYCLES);

	step = cycles_to(&d->thread_insts, d->run, step);
	if (d->max_cycles && d->max_cycles - d->cycle < step)
		step = d->max_cycles - d->cycle;
	return d->cycle + step;
}

/* false: nothing is left to do. */
static bool run_to(struct driver *d, struct ticks until)
{
	bool more;

	do {
		more = loop_run(d->loop, d->pause_at ? ticks_earlier(until, *d->pause_at) : until);
		if (d->paused)
			d->paused(d->run);
	} while (more && ticks_before(d->loop->until, until));
	return more;
}

static bool is_reached(const struct driver_limit *l, const void *run)
{
	return l->most && l->count(run) >= l->most;
}

static bool is_over(const struct driver *d)
{
	return (d->max_cycles && d->cycle == d->max_cycles) || is_reached(&d->warp_insts, d->run) ||
	       is_reached(&d->thread_insts, d->run) || (d->stop && *d->stop);
}

static int watch(struct driver *d, struct err *e)
{
	const struct loop *l = d->loop;
	uint64_t done = d->work(d->run), since = cycles_in(d->moved_at, l->period);

	if (done != d->done) {
		d->done = done;
		d->moved_at = l->now;
		return 0;
	}
	if (ticks_before(ticks_between(d->moved_at, l->now), d->patience))
		return 0;
	if (d->stuck)
		return d->stuck(d->run, since, e);
	panic(d->who, cycles_in(l->now, l->period), "nothing has moved since cycle %llu", (unsigned long long)since);
}

int driver_resume(struct driver *d, uint64_t cycle, struct err *e)
{
	if (!cycle)
		return 0;
	d->cycle = cycle;
	d->moved_at = d->loop->now;
	if ((d->max_cycles && d->max_cycles < cycle) || is_reached(&d->warp_insts, d->run) || is_reached(&d->thread_insts, d->run))
		return err_set(e, "the checkpoint is of cycle %llu, past the limit of this run", (unsigned long long)cycle);
	return 0;
}

int driver_run(struct driver *d, struct err *e)
{
	bool more = true;

	if (d->begins)
		d->begins(d->watcher_ctx);
	while (more && !d->cut) {
		d->cycle = next_look(d);
		more = run_to(d, ticks_of(d->cycle, d->loop->period));
		if (d->failed(d->run, e) != 0)
			return -1;
		if (d->progress)
			d->progress(d->watcher_ctx, cycles_in(d->loop->now, d->loop->period), d->insts(d->run), d->total_insts);
		d->cut = more && is_over(d);
		if (more && !d->cut && d->work && watch(d, e) != 0)
			return -1;
	}
	d->end = d->cut ? ticks_of(d->cycle, d->loop->period) : d->loop->now;
	return 0;
}
