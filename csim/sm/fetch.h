/* Instruction fetch of an SM: an instruction buffer for each warp, an instruction cache, and L0s ahead of it.
 *
 * A warp's next instruction can issue only if it is in the warp's buffer, which holds up to fetch.width instructions
 * that follow one another. An instruction has fetch.inst_bytes bytes; those that are not issued (sm.fold) have none.
 * Kernels lie one behind the other, each from a line on, above all else in memory. Lines stay from launch to launch.
 * With fetch.width 0 instructions are always there.
 *
 * Without L0s an SM fetches for one warp a core cycle, behind the schedulers' part of it. A warp whose next instruction
 * is not in its buffer asks for it, and is served in its turn, round robin by warp slot; a fetch brings as many as the
 * buffer holds. What the instruction cache has can issue fetch.latency cycles later. What it has not comes over the
 * SM's port of the network, a line for all warps that wait for it, each of which then takes a turn again, ahead of new
 * lookups, without another one. A fetch does not cross a line. A lookup that the cache cannot take (cache/l1.h) is
 * tried again, and holds up what is behind it. Source: GPGPU-Sim 4.2, shader_core_ctx::fetch and decode
 * (gpgpu-sim/shader.cc): buffers of two instructions, 8 bytes each for PTX, a fetch of both when the buffer is empty,
 * issue two cycles behind it; il1 of SM2_GTX480. There a lookup that fails lets another warp try.
 *
 * With L0s each scheduler has one of its own (sm/l0.h), and fetches an instruction a core cycle ahead of what issues,
 * for a warp that has room for it: the scheduler's choice among these, as if they were to issue (GTY: the warp that
 * issued last, else the youngest). It can issue fetch.latency cycles later, at the earliest. Fetches go on in the
 * order of the code, past branches and up to the kernel's end; where a warp goes elsewhere its buffer is emptied. A
 * warp whose line is not there waits until it has come, and has its instruction in its next turn. Lines that the L0s
 * ask for are looked up in the instruction cache, one a cycle, round robin by L0, and are in the L0 l0.latency
 * cycles behind that, or behind their arrival from the network. Source: Huerta et al., "Dissecting and Modeling the
 * Architecture of Modern GPU Cores" (MICRO 2025), section 5.2: buffers of three. Its fetch of a cycle is that of a warp
 * that issued in the cycle before, and issue two cycles behind; here it is that of the cycle itself, so that
 * fetch.latency is 3.
 */
#ifndef CSIM_SM_FETCH_H
#define CSIM_SM_FETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/l1.h"
#include "sm/inst/kernel.h"
#include "sm/l0.h"

enum { FETCH_MOST_AHEAD = 8 };

struct fetch_buffer {
	uint64_t code; /* address of its kernel's first instruction */
	uint32_t end;  /* place behind its last one */
	/* the place (struct core_inst) of its first instruction, and how many; of a warp that waits: what for, and 0 */
	uint32_t place, n;
	uint64_t at[FETCH_MOST_AHEAD]; /* with L0s: the cycles from which they can issue, by place, a ring */
};

struct fetch_line { /* on its way to an L0 */
	uint64_t at, line;
	uint32_t to;
};

/* What the L0s share. */
struct fetch_l0s {
	uint32_t n;	     /* 0: there are none */
	uint32_t latency;    /* core cycles */
	uint32_t mask;	     /* of the buffers' rings */
	struct l0 *l0;	     /* by scheduler */
	uint64_t room;	     /* warps for which an instruction can be fetched: */
	uint64_t here;	     /* of them, those whose line has come; */
	uint64_t missed;     /* warps that wait for a line; */
	uint64_t full;	     /* of them, those for which the L0 could not ask */
	uint32_t requesting; /* L0s that have a request */
	uint32_t turn;	     /* the L0 that the instruction cache served last: if `stuck`, with this line */
	uint64_t line;
	struct fetch_line *coming; /* ring, in the order of their times */
	uint32_t head, tail, coming_mask;
};

struct fetch {
	bool on;
	uint32_t width, latency, inst_bytes;
	uint64_t period;	     /* ticks a core cycle */
	struct fetch_buffer *buffer; /* by warp slot */
	struct fetch_l0s l0s;
	uint64_t waiting;	  /* warps whose next instruction is not there, or, with L0s, not decoded yet: */
	uint64_t wanted, arrived; /* of them those that wait for a lookup, and those whose line has come */
	unsigned last;		  /* the slot served last */
	bool stuck, retry;	  /* the lookup of `last` failed; the cache has changed since */
	struct ticks send_at;	  /* from when on the network may have room, if there is a packet */
	struct l1 cache;
};

/* For a machine with fetch.width > 0; one that has not been initialised is off. route: the SM's. */
void fetch_init(struct fetch *f, struct arena *a, const struct machine *m, uint32_t sm, const struct route *route);

static inline uint64_t fetch_address(const struct fetch *f, const struct fetch_buffer *b, uint32_t place)
{
	return b->code + (uint64_t)place * f->inst_bytes;
}

static inline bool fetch_has(const struct fetch *f, unsigned slot, uint32_t place)
{
	return place - f->buffer[slot].place < f->buffer[slot].n;
}

void fetch_want(struct fetch *f, unsigned slot, uint32_t place);

/* The buffer of a warp that begins, at that place of the kernel, is empty. */
void fetch_begin(struct fetch *f, unsigned slot, const struct core_kernel *k, uint32_t place);

/* A core cycle's fetch without L0s. Returns the slot of the warp whose instructions are in its buffer now, -1 if there
 * is none. */
int fetch_step(struct fetch *f, uint64_t now);

/* ---- with L0s (fetch_l0s.c) ---- */

void fetch_l0s_init(struct fetch *f, struct arena *a, const struct machine *m);

/* The cycle from which the first instruction of its buffer, which has one, can issue. */
static inline uint64_t fetch_decoded(const struct fetch *f, unsigned slot)
{
	const struct fetch_buffer *b = &f->buffer[slot];

	return b->at[b->place & f->l0s.mask];
}

/* The warp has issued, and goes on at `place`. */
void fetch_goes_on(struct fetch *f, unsigned slot, uint32_t place);
/* Likewise, but it may be the same place again. */
void fetch_jumps(struct fetch *f, unsigned slot, uint32_t place);
void fetch_ends(struct fetch *f, unsigned slot);

/* Lines that have come by core cycle `now`, ahead of the cycle's fetches; own: slots by scheduler. */
void fetch_take_lines(struct fetch *f, uint64_t now, const uint64_t *own);
/* The scheduler's fetch, for a warp of l0s.room; says whether the warp's next instruction, for which it waited, is in
 * its buffer now. */
bool fetch_for(struct fetch *f, unsigned scheduler, unsigned slot, uint64_t now);
/* The instruction cache's lookup for the L0s, behind their fetches. */
void fetch_request(struct fetch *f, uint64_t now);
void fetch_answer(struct fetch *f, uint64_t now, uint64_t line, uint32_t to);
/* Sum over the L0s. */
struct l0_stats fetch_l0_stats(const struct fetch *f);
/* Lines on their way to the L0s, those that they have not asked for yet included. */
uint64_t fetch_l0_in_flight(const struct fetch *f);
uint64_t fetch_l0s_next(const struct fetch *f, uint64_t now);

/* ---- both ---- */

void fetch_reply(struct fetch *f, uint64_t now, const struct mem_req *reply);

static inline bool fetch_has_packet(const struct fetch *f)
{
	return f->on && l1_has_packet(&f->cache);
}

/* Hands a packet to the network, if that has room. */
void fetch_send(struct fetch *f, uint64_t now, const struct net_link *to);

/* The next cycle in which there is something to do, as far as that is known; CYCLE_NEVER. */
uint64_t fetch_next(const struct fetch *f, uint64_t now);

#endif
