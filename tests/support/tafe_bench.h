/* A bench for TAFE's hardware: a byte store that answers its memory port late and holds it up at random, a driver of
 * stores and commands, and a tracker in software that the tables in memory are compared with.
 *
 * The tracker shares nothing with the hardware: it keeps all that was stored, and at the end walks every thread of
 * every CTA through every iteration and looks up what was stored where it reads.
 */
#ifndef TESTS_SUPPORT_TAFE_BENCH_H
#define TESTS_SUPPORT_TAFE_BENCH_H

#include "hw/tafe/tafe.h"

enum { TAFE_BENCH_LINES = 4096 };

struct tafe_launch {
	uint32_t grid[3], block[3];
};

/* An array as the host program registers it. */
struct tafe_array {
	unsigned entry;
	enum tafe_type type;
	uint64_t base;
	uint32_t elements;
	unsigned size;	       /* of an element: 1 << size bytes */
	uint64_t extents, apd; /* lines of the store */
	int32_t m[6], c, ofs;
	uint32_t n;
	uint32_t c_s, c_e;
	const struct tafe_array *nested; /* INDIR_RANGE: what holds the bounds */
	/* all that was stored: per element the least and the largest value, saturated ones apart */
	uint64_t *least, *largest;
	bool *stored, *saturated;
};

struct tafe_bench {
	struct tafe_port port;
	uint64_t cycle, seed;
	unsigned latency;  /* a response comes 1 to 1 + latency cycles after its request */
	unsigned stall_in; /* a request waits one cycle in so many, 2 or more; 0: never */
	unsigned gap_in;   /* so does the driver before a store */
	uint8_t *mem;
	uint64_t first_line; /* of memory: the store's line 0 */
	struct tafe_in in;
	struct tafe_out out; /* of the last step, before its edge */
	struct {
		bool busy;
		uint64_t due, data[8];
	} read[2];								/* by tag */
	uint64_t tracked, missed, unmatched, saturated, reads, writes, stalled; /* events; cycles in which a store
										 * waited */
	void (*watch)(void *ctx, const struct tafe_bench *b); /* after each step, if set; its inputs and outputs are in
							       * b */
	void *watch_ctx;
};

void tafe_bench_init(struct tafe_bench *b, struct tafe_port port, uint64_t seed);
void tafe_bench_free(struct tafe_bench *b);
uint64_t tafe_bench_random(struct tafe_bench *b);

void tafe_bench_step(struct tafe_bench *b);
void tafe_bench_settle(struct tafe_bench *b); /* until nothing is on its way */
void tafe_bench_store(struct tafe_bench *b, uint64_t addr, uint64_t data, unsigned size);
void tafe_bench_setup(struct tafe_bench *b, const struct tafe_launch *l);
/* Writes the APD entry and clears the extents, as the runtime does, then registers. */
void tafe_bench_register(struct tafe_bench *b, struct tafe_array *a, uint32_t ctas);
void tafe_bench_release(struct tafe_bench *b, const struct tafe_array *a, enum tafe_op op);

/* The array's log. */
void tafe_array_init(struct tafe_array *a);
void tafe_array_free(struct tafe_array *a);
/* Stores into the hardware and the log; value may be wider than the element's size allows, then it is cut. */
void tafe_array_store(struct tafe_bench *b, struct tafe_array *a, uint32_t index, uint64_t value);

uint32_t tafe_launch_ctas(const struct tafe_launch *l);
/* How many CTAs read that element, by the relation. */
uint32_t tafe_readers(const struct tafe_launch *l, const struct tafe_array *a, uint32_t index);
/* The extent of a CTA; false: none. */
bool tafe_extent(const struct tafe_launch *l, const struct tafe_array *a, uint32_t tb, uint32_t *min, uint32_t *max);
/* 0, or how many bytes of the table in memory differ from the tracker's. */
size_t tafe_bench_compare(const struct tafe_bench *b, const struct tafe_launch *l, const struct tafe_array *a);

#endif
