#include "tracking/init_traffic.h"

#include <stdio.h>

#include "memsys/memsys_metrics.h"
#include "taf/taf_track.h"
#include "tracking/phase_impl.h"

/* ---- bytes ---- */

struct moved {
	uint64_t out, in;      /* packets that left the CPU, that came to it */
	uint64_t all, carried; /* packets between any two nodes; these as often as links that they took */
	uint64_t modules;      /* of `carried`, over links that do not end at the CPU */
};

static bool is_switch(const struct topology *t, uint32_t node)
{
	return node >= t->modules && node != t->cpu;
}

static struct moved count_moved(const struct phase *p)
{
	const struct memsys *s = p->below.memsys;
	const struct topology *t = &s->topology;
	struct memsys_counts c = memsys_count(s, p->end);
	struct moved b = {.all = c.link.remote_bytes, .carried = c.link.carried};

	for (uint32_t node = 0; node < t->nodes; node++) {
		b.out += memsys_sent(s, t->cpu, node);
		b.in += memsys_sent(s, node, t->cpu);
	}
	for (uint32_t i = 0; i < t->links; i++)
		if (s->link[i].from != t->cpu && s->link[i].to != t->cpu)
			b.modules += s->link[i].bytes[LINK_REQUEST] + s->link[i].bytes[LINK_REPLY];
	return b;
}

/* ---- metrics ---- */

static void report_modules(const struct memsys *s, struct stats *to)
{
	const struct topology *t = &s->topology;
	char key[64];

	for (uint32_t node = 0; node < t->nodes; node++) {
		if (is_switch(t, node) || node == t->cpu)
			continue;
		snprintf(key, sizeof key, "init.traffic.cpu.%u", node);
		stats_count(to, STAT_DETAIL, key, memsys_sent(s, t->cpu, node), "bytes", "bytes sent from the CPU to this module");
		snprintf(key, sizeof key, "init.traffic.%u.cpu", node);
		stats_count(to, STAT_DETAIL, key, memsys_sent(s, node, t->cpu), "bytes", "bytes sent from this module to the CPU");
	}
}

static void report(const struct phase *p, struct stats *to)
{
	const struct cpu_l3_stats *l = &p->below.l3.stats;
	struct moved b = count_moved(p);

	stats_count(to, 0, "init.stores", p->init.counts.stores, "",
		    "stores of the host code before the first launch, pages placed by the plan");
	stats_count(to, 0, "init.cycles", cycles_up(p->end, p->below.loop.period), "CPU cycles",
		    "CPU cycles until all initialised lines are in memory");
	stats_count(to, 0, "init.fetches", l->misses, "lines", "lines read from memory by the CPU");
	stats_count(to, 0, "init.write_backs", l->write_backs, "lines", "from the CPU to memory, the last flush included");
	stats_count(to, 0, "init.bytes", b.all, "bytes", "bytes of the CPU's requests and their replies");
	stats_count(to, 0, "init.link.bytes", b.carried, "bytes",
		    "bytes carried by all links; a byte counts once per link it crosses");
	stats_count(to, 0, "init.link.module_bytes", b.modules, "bytes",
		    "bytes carried by links between modules, without the CPU's own links");
	report_modules(p->below.memsys, to);
}

/* ---- invariants ---- */

static uint64_t dirty_lines(const struct phase *p)
{
	return private_caches_dirty_lines(&p->core.cache) + cpu_l3_dirty_lines(&p->below.l3);
}

/* A read is a header out and a line back, a write a line out and a header back. */
void init_traffic_audit(const struct phase *p, struct audit *a)
{
	const struct cpu_l3_stats *l = &p->below.l3.stats;
	const struct private_caches_stats *c = &p->core.cache.stats;
	uint64_t header = p->config->machine->net.header_bytes, line = p->config->machine->cpu.line;
	struct moved b = count_moved(p);
	struct err e = {""};

	phase_audit_core(p, "initialisation", a);
	audit_equal(a, "initialisation: lines written to the L3 = lines written back by the L2", l->writes, c->l2_write_backs);
	audit_equal(a, "initialisation: dirty lines left in the caches", dirty_lines(p), 0);
	audit_equal(a, "initialisation: packets to memory = fetches + lines written back", l->sent, l->misses + l->write_backs);
	audit_equal(a, "initialisation: bytes from the CPU = one header per packet + lines written back", b.out,
		    header * l->sent + line * l->write_backs);
	audit_equal(a, "initialisation: bytes to the CPU = one header per packet + lines fetched", b.in,
		    header * l->sent + line * l->misses);
	audit_equal(a, "initialisation: bytes between nodes = from the CPU + to the CPU", b.all, b.out + b.in);
	memsys_audit(p->below.memsys, p->end, &e);
	audit_equal(a, e.text[0] ? e.text : "initialisation: bytes over links = bytes sent x links crossed", e.text[0] == '\0',
		    true);
}

/* ---- the run ---- */

int init_traffic_measure(const struct tracking_phase_config *c, struct init_traffic *r, struct err *e)
{
	struct tracking_phase_config golden = *c;
	struct phase p = {.plan = c->plan, .flush = true};
	struct taf_memory software;
	int rc = -1;

	*r = (struct init_traffic){0};
	golden.binder = NULL;
	taf_track(&software, c->taf, NULL);
	if (phase_build(&p, &golden, &software, e) == 0 && phase_simulate(&p, e) == 0) {
		report(&p, &r->stats);
		init_traffic_audit(&p, &r->audit);
		rc = 0;
	}
	phase_free(&p);
	taf_memory_free(&software);
	return rc;
}

void init_traffic_free(struct init_traffic *r)
{
	stats_free(&r->stats);
}
