/* PTX as it is written: what the parser yields and everything else is made from.
 *
 * Names are resolved: an operand refers to registers by number in its function, to variables and functions by pointer,
 * to labels by statement number. The meaning of an opcode is not known here: see ptx/lower.h. All of it lives in the
 * module's arena.
 */
#ifndef CSIM_PTX_AST_H
#define CSIM_PTX_AST_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/names.h"
#include "ptx/ptx.h"
#include "trace/inst.h"

/* clang-format off */
enum ptx_type {
	PT_NONE, PT_PRED,
	PT_B8, PT_B16, PT_B32, PT_B64, PT_U8, PT_U16, PT_U32, PT_U64, PT_S8, PT_S16, PT_S32, PT_S64,
	PT_F16, PT_F16X2, PT_F32, PT_F64, PT_B128, PT_BF16, PT_BF16X2, PT_TF32,
	PT_TEXREF, PT_SURFREF, PT_SAMPLERREF
};
/* clang-format on */

enum ptx_type ptx_type_of(const char *word, size_t len); /* "u32"; PT_NONE if it is no type's name */
const char *ptx_type_name(enum ptx_type t);
unsigned ptx_type_bytes(enum ptx_type t); /* 0 for a predicate */
static inline bool ptx_type_is_float(enum ptx_type t)
{
	return t == PT_F16 || t == PT_F32 || t == PT_F64 || t == PT_BF16;
}
static inline bool ptx_type_is_signed(enum ptx_type t)
{
	return t >= PT_S8 && t <= PT_S64;
}

struct ptx_reloc { /* an initialiser that is an address: `bytes` bytes at `at` get (address + add) >> shift */
	struct ptx_reloc *next;
	struct ptx_var *var;   /* or NULL: */
	struct ptx_func *func; /* the address of this function */
	uint64_t at, add;
	unsigned bytes, shift;
};

enum ptx_formal { FORMAL_NONE, FORMAL_PARAM, FORMAL_RETURN };

/* A variable, a parameter, or a register that is a parameter of a function. */
struct ptx_var {
	const char *name;
	enum trace_space space;
	enum ptx_type type;
	uint32_t align, line, col;
	uint64_t bytes; /* 0: of unknown size, as .extern .shared x[] */
	bool has_modes; /* of a .texref or .samplerref: it sets filter or address modes of its own */
	bool is_extern, in_func /* declared in a function's body */, is_array;
	bool is_visible;	    /* other modules can name it */
	struct ptx_var *definition; /* of an extern one: another module's */
	enum ptx_formal formal;	    /* of its function: */
	uint32_t position;	    /* the one of this number, from 0 */
	uint8_t *init;		    /* the first init_bytes of it; the rest, or all if NULL, is zero */
	uint64_t init_bytes;
	struct ptx_reloc *relocs;
	uint64_t address; /* GLOBAL, CONST: device address, set by ptx_bind. PARAM of a kernel: offset in the parameter
			   * block */
	int memory_index; /* buffer in the memory it was bound to */
	struct ptx_var *next;
};

/* The special registers; those with a dimension are followed by y and z. */
/* clang-format off */
enum ptx_special {
	SPECIAL_TID_X, SPECIAL_TID_Y, SPECIAL_TID_Z, SPECIAL_NTID_X, SPECIAL_NTID_Y, SPECIAL_NTID_Z,
	SPECIAL_CTAID_X, SPECIAL_CTAID_Y, SPECIAL_CTAID_Z, SPECIAL_NCTAID_X, SPECIAL_NCTAID_Y, SPECIAL_NCTAID_Z,
	SPECIAL_LANEID, SPECIAL_WARPID, SPECIAL_NWARPID,
	SPECIAL_LANEMASK_EQ, SPECIAL_LANEMASK_LE, SPECIAL_LANEMASK_LT, SPECIAL_LANEMASK_GE, SPECIAL_LANEMASK_GT,
	SPECIAL_DYNAMIC_SMEM, SPECIAL_TOTAL_SMEM,
	SPECIAL_SMID, SPECIAL_NSMID,
	SPECIAL_COUNT,
	/* These have no row: they change while a warp runs (read by mov only), or are constants of a kernel. */
	SPECIAL_CLOCK, SPECIAL_CLOCK_HI, SPECIAL_CLOCK64, SPECIAL_TIMER, SPECIAL_TIMER_LO, SPECIAL_TIMER_HI,
	SPECIAL_GRIDID, SPECIAL_GRID_SPACE_HI, SPECIAL_GRID_SPACE_LO, SPECIAL_RESERVED_SMEM, SPECIAL_ZERO
};
/* clang-format on */

enum ptx_operand_kind {
	OPD_REG,
	OPD_SPECIAL,
	OPD_IMM,  /* bits; number_kind says how they were written */
	OPD_VAR,  /* address of a variable, plus offset */
	OPD_FUNC, /* of a call */
	OPD_LABEL,
	OPD_ADDR,    /* [ ]: elem[0] is a REG, VAR or IMM; offset added */
	OPD_TEXTURE, /* [texture, coordinates], [texture, sampler, coordinates]: elem */
	OPD_VECTOR,
	OPD_LIST, /* ( ) of a call */
	OPD_PAIR, /* d|p */
	OPD_SINK, /* _ */
	OPD_OTHER /* parses, but nothing here can execute it (special registers without a value): `word` names it */
};

enum ptx_part { PART_WHOLE, PART_BYTE /* 0 to 3 */, PART_HALF = PART_BYTE + 4 /* 0 and 1 */ };

struct ptx_operand {
	enum ptx_operand_kind kind;
	bool negated; /* !p */
	uint8_t part; /* REG of a video instruction: enum ptx_part, plus the number of the byte or half */
	enum { NUMBER_INT, NUMBER_F32, NUMBER_F64 } number_kind;
	uint32_t reg; /* REG: number in the function. SPECIAL: enum ptx_special. LABEL: statement number */
	uint32_t line, col;
	uint64_t bits;
	int64_t offset;
	struct ptx_var *var;
	struct ptx_func *func;
	const char *word;
	unsigned n_elem;
	struct ptx_operand *elem;
};

struct ptx_stmt {
	uint32_t line, col;
	uint32_t debug_lines;		   /* lines of debug information ahead of it in the file */
	uint32_t source_file, source_line; /* by .loc: the file's number; line 0: not known */
	int32_t guard;			   /* register number of a predicate; -1: none */
	bool guard_negated;
	const char *opcode; /* "mad.lo.s32"; or, of a list that brx.idx chooses from: */
#define PTX_BRANCH_TARGETS ".branchtargets"
	unsigned n;
	struct ptx_operand *opd;
};

struct ptx_reg {
	const char *name;
	enum ptx_type type;
};

struct ptx_func {
	const char *name;
	bool is_entry, has_body, is_visible;
	uint32_t line;
	struct ptx_var *params, *returns; /* lists in order */
	unsigned n_params, n_returns, n_regs, n_stmts;
	uint32_t param_bytes;	/* of an entry: the whole block */
	uint32_t max_registers; /* .maxnreg; 0: not there */
	uint32_t min_ctas;	/* .minnctapersm, likewise */
	/* threads of a block: .maxntid, of which the product counts; .reqntid; 0: not there */
	uint32_t most_threads[3], exact_threads[3];
	const char *bad; /* what of its body could not be read, the first such thing; NULL: all could be */
	uint32_t bad_line;
	struct ptx_func *alias; /* the function that this is another name of: .alias, or another module's */
	struct ptx_module *module;
	uint32_t number; /* in the module, from 0 */
	bool address_taken;
	/* lower/callgraph.c */
	struct ptx_func **callees; /* by name; calls_listed: they have been sought */
	unsigned n_callees;
	bool calls_listed, calls_itself;
	struct ptx_func *caller, *below; /* while its recursion is sought, and these three */
	uint32_t order, low;
	unsigned looked_at;
	enum { RECURSION_UNKNOWN, RECURSION_NO, RECURSION_YES } recursion;
	struct ptx_reg *regs;
	struct ptx_stmt *stmts;
	struct ptx_var *vars; /* .local, .shared and .param of the body */
	struct ptx_func *next;
	struct ptx_kernel *kernel; /* of an entry with a body */
};

/* Threads that a block of an entry may have: what it says, or 1024 if that is less. */
static inline uint32_t ptx_func_threads(const struct ptx_func *f)
{
	const uint32_t *said = f->exact_threads[0] ? f->exact_threads : f->most_threads;
	uint64_t most = 1024, n = 1;

	if (!said[0])
		return (uint32_t)most;
	for (unsigned d = 0; d < 3; d++)
		n *= said[d] < most ? said[d] : most;
	return (uint32_t)(n < most ? n : most);
}

struct ptx_file { /* of the source, by .file */
	uint32_t number, declared /* in this order */;
	char *name; /* without control characters */
};

struct ptx_module {
	struct arena arena;
	char *name; /* the file's, for messages */
	unsigned address_bytes;
	struct ptx_var *vars;	/* module scope, in order */
	struct ptx_func *funcs; /* in order */
	struct ptx_file *files; /* by number */
	char **file_names;	/* of these, in the same order */
	uint32_t n_files;
	uint32_t n_funcs, first_code;	     /* once bound: number of the first function among all modules' */
	bool uses_heap;			     /* a kernel calls malloc or free */
	uint64_t heap_bytes;		     /* 0: not told */
	struct ptx_module **linked, **users; /* by ptx_link: what this one may use, and who may use this one */
	unsigned n_linked, n_users;
	unsigned n_kernels;
	struct ptx_kernel **kernels;
	struct names kernel_names;
	bool bound;
	bool reorders;		    /* kernels are in an assembler's order, not in the text's */
	struct ptx_var *grid_space; /* in vars; NULL: no kernel asks for it */
	uint32_t launches;
	uint32_t sms; /* 0: not told */
	bool independent_lanes, warned_of_barrier;
	int oob; /* enum ptx_oob */
	struct ptx_limits limits;
	bool was_cut;
	struct findings *findings; /* NULL: nothing is looked for */
	FILE *print_to;		   /* of vprintf; NULL: nowhere */
	uint64_t warp_insts;
};

/* Fills m (empty but for its name) from the text. -1: e is filled. */
int ptx_parse_module(struct ptx_module *m, const char *text, size_t bytes, struct err *e);

#endif
