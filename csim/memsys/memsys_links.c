/* Traffic between modules: what the links carried, who sent it to whom, and the invariants that both obey. */
#include <inttypes.h>
#include <stdio.h>

#include "memsys/memsys_impl.h"

uint64_t memsys_sent(const struct memsys *s, uint32_t from, uint32_t to)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < s->topology.links; i++)
		bytes += s->link[i].from == from ? s->link[i].entered[to] : 0;
	return bytes;
}

/* The same as they arrived. */
static uint64_t arrived(const struct memsys *s, uint32_t from, uint32_t to)
{
	uint64_t bytes = 0;

	for (uint32_t i = 0; i < s->topology.links; i++)
		bytes += s->link[i].to == to ? s->link[i].delivered[from] : 0;
	return bytes;
}

static uint64_t passed(const struct net *n, uint32_t outputs)
{
	uint64_t bytes = 0;

	for (uint32_t o = 0; o < outputs; o++)
		bytes += n->out[o].bytes;
	return bytes;
}

/* Bytes that a module's requesters and its memory exchanged: what left its crossbars inside, without what links
 * brought. */
static uint64_t inside(const struct memsys *s, uint32_t module)
{
	const struct memsys_module *d = &s->module[module];
	uint64_t bytes = passed(&d->memory->request, d->slices) + passed(&d->memory->reply, memsys_requesters(s, d));

	for (uint32_t node = 0; node < s->topology.nodes; node++)
		bytes -= arrived(s, node, module);
	return bytes;
}

static const char *node_name(const struct memsys *s, uint32_t node, char out[16])
{
	if (node == s->topology.cpu)
		snprintf(out, 16, "cpu");
	else
		snprintf(out, 16, "%s%" PRIu32, node < s->topology.modules ? "" : "s",
			 node < s->topology.modules ? node : node - s->topology.modules);
	return out;
}

int memsys_audit_links(const struct memsys *s, struct ticks now, struct err *e)
{
	uint64_t carried = 0, hops = 0;
	char from[16], to[16];

	for (uint32_t i = 0; i < s->topology.links; i++) {
		const struct link *l = &s->link[i];

		carried += l->bytes[LINK_REQUEST] + l->bytes[LINK_REPLY];
		if (ticks_before(now, link_busy(l)))
			return err_set(e, "link.%s-%s: busy for %" PRIu64 " of %" PRIu64 " ticks", node_name(s, l->from, from),
				       node_name(s, l->to, to), link_busy(l).n, now.n);
	}
	for (uint32_t a = 0; a < s->topology.nodes; a++)
		for (uint32_t b = 0; b < s->topology.nodes; b++) {
			if (a == b)
				continue;
			if (memsys_sent(s, a, b) != arrived(s, a, b))
				return err_set(e, "links: %" PRIu64 " bytes were sent from %s to %s, %" PRIu64 " arrived",
					       memsys_sent(s, a, b), node_name(s, a, from), node_name(s, b, to), arrived(s, a, b));
			hops += memsys_sent(s, a, b) * topology_hops(&s->topology, a, b);
		}
	if (carried != hops)
		return err_set(e, "links: %" PRIu64 " bytes were carried, but the ways of all packets make %" PRIu64, carried,
			       hops);
	return 0;
}

/* ---- metrics ---- */

static void report_matrix(const struct memsys *s, struct stats *to)
{
	char key[64], from[16], into[16];

	for (uint32_t a = 0; a < s->topology.nodes; a++)
		for (uint32_t b = 0; b < s->topology.nodes; b++) {
			bool switches = (a >= s->topology.modules && a != s->topology.cpu) ||
					(b >= s->topology.modules && b != s->topology.cpu);

			if (switches || (a == b && a == s->topology.cpu))
				continue;
			snprintf(key, sizeof key, "traffic.%s.%s", node_name(s, a, from), node_name(s, b, into));
			stats_count(to, STAT_DETAIL, key, a == b ? inside(s, a) : memsys_sent(s, a, b), "bytes",
				    a == b ? "bytes between the SMs and the memory of this module"
					   : "bytes sent from the first node to the second");
		}
}

static void report_each(const struct memsys *s, struct stats *to, struct ticks elapsed)
{
	char key[64], from[16], into[16];

	for (uint32_t i = 0; i < s->topology.links; i++) {
		const struct link *l = &s->link[i];

		node_name(s, l->from, from);
		node_name(s, l->to, into);
		snprintf(key, sizeof key, "link.%s.%s.bytes", from, into);
		stats_count(to, STAT_DETAIL, key, l->bytes[LINK_REQUEST] + l->bytes[LINK_REPLY], "bytes",
			    "bytes carried in this direction of the link");
		snprintf(key, sizeof key, "link.%s.%s.busy", from, into);
		stats_percent(to, STAT_DETAIL, key, link_busy(l).n, elapsed.n, "utilisation of this direction of the link");
	}
}

/* Bytes over the data buses, and the cycles in which they were busy, of a stack's channels. */
static void of_stack(const struct memsys *s, uint32_t stack, uint64_t *bytes, uint64_t *busy)
{
	*bytes = *busy = 0;
	for (uint32_t c = stack * s->m.dram.channels; c < (stack + 1) * s->m.dram.channels; c++) {
		*bytes += s->channel[c].stats.bytes;
		*busy += s->channel[c].stats.busy;
	}
}

static void report_stacks(const struct memsys *s, struct stats *to, struct ticks elapsed)
{
	uint64_t cycles = cycles_in(elapsed, s->m.clock.period[CLOCK_DRAM]) * s->m.dram.channels, most = 0, least = UINT64_MAX;
	char key[64];

	for (uint32_t i = 0; i < s->m.dram.stacks; i++) {
		uint64_t bytes, busy;

		of_stack(s, i, &bytes, &busy);
		most = most > busy ? most : busy;
		least = least < busy ? least : busy;
		snprintf(key, sizeof key, "stack.%" PRIu32 ".bytes", i);
		stats_count(to, STAT_DETAIL, key, bytes, "bytes", "bytes transferred over the stack's data buses");
		snprintf(key, sizeof key, "stack.%" PRIu32 ".busy", i);
		stats_percent(to, STAT_DETAIL, key, busy, cycles, "utilisation of the stack's peak bandwidth");
	}
	stats_percent(to, 0, "stack.busiest", most, cycles, "utilisation of the busiest stack's peak bandwidth");
	stats_percent(to, 0, "stack.idlest", least, cycles, "utilisation of the least busy stack's peak bandwidth");
}

void memsys_count_links(const struct memsys *s, struct memsys_link_counts *c, struct ticks elapsed)
{
	*c = (struct memsys_link_counts){.ticks = elapsed.n * s->topology.links};
	for (uint32_t i = 0; i < s->topology.links; i++) {
		const struct link *l = &s->link[i];

		c->remote += l->first[LINK_REQUEST];
		for (uint32_t node = 0; node < s->topology.nodes; node++)
			c->remote_bytes += l->entered[node];
		c->carried += l->bytes[LINK_REQUEST] + l->bytes[LINK_REPLY];
		c->busy += link_busy(l).n;
	}
	for (uint32_t i = 0; i < s->slices; i++)
		c->requests += memsys_pipe_at_channel(s, i)->stats.accepted;
	for (uint32_t i = 0; s->topology.nodes > 1 && i < s->m.module.count; i++)
		c->inside_bytes += inside(s, i);
}

void memsys_report_links(const struct memsys *s, struct stats *to, struct ticks elapsed)
{
	struct ticks busiest = {0};

	for (uint32_t i = 0; i < s->topology.links; i++)
		busiest = ticks_later(busiest, link_busy(&s->link[i]));
	stats_percent(to, 0, "link.busiest", busiest.n, elapsed.n, "utilisation of the busiest link direction");
	report_stacks(s, to, elapsed);
	report_matrix(s, to);
	report_each(s, to, elapsed);
}
