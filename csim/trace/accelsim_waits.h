/* Private to csim/trace/accelsim*.c: loops of a recorded launch in which a warp waits for another one, and the accesses
 * that order the launch's warps in their place (struct trace_sync).
 *
 * Accel-Sim's traces have no values, and no order between warps. A loop is taken for a wait because of its iterations,
 * and the modification that ends it is inferred from all modifications of the words that it reads.
 *
 * Iterations. At least three in a row, each from the target of a backward branch on, have the same PCs, lanes and
 * addresses. One has at most 256 instructions, 16 polls and 128 words of 4 bytes that these read. A poll is a global
 * load, or an ATOM.CAS or ATOM.EXCH on global memory: as the value is not known, it is taken for an attempt to get a
 * lock if none of its registers depends on what the loop reads, else for an update that is tried again. Stores, other
 * atomics, barriers, exits of lanes, and accesses to shared and texture memory do not occur in a wait.
 *
 * Attempt. These iterations are attempts that failed. The one that succeeds follows them; if it does not have all
 * their polls, it is the last of them.
 *
 * Release. A wait is released by one modification, a store or an atomic: the last one of a polled word, by another
 * warp, that does not itself wait for this warp.
 *   none      No other warp modifies a polled word, or does so only where a barrier puts it before the loop.
 *   several   More than one other warp does, or lanes of this warp that are not in the loop do. Which of them comes
 *             last is not known.
 * In both cases the wait is kept: its iterations stay as they were recorded.
 *
 * A modification waits for a warp if it comes after one of that warp's waits in the following order. All warps execute
 * until a wait holds them, or a barrier whose CTA is held by one. A wait is released by the last modification of the
 * other warp when that has been made. Before, the other warp is held by a further wait, and so on. Waits that hold one
 * another in a circle are released by the last modification that each other warp has made so far, if it is a new one,
 * which has not released a wait of this warp before. The others of the circle go on to be held. If no modification is
 * new, the old ones release; if there is none at all, the circle is kept. So each modification precedes the waits that
 * it releases, and waits never depend on one another in a cycle.
 *
 * Memory and time are bounded: a launch has at most so many waits, words and modifications of them, and the search for
 * circles takes time in proportion to these. Waits beyond that are kept.
 */
#ifndef CSIM_TRACE_ACCELSIM_WAITS_H
#define CSIM_TRACE_ACCELSIM_WAITS_H

#include "trace/accelsim_impl.h"

enum { LOOP_LONGEST = 256, LOOP_RING = 1024, LOOP_POLLS = 16, LOOP_WORDS = 128, LOOP_HEADS = 4 };
#define WAITS_NONE UINT32_MAX

/* ---- of a launch ---- */

enum loop_state { LOOP_OPEN, LOOP_RELEASED, LOOP_KEPT };

/* A wait. Positions count the warp's instructions, from 0. */
struct loop {
	uint64_t from, attempt; /* where the attempts that failed begin, and the one that succeeds */
	uint64_t iterations;	/* attempts that failed */
	uint32_t cta, warp;
	uint32_t length, lanes; /* instructions of an iteration, lanes that poll */
	uint32_t first_poll, n_polls;
	uint32_t epoch;		 /* barriers before the loop */
	uint32_t of, by;	 /* actors: the warp that waits, the other warp that modifies its words */
	uint32_t last;		 /* event: the last modification by the other warp */
	uint32_t previous, seen; /* the wait before this one of the same two warps; events that released these begin
				  * below `seen` */
	uint32_t depth;		 /* in the search for circles, from 1; 0: not in it */
	uint32_t event;		 /* the modification that releases it */
	uint32_t offset;	 /* in the iteration, of the poll that sees it */
	uint32_t first_tail, n_tail, records;
	enum loop_state state;
};

struct polled {
	uint32_t word, offset; /* offset: in the iteration, of the last poll that reads the word */
};

struct modifier { /* a warp that modifies a word */
	uint32_t actor, lanes;
	uint32_t last, made; /* events: its last modification, the last one that it has made so far */
	uint32_t number, n;  /* modifications that release a wait: their word in struct trace_sync, their count */
};

struct word { /* that a loop polls */
	uint64_t addr;
	uint32_t loop, poll; /* the last loop that polls it, and where that lists it */
	uint32_t n;	     /* modifiers */
	bool several;	     /* there are more than two modifiers */
	struct modifier by[2];
};

struct event { /* of a warp: it modifies a word for the last time before something else may hold it, or waits */
	uint64_t at;
	uint32_t epoch, of; /* the word or the loop */
	uint32_t number;    /* of a modification that releases a wait, among those of its word and warp */
	bool waits, releases;
};

struct actor { /* a warp that has events */
	uint32_t cta, warp;
	uint32_t first, end, next; /* events; the one that comes next */
};

struct mark { /* an access that orders warps */
	uint64_t at;
	uint32_t cta, warp, actor; /* actor: of a modification */
	uint32_t of;		   /* the event or the loop */
	bool waits;
};

/* ---- of the warp whose lines are read ---- */

struct seen {		/* an instruction */
	uint64_t print; /* of its PC, lanes and addresses */
	uint32_t mask;
	uint16_t reg[ACCELSIM_MAX_REGS];
	uint8_t ndst, nsrc, kind;
};

struct poll {
	uint64_t at;
	uint32_t mask, width;
	uint64_t addr[TRACE_WARP_SIZE];
};

struct finder {
	uint64_t at, floor; /* position; nothing before the floor is looked at again */
	uint64_t last_pc, effect, polls;
	bool branched, in_loop, is_counted; /* is_counted: there is no more room for the loop that it is in */
	struct loop loop;
	struct {
		uint64_t pc, at;
	} head[LOOP_HEADS];
	unsigned n_heads;
	uint64_t factor[TRACE_WARP_SIZE];
	struct seen seen[LOOP_RING];
	struct poll poll[LOOP_POLLS];
};

struct sass_waits {
	struct finder find;
	struct loop *loop;
	struct polled *polled;
	struct word *word;
	struct event *event;
	struct actor *actor;
	struct mark *mark;
	uint32_t *slot; /* of a table of words by address: the word's number + 1, or 0 */
	uint32_t n_loops, n_polled, n_words, n_slots, n_events, n_actors, n_marks;
	uint64_t kept, kept_loops; /* iterations and loops that stay as recorded */

	/* of the warp whose lines are read again */
	uint64_t at;
	uint32_t cta, warp, next_loop, next_mark, epoch, held, now;
	/* held: the first event behind what may hold the warp; now: its actor, or WAITS_NONE */
	bool full, changed;
	uint32_t records; /* of addresses */
	uint32_t begun;	  /* the CTA's first access that orders warps */
	struct trace_sync sync;
};

struct sass_waits *sass_waits_new(void);
void sass_waits_free(struct sass_waits *w);

/* accelsim_loops.c, first reading: a warp begins, executes that instruction, ends. */
void sass_waits_find_begin(struct sass_waits *w, uint32_t cta, uint32_t warp);
void sass_waits_find(struct sass_waits *w, const struct sass *i, unsigned space, uint32_t mask);
void sass_waits_find_end(struct sass_waits *w);
/* Words that a lane accesses. */
static inline uint32_t sass_words(uint32_t width)
{
	return width < 4 ? 1 : width / 4;
}
/* The number of a polled word; WAITS_NONE: it is none. */
uint32_t sass_waits_word(const struct sass_waits *w, uint64_t addr);

/* The first loop at or behind that warp. */
uint32_t sass_waits_first_loop(const struct sass_waits *w, uint32_t cta, uint32_t warp);

/* accelsim_order.c, if there are loops: after the first reading, in a further one, and after that. */
void sass_waits_order_open(struct sass_waits *w);
void sass_waits_order_begin(struct sass_waits *w, uint32_t cta, uint32_t warp);
void sass_waits_order(struct sass_waits *w, const struct sass *i, unsigned space, uint32_t mask);
void sass_waits_decide(struct sass_waits *w);

/* accelsim_waits.c, while the launch is written: false, and the instruction is left out. number: of the static one. */
void sass_waits_write_begin(struct sass_waits *w, uint32_t cta, uint32_t warp);
bool sass_waits_write(struct sass_waits *w, uint32_t number, unsigned space, uint32_t mask);
/* False: the file is not what it was. */
bool sass_waits_write_end(struct sass_waits *w);
void sass_waits_cta_end(struct sass_waits *w, uint32_t cta);
/* Before the first CTA is written, and before trace_launch_end(). */
void sass_waits_write_open(struct sass_waits *w, uint32_t n_ctas);
void sass_waits_put(struct sass_waits *w, struct trace_writer *to);

#endif
