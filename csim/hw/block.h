/* How a hardware block is described: once, in its golden twin's header, as lists that everything else is made from.
 *
 * A twin's header holds four lists. In each, SCALAR(type, name, width) is one value and VECTOR(type, name, room, count,
 * width) is `count` equal values of `width` bits (room: the C array's size, a constant; unused elements stay 0):
 *
 *     XYZ_PARAMS(PARAM)             PARAM(type, name, VERILOG_NAME, default)    parameters, defaults as in the RTL
 *     XYZ_INPUTS(SCALAR, VECTOR)    field `name` is the RTL's port `name_i`     without clk_i and rst_i
 *     XYZ_OUTPUTS(SCALAR, VECTOR)   field `name` is the RTL's port `name_o`
 *     XYZ_REGS(SCALAR, VECTOR)      field `name` is the RTL's register `name_q` all of them; absent for a combinational
 *                                   block
 *
 * Widths and counts are expressions in `p`, the block's parameters. A vector is packed in the RTL: element i is
 * name[i * width +: width]. Fields are at most 64 bits wide per element. HW_STRUCT makes the C members, HW_DESCRIBE the
 * table of fields (below) that the co-simulation checks, by name and width, against the ports and registers that
 * Verilator sees.
 *
 * The header ends with HW_PORT(xyz) or HW_CLOCKED_PORT(xyz) (hw/port.h), which make the port that the model calls; the
 * .c file with HW_BLOCK(xyz, ...) or HW_CLOCKED_BLOCK(xyz, ...), which make the `struct hw_block`. A new block:
 * rtl/xyz/xyz.v, csim/hw/xyz.h and xyz.c, a line in csim/hw/blocks.c.
 */
#ifndef CSIM_HW_BLOCK_H
#define CSIM_HW_BLOCK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define HW_MEMBER_PARAM(type, name, verilog, def)	 type name;
#define HW_MEMBER_SCALAR(type, name, width)		 type name;
#define HW_MEMBER_VECTOR(type, name, room, count, width) type name[room];
#define HW_STRUCT(LIST)					 LIST(HW_MEMBER_SCALAR, HW_MEMBER_VECTOR)

enum hw_side { HW_INPUT, HW_OUTPUT, HW_REG, HW_SIDES };
enum { HW_MAX_FIELDS = 96, HW_MAX_PARAMS = 16 };

struct hw_param {
	const char *name, *verilog; /* "line", "LINE_BYTES" */
	size_t offset, size;	    /* of the member of struct xyz_params */
	uint64_t def;
};

struct hw_field {
	const char *name;      /* without _i, _o, _q */
	size_t offset, size;   /* of element 0 in struct xyz_in, xyz_out or xyz; bytes of one element */
	uint32_t count, width; /* elements; bits of one. In the RTL the field is count * width bits wide */
};

/* Parameters for which `make` builds the block, so that a first run on the machines that come with Locus waits for
 * nothing: with one lane (waves, --hw rtl, replay), and a combinational block with many too (the bulk check). Others
 * are built when they are first used. */
struct hw_shape {
	const char *params; /* "sets=32 poly=37"; what is not named has its default */
	unsigned lanes;
};

/* A block without its C types, for code that treats all blocks alike. The pointers stand for struct xyz, xyz_params,
 * xyz_in and xyz_out; the sizes are those structs'. tick is NULL for a combinational block. */
struct hw_block {
	const char *name;      /* "pric": the name that --hw takes */
	const char *module;    /* "pric_index": the RTL's top module, in ... */
	const char *source;    /* "rtl/pric/pric_index.v" */
	const char *twin;      /* "csim/hw/twins/pric.c" */
	const char *wanted_by; /* the options that make a run use it: "--l1-index pric"; NULL: no run uses it */
	size_t params_size, state_size, in_size, out_size;
	const struct hw_param *params;
	unsigned n_params;
	int (*check)(const void *params, struct err *e); /* 0, or -1 with a line that says which parameter is illegal
							  * and why */
	unsigned (*fields)(const void *params, enum hw_side side, struct hw_field out[HW_MAX_FIELDS]); /* how many */
	void (*reset)(void *state, const void *params);
	void (*eval)(const void *state, const void *in, void *out);
	void (*tick)(void *state, const void *in);
	const char *shown; /* ports and registers, as the RTL names them, that a save file for waves shows
				       * first; NULL:
			    * all alike */
	/* Outputs that the model never reads, as the RTL names them: "tag_o"; NULL: it reads all. */
	const char *unread;
	const struct hw_shape *ready; /* ends with NULL params; NULL: none */
};

/* Fills params with the defaults, which are those of the RTL. */
void hw_params_default(const struct hw_block *b, void *params);

/* An element of a field or a parameter as a number, and back. */
uint64_t hw_get(const void *base, size_t offset, size_t size);
void hw_put(void *base, size_t offset, size_t size, uint64_t value);

/* ---- for the blocks' own files ---- */

/* Makes block_param_table[] and block_fields(), both static, from the header's lists. Once in a file. */
#define HW_DESCRIBE(block, PARAMS, INPUTS, OUTPUTS, REGS)                                                                          \
	typedef struct block##_params hw_params_of;                                                                                \
	static const struct hw_param block##_param_table[] = {PARAMS(HW_PARAM_ROW)};                                               \
	static unsigned block##_fields(const void *params, enum hw_side side, struct hw_field out[HW_MAX_FIELDS])                  \
	{                                                                                                                          \
		const struct block##_params *p = params;                                                                           \
		unsigned n = 0;                                                                                                    \
                                                                                                                                   \
		(void)p;                                                                                                           \
		if (side == HW_INPUT) {                                                                                            \
			typedef struct block##_in here;                                                                            \
			INPUTS(HW_FIELD_SCALAR, HW_FIELD_VECTOR)                                                                   \
		} else if (side == HW_OUTPUT) {                                                                                    \
			typedef struct block##_out here;                                                                           \
			OUTPUTS(HW_FIELD_SCALAR, HW_FIELD_VECTOR)                                                                  \
		} else {                                                                                                           \
			typedef struct block here __attribute__((unused));                                                         \
			REGS(HW_FIELD_SCALAR, HW_FIELD_VECTOR)                                                                     \
		}                                                                                                                  \
		return n;                                                                                                          \
	}

/* xyz_block, from the header's lists and functions. What follows the lists are further members: .name, .module,
 * .source, .shown, .ready. */
#define HW_BLOCK(block, PARAMS, INPUTS, OUTPUTS, ...)                                                                              \
	HW_DESCRIBE(block, PARAMS, INPUTS, OUTPUTS, HW_NO_REGS)                                                                    \
	HW_ERASE(block)                                                                                                            \
	const struct hw_block block##_block = {HW_MEMBERS(block), __VA_ARGS__};

#define HW_CLOCKED_BLOCK(block, PARAMS, INPUTS, OUTPUTS, REGS, ...)                                                                \
	HW_DESCRIBE(block, PARAMS, INPUTS, OUTPUTS, REGS)                                                                          \
	HW_ERASE(block)                                                                                                            \
	static void block##_erased_tick(void *state, const void *in)                                                               \
	{                                                                                                                          \
		block##_tick(state, in);                                                                                           \
	}                                                                                                                          \
	const struct hw_block block##_block = {HW_MEMBERS(block), .tick = block##_erased_tick, __VA_ARGS__};

/* The block's functions without its types. */
#define HW_ERASE(block)                                                                                                            \
	static int block##_erased_check(const void *params, struct err *e)                                                         \
	{                                                                                                                          \
		return block##_params_check(params, e);                                                                            \
	}                                                                                                                          \
	static void block##_erased_reset(void *state, const void *params)                                                          \
	{                                                                                                                          \
		block##_reset(state, params);                                                                                      \
	}                                                                                                                          \
	static void block##_erased_eval(const void *state, const void *in, void *out)                                              \
	{                                                                                                                          \
		block##_eval(state, in, out);                                                                                      \
	}
#define HW_MEMBERS(block)                                                                                                          \
	.twin = __FILE__, .params_size = sizeof(struct block##_params), .state_size = sizeof(struct block),                        \
	.in_size = sizeof(struct block##_in), .out_size = sizeof(struct block##_out), .params = block##_param_table,               \
	.n_params = sizeof block##_param_table / sizeof block##_param_table[0], .check = block##_erased_check,                     \
	.fields = block##_fields, .reset = block##_erased_reset, .eval = block##_erased_eval

#define HW_PARAM_ROW(type, member, verilog_name, value)                                                                            \
	{#member, #verilog_name, offsetof(hw_params_of, member), sizeof(type), (value)},
#define HW_FIELD_ROW(type, member, elements, bits)                                                                                 \
	out[n++] = (struct hw_field){#member, offsetof(here, member), sizeof(type), (elements), (bits)};
#define HW_FIELD_SCALAR(type, member, bits)		    HW_FIELD_ROW(type, member, 1, bits)
#define HW_FIELD_VECTOR(type, member, room, elements, bits) HW_FIELD_ROW(type, member, elements, bits)
#define HW_NO_REGS(SCALAR, VECTOR)			    /* a combinational block's list */

#endif
