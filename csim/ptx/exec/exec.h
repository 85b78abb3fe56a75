/* The executor's state, and what its files ask of each other.
 *
 * exec.c runs one warp until it ends, waits at a barrier or is found to spin; cta.c runs the warps of a CTA in turns;
 * launch.c the CTAs of a launch. exec_memory.c and exec_atomic.c do the accesses, exec_slow.c what is not one row
 * function.
 *
 * Divergence. A warp executes at one place with one mask; the lanes that wait are on a stack. At a branch on which
 * lanes part, an entry for the branch's join (its immediate post-dominator) is pushed, then one for the lanes that go
 * the other way; a path that arrives at its join pops the next entry. When the join of the branch is where the running
 * lanes meet others anyway, no entry is added, so that a loop does not grow the stack. Entries for joins form a
 * descending chain in the post-dominator tree, and the waiting masks are disjoint: the depth is at most the number of
 * blocks plus 32.
 *
 * A call with a frame pushes an entry for the lanes that make it, and runs the function with no join, as a kernel
 * begins; its return pops. Lanes that call different functions go one group after the other, and meet behind the call.
 *
 * Waits. CTAs are run one after another, so one that waits for another's store would poll in vain. A warp is found to
 * wait when it has come to the head of a loop by several iterations in a row with the same lanes, having done nothing
 * in between that others can see, and having read the same values at the same addresses each time, by accesses that see
 * what others do meanwhile: volatile, relaxed and acquire loads; exchanges that leave the value, and other atomics that
 * cannot but do so, as an addition of 0; tests of an mbarrier. Its registers may have changed: they count tries, or
 * hold a time. It lets the others run, and makes another attempt in a turn before which something that it polls was
 * modified. Only the attempt that goes on stays in the trace (exec_sync.c). Where nobody else can move, waits may end
 * by themselves, by a limit of tries or by a clock: then (patient) they are executed as any loop.
 *
 * Independent lanes. A branch whose lanes are to meet again at its join waits there for lanes that wait for it, say for
 * a lock. On machines whose lanes are independent (ptx_set_independent_lanes), if nobody in the launch can move
 * otherwise, a warp that waits lets other lanes go on: those that have come to a join, or have not begun their side of
 * a branch, go ahead of the entry they are in, which the others take alone when they get there.
 *
 * On such machines a barrier counts threads, too: lanes that come to it before others of their warp wait on the stack
 * until those have come, which completes the warp's arrival. Elsewhere the warp has arrived with the first lanes of it.
 *
 * Sharing out. CTAs that take values from an atomic in a loop, as those that serve a queue do, would find nothing left
 * if the first took all. So a warp that comes to such an atomic (share_out.c) for the second time in a turn ends its
 * turn there, and its CTA's turn ends with it: all CTAs that can be on the machine together take one by one.
 *
 * No progress. A warp is found to spin when it takes the same backward branch twice with the same registers, lanes and
 * stack while nothing in memory has changed in between: as the execution is deterministic, it would do so
 * indefinitely. The check costs nothing until a warp has taken spin_after backward branches; then its state is kept at
 * one and compared at the next spin_window ones, and again after as many more. A spinning warp lets the others run; the
 * CTA makes no progress when, in a whole turn in which no byte of memory changed, every warp that is not at a barrier
 * spins or waits, or when all wait at barriers that nobody can complete.
 *
 * Limits. The log of a CTA may take so many bytes (ptx_limits); at the first backward branch after that the launch
 * fails. If the run that the trace is for stops before a warp can issue `warp_insts` instructions, a warp that has
 * executed as many is cut there instead, from the first CTA on whose log grows beyond PTX_LOG_BEFORE_CUT: CTAs that
 * end before that are executed to their ends. The instructions that an assembler folds do not count, as they need not
 * issue, nor do those without lanes, which are no thread instructions.
 */
#ifndef CSIM_PTX_EXEC_H
#define CSIM_PTX_EXEC_H

#include <string.h>

#include "ptx/exec/sync.h"
#include "ptx/lower/insn.h"
#include "ptx/ptx.h"

enum warp_state { WARP_READY, WARP_AT_BARRIER, WARP_DONE, WARP_CUT /* by the limits: it does not end */ };

struct slept {		    /* by a nanosleep */
	uint32_t iteration; /* of those that failed, from 0 */
	uint32_t record;    /* its address record's number in the iteration */
	uint32_t ns;
};

struct stack_entry {
	uint32_t ip, join; /* code indices; join: where these lanes meet the entry below, NO_CODE if nowhere */
	uint32_t mask;
	uint32_t frame, call; /* of lanes that go on behind a call: the kernel's, by index; else NO_CODE */
	bool at_barrier;      /* these lanes wait there, at ip, for others of their warp */
};

struct warp {
	uint8_t *file; /* registers */
	enum warp_state state;
	uint32_t id;	 /* in the CTA */
	uint32_t exists; /* lanes that the block has */
	uint32_t alive;	 /* of those, the ones that have not ended */
	uint32_t ip, join, mask;
	uint32_t outer; /* mask outside the guarded instruction that is being executed */
	struct stack_entry *stack;
	uint32_t n_stack, cap_stack;
	uint8_t *kept; /* what calls with frames give back at their ends: exec_call.c */
	size_t n_kept, cap_kept;
	uint32_t barrier, barrier_warps; /* where it waits; how many warps complete it, 0: all */
	const struct insn *barrier_at;
	bool spun;	/* at its last turn */
	uint32_t turns; /* of its lanes, since they had an effect */
	uint64_t effects_of_lanes;
	bool took; /* in its CTA's turn: by an atomic by which CTAs share work out */
	/* Likewise, it waits at the head of a loop, whose polls have such a hash of their addresses. So many effects
	 * there had been; and with a trace: where its log ends without iterations that failed, what one of
	 * them executed, and if all that it polls is one word, which one, and how many of its modifications it has
	 * seen. */
	bool waits, polls_one, polls_shared;
	uint32_t polled, saw, n_failed;
	uint64_t polls_at, saw_effects;
	struct trace_mark before;
	struct trace_run *failed;
	struct slept *slept; /* in those iterations */
	uint32_t n_slept, n_iterations;
	uint64_t issued; /* instructions that count against the limits; while there are any */
};

enum { EXEC_BARRIERS = 16, EXEC_MAX_WARPS = TRACE_MAX_WARPS };

enum { EXEC_MOST_SLEEPS = 4 }; /* of an iteration: longer ones do other work */

/* The search for a wait of the warp that runs: where it came to the head of a loop last, and what it has read since. */
struct wait_search {
	const struct insn *head; /* NULL: nowhere yet */
	uint32_t mask, join, n_stack;
	bool polled;		  /* since then */
	bool attempt;		  /* it began its turn there, as a warp that waits */
	uint64_t at, read;	  /* hashes of the addresses that it polled since then; of these and the values */
	uint64_t read_before;	  /* the latter, in the iteration before */
	uint32_t alike;		  /* iterations in a row that were as the first one of these, ... */
	struct trace_mark series; /* ... which begins here */
	uint64_t effects;
	struct trace_mark from;
	struct slept slept[EXEC_MOST_SLEEPS]; /* since then, with a trace */
	uint32_t n_slept;
	uint64_t ns, ns_before; /* in this iteration, in the one before */
	uint32_t spin_left;	/* of struct exec, when it polled */
	/* With a trace: its loads have been of one word alone, at most 4 bytes of one log. */
	bool one, many;
	uint32_t word, saw;
	struct sync_log *of;
	/* An attempt sees the value that the word had after the first of the modifications that the warp has not seen,
	 * then after the next, until one goes on: so it is known which lets it. */
	bool replays;
	uint32_t value;
	struct sync_log *decides; /* of an attempt: which has the access that decides so far; NULL: there is none */
};

struct exec {
	const struct ptx_kernel *k;
	const struct ptx_launch *launch;
	struct memory *mem;
	struct trace_writer *w; /* may be NULL */
	struct err *e;
	const uint8_t *params;
	uint8_t *shared, *local, *frame; /* of the CTA; local and frame: thread after thread */
	uint32_t shared_bytes;
	uint32_t cta, cta_at[3];
	uint32_t n_warps;
	bool started; /* a CTA has been run: registers that are alike in all are filled */
	struct warp warp[EXEC_MAX_WARPS];
	uint32_t arrived[EXEC_BARRIERS];  /* bar.arrive: warps that passed without waiting */
	const struct memory_buffer **hit; /* for each of the kernel's mems, the buffer hit last */
	uint64_t insts;			  /* warp instructions */
	uint64_t reads;			  /* of clocks */
	uint32_t sms;			  /* %nsmid */
	bool of_sms;			  /* what is executed depends on their number */
	struct sanitizer *sanitizer;	  /* of the CTA (exec/sanitizer.h); NULL: nothing is looked for */
	bool *warned;			  /* of each of the kernel's mems: a line has said that it was outside */

	uint64_t log_bytes;  /* limit of a CTA's log */
	uint64_t warp_insts; /* warps are cut at so many instructions; 0: never */
	uint32_t *unfolded;  /* with warp_insts, of the trace's pcs: unfolded instructions before each */
	bool cuts;	     /* from now on */
	bool was_cut;	     /* a warp */
	bool no_spin;	     /* spinning warps go on until they are cut: what they wait for is cut */

	/* waits and what warps see of one another: exec_sync.c */
	bool orders;			  /* the kernel has accesses that may order warps */
	bool *takes;			  /* of its mems: by which CTAs share work out (share_out.c); NULL: none does */
	bool parted;			  /* lanes took turns */
	bool ends_turn;			  /* a warp came to a second one in its CTA's turn */
	bool lanes_in_turn;		  /* nobody moves: where a warp waits, diverged lanes of it take turns */
	bool patient;			  /* nobody moves: waits go on until they end by themselves */
	struct sync_log *global, *of_cta; /* with a trace: of global memory, of the CTA's shared memory */
	uint32_t epoch;			  /* barriers of the whole CTA so far */
	uint64_t effects;		  /* what was done that others may see */
	struct wait_search wait;

	/* the search for spinning warps */
	uint32_t spin_after, spin_window; /* backward branches */
	bool counting;			  /* stores and atomics compare before they write */
	uint64_t changes;		  /* of memory, while counting */
	const struct insn *spin_at;	  /* the branch at which the state was kept; NULL: none kept */
	uint32_t spin_left;		  /* backward branches until the next step of the search */
	uint64_t spin_changes;
	uint32_t spin_mask, spin_alive, spin_join, spin_stack, spin_compares;
	uint8_t *spin_file; /* registers, stack, what calls keep */
	size_t spin_kept;   /* bytes of the latter */
};

static inline void *row_at(const struct exec *x, const struct warp *w, uint32_t row)
{
	return row & ROW_CONST ? x->k->pool + (row - ROW_CONST) : w->file + row;
}

/* Takes the lanes of `mask` of a computed row over into register d, of dst_size bytes a lane. */
static inline void row_blend(void *d, const void *from, uint32_t mask, unsigned dst_size)
{
	if (dst_size == 4) {
		lane_u32 *to = d;
		const lane_u32 *a = from;

		EACH_LANE(l) to[l] = mask >> l & 1 ? a[l] : to[l];
	} else if (dst_size == 8) {
		lane_u64 *to = d;
		const lane_u64 *a = from;

		EACH_LANE(l) to[l] = mask >> l & 1 ? a[l] : to[l];
	} else if (dst_size == 2) {
		lane_u16 *to = d;
		const lane_u16 *a = from;

		EACH_LANE(l) to[l] = mask >> l & 1 ? a[l] : to[l];
	} else {
		*(lane_u32 *)d = (*(lane_u32 *)d & ~mask) | (*(const lane_u32 *)from & mask);
	}
}

/* exec.c */
enum exec_stop { STOP_DONE, STOP_BARRIER, STOP_SPIN, STOP_TURN /* it would take again */, STOP_CUT, STOP_ERROR };
enum exec_stop exec_warp(struct exec *x, struct warp *w);

/* exec_slow.c: one instruction for the lanes of mask; only INSN_TRAP and INSN_UNSUPPORTED fail (-1). */
int exec_slow(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask);
/* exec_texture.c, exec_printf.c: likewise. -1: e says what went wrong. */
/* exec_half.c, exec_group.c, exec_video.c: likewise; these cannot fail. exec_video leaves the result in `out`. */
void exec_half(const struct exec *x, struct warp *w, const struct insn *i, uint32_t mask);
void exec_group(const struct exec *x, struct warp *w, const struct insn *i, uint32_t mask);
void exec_video(const struct exec *x, const struct warp *w, const struct insn *i, void *out);
int exec_texture(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask);
int exec_query(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask);
/* exec_surface.c: likewise. Of its lanes: the texture or surface that a handle names, and whether an access of this
 * geometry fits it; NULL or false: e says why not. */
struct texture;
struct texture_view;
const struct texture *exec_view(struct exec *x, const struct warp *w, const struct insn *i, int lane, uint64_t handle,
				bool surface);
bool exec_view_fits(struct exec *x, const struct warp *w, const struct insn *i, int lane, const struct texture_view *v,
		    enum tex_geometry g);
int exec_surface(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask);
int exec_printf(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask);
int exec_malloc(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask); /* exec_heap.c; never -1 */
int exec_free(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask);
int exec_assert(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask); /* always -1 */
/* exec_call.c. The function that the first of some lanes calls, and the lanes that call it `together`; then the call
 * for those lanes; and its end, for the lanes that have not ended in it. alloca and its like. -1: e says what went
 * wrong. */
int exec_callee(struct exec *x, const struct warp *w, const struct insn *i, uint32_t lanes, uint32_t *together, uint32_t *frame);
int exec_enter(struct exec *x, struct warp *w, const struct insn *i, uint32_t frame, uint32_t lanes);
void exec_leave(const struct exec *x, struct warp *w, const struct stack_entry *call, uint32_t lanes);
int exec_stack(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask);
/* exec_matrix.c; the second puts its runs into the trace itself. */
int exec_matrix(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask);
int exec_matrix_memory(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask);
/* exec_convert.c */
void exec_convert(const struct cvt_op *c, void *d, const void *a);

/* exec_memory.c: ld, st, atom and red for the lanes of mask; writes the addresses' record of the trace. -1: e says what
 * went wrong. A generic access goes to SPACE_GLOBAL here; one of whose lanes some are in the windows of shared or local
 * memory is split by exec_generic(), which puts the runs of its own into the trace. */
int exec_memory(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask);
bool exec_in_windows(const struct exec *x, const struct warp *w, const struct insn *i, uint32_t mask);
int exec_generic(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask);
/* exec_copy.c: cp.async and mbarrier. The copy puts its runs into the trace itself. */
int exec_copy(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask);
int exec_mbarrier(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask);
void exec_addresses(const struct exec *x, const struct warp *w, const struct mem_op *m, uint64_t addr[LANES]);

/* access.c: where the lanes of an access are: at lane_bytes[l] if `scattered` over several buffers, else at bytes +
 * offset[l]. */
struct access {
	uint64_t address[LANES]; /* as the trace has them; the caller fills them */
	uint64_t offset[LANES];
	uint8_t *bytes;
	bool scattered;
	uint8_t *lane_bytes[LANES];
	uint8_t nowhere[LANES][16]; /* where a lane goes that is outside everything, if the run shall go on: zeroes */
};
/* exec_memory.c: the data of m, to or from where each lane of mask is: at->scattered, lane_bytes. */
void exec_move_each(struct exec *x, struct warp *w, const struct mem_op *m, uint32_t mask, struct access *at);
/* Checks bounds and alignment for the lanes of mask, of an access to `space`. */
int access_find(struct exec *x, struct warp *w, const struct insn *i, enum trace_space space, uint32_t mask, struct access *out);

/* exec_atomic.c */
/* Whether an atomic leaves whatever value is there, by the constant that is its operand. */
bool exec_leaves(const struct ptx_kernel *k, const struct mem_op *m);
/* Returns the lanes that changed a value. */
uint32_t exec_atomic(struct exec *x, struct warp *w, const struct mem_op *m, uint32_t mask, const struct access *at);

/* exec_sync.c. Whether the kernel has accesses that may order warps. */
bool exec_may_order(const struct ptx_kernel *k);
/* Lanes of `mask` have accessed global or shared memory, `bytes` each, as the log's last record says. changed: those
 * that have modified it. */
enum ordering {
	ORDERING_WRITES, /* a store, or an atomic that updates */
	ORDERING_TAKES,	 /* an exchange: what follows depends on whether it succeeds, as with a lock */
	ORDERING_READS
};
void exec_orders(struct exec *x, const struct warp *w, enum trace_space space, uint32_t bytes, uint32_t mask, uint32_t changed,
		 enum ordering o, const struct access *at);
/* The warp begins its turn there. False: it waits, and nothing has changed. */
bool exec_wait_begin(struct exec *x, struct warp *w, const struct insn *head, uint32_t mask, uint32_t join);
/* nanosleep: the trace says for how long. */
void exec_sleep(struct exec *x, const struct warp *w, const struct insn *i, uint32_t mask);
/* Ahead of a load: where the lanes find what the attempt is to see. */
void exec_wait_value(struct exec *x, enum trace_space space, const struct mem_op *m, uint32_t mask, struct access *at);
/* Others of its lanes go on instead of those that wait. */
void exec_wait_leave(struct exec *x, struct warp *w);
/* The warp has come to the head of a loop by its backward branch. True: it waits there. */
bool exec_waits(struct exec *x, struct warp *w, const struct insn *head, uint32_t mask, uint32_t join);

/* share_out.c: which of the kernel's mems are such atomics; NULL: none is. For free(). */
bool *exec_find_takes(const struct ptx_kernel *k);

/* cta.c: runs the CTA from its beginning, or goes on with it, until its end or until it makes no progress by itself. */
enum cta_stop { CTA_DONE, CTA_WAITS, CTA_ERROR };
void exec_cta_begin(struct exec *x);
enum cta_stop exec_cta(struct exec *x, bool *moved);
/* Lanes of `mask` have come to a barrier without others of their warp: says so, once in a run, or notes it where races
 * are looked for. */
void exec_divergent_barrier(struct exec *x, const struct warp *w, const struct insn *i, uint32_t mask);
/* The log of the CTA is beyond its limit: from now on warps are cut, or the launch fails (-1). */
int exec_log_is_full(struct exec *x, const struct warp *w, const struct insn *at);
/* Says why a CTA that waits cannot go on. Always -1. */
int exec_no_progress(struct exec *x, uint32_t together);
/* "kernel.ptx:12: kernel syrk, ld.global.f32, CTA 3 (3,0,0), warp 2: what", with the file and line of the source if
 * the PTX names them: "syrk.cu:7: kernel syrk, ld.global.f32 (kernel.ptx:12), CTA 3 ...". lane: -1, or the thread to
 * name. Always -1. */
int exec_fail(struct exec *x, const struct warp *w, const struct insn *i, int lane, const char *fmt, ...)
	__attribute__((format(printf, 5, 6)));

#endif
