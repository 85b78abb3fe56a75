/* Fetches from textures. */
#include "ptx/exec/exec.h"
#include "ptx/texture.h"

/* The texel's place along one dimension; coordinates that are no number fetch the first one. */
static uint32_t clamped(uint32_t bits, bool is_float, uint32_t size)
{
	float f;

	if (!is_float)
		return (int32_t)bits < 0 ? 0 : bits < size ? bits : size - 1;
	memcpy(&f, &bits, sizeof f);
	return f >= 1 ? (f < (float)size && (uint32_t)f < size ? (uint32_t)f : size - 1) : 0;
}

/* The texture that a lane reads; NULL: e is filled. */
static const struct texture *texture_at(struct exec *x, const struct warp *w, const struct insn *i, int lane, uint64_t handle)
{
	const struct tex_op *op = &x->k->texs[i->aux];
	const struct texture *t = texture_of(x->mem, handle);
	bool fits;

	t = t && t->surface ? NULL : t;
	if (!t)
		exec_fail(x, w, i, lane, "0x%llx is no texture", (unsigned long long)handle);
	if (t && !t->bound)
		exec_fail(x, w, i, lane, "nothing is bound to the texture %s", t->name);
	if (!t || !t->bound)
		return NULL;
	if (t->view.shape != TEXTURE_2D || t->view.linear || t->view.normalized || t->view.srgb || t->view.levels > 1 ||
	    t->view.at[0] == TEXTURE_BORDER || t->view.at[1] == TEXTURE_BORDER) {
		exec_fail(x, w, i, lane, "fetches from textures of this shape, filter or address mode are not supported");
		return NULL;
	}
	fits = texture_format_bytes(t->view.format) < 4 || (t->view.format == TEXTURE_F32) == op->as_float;
	if (!fits)
		exec_fail(x, w, i, lane, "fetches %s from a texture of %s", op->as_float ? "floats" : "integers",
			  op->as_float ? "32-bit integers" : "floats");
	else if (!op->two_d && t->view.height > 1)
		exec_fail(x, w, i, lane, "a 1d fetch from a texture of %u rows", t->view.height);
	else
		return t;
	return NULL;
}

int exec_texture(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask)
{
	const struct tex_op *op = &x->k->texs[i->aux];
	const lane_u64 *handle = row_at(x, w, op->handle);
	const lane_u32 *at_x = row_at(x, w, op->at[0]), *at_y = op->two_d ? row_at(x, w, op->at[1]) : NULL;
	uint64_t address[LANES] = {0};
	uint32_t row[4][LANES] = {{0}};

	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int l = __builtin_ctz(rest);
		const struct texture *t = texture_at(x, w, i, l, handle[l]);
		const uint8_t *bytes;
		uint64_t offset;

		if (!t)
			return -1;
		bytes = memory_at(x->mem, t->view.address, texture_level_bytes(&t->view, 0));
		if (!bytes)
			return exec_fail(x, w, i, l, "the texture's buffer is no longer there");
		offset = (uint64_t)clamped(at_x[l], op->float_coords, t->view.width) * t->texel_bytes;
		if (op->two_d)
			offset += clamped(at_y[l], op->float_coords, t->view.height) * t->view.pitch;
		address[l] = t->view.address + offset;
		for (unsigned k = 0; k < 4; k++)
			row[k][l] = texture_channel(t, bytes + offset, k, op->as_float);
	}
	if (x->w)
		trace_put_addrs(x->w, w->id, mask, address);
	for (unsigned k = 0; k < 4; k++)
		if (op->reg[k] != NO_CODE)
			row_blend(row_at(x, w, op->reg[k]), row[k], mask, 4);
	return 0;
}
