/* malloc and free: lanes in ascending order. */
#include "ptx/exec/exec.h"
#include "ptx/heap.h"

static uint8_t *params_of(const struct exec *x, const struct warp *w, unsigned lane)
{
	return x->frame + ((size_t)w->id * LANES + lane) * x->k->frame_bytes;
}

int exec_malloc(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask)
{
	const struct print_op *op = &x->k->prints[i->aux];

	for (; mask; mask &= mask - 1) {
		uint8_t *params = params_of(x, w, (unsigned)__builtin_ctz(mask));
		uint64_t bytes, address;

		memcpy(&bytes, params + op->param[0], 8);
		address = heap_take(x->mem, bytes);
		memcpy(params + op->result, &address, 8);
		x->changes++;
	}
	return 0;
}

int exec_free(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask)
{
	const struct print_op *op = &x->k->prints[i->aux];

	for (; mask; mask &= mask - 1) {
		int lane = __builtin_ctz(mask);
		uint64_t address;

		memcpy(&address, params_of(x, w, (unsigned)lane) + op->param[0], 8);
		if (!heap_give(x->mem, address))
			return exec_fail(x, w, i, lane, "frees 0x%llx, which malloc has not given or which has been freed",
					 (unsigned long long)address);
		x->changes++;
	}
	return 0;
}
