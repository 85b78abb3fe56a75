/* The library's end of the wire (cuda/wire.h): the device that `locus cuda` is for this program.
 *
 * It is opened by the first call that needs it, is shared by all threads, one call at a time, and stays until the
 * program ends. A program that was not started by `locus cuda` finds no device; the first call says so on stderr.
 */
#ifndef HARNESS_CUDA_RUNTIME_CONNECTION_H
#define HARNESS_CUDA_RUNTIME_CONNECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cuda/include/driver_types.h"
#include "cuda/wire.h"

/* The machine; NULL: there is no device. */
const struct wire_device *connection_device(void);

struct message { /* behind a head */
	const void *out;
	size_t out_bytes;
	void *in; /* room for what is behind the answer; more than in_room is dropped */
	size_t in_room, in_bytes;
	bool take_all; /* `in` is malloc'ed for all of it; NULL: there was nothing */
};

/* Calls the device, with n words; m may be NULL. The error is the device's; cudaErrorNoDevice if there is none. */
cudaError_t connection_call(enum wire_op op, unsigned n, const uint64_t *a, struct message *m, struct wire_answer *answer);

/* A launch that has no answer: it is on its way when this returns, and what comes after it finds it done. False: there
 * is no room for it now. */
bool connection_go_ahead(unsigned n, const uint64_t *a, const void *params, size_t bytes);
/* From now on each launch is waited for, since it may be refused for what the program has said of its kernels. */
void connection_keep_in_step(void);
bool connection_in_step(void);

/* Whether an address is one of device memory, of managed memory or of pinned memory of the host. */
bool connection_is_device(const void *p);
/* Where the library itself reaches the byte at an address of device memory. */
void *connection_bytes(const void *p);
/* The host program may, or may no longer, use `bytes` from p on. p: a multiple of the page. */
int connection_open_to_host(void *p, size_t bytes, bool open);

#endif
