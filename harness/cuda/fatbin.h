/* The PTX in what a CUDA program hands to its runtime when it starts (__cudaRegisterFatBinary).
 *
 * A wrapper leads to a fat binary: a header, then entries, each a kind (PTX, machine code) for an architecture, plain
 * or compressed with LZ4 or zstd. clang without a toolkit puts the PTX's text in its place. Nothing of it is believed:
 * nothing is read beyond the bytes that are given, and no size makes more than FATBIN_PTX_BYTES of memory.
 *
 * Source: the format as nvcc 13 and clang 14 write it (there is no published one); fields are little-endian:
 *
 *     wrapper    0 u32 0x466243b1   4 u32 version   8 data   16 more
 *     header     0 u32 0xba55ed50   4 u16 version, 1   6 u16 size of the header   8 u64 size of what follows
 *     entry      0 u16 kind         4 u32 size of its header   8 u64 padded size of its data
 *               16 u32 size, compressed   28 u32 architecture   40 u64 flags   56 u64 size, not compressed
 */
#ifndef HARNESS_CUDA_FATBIN_H
#define HARNESS_CUDA_FATBIN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define FATBIN_PTX_BYTES (UINT64_C(256) << 20)

struct fatbin_ptx {
	char *text;    /* malloc's, ends in a zero byte */
	uint32_t sm;   /* the architecture that the entry names: 80; 0: it is raw text */
	bool is_newer; /* than the machine's */
};

/* The PTX for a machine of that compute capability (80: 8.0): of the newest architecture that is not newer, or else of
 * the oldest that is. data: n bytes of memory at most, from the header, or the text, on. Fails on what is no fat
 * binary, or has no PTX (the error says how to build one that has), or is broken, or whose PTX
 * unpacks to more than max_unpacked bytes (0: FATBIN_PTX_BYTES). */
int fatbin_read(const void *data, size_t n, uint32_t capability, uint64_t max_unpacked, struct fatbin_ptx *ptx, struct err *e);

#endif
