/* Loads from surfaces and stores to them. */
#include "ptx/exec/exec.h"
#include "ptx/texture.h"

struct found { /* where the lane before was */
	const struct texture *t;
	uint8_t *bytes;
};

static int find(struct exec *x, const struct warp *w, const struct insn *i, int lane, uint64_t handle, struct found *f)
{
	const struct surf_op *op = &x->k->surfs[i->aux];
	const struct texture *t;

	if (f->t && f->t->handle == handle)
		return 0;
	t = exec_view(x, w, i, lane, handle, true);
	if (!t || !exec_view_fits(x, w, i, lane, &t->view, op->place.geometry))
		return -1;
	f->t = t;
	f->bytes = memory_at(x->mem, t->view.address, texture_level_bytes(&t->view, 0));
	return f->bytes ? 0 : exec_fail(x, w, i, lane, "the surface's buffer is gone");
}

/* Byte `at` of 0 to `size` - `bytes`; *outside if it has to be moved there. */
static uint64_t clamped(int64_t at, uint64_t size, uint64_t bytes, bool *outside)
{
	uint64_t most = size >= bytes ? (size - bytes) / bytes * bytes : 0;

	*outside |= size < bytes || at < 0 || (uint64_t)at > size - bytes;
	return at < 0 ? 0 : (uint64_t)at > most ? most : (uint64_t)at;
}

/* The lane's offset from the surface's begin; *outside: of the nearest element there instead. */
static uint64_t offset_at(const struct exec *x, const struct warp *w, const struct surf_op *op, int lane,
			  const struct texture_view *v, unsigned texel_bytes, bool *outside)
{
	const struct mem_op *m = &x->k->mems[op->mem];
	const uint64_t size[3] = {(uint64_t)v->width * texel_bytes, v->height, v->depth};
	const uint64_t step[3] = {1, v->pitch, v->slice_pitch}, unit[3] = {(uint64_t)m->width * m->n, 1, 1};
	uint64_t offset = 0;

	for (unsigned c = 0; c < op->place.n; c++) {
		int64_t at = ((const lane_s32 *)row_at(x, w, op->place.at[c]))[lane];

		offset += clamped(at, size[c], unit[c], outside) * step[c];
	}
	if (op->place.layer != NO_CODE)
		offset += clamped(((const lane_u32 *)row_at(x, w, op->place.layer))[lane], v->depth, 1, outside) * v->slice_pitch;
	return offset;
}

static int place(struct exec *x, const struct warp *w, const struct insn *i, int lane, const struct found *f, struct access *at)
{
	const struct surf_op *op = &x->k->surfs[i->aux];
	const struct mem_op *m = &x->k->mems[op->mem];
	const char *verb = m->store ? "writes" : "reads";
	unsigned bytes = (unsigned)m->width * m->n;
	bool outside = false;
	uint64_t offset = offset_at(x, w, op, lane, &f->t->view, f->t->texel_bytes, &outside);

	at->address[lane] = f->t->view.address + offset;
	at->lane_bytes[lane] = f->bytes + offset;
	if (at->address[lane] % bytes)
		return exec_fail(x, w, i, lane, "%s %u bytes at a byte of the surface's row that is not a multiple of them", verb,
				 bytes);
	if (!outside)
		return 0;
	if (op->mode == SURF_TRAP)
		return exec_fail(x, w, i, lane, "%s %u bytes outside the surface of %u x %u x %u texels of %u bytes", verb, bytes,
				 f->t->view.width, f->t->view.height, f->t->view.depth, f->t->texel_bytes);
	if (op->mode == SURF_ZERO || (uint64_t)f->t->view.width * f->t->texel_bytes < bytes) {
		memset(at->nowhere[lane], 0, sizeof at->nowhere[lane]);
		at->lane_bytes[lane] = at->nowhere[lane];
	}
	return 0;
}

int exec_surface(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask)
{
	const struct surf_op *op = &x->k->surfs[i->aux];
	const lane_u64 *handle = row_at(x, w, op->place.handle);
	struct access at = {.scattered = true};
	struct found f = {0};

	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int l = __builtin_ctz(rest);

		if (find(x, w, i, l, handle[l], &f) < 0 || place(x, w, i, l, &f, &at) < 0)
			return -1;
	}
	if (x->w)
		trace_put_addrs(x->w, w->id, mask, at.address);
	exec_move_each(x, w, &x->k->mems[op->mem], mask, &at);
	return 0;
}
