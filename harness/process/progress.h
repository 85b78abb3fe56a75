/* How far a phase has come, on stderr: on a terminal a line that is rewritten, from the third second on; elsewhere a
 * line every ten seconds. What is over sooner prints nothing.
 *
 * A thread of its own keeps the time and prints, so that the work does nothing for it but store a count where it has
 * one.
 */
#ifndef HARNESS_PROCESS_PROGRESS_H
#define HARNESS_PROCESS_PROGRESS_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

struct progress {
	pthread_t thread;
	pthread_mutex_t lock;
	pthread_cond_t changed;		  /* begun or over */
	bool running, begun, over, shown; /* shown: there is a line to be cleared */
	char what[160];
	_Atomic uint64_t done, all; /* all 0: not known */
	atomic_bool foretells;
};

/* what: "executing syrk". When it returns the thread has begun, and takes no memory from then on: a process that forks
 * while another thread is in the address sanitizer's allocator leaves its child a lock that nobody gives back. */
void progress_begin(struct progress *p, const char *what, ...) __attribute__((format(printf, 2, 3)));
void progress_count(struct progress *p, uint64_t done, uint64_t all);
void progress_predict(struct progress *p); /* what is done says how long the rest will take: that is shown too */
void progress_hide(struct progress *p);	   /* somebody else prints a line now */
void progress_forget(struct progress *p);  /* in a forked process, which has no such thread */
void progress_end(struct progress *p);

#endif
