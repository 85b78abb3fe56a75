/* What the trace's own files share: the trace in memory, its kernels' indices, and where its frames are.
 *
 * A writer builds the same `struct trace` that a reader opens, so that "in memory" and "from a file" differ only in
 * where a frame's bytes are fetched from. Byte layouts: docs/reference/trace-format.md.
 */
#ifndef CSIM_TRACE_TRACE_IMPL_H
#define CSIM_TRACE_TRACE_IMPL_H

#include "trace/frame_index.h"
#include "trace/trace.h"

/* Limits of the format: hostile files cannot ask for more. A launch's CTA count is bounded by its index, which the file
 * holds. */
#define TRACE_MAX_FRAME (UINT32_C(256) << 20) /* bytes of one CTA before compression */
enum { TRACE_MAX_THREADS = TRACE_MAX_WARPS * TRACE_WARP_SIZE, TRACE_MAX_NAME = 4096, TRACE_MAX_KERNEL_REGS = 65535 };

/* mem_before[pc]: memory instructions with a record that are before pc; n_inst + 1 elements. So a run owns the records
 * mem_before[pc] .. mem_before[pc + len], and the difference numbers a kernel's memory instructions densely. */
struct kernel_index {
	uint32_t *mem_before;
};

struct chunk { /* compressed frames in memory, back to back */
	struct chunk *next;
	size_t fill, cap;
	uint8_t bytes[];
};

struct trace {
	char *name, *path; /* path: for messages; "trace" when there is no file */
	struct trace_kernel *kernel;
	struct kernel_index *index;
	struct trace_buffer *buffer;
	uint32_t *by_base; /* buffer numbers in ascending base */
	struct trace_store *store;
	struct trace_copy *copy;
	struct trace_launch *launch;
	uint32_t *wait;
	uint64_t *first_frame;	  /* of each launch */
	struct trace_sync **sync; /* of each launch; NULL: no access orders its warps */
	struct frame_index frames;
	uint32_t n_kernels, n_buffers, n_launches;
	uint32_t cap_kernels, cap_buffers, cap_launches;
	uint64_t n_stores, cap_stores, n_copies, cap_copies, n_waits, cap_waits;
	uint64_t const_base, hash;
	bool independent_lanes;
	uint32_t sms; /* 0: on any number of SMs the program does the same */
	struct chunk *chunks;
	int fd; /* file or spill file; -1: none */
};

struct trace *trace_new(void);

/* Makes room for one more element of an array that doubles. */
void *trace_grow(void *array, uint64_t n, uint64_t *cap, size_t item);
void *trace_grow32(void *array, uint32_t n, uint32_t *cap, size_t item);

/* ---- checks.c: what may be in a trace; each returns NULL or what is wrong ---- */

const char *trace_check_kernel(const struct trace_kernel *k);
/* waits: l->n_waits of them; launch: its number. */
const char *trace_check_waits(const struct trace_launch *l, uint32_t launch, const uint32_t *waits);
const char *trace_check_launch(const struct trace_launch *l, uint32_t n_kernels);
const char *trace_check_store(const struct trace_store *s);
const char *trace_check_copy(const struct trace_copy *c);
/* Lanes that exist in a warp of that launch. */
uint32_t trace_warp_lanes(const struct trace_launch *l, uint32_t warp);
/* Fills n_ctas and warps_per_cta in. */
void trace_launch_shape(struct trace_launch *l);
/* Adds a buffer in its place in by_base; -1 if it overlaps another or wraps. */
int trace_insert_buffer(struct trace *t, char *name, uint64_t base, uint64_t size, struct err *e);
/* Takes over the kernel's arrays and indexes them. */
void trace_insert_kernel(struct trace *t, struct trace_kernel k);

/* ---- sync.c ---- */

/* A copy of the table of a launch with so many CTAs, to be freed. */
struct trace_sync *trace_sync_copy(const struct trace_sync *s, uint32_t n_ctas);
void trace_sync_free(struct trace_sync *s); /* NULL: nothing */
/* What is wrong with the table of launch l, apart from its CTAs' frames; NULL: nothing. */
const char *trace_check_sync(const struct trace *t, const struct trace_launch *l, const struct trace_sync *s);

struct run_sum { /* of a warp, before one of its runs */
	uint32_t insts, records;
};
struct run_sums { /* grows as needed */
	struct run_sum *before;
	uint32_t cap;
};
/* What is wrong with the accesses of a decoded CTA; NULL: nothing. */
const char *trace_check_cta_sync(const struct trace *t, uint32_t launch, const struct trace_cta *c, struct run_sums *scratch);

/* ---- affine.c ---- */

/* The affine form of a mask's addresses; tries rows of 2^shift lanes, then one row. False if neither fits. mask !=
 * 0. */
bool trace_addr_fit(const uint64_t addr[TRACE_WARP_SIZE], uint32_t mask, unsigned shift, struct trace_addr *out);
/* As trace_addr_expand() does, of one in affine form. */
void trace_addr_spread(const struct trace_addr *a, uint32_t mask, uint64_t out[TRACE_WARP_SIZE]);

/* ---- frame.c ---- */

struct bytes {
	uint8_t *data;
	size_t n, cap;
};
void bytes_reserve(struct bytes *b, size_t more);

struct pc_state { /* of one memory instruction, over the CTA so far: what its next record is encoded against */
	uint64_t base, delta;
	int32_t sx, sy;
	uint32_t shift;
	uint32_t shape; /* decoding: of sx, sy and shift; TRACE_LISTED: there was no room for it */
};

struct warp_log { /* what the executor said of one warp of the CTA being written */
	struct trace_run *run;
	struct log_addr {
		struct trace_addr a;
		uint32_t mask;
	} * addr;
	uint64_t n_runs, cap_runs, n_addrs, cap_addrs;
};

/* Appends the frame of a CTA to `out`; lanes: where list records of the log point to. Counts instructions into l. */
void frame_encode(const struct trace *t, struct trace_launch *l, const struct warp_log *warp, const uint64_t *lanes,
		  struct pc_state *state, struct bytes *out);
/* Decodes `n` bytes at p, which FRAME_PAD zero bytes follow. Returns NULL or what is wrong. */
enum { FRAME_PAD = 64 };
const char *frame_decode(const struct trace *t, const struct trace_launch *l, const uint8_t *p, size_t n, struct pc_state *state,
			 struct trace_cta *out);

/* ---- tables.c ---- */

/* The lowest that has all that is in it: what is not new is written as it always was. */
uint32_t tables_version(const struct trace *t);
/* Of the content section. Errors: the frames' index cannot be read. */
int tables_hash(const struct trace *t, uint64_t *hash, struct err *e);

/* ---- file.c ---- */

enum {
	TRACE_VERSION_LINES = 2,
	TRACE_VERSION_PRODUCTS = 3, /* and more registers in an instruction than TRACE_2_MAX_REGS */
	TRACE_VERSION_COPIES = 4,
	TRACE_VERSION_OPERATORS = 5, /* of caches */
	TRACE_VERSION_FOLDS = 6,
	TRACE_VERSION_WIDENED = 7, /* loads */
	TRACE_VERSION_WAITS = 8,   /* of launches, for some of those before them */
	TRACE_VERSION_SMS = 9,	   /* of the machine that the program was executed for */
	TRACE_VERSION_SYNC = 10,   /* accesses that order warps */
	TRACE_VERSION = 10,	   /* the latest */
	TRACE_2_MAX_REGS = 10,
	TRACE_HEADER = 64
};
/* Writes the tables behind the frames, which end at `at`, and the header; *hash: of the content section. */
int file_finish(const struct trace *t, uint64_t at, uint64_t *hash, struct err *e);
/* A file without a name in the folder for temporary files; -1 on an error. */
int file_nameless(struct err *e);
int file_write_at(int fd, const char *path, const void *bytes, size_t n, uint64_t at, struct err *e);
int file_read_at(int fd, const char *path, void *bytes, size_t n, uint64_t at, struct err *e);

#endif
