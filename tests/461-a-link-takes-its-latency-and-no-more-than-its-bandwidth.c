/* 461: one direction of a link alone: a packet is at the far end bytes / bandwidth + latency after it was sent, a
 * stream moves exactly the stated GB/s though no packet takes a whole number of ticks, sources go in turn, and a full
 * queue at the far end holds up its own class and layer only. */
#include <criterion/criterion.h>

#include "noc/link.h"
#include "support/at_tick.h"

enum { HEADER = 8, TICKS_PER_US = 1400, LATENCY = 40, ROOM = 4, SOURCES = 4, DEST_NEAR = 1, DEST_FAR = 2 };

/* Node 0 -> the link -> node 1 -> something onward -> node 2. Requesters are at node 0, destination d at node d. */
struct rig {
	struct arena arena;
	struct link link;
	struct link_nodes nodes;
	struct mem_req_queue in[SOURCES], near[LINK_CLASSES], far[LINK_CLASSES][2];
};

static const uint16_t of_requester[3] = {0, 1, 2}, of_dest[3] = {0, 1, 2};
static const uint8_t layer_of_way[9] = {0};

static void open_rig(struct rig *r, uint32_t mbps)
{
	*r = (struct rig){.nodes = {3, 2, of_requester, of_dest, layer_of_way}};
	link_init(&r->link, &r->arena,
		  &(struct link_params){.from = 0,
					.to = 1,
					.mbps = mbps,
					.header = HEADER,
					.ports = 1,
					.sources = SOURCES,
					.latency = {LATENCY},
					.ticks_per_us = TICKS_PER_US},
		  &r->nodes);
	for (unsigned c = 0; c < LINK_CLASSES; c++) {
		queue_init(&r->near[c], &r->arena, 4096, at_tick(LATENCY));
		r->link.arrive[c][0] = (struct net_link){&r->near[c], 1, at_tick(0)};
		for (unsigned y = 0; y < 2; y++) {
			queue_init(&r->far[c][y], &r->arena, ROOM, at_tick(LATENCY));
			*link_onward(&r->link, c, y, 2) = &r->far[c][y];
		}
	}
}

static void add_source(struct rig *r, unsigned i, enum link_class class, bool enters, uint8_t layer)
{
	queue_init(&r->in[i], &r->arena, 4096, at_tick(1));
	link_add_source(&r->link, &(struct link_source){&r->in[i], (uint8_t) class, enters, layer});
}

static void put(struct rig *r, unsigned i, uint64_t at, uint8_t kind, uint16_t bytes, uint16_t dest, uint16_t requester)
{
	*queue_push(&r->in[i], at_tick(at)) =
		(struct mem_req){.kind = kind, .bytes = bytes, .dest = dest, .requester = requester, .token = i};
}

static void run(struct rig *r, uint64_t from, uint64_t until)
{
	for (struct ticks t = at_tick(from); ticks_by(t, at_tick(until)); t = link_step(&r->link, t))
		;
}

/* 1400 ticks a microsecond: 64 GB/s are 64000 bytes in 1400 ticks, 136 bytes take 2.975 ticks, 8 bytes 0.175. */
Test(link, a_packet_arrives_after_its_bytes_and_the_latency)
{
	static const struct {
		uint8_t kind;
		uint16_t bytes;
		uint64_t ticks;
	} known[] = {{REQ_READ, 128, 1}, {REQ_WRITE, 128, 3}, {REQ_ATOMIC, 4, 1}, {REQ_WRITE, 38, 2}}; /* 46 B: 1.006 */

	for (unsigned i = 0; i < sizeof known / sizeof known[0]; i++) {
		struct rig r;

		open_rig(&r, 64000);
		add_source(&r, 0, LINK_REQUEST, true, 0);
		put(&r, 0, 1000, known[i].kind, known[i].bytes, DEST_NEAR, 0);
		run(&r, 1000, 1000);
		cr_assert_eq(queue_next_arrival(&r.near[LINK_REQUEST]).n, 1000 + known[i].ticks + LATENCY, "packet %u", i);
		arena_free(&r.arena);
	}
}

/* n packets of b bytes end at ceil(n b / bandwidth), for every n: nothing is lost or won to whole ticks. */
Test(link, a_stream_moves_the_stated_bandwidth_exactly)
{
	static const uint32_t mbps[] = {1000, 1333, 7000, 16000, 64000, 192000, 1000000};

	for (unsigned g = 0; g < sizeof mbps / sizeof mbps[0]; g++) {
		struct rig r;
		uint64_t per_us = mbps[g];

		open_rig(&r, mbps[g]);
		add_source(&r, 0, LINK_REQUEST, true, 0);
		for (uint64_t n = 0; n < 3000; n++)
			put(&r, 0, 500, REQ_WRITE, 128, DEST_NEAR, 0);
		run(&r, 500, UINT64_C(1) << 40);
		for (uint64_t n = 1; n <= 3000; n++) {
			uint64_t want = 500 + (n * 136 * TICKS_PER_US + per_us - 1) / per_us + LATENCY;

			cr_assert_eq(queue_next_arrival(&r.near[LINK_REQUEST]).n, want, "%u MB/s, packet %lu", mbps[g], n);
			queue_pop(&r.near[LINK_REQUEST], at_tick(want));
		}
		cr_assert_eq(link_busy(&r.link).n, (UINT64_C(3000) * 136 * TICKS_PER_US + per_us - 1) / per_us);
		arena_free(&r.arena);
	}
}

Test(link, sources_take_turns)
{
	struct rig r;

	open_rig(&r, 16000);
	add_source(&r, 0, LINK_REQUEST, true, 0);
	add_source(&r, 1, LINK_REQUEST, false, 0);
	add_source(&r, 2, LINK_REQUEST, false, 1);
	for (unsigned n = 0; n < 30; n++)
		put(&r, n % 3, 0, REQ_READ, 128, DEST_NEAR, 0);
	run(&r, 0, UINT64_C(1) << 30);
	for (unsigned n = 0; n < 30; n++) {
		const struct mem_req *q = queue_front(&r.near[LINK_REQUEST], TIME_NEVER);

		cr_assert_eq(q->token, n % 3, "packet %u", n);
		queue_pop(&r.near[LINK_REQUEST], queue_next_arrival(&r.near[LINK_REQUEST]));
	}
	arena_free(&r.arena);
}

/* A source of each class and layer, all for node 2: each gets its four places, then waits alone; the near node still
 * gets its own.
 */
Test(link, a_full_queue_holds_up_its_own_class_and_layer_only)
{
	struct rig r;

	open_rig(&r, 64000);
	add_source(&r, 0, LINK_REQUEST, false, 0);
	add_source(&r, 1, LINK_REQUEST, false, 1);
	add_source(&r, 2, LINK_REPLY, false, 0);
	add_source(&r, 3, LINK_REPLY, true, 0);
	for (unsigned n = 0; n < 10; n++) {
		put(&r, 0, 0, REQ_READ, 128, DEST_FAR, 0);
		put(&r, 1, 0, REQ_READ, 128, n < ROOM ? DEST_FAR : DEST_NEAR, 0);
		put(&r, 2, 0, REQ_READ, 128, 0, n < ROOM ? 2 : 1);
		put(&r, 3, 0, REQ_READ, 128, 0, 1);
	}
	run(&r, 0, UINT64_C(1) << 30);
	cr_assert_eq(r.far[LINK_REQUEST][0].ring.tail, ROOM);
	cr_assert_eq(queue_count(&r.in[0]), 10 - ROOM, "the rest waits for room");
	cr_assert_eq(r.far[LINK_REQUEST][1].ring.tail, ROOM);
	cr_assert_eq(r.far[LINK_REPLY][0].ring.tail, ROOM);
	cr_assert_eq(r.in[1].ring.head, 10);
	cr_assert_eq(r.in[2].ring.head, 10);
	cr_assert_eq(r.in[3].ring.head, 10);
	cr_assert_eq(r.near[LINK_REQUEST].ring.tail, 10 - ROOM);
	cr_assert_eq(r.near[LINK_REPLY].ring.tail, 10 - ROOM + 10);
	/* Room comes back `latency` after the packet has left, not a tick before. */
	cr_assert(queue_front(&r.far[LINK_REQUEST][0], at_tick(100000)));
	queue_pop(&r.far[LINK_REQUEST][0], at_tick(100000));
	cr_assert_eq(link_step(&r.link, at_tick(100000 + LATENCY - 1)).n, 100000 + LATENCY);
	cr_assert_eq(r.far[LINK_REQUEST][0].ring.tail, ROOM);
	link_step(&r.link, at_tick(100000 + LATENCY));
	cr_assert_eq(r.far[LINK_REQUEST][0].ring.tail, ROOM + 1);
	arena_free(&r.arena);
}

/* Bytes by where they came from and go to. */
Test(link, traffic_is_counted_where_it_enters_and_where_it_ends)
{
	struct rig r;

	open_rig(&r, 64000);
	add_source(&r, 0, LINK_REQUEST, true, 0);
	add_source(&r, 1, LINK_REPLY, false, 0);
	put(&r, 0, 0, REQ_WRITE, 128, DEST_NEAR, 0);
	put(&r, 0, 0, REQ_READ, 128, DEST_FAR, 0);
	put(&r, 1, 0, REQ_READ, 128, 2 /* comes from node 2 */, 1);
	run(&r, 0, 1000);
	cr_assert_eq(r.link.entered[1], 136);
	cr_assert_eq(r.link.entered[2], 8);
	cr_assert_eq(r.link.delivered[0], 136);
	cr_assert_eq(r.link.delivered[2], 136);
	cr_assert_eq(r.link.bytes[LINK_REQUEST], 144);
	cr_assert_eq(r.link.bytes[LINK_REPLY], 136);
	arena_free(&r.arena);
}
