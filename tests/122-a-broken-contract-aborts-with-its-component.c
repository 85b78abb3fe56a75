/* 122: what a header asks of its callers is checked where a caller could break it: the program aborts, and says in
 * which component, and which condition did not hold. Each case breaks one contract, in a process of its own. */
#include <criterion/criterion.h>

#include "base/queue.h"
#include "base/files/yaml.h"
#include "cpu/loop_stream.h"
#include "dispatch/timeline.h"
#include "locality/locality_collect.h"
#include "locality/partition.h"
#include "memsys/loop.h"
#include "sm/lsu/coalesce.h"
#include "sm/lsu/lsu.h"
#include "sm/wheel.h"
#include "taf/stores.h"
#include "vm/pages.h"
#include "vm/tlb.h"
#include "support/at_tick.h"
#include "support/contract.h"
#include "support/cpu_bench.h"
#include "support/machine.h"

/* ---- base ---- */

struct note {
	int text;
};
QUEUE_OF(note);

static struct arena arena;

static struct note_queue queue_of_two(void)
{
	struct note_queue q;

	queue_init(&q, &arena, 2, at_tick(1));
	*queue_push(&q, at_tick(10)) = (struct note){1};
	return q;
}

static void arrivals_decrease(void)
{
	struct note_queue q = queue_of_two();

	*queue_push(&q, at_tick(9)) = (struct note){2};
}

static void pop_before_the_arrival(void)
{
	struct note_queue q = queue_of_two();

	queue_pop(&q, at_tick(9));
}

static void push_without_room(void)
{
	struct note_queue q = queue_of_two();

	*queue_push(&q, at_tick(10)) = (struct note){2};
	*queue_push(&q, at_tick(10)) = (struct note){2};
}

static void pairs_of_a_sequence(void)
{
	struct err e;
	struct yaml *y = yaml_parse("[1, 2]", "x.yaml", &e);
	struct fy_node *key_node, *value;
	const char *key;
	void *iter = NULL;

	yaml_next_pair(yaml_root(y), &iter, &key, &key_node, &value);
}

Test(contract, of_queues_and_documents)
{
	static const struct broken cases[] = {
		{"arrivals decrease", arrivals_decrease, "queue", "ticks_by(r->last, arrival)"},
		{"pop before the arrival", pop_before_the_arrival, "queue", "ticks_by(r->arrival[i], now)"},
		{"push without room", push_without_room, "queue", "< r->cap"},
		{"pairs of a sequence", pairs_of_a_sequence, "yaml", "yaml_is_map"},
	};

	CONTRACT_CHECK(cases);
}

/* The same calls as their contracts have them: none of the checks is in the way. */
Test(contract, that_is_kept_does_not_abort)
{
	struct note_queue q = queue_of_two();
	struct wheel w = {{0}, {0}};

	*queue_push(&q, at_tick(10)) = (struct note){2};
	queue_pop(&q, at_tick(10));
	cr_assert_eq(queue_count(&q), 1);
	cr_assert_eq(wheel_add(&w, 63, 5, 4), 5);
	arena_free(&arena);
}

/* ---- SM, loop, dispatcher ---- */

static void wake_in_the_past(void)
{
	struct wheel w = {{0}, {0}};

	wheel_add(&w, 0, 7, 7);
}

static void coalesce(uint32_t mask, uint32_t width, uint32_t line)
{
	const struct trace_addr a = {.list = TRACE_AFFINE, .shift = 5, .sx = 4};
	struct coalesce_tx tx[COALESCE_MAX];

	coalesce_lines(&a, NULL, mask, width, line, tx);
}

static void no_lane(void)
{
	coalesce(0, 4, 128);
}

static void a_lane_of_32_bytes(void)
{
	coalesce(1, 32, 128);
}

static void a_line_of_96_bytes(void)
{
	coalesce(1, 4, 96);
}

static void no_banks(void)
{
	const struct trace_addr a = {.list = TRACE_AFFINE, .shift = 5, .sx = 4};

	coalesce_bank_cycles(&a, NULL, 1, 4, 0);
}

static void a_unit_that_is_not_free(void)
{
	const struct core_inst in = {.row = 0};
	static const struct machine m;
	struct lsu l = {.m = &m};

	lsu_issue_param(&l, 0, &in, 0, 0);
	lsu_issue_param(&l, 1, &in, 0, 0);
}

static void no_packet_to_send(void)
{
	struct lsu l = {.period = 1};

	lsu_send(&l, 1, NULL);
}

static void a_load_that_is_not_there(void)
{
	struct lsu l = {.in_flight = 1};

	lsu_serve(&l, 1, (struct mshr_waiter){REQ_CLIENT_LOAD, 0}, 0, NULL);
}

static void a_load_served_too_often(void)
{
	struct load load = {.left = 0};
	struct lsu l = {.in_flight = 1, .loads = {.load = &load, .n = 1}};

	lsu_serve(&l, 1, (struct mshr_waiter){REQ_CLIENT_LOAD, 0}, 0, NULL);
}

static void a_loop_without_parts(void)
{
	struct loop l;

	loop_init(&l, &arena, 0, 1, 1);
}

static struct timeline timeline_of_two(void)
{
	static uint64_t first[] = {0, 2};
	static struct timeline_cta cta[] = {{.start = TIMELINE_NEVER, .end = TIMELINE_NEVER},
					    {.start = TIMELINE_NEVER, .end = TIMELINE_NEVER}};

	return (struct timeline){.n_launches = 1, .first = first, .cta = cta};
}

static void a_cta_that_is_not_there(void)
{
	struct timeline t = timeline_of_two();

	timeline_start(&t, 0, 2, 0, 5);
}

static void a_cta_starts_twice(void)
{
	struct timeline t = timeline_of_two();

	timeline_start(&t, 0, 1, 0, 5);
	timeline_start(&t, 0, 1, 0, 6);
}

static void a_cta_ends_before_it_starts(void)
{
	struct timeline t = timeline_of_two();

	timeline_start(&t, 0, 1, 0, 5);
	timeline_end(&t, 0, 1, 4);
}

Test(contract, of_the_sm_and_the_dispatcher)
{
	static const struct broken cases[] = {
		{"wake in the past", wake_in_the_past, "wheel", "at > now"},
		{"no lane", no_lane, "coalesce", "mask"},
		{"a lane of 32 bytes", a_lane_of_32_bytes, "coalesce", "width"},
		{"a line of 96 bytes", a_line_of_96_bytes, "coalesce", "line"},
		{"no banks", no_banks, "coalesce", "banks"},
		{"a unit that is not free", a_unit_that_is_not_free, "lsu", "lsu_is_free"},
		{"no packet to send", no_packet_to_send, "lsu", "l1_has_packet"},
		{"a load that is not there", a_load_that_is_not_there, "lsu", "loads.n"},
		{"a load served too often", a_load_served_too_often, "lsu", "left > 0"},
		{"a loop without parts", a_loop_without_parts, "loop", "max"},
		{"a CTA that is not there", a_cta_that_is_not_there, "timeline", "cta <"},
		{"a CTA starts twice", a_cta_starts_twice, "timeline", "TIMELINE_NEVER"},
		{"a CTA ends before it starts", a_cta_ends_before_it_starts, "timeline", "<= cycle"},
	};

	CONTRACT_CHECK(cases);
}

/* ---- translation ---- */

static void a_tlb_of_seven_entries(void)
{
	struct tlb t;

	tlb_init(&t, &arena, 7, 2);
}

static void an_empty_entry_in_a_tlb(void)
{
	struct tlb t;

	tlb_init(&t, &arena, 8, 2);
	tlb_fill(&t, 1, 0);
}

static void pages_with(uint64_t page, const struct pages_range *r)
{
	struct pages_params params = {.stacks = 4, .page = page, .stack_bytes = 1 << 24, .placement = PAGES_INTERLEAVED};
	struct pages p;
	struct err e;

	pages_init(&p, &arena, &params);
	pages_add(&p, r, &e);
}

static void pages_of_8_kib(void)
{
	pages_with(8192, &(struct pages_range){0});
}

static void a_static_range_without_its_list(void)
{
	pages_with(4096, &(struct pages_range){.name = "A", .base = 4096, .size = 4096, .placement = PAGES_STATIC});
}

static void a_base_bit_that_is_none(void)
{
	pages_with(4096, &(struct pages_range){.name = "A", .base = 4096, .size = 1, .placement = PAGES_BASE_BIT, .base_bit = 30});
}

Test(contract, of_translation)
{
	static const struct broken cases[] = {
		{"a TLB of seven entries", a_tlb_of_seven_entries, "tlb", "entries % ways"},
		{"an empty entry in a TLB", an_empty_entry_in_a_tlb, "tlb", "entry"},
		{"pages of 8 KiB", pages_of_8_kib, "pages", "page =="},
		{"a static range without its list", a_static_range_without_its_list, "pages", "stack"},
		{"a base bit that is none", a_base_bit_that_is_none, "pages", "base_bit"},
	};

	CONTRACT_CHECK(cases);
}

/* ---- the CPU's core ---- */

static void a_load_of_no_line(void)
{
	struct cpu_bench *b = cpu_bench_new(NULL);

	cpu_bench_load(b, 0, 0, 0);
	b->list[0].inst[0].n_lines = 0;
	cpu_bench_play(b);
}

static void a_result_in_no_time(void)
{
	struct cpu_bench *b = cpu_bench_new(NULL);

	cpu_bench_compute(b, 0, 0, 0);
	cpu_bench_play(b);
}

static void a_step_between_two_edges(void)
{
	struct cpu_bench *b = cpu_bench_new((const char *const[]){"clock.cpu=1000", NULL});

	cpu_bench_compute(b, 0, 1, 0);
	cpu_bench_play(b);
	cpu_core_step(&b->core[0], ticks_add(b->now, at_tick(1)));
}

static void another_hook_under_way(void)
{
	struct cpu_bench *b = cpu_bench_new(NULL);

	b->core[0].tail = 1;
	cpu_core_set_store_hook(&b->core[0], NULL);
}

static bool too_many_uses(struct stream_steps *s, struct stream_step *out)
{
	(void)s;
	*out = (struct stream_step){.bytes = 4, .uses = LOOP_STREAM_USES + 1};
	return true;
}

static void uses_of_a_loop(void)
{
	struct machine m = machine_with((const char *const[]){"cpu.count=1", NULL});
	struct stream_steps steps = {too_many_uses};
	struct loop_stream l;
	struct cpu_inst in;

	loop_stream_init(&l, &m, &steps);
	l.feed.next(&l.feed, &in);
}

Test(contract, of_the_cpus_core)
{
	static const struct broken cases[] = {
		{"a load of no line", a_load_of_no_line, "cpu_core", "n_lines > 0"},
		{"a result in no time", a_result_in_no_time, "cpu_core", "latency > 0"},
		{"a step between two edges", a_step_between_two_edges, "cpu_core", "ticks_is_edge(now"},
		{"another hook under way", another_hook_under_way, "cpu_core", "c->head == c->tail"},
		{"uses of a loop", uses_of_a_loop, "loop_stream", "LOOP_STREAM_USES"},
	};

	CONTRACT_CHECK(cases);
}

/* ---- what planners call ---- */

static void cut(uint32_t first_vertex, uint32_t k)
{
	static uint64_t first[5];
	struct locality_graph g = {.n = 4, .first = first};
	uint32_t v[] = {first_vertex, 1}, out[8];
	struct err e;

	partition_kway(&g, v, 2, k, out, &e);
}

static void a_list_that_descends(void)
{
	cut(2, 2);
}

static void a_vertex_that_is_not_there(void)
{
	static uint64_t first[5];
	struct locality_graph g = {.n = 4, .first = first};
	uint32_t v[] = {4}, out[8];
	struct err e;

	partition_bisect(&g, v, 1, 1, out, &e);
}

static void a_tree_of_a_list_that_descends(void)
{
	static uint64_t first[5];
	struct locality_graph g = {.n = 4, .first = first};
	uint32_t v[] = {2, 1};

	partition_prim(&g, v, 2);
}

static void no_parts(void)
{
	cut(0, 0);
}

static void a_granule_of_three(void)
{
	collect_new(1, 1, 3, false);
}

static void a_store_of_three_bytes(void)
{
	struct taf_stores s = {0};

	taf_stores_add(&s, 0, 3, 1, "abc");
}

Test(contract, of_planners)
{
	static const struct broken cases[] = {
		{"a list that descends", a_list_that_descends, "partition", "v[i - 1] < v[i]"},
		{"a vertex that is not there", a_vertex_that_is_not_there, "partition", "v[i] < g->n"},
		{"a tree of a list that descends", a_tree_of_a_list_that_descends, "partition", "v[i - 1] < v[i]"},
		{"no parts", no_parts, "partition", "k"},
		{"a granule of three", a_granule_of_three, "locality", "granule"},
		{"a store of three bytes", a_store_of_three_bytes, "taf", "bytes"},
	};

	CONTRACT_CHECK(cases);
}
