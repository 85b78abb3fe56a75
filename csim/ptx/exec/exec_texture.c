/* Fetches from textures, and queries of textures and surfaces. */
#include "ptx/exec/exec.h"
#include "ptx/texture_sample.h"

static const char *geometry_name(enum tex_geometry g)
{
	static const char *const names[] = {[TEX_1D] = "1d",   [TEX_2D] = "2d",	    [TEX_3D] = "3d",	  [TEX_A1D] = "a1d",
					    [TEX_A2D] = "a2d", [TEX_CUBE] = "cube", [TEX_ACUBE] = "acube"};

	return names[g];
}

static const char *shape_name(const struct texture_view *v)
{
	static const char *const names[TEXTURE_SHAPES] = {[TEXTURE_2D] = "rows",
							  [TEXTURE_LINEAR] = "linear memory",
							  [TEXTURE_3D] = "three dimensions",
							  [TEXTURE_A1D] = "layers of one row",
							  [TEXTURE_A2D] = "layers",
							  [TEXTURE_CUBE] = "a cube's faces",
							  [TEXTURE_ACUBE] = "layers of cubes"};

	return names[v->shape];
}

const struct texture *exec_view(struct exec *x, const struct warp *w, const struct insn *i, int lane, uint64_t handle, bool surface)
{
	const struct texture *t = texture_of(x->mem, handle);
	const char *what = surface ? "surface" : "texture";

	if (!t || t->surface != surface)
		exec_fail(x, w, i, lane, "0x%llx is not a %s", (unsigned long long)handle, what);
	else if (!t->bound)
		exec_fail(x, w, i, lane, "nothing is bound to the %s %s", what, t->name);
	else
		return t;
	return NULL;
}

bool exec_view_fits(struct exec *x, const struct warp *w, const struct insn *i, int lane, const struct texture_view *v,
		    enum tex_geometry g)
{
	static const enum tex_geometry of[TEXTURE_SHAPES] = {
		[TEXTURE_2D] = TEX_2D,	 [TEXTURE_LINEAR] = TEX_1D, [TEXTURE_3D] = TEX_3D,	[TEXTURE_A1D] = TEX_A1D,
		[TEXTURE_A2D] = TEX_A2D, [TEXTURE_CUBE] = TEX_CUBE, [TEXTURE_ACUBE] = TEX_ACUBE};
	bool cube = v->shape == TEXTURE_CUBE || v->shape == TEXTURE_ACUBE, surface = i->kind == INSN_SURFACE;
	const char *verb = surface ? "access to a surface" : "fetch from a texture";

	if (of[v->shape] == g || (v->shape == TEXTURE_2D && v->height == 1 && g == TEX_1D))
		return true;
	if (surface && cube && g == TEX_A2D) /* CUDA's surfCubemapread: faces are layers */
		return true;
	if (v->shape == TEXTURE_2D && g == TEX_1D)
		exec_fail(x, w, i, lane, "a 1d %s of %u rows", verb, v->height);
	else
		exec_fail(x, w, i, lane, "%s %s %s of %s", geometry_name(g)[0] == 'a' ? "an" : "a", geometry_name(g), verb,
			  shape_name(v));
	return false;
}

/* Whether a lane can fetch from the texture in this way. */
static bool fits(struct exec *x, const struct warp *w, const struct insn *i, int lane, const struct texture_view *v)
{
	const struct tex_op *op = &x->k->texs[i->aux];
	bool is_float = v->format == TEXTURE_F32 || v->format == TEXTURE_F16;
	bool wide = v->format == TEXTURE_U32 || v->format == TEXTURE_S32;

	if (op->as_float ? wide : is_float)
		exec_fail(x, w, i, lane, "fetches %s from a texture of %s", op->as_float ? "floats" : "integers",
			  op->as_float ? "32-bit integers" : "floats");
	else if (!op->as_float && v->linear && op->place.float_coords && op->kind != TEX_GATHER && v->shape != TEXTURE_LINEAR)
		exec_fail(x, w, i, lane, "fetches integers from a texture with a linear filter");
	else if (op->kind == TEX_GRADIENT && v->levels > 1 && (v->shape == TEXTURE_CUBE || v->shape == TEXTURE_ACUBE))
		exec_fail(x, w, i, lane, "gradients in a cube with levels are not supported");
	else
		return exec_view_fits(x, w, i, lane, v, op->place.geometry);
	return false;
}

/* Finds the texture of a lane; *s is that of the lane before. */
static int find(struct exec *x, const struct warp *w, const struct insn *i, int lane, uint64_t handle, struct texture_source *s)
{
	const struct texture *t;

	if (s->t && s->t->handle == handle)
		return 0;
	t = exec_view(x, w, i, lane, handle, false);
	if (!t || !fits(x, w, i, lane, &t->view))
		return -1;
	return texture_source_of(x->mem, t, s) ? 0 : exec_fail(x, w, i, lane, "the texture's buffer is gone");
}

static float lane_float(const struct exec *x, const struct warp *w, uint32_t row, int lane)
{
	return ((const lane_f32 *)row_at(x, w, row))[lane];
}

static float level_at(const struct exec *x, const struct warp *w, const struct tex_op *op, int lane, const struct texture_view *v)
{
	float step[2][3] = {{0}};

	if (op->kind == TEX_LEVEL)
		return op->place.float_coords ? lane_float(x, w, op->level, lane)
					      : (float)((const lane_s32 *)row_at(x, w, op->level))[lane];
	for (unsigned d = 0; d < 2; d++)
		for (unsigned c = 0; c < op->place.n; c++)
			step[d][c] = lane_float(x, w, op->step[d][c], lane);
	return texture_gradient_level(v, step[0], step[1], op->place.n);
}

static struct texture_point point_at(const struct exec *x, const struct warp *w, const struct tex_op *op, int lane,
				     const struct texture_view *v)
{
	const struct tex_place *at = &op->place;
	struct texture_point p = {.n = at->n, .integer = !at->float_coords};

	for (unsigned c = 0; c < at->n; c++) {
		p.cell[c] = ((const lane_s32 *)row_at(x, w, at->at[c]))[lane];
		p.at[c] = lane_float(x, w, at->at[c], lane);
	}
	if (at->layer != NO_CODE)
		p.layer = ((const lane_u32 *)row_at(x, w, at->layer))[lane];
	p.mipmapped = v->levels > 1 && (op->kind == TEX_LEVEL || op->kind == TEX_GRADIENT);
	p.level = p.mipmapped ? level_at(x, w, op, lane, v) : 0;
	return p;
}

int exec_texture(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask)
{
	const struct tex_op *op = &x->k->texs[i->aux];
	const lane_u64 *handle = row_at(x, w, op->place.handle);
	struct texture_source s = {0};
	uint64_t address[LANES] = {0};
	uint32_t row[4][LANES] = {{0}}, out[4];

	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int l = __builtin_ctz(rest);
		struct texture_point p;

		if (find(x, w, i, l, handle[l], &s) < 0)
			return -1;
		p = point_at(x, w, op, l, &s.t->view);
		if (op->kind == TEX_GATHER)
			address[l] = texture_gather(&s, &p, op->channel, op->as_float, out);
		else
			address[l] = texture_sample(&s, &p, op->as_float, out);
		for (unsigned k = 0; k < 4; k++)
			row[k][l] = out[k];
	}
	if (x->w)
		trace_put_addrs(x->w, w->id, mask, address);
	for (unsigned k = 0; k < 4; k++)
		if (op->reg[k] != NO_CODE)
			row_blend(row_at(x, w, op->reg[k]), row[k], mask, 4);
	if (op->resident != NO_CODE)
		*(lane_u32 *)row_at(x, w, op->resident) |= mask;
	return 0;
}

/* ---- queries ---- */

/* The numbers are OpenCL's, as PTX has it (section "Channel Data Type and Channel Order Fields"). */
static uint32_t answer(const struct texture_view *v, enum tex_query q, uint32_t level)
{
	static const uint32_t types[TEXTURE_FORMATS] = {
		[TEXTURE_S8] = 0x10d7,	[TEXTURE_S16] = 0x10d8, [TEXTURE_S32] = 0x10d9, [TEXTURE_U8] = 0x10da,
		[TEXTURE_U16] = 0x10db, [TEXTURE_U32] = 0x10dc, [TEXTURE_F16] = 0x10dd, [TEXTURE_F32] = 0x10de};
	bool layered = v->shape == TEXTURE_A1D || v->shape == TEXTURE_A2D || v->shape == TEXTURE_ACUBE;

	level = level < v->levels ? level : v->levels - 1;
	switch (q) {
	case TEX_WIDTH:
	case TEX_HEIGHT:
		return texture_extent(v, q == TEX_HEIGHT, level);
	case TEX_DEPTH:
		return v->shape == TEXTURE_3D ? texture_extent(v, 2, level) : 1;
	case TEX_LAYERS:
		return !layered ? 1 : v->shape == TEXTURE_ACUBE ? v->depth / 6 : v->depth;
	case TEX_LEVELS:
		return v->levels;
	case TEX_NORMALIZED:
		return v->normalized;
	case TEX_CHANNEL_TYPE:
		return types[v->format];
	case TEX_CHANNEL_ORDER:
		return v->channels == 1 ? 0x10b0 : v->channels == 2 ? 0x10b2 : 0x10b5; /* R, RG, RGBA */
	}
	return 0;
}

int exec_query(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask)
{
	const lane_u64 *handle = row_at(x, w, i->a);
	const lane_u32 *level = row_at(x, w, i->b);
	uint32_t row[LANES] = {0};

	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int l = __builtin_ctz(rest);
		const struct texture *t = exec_view(x, w, i, l, handle[l], i->target);

		if (!t)
			return -1;
		row[l] = answer(&t->view, (enum tex_query)i->aux, level[l]);
	}
	row_blend(row_at(x, w, i->d), row, mask, 4);
	return 0;
}
