#include "spec/bypass_monitor.h"

void spec_bypass_reset(struct spec_bypass *s, uint64_t rate, uint64_t period)
{
	*s = (struct spec_bypass){.rate = rate, .period = period};
}

static void end_period(struct spec_bypass *s)
{
	if (!s->held && s->loads)
		s->closed = s->misses * 100 > s->rate * s->loads;
	s->loads = s->misses = 0;
	s->held = false;
}

const char *spec_bypass_cycle(struct spec_bypass *s, const struct spec_bypass_cycle *c)
{
	const char *wrong = 0;
	bool was_closed = s->closed;

	if (c->hold) {
		s->held = true;
		s->closed = false;
	} else if (c->load) {
		s->loads++;
		s->misses += c->miss;
	}
	if (c->bypassed != s->closed)
		wrong = s->closed ? "the cache is open after a period above the rate" : "the cache is bypassed";
	else if (s->was_bypassed && !s->closed && !c->reopened)
		wrong = "a reopened cache keeps its lines without data";
	else if (c->reopened && (s->closed || !(s->was_bypassed || was_closed)))
		wrong = "a cache is reopened that was open";
	s->was_bypassed = s->closed;
	if (c->cycle % s->period == s->period - 1)
		end_period(s);
	return wrong;
}
