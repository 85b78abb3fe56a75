/* 123: what launches of streams wait for (workload/streams.h), worked out by hand from CUDA's rules; then programs made
 * up at random: the sets that are kept have every launch that a launch waits for, and none that it does not. */
#include <criterion/criterion.h>
#include <stdio.h>
#include <string.h>

#include "support/random.h"
#include "workload/streams.h"

static const struct stream_id legacy = {0, true}, a = {1, true}, b = {2, true}, c = {3, true}, free_a = {4, false};

/* "below 2, 4, 5" */
static const char *launch(struct streams *s, struct stream_id id)
{
	static char text[4096];
	const struct wait_set *w = streams_waits(s, id);
	int n = snprintf(text, sizeof text, "below %u", w->below);

	for (uint32_t i = 0; i < w->n; i++)
		n += snprintf(text + n, sizeof text - (size_t)n, ", %u", w->at[i]);
	streams_launch(s, id);
	return text;
}

#define EXPECT(s, id, text) cr_expect_str_eq(launch(s, id), text)

Test(streams, one_stream_is_in_order)
{
	struct streams *s = streams_new();
	char text[64];

	for (unsigned i = 0; i < 20; i++) {
		snprintf(text, sizeof text, "below %u", i);
		EXPECT(s, i < 10 ? legacy : a, text);
	}
	streams_free(s);
}

Test(streams, are_in_order_and_know_nothing_of_one_another)
{
	struct streams *s = streams_new();

	EXPECT(s, a, "below 0"); /* 0 */
	EXPECT(s, b, "below 0"); /* 1 */
	EXPECT(s, a, "below 1"); /* 2, after 0 */
	EXPECT(s, b, "below 0, 1");
	EXPECT(s, a, "below 1, 2"); /* 4 */
	EXPECT(s, c, "below 0");
	streams_forget(s, 1);
	EXPECT(s, a, "below 0"); /* another stream of that number */
	streams_free(s);
}

/* CUDA Runtime API, "Stream synchronization behavior": k_2 blocks on k_1, and k_3 on k_2. */
Test(streams, wait_for_the_default_stream_and_it_for_them)
{
	struct streams *s = streams_new();

	EXPECT(s, a, "below 0");
	EXPECT(s, b, "below 0");
	EXPECT(s, free_a, "below 0"); /* 2 */
	EXPECT(s, legacy, "below 2"); /* not for 2 */
	EXPECT(s, a, "below 2, 3");
	EXPECT(s, b, "below 2, 3");
	EXPECT(s, free_a, "below 0, 2");
	EXPECT(s, legacy, "below 2, 4, 5"); /* 3 comes before them */
	streams_pass(s, b);		    /* a copy, behind 5 */
	EXPECT(s, legacy, "below 2, 5, 7");
	EXPECT(s, a, "below 2, 4, 8");
	streams_record(s, 10, legacy); /* an operation of the default stream, for which b waits */
	EXPECT(s, b, "below 2, 5, 7, 9");
	streams_free(s);
}

Test(streams, wait_for_events)
{
	struct streams *s = streams_new();

	EXPECT(s, a, "below 0");
	streams_record(s, 10, a);
	EXPECT(s, a, "below 1"); /* 1 */
	streams_wait(s, b, 10);
	streams_wait(s, c, 11);	 /* never recorded: nothing to wait for */
	EXPECT(s, b, "below 1"); /* after 0, not 1 */
	EXPECT(s, c, "below 0"); /* 3 */
	streams_record(s, 10, c);
	streams_wait(s, free_a, 10);
	streams_record(s, 11, free_a); /* after 3 as well */
	EXPECT(s, a, "below 2");
	streams_wait(s, b, 11);
	EXPECT(s, b, "below 1, 2, 3");
	streams_forget_event(s, 11);
	streams_wait(s, a, 11);
	EXPECT(s, a, "below 2, 4");
	streams_free(s);
}

Test(streams, come_after_what_the_host_program_waited_for)
{
	struct streams *s = streams_new();

	EXPECT(s, a, "below 0");
	EXPECT(s, b, "below 0");
	EXPECT(s, free_a, "below 0");
	streams_record(s, 10, free_a);
	streams_sync_stream(s, b);
	EXPECT(s, c, "below 0, 1");
	streams_sync_event(s, 10);
	EXPECT(s, c, "below 0, 1, 2, 3");
	streams_sync(s);
	EXPECT(s, a, "below 5");
	EXPECT(s, free_a, "below 5");
	streams_free(s);
}

/* ---- any program ---- */

enum { LAUNCHES = 120, STREAMS = 6, EVENTS = 3 };

struct reach { /* what comes before an operation, launch by launch */
	bool of[LAUNCHES];
};

static void unite(struct reach *to, const struct reach *from)
{
	for (unsigned i = 0; i < LAUNCHES; i++)
		to->of[i] |= from->of[i];
}

/* The rules of CUDA on whole sets: own[0] is the default stream's, the last two streams do not block. */
struct program {
	struct reach own[STREAMS], event[EVENTS], host, before[LAUNCHES];
	unsigned n;
};

static bool blocks(unsigned stream)
{
	return stream < STREAMS - 2;
}

static struct reach waits(const struct program *p, unsigned stream)
{
	struct reach r = p->host;

	unite(&r, &p->own[stream]);
	for (unsigned i = 1; stream == 0 && blocks(i); i++)
		unite(&r, &p->own[i]);
	if (blocks(stream))
		unite(&r, &p->own[0]);
	return r;
}

static void expect_same(const struct program *p, const struct wait_set *w, const struct reach *r)
{
	struct reach is = {{false}};

	for (uint32_t i = 0; i < w->below; i++)
		is.of[i] = true;
	for (uint32_t i = 0; i < w->n; i++) {
		is.of[w->at[i]] = true;
		unite(&is, &p->before[w->at[i]]);
	}
	for (unsigned i = 0; i < LAUNCHES; i++)
		cr_assert_eq(is.of[i], r->of[i], "launch %u, as to %u", p->n, i);
}

static void step(struct program *p, struct streams *s, uint64_t *seed)
{
	unsigned stream = random_below(seed, STREAMS), event = random_below(seed, EVENTS), what = random_below(seed, 14);
	struct stream_id id = {stream, blocks(stream)};
	struct reach r = waits(p, stream);

	switch (what) {
	case 0:
		streams_record(s, event, id);
		p->event[event] = p->own[stream] = r;
		break;
	case 1:
	case 2:
		streams_wait(s, id, event);
		unite(&r, &p->event[event]);
		p->own[stream] = r;
		break;
	case 3:
		streams_pass(s, id);
		p->own[stream] = r;
		break;
	case 4:
		streams_sync_event(s, event);
		unite(&p->host, &p->event[event]);
		break;
	case 5:
		streams_sync_stream(s, id);
		unite(&p->host, &r);
		break;
	default:
		expect_same(p, streams_waits(s, id), &r);
		streams_launch(s, id);
		p->before[p->n] = r;
		r.of[p->n++] = true;
		p->own[stream] = r;
	}
}

Test(streams, of_any_program_wait_for_what_its_rules_say_and_no_more)
{
	for (uint64_t round = 1; round <= 200; round++) {
		static struct program p;
		struct streams *s = streams_new();
		uint64_t seed = round;

		memset(&p, 0, sizeof p);
		for (unsigned i = 0; i < EVENTS; i++) /* each is recorded ahead of all */
			streams_record(s, i, legacy);
		while (p.n < LAUNCHES)
			step(&p, s, &seed);
		streams_free(s);
	}
}

/* More than a launch can wait for: it comes after the lowest ones, and after all below these. */
Test(streams, without_number_are_waited_for_all_the_same)
{
	struct streams *s = streams_new();
	uint32_t n = 0;

	for (; n < 3 * TRACE_MAX_WAITS; n++) {
		launch(s, (struct stream_id){100 + 2 * n, true});
		launch(s, (struct stream_id){101 + 2 * n, false});
	}
	const struct wait_set *w = streams_waits(s, legacy);

	cr_expect_eq(w->n, TRACE_MAX_WAITS);
	cr_expect_eq(w->at[TRACE_MAX_WAITS - 1], 2 * (n - 1));
	cr_expect_eq(w->at[0], 2 * (n - TRACE_MAX_WAITS));
	cr_expect_eq(w->below, 2 * (n - TRACE_MAX_WAITS) - 1);
	streams_free(s);
}
