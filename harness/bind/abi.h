/* The C ABI of a Verilated block: what a built block.so exports, as one table found by the name `locus_block`.
 *
 * Values travel in arrays of 64-bit words, one array a side (inputs, outputs, registers). A field of w bits takes
 * ceil(w / 64) words, low word first, unused bits 0; the offsets are those of bind_layout (fields.h), which the golden
 * twin's description gives, so the two sides can be compared with memcmp.
 *
 * A step of a clocked block is eval (inputs in, outputs before the edge out) and then edge (registers after it). A
 * combinational block has no edge; `bulk` evaluates up to `lanes` independent inputs at once.
 * An instance has a Verilator context of its own: instances may run on different threads. Plain C, included by the shim
 * too.
 */
#ifndef HARNESS_BIND_ABI_H
#define HARNESS_BIND_ABI_H

#include <stddef.h>
#include <stdint.h>

#define BIND_ABI_VERSION 3

enum { BIND_TEXT = 96 }; /* characters of a transaction's text in a wave */

/* What became of an instance's assertions. */
struct bind_assertions {
	const uint64_t *cycle;	/* where its owner keeps the cycle, for bulk() that of each row; NULL: nowhere */
	uint64_t failed;	/* so far; after BIND_ASSERTIONS_MAX of them assertions are off */
	uint64_t first_cycle;	/* of the first that failed */
	const char *first_file; /* likewise, as the library names it; NULL: none failed */
	int first_line;
};
enum { BIND_ASSERTIONS_MAX = 20 };

struct bind_abi {
	uint32_t version;
	uint32_t lanes;	  /* 1, or how many inputs bulk() takes at once */
	uint32_t clocked; /* has clk_i and rst_i */
	uint32_t in_words, out_words, reg_words;
	/* Registers, by name and width. The mask has reg_words words: the bits of the golden twin's that this RTL has
	 * too, which are what is compared. same_state: it has all of them, and no other, so that what get_regs
	 * gives is the whole state. alone: a line for each register that is on one side alone, "" if there is none. */
	uint32_t regs; /* how many are on both sides */
	uint32_t same_state;
	const uint64_t *reg_mask;
	const char *alone;
	/* The values of state registers that have names in the RTL, a line a register: its path, the bits of a value,
	 * then VALUE=NAME (decimal), separated by blanks: "inv.state_q 3 0=IDLE 1=REQUEST" (states.h). "": none. */
	const char *states;

	/* seed 0: all that is not initialised starts at 0; else at random bits of that seed, which is less than
	 * 2^31 - 1 (wants a unique_x build). Assertions hold from the reset on. */
	void *(*create)(uint64_t seed);
	void (*destroy)(void *m);
	void (*reset)(void *m); /* one cycle with rst_i high, the other inputs as they were */
	void (*eval)(void *m, const uint64_t *in, uint64_t *out);
	void (*edge)(void *m, uint64_t *reg);				      /* reg may be NULL */
	void (*bulk)(void *m, unsigned n, const uint64_t *in, uint64_t *out); /* n <= lanes; rows of in_words and
									       * out_words */
	void (*get_regs)(void *m, uint64_t *reg);			      /* words of others stay */
	void (*set_regs)(void *m, const uint64_t *reg);			      /* then the combinational logic settles */
	int (*poke)(void *m, const char *port, uint64_t value); /* an input that the golden twin does not know; -1: none
								 * such */
	/* From now on the model says there what its assertions do. `to` must outlive it or another one replace it. */
	void (*watch)(void *m, struct bind_assertions *to);

	/* Waves; lanes 1 only. wave_golden sets the golden side's signals (NULL: as they were), wave_text the text of
	 * the last transaction (BIND_TEXT characters at most), wave_dump writes all signals at that time, which must
	 * grow; a time unit is a nanosecond and a cycle is ten of them. */
	int (*wave_open)(void *m, const char *path); /* -1: cannot be written */
	void (*wave_golden)(void *m, const uint64_t *out, const uint64_t *reg, int differs);
	void (*wave_text)(void *m, const char *text);
	void (*wave_dump)(void *m, uint64_t time, uint64_t cycle);
	void (*wave_close)(void *m);
};

#endif
