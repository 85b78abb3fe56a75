/* Where the lanes of a memory instruction go, and whether they may. */
#include <stdio.h>

#include "ptx/exec/exec.h"

/* The lanes whose bytes are not in [0, size) or are not aligned. */
static uint32_t bad_lanes(const uint64_t offset[LANES], uint64_t size, uint64_t bytes)
{
	uint64_t most = size - bytes, beyond = 0, odd = 0;
	uint32_t bad = 0;

	if (size < bytes)
		return UINT32_MAX;
	for (unsigned l = 0; l < LANES; l++) { /* as a rule there is none, and that is quickly seen */
		beyond |= offset[l] > most;
		odd |= offset[l];
	}
	if (!beyond && !(odd & (bytes - 1)))
		return 0;
	for (unsigned l = 0; l < LANES; l++)
		bad |= (uint32_t)((offset[l] > most) | ((offset[l] & (bytes - 1)) != 0)) << l;
	return bad;
}

static const char *verb(const struct exec *x, const struct insn *i)
{
	return i->kind == INSN_ATOMIC ? "updates" : x->k->mems[i->aux].store ? "writes" : "reads";
}

static int fail_offset(struct exec *x, const struct warp *w, const struct insn *i, enum trace_space space, int lane, uint64_t addr,
		       uint64_t size, uint64_t bytes)
{
	const char *what = space == SPACE_SHARED  ? "of the CTA's shared memory"
			   : space == SPACE_LOCAL ? "of the thread's local memory"
						  : "of the parameters";

	if (size >= bytes && addr <= size - bytes)
		return exec_fail(x, w, i, lane, "%s %u bytes at the misaligned offset 0x%llx %s", verb(x, i), (unsigned)bytes,
				 (unsigned long long)addr, what);
	return exec_fail(x, w, i, lane, "%s %u bytes at offset 0x%llx %s, which has %llu bytes", verb(x, i), (unsigned)bytes,
			 (unsigned long long)addr, what, (unsigned long long)size);
}

static int describe(char *to, size_t room, const char *where, const struct memory_buffer *b)
{
	return snprintf(to, room, " %s it: %s 0x%llx..0x%llx (%llu bytes)", where, b->name, (unsigned long long)b->base,
			(unsigned long long)(b->base + b->size), (unsigned long long)b->size);
}

static int fail_global(struct exec *x, const struct warp *w, const struct insn *i, int lane, uint64_t addr, uint64_t bytes)
{
	char around[400] = "";
	const struct memory_buffer *below = NULL, *above = NULL;
	int n = 0;

	if (memory_at(x->mem, addr, bytes))
		return exec_fail(x, w, i, lane, "%s %u bytes at the misaligned address 0x%llx, in %s", verb(x, i), (unsigned)bytes,
				 (unsigned long long)addr, x->mem->buffer[memory_find(x->mem, addr)].name);
	for (unsigned b = 0; b < x->mem->n; b++) {
		if (x->mem->buffer[b].base <= addr)
			below = &x->mem->buffer[b];
		else if (!above)
			above = &x->mem->buffer[b];
	}
	if (below)
		n = describe(around, sizeof around, "below", below);
	if (above && n >= 0 && (size_t)n < sizeof around)
		describe(around + n, sizeof around - (size_t)n, below ? "; above" : "above", above);
	return exec_fail(x, w, i, lane, "%s %u bytes at 0x%llx, which are not in one buffer;%s", verb(x, i), (unsigned)bytes,
			 (unsigned long long)addr, *around ? around : " there are none");
}

/* Lanes in several buffers, or one of them in none. */
static int find_each(struct exec *x, const struct warp *w, const struct insn *i, uint32_t mask, uint64_t bytes, struct access *a)
{
	a->scattered = true;
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int l = __builtin_ctz(rest);

		a->lane_bytes[l] = a->address[l] & (bytes - 1) ? NULL : memory_at(x->mem, a->address[l], bytes);
		if (!a->lane_bytes[l])
			return fail_global(x, w, i, l, a->address[l], bytes);
	}
	return 0;
}

static int find_global(struct exec *x, const struct warp *w, const struct insn *i, uint32_t mask, uint64_t bytes, struct access *a)
{
	const struct memory_buffer *hit = x->hit[i->aux];
	uint64_t first = a->address[__builtin_ctz(mask)];

	if (!hit || first - hit->base >= hit->size) {
		int found = memory_find(x->mem, first);

		if (found < 0)
			return find_each(x, w, i, mask, bytes, a);
		hit = x->hit[i->aux] = &x->mem->buffer[found];
	}
	EACH_LANE(l) a->offset[l] = a->address[l] - hit->base; /* bases are more aligned than any access */
	if (bad_lanes(a->offset, hit->size, bytes) & mask)
		return find_each(x, w, i, mask, bytes, a);
	a->bytes = hit->bytes;
	return 0;
}

/* Offsets within the frame, where the first lane's address is one of a call's parameter. */
static bool in_frame(uint32_t mask, struct access *a)
{
	if (a->address[__builtin_ctz(mask)] < PARAM_FRAME)
		return false;
	EACH_LANE(l) a->address[l] -= PARAM_FRAME;
	return true;
}

/* An access whose lanes have offsets in [0, size) of a piece of memory, or each in a piece of its own, `stride`
 * apart. */
static int find_offset(struct exec *x, const struct warp *w, const struct insn *i, enum trace_space space, uint32_t mask,
		       uint64_t size, uint64_t stride, struct access *a)
{
	const struct mem_op *m = &x->k->mems[i->aux];
	uint64_t bytes = (uint64_t)m->width * m->n;
	uint32_t bad = bad_lanes(a->address, size, bytes) & mask;

	if (bad) {
		int l = __builtin_ctz(bad);

		return fail_offset(x, w, i, space, l, a->address[l], size, bytes);
	}
	EACH_LANE(l) a->offset[l] = a->address[l] + l * stride;
	return 0;
}

int access_find(struct exec *x, struct warp *w, const struct insn *i, enum trace_space space, uint32_t mask, struct access *a)
{
	const struct mem_op *m = &x->k->mems[i->aux];
	uint64_t each;

	a->scattered = false;
	switch (space) {
	case SPACE_SHARED:
		a->bytes = x->shared;
		return find_offset(x, w, i, space, mask, x->shared_bytes, 0, a);
	case SPACE_LOCAL:
		each = x->k->trace.local_bytes;
		a->bytes = x->local + (size_t)w->id * LANES * each;
		return find_offset(x, w, i, space, mask, each, each, a);
	case SPACE_PARAM:
		if (in_frame(mask, a)) {
			each = x->k->frame_bytes;
			a->bytes = x->frame + (size_t)w->id * LANES * each;
			return find_offset(x, w, i, space, mask, each, each, a);
		}
		if (m->store)
			return exec_fail(x, w, i, __builtin_ctz(mask), "writes to the kernel's parameters");
		a->bytes = (uint8_t *)(uintptr_t)x->params; /* only read */
		return find_offset(x, w, i, space, mask, x->k->func->param_bytes, 0, a);
	default:
		return find_global(x, w, i, mask, (uint64_t)m->width * m->n, a);
	}
}
