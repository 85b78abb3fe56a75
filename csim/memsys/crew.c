#include "memsys/crew.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>

#include "base/alloc.h"

/* Before a thread sleeps: some microseconds, then as often as others that are ready let it. */
enum { LOOKS = 1000, YIELDS = 20 };

struct place {		       /* of a thread */
	_Atomic uint64_t came; /* how often it has come to a barrier */
	uint64_t long_waits;
} __attribute__((aligned(128)));

struct crew {
	struct place *place;
	uint32_t n, started;
	_Atomic uint32_t sleepers;
	pthread_mutex_t lock;
	pthread_cond_t changed;
	pthread_t *thread;
	struct hand {
		struct crew *crew;
		uint32_t k;
	} * hand;
	void (*work)(void *ctx, uint32_t k); /* NULL: end */
	void *ctx;
};

static void pause_a_little(void)
{
#if defined(__x86_64__) || defined(__i386__)
	__builtin_ia32_pause();
#endif
}

static void sleep_for(struct crew *c, const struct place *p, uint64_t n)
{
	pthread_mutex_lock(&c->lock);
	atomic_fetch_add(&c->sleepers, 1);
	while (atomic_load(&p->came) < n)
		pthread_cond_wait(&c->changed, &c->lock);
	atomic_fetch_sub(&c->sleepers, 1);
	pthread_mutex_unlock(&c->lock);
}

/* Returns whether it took long. */
static bool wait_for(struct crew *c, const struct place *p, uint64_t n)
{
	for (uint32_t i = 0; i < LOOKS + YIELDS; i++) {
		if (atomic_load_explicit(&p->came, memory_order_acquire) >= n)
			return i >= LOOKS;
		if (i < LOOKS)
			pause_a_little();
		else
			sched_yield();
	}
	sleep_for(c, p, n);
	return true;
}

void crew_barrier(struct crew *c, uint32_t k)
{
	uint64_t n = atomic_load_explicit(&c->place[k].came, memory_order_relaxed) + 1;

	atomic_store(&c->place[k].came, n);
	if (atomic_load(&c->sleepers)) {
		pthread_mutex_lock(&c->lock);
		pthread_cond_broadcast(&c->changed);
		pthread_mutex_unlock(&c->lock);
	}
	for (uint32_t i = 0; i < c->n; i++)
		if (i != k)
			c->place[k].long_waits += wait_for(c, &c->place[i], n);
}

uint64_t crew_long_waits(const struct crew *c, uint32_t k)
{
	return c->place[k].long_waits;
}

static void *hand(void *arg)
{
	const struct hand *h = arg;
	struct crew *c = h->crew;

	for (;;) {
		crew_barrier(c, h->k);
		if (!c->work)
			return NULL;
		c->work(c->ctx, h->k);
		crew_barrier(c, h->k);
	}
}

struct crew *crew_new(uint32_t n)
{
	struct crew *c = xcalloc(1, sizeof *c);

	c->n = n;
	c->place = aligned_alloc(sizeof *c->place, n * sizeof *c->place);
	c->thread = xcalloc(n, sizeof *c->thread);
	c->hand = xcalloc(n, sizeof *c->hand);
	pthread_mutex_init(&c->lock, NULL);
	pthread_cond_init(&c->changed, NULL);
	for (uint32_t k = 0; c->place && k < n; k++)
		c->place[k] = (struct place){0};
	for (c->started = 1; c->place && c->started < n; c->started++) {
		c->hand[c->started] = (struct hand){c, c->started};
		if (pthread_create(&c->thread[c->started], NULL, hand, &c->hand[c->started]) != 0)
			break;
	}
	if (c->started < n) {
		crew_free(c);
		return NULL;
	}
	for (uint32_t k = 1; k < n; k++)
		wait_for(c, &c->place[k], 1);
	return c;
}

static void give_back(struct crew *c)
{
	free(c->hand);
	free(c->thread);
	free(c->place);
	free(c);
}

/* What the threads wait on goes on counting them: it is left alone. */
void crew_forget(struct crew *c)
{
	give_back(c);
}

/* Those that never started are not waited for. */
void crew_free(struct crew *c)
{
	c->work = NULL;
	for (uint32_t k = c->started; c->place && k < c->n; k++)
		atomic_store(&c->place[k].came, UINT64_MAX);
	if (c->place)
		crew_barrier(c, 0);
	for (uint32_t k = 1; k < c->started; k++)
		pthread_join(c->thread[k], NULL);
	pthread_cond_destroy(&c->changed);
	pthread_mutex_destroy(&c->lock);
	give_back(c);
}

void crew_run(struct crew *c, void (*work)(void *ctx, uint32_t k), void *ctx)
{
	c->work = work;
	c->ctx = ctx;
	crew_barrier(c, 0);
	work(ctx, 0);
	crew_barrier(c, 0);
}
