#include "memsys/memsys_impl.h"

static void warm(struct memsys *s, const struct mem_req *r, uint16_t dest, struct ticks now)
{
	struct mem_req to = *r;

	to.dest = dest;
	l2_warm(&s->slice[dest], &to, now);
}

/* A read leaves a copy in the requester's half, a write drops that of the half which is not the line's home. */
static void warm_halves(struct memsys *s, const struct mem_req *r, uint16_t home, struct ticks now)
{
	uint16_t asked = memsys_destination(s, now, r->requester, r->addr, r->mode);
	uint16_t n = (uint16_t)(s->slices / 2), pair = home < n ? home + n : home - n;
	struct mem_req to = *r;

	warm(s, r, home, now);
	if (r->kind == REQ_READ && asked != home) {
		warm(s, r, asked, now);
	} else if (r->kind != REQ_READ) {
		to.dest = pair;
		l2_warm_written(&s->slice[pair], &to, now);
	}
}

void memsys_warm(struct memsys *s, const struct mem_req *r, struct ticks now)
{
	struct addr_location at;
	uint16_t home;

	if (!s->slice || memsys_at_sms(s))
		return;
	at = route_location(&s->route, cycles_in(now, s->m.clock.period[CLOCK_CORE]), r->addr, r->mode);
	home = route_home(&s->route, &at);
	if (s->half)
		warm_halves(s, r, home, now);
	else
		warm(s, r, home, now);
}
