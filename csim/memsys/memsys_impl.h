/* What the files of the memory system say to one another; nobody else includes this. */
#ifndef CSIM_MEMSYS_MEMSYS_IMPL_H
#define CSIM_MEMSYS_MEMSYS_IMPL_H

#include "base/panic.h"
#include "memsys/memsys_metrics.h"

/* Whether slices at the SMs are between two pairs of crossbars. */
static inline bool memsys_at_sms(const struct memsys *s)
{
	return machine_l2_at_sms(&s->m);
}

/* The pipe of what is at a channel: a slice or a port. */
static inline const struct l2_pipe *memsys_pipe_at_channel(const struct memsys *s, uint32_t i)
{
	return s->port ? &s->port[i].pipe : &s->slice[i].pipe;
}

/* Ports at the SMs' side of a module: its SMs, and its page walker or GPCs; its page mover if that is there too. */
static inline uint32_t memsys_sm_ports(const struct memsys *s, const struct memsys_module *d)
{
	return d->sms + s->m.module.walkers + s->m.module.gccs + (memsys_at_sms(s) ? 0 : s->m.module.movers);
}

/* Requesters at the SMs' side of all modules, without page movers. */
static inline uint32_t memsys_all_requesters(const struct memsys *s)
{
	return s->sms + (s->m.module.walkers ? s->m.module.count : 0) + s->m.module.gccs;
}

/* Of the crossbars that links join: whoever asks there; the page mover is the last. */
static inline uint32_t memsys_requesters(const struct memsys *s, const struct memsys_module *d)
{
	return memsys_at_sms(s) ? d->slices + s->m.module.movers : memsys_sm_ports(s, d);
}
static inline uint32_t memsys_mover_port_of(const struct memsys *s, const struct memsys_module *d)
{
	return memsys_requesters(s, d) - 1;
}

static inline struct memsys_module *memsys_module_of_slice(const struct memsys *s, uint32_t slice)
{
	struct memsys_module *d = s->module;

	while (slice >= d->first_slice + d->slices)
		d++;
	return d;
}

/* The module of a requester that is an SM, a page walker or a GPC, and its port there. With GPCs there is one. */
static inline struct memsys_module *memsys_module_of(const struct memsys *s, uint32_t requester, uint32_t *port)
{
	struct memsys_module *d = s->module;

	if (s->m.module.gccs) {
		*port = requester;
		return d;
	}
	if (requester >= s->sms) {
		d = &s->module[requester - s->sms];
		*port = d->sms;
		return d;
	}
	while (requester >= d->first_sm + d->sms)
		d++;
	*port = requester - d->first_sm;
	return d;
}

/* memsys_build_links.c: makes the links and joins them to the crossbars, which are there, to the CPU and to one
 * another. */
void memsys_build_links(struct memsys *s, struct arena *a);

/* memsys_links.c: the invariants of the links, as memsys_audit; their counters; their metrics that are no sums. */
int memsys_audit_links(const struct memsys *s, struct ticks now, struct err *e);
void memsys_count_links(const struct memsys *s, struct memsys_link_counts *c, struct ticks elapsed);
void memsys_report_links(const struct memsys *s, struct stats *to, struct ticks elapsed);

/* ---- the ends of a part's queues ---- */

static inline struct queue_end memsys_end(struct memsys *s, uint32_t part)
{
	uint32_t k = s->share_of[part];

	return (struct queue_end){&s->next[k][part], shares_at(&s->shares, k)};
}
static inline struct queue_end memsys_end_of_channel(struct memsys *s, uint32_t i)
{
	return memsys_end(s, i);
}
static inline struct queue_end memsys_end_of_port(struct memsys *s, uint32_t i)
{
	return memsys_end(s, s->next_ports + i);
}
static inline struct queue_end memsys_end_of_slice(struct memsys *s, uint32_t i)
{
	return memsys_end(s, s->next_slices + i);
}
static inline struct queue_end memsys_end_of_net(struct memsys *s, const struct memsys_pair *p, enum net_direction direction)
{
	return memsys_end(s, s->next_nets + 2 * (uint32_t)(p - s->pair) + direction);
}
static inline struct queue_end memsys_end_of_link(struct memsys *s, uint32_t i)
{
	return memsys_end(s, s->next_links + i);
}

#endif
