#include "spec/throttle.h"

#include <stddef.h>

void spec_throttle_reset(struct spec_throttle *s, uint64_t kernels, uint64_t period, uint64_t periods, uint64_t watchdog,
			 unsigned count_bits)
{
	*s = (struct spec_throttle){.kernels = kernels,
				    .period = period,
				    .periods = periods,
				    .watchdog = watchdog,
				    .largest = (UINT64_C(1) << count_bits) - 1};
}

static bool reports(const struct spec_throttle *s, const struct spec_kernel *k)
{
	return k->mode == SPEC_SAMPLE ? k->sampled + 1 == s->periods : k->mode != SPEC_SETTLED;
}

static const char *check_message(const struct spec_throttle *s, const struct spec_throttle_cycle *c, bool ends)
{
	const struct spec_kernel *k = &s->kernel[s->which];

	if (c->block.message != (ends && reports(s, k)))
		return c->block.message ? "a message that is not due" : "a period or a sampling ends without a message";
	if (!c->block.message)
		return NULL;
	if (c->block.of != s->which)
		return "the message is of another kernel";
	if (c->block.instructions != k->instructions)
		return "the message has not the instructions since the last one";
	if (c->block.misses != k->misses)
		return "the message has not the misses since the last one";
	if (c->block.most != s->most)
		return "the message has not the warps of its launch";
	return NULL;
}

static const char *check_state(const struct spec_throttle *s, const struct spec_throttle_cycle *c)
{
	const struct spec_kernel *k = &s->kernel[s->which];
	bool limited = s->runs && (k->mode == SPEC_SAMPLE || k->mode == SPEC_SETTLED) && !s->lifted;

	if (c->block.runs != s->runs)
		return s->runs ? "a kernel with counters does not run" : "a kernel without counters runs";
	if (c->block.hold != (s->runs && (k->mode == SPEC_WATCH || k->mode == SPEC_SAMPLE)))
		return c->block.hold ? "the L1 is held open for nothing" : "the L1 is not held open from the watch to the winner";
	if (c->block.lifted != s->lifted)
		return s->lifted ? "the watchdog does not lift the limit" : "the watchdog lifts a limit";
	if (c->block.limited != limited)
		return limited ? "the order's limit does not hold" : "a limit without an order";
	if (limited && c->block.limit != k->limit)
		return "the limit is not that of the order";
	if (s->runs && c->block.due != (uint32_t)(c->now + s->period - k->ran - 1))
		return "the period has another length in the kernel's time";
	return NULL;
}

/* A warp's end is counted as instructions are: in a period's last cycle it belongs to the next one. */
static void watch_dog(struct spec_throttle *s, const struct spec_throttle_cycle *c, bool ends)
{
	if (ends && s->kernel[s->which].mode == SPEC_SETTLED) {
		if (s->lifted || ++s->idle == s->watchdog) {
			s->lifted = !s->lifted;
			s->idle = 0;
		}
	}
	if (c->exit)
		s->idle = 0;
}

static void end_period(struct spec_throttle *s, struct spec_kernel *k)
{
	bool says = reports(s, k);

	k->ran = 0;
	if (k->mode == SPEC_SAMPLE)
		k->sampled++;
	if (says)
		k->instructions = k->misses = 0;
}

static uint64_t sum(const struct spec_throttle *s, uint64_t a, uint64_t b)
{
	return a + b < s->largest ? a + b : s->largest;
}

/* The winner stays with the coordinator: the launch has no limit until it orders one. */
static void launch(struct spec_throttle *s, const struct spec_throttle_cycle *c)
{
	s->runs = c->counted && c->launched < s->kernels;
	s->which = s->runs ? c->launched : 0;
	s->most = c->launch_most;
	s->idle = 0;
	s->lifted = false;
	if (s->runs && s->kernel[s->which].mode == SPEC_SETTLED) {
		s->kernel[s->which].mode = SPEC_MONITOR;
		s->kernel[s->which].instructions = s->kernel[s->which].misses = 0;
		s->kernel[s->which].cut = true;
	}
}

const char *spec_throttle_cycle(struct spec_throttle *s, const struct spec_throttle_cycle *c, uint64_t passed)
{
	struct spec_kernel *k = &s->kernel[s->which];
	const char *wrong, *message;
	bool last, ends;

	if (s->runs) {
		k->ran += passed;
		if (k->cut && (uint32_t)(c->block.due - c->now) < s->period)
			k->ran = s->period - 1 - (uint32_t)(c->block.due - c->now);
		k->cut = false;
	}
	last = s->runs && k->ran + 1 == s->period;
	ends = last && !c->launch;
	wrong = check_state(s, c);
	message = check_message(s, c, ends);
	watch_dog(s, c, ends);
	if (ends)
		end_period(s, k);
	else if (!c->launch)
		k->ran += s->runs;
	if (c->launch) {
		launch(s, c);
		k = &s->kernel[s->which];
		k->ran += s->runs && k->ran + 1 < s->period; /* a period does not end with a launch, but after it */
	}
	if (s->runs) {
		k->instructions = sum(s, k->instructions, c->instructions);
		k->misses = sum(s, k->misses, c->misses);
	}
	if (c->order && c->ordered < s->kernels) {
		s->kernel[c->ordered].mode = c->mode;
		s->kernel[c->ordered].limit = c->limit;
		s->kernel[c->ordered].sampled = 0;
	}
	return wrong ? wrong : message;
}
