/* The metrics of the tracking phase, and the invariants that it must keep. */
#include <stdio.h>

#include "cpu/core_metrics.h"
#include "tracking/phase_impl.h"
#include "taf/taf_invert.h"

/* ---- tables ---- */

static bool first_of_base(const struct taf *t, uint32_t entry)
{
	for (uint32_t i = 0; i < entry; i++)
		if (t->array[i].valid && t->array[i].base == t->array[entry].base)
			return false;
	return true;
}

static bool only_relation(const struct taf *t, uint32_t entry)
{
	for (uint32_t i = 0; i < TAF_ARRAYS; i++)
		if (i != entry && t->array[i].valid && t->array[i].base == t->array[entry].base)
			return false;
	return true;
}

/* The hardware finds CTAs by the extents of the array's own primary array, if it has one: they are right. */
static bool bounds_are_right(const struct phase_outcome *o, const struct taf *t, const struct taf_array *a)
{
	return a->type == TAF_TID_DEP || taf_extents_differ(o->software, o->memory, t, t->array[a->start].extents) == 0;
}

/* Each element was stored once, whole, when the extents of the array's own primary array were complete, and has one
 * CTA. */
static bool must_be_right(const struct phase *p, const struct phase_outcome *o, uint32_t entry)
{
	const struct taf *t = p->init.taf;
	const struct taf_array *a = &t->array[entry];
	const struct initial_stores_array *seen = &p->init.seen[entry];

	return seen->by_hardware && !seen->partial && !seen->early && only_relation(t, entry) && bounds_are_right(o, t, a) &&
	       seen->elements == taf_stores_cover(&t->stores, a->base, taf_elements(a), a->size) &&
	       taf_invertible(t, o->software, entry);
}

struct phase_tables phase_compare(const struct phase *p, const struct phase_outcome *o)
{
	const struct taf *t = p->init.taf;
	struct phase_tables all = {0};

	for (uint32_t i = 0; i < TAF_ARRAYS; i++) {
		const struct taf_array *a = &t->array[i];
		uint64_t differ;

		if (!a->valid || !a->primary || !first_of_base(t, i))
			continue;
		differ = taf_extents_differ(o->software, o->memory, t, a->extents);
		all.extents += (uint64_t)t->n_sets * taf_extents_a_set(t);
		all.differ += differ;
		if (!p->tracked || !must_be_right(p, o, i))
			continue;
		all.exact++;
		all.exact_differ += differ;
	}
	return all;
}

/* ---- metrics ---- */

static void report_tracking(const struct phase *p, const struct phase_outcome *o, struct stats *to)
{
	uint64_t cycles = p->cycles + o->gpu_cycles;
	struct cpu_core_counts core = cpu_core_count(&p->core, p->cycles);
	struct metric_table stalls = {cpu_stall_metrics.row, CPU_DRAINS}; /* the phase ends when all is drained */

	stats_count(to, 0, "tracking.stores", p->init.counts.stores, "", "stores of the host code before the first launch");
	stats_count(to, 0, "tracking.cycles", cycles, "CPU cycles", "CPU cycles of the tracking phase with the tracker");
	stats_count(to, 0, "tracking.baseline_cycles", o->baseline_cycles, "CPU cycles",
		    "CPU cycles of the phase without the tracker and without TAFE calls");
	stats_percent(to, 0, "tracking.overhead", cycles > o->baseline_cycles ? cycles - o->baseline_cycles : 0, o->baseline_cycles,
		      "CPU cycles that the tracker adds / cycles without it");
	stats_count(to, 0, "tracking.insts", p->core.stats.insts, "", "instructions of the CPU core");
	metrics_rows(to, &stalls, &(struct metric_view){.prefix = "tracking.", .shown = OF_RUN}, &core);
}

static void report_hardware(const struct phase *p, struct stats *to)
{
	const struct store_tracker_stats *s = &p->tracker.stats;
	uint64_t elements = s->tracked + s->unmatched;

	stats_count(to, 0, "store_tracker.stores", s->stores, "", "passed the tracking hardware, the runtime's included");
	stats_count(to, 0, "store_tracker.watched", p->init.counts.watched, "", "stores to arrays that the tracker tracks");
	stats_count(to, 0, "store_tracker.elements", elements, "", "elements stored to tracked arrays");
	stats_percent(to, 0, "store_tracker.hit_rate", elements - s->misses, elements,
		      "elements found in the history buffer / elements stored");
	stats_count(to, 0, "store_tracker.misses", s->misses, "", "elements that started a search for their CTA");
	stats_count(to, 0, "store_tracker.unmatched", s->unmatched, "", "elements that belong to no CTA");
	stats_count(to, 0, "store_tracker.saturated", s->saturated, "", "elements with values over 32 bits, or stored partially");
	stats_count(to, 0, "store_tracker.stalls", s->stalls, "CPU cycles",
		    "CPU cycles in which a store waited for the tracking hardware");
	stats_count(to, 0, "store_tracker.command_cycles", s->command_cycles, "CPU cycles",
		    "CPU cycles in which a command was at the tracker's port");
	stats_count(to, 0, "store_tracker.commands", s->commands, "", "commands that the tracker accepted");
	stats_count(to, 0, "store_tracker.reads", s->reads, "lines", "lines of the metadata read");
	stats_count(to, 0, "store_tracker.writes", s->writes, "lines", "lines of the metadata written");
}

void phase_collect(const struct phase *p, const struct phase_outcome *o, struct stats *to)
{
	const struct initial_stores_counts *c = &p->init.counts;
	const struct phase_tables *tables = &o->tables;

	report_tracking(p, o, to);
	if (p->tracked)
		report_hardware(p, to);
	stats_count(to, 0, "store_tracker.arrays.hw", c->hw_arrays, "", "relations of primary arrays tracked by the hardware");
	if (p->tracked)
		stats_count(to, 0, "store_tracker.arrays.sure", tables->exact, "",
			    "relations whose tracked extents must equal those of a second read");
	stats_count(to, 0, "store_tracker.arrays.sw", c->sw_arrays, "", "relations of primary arrays that software reads again");
	stats_count(to, 0, "store_tracker.software", p->init.software_tracker.elements, "", "elements that the CPU read again");
	if (p->config->tracker == TRACK_SW_GPU)
		stats_count(to, 0, "tafe.gpu_cycles", o->gpu_cycles, "CPU cycles",
			    "CPU cycles of the kernels that read arrays again");
	stats_count(to, 0, "store_tracker.bytes", p->init.taf->bytes, "bytes", "bytes of the directory and all extent tables");
	stats_count(to, 0, "store_tracker.extents", tables->extents, "", "extents of all primary arrays");
	stats_count(to, 0, "store_tracker.extents_differ", tables->differ, "", "extents that differ from those of a second read");
}

/* ---- invariants ---- */

static uint64_t stall_sum(const struct cpu_core *c)
{
	uint64_t sum = 0;

	for (unsigned i = 0; i < CPU_STALLS; i++)
		sum += c->stats.stalls[i];
	return sum;
}

static uint64_t in_flight(const struct phase *p)
{
	const struct cpu_core *c = &p->core;

	return c->tail - c->head + c->sb_tail - c->sb_head + mshr_in_use(&c->cache.mshr) + cpu_l3_in_flight(&p->below.l3);
}

static void audit_hardware(const struct phase *p, const struct phase_tables *tables, struct audit *a)
{
	const struct store_tracker_stats *s = &p->tracker.stats;

	audit_equal(a, "store tracker: stores accepted = stores of the CPU core", s->stores, p->core.stats.stores);
	audit_equal(a, "store tracker: elements tracked + unmatched = elements stored to tracked arrays", s->tracked + s->unmatched,
		    p->init.counts.elements);
	audit_equal(a, "store tracker: commands accepted = commands issued", s->commands, p->init.counts.commands);
	audit_equal(a, "store tracker: requests outside the metadata", s->out_of_range, 0);
	audit_at_most(a, "roofline: at most one store per cycle through the tracking hardware", s->stores + s->stalls, p->cycles);
	audit_equal(a, "store tracker: extents of invertible relations that differ", tables->exact_differ, 0);
}

static void equal_in(struct audit *a, const char *phase, const char *what, uint64_t left, uint64_t right)
{
	char name[128];

	snprintf(name, sizeof name, "%s: %s", phase, what);
	audit_equal(a, name, left, right);
}

void phase_audit_core(const struct phase *p, const char *name, struct audit *a)
{
	const struct cpu_core *c = &p->core;

	equal_in(a, name, "the CPU core's stall causes sum to its cycles", stall_sum(c), p->cycles);
	equal_in(a, name, "stores retired = stores of the program + stores of the runtime", c->stats.stores, p->init.counts.issued);
	equal_in(a, name, "stores of the program = stores recorded", p->init.counts.stores, p->init.taf->stores.n);
	equal_in(a, name, "nothing is in flight at the end", in_flight(p), 0);
}

void phase_audit(const struct phase *p, const struct phase_outcome *o, struct audit *a)
{
	const struct phase_tables *tables = &o->tables;
	struct err e = {""};

	phase_audit_core(p, "tracking phase", a);
	memsys_audit(p->below.memsys, p->end, &e);
	audit_equal(a, e.text[0] ? e.text : "tracking phase: conservation and rooflines of slices, channels, networks",
		    e.text[0] == '\0', true);
	if (p->config->tracker == TRACK_SW_GPU)
		audit_equal(a, "invariants violated by the kernels that read arrays again", o->gpu_invariants, 0);
	if (p->tracked)
		audit_hardware(p, tables, a);
	else
		audit_equal(a, "extents of the hardware tracker that differ from the software tracker's", tables->differ, 0);
}
