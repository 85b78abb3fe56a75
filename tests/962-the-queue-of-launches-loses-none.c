/* 962: the ring that launches go ahead in: what is put is taken, whole and in order, wherever the ring's end falls; a
 * full one refuses; words that the program spoils are found out; and a device that waits is called. */
#include <criterion/criterion.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cuda/wire_queue.h"

struct ends {
	struct wire_queue *q;
	struct wire_queue_taker *t;
	int bell[2]; /* a pipe */
};

static struct ends ends(void)
{
	struct ends e = {.q = aligned_alloc(64, sizeof *e.q), .t = calloc(1, sizeof *e.t)};

	cr_assert(e.q && e.t && pipe(e.bell) == 0);
	memset(e.q, 0, sizeof *e.q);
	e.t->queue = e.q;
	return e;
}

static void close_ends(struct ends *e)
{
	free(e->q);
	free(e->t);
	close(e->bell[0]);
	close(e->bell[1]);
}

/* The i-th message: 0 to 257 bytes, each (unsigned char)(i + its place). */
static struct wire_call message(uint64_t i, unsigned char behind[258])
{
	struct wire_call c = {.op = WIRE_LAUNCH, .bytes = (uint32_t)(i * 7 % 258), .a = {i, ~i}};

	for (uint32_t b = 0; b < c.bytes; b++)
		behind[b] = (unsigned char)(i + b);
	return c;
}

static bool is_message(const struct ends *e, const struct wire_call *c, uint64_t i)
{
	unsigned char behind[258];
	struct wire_call want = message(i, behind);

	return memcmp(c, &want, sizeof want) == 0 && memcmp(e->t->behind, behind, want.bytes) == 0 && e->t->behind[want.bytes] == 0;
}

/* 104 bytes of a head and none behind: 2,520 of them fit into 262,144 bytes, and 64 bytes are left. */
Test(queue_of_launches, refuses_what_it_has_no_room_for)
{
	struct ends e = ends();
	struct wire_call c = {.op = WIRE_LAUNCH}, got;
	bool ring;
	unsigned n = 0;

	cr_assert_eq(sizeof c, 104);
	while (wire_queue_put(e.q, &c, NULL, &ring))
		n++;
	cr_expect_eq(n, 2520);
	cr_expect_not(ring);
	cr_expect_eq(wire_queue_take(e.t, &got), WIRE_TOOK);
	cr_expect(wire_queue_put(e.q, &c, NULL, &ring));
	cr_expect_not(wire_queue_put(e.q, &c, NULL, &ring));
	while (wire_queue_take(e.t, &got) == WIRE_TOOK)
		n--;
	cr_expect_eq(n, 0);
	c.bytes = WIRE_QUEUE_MAX_BEHIND + 1;
	cr_expect_not(wire_queue_put(e.q, &c, e.q->bytes, &ring), "more than one launch can have");
	close_ends(&e);
}

Test(queue_of_launches, finds_out_words_that_cannot_be)
{
	struct ends e = ends();
	struct wire_call c = {.op = WIRE_LAUNCH, .bytes = 8}, got;
	bool ring;

	e.q->put = sizeof c - 1; /* half a head */
	cr_expect_eq(wire_queue_take(e.t, &got), WIRE_TOOK_NONSENSE);
	e.q->put = WIRE_QUEUE_BYTES + 1;
	cr_expect_eq(wire_queue_take(e.t, &got), WIRE_TOOK_NONSENSE);
	e.q->put = 0;
	cr_assert(wire_queue_put(e.q, &c, "12345678", &ring));
	e.q->put--; /* less behind the head than it says */
	cr_expect_eq(wire_queue_take(e.t, &got), WIRE_TOOK_NONSENSE);
	e.q->put++;
	e.q->taken = UINT64_MAX; /* the device's own count is another one */
	cr_expect_eq(wire_queue_take(e.t, &got), WIRE_TOOK);
	cr_expect_str_eq((char *)e.t->behind, "12345678");
	e.q->put--; /* less than was taken */
	cr_expect_eq(wire_queue_take(e.t, &got), WIRE_TOOK_NONSENSE);
	close_ends(&e);
}

enum { MESSAGES = 300000, PAUSE = 1000 }; /* between pauses of the program, in which the device falls asleep */

static void *program(void *ends)
{
	const struct ends *e = ends;
	unsigned char behind[258];

	for (uint64_t i = 0; i < MESSAGES; i++) {
		struct wire_call c = message(i, behind);
		bool ring;

		while (!wire_queue_put(e->q, &c, behind, &ring))
			;
		if (ring && write(e->bell[1], "", 1) != 1)
			break;
		if (i % PAUSE == 0)
			usleep(100);
	}
	close(e->bell[1]);
	return NULL;
}

/* As `locus cuda` does: it takes what is there, says that it waits, and is called. */
Test(queue_of_launches, hands_all_over_in_order)
{
	struct ends e = ends();
	uint64_t n = 0, calls = 0;
	bool goes_on = true;
	struct wire_call c;
	pthread_t thread;
	char byte;

	cr_assert_eq(pthread_create(&thread, NULL, program, &e), 0);
	while (goes_on) {
		while (wire_queue_take(e.t, &c) == WIRE_TOOK)
			cr_assert(is_message(&e, &c, n++), "message %llu", (unsigned long long)n);
		if (!wire_queue_wait(e.t))
			continue;
		goes_on = read(e.bell[0], &byte, 1) == 1;
		calls += goes_on;
		wire_queue_wake(e.t);
	}
	pthread_join(thread, NULL);
	while (wire_queue_take(e.t, &c) == WIRE_TOOK)
		cr_assert(is_message(&e, &c, n++));
	cr_expect_eq(n, MESSAGES);
	cr_expect_gt(calls, 0);
	cr_expect_leq(calls, MESSAGES);
	e.bell[1] = -1;
	close_ends(&e);
}
