#include "process/progress.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

#include "base/utf8.h"

#define CLEAR_LINE "\r\033[K"
enum { FIRST = 2, LINE_EVERY = 10 }; /* seconds */

static const char *time_left(double seconds, char out[40])
{
	if (seconds < 100)
		snprintf(out, 40, ", about %.0f s left", seconds);
	else if (seconds < 6000)
		snprintf(out, 40, ", about %.0f min left", seconds / 60);
	else
		snprintf(out, 40, ", about %.1f h left", seconds / 3600);
	return out;
}

/* Straight to the file: stderr itself lets no control character pass. */
static void show(struct progress *p, long seconds, bool terminal)
{
	uint64_t done = atomic_load_explicit(&p->done, memory_order_relaxed);
	uint64_t all = atomic_load_explicit(&p->all, memory_order_relaxed);
	char share[64] = "", left[40];

	if (all)
		snprintf(share, sizeof share, ", %.1f %%%s", 100.0 * (double)done / (double)all,
			 atomic_load(&p->foretells) && done ? time_left((double)seconds * (double)(all - done) / (double)done, left)
							    : "");
	dprintf(STDERR_FILENO, "%s%s: %ld s%s%s", terminal ? CLEAR_LINE : "", p->what, seconds, share, terminal ? "" : "\n");
}

static void hide(struct progress *p)
{
	if (p->shown)
		dprintf(STDERR_FILENO, CLEAR_LINE);
	p->shown = false;
}

static void *keep_time(void *ctx)
{
	struct progress *p = ctx;
	bool terminal = isatty(STDERR_FILENO);
	long seconds = terminal ? FIRST : LINE_EVERY;
	struct timespec start, until;

	clock_gettime(CLOCK_MONOTONIC, &start);
	pthread_mutex_lock(&p->lock);
	p->begun = true;
	pthread_cond_signal(&p->changed);
	for (; !p->over; seconds += terminal ? 1 : LINE_EVERY) {
		until = (struct timespec){start.tv_sec + seconds, start.tv_nsec};
		while (!p->over && pthread_cond_timedwait(&p->changed, &p->lock, &until) != ETIMEDOUT)
			;
		if (p->over)
			break;
		show(p, seconds, terminal);
		p->shown = terminal;
	}
	hide(p);
	pthread_mutex_unlock(&p->lock);
	return NULL;
}

void progress_hide(struct progress *p)
{
	pthread_mutex_lock(&p->lock);
	hide(p);
	pthread_mutex_unlock(&p->lock);
}

/* Whatever the thread held or waited for is made anew. */
static void init_locks(struct progress *p)
{
	pthread_condattr_t monotonic;

	pthread_mutex_init(&p->lock, NULL);
	pthread_condattr_init(&monotonic);
	pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
	pthread_cond_init(&p->changed, &monotonic);
	pthread_condattr_destroy(&monotonic);
}

void progress_forget(struct progress *p)
{
	init_locks(p);
	p->running = p->shown = false;
}

static void wait_until_begun(struct progress *p)
{
	pthread_mutex_lock(&p->lock);
	while (!p->begun)
		pthread_cond_wait(&p->changed, &p->lock);
	pthread_mutex_unlock(&p->lock);
}

void progress_begin(struct progress *p, const char *what, ...)
{
	sigset_t all, before;
	va_list ap;

	p->begun = p->over = p->shown = false;
	atomic_init(&p->done, 0);
	atomic_init(&p->all, 0);
	atomic_init(&p->foretells, false);
	va_start(ap, what);
	vsnprintf(p->what, sizeof p->what, what, ap);
	va_end(ap);
	utf8_clean(p->what);
	init_locks(p);
	sigfillset(&all); /* signals are the main thread's */
	pthread_sigmask(SIG_BLOCK, &all, &before);
	p->running = pthread_create(&p->thread, NULL, keep_time, p) == 0;
	pthread_sigmask(SIG_SETMASK, &before, NULL);
	if (p->running)
		wait_until_begun(p);
}

void progress_predict(struct progress *p)
{
	atomic_store(&p->foretells, true);
}

void progress_count(struct progress *p, uint64_t done, uint64_t all)
{
	atomic_store_explicit(&p->done, done, memory_order_relaxed);
	atomic_store_explicit(&p->all, all, memory_order_relaxed);
}

void progress_end(struct progress *p)
{
	pthread_mutex_lock(&p->lock);
	p->over = true;
	pthread_cond_signal(&p->changed);
	pthread_mutex_unlock(&p->lock);
	if (p->running)
		pthread_join(p->thread, NULL);
	pthread_cond_destroy(&p->changed);
	pthread_mutex_destroy(&p->lock);
}
