/* Whole messages over the wire's socket, for both of its ends. A signal interrupts neither. */
#ifndef HARNESS_CUDA_WIRE_IO_H
#define HARNESS_CUDA_WIRE_IO_H

#include <stdbool.h>
#include <stddef.h>

/* False: the other end is gone. wire_put: a head of n bytes and what is behind it. */
bool wire_put(int fd, const void *head, size_t n, const void *behind, size_t n_behind);
bool wire_get(int fd, void *to, size_t n);

#endif
