#include <string.h>

#include "ptx/parse/ast.h"

static const struct {
	const char *name;
	uint8_t bytes;
} types[] = {
	[PT_NONE] = {"", 0},	       [PT_PRED] = {"pred", 0},
	[PT_B8] = {"b8", 1},	       [PT_B16] = {"b16", 2},
	[PT_B32] = {"b32", 4},	       [PT_B64] = {"b64", 8},
	[PT_U8] = {"u8", 1},	       [PT_U16] = {"u16", 2},
	[PT_U32] = {"u32", 4},	       [PT_U64] = {"u64", 8},
	[PT_S8] = {"s8", 1},	       [PT_S16] = {"s16", 2},
	[PT_S32] = {"s32", 4},	       [PT_S64] = {"s64", 8},
	[PT_F16] = {"f16", 2},	       [PT_F16X2] = {"f16x2", 4},
	[PT_F32] = {"f32", 4},	       [PT_F64] = {"f64", 8},
	[PT_B128] = {"b128", 16},      [PT_TEXREF] = {"texref", 8},
	[PT_SURFREF] = {"surfref", 8}, [PT_SAMPLERREF] = {"samplerref", 8},
	[PT_BF16] = {"bf16", 2},       [PT_BF16X2] = {"bf16x2", 4},
	[PT_TF32] = {"tf32", 4},
};

enum ptx_type ptx_type_of(const char *word, size_t len)
{
	for (unsigned i = PT_PRED; i < PT_TEXREF; i++)
		if (strlen(types[i].name) == len && !memcmp(types[i].name, word, len))
			return (enum ptx_type)i;
	return PT_NONE;
}

const char *ptx_type_name(enum ptx_type t)
{
	return types[t].name;
}

unsigned ptx_type_bytes(enum ptx_type t)
{
	return types[t].bytes;
}
