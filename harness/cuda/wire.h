/* What the CUDA runtime library, in the user's program, and the device, in `locus cuda`, say to each other.
 *
 * The program gets two descriptors, whose numbers are in its environment: a stream socket and a memory file. On the
 * socket each call has one answer, and each is a head with as many bytes behind it as the head says. The memory file
 * holds the device's memory: the byte of device address A is at A - MEMORY_FIRST_BASE (ptx/memory.h). So data cross no
 * socket: the library copies them where the device has agreed to the ranges. Behind that memory the file has the queue
 * of launches that go ahead of the program (cuda/wire_queue.h): WIRE_LAUNCH alone, without an answer.
 *
 * The device believes nothing of what comes: a program may be hostile, or broken.
 */
#ifndef HARNESS_CUDA_WIRE_H
#define HARNESS_CUDA_WIRE_H

#include <stdint.h>

#include "cuda/include/annotate/locus_calls.h"

#define WIRE_SOCKET  "LOCUS_CUDA_SOCKET" /* the environment's names */
#define WIRE_MEMORY  "LOCUS_CUDA_MEMORY"
#define WIRE_VERSION 6

enum {
	WIRE_WORDS = 12,
	WIRE_SHAPE_WORDS = 9,		  /* of a launch, which say whether it can be made; */
	WIRE_LAUNCH_WORDS,		  /* and its stream */
	WIRE_MAX_PARAMS = 4096,		  /* of a kernel */
	WIRE_MAX_NAME = 1 << 16,	  /* bytes of a mangled name */
	WIRE_MAX_BYTES = (256 << 20) + 64 /* behind a head: a fat binary */
};

/* A stream: its number, which is not 0 but for the default stream, and whether that one waits for it. */
#define WIRE_DEFAULT_STREAM ((uint64_t)1)
static inline uint64_t wire_stream(uint64_t number, int blocking)
{
	return number << 1 | (blocking != 0);
}

/* What an order of the program's is about; on its stream and its event, where it is about these. */
enum wire_order {
	WIRE_SYNC,	  /* the host program waits for all, */
	WIRE_SYNC_STREAM, /* for the stream, */
	WIRE_SYNC_EVENT,  /* for the event */
	WIRE_PASS,	  /* the stream waits for what is ahead of it, and no more */
	WIRE_RECORD,
	WIRE_WAIT,	  /* the stream does, for the event */
	WIRE_DROP_STREAM, /* it is destroyed */
	WIRE_DROP_EVENT
};

/* Words of a call, in order; what is behind it; and after the arrow the answer. A key is an address in the program. */
enum wire_op {
	WIRE_HELLO,	/* version -> struct wire_device behind the answer */
	WIRE_MODULE,	/* behind it a fat binary or PTX -> module; behind an error, what is wrong with it */
	WIRE_FUNCTION,	/* module, key; name behind it */
	WIRE_VARIABLE,	/* module, key, managed; name behind it */
	WIRE_REFERENCE, /* module, key, surface; name behind it: a .texref or .surfref */
	WIRE_KERNEL,	/* key -> struct wire_kernel, then n_params struct wire_param behind the answer */
	/* key, grid xyz, block xyz, dynamic shared bytes, cooperative, stream; parameter block behind it -> whether
	 * launches of the same shape may go ahead; behind the answer, what the kernel printed. If one that went ahead
	 * fails, all later calls are answered by its error. */
	WIRE_LAUNCH,
	/* Stream, and whether the call is asynchronous, at the end of the words of these three. */
	WIRE_ALLOC, /* bytes, a wire_memory -> address */
	WIRE_FREE,  /* address, a wire_memory -> bytes that the host could use, or 0 */
	/* to, bytes from there on, from, likewise, bytes moved, whether a host's side is pageable; a span of 0: that
	 * side is the host's -> whether to call again once they are moved */
	WIRE_COPY,
	WIRE_COPIED,	   /* to, bytes from row to row, from slice to slice; bytes of a row, rows, slices */
	WIRE_SYMBOL,	   /* key -> address, bytes */
	WIRE_POINTER,	   /* address -> a wire_memory, base, bytes */
	WIRE_RESIDENT,	   /* key, threads a CTA, dynamic shared bytes -> CTAs an SM */
	WIRE_VIEW,	   /* key, or 0 for an object, surface; struct wire_view behind it -> handle */
	WIRE_DESTROY_VIEW, /* handle */
	/* All that was launched is done. A wire_order, stream, event -> nanoseconds of copies so far */
	WIRE_ORDER,
	WIRE_ELAPSED,  /* these nanoseconds at an event, the event; a later one likewise -> nanoseconds between them */
	WIRE_HEAP,     /* bytes for kernels' malloc, or 0 -> bytes that it has */
	WIRE_ANNOTATE, /* an enum locus_call; its words behind it */
	WIRE_RING,     /* there is something in the queue; no answer */
	WIRE_OPS
};

enum wire_memory { WIRE_DEVICE, WIRE_HOST, WIRE_MANAGED, WIRE_VARIABLE_MEMORY, WIRE_MANAGED_VARIABLE };

struct wire_call {
	uint32_t op, bytes;
	uint64_t a[WIRE_WORDS];
};
struct wire_answer {
	int32_t error; /* a cudaError */
	uint32_t bytes;
	uint64_t r[4];
};

/* The machine, as cudaGetDeviceProperties is to tell it. Bytes, kHz. */
struct wire_device {
	char name[256];
	uint64_t memory_bytes, memory_free;
	uint32_t capability; /* 80: 8.0 */
	uint32_t sms, warps, ctas, threads, registers, shared_bytes;
	uint32_t core_khz, memory_khz, bus_bits, l2_bytes, l1_enabled;
};

struct wire_kernel {
	uint32_t n_params, param_bytes, registers, shared_bytes, local_bytes, max_threads;
	uint32_t const_bytes;
	uint32_t ptx_version; /* what its PTX was compiled for; 80: 8.0 */
};
struct wire_param {
	uint32_t offset, bytes;
};

/* A texture or a surface: ptx/texture.h says what the members are. */
enum { WIRE_LEVELS = 15 };
struct wire_view {
	uint64_t address, pitch, slice_pitch;
	uint32_t width, height, depth;
	uint32_t format, channels, shape, at[3];
	uint32_t linear, normalized, srgb;
	float border[4];
	uint32_t levels, level_linear;
	float level_bias, level_min, level_max;
	struct {
		uint64_t address, pitch, slice_pitch;
	} level[WIRE_LEVELS];
};

#endif
