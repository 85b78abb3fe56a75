#include "lockstep/checks.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>

#include "base/alloc.h"
#include "base/panic.h"

enum { WAKE = 32 }; /* checks that wait before the thread is woken: that takes longer than most of them */

struct checks {
	bool second, running, ending;
	unsigned n_waiting;
	bool idle, awaited; /* the thread waits for a check, the model for its end: only then is it worth a signal */
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t submitted, over;
	struct check *first, *last; /* of those that wait; the first may be running */
};

struct checks *checks_new(bool second)
{
	struct checks *q = xcalloc(1, sizeof *q);

	q->second = second;
	pthread_mutex_init(&q->lock, NULL);
	pthread_cond_init(&q->submitted, NULL);
	pthread_cond_init(&q->over, NULL);
	return q;
}

bool checks_are_second(const struct checks *q)
{
	return q->second;
}

static void *take(void *queue)
{
	struct checks *q = queue;

	pthread_mutex_lock(&q->lock);
	for (;;) {
		struct check *c = q->first;

		if (!c && q->ending)
			break;
		if (!c) {
			q->idle = true;
			pthread_cond_wait(&q->submitted, &q->lock);
			q->idle = false;
			continue;
		}
		pthread_mutex_unlock(&q->lock);
		c->run(c);
		pthread_mutex_lock(&q->lock);
		q->first = c->next;
		q->n_waiting--;
		c->waiting = false;
		if (q->awaited)
			pthread_cond_signal(&q->over);
	}
	pthread_mutex_unlock(&q->lock);
	return NULL;
}

/* Signals are for the thread that runs the model. */
static void start(struct checks *q)
{
	sigset_t all, before;

	sigfillset(&all);
	pthread_sigmask(SIG_SETMASK, &all, &before);
	q->running = pthread_create(&q->thread, NULL, take, q) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	q->second = q->running; /* no thread to be had: at once, then */
}

void checks_submit(struct checks *q, struct check *c)
{
	if (q->second && !q->running)
		start(q);
	if (!q->second) {
		c->run(c);
		return;
	}
	pthread_mutex_lock(&q->lock);
	PANIC_UNLESS(!c->waiting, "checks", 0);
	c->waiting = true;
	c->next = NULL;
	if (q->first)
		q->last->next = c;
	else
		q->first = c;
	q->last = c;
	if (++q->n_waiting >= WAKE && q->idle)
		pthread_cond_signal(&q->submitted);
	pthread_mutex_unlock(&q->lock);
}

void checks_wait(struct checks *q, const struct check *c)
{
	if (!q->second)
		return;
	pthread_mutex_lock(&q->lock);
	while (c->waiting) {
		q->awaited = true;
		if (q->idle)
			pthread_cond_signal(&q->submitted);
		pthread_cond_wait(&q->over, &q->lock);
		q->awaited = false;
	}
	pthread_mutex_unlock(&q->lock);
}

void checks_free(struct checks *q)
{
	if (!q)
		return;
	if (q->running) {
		pthread_mutex_lock(&q->lock);
		q->ending = true;
		pthread_cond_signal(&q->submitted);
		pthread_mutex_unlock(&q->lock);
		pthread_join(q->thread, NULL);
	}
	pthread_cond_destroy(&q->submitted);
	pthread_cond_destroy(&q->over);
	pthread_mutex_destroy(&q->lock);
	free(q);
}
