/* From PTX statements to the internal form (ptx/lower/insn.h) and the trace's view of a kernel.
 *
 * Calls are replaced by the called function's body, parameters by the caller's .param variables; so control flow,
 * divergence and liveness know nothing of calls. A function that can come back to itself, and all whose addresses are
 * taken if one is called through a register, are behind the kernel's own code instead, once each, with a frame. What
 * cannot be executed becomes a complaint with its line: the kernel can still be printed, but not run.
 *
 * lower.c: flattening and assembly. lower_operand.c: registers, constants, addresses. lower_inst.c, lower_alu.c and
 * lower_memory.c: the instructions.
 */
#ifndef CSIM_PTX_LOWER_H
#define CSIM_PTX_LOWER_H

#include <uthash.h>

#include "ptx/lower/insn.h"

/* A function in the place of a call of it; the kernel itself is the outermost. */
struct instance {
	const struct ptx_func *func;
	struct instance *up;
	const struct ptx_stmt *call; /* in `up` */
	uint32_t frame;		     /* in the kernel's frames; NO_CODE: in the kernel itself */
	uint32_t reg_base;	     /* of its registers in lower.reg */
	uint32_t *flat_of;	     /* statement -> flat instruction */
	uint32_t back;		     /* flat instruction after the call */
};

struct flat { /* an instruction of the trace */
	const struct ptx_stmt *s;
	struct instance *in;
	bool is_call;
};

struct lower_reg {
	uint32_t row;	/* valid once used */
	uint32_t dense; /* number in the trace, plus 1; 0: not used yet */
	enum ptx_type type;
};

struct location { /* of a variable in the frame, in local or in shared memory */
	struct location_key {
		const struct instance *in; /* NULL: shared, one for all */
		const struct ptx_var *var;
	} key;
	uint64_t offset;
	UT_hash_handle hh;
};

struct constant {
	struct constant_key {
		uint64_t bits;
		const struct ptx_var *var; /* or the address of one, plus bits, shifted right */
		const struct ptx_func *func;
		uint32_t size, shift;
	} key;
	uint32_t row;
	UT_hash_handle hh;
};

enum { RESERVED_SHARED = 1024 };

struct opcode_name {
	const char *text;
	uint16_t index; /* in the trace's names */
	UT_hash_handle hh;
};

struct lower {
	struct ptx_kernel *k;
	struct arena *arena;
	struct flat *flat;
	unsigned n_flat;
	struct lower_reg *reg;
	unsigned n_reg;
	uint32_t next_pred;	    /* rows not taken yet */
	struct location *locations; /* these three are hash tables, in order of their making */
	struct constant *constants;
	struct opcode_name *names;
	uint64_t shared, local, frame; /* bytes taken */
	bool calls_addresses;	       /* something is called through a register */
	bool dynamic_shared;
	uint64_t reserved, reserved_bytes; /* of shared memory, for cooperative groups: %reserved_smem_offset_1 */

	/* the instruction at hand */
	struct insn *i;
	struct trace_inst *t;
	const struct flat *f;
	const char *part[16]; /* of the opcode: part[0] its name, then the modifiers */
	unsigned n_parts;
	const char *complaint; /* the first one about it */

	uint16_t copies[8]; /* pseudo-registers of the text's last cp.async, by which a wait for them is timed */
	unsigned n_copies;  /* of all */
};

/* Appends a zeroed element to a list that is in the arena, at *list with *n elements of `size` bytes; returns it. */
void *lower_append(struct lower *w, void *list, unsigned *n, size_t size);
#define APPEND(w, list, n) lower_append((w), &(list), &(n), sizeof *(list))

/* Notes why the instruction at hand cannot be executed (the first reason is kept). Returns NO_CODE. */
uint32_t lower_complain(struct lower *w, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* lower_operand.c. Sizes as in struct alu_def; rows; NO_CODE after a complaint. */
unsigned lower_reg_size(enum ptx_type t);
uint32_t lower_src(struct lower *w, unsigned operand, unsigned size, enum ptx_type type);
uint32_t lower_src_of(struct lower *w, const struct ptx_operand *o, unsigned size, enum ptx_type type);
uint32_t lower_dst(struct lower *w, unsigned operand, unsigned size);
uint32_t lower_dst_of(struct lower *w, const struct ptx_operand *o, unsigned size);
uint32_t lower_const(struct lower *w, uint64_t bits, unsigned size);
uint32_t lower_take_row(struct lower *w, unsigned size);
uint32_t lower_guard(struct lower *w, const struct flat *f, struct trace_inst *t);
/* The type of a register operand; PT_NONE if it is none. */
enum ptx_type lower_type_of(const struct lower *w, const struct ptx_operand *o);
/* Where a variable that is not at module scope is: its space, and *offset in that. */
enum trace_space lower_location(struct lower *w, const struct instance *in, const struct ptx_var *v, uint64_t *offset);
/* The address of a variable plus an offset as a row of 8 or 4 bytes. */
uint32_t lower_address(struct lower *w, const struct ptx_var *v, int64_t offset, unsigned size);
/* flatten.c: fills w->flat, with the kernel, and behind it the functions with frames that it and they call. -1: they
 * are too many. */
int lower_flatten(struct lower *w, const struct ptx_func *func);

/* Gives all shared variables that the kernel uses their locations. */
void lower_shared(struct lower *w);

/* One instruction: w->i, w->t, w->f and the parts are set. */
void lower_inst(struct lower *w);
bool lower_has(const struct lower *w, const char *part);
bool lower_operands(struct lower *w, unsigned least, unsigned most); /* complains if there are not as many */
void lower_alu(struct lower *w);
void lower_setp(struct lower *w);
void lower_cvt(struct lower *w);
void lower_carry(struct lower *w);
void lower_mov(struct lower *w);
/* lower_half.c: the same for f16, bf16 and pairs of them. lower_half_cvt: false, if it is another conversion. */
bool lower_is_half(enum ptx_type t);
void lower_half(struct lower *w);
void lower_half_setp(struct lower *w);
void lower_half_set(struct lower *w);
bool lower_half_cvt(struct lower *w);
/* lower_video.c */
bool lower_is_video(const char *name);
void lower_video(struct lower *w);
/* lower_group.c */
void lower_match(struct lower *w);
void lower_redux(struct lower *w);
void lower_elect(struct lower *w);
bool lower_is_clock(const struct ptx_operand *o); /* a special register that only mov reads */
void lower_clock(struct lower *w);
/* lower_copy.c */
void lower_cp(struct lower *w);
void lower_mbarrier(struct lower *w);
/* Fills the address of m, whose space and `store` are set, from an operand in brackets. */
void lower_access(struct lower *w, const struct ptx_operand *o, struct mem_op *m);
/* The address of the space in global memory by which the CTAs of a grid meet (%envreg1, %envreg2), shifted right. */
uint32_t lower_grid_space(struct lower *w, unsigned shift);
enum trace_space lower_space(const char *part); /* "shared"; SPACE_NONE if it is no space's name */
void lower_memory(struct lower *w);
void lower_atomic(struct lower *w);
/* Fills the data's registers of m, whose type, width and count are set, from an operand. */
void lower_data(struct lower *w, const struct ptx_operand *o, struct mem_op *m);
struct tex_form { /* of a texture instruction: "2d" */
	const char *name;
	enum tex_geometry geometry;
	unsigned coordinates; /* without the layer */
	bool layered;
};
const struct tex_form *lower_tex_form(const char *name); /* NULL: none is called that */
/* Fills p from an operand [texture, {layer, x, y, z}]. reference: PT_TEXREF or PT_SURFREF, what a name in it must
 * be. */
void lower_place(struct lower *w, const struct ptx_operand *o, const struct tex_form *g, enum ptx_type reference, bool float_coords,
		 struct tex_place *p);
/* lower_texture.c; lower_query: txq and suq. lower_surface.c: suld, sust */
void lower_texture(struct lower *w);
void lower_gather(struct lower *w);
void lower_query(struct lower *w);
void lower_surface(struct lower *w);
/* A call of vprintf, __assertfail, malloc or free, which nobody defines: the executor does it. */
bool lower_is_builtin(const struct ptx_stmt *call);
void lower_builtin(struct lower *w);
struct ptx_func *lower_callee(const struct ptx_stmt *call); /* NULL: through a register */

/* lower_call.c: calls with frames, and the stack. How a call is done; CALL_BAD: *why it cannot be. */
enum call_how { CALL_INLINE, CALL_FRAME, CALL_BAD };
enum call_how lower_call_how(struct lower *w, const struct instance *in, const struct ptx_stmt *s, const char **why);
/* The frame of a function, made if need be; its code follows that of the others. */
uint32_t lower_frame_of(struct lower *w, struct ptx_func *f, bool by_address);
void lower_frame_begin(struct lower *w, const struct instance *in); /* at its first instruction */
void lower_frame_end(struct lower *w, uint32_t frame);		    /* behind its last */
void lower_frame_call(struct lower *w);
/* The address of a .local variable of a frame. */
uint32_t lower_frame_address(struct lower *w, uint32_t frame, uint64_t offset, unsigned size);
void lower_alloca(struct lower *w);
void lower_stack(struct lower *w);

/* lower_matrix.c */
void lower_mma(struct lower *w);
void lower_wmma(struct lower *w);
void lower_ldmatrix(struct lower *w); /* stmatrix too */
void lower_movmatrix(struct lower *w);

/* callgraph.c */
bool lower_is_recursive(struct ptx_func *f);
struct ptx_func *lower_defined(struct ptx_func *f); /* what it is another name of */
void lower_take_addresses(struct lower *w);	    /* finds the functions whose addresses the module takes */

/* fold.c, schedule.c: 32-bit registers a thread that an assembler would allocate. */
struct cfg_node;
uint32_t lower_registers(struct lower *w, const struct cfg_node *node);
/* reorder.c: the flat instructions in the order of an assembler, with all that goes by their numbers. */
void lower_reorder(struct lower *w, struct insn *insns, struct cfg_node *node);
/* fold_view.c: the flat instructions as an assembler would leave them (trace/folds.h), with room for the variants. */
struct trace_inst *lower_folds(struct lower *w, const struct cfg_node *node);

/* module.c: once its module is bound. */
void ptx_fill_constants(struct ptx_kernel *k);

/* Makes the kernel of an entry, with a complaint for whatever of it cannot be executed. */
struct ptx_kernel *lower_kernel(struct ptx_module *m, struct ptx_func *f);

#endif
