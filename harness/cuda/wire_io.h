/* Whole messages over the wire's socket, for both of its ends. A signal interrupts neither. */
#ifndef HARNESS_CUDA_WIRE_IO_H
#define HARNESS_CUDA_WIRE_IO_H

#include <stdbool.h>
#include <stddef.h>

/* False: the other end is gone. wire_put: a head of n bytes and what is behind it. */
bool wire_put(int fd, const void *head, size_t n, const void *behind, size_t n_behind);
bool wire_get(int fd, void *to, size_t n);

/* For an end that is sent many messages at once: what has come is read ahead. */
struct wire_input {
	int fd;
	size_t at, end; /* bytes[at .. end) were read, and not taken yet */
	unsigned char bytes[1 << 16];
};
bool wire_take(struct wire_input *in, void *to, size_t n);

#endif
