/* What the host program stored, in program order: runs of neighbouring elements, and their values as bytes.
 *
 * Initialising an array from its first element to its last is one run, whatever its length: a store costs its own
 * bytes. A store that does not follow the last one, or whose value is made by more or fewer instructions, starts a run,
 * 32 bytes more.
 */
#ifndef CSIM_TAF_STORES_H
#define CSIM_TAF_STORES_H

#include <stdbool.h>
#include <stdint.h>

struct taf_store {
	uint64_t addr, value; /* value: little endian, zero above `bytes` */
	uint32_t bytes;	      /* 1 2 4 8 */
	uint32_t insts;	      /* that make the value */
};

struct taf_run { /* n stores of `bytes` each, one after the other */
	uint64_t addr, n;
	uint64_t at; /* of its first value in taf_stores.value */
	uint32_t bytes, insts;
};

struct taf_stores {
	struct taf_run *run;
	uint64_t n_runs, cap_runs;
	uint8_t *value;
	uint64_t n_bytes, cap_bytes;
	uint64_t n;	/* stores */
	uint32_t insts; /* of the stores that will be added: by which the program makes each value */
};

void taf_stores_free(struct taf_stores *s);
/* n stores of `bytes` each to addr, addr + bytes, ...; value: their bytes. */
void taf_stores_add(struct taf_stores *s, uint64_t addr, uint32_t bytes, uint64_t n, const void *value);

/* Reading from store 0 on: zero-initialise the place. False behind the last. */
struct taf_stores_at {
	uint64_t run, i;
};
bool taf_stores_next(const struct taf_stores *s, struct taf_stores_at *at, struct taf_store *out);

/* How many of the elements [base, base + n * size) a store has touched, wholly or in part. */
uint64_t taf_stores_cover(const struct taf_stores *s, uint64_t base, uint64_t n, uint32_t size);
/* Number of the last store that touches [base, limit), + 1; 0: none does. */
uint64_t taf_stores_last(const struct taf_stores *s, uint64_t base, uint64_t limit);
/* Plays the stores back: bytes [base, limit) as they are after all of them, into out[limit - base], which the caller
 * has cleared.
 */
void taf_stores_replay(const struct taf_stores *s, uint64_t base, uint64_t limit, uint8_t *out);

#endif
