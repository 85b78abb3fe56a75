/* One texture or surface instruction, run by up to 64 threads over a buffer of texels. */
#ifndef TESTS_SUPPORT_TEXTURE_H
#define TESTS_SUPPORT_TEXTURE_H

#include <stdint.h>

#include "workload/program.h"

enum { TEXTURE_RIG_WORDS = 8, TEXTURE_RIG_THREADS = 64 };

/* The instruction is PTX text. Each thread finds its eight words in %r10 to %r17 and, the same bits, in %f10 to %f17;
 * what it leaves in %r4 to %r7 comes back. %rd3 is the handle that it is given. There are a .texref `image`, a
 * .surfref `canvas`, and registers %r20 up, %h, %rd4 up and %p to work with. */
struct texture_rig {
	struct host *h;
	uint64_t address; /* of the texels */
	unsigned runs;
};

/* Ends the test if the text cannot be run. */
void texture_rig_new(struct texture_rig *r, const char *insn, const void *texels, size_t bytes);
void texture_rig_free(struct texture_rig *r);
int texture_rig_run(struct texture_rig *r, uint64_t handle, const void *words, unsigned threads, void *out, struct err *e);

/* A table of fetches from a texture over `texels`: coordinates (and what else the instruction takes), and the channels
 * that must come back to the bit. The addresses of levels above 0 are offsets in `texels`. */
struct fetch {
	union {
		float f[TEXTURE_RIG_WORDS];
		int32_t i[TEXTURE_RIG_WORDS];
	} at;
	union {
		float f[4];
		uint32_t u[4];
	} want;
};
void texture_fetches(const char *insn, struct texture_view v, const void *texels, size_t bytes, const struct fetch *f, unsigned n);
/* One fetch that ends with an error, which must hold the text. */
void texture_fails(const char *insn, struct texture_view v, const void *texels, size_t bytes, const char *want);

#endif
