/* Instruction fetch of an SM: an instruction buffer for each warp, one fetch a core cycle, an instruction cache.
 *
 * A warp's next instruction can issue only if it is in the warp's buffer, which holds up to fetch.width instructions
 * that follow one another. A warp whose next one is not there asks for it, and is served in its turn, round robin by
 * warp slot: one warp a core cycle, behind the schedulers' part of it. What the instruction cache has can issue
 * fetch.latency cycles later. What it has not comes over the SM's port of the network, a line for all warps that wait
 * for it, each of which then takes a turn again, ahead of new lookups, without another one. A fetch does not cross a
 * line. A lookup that the cache cannot take (cache/l1.h) is tried again, and holds up what is behind it.
 *
 * An instruction has fetch.inst_bytes bytes; kernels lie one behind the other, each from a line on, above all else in
 * memory. Lines stay from launch to launch. With fetch.width 0 instructions are always there.
 *
 * Source: GPGPU-Sim 4.2, shader_core_ctx::fetch and decode (gpgpu-sim/shader.cc): buffers of two instructions, 8 bytes
 * each for PTX, a fetch of both when the buffer is empty, issue two cycles behind it; il1 of SM2_GTX480. There a lookup
 * that fails lets another warp try.
 */
#ifndef CSIM_SM_FETCH_H
#define CSIM_SM_FETCH_H

#include <stdbool.h>
#include <stdint.h>

#include "cache/l1.h"
#include "sm/kernel.h"

struct fetch_buffer {
	uint64_t code;	/* address of its kernel's first instruction */
	uint32_t pc, n; /* the first instruction of it, and how many; of a warp that waits: what for, and 0 */
};

struct fetch {
	bool on;
	uint32_t width, latency, inst_bytes;
	uint64_t period; /* ticks a core cycle */
	struct l1 cache;
	struct fetch_buffer *buffer; /* by warp slot */
	uint64_t waiting;	     /* warps whose next instruction is not there: */
	uint64_t wanted, arrived;    /* of them those that wait for a lookup, and those whose line has come */
	unsigned last;		     /* the slot served last */
	bool stuck, retry;	     /* the lookup of `last` failed; the cache has changed since */
	struct ticks send_at;	     /* from when on the network may have room, if there is a packet */
};

/* For a machine with fetch.width > 0; one that has not been initialised is off. route: the SM's. */
void fetch_init(struct fetch *f, struct arena *a, const struct machine *m, uint32_t sm, const struct route *route);

static inline bool fetch_has(const struct fetch *f, unsigned slot, uint32_t pc)
{
	return pc - f->buffer[slot].pc < f->buffer[slot].n;
}

void fetch_want(struct fetch *f, unsigned slot, uint32_t pc);

/* The buffer of a warp that begins is empty; code: where its kernel's instructions are. */
static inline void fetch_forget(struct fetch *f, unsigned slot, uint64_t code)
{
	if (f->on)
		f->buffer[slot] = (struct fetch_buffer){.code = code};
}

/* A core cycle's fetch. Returns the slot of the warp whose instructions are in its buffer now, -1 if there is none. */
int fetch_step(struct fetch *f, uint64_t now);

void fetch_reply(struct fetch *f, const struct mem_req *reply);

static inline bool fetch_has_packet(const struct fetch *f)
{
	return f->on && l1_has_packet(&f->cache);
}

/* Hands a packet to the network, if that has room. */
void fetch_send(struct fetch *f, uint64_t now, const struct net_link *to);

/* The next cycle in which there is something to do, as far as that is known; CYCLE_NEVER. */
uint64_t fetch_next(const struct fetch *f, uint64_t now);

#endif
