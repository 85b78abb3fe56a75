/* 861: planners ldesc, ldesc-cache and ldesc-pref fill the locality tables by Figure 11 or as the parts do alone;
 * on every machine loads go by them, and no order of stepping and no idle cycle changes a run. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "plan/ldesc/ldesc_plan.h"
#include "support/any_machine.h"
#include "support/plan_rig.h"
#include "support/program.h"

#define ARGS(...) ((const char *const[]){__VA_ARGS__, NULL})
#define ON(name)  (&(struct plan_rig_wish){.machine = (name)})

/* Tile rows of 3,072 bytes in an L1 of 32,768, rows of 43,008 bytes: worked out by hand for 1, 2, .. active tiles. */
Test(plan_localities, distance_of_histo_is_shorter_the_more_tiles_are_active)
{
	static const uint32_t strides[] = {10, 5, 3, 2, 2, 1, 1, 1, 1, 1, 1, 1};
	const struct ldesc histo = {.element = 4, .d_tile = {768, 97, 1}, .stride = 14 * 768};

	for (uint32_t i = 0; i < 12; i++)
		cr_expect_eq(ldesc_prefetch_distance(&histo, 32768, i + 1), strides[i] * 43008, "%u tiles", i + 1);
}

/* Figure 11 against the parts alone: type, sharing, access -> caching and prefetch of ldesc, of ldesc-cache, of
 * ldesc-pref. */
Test(plan_localities, choice_of_the_parts_alone_is_not_figure_11_with_the_rest_left_out)
{
	static const struct {
		struct ldesc l;
		enum ldesc_caching caching, alone;
		enum ldesc_prefetch prefetch, pref_alone;
	} rows[] = {
		{{.type = LDESC_INTER_THREAD, .sharing = LDESC_COACCESSED, .access = LDESC_REGULAR},
		 LDESC_CACHE_AS_IS,
		 LDESC_SOFT_PIN,
		 LDESC_PREFETCH_STRIDE,
		 LDESC_PREFETCH_STRIDE},
		{{.type = LDESC_INTER_THREAD, .sharing = LDESC_COACCESSED, .access = LDESC_IRREGULAR},
		 LDESC_SOFT_PIN,
		 LDESC_SOFT_PIN,
		 LDESC_NO_PREFETCH,
		 LDESC_PREFETCH_NEXT_LINE},
		{{.type = LDESC_INTER_THREAD, .sharing = LDESC_NEARBY, .access = LDESC_IRREGULAR},
		 LDESC_CACHE_AS_IS,
		 LDESC_SOFT_PIN,
		 LDESC_PREFETCH_NEXT_LINE,
		 LDESC_PREFETCH_NEXT_LINE},
		{{.type = LDESC_INTRA_THREAD, .access = LDESC_REGULAR},
		 LDESC_HARD_PIN,
		 LDESC_HARD_PIN,
		 LDESC_NO_PREFETCH,
		 LDESC_PREFETCH_STRIDE},
		{{.type = LDESC_NO_REUSE, .access = LDESC_REGULAR},
		 LDESC_BYPASS,
		 LDESC_BYPASS,
		 LDESC_NO_PREFETCH,
		 LDESC_NO_PREFETCH},
	};

	for (unsigned i = 0; i < 5; i++) {
		struct ldesc_choice whole = ldesc_choose(&rows[i].l, false), cache = ldesc_choose_caching(&rows[i].l, false),
				    pref = ldesc_choose_prefetch(&rows[i].l, false);

		cr_expect(whole.caching == rows[i].caching && whole.prefetch == rows[i].prefetch, "row %u", i);
		cr_expect(cache.caching == rows[i].alone && !cache.prefetch && !cache.ctas && !cache.pages, "row %u", i);
		cr_expect(pref.prefetch == rows[i].pref_alone && !pref.caching && !pref.ctas && !pref.pages, "row %u", i);
	}
}

/* histo: 14 columns of CTAs, two of which an SM of gtx480 holds. Clusters put both in a column, in turns of 15 SMs
 * they are of two columns: 1 and 2 tiles in an L1 of 16,384 bytes, so 5 and 2 rows ahead. */
Test(plan_localities, of_histo_are_those_of_its_descriptor)
{
	struct plan_rig r;
	struct plan p;
	const struct plan_launch *l;
	uint32_t buffer;

	plan_rig_machine(&r, ON("gtx480"), "histo", ARGS("bins=100000"));
	buffer = plan_rig_buffer(&r, "mapping");
	p = plan_rig_plan(&r, "ldesc");
	l = &p.launch[2];
	cr_assert_eq(l->n_localities, 1);
	cr_expect_eq(p.launch[1].n_localities, 0, "the other launches are not described");
	cr_expect_eq(l->locality[0].base, trace_buffer(r.s.trace, buffer)->base);
	cr_expect_eq(l->locality[0].bound - l->locality[0].base, trace_buffer(r.s.trace, buffer)->size);
	cr_expect(l->locality[0].caching == LOCALITY_AS_IS && l->locality[0].prefetch == LOCALITY_STRIDE);
	cr_expect_eq(l->locality[0].distance, 5 * 43008);
	p = plan_rig_plan(&r, "ldesc-pref");
	cr_expect_eq(p.launch[2].locality[0].distance, 2 * 43008);
	cr_expect_eq(p.launch[2].dispatch, DISPATCH_ROUND_ROBIN);
	cr_expect(p.locality.prefetch && !p.locality.caching);
	p = plan_rig_plan(&r, "ldesc-cache,l2=bypass+ldesc-pref+ldesc-sched");
	cr_expect(p.launch[2].locality[0].caching == LOCALITY_SOFT_PIN && p.launch[2].locality[0].distance == 5 * 43008);
	cr_expect(p.locality.prefetch && p.locality.caching && p.locality.bypass_l2);
	plan_rig_free(&r);
}

Test(plan_localities, that_fit_no_table_are_refused)
{
	struct plan_rig r;
	struct plan p;
	struct err e = {""};

	plan_rig_machine(&r, ON("gtx480"), "histo", ARGS("bins=1000"));
	p = plan_rig_plan(&r, "ldesc-cache");
	p.launch[2].n_localities = PLAN_LOCALITIES + 1;
	cr_expect_eq(plan_check(&p, r.s.trace, &e), -1);
	cr_expect(strstr(e.text, "launch 2 has 17 localities; a table holds 16"), "%s", e.text);
	p.launch[2].n_localities = 1;
	p.launch[2].locality[0].bound = UINT64_C(1) << 48;
	cr_expect_eq(plan_check(&p, r.s.trace, &e), -1);
	plan_rig_free(&r);
}

/* Two descriptors on one buffer, nineteen in all: as the table holds them, the first in priority first. */
Test(plan_localities, beyond_the_table_are_those_of_lowest_priority)
{
	char text[8192] = "ptx: k.ptx\nbuffers: {x: {count: 1024, type: u32}}\nlaunches:\n  - {kernel: one, grid: 8, block: 32, "
			  "args: [x], locality: [";
	struct program p;

	for (unsigned i = 0; i < 19; i++)
		snprintf(text + strlen(text), sizeof text - strlen(text),
			 "%s{buffer: x, offset: %u, bytes: 128, length: [32], type: no-reuse, d_tile: [4], c_tile: [1], map: [1],"
			 " priority: %u}",
			 i ? ", " : "", i * 128, 20 - i / 2);
	strcat(text, "]}\n");
	program_file("k.ptx", ".version 6.0\n.target sm_60\n.address_size 64\n.visible .entry one(.param .u64 out)\n{\nret;\n}\n");
	program_file("my.yaml", text);
	p = program_run("locus plan %s/my.yaml --plan ldesc-cache", program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	cr_expect(strstr(p.out, "locality 0: x") && strstr(p.out, "priority 0: cached bypass, prefetch none"), "%s", p.out);
	cr_expect(strstr(p.out, "locality 15: x"), "%s", p.out);
	cr_expect(strstr(p.out, "priority 8: "), "nine priorities, two of most: %s", p.out);
	cr_expect_null(strstr(p.out, "locality 16"));
	program_free(&p);
}

/* ---- runs ---- */

/* Ranges that overlap and leave a gap, with all that an entry can say; every launch has them turned by one. */
static struct plan made_up_plan(struct trace *t, struct plan_launch launch[3], struct locality_entry entry[3][5])
{
	struct plan p = {.name = "made up", .n_launches = trace_n_launches(t), .launch = launch, .locality = {true, true, true}};

	for (uint32_t i = 0; i < p.n_launches; i++) {
		for (uint32_t k = 0; k < 5; k++)
			entry[i][k] = (struct locality_entry){.base = (uint64_t)k << 31,
							      .bound = ((uint64_t)k << 31) + (UINT64_C(3) << 30),
							      .distance = 4096 * (k + 1),
							      .priority = (uint8_t)(k % 2),
							      .caching = (k + i) % LOCALITY_CACHINGS,
							      .prefetch = (k + i) % LOCALITY_PREFETCHES};
		launch[i] = (struct plan_launch){.n_localities = 5, .locality = entry[i]};
	}
	return p;
}

/* What follows the key in both texts, up to the comma. */
static void same_value(const char *a, const char *b, const char *key)
{
	const char *x = strstr(a, key), *y = strstr(b, key);

	cr_assert(x && y, "%s", key);
	cr_expect(!strncmp(x, y, strcspn(x, ",") + 1), "%.60s, %.60s", x, y);
}

static void check_pins(const char *name)
{
	static const char *const counted[] = {
		"l1.bypass.loads", "locality.soft_pin", "locality.hard_pin",  "l1.pin.soft",	    "l1.pin.hard",
		"l1.pin.ended",	   "locality.stride",	"locality.next_line", "locality.unmatched", "l1.prefetch.proposed"};
	struct trace *t = any_machine_program(3, 40);
	struct plan_launch launch[3];
	struct locality_entry entry[3][5];
	struct plan p = made_up_plan(t, launch, entry);
	struct machine m = any_machine_with(name, ARGS("l1.pin.timer=300"));
	char *text = any_machine_expect_order_free(&(struct gpu_config){.machine = &m, .trace = t, .plan = &p}, name), zero[64];

	for (unsigned i = 0; i < sizeof counted / sizeof counted[0]; i++) {
		snprintf(zero, sizeof zero, "\"%s\": 0,", counted[i]);
		cr_expect(strstr(text, counted[i]) && !strstr(text, zero), "%s: no %s", name, counted[i]);
	}
	cr_expect(!m.l2.enabled || (strstr(text, "l2.bypass.reads") && !strstr(text, "\"l2.bypass.reads\": 0,")), "%s: %s", name,
		  text);
	free(text);
	trace_close(t);
}

static void check(const char *name, unsigned number)
{
	(void)number;
	if (any_machine_can_pin(name))
		check_pins(name);
}

Test(plan_localities, every_machine_goes_by_the_localities_of_a_plan)
{
	any_machine_each(check);
}

/* The table is asked ahead of the L1: its answer costs no cycle, with a queue ahead of the load/store unit too. */
Test(plan_localities, that_match_nothing_cost_no_cycle)
{
	static const char *const names[] = {"gtx480", "gtx480-sim3"};

	for (unsigned i = 0; i < 2; i++) {
		struct trace *t = any_machine_program(7, 40);
		struct plan_launch launch[8] = {{.n_localities = 0}};
		struct plan p = {
			.name = "none", .n_launches = trace_n_launches(t), .launch = launch, .locality = {.caching = true}};
		struct machine m = any_machine_with(names[i], NULL);
		char *with, *without;

		cr_assert_leq(p.n_launches, 8);
		without = any_machine_metrics(&(struct gpu_config){.machine = &m, .trace = t}, names[i]);
		with = any_machine_metrics(&(struct gpu_config){.machine = &m, .trace = t, .plan = &p}, names[i]);
		cr_expect(strstr(with, "locality.lookups") && !strstr(with, "\"locality.lookups\": 0,"), "%s", with);
		same_value(with, without, "\"cycles\": ");
		same_value(with, without, "\"l1.hits\": ");
		same_value(with, without, "\"load.latency.mean\": ");
		free(with);
		free(without);
		trace_close(t);
	}
}

Test(plan_localities, every_machine_runs_annotated_programs_to_right_results)
{
	static const char *const plans[] = {"ldesc", "ldesc-cache", "ldesc-pref", "ldesc-cache,l2=bypass+ldesc-pref"},
				 *const machines[] = {"gtx480", "mcm4", "titanv", "gtx480-sim3"};

	for (unsigned i = 0; i < 4; i++)
		for (unsigned m = 0; m < 4; m++) {
			struct program p = program_run("locus run %s --size test --machine %s --plan %s",
						       m == 1 ? "transpose" : "histo", machines[m], plans[i]);

			cr_expect_eq(p.status, 0, "%s on %s: %s", plans[i], machines[m], p.err);
			cr_expect(strstr(p.out, "locality.lookups"), "%s", p.out);
			program_free(&p);
		}
}

Test(plan_localities, of_what_caches_do_are_composed_and_refused_by_slot)
{
	struct program p = program_run("locus run histo --size test --plan ldesc-cache+ldesc");

	cr_expect(program_is_clean_error(&p));
	cr_expect(strstr(p.err, "ldesc-cache and ldesc both decide what caches keep"), "%s", p.err);
	program_free(&p);
	p = program_run("locus run histo --size test --plan ldesc-pref+ldesc-pref");
	cr_expect(strstr(p.err, "both decide what is prefetched"), "%s", p.err);
	program_free(&p);
	p = program_run("locus plan histo --size test --plan ldesc-cache --json %s/p.json", program_tmp());
	cr_assert_eq(p.status, 0, "%s", p.err);
	program_free(&p);
}
