/* Elements of a type that is known only at run time, as launch files name them: u8 u16 u32 u64 s8 s16 s32 s64 f32 f64,
 * and b8 .. b64 for PTX's untyped parameters. Read from text, written as text; in memory as the device and the host
 * keep them, little endian.
 */
#ifndef CSIM_WORKLOAD_ELEMENT_H
#define CSIM_WORKLOAD_ELEMENT_H

#include <stdint.h>

#include "base/err.h"

#define ELEMENT_TYPES "u8 u16 u32 u64 s8 s16 s32 s64 f32 f64" /* those that a user may name */

struct element {
	char kind;	/* 'u', 's', 'f', 'b' (either sign); 0: unknown */
	unsigned bytes; /* 1 2 4 8 */
};

/* kind 0: there is no such type. */
struct element element_named(const char *name);

/* A number's bits as the type keeps them: 12, -3, 0x10, 4K, 2.5, 1e-3. -1: why is filled. Unsigned types of C's `int`
 * come as .u32 from the compilers, so a negative number is taken for u and b types too when it fits the signed
 * range. */
int element_parse(struct element t, const char *text, uint64_t *bits, struct err *why);

enum { ELEMENT_TEXT = 32 };
/* The element that is at `at`, with as many digits as bring the same value back. Returns out. */
const char *element_text(struct element t, const void *at, char out[ELEMENT_TEXT]);

#endif
