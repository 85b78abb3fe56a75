/* Launches that go ahead of their program: a ring of bytes in memory that both ends of the wire share.
 *
 * The library puts a head and what is behind it (cuda/wire.h), one thread at a time, and goes on; the device takes them
 * in that order, and has none left when it answers a call that came after them. Neither needs the system for it while
 * the device has work. A device without any says that it waits, and is then to be called at the socket (WIRE_RING).
 *
 * The program may write whatever it likes there, at any time: the taking end reads each word once, and checks it.
 */
#ifndef HARNESS_CUDA_WIRE_QUEUE_H
#define HARNESS_CUDA_WIRE_QUEUE_H

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>

#include "cuda/wire.h"

enum {
	WIRE_QUEUE_BYTES = 1 << 18,	   /* of the ring */
	WIRE_QUEUE_MAX_BEHIND = 32768 + 64 /* bytes behind a head: the parameters of one launch */
};

/* As it is shared; all zero at first. On lines of the caches of their own, since each end writes its words. */
struct wire_queue {
	alignas(64) _Atomic uint64_t put;   /* bytes that ever were: the program's word */
	alignas(64) _Atomic uint64_t taken; /* likewise, the device's */
	alignas(64) _Atomic uint32_t waits; /* the device does, for WIRE_RING */
	alignas(64) unsigned char bytes[WIRE_QUEUE_BYTES];
};

/* The putting end. False: there is no room now. *ring: the device waits, and is to be called. */
bool wire_queue_put(struct wire_queue *q, const struct wire_call *head, const void *behind, bool *ring);

/* The taking end. */
struct wire_queue_taker {
	struct wire_queue *queue;
	uint64_t taken; /* the word in the queue could have been changed */
	unsigned char behind[WIRE_QUEUE_MAX_BEHIND + 1];
};
enum wire_taken { WIRE_TOOK_NONE, WIRE_TOOK, WIRE_TOOK_NONSENSE };

/* The next one, and a zero behind t->behind[0 .. head->bytes). After nonsense nothing in the queue has a meaning. */
enum wire_taken wire_queue_take(struct wire_queue_taker *t, struct wire_call *head);
/* True: it is empty, and who puts something will ring. False: there is something. */
bool wire_queue_wait(struct wire_queue_taker *t);
/* The wait is over. */
void wire_queue_wake(struct wire_queue_taker *t);

#endif
