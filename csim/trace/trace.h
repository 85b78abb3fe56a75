/* A trace: what a program did, apart from when.
 *
 * A program is a list of launches over buffers that the host program filled. A launch holds one frame per CTA,
 * compressed on its own, so that any CTA can be read alone and in any order; the frames stay in memory up to a limit
 * and go to a spill file above it. A warp's execution is a list of runs: `len` instructions from `pc` on, by the lanes
 * of `mask`. Each memory instruction in a run (space other than PARAM; mask not empty), and each one that sleeps, owns
 * the next record in the warp's list of addresses.
 *
 * Addresses, per lane:
 *   GLOBAL, CONST, TEX  device byte address (CONST: in its own window, see trace_const_base)
 *   SHARED              byte offset in the CTA's shared memory
 *   LOCAL               byte offset in the thread's own local memory (the SM maps it to memory by its warp slot)
 *   SLEEP               for how long the lane sleeps: ns
 * A PARAM access has no record: kernel parameters are uniform and always hit the constant cache.
 *
 * The file format is described in docs/reference/trace-format.md.
 */
#ifndef CSIM_TRACE_TRACE_H
#define CSIM_TRACE_TRACE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "trace/inst.h"

enum { TRACE_WARP_SIZE = 32, TRACE_MAX_WARPS = 32 /* of a CTA: 1024 threads */ };

/* ---- what is in a trace ---- */

struct trace_buffer {
	char *name;
	uint64_t base, size; /* bytes; buffers do not overlap */
};

struct trace_store {		/* a store of the host program that the trace records, in program order */
	uint64_t addr, value;	/* value: little endian, zero above `bytes` */
	uint32_t bytes;		/* 1 2 4 8 */
	uint32_t before_launch; /* it happens before this launch (may be the number of launches) */
};

/* A copy by the host program's runtime, or a filling, in program order; the cycle model passes over it. */
enum trace_copy_kind { TRACE_TO_DEVICE, TRACE_TO_HOST, TRACE_ON_DEVICE, TRACE_FILL, TRACE_COPY_KINDS };
struct trace_copy {
	uint64_t to, from; /* the first byte's address on the device; 0: that side is the host's, or there is none */
	uint64_t bytes;	   /* that are moved; of rows with gaps between them, without the gaps */
	enum trace_copy_kind kind;
	uint32_t before_launch; /* as of a store; which of both came first between two launches is not known */
};

struct trace_launch {
	uint32_t kernel; /* index */
	uint32_t grid[3], block[3];
	uint32_t dynamic_shared_bytes;	   /* beside the kernel's static ones */
	uint32_t n_ctas, warps_per_cta;	   /* CTA id = x + grid[0] * (y + grid[1] * z); thread likewise; 32 threads a
					    * warp */
	uint64_t warp_insts, thread_insts; /* of the whole launch */
	uint32_t below;			   /* it begins when all launches before this number have ended (its own: all
					    * that come before it), ... */
	uint32_t n_waits;		   /* ... and those of trace_waits() */
	uint64_t first_wait;
};
enum { TRACE_MAX_WAITS = 128 }; /* of a launch */

/* ---- synchronisation ---- */

/* Some accesses of a launch order its warps: loads that wait for a flag, atomics that take a lock, and the stores and
 * atomics whose values these see. The trace says of each what it saw, as numbers of modifications and without values.
 *
 * A word's modifications are numbered from 0 in the order in which the program was executed. An access with need = n
 * saw the value after the first n of them: whoever replays the trace performs it again until these n have been
 * performed, in whichever order. `insts` says from where on: from so many instructions before, which is the beginning
 * of a loop that waits, or, for insts = 1, the access alone. An attempt that fails executes the runs of `tail` and
 * begins anew; these are not in the warp's own runs, and none of their instructions accesses memory. Of its failed
 * attempts the first one sleeps for `sleep` number first_sleep besides, the next one for the next, and all from number
 * n_sleeps on for the last of them (ns). If an iteration has several accesses with a need, the last one decides for
 * all: it alone has insts > 0. */
struct trace_sync_word {
	uint64_t addr; /* device byte address; of shared memory: byte offset in that of the CTA */
	uint32_t cta;  /* whose shared memory; TRACE_SYNC_GLOBAL: none's */
	uint32_t n;    /* modifications in the launch */
};
#define TRACE_SYNC_GLOBAL UINT32_MAX

struct trace_sync_item {   /* an access and one of its words */
	uint32_t word;	   /* index into the launch's words */
	uint32_t need;	   /* <= the word's n; 0: it need not wait */
	uint32_t first, n; /* its own modifications: first .. first + n - 1; n = 0: it only reads */
};

struct trace_sync_access {
	uint32_t warp, access;	      /* the record of addresses with this number among the warp's, from 0 */
	uint32_t first_item, n_items; /* n_items >= 1 */
	uint32_t insts, records;      /* instructions of an attempt, up to and with this access, and address records of
				     * these; both 0: it decides nothing */
	uint32_t first_tail, n_tail;  /* runs that an attempt executes when it has failed */
	uint32_t first_sleep, n_sleeps;
};

struct trace_sync { /* of a launch */
	struct trace_sync_word *word;
	struct trace_sync_item *item;
	struct trace_run *tail;
	uint32_t *sleep;		  /* ns */
	struct trace_sync_access *access; /* by CTA, warp and number, ascending */
	uint32_t *first_access;		  /* of each CTA; n_ctas + 1 elements */
	uint32_t n_words, n_items, n_tails, n_sleeps, n_accesses;
};

/* ---- one CTA, decoded ---- */

struct trace_run {
	uint32_t pc, len; /* len >= 1 */
	uint32_t mask;	  /* lanes; bit 0 = lane 0; may be 0 (a predicated-off instruction still issues) */
};

/* The addresses of one memory instruction. Affine form, when list == TRACE_AFFINE:
 *   lane l, active:  base + (l mod 2^shift) * sx + (l >> shift) * sy,   0 <= shift <= 5
 * (a row of a two-dimensional block is 2^shift lanes wide). Otherwise the active lanes' addresses, lowest lane first,
 * are in the CTA's `lanes` from index `list` on. */
struct trace_addr {
	uint64_t base;
	int32_t sx, sy;
	uint32_t list;
	uint32_t shift;
};
#define TRACE_AFFINE UINT32_MAX

/* As a CTA has it: of what a large machine's SMs hold, records are the most, and each is read once, from far away. So
 * it is a word: in the low bits the number of a shape, which records share, above them `base`, with a sign; or
 * TRACE_LISTED and `list`. What does not fit is a list. */
typedef uint64_t trace_packed_addr;
struct trace_shape {
	int32_t sx, sy;
	uint32_t shift;
};
enum { TRACE_SHAPE_BITS = 16, TRACE_LISTED = (1 << TRACE_SHAPE_BITS) - 1, TRACE_MAX_SHAPES = TRACE_LISTED };

struct trace_warp {
	uint32_t first_run, n_runs;
	uint32_t first_addr, n_addrs;
	uint32_t insts; /* sum of len */
};

struct trace_cta { /* arrays grow as needed and are reused from CTA to CTA; zero-initialise, free with trace_cta_free */
	trace_packed_addr *addrs;
	struct trace_shape *shapes;
	uint64_t *lanes;
	struct trace_run *runs;
	uint32_t id, n_warps;
	struct trace_warp warp[TRACE_MAX_WARPS];
	uint32_t n_runs, n_addrs, n_shapes, n_lanes, cap_runs, cap_addrs, cap_shapes, cap_lanes;
	struct pool *pool; /* where the arrays are (base/pool.h); NULL: on the heap */
	void *scratch;	   /* of the decoder, on the heap: NULL, and it is made anew */
	size_t cap_scratch;
};
void trace_cta_free(struct trace_cta *c);

/* Record i of the CTA. */
static inline struct trace_addr trace_addr_at(const struct trace_cta *c, uint32_t i)
{
	uint32_t shape = c->addrs[i] & TRACE_LISTED;
	int64_t base = (int64_t)c->addrs[i] >> TRACE_SHAPE_BITS;
	const struct trace_shape *s;

	if (shape == TRACE_LISTED)
		return (struct trace_addr){.list = (uint32_t)base};
	s = &c->shapes[shape];
	return (struct trace_addr){(uint64_t)base, s->sx, s->sy, TRACE_AFFINE, s->shift};
}

/* Writes its addresses of the active lanes of `mask`, by lane number, into out[32]; the other elements are left
 * alone. */
void trace_addr_expand(const struct trace_cta *c, uint32_t i, uint32_t mask, uint64_t out[TRACE_WARP_SIZE]);

/* ---- reading ---- */

struct trace;

/* Any number of bytes of hostile input is safe: counts and offsets are checked against the file's size before memory is
 * taken. */
struct trace *trace_open(const char *path, struct err *e);
void trace_close(struct trace *t);

const char *trace_name(const struct trace *t); /* e.g. "syrk 1024x1024" */
uint64_t trace_hash(const struct trace *t);    /* of all content but the name */
uint32_t trace_n_kernels(const struct trace *t);
const struct trace_kernel *trace_kernel(const struct trace *t, uint32_t i);
uint32_t trace_n_launches(const struct trace *t);
const struct trace_launch *trace_launch(const struct trace *t, uint32_t i);
/* Launches that it waits for beside those below l->below: l->n_waits of them, ascending, none of them below. */
const uint32_t *trace_waits(const struct trace *t, const struct trace_launch *l);
bool trace_is_in_order(const struct trace *t); /* each launch waits for all before it */
/* Accesses of launch i that order its warps; NULL: there are none. */
const struct trace_sync *trace_sync(const struct trace *t, uint32_t i);
/* SMs of the machine that the program was executed for, if its kernels read their number or CTAs waited for one
 * another: on another machine the program may do something else. 0: neither is so. */
uint32_t trace_sms(const struct trace *t);
/* Diverged lanes of a warp went on in turns, as some machines' do (sm.independent_lanes); on others the program would
 * not have ended. */
bool trace_independent_lanes(const struct trace *t);
/* Whether a machine with so many SMs and such lanes can run it: if not, -1 and an error. */
int trace_check_machine(const struct trace *t, uint32_t sms, bool independent_lanes, struct err *e);
uint32_t trace_n_buffers(const struct trace *t);
const struct trace_buffer *trace_buffer(const struct trace *t, uint32_t i);
int trace_buffer_of(const struct trace *t, uint64_t addr); /* index, or -1 */
uint64_t trace_n_stores(const struct trace *t);
const struct trace_store *trace_store(const struct trace *t, uint64_t i);
uint64_t trace_n_copies(const struct trace *t);
const struct trace_copy *trace_copy(const struct trace *t, uint64_t i);
uint64_t trace_const_base(const struct trace *t); /* device address of the constant window */
/* Where the model may put memory of its own (local memory, scratch): above everything that the program can address, at
 * a multiple of 1 MB and of `page` (bytes, a power of two), so that no page holds some of both. */
uint64_t trace_local_base(const struct trace *t, uint64_t page);
/* Buffers that the model counts one by one; accesses to further ones count under "none". */
uint32_t trace_counted_buffers(const struct trace *t);
/* Bytes of all frames: compressed, before compression, and how many of the compressed ones are held in memory. */
struct trace_sizes {
	uint64_t stored, raw, in_memory;
};
struct trace_sizes trace_sizes(const struct trace *t);

/* Decodes one CTA. Safe to call from several threads on one trace with different `out`. What comes back can be trusted,
 * whatever the file held: each warp has a run; runs are within the kernel and have lanes that exist; records match the
 * runs' memory instructions one to one; shifts and lists are within bounds; each access of trace_sync() has its record,
 * is of its words' memory, and begins its attempt in the warp. Not checked are the addresses themselves, and that a
 * launch's totals add up. */
int trace_read_cta(struct trace *t, uint32_t launch, uint32_t cta, struct trace_cta *out, struct err *e);

/* ---- writing ---- */

/* Control characters in the names that a writer gets become '?'. */
struct trace_writer;

struct trace_options {
	const char *name;
	const char *path;      /* NULL: not kept; frames stay in memory, then in an unlinked spill file */
	uint64_t memory_limit; /* bytes of compressed frames held in memory; 0: the default of 256 MiB */
};

struct trace_writer *trace_writer_new(const struct trace_options *o, struct err *e);
uint32_t trace_add_kernel(struct trace_writer *w, const struct trace_kernel *k); /* copied; returns its index */
int trace_add_buffer(struct trace_writer *w, const char *name, uint64_t base, uint64_t size, struct err *e);
void trace_set_name(struct trace_writer *w, const char *name); /* once it is known: a workload knows its sizes late */
void trace_set_const_base(struct trace_writer *w, uint64_t base);
void trace_set_sms(struct trace_writer *w, uint32_t sms); /* as trace_sms() */
void trace_set_independent_lanes(struct trace_writer *w); /* likewise */
void trace_add_store(struct trace_writer *w, uint64_t addr, uint32_t bytes, uint64_t value);
void trace_add_copy(struct trace_writer *w, const struct trace_copy *c); /* before the next launch, whatever c says */
/* What the next launch waits for, as struct trace_launch has it; else it waits for all before it. n <=
 * TRACE_MAX_WAITS. */
void trace_set_waits(struct trace_writer *w, uint32_t below, uint32_t n, const uint32_t *launch);
/* Opens a launch; its CTAs follow in ascending order, each between trace_cta_begin and trace_cta_end. */
int trace_launch_begin(struct trace_writer *w, uint32_t kernel, const uint32_t grid[3], const uint32_t block[3],
		       uint32_t dynamic_shared_bytes, struct err *e);
void trace_cta_begin(struct trace_writer *w, uint32_t cta);
/* Bytes that the log of one CTA may take before trace_put_run() says so; 0, as at first: any number. */
void trace_set_log_limit(struct trace_writer *w, uint64_t bytes);
/* Warp `warp` of the CTA executes inst[pc .. pc+len) with `mask`. Adjacent runs of one mask are joined. True: the CTA's
 * log has grown beyond the limit. */
bool trace_put_run(struct trace_writer *w, uint32_t warp, uint32_t pc, uint32_t len, uint32_t mask);
/* The addresses of a memory instruction of that warp, in execution order; addr[] by lane number, inactive ones ignored.
 * Not called for PARAM accesses nor for an empty mask. */
void trace_put_addrs(struct trace_writer *w, uint32_t warp, uint32_t mask, const uint64_t addr[TRACE_WARP_SIZE]);
bool trace_log_is_full(const struct trace_writer *w); /* the same, of the open CTA */
/* Where the log of a warp of the open CTA ends: runs, instructions of the last one, address records. */
struct trace_mark {
	uint64_t runs, records;
	uint32_t last;
};
struct trace_mark trace_log_end(const struct trace_writer *w, uint32_t warp);
/* What a warp has executed from the mark on: the runs, of which *n are written to `out`, no more than `room`. False:
 * there are more. */
bool trace_log_since(const struct trace_writer *w, uint32_t warp, const struct trace_mark *from, struct trace_run *out,
		     uint32_t room, uint32_t *n);
/* Whether the warp executed these runs, the first of which may be the end of a longer one, right before the mark, with
 * the addresses with which it executed them from there on, however long it slept; *from: where they begin. */
bool trace_log_repeats(const struct trace_writer *w, uint32_t warp, const struct trace_mark *mark, const struct trace_run *run,
		       uint32_t n, struct trace_mark *from);
/* Of a record of the warp's log that is the same for all lanes. */
uint64_t trace_log_record(const struct trace_writer *w, uint32_t warp, uint64_t record);
/* The log of the warp ends at the mark again. */
void trace_log_cut(struct trace_writer *w, uint32_t warp, const struct trace_mark *to);
int trace_cta_end(struct trace_writer *w, struct err *e);
/* A CTA that waits for others: its log is put aside, another CTA begins or goes on, and it goes on later. CTAs begin in
 * ascending order all the same, and end in it. Resuming frees what parking gave; so does dropping. */
struct trace_parked;
struct trace_parked *trace_cta_park(struct trace_writer *w);
void trace_cta_resume(struct trace_writer *w, struct trace_parked *p);
void trace_parked_drop(struct trace_parked *p); /* NULL: nothing */
/* Ahead of trace_launch_end: the accesses that order the launch's warps. Copied. */
void trace_set_sync(struct trace_writer *w, const struct trace_sync *s);
int trace_launch_end(struct trace_writer *w, struct err *e);
/* What was written so far, between two launches: the writer's own, which can be read until it is written to again. NULL
 * on error. */
struct trace *trace_writer_so_far(struct trace_writer *w, struct err *e);
uint64_t trace_writer_bytes(const struct trace_writer *w); /* compressed so far */
/* Ends the writing; the trace is complete on disk if there is a path, and can be read in either case. Frees w. NULL on
 * error. */
struct trace *trace_writer_finish(struct trace_writer *w, struct err *e);
void trace_writer_drop(struct trace_writer *w); /* give up: removes a half-written file */

#endif
