/* Small kernels for tests, and what they leave behind. */
#ifndef TESTS_SUPPORT_PTX_H
#define TESTS_SUPPORT_PTX_H

#include <stdint.h>

#include "ptx/ptx.h"

/* A module of one kernel "k" with parameters out, in (u64 addresses) and n (u32), and registers %p<8> %h<8> %r<32>
 * %rd<32> %f<16> %fd<16>, run over two buffers. `body` is PTX text. */
struct ptx_try {
	struct ptx_module *m;
	struct memory mem;
	struct err e;
	int result; /* of ptx_run; -1 too if the text could not be parsed */
	uint64_t out, in;
};

enum { PTX_TRY_WORDS = 4096 }; /* 32-bit words of each buffer */

/* Parses only: t->m is NULL on an error. head: what is before the kernel (variables, functions), or "". */
void ptx_try_parse(struct ptx_try *t, const char *head, const char *body);
/* Parses, fills `in` with n_words words, runs. What an assembler's order of the instructions leaves behind must be the
 * same (kernels that read a clock aside). */
void ptx_try_run(struct ptx_try *t, const char *head, const char *body, const uint32_t grid[3], const uint32_t block[3],
		 const void *in, uint32_t n_words, struct trace_writer *w);
/* One CTA of `threads` threads. */
void ptx_try_threads(struct ptx_try *t, const char *body, uint32_t threads, const void *in, uint32_t n_words);
uint32_t *ptx_try_out(const struct ptx_try *t);
void ptx_try_free(struct ptx_try *t);

#endif
