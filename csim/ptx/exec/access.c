/* Where the lanes of a memory instruction go, and whether they may. */
#include <stdio.h>

#include "base/utf8.h"
#include "ptx/exec/sanitizer.h"
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

/* The run goes on: the lane finds zeroes, and what it writes is lost. */
static void go_nowhere(struct access *a, int lane, uint64_t traced)
{
	memset(a->nowhere[lane], 0, sizeof a->nowhere[lane]);
	a->lane_bytes[lane] = a->nowhere[lane];
	a->address[lane] = traced;
}

/* After the message of an access is in x->e: whether the run goes on all the same. */
static bool tolerated(struct exec *x, const struct insn *i)
{
	if (x->k->module->oob == PTX_OOB_STOP)
		return false;
	if (x->k->module->oob == PTX_OOB_WARN && !x->warned[i->aux])
		fprintf(stderr, "%s; the run goes on\n", utf8_clean(x->e->text));
	x->warned[i->aux] = true;
	x->e->text[0] = 0;
	return true;
}

/* The last place for `bytes` in the buffer below, or the first in the one above. */
static uint64_t nearest(const struct memory *m, uint64_t addr, uint64_t bytes)
{
	uint64_t at = 0;

	for (unsigned b = 0; b < m->n; b++) {
		const struct memory_buffer *buffer = &m->buffer[b];

		if (buffer->base > addr)
			return at ? at : buffer->base;
		if (buffer->size >= bytes)
			at = buffer->base + (buffer->size - bytes) / bytes * bytes;
	}
	return at;
}

static bool outside_global(struct exec *x, const struct warp *w, const struct insn *i, int lane, uint64_t bytes, struct access *a)
{
	uint64_t at = nearest(x->mem, a->address[lane], bytes);

	fail_global(x, w, i, lane, a->address[lane], bytes);
	if (a->address[lane] & (bytes - 1) || !at || !tolerated(x, i))
		return false;
	go_nowhere(a, lane, at);
	return true;
}

/* Lanes in several buffers, or one of them in none. */
static int find_each(struct exec *x, const struct warp *w, const struct insn *i, uint32_t mask, uint64_t bytes, struct access *a)
{
	a->scattered = true;
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int l = __builtin_ctz(rest);

		a->lane_bytes[l] = a->address[l] & (bytes - 1) ? NULL : memory_at(x->mem, a->address[l], bytes);
		if (!a->lane_bytes[l] && !outside_global(x, w, i, l, bytes, a))
			return -1;
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

/* Some lanes' offsets are not in [0, size), or misaligned. */
static int find_outside(struct exec *x, const struct warp *w, const struct insn *i, enum trace_space space, uint32_t mask,
			uint64_t size, uint64_t stride, struct access *a)
{
	const struct mem_op *m = &x->k->mems[i->aux];
	uint64_t bytes = (uint64_t)m->width * m->n;

	a->scattered = true;
	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		int l = __builtin_ctz(rest);

		if (size >= bytes && a->address[l] <= size - bytes && !(a->address[l] & (bytes - 1))) {
			a->lane_bytes[l] = a->bytes + a->address[l] + (uint64_t)l * stride;
			continue;
		}
		fail_offset(x, w, i, space, l, a->address[l], size, bytes);
		if (a->address[l] & (bytes - 1) || !tolerated(x, i))
			return -1;
		go_nowhere(a, l, size >= bytes ? (size - bytes) / bytes * bytes : 0);
	}
	return 0;
}

/* An access whose lanes have offsets in [0, size) of a piece of memory, or each in a piece of its own, `stride`
 * apart. */
static int find_offset(struct exec *x, const struct warp *w, const struct insn *i, enum trace_space space, uint32_t mask,
		       uint64_t size, uint64_t stride, struct access *a)
{
	const struct mem_op *m = &x->k->mems[i->aux];
	uint64_t bytes = (uint64_t)m->width * m->n;
	uint32_t bad = bad_lanes(a->address, size, bytes) & mask;

	if (bad)
		return find_outside(x, w, i, space, mask, size, stride, a);
	EACH_LANE(l) a->offset[l] = a->address[l] + l * stride;
	return 0;
}

static int find(struct exec *x, struct warp *w, const struct insn *i, enum trace_space space, uint32_t mask, struct access *a)
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

int access_find(struct exec *x, struct warp *w, const struct insn *i, enum trace_space space, uint32_t mask, struct access *a)
{
	if (find(x, w, i, space, mask, a) != 0)
		return -1;
	if (__builtin_expect(x->sanitizer != NULL, 0) && (space == SPACE_SHARED || space == SPACE_LOCAL))
		sanitizer_access(x, w, i, space, mask, a);
	return 0;
}
