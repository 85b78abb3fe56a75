/* The internal form of a kernel: what the executor runs.
 *
 * Made once a kernel by ptx/lower.h. Every operand is a row (see ptx/rows.h) named by its byte offset in the warp's
 * register file, or, with bit 0 set, in the kernel's pool of constants; immediates and addresses of variables are rows
 * of the pool, special registers are rows of the register file that are filled when a warp starts. Around the
 * instructions of the text are pseudo-instructions, which are neither counted nor traced: INSN_JOIN where divergent
 * lanes may meet again, INSN_GUARD and INSN_UNGUARD around an instruction with a guard that is not a branch.
 */
#ifndef CSIM_PTX_LOWER_INSN_H
#define CSIM_PTX_LOWER_INSN_H

#include "ptx/lower/matrix.h"
#include "ptx/parse/ast.h"
#include "ptx/rows/rows.h"

enum insn_kind {
	INSN_ALU,     /* fn on rows */
	INSN_ALU_MOD, /* the same with .ftz, .sat or a rounding mode: aux of `mods` */
	INSN_SETP,    /* fn, then a combination, a second destination, or a value (set): aux of `setps` */
	INSN_CARRY,   /* add, sub, mad with carry: aux of `carries` */
	INSN_CVT,     /* aux of `cvts` */
	INSN_PACK,    /* mov of vectors: aux of `packs` */
	INSN_MEMORY,  /* ld, st: aux of `mems` */
	INSN_ATOMIC,  /* atom, red: likewise */
	INSN_TEXTURE, /* tex, tld4: aux of `texs` */
	INSN_SURFACE, /* suld, sust: aux of `surfs` */
	INSN_QUERY,   /* txq, suq: aux: enum tex_query; a: handle, b: level; target: whether of a surface */
	INSN_PRINTF,  /* a call of vprintf: aux of `prints` */
	INSN_ASSERT,  /* a call of __assertfail: likewise */
	INSN_MALLOC,  /* likewise */
	INSN_FREE,    /* likewise */
	INSN_SHFL,    /* aux: enum warp_mode; e: mask; target: row of the second destination or NO_CODE */
	INSN_VOTE,    /* aux: enum warp_mode */
	INSN_ACTIVEMASK,
	INSN_CLOCK,	    /* mov of a special register that changes while a warp runs; aux: enum ptx_special */
	INSN_HALF,	    /* arithmetic on f16, bf16 and pairs of them: aux of `halves` */
	INSN_VIDEO,	    /* vadd, vabsdiff4 and the like: aux of `videos` */
	INSN_GROUP,	    /* match, redux: aux: enum group_mode; e: members */
	INSN_MBARRIER,	    /* aux of `mems`; target: enum mbarrier_op */
	INSN_COPY,	    /* cp.async: the load is mems[aux], the store mems[aux + 1] */
	INSN_MATRIX,	    /* products of matrices: target: of `matrices` */
	INSN_MATRIX_MEMORY, /* fragments: the same, and aux of `mems` */
	INSN_BRANCH,	    /* to code[target]; lanes meet again at code[join] */
	INSN_CALL,	    /* of a function with a frame: aux of `calls`; its guard is its own, as a branch's */
	INSN_RETURN,	    /* the only one of such a function */
	INSN_STACK,	    /* aux: enum stack_op; a, e: sources; d */
	INSN_EXIT,
	INSN_BARRIER, /* a: barrier number; b: threads, or 0; aux: enum barrier_mode; of a reduction, c: predicate, d:
		       * result */
	INSN_SLEEP,   /* a: nanoseconds */
	INSN_NOP,     /* fences, prefetches */
	INSN_TRAP,
	INSN_UNSUPPORTED,
	INSN_JOIN,
	INSN_GUARD,
	INSN_UNGUARD
};

#define NO_CODE UINT32_MAX
enum { ROW_CONST = 1 };

struct insn {
	row_fn fn;
	uint32_t d, a, b, c, e; /* rows */
	uint32_t aux;
	uint32_t pc;		/* of the trace; of a pseudo-instruction: of the next one */
	uint32_t target, join;	/* BRANCH: code indices; join: NO_CODE if the lanes meet only at the end */
	uint32_t guard;		/* GUARD, BRANCH and CALL: row of the predicate; NO_CODE: none */
	uint8_t kind, dst_size; /* of d; see struct alu_def */
	bool negated;		/* of the guard */
};

struct alu_mod {
	bool ftz, sat;
	uint8_t size;	       /* 4 or 8: of the floats */
	uint8_t float_sources; /* bit i: source i is a float */
	int rounding;	       /* as fesetround() takes it */
};

enum combine { COMBINE_NONE, COMBINE_AND, COMBINE_OR, COMBINE_XOR };
enum setp_result { SETP_MASK, SETP_ALL_ONES, SETP_ONE /* 1.0f */ };
struct setp_op {
	enum combine combine; /* with predicate c */
	enum setp_result result;
	bool c_negated, ftz;
	uint32_t second; /* row of q, or NO_CODE */
};

enum cvt_how {
	CVT_VALUE,     /* only the representation changes */
	CVT_TO_FLOAT,  /* rounded */
	CVT_TO_INTEGER /* an integer value */
};
struct cvt_op {
	enum ptx_type from, to;
	uint8_t from_bytes, to_bytes; /* of the registers */
	enum cvt_how how;
	int rounding;
	bool ftz, sat, relu;
};

enum carry_kind { CARRY_ADD, CARRY_SUB, CARRY_MAD_LO, CARRY_MAD_HI };
struct carry_op {
	enum carry_kind kind;
	bool in, out, wide, is_signed;
};

struct pack_op {		/* mov.b64 d, {a,b} and back */
	uint8_t n, part, whole; /* elements, bytes of an element's and of the whole register */
	bool unpack;
	uint32_t reg[4]; /* rows; NO_CODE: sink */
	uint32_t row;
};

enum warp_mode { SHFL_UP, SHFL_DOWN, SHFL_BFLY, SHFL_IDX, VOTE_ALL, VOTE_ANY, VOTE_UNI, VOTE_BALLOT };

/* What the lanes of a warp find out together. Of both matches and reductions a is the value; of GROUP_ALL, target is
 * the row of the second destination or NO_CODE. */
enum group_float { GROUP_FLOAT = 1, GROUP_ABS = 2, GROUP_NAN = 4 }; /* b: of a minimum or maximum, or-ed; else 0 */
enum group_mode { GROUP_ANY, GROUP_ALL, GROUP_ADD, GROUP_MIN, GROUP_MAX, GROUP_AND, GROUP_OR, GROUP_XOR, GROUP_ELECT };

enum half_kind {
	HALF_ADD,
	HALF_SUB,
	HALF_MUL,
	HALF_FMA,
	HALF_NEG,
	HALF_ABS,
	HALF_MIN,
	HALF_MAX,
	HALF_TANH,
	HALF_EX2,
	HALF_SET,	/* a comparison's answer as a value: `compare` and `mask` */
	HALF_SETP,	/* as predicates d (lower half) and q (upper half) */
	HALF_PACK,	/* cvt of two f32, a to the upper half */
	HALF_TF32,	/* cvt.rna.tf32.f32 */
	HALF_TO_BYTES,	/* cvt of two f32, a to the upper byte; n is 2: or of a pair of f16 */
	HALF_FROM_BYTES /* cvt to a pair of f16 */
};
enum half_format { HALF_F16, HALF_BF16 };
struct half_op {
	enum half_kind kind;
	enum half_format format;
	enum element bytes; /* HALF_TO_BYTES, HALF_FROM_BYTES: e4m3 or e5m2 */
	uint8_t n;	    /* values a register: 1 or 2 */
	bool ftz, sat, relu, nan /* min, max: NaN wins */, xorsign, toward_zero, satfinite;
	bool mask;	      /* HALF_SET: all ones, else 1.0 */
	char compare[4];      /* "lt", "geu" */
	uint32_t second;      /* HALF_SETP: row of q or NO_CODE */
	enum combine combine; /* HALF_SETP, with predicate c */
	bool c_negated;
};

enum video_kind {
	VIDEO_ADD,
	VIDEO_SUB,
	VIDEO_ABSDIFF,
	VIDEO_MIN,
	VIDEO_MAX,
	VIDEO_SHL,
	VIDEO_SHR,
	VIDEO_MAD,
	VIDEO_SET,
	VIDEO_AVRG
};
struct video_op {
	enum video_kind kind;
	uint8_t parts;			   /* 1; 2 or 4 of vadd2, vadd4 */
	bool d_signed, a_signed, b_signed; /* of a VIDEO_SET, whose operands have one type: a */
	bool sat, wrap, add;		   /* shifts: wrap, else clamp; add: the parts' results; .add of a scalar */
	bool po, negate_product, negate_c;
	int8_t second; /* scalar: 0 none, 'a' add, 'm' min, 'x' max */
	bool has_c;
	uint8_t scale;			/* vmad: bits to shift right */
	uint8_t a_part, b_part, d_part; /* enum ptx_part and number */
	char compare[4];
};

enum barrier_mode { BARRIER_SYNC, BARRIER_ARRIVE, BARRIER_POPC, BARRIER_AND, BARRIER_OR };

enum atomic_op {
	ATOMIC_ADD,
	ATOMIC_MIN,
	ATOMIC_MAX,
	ATOMIC_INC,
	ATOMIC_DEC,
	ATOMIC_EXCH,
	ATOMIC_CAS,
	ATOMIC_AND,
	ATOMIC_OR,
	ATOMIC_XOR
};

enum mbarrier_op { MBARRIER_INIT, MBARRIER_INVAL, MBARRIER_ARRIVE, MBARRIER_DROP, MBARRIER_WAIT, MBARRIER_PARITY };

struct mem_op {
	enum trace_space space; /* SPACE_NONE: generic, decided by each lane's address */
	bool store, sign_extend;
	bool strong;	   /* volatile, relaxed, acquire, release: seen by other threads while they run */
	uint8_t width, n;  /* bytes of an element, elements */
	uint8_t reg_bytes; /* of each register */
	uint8_t addr_bytes;
	uint32_t reg[4]; /* rows; NO_CODE: sink */
	uint32_t addr;	 /* row */
	int64_t offset;
	uint32_t pc_shared, pc_local; /* generic: the trace instructions that stand for an access that goes there */
	enum atomic_op atomic;
	enum ptx_type type;
	uint32_t src[4]; /* atomics: rows; of a vector: one an element */
};

enum tex_geometry { TEX_1D, TEX_2D, TEX_3D, TEX_A1D, TEX_A2D, TEX_CUBE, TEX_ACUBE };
struct tex_place { /* of a texture or surface: rows */
	enum tex_geometry geometry;
	uint8_t n;	   /* coordinates, the layer not counted */
	bool float_coords; /* else .s32 */
	uint32_t handle, layer /* NO_CODE: none */, at[3];
};

enum tex_kind { TEX_BASE, TEX_LEVEL, TEX_GRADIENT, TEX_GATHER };
struct tex_op {
	enum tex_kind kind;
	bool as_float;	 /* the destination is .f32 */
	uint8_t channel; /* GATHER */
	struct tex_place place;
	uint32_t reg[4];     /* rows of r, g, b, a; NO_CODE: sink */
	uint32_t resident;   /* row of a predicate, which becomes true: all memory is there; NO_CODE: none */
	uint32_t level;	     /* LEVEL: row, of the coordinates' type */
	uint32_t step[2][3]; /* GRADIENT: rows of the steps in x and y */
};

enum tex_query { TEX_WIDTH, TEX_HEIGHT, TEX_DEPTH, TEX_LAYERS, TEX_LEVELS, TEX_NORMALIZED, TEX_CHANNEL_TYPE, TEX_CHANNEL_ORDER };

enum surf_mode { SURF_TRAP, SURF_CLAMP, SURF_ZERO }; /* what happens outside */
struct surf_op {
	enum surf_mode mode;
	struct tex_place place; /* x in bytes */
	uint32_t mem;		/* of `mems`: the data; its address is not used */
};

struct print_op {	   /* offsets in the thread's frame of parameters of calls */
	uint64_t param[4]; /* vprintf: format, arguments. __assertfail: what failed, file, line, function. malloc:
			    * bytes. free: address */
	uint64_t result;
};

/* A function that is not replaced at its calls: one that may call itself, or whose address is called. Its registers
 * and its variables in parameter space are the same rows and bytes for every call of it; a call keeps what they held
 * and gives it back at its end. Its .local variables are on a stack, and what it computes their addresses from are rows
 * that the call fills. See exec/exec_call.c. */
struct frame_row {
	uint32_t row;
	uint8_t size; /* as in struct alu_def */
};
struct frame_address { /* stack pointer + offset */
	uint32_t row;
	uint8_t size;
	uint64_t offset;
};
struct frame_param { /* in the thread's parameters of calls */
	uint64_t offset;
	uint64_t bytes;
};
struct call_frame {
	const struct ptx_func *func;
	uint32_t first, last; /* code indices: its beginning, and INSN_RETURN; until assembly, flat instructions */
	struct frame_row *rows;
	struct frame_address *addresses;
	struct frame_param *formals;	 /* results, then parameters */
	uint64_t params_at, param_bytes; /* all that it has in parameter space */
	uint64_t local_bytes, result_bytes;
	unsigned n_rows, n_addresses, n_formals;
	bool by_address; /* only: what cannot be executed of it refuses no kernel, but ends a run that comes to it */
};

struct call_op {
	uint32_t frame; /* NO_CODE: that of the address in `target` */
	uint32_t target;
	struct frame_param *actuals; /* results, then parameters; in the caller */
	unsigned n_actuals, n_results;
};

enum stack_op { STACK_ALLOCA /* a: bytes, e: alignment */, STACK_SAVE, STACK_RESTORE };

/* A constant's row that holds the address of a module-scope variable or of a function, known only once the module is
 * bound. */
struct pool_reloc {
	uint32_t offset;
	const struct ptx_var *var;
	const struct ptx_func *func;
	int64_t add;
	uint32_t size;	/* of a lane */
	uint32_t shift; /* to the right */
};

struct ptx_complaint { /* what cannot be executed */
	uint32_t line;
	const char *opcode, *why; /* opcode: of an instruction; NULL: the kernel as a whole */
};

struct ptx_kernel {
	struct ptx_module *module;
	struct ptx_func *func;
	struct trace_kernel trace;
	struct insn *code;
	unsigned n_code, n_statements; /* with pseudo-instructions; of the text, calls replaced */
	uint8_t *pool;		       /* 64-byte aligned */
	uint32_t pool_bytes;
	struct pool_reloc *relocs;
	unsigned n_relocs;
	uint32_t file_bytes;		   /* of a warp's register file */
	uint32_t special[SPECIAL_COUNT];   /* row of each that is used, else NO_CODE */
	uint32_t special16[SPECIAL_COUNT]; /* of those that are read as 16 bits, as old PTX does */
	uint32_t frame_bytes;		   /* a thread's parameters of calls */
	uint32_t stack_pointer;		   /* row of 64 bits: the first free byte of local memory; NO_CODE: no stack */
	uint32_t stack_base;		   /* bytes of local memory that are not the stack's */
	uint32_t carry;			   /* row of the carry bits, a predicate */
	struct mem_op *mems;
	struct alu_mod *mods;
	struct setp_op *setps;
	struct cvt_op *cvts;
	struct carry_op *carries;
	struct pack_op *packs;
	struct tex_op *texs;
	struct surf_op *surfs;
	struct print_op *prints;
	struct half_op *halves;
	struct video_op *videos;
	struct call_frame *frames;
	struct call_op *calls;
	struct matrix_op *matrices;
	struct ptx_complaint *complaints;
	bool calls_addresses; /* something is called through a register */
	unsigned n_frames, n_calls, n_matrices;
	unsigned n_mems, n_mods, n_setps, n_cvts, n_carries, n_packs, n_texs, n_surfs, n_prints, n_halves, n_videos, n_complaints;
};

/* Generic addresses: these windows, below all buffers; anything else is global. */
#define SHARED_WINDOW UINT64_C(0x01000000)
#define LOCAL_WINDOW  UINT64_C(0x02000000)
#define WINDOW_BYTES  UINT64_C(0x01000000)

/* Addresses of functions: where no memory is, CODE_STEP apart, in the order of all modules of a memory. */
#define CODE_WINDOW UINT64_C(0x03000000)
enum { CODE_STEP = 16 };

/* Parameter space: the kernel's parameters begin at 0, those of calls, which are in the thread's own frame, here. */
#define PARAM_FRAME UINT64_C(0x100000)

/* Of shared memory: what a kernel may declare, as an assembler has it; what a launch may have with its dynamic bytes,
 * as compute capability 9.0 has it (CUDA C++ Programming Guide, "Compute Capabilities"). */
enum { SHARED_LIMIT = 48 * 1024, SHARED_MOST = 227 * 1024, LOCAL_LIMIT = 512 * 1024 };

/* Of a thread, for calls that have frames and for alloca; what each call takes beside its .local variables, as an
 * assembler saves registers there. So calls are at most 1024 deep. */
enum { STACK_BYTES = 32 * 1024, CALL_BYTES = 32, STACK_ALIGN = 16 };

#endif
