/* 342: the tracking phase: the tables that the hardware and re-reading leave, what both cost, and what its counters
 * say. */
#include <criterion/criterion.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/files/root.h"
#include "tracking/phase.h"
#include "session/gpu_tracker.h"
#include "workload/random.h"
#include "support/machine.h"
#include "support/random.h"
#include "support/taf_made.h"
#include "taf/taf_track.h"

#define NODES UINT64_C(0x10000000)
#define EDGES UINT64_C(0x20000000)
#define COST  UINT64_C(0x30000000)

static const char *const cpu[] = {"cpu.count=1", "cpu.rob=128", "clock.cpu=2000", "link.cpu=80", NULL};

/* A trace that has buffers and no launch. */
static struct trace *buffers(uint64_t bytes)
{
	struct trace_options o = {.name = "made up"};
	struct err e = {""};
	struct trace_writer *w = trace_writer_new(&o, &e);

	cr_assert_eq(trace_add_buffer(w, "Nodes", NODES, bytes, &e), 0);
	cr_assert_eq(trace_add_buffer(w, "Edges", EDGES, bytes, &e), 0);
	cr_assert_eq(trace_add_buffer(w, "Cost", COST, bytes, &e), 0);
	return trace_writer_finish(w, &e);
}

static void done(int rc, const struct err *e)
{
	cr_assert_eq(rc, 0, "%s", e->text);
}

static struct taf_array array(const char *name, uint64_t base, uint64_t n, enum taf_type type, bool primary)
{
	struct taf_array a = {.type = type, .primary = primary, .base = base, .limit = base + 4 * n, .size = 4};

	strncat(a.name, name, sizeof a.name - 1);
	return a;
}

/* Listing 1: Nodes by threads, a row of Edges for each node, Cost by edges. */
static void listing_1(struct taf *t, uint32_t ctas, uint32_t threads, const uint32_t *nodes, const uint32_t *edges,
		      uint64_t n_edges)
{
	uint64_t n = (uint64_t)ctas * threads;
	struct taf_array a = array("Nodes", NODES, n + 1, TAF_TID_DEP, true);
	struct err e = {""};

	*t = (struct taf){0};
	done(taf_setup(t, (uint32_t[3]){threads, 1, 1}, (uint32_t[3]){ctas, 1, 1}, &e), &e);
	a.m[0] = 1;
	a.m[3] = threads;
	done(taf_register(t, &a, 0, 0, &e), &e);
	done(taf_ready(t, NODES, "Nodes", &e), &e);
	a = array("Edges", EDGES, n_edges, TAF_INDIR_RANGE, true);
	done(taf_register(t, &a, NODES, NODES, &e), &e);
	taf_stores_add(&t->stores, NODES, 4, n + 1, nodes);
	done(taf_ready(t, EDGES, "Edges", &e), &e);
	a = array("Cost", COST, n, TAF_INDIR, false);
	a.m[0] = 1;
	done(taf_register(t, &a, EDGES, EDGES, &e), &e);
	taf_stores_add(&t->stores, EDGES, 4, n_edges, edges);
	done(taf_ready(t, COST, "Cost", &e), &e);
	done(taf_finish(t, &e), &e);
}

static struct tracking_phase_result run(const struct tracking_phase_config *c)
{
	struct tracking_phase_result r;
	struct err e = {""};

	cr_assert_eq(tracking_phase_run(c, &r, &e), 0, "%s", e.text);
	if (r.audit.failed)
		audit_print(&r.audit, stderr);
	cr_assert_eq(r.audit.failed, 0);
	return r;
}

static uint64_t metric(const struct tracking_phase_result *r, const char *name)
{
	const struct stat_row *row = stats_find(&r->stats, name);

	cr_assert_not_null(row, "%s", name);
	return row->count;
}

/* Figures 5 and 8: two CTAs of two threads; a ninth edge belongs to nobody's node, Nodes[4] to no thread. */
Test(tracking_phase, the_example_of_the_paper_has_its_extents)
{
	static const uint32_t nodes[] = {0, 2, 4, 6, 8}, edges[] = {2, 3, 0, 1, 5, 8, 4, 9};
	static const struct taf_extent want_nodes[] = {{true, 0, 2}, {true, 4, 6}}, want_edges[] = {{true, 0, 3}, {true, 4, 9}};
	const enum tracker trackers[] = {TRACK_HW, TRACK_SW_CPU};
	struct machine m = machine_with(cpu);
	struct trace *trace = buffers(4096);
	struct taf t;

	listing_1(&t, 2, 2, nodes, edges, 8);
	for (unsigned i = 0; i < 2; i++) {
		struct tracking_phase_config c = {.machine = &m, .trace = trace, .taf = &t, .tracker = trackers[i]};
		struct tracking_phase_result r = run(&c);

		for (unsigned s = 0; s < 2; s++) {
			struct taf_extent n = taf_extent_get(&r.memory, t.array[0].extents, s);
			struct taf_extent x = taf_extent_get(&r.memory, t.array[1].extents, s);

			cr_assert(n.valid && n.min == want_nodes[s].min && n.max == want_nodes[s].max, "Nodes, CTA %u", s);
			cr_assert(x.valid && x.min == want_edges[s].min && x.max == want_edges[s].max, "Edges, CTA %u", s);
		}
		if (trackers[i] == TRACK_HW) {
			cr_assert_eq(metric(&r, "store_tracker.watched"), 13);
			cr_assert_eq(metric(&r, "store_tracker.elements"), 13);
			cr_assert_eq(metric(&r, "store_tracker.unmatched"), 1, "Nodes[4]");
			cr_assert_eq(metric(&r, "store_tracker.arrays.hw"), 2);
			cr_assert_eq(metric(&r, "store_tracker.arrays.sw"), 0);
		}
		cr_assert_eq(metric(&r, "tracking.stores"), 13);
		cr_assert_eq(metric(&r, "store_tracker.extents_differ"), 0);
		tracking_phase_free(&r);
	}
	taf_free(&t);
	trace_close(trace);
}

/* ---- graphs ---- */

struct graph {
	uint32_t n, n_edges, *node, *edge;
};

static struct graph random_graph(uint32_t n, unsigned degree, uint64_t seed)
{
	struct graph g = {.n = n, .node = calloc(n + 1, 4), .edge = calloc((size_t)n * degree * 2, 4)};

	for (uint32_t i = 0; i < n; i++) {
		uint32_t d = (uint32_t)random_below(&seed, 2 * degree);

		g.node[i + 1] = g.node[i] + d;
		for (uint32_t k = 0; k < d; k++)
			g.edge[g.n_edges++] = (uint32_t)random_below(&seed, n);
	}
	return g;
}

static void free_graph(struct graph *g)
{
	free(g->node);
	free(g->edge);
}

static char *text_of(const struct tracking_phase_result *r)
{
	json_t *j = stats_json(&r->stats);
	char *text = json_dumps(j, JSON_INDENT(1));

	json_decref(j);
	return text;
}

Test(tracking_phase, hardware_and_software_leave_the_same_bytes_and_neither_skipping_nor_order_of_steps_changes_a_figure)
{
	for (unsigned seed = 1; seed <= 4; seed++) {
		const char *const order = seed % 2 ? "cpu.in_order=true" : "cpu.in_order=false";
		const char *const set[] = {"cpu.count=1", "cpu.rob=128", "link.cpu=80", order, NULL};
		struct machine m = machine_with(set);
		struct graph g = random_graph(64 * (10 + seed), 6, seed);
		struct trace *trace = buffers(1 << 20);
		struct tracking_phase_config c = {.machine = &m, .trace = trace, .tracker = TRACK_HW};
		struct tracking_phase_result hw, other;
		struct taf_memory software;
		char *first, *again;
		struct taf t;

		listing_1(&t, g.n / 64, 64, g.node, g.edge, g.n_edges);
		c.taf = &t;
		taf_track(&software, &t, NULL);
		hw = run(&c);
		first = text_of(&hw);
		cr_assert_eq(hw.memory.bytes, software.bytes);
		cr_assert_eq(memcmp(hw.memory.byte, software.byte, software.bytes), 0);
		for (unsigned k = 0; k < 2; k++) {
			c.no_skip = k == 0;
			c.reverse = k == 1;
			other = run(&c);
			again = text_of(&other);
			cr_assert_str_eq(first, again, "%s", k ? "reverse" : "no skip");
			free(again);
			tracking_phase_free(&other);
		}
		free(first);
		tracking_phase_free(&hw);
		taf_memory_free(&software);
		taf_free(&t);
		trace_close(trace);
		free_graph(&g);
	}
}

/* ---- relations of all kinds ---- */

static struct host_random rng = {1};

static uint32_t below(uint32_t n)
{
	return host_random_below(&rng, n);
}

/* A CTA's threads read neighbours, or leave gaps, or share elements with other CTAs. */
static struct taf_array some_threads(const uint32_t block[3], const uint32_t grid[3])
{
	uint32_t row = block[0] * grid[0];
	struct taf_array a = {.type = TAF_TID_DEP, .primary = true};

	switch (below(5)) {
	case 0: /* one element a thread, CTAs in rows */
		a.m[0] = 1;
		a.m[1] = block[0];
		a.m[2] = block[0] * block[1];
		a.m[3] = block[0] * block[1] * block[2];
		a.m[4] = a.m[3] * grid[0];
		break;
	case 1: /* tiles: ranges of CTAs interleave */
		a.m[0] = 1;
		a.m[1] = row;
		a.m[3] = block[0];
		a.m[4] = row * block[1];
		break;
	case 2: /* downwards, with a loop */
		a.m[0] = -1u;
		a.m[3] = -block[0];
		a.c = row * 4 - 1;
		a.ofs = -row;
		a.n = 4;
		break;
	case 3: /* gaps */
		a.m[0] = 2;
		a.m[3] = 2 * block[0];
		break;
	default: /* all read the same */
		a.n = 8;
		a.ofs = 1;
	}
	return a;
}

static void store_some(struct taf *t, uint64_t base, uint32_t n, uint32_t size, uint64_t bound, bool in_order)
{
	for (uint32_t i = 0; i < n; i++) {
		uint64_t v = in_order ? (uint64_t)i * bound / n : below((uint32_t)bound);
		uint32_t at = in_order ? i : (uint32_t)(((uint64_t)i * 7 + 3) % n);

		taf_stores_add(&t->stores, base + (uint64_t)at * size, size, 1, &v);
	}
}

/* Nodes by threads, perhaps by a second relation; Edges by Nodes in one of three ways; Cost by Edges. */
static struct taf some_program(void)
{
	static const uint32_t odd[] = {41, 83, 100, 159}; /* with 7: every element once */
	const uint32_t block[3] = {1 + below(16), 1 + below(3), 1}, grid[3] = {1 + below(12), 1 + below(2), 1};
	uint32_t n = odd[below(4)], size = 1u << below(4), way = below(3);
	struct taf t = taf_made(block, grid, (struct taf_options){0});

	taf_made_add(&t, some_threads(block, grid), NODES, n, size, 0, 0);
	if (below(3) == 0)
		taf_made_add(&t, some_threads(block, grid), NODES, n, size, 0, 0);
	taf_made_ready(&t, NODES);
	store_some(&t, NODES, n, size, size == 1 ? 90 : 159, below(3) > 0);
	if (way == 0)
		taf_made_add(&t, (struct taf_array){.type = TAF_INDIR, .primary = true, .m = {1 + below(2)}, .c = -below(3)}, EDGES,
			     159, 4, NODES, NODES);
	else
		taf_made_add(&t, (struct taf_array){.type = TAF_INDIR_RANGE, .primary = true, .c_s = below(2), .c_e = below(2)},
			     EDGES, 159, 4, NODES, NODES);
	taf_made_ready(&t, EDGES);
	store_some(&t, EDGES, 159, 4, 1u << 31, below(2));
	taf_made_add(&t, (struct taf_array){.type = TAF_INDIR, .m = {1}}, COST, 100, 4, EDGES, EDGES);
	taf_made_ready(&t, COST);
	return t;
}

Test(tracking_phase, trackers_agree_on_random_programs_wherever_they_must)
{
	const enum tracker trackers[] = {TRACK_HW, TRACK_SW_CPU, TRACK_SW_GPU};
	struct machine m = machine_with(cpu);
	struct trace *trace = buffers(4096);
	uint64_t sure = 0, differ = 0, again = 0;
	char root[4096];

	for (unsigned round = 0; round < 60; round++) {
		struct taf t = some_program();
		struct tracking_phase_config c = {
			.machine = &m, .trace = trace, .taf = &t, .gpu = gpu_tracker_of(root_path("", root))};
		struct taf_memory software;

		taf_track(&software, &t, NULL);
		for (unsigned i = 0; i < 3; i++) {
			struct tracking_phase_result r;

			c.tracker = trackers[i];
			r = run(&c);
			if (trackers[i] == TRACK_HW) {
				sure += metric(&r, "store_tracker.arrays.sure");
				again += metric(&r, "store_tracker.arrays.sw");
				differ += metric(&r, "store_tracker.extents_differ");
			} else {
				cr_assert_eq(memcmp(r.memory.byte, software.byte, software.bytes), 0, "round %u, tracker %u", round,
					     i);
			}
			cr_assert_geq(r.cycles, r.baseline_cycles);
			tracking_phase_free(&r);
		}
		taf_memory_free(&software);
		taf_free(&t);
	}
	trace_close(trace);
	cr_assert_gt(sure, 25, "%lu arrays that must be right", sure);
	cr_assert_gt(again, 10, "%lu relations that the hardware does not know", again);
	cr_assert_gt(differ, 0, "relations that cannot be inverted leave other extents");
}

/* Three primary arrays at a time: the comparator table has two entries. */
Test(tracking_phase, an_array_without_an_entry_is_read_again_by_the_cpu)
{
	const struct taf_array own = {.type = TAF_TID_DEP, .primary = true, .m = {1, 0, 0, 32}};
	const uint64_t base[] = {NODES, EDGES, COST};
	struct trace *trace = buffers(4096);

	for (unsigned entries = 2; entries <= 4; entries += 2) {
		struct taf t = taf_made((const uint32_t[3]){32, 1, 1}, (const uint32_t[3]){8, 1, 1}, (struct taf_options){0});
		struct tracking_phase_config c = {.trace = trace, .taf = &t, .tracker = TRACK_HW};
		struct tracking_phase_result r;
		struct machine m = machine_with(cpu);

		m.store_tracker.entries = entries;
		c.machine = &m;
		for (unsigned i = 0; i < 3; i++)
			taf_made_add(&t, own, base[i], 256, 4, 0, 0);
		for (unsigned i = 0; i < 3; i++) {
			taf_made_ready(&t, base[i]);
			store_some(&t, base[i], 256, 4, 1000, i == 1);
		}
		for (unsigned i = 0; i < 3; i++) {
			taf_made_add(&t, (struct taf_array){.type = TAF_INDIR, .m = {1}}, base[i] + 2048, 256, 4, base[i], base[i]);
			taf_made_ready(&t, base[i] + 2048);
		}
		r = run(&c);
		cr_assert_eq(metric(&r, "store_tracker.arrays.hw"), entries == 2 ? 2 : 3);
		cr_assert_eq(metric(&r, "store_tracker.arrays.sure"), entries == 2 ? 2 : 3);
		cr_assert_eq(metric(&r, "store_tracker.arrays.sw"), entries == 2);
		cr_assert_eq(metric(&r, "store_tracker.software"), entries == 2 ? 256 : 0);
		cr_assert_eq(metric(&r, "store_tracker.watched"), entries == 2 ? 512 : 768);
		cr_assert_eq(metric(&r, "store_tracker.extents_differ"), 0);
		tracking_phase_free(&r);
		taf_free(&t);
	}
	trace_close(trace);
}

/* Elements stored before the array's own primary array is complete look like nobody's; those stored again widen an
 * extent by values that are gone. Neither breaks an invariant. */
Test(tracking_phase, what_the_hardware_cannot_know_is_counted)
{
	static const uint32_t nodes[] = {0, 2, 4, 6, 8}, edges[] = {2, 3, 0, 1, 5, 8, 4, 9}, first[] = {77};
	struct machine m = machine_with(cpu);
	struct trace *trace = buffers(4096);

	for (unsigned twice = 0; twice < 2; twice++) {
		struct taf t = taf_made((const uint32_t[3]){2, 1, 1}, (const uint32_t[3]){2, 1, 1}, (struct taf_options){0});
		struct tracking_phase_config c = {.machine = &m, .trace = trace, .taf = &t, .tracker = TRACK_HW};
		struct tracking_phase_result r;

		taf_made_add(&t, (struct taf_array){.type = TAF_TID_DEP, .primary = true, .m = {1, 0, 0, 2}}, NODES, 5, 4, 0, 0);
		taf_made_ready(&t, NODES);
		taf_made_add(&t, (struct taf_array){.type = TAF_INDIR_RANGE, .primary = true}, EDGES, 8, 4, NODES, NODES);
		if (twice)
			taf_stores_add(&t.stores, NODES, 4, 1, first);
		else
			taf_stores_add(&t.stores, EDGES, 4, 8, edges);
		taf_stores_add(&t.stores, NODES, 4, 5, nodes);
		taf_made_ready(&t, EDGES);
		if (twice)
			taf_stores_add(&t.stores, EDGES, 4, 8, edges);
		taf_made_add(&t, (struct taf_array){.type = TAF_INDIR, .m = {1}}, COST, 10, 4, EDGES, EDGES);
		taf_made_ready(&t, COST);
		r = run(&c);
		cr_assert_eq(metric(&r, "store_tracker.arrays.hw"), 2);
		cr_assert_eq(metric(&r, "store_tracker.arrays.sure"), twice ? 0 : 1, "Nodes has its right extents if stored once");
		cr_assert_eq(metric(&r, "store_tracker.unmatched"), twice ? 1 : 9, "Nodes[4]; early: all of Edges");
		cr_assert_gt(metric(&r, "store_tracker.extents_differ"), 0);
		tracking_phase_free(&r);
		taf_free(&t);
	}
	trace_close(trace);
}

/* Edges is read by what Nodes holds, which the hardware does not know, and by threads, which it tracks: both go into
 * one table. */
Test(tracking_phase, relations_of_one_array_by_hardware_and_by_reading_make_one_table)
{
	const struct taf_array own = {.type = TAF_TID_DEP, .primary = true, .m = {1, 0, 0, 16}};
	struct machine m = machine_with(cpu);
	struct trace *trace = buffers(4096);
	struct taf t = taf_made((const uint32_t[3]){16, 1, 1}, (const uint32_t[3]){9, 1, 1}, (struct taf_options){0});
	struct tracking_phase_config c = {.machine = &m, .trace = trace, .taf = &t, .tracker = TRACK_HW};
	struct tracking_phase_result r;

	taf_made_add(&t, own, NODES, 144, 4, 0, 0);
	taf_made_ready(&t, NODES);
	store_some(&t, NODES, 144, 4, 144, false);
	taf_made_add(&t, (struct taf_array){.type = TAF_INDIR, .primary = true, .m = {1}}, EDGES, 144, 4, NODES, NODES);
	taf_made_add(&t, own, EDGES, 144, 4, 0, 0);
	taf_made_ready(&t, EDGES);
	store_some(&t, EDGES, 144, 4, 1u << 31, true);
	taf_made_add(&t, (struct taf_array){.type = TAF_INDIR, .m = {1}}, COST, 100, 4, EDGES, EDGES);
	taf_made_ready(&t, COST);
	r = run(&c);
	cr_assert_eq(metric(&r, "store_tracker.arrays.hw"), 2);
	cr_assert_eq(metric(&r, "store_tracker.arrays.sw"), 1);
	cr_assert_eq(metric(&r, "store_tracker.extents_differ"), 0);
	tracking_phase_free(&r);
	taf_free(&t);
	trace_close(trace);
}
