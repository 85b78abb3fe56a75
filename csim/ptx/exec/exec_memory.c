/* Loads and stores of 32 lanes. */
#include "ptx/exec/exec.h"

void exec_addresses(const struct exec *x, const struct warp *w, const struct mem_op *m, uint64_t addr[LANES])
{
	uint64_t offset = (uint64_t)m->offset;

	if (m->addr_bytes == 8) {
		const lane_u64 *a = row_at(x, w, m->addr);

		EACH_LANE(l) addr[l] = a[l] + offset;
	} else {
		const lane_u32 *a = row_at(x, w, m->addr);

		EACH_LANE(l) addr[l] = (uint32_t)(a[l] + offset);
	}
}

/* ---- from memory to a register ---- */

#define LOAD(name, T, D)                                                                                                           \
	static void name(void *reg, const uint8_t *bytes, const uint64_t *offset, uint32_t mask)                                   \
	{                                                                                                                          \
		D *d = reg;                                                                                                        \
		if (mask == UINT32_MAX) {                                                                                          \
			for (unsigned l = 0; l < LANES; l++)                                                                       \
				d[l] = (D)(*(const T *)(bytes + offset[l]));                                                       \
			return;                                                                                                    \
		}                                                                                                                  \
		for (uint32_t rest = mask; rest; rest &= rest - 1) {                                                               \
			unsigned l = (unsigned)__builtin_ctz(rest);                                                                \
			d[l] = (D)(*(const T *)(bytes + offset[l]));                                                               \
		}                                                                                                                  \
	}
#define LOADS(sign, T8, T16, T32)                                                                                                  \
	LOAD(load_##sign##8_2, T8, lane_u16)                                                                                       \
	LOAD(load_##sign##8_4, T8, lane_u32)                                                                                       \
	LOAD(load_##sign##8_8, T8, lane_u64)                                                                                       \
	LOAD(load_##sign##16_2, T16, lane_u16)                                                                                     \
	LOAD(load_##sign##16_4, T16, lane_u32)                                                                                     \
	LOAD(load_##sign##16_8, T16, lane_u64)                                                                                     \
	LOAD(load_##sign##32_4, T32, lane_u32)                                                                                     \
	LOAD(load_##sign##32_8, T32, lane_u64)
LOADS(u, lane_u8, lane_u16, lane_u32)
LOADS(s, lane_s8, lane_s16, lane_s32)
LOAD(load_64_8, lane_u64, lane_u64)

typedef void (*load_fn)(void *reg, const uint8_t *bytes, const uint64_t *offset, uint32_t mask);

/* By sign, log2 of the bytes in memory, log2 of those of the register. */
static const load_fn loads[2][4][4] = {
	{{0, load_u8_2, load_u8_4, load_u8_8},
	 {0, load_u16_2, load_u16_4, load_u16_8},
	 {0, 0, load_u32_4, load_u32_8},
	 {0, 0, 0, load_64_8}},
	{{0, load_s8_2, load_s8_4, load_s8_8},
	 {0, load_s16_2, load_s16_4, load_s16_8},
	 {0, 0, load_s32_4, load_s32_8},
	 {0, 0, 0, load_64_8}},
};

/* ---- from a register to memory ---- */

#define STORE(name, T, D)                                                                                                          \
	static void name(const void *reg, uint8_t *bytes, const uint64_t *offset, uint32_t mask)                                   \
	{                                                                                                                          \
		const D *d = reg;                                                                                                  \
		for (uint32_t rest = mask; rest; rest &= rest - 1) {                                                               \
			unsigned l = (unsigned)__builtin_ctz(rest);                                                                \
			*(T *)(bytes + offset[l]) = (T)d[l];                                                                       \
		}                                                                                                                  \
	}
STORE(store_8_2, lane_u8, lane_u16)
STORE(store_8_4, lane_u8, lane_u32)
STORE(store_8_8, lane_u8, lane_u64)
STORE(store_16_2, lane_u16, lane_u16)
STORE(store_16_4, lane_u16, lane_u32)
STORE(store_16_8, lane_u16, lane_u64)
STORE(store_32_4, lane_u32, lane_u32)
STORE(store_32_8, lane_u32, lane_u64)
STORE(store_64_8, lane_u64, lane_u64)

typedef void (*store_fn)(const void *reg, uint8_t *bytes, const uint64_t *offset, uint32_t mask);
static const store_fn stores[4][4] = {{0, store_8_2, store_8_4, store_8_8},
				      {0, store_16_2, store_16_4, store_16_8},
				      {0, 0, store_32_4, store_32_8},
				      {0, 0, 0, store_64_8}};

/* ---- common patterns: a warp is two rows of a 16-wide block, or one of a wider one ---- */

enum pattern { SCATTERED, SAME, CONSECUTIVE /* in each half of the warp */ };

static enum pattern pattern_of(const uint64_t offset[LANES], uint64_t step)
{
	uint64_t low = offset[0], high = offset[LANES / 2], unlike = 0, apart = 0;

	for (unsigned l = 0; l < LANES; l++) {
		uint64_t first = l < LANES / 2 ? low : high;

		unlike |= offset[l] ^ first;
		apart |= offset[l] ^ (first + l % (LANES / 2) * step);
	}
	return !unlike ? SAME : !apart ? CONSECUTIVE : SCATTERED;
}

/* A full warp's load of 4-byte words; false: it has no pattern that is worth it. */
static bool load_words(lane_u32 *d, const uint8_t *bytes, const uint64_t *offset)
{
	enum pattern p = pattern_of(offset, 4);

	if (p == CONSECUTIVE) {
		memcpy(d, bytes + offset[0], 64);
		memcpy(d + LANES / 2, bytes + offset[LANES / 2], 64);
	} else if (p == SAME) {
		uint32_t low = *(const lane_u32 *)(bytes + offset[0]), high = *(const lane_u32 *)(bytes + offset[LANES / 2]);

		EACH_LANE(l) d[l] = l < LANES / 2 ? low : high;
	}
	return p != SCATTERED;
}

static bool store_words(const lane_u32 *d, uint8_t *bytes, const uint64_t *offset)
{
	if (pattern_of(offset, 4) != CONSECUTIVE)
		return false;
	memcpy(bytes + offset[0], d, 64);
	memcpy(bytes + offset[LANES / 2], d + LANES / 2, 64);
	return true;
}

static unsigned log2_of(unsigned bytes)
{
	return (unsigned)__builtin_ctz(bytes);
}

/* Element k of the lanes' vectors, all in one block of memory. */
static void move_element(struct exec *x, struct warp *w, const struct mem_op *m, unsigned k, uint32_t mask, struct access *at)
{
	bool words = mask == UINT32_MAX && m->n == 1 && m->width == 4 && m->reg_bytes == 4;
	void *reg = row_at(x, w, m->reg[k]);

	if (words && (m->store ? store_words(reg, at->bytes, at->offset) : load_words(reg, at->bytes, at->offset)))
		return;
	if (m->store)
		stores[log2_of(m->width)][log2_of(m->reg_bytes)](reg, at->bytes, at->offset, mask);
	else
		loads[m->sign_extend][log2_of(m->width)][log2_of(m->reg_bytes)](reg, at->bytes, at->offset, mask);
}

static bool store_changes(const struct exec *x, const struct warp *w, const struct mem_op *m, unsigned k, unsigned l,
			  const uint8_t *bytes)
{
	return memcmp(bytes, (const uint8_t *)row_at(x, w, m->reg[k]) + l * m->reg_bytes, m->width) != 0;
}

/* Lane by lane: for lanes in several buffers, and while changes of memory are counted. */
void exec_move_each(struct exec *x, struct warp *w, const struct mem_op *m, uint32_t mask, struct access *at)
{
	static const uint64_t zero[LANES];

	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		unsigned l = (unsigned)__builtin_ctz(rest);
		uint8_t *bytes = at->scattered ? at->lane_bytes[l] : at->bytes + at->offset[l];

		for (unsigned k = 0; k < m->n; k++, bytes += m->width) {
			if (m->reg[k] == NO_CODE)
				continue;
			if (m->store && x->counting)
				x->changes += store_changes(x, w, m, k, l, bytes);
			if (m->store)
				stores[log2_of(m->width)][log2_of(m->reg_bytes)](row_at(x, w, m->reg[k]), bytes, zero, 1u << l);
			else
				loads[m->sign_extend][log2_of(m->width)][log2_of(m->reg_bytes)](row_at(x, w, m->reg[k]), bytes,
												zero, 1u << l);
		}
	}
}

/* Lanes whose store changes a byte. */
static uint32_t lanes_that_change(const struct exec *x, const struct warp *w, const struct mem_op *m, uint32_t mask,
				  const struct access *at)
{
	uint32_t changed = 0;

	for (uint32_t rest = mask; rest; rest &= rest - 1) {
		unsigned l = (unsigned)__builtin_ctz(rest);
		const uint8_t *bytes = at->scattered ? at->lane_bytes[l] : at->bytes + at->offset[l];

		for (unsigned k = 0; k < m->n; k++)
			changed |= (uint32_t)store_changes(x, w, m, k, l, bytes + (size_t)k * m->width) << l;
	}
	return changed;
}

/* In a kernel some of whose accesses may order warps. False: this one does not, and has not been done. */
static bool move_in_order(struct exec *x, struct warp *w, const struct insn *i, enum trace_space space, uint32_t mask,
			  struct access *at)
{
	const struct mem_op *m = &x->k->mems[i->aux];
	const struct sync_log *log = space == SPACE_SHARED ? x->of_cta : x->global;
	uint32_t bytes = (uint32_t)m->width * m->n, changed = 0;

	if (i->kind == INSN_ATOMIC) {
		bool gives = m->reg[0] != NO_CODE, takes = m->atomic == ATOMIC_CAS || m->atomic == ATOMIC_EXCH;
		enum ordering ordering = gives && takes			 ? ORDERING_TAKES
					 : gives && exec_leaves(x->k, m) ? ORDERING_READS
									 : ORDERING_WRITES;

		changed = exec_atomic(x, w, m, mask, at);
		x->effects += changed != 0;
		exec_orders(x, w, space, bytes, mask, changed, ordering, at);
		return true;
	}
	x->effects += m->store;
	if (!m->strong && !(m->store && log && sync_log_knows(log, mask, bytes, at->address)))
		return false;
	if (m->store)
		changed = lanes_that_change(x, w, m, mask, at);
	else if (x->wait.replays)
		exec_wait_value(x, space, m, mask, at);
	exec_move_each(x, w, m, mask, at);
	exec_orders(x, w, space, bytes, mask, changed, m->store ? ORDERING_WRITES : ORDERING_READS, at);
	return true;
}

/* The access of an instruction's lanes of mask to one space; at->address is filled. */
static int access_space(struct exec *x, struct warp *w, const struct insn *i, enum trace_space space, uint32_t mask,
			struct access *at)
{
	const struct mem_op *m = &x->k->mems[i->aux];

	if (access_find(x, w, i, space, mask, at) < 0)
		return -1;
	if (x->w && space != SPACE_PARAM)
		trace_put_addrs(x->w, w->id, mask, at->address);
	if (__builtin_expect(x->orders, 0) && (space == SPACE_GLOBAL || space == SPACE_SHARED) &&
	    move_in_order(x, w, i, space, mask, at))
		return 0;
	if (i->kind == INSN_ATOMIC) {
		exec_atomic(x, w, m, mask, at);
		return 0;
	}
	if (at->scattered || (m->store && x->counting)) {
		exec_move_each(x, w, m, mask, at);
		return 0;
	}
	for (unsigned k = 0; k < m->n; k++) {
		if (m->reg[k] != NO_CODE)
			move_element(x, w, m, k, mask, at);
		if (k + 1 < m->n)
			EACH_LANE(l) at->offset[l] += m->width;
	}
	return 0;
}

int exec_memory(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask)
{
	const struct mem_op *m = &x->k->mems[i->aux];
	struct access at;

	exec_addresses(x, w, m, at.address);
	return access_space(x, w, i, m->space == SPACE_NONE ? SPACE_GLOBAL : m->space, mask, &at);
}

static uint32_t lanes_in(const uint64_t addr[LANES], uint64_t window)
{
	uint32_t in = 0;

	for (unsigned l = 0; l < LANES; l++)
		in |= (uint32_t)(addr[l] - window < WINDOW_BYTES) << l;
	return in;
}

bool exec_in_windows(const struct exec *x, const struct warp *w, const struct insn *i, uint32_t mask)
{
	uint64_t addr[LANES];

	exec_addresses(x, w, &x->k->mems[i->aux], addr);
	return ((lanes_in(addr, SHARED_WINDOW) | lanes_in(addr, LOCAL_WINDOW)) & mask) != 0;
}

int exec_generic(struct exec *x, struct warp *w, const struct insn *i, uint32_t mask)
{
	const struct mem_op *m = &x->k->mems[i->aux];
	struct access at;
	uint64_t addr[LANES];
	uint32_t in_shared, in_local;

	exec_addresses(x, w, m, addr);
	in_shared = lanes_in(addr, SHARED_WINDOW) & mask;
	in_local = lanes_in(addr, LOCAL_WINDOW) & mask;
	const struct {
		uint32_t mask, pc;
		enum trace_space space;
		uint64_t window;
	} parts[] = {
		{mask & ~in_shared & ~in_local, i->pc, SPACE_GLOBAL, 0},
		{in_shared, m->pc_shared, SPACE_SHARED, SHARED_WINDOW},
		{in_local, m->pc_local, SPACE_LOCAL, LOCAL_WINDOW},
	};

	for (unsigned p = 0; p < 3; p++) {
		if (!parts[p].mask)
			continue;
		EACH_LANE(l) at.address[l] = addr[l] - parts[p].window;
		x->insts++;
		if (x->w)
			trace_put_run(x->w, w->id, parts[p].pc, 1, parts[p].mask);
		if (access_space(x, w, i, parts[p].space, parts[p].mask, &at) < 0)
			return -1;
	}
	return 0;
}
