/* Liveness of registers, 64 of them at a time: backward data flow over the blocks, then a walk through each block that
 * adds the registers' weights to the instructions behind which they are alive.
 *
 * A set is one word, so memory grows with the text alone. Of the blocks whose set has grown, the one behind all others
 * is always the next to be looked at: without loops each is looked at once, and wherever the branches are, at most once
 * for each register. */
#include <string.h>

#include "base/panic.h"
#include "ptx/lower/graph.h"

enum { WEIGHT_BITS = 3 /* of b128: 4 */, GROWN_LEVELS = 4 /* 2^24 blocks */ };

struct access { /* of an instruction to a register */
	uint32_t inst;
	uint8_t bit;  /* the register's in its word */
	uint8_t slot; /* of the instruction's registers */
	bool is_dst, kills;
};

struct live {
	struct graph g;
	struct access *access; /* of word w: first[w] .. first[w + 1), by instruction, sources before destinations */
	uint32_t *first;
	uint64_t *in, *kill;	       /* of each block, for the word at hand */
	uint32_t *list, *position_of;  /* blocks in the order in which they are visited; each one's position in it */
	uint64_t *grown[GROWN_LEVELS]; /* positions whose `in` has grown; a level's bit is for 64 of the one below */
	int64_t *change;	       /* of the sum behind instruction i against the one behind i - 1 */
	const uint8_t *weight;
	struct cfg_live *out;	     /* NULL: not asked for */
	uint64_t plane[WEIGHT_BITS]; /* the registers of the word at hand whose weight has bit k */
};

static void note(struct live *l, uint32_t *fill, uint32_t reg, struct access a)
{
	a.bit = reg % 64;
	l->access[l->first[reg / 64] + fill[reg / 64]++] = a;
}

/* Sorts all accesses by word. */
static void collect(struct live *l, const struct trace_inst *inst, uint32_t n, uint32_t words)
{
	uint32_t *fill = arena_array(&l->g.arena, words + 1, sizeof *fill);

	l->first = arena_array(&l->g.arena, words + 2, sizeof *l->first);
	for (uint32_t i = 0; i < n; i++)
		for (uint32_t k = 0; k < (uint32_t)inst[i].ndst + inst[i].nsrc; k++)
			l->first[inst[i].reg[k] / 64 + 1]++;
	for (uint32_t w = 0; w < words; w++)
		l->first[w + 1] += l->first[w];
	l->access = arena_array(&l->g.arena, l->first[words] + 1, sizeof *l->access);
	for (uint32_t i = 0; i < n; i++) {
		const struct trace_inst *t = &inst[i];

		for (uint32_t k = t->ndst; k < (uint32_t)t->ndst + t->nsrc; k++)
			note(l, fill, t->reg[k], (struct access){.inst = i, .slot = (uint8_t)k});
		/* A guarded write does not end the old value's life. */
		for (uint32_t k = 0; k < t->ndst; k++)
			note(l, fill, t->reg[k],
			     (struct access){
				     .inst = i, .slot = (uint8_t)k, .is_dst = true, .kills = !(t->flags & TRACE_PREDICATED)});
	}
}

static uint64_t step_back(const struct access *a, uint64_t set)
{
	uint64_t bit = UINT64_C(1) << a->bit;

	return !a->is_dst ? set | bit : a->kills ? set & ~bit : set;
}

static void add_grown(struct live *l, uint32_t position)
{
	for (uint32_t level = 0; level < GROWN_LEVELS; level++, position /= 64)
		l->grown[level][position / 64] |= UINT64_C(1) << position % 64;
}

/* Takes the first position out; false: there is none. */
static bool take_grown(struct live *l, uint32_t *position)
{
	uint32_t at = 0;

	if (!l->grown[GROWN_LEVELS - 1][0])
		return false;
	for (uint32_t level = GROWN_LEVELS; level-- > 0;)
		at = at * 64 + (uint32_t)__builtin_ctzll(l->grown[level][at]);
	*position = at;
	for (uint32_t level = 0; level < GROWN_LEVELS; level++, at /= 64) {
		l->grown[level][at / 64] &= ~(UINT64_C(1) << at % 64);
		if (l->grown[level][at / 64])
			break;
	}
	return true;
}

static void prepare_grown(struct live *l)
{
	uint32_t n = l->g.n_blocks + 1;

	l->list = arena_array(&l->g.arena, n, sizeof *l->list);
	l->position_of = arena_array(&l->g.arena, n, sizeof *l->position_of);
	graph_backwards(&l->g, l->list);
	for (uint32_t p = 0; p < n; p++)
		l->position_of[l->list[p]] = p;
	PANIC_UNLESS(n < 1u << 24, "ptx", 0);
	for (uint32_t level = 0; level < GROWN_LEVELS; level++) {
		n = n / 64 + 1;
		l->grown[level] = arena_array(&l->g.arena, n, sizeof **l->grown);
	}
}

/* Makes in[b] of word w for all blocks. */
static void solve(struct live *l, uint32_t w)
{
	uint32_t position;

	memset(l->in, 0, l->g.n_blocks * sizeof *l->in);
	memset(l->kill, 0, l->g.n_blocks * sizeof *l->kill);
	for (uint32_t k = l->first[w + 1]; k-- > l->first[w];) {
		const struct access *a = &l->access[k];
		uint32_t b = l->g.block_of[a->inst];

		l->in[b] = step_back(a, l->in[b]);
		if (a->kills)
			l->kill[b] |= UINT64_C(1) << a->bit;
	}
	for (uint32_t b = 0; b < l->g.n_blocks; b++)
		if (l->in[b])
			add_grown(l, l->position_of[b]);
	while (take_grown(l, &position)) {
		uint32_t b = l->list[position];

		for (uint32_t k = l->g.first_before[b]; k < l->g.first_before[b + 1]; k++) {
			uint32_t p = l->g.before[k];
			uint64_t grown = l->in[p] | (l->in[b] & ~l->kill[p]);

			if (grown != l->in[p])
				add_grown(l, l->position_of[p]);
			l->in[p] = grown;
		}
	}
}

static uint64_t set_after(const struct live *l, const struct block *b)
{
	uint64_t set = 0;

	for (uint32_t k = 0; k < b->n_next; k++)
		if (b->next[k] < l->g.n_blocks)
			set |= l->in[b->next[k]];
	return set;
}

static void find_planes(struct live *l, uint32_t w, uint32_t n_regs)
{
	memset(l->plane, 0, sizeof l->plane);
	for (uint32_t r = w * 64; r < n_regs && r < w * 64 + 64; r++)
		for (uint32_t k = 0; k < WEIGHT_BITS; k++)
			l->plane[k] |= (uint64_t)(l->weight[r] >> k & 1) << r % 64;
}

static int64_t weigh(const struct live *l, uint64_t set)
{
	int64_t sum = 0;

	for (uint32_t k = 0; k < WEIGHT_BITS; k++)
		sum += (int64_t)__builtin_popcountll(set & l->plane[k]) << k;
	return sum;
}

/* `sum` is alive behind the instructions from..to. */
static void add(struct live *l, uint32_t from, uint32_t to, int64_t sum)
{
	l->change[from] += sum;
	l->change[to + 1] -= sum;
}

/* The accesses of the block's last instruction that has any before access `end`; returns the first of them. */
static uint32_t accesses_before(const struct live *l, uint32_t least, uint32_t end)
{
	uint32_t k = end - 1;

	while (k > least && l->access[k - 1].inst == l->access[end - 1].inst)
		k--;
	return k;
}

/* Walks back through block b, whose accesses to word w end before `end`; returns where those of the block before
 * end. */
static uint32_t add_block(struct live *l, const struct block *b, uint32_t w, uint32_t end)
{
	uint64_t set = set_after(l, b);
	uint32_t to = b->last;
	int64_t sum = weigh(l, set);

	while (end > l->first[w] && l->access[end - 1].inst >= b->first) {
		uint32_t begin = accesses_before(l, l->first[w], end), i = l->access[begin].inst;

		add(l, i, to, sum);
		to = i - 1;			       /* may wrap below 0: then add() gets i .. i - 1, nothing */
		for (uint32_t k = begin; k < end; k++) /* a destination needs a register even if nobody reads it */
			if (l->access[k].is_dst && !(set >> l->access[k].bit & 1))
				add(l, i, i, l->weight[w * 64 + l->access[k].bit]);
		for (uint32_t k = begin; l->out && k < end; k++)
			if (!(set >> l->access[k].bit & 1))
				l->out->dies[i] |= UINT64_C(1) << l->access[k].slot;
		while (end > begin)
			set = step_back(&l->access[--end], set);
		sum = weigh(l, set);
	}
	if (sum)
		add(l, b->first, to, sum);
	if (l->out)
		l->out->entry[b->first] += (uint32_t)sum;
	return end;
}

static uint32_t most_alive(const struct live *l, uint32_t n)
{
	int64_t sum = 0, most = 0;

	for (uint32_t i = 0; i < n; i++) {
		sum += l->change[i];
		if (l->out)
			l->out->behind[i] = (uint32_t)sum;
		most = sum > most ? sum : most;
	}
	return (uint32_t)most;
}

uint32_t cfg_liveness(const struct cfg_node *node, uint32_t n, const struct trace_inst *inst, uint32_t n_regs,
		      const uint8_t *weight, struct cfg_live *out)
{
	struct live l = {.weight = weight, .out = out};
	uint32_t words = (n_regs + 63) / 64, most;

	graph_make(&l.g, node, n);
	collect(&l, inst, n, words);
	prepare_grown(&l);
	l.in = arena_array(&l.g.arena, l.g.n_blocks, sizeof *l.in);
	l.kill = arena_array(&l.g.arena, l.g.n_blocks, sizeof *l.kill);
	l.change = arena_array(&l.g.arena, (size_t)n + 1, sizeof *l.change);
	for (uint32_t w = 0; w < words; w++) {
		uint32_t end = l.first[w + 1];

		find_planes(&l, w, n_regs);
		solve(&l, w);
		for (uint32_t b = l.g.n_blocks; b-- > 0;)
			end = add_block(&l, &l.g.block[b], w, end);
	}
	most = most_alive(&l, n);
	arena_free(&l.g.arena);
	return most;
}

uint32_t cfg_registers(const struct cfg_node *node, uint32_t n, const struct trace_inst *inst, uint32_t n_regs,
		       const uint8_t *weight)
{
	return cfg_liveness(node, n, inst, n_regs, weight, NULL);
}
