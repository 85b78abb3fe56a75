#include "ptx/lower/schedule.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "ptx/lower/graph.h"

#define NONE UINT32_MAX
enum { WINDOW = 128 /* instructions looked at for each that is taken */ };

struct life {		  /* of a value in the block: from a write, or its entry, to the next write */
	uint32_t readers; /* yet to be taken */
	bool dies;	  /* with the last of them */
	uint8_t weight;
};

struct task {
	uint32_t waits;	      /* for so many others */
	uint32_t height;      /* cycles to the block's end */
	uint32_t earliest;    /* cycle in which its operands are there */
	uint32_t first_after; /* edge, to those that wait for this one */
	uint32_t life[TRACE_MAX_REGS];
	uint32_t before, next; /* in the text, of those not taken; task n closes the ring */
};

struct edge {
	uint32_t to, next;
};

struct schedule {
	struct arena arena;
	const struct trace_inst *inst; /* of the block at hand */
	const struct trace_inst *left; /* whose registers count */
	const uint64_t *dies;
	const uint8_t *weight;
	const uint8_t *side; /* of the block at hand; NULL: as for an estimate */
	uint32_t n, limit;
	struct task *task;
	struct edge *edge;
	uint32_t n_edges, cap_edges;
	struct life *life;
	uint32_t n_lives;
	uint32_t *writer, *life_of, *reader; /* of each register: latest */
	uint32_t *reader_before;	     /* of each access: the same register's reader before */
	uint32_t *reader_task;
	uint32_t n_readers;
};

static void wait_for(struct schedule *s, uint32_t from, uint32_t to)
{
	if (from == NONE || from == to)
		return;
	if (s->n_edges == s->cap_edges) {
		s->cap_edges = 2 * s->cap_edges + 64;
		s->edge = xrealloc(s->edge, s->cap_edges * sizeof *s->edge);
	}
	s->edge[s->n_edges] = (struct edge){to, s->task[from].first_after};
	s->task[from].first_after = s->n_edges++;
	s->task[to].waits++;
}

static uint32_t new_life(struct schedule *s, uint32_t reg)
{
	s->life[s->n_lives] = (struct life){.weight = s->weight[reg]};
	return s->life_of[reg] = s->n_lives++;
}

static void add_read(struct schedule *s, uint32_t i, uint32_t k)
{
	uint32_t reg = s->inst[i].reg[k];

	wait_for(s, s->writer[reg], i);
	s->reader_task[s->n_readers] = i;
	s->reader_before[s->n_readers] = s->reader[reg];
	s->reader[reg] = s->n_readers++;
}

static void add_write(struct schedule *s, uint32_t i, uint32_t k)
{
	uint32_t reg = s->inst[i].reg[k];

	wait_for(s, s->writer[reg], i);
	for (uint32_t r = s->reader[reg]; r != NONE; r = s->reader_before[r])
		wait_for(s, s->reader_task[r], i);
	s->reader[reg] = NONE;
	s->writer[reg] = i;
}

static void add_lives(struct schedule *s, uint32_t i)
{
	const struct trace_inst *t = &s->left[i];

	for (uint32_t k = t->ndst; k < (uint32_t)t->ndst + t->nsrc; k++) {
		uint32_t life = s->life_of[t->reg[k]];

		if (life == NONE)
			life = new_life(s, t->reg[k]);
		s->task[i].life[k] = life;
		s->life[life].readers++;
		s->life[life].dies = s->dies[i] >> k & 1;
	}
	for (uint32_t k = 0; k < t->ndst; k++) {
		uint32_t life = s->life_of[t->reg[k]];

		if (!(t->flags & TRACE_PREDICATED) || life == NONE) {
			if (life != NONE)
				s->life[life].dies = true;
			life = new_life(s, t->reg[k]);
		}
		s->task[i].life[k] = life;
		s->life[life].dies = s->dies[i] >> k & 1;
	}
}

static bool is_fence(const struct trace_inst *t)
{
	return t->op == OP_STORE || t->op == OP_ATOM || t->op == OP_BARRIER || t->op == OP_MEMBAR || t->op == OP_BRANCH ||
	       t->op == OP_EXIT || t->flags & TRACE_VOLATILE;
}

/* Cycles, roughly: what matters is that loads come before all else. */
static uint32_t latency(const struct trace_inst *t)
{
	bool far = t->space == SPACE_GLOBAL || t->space == SPACE_LOCAL || t->space == SPACE_TEX;

	if (t->op == OP_LOAD || t->op == OP_ATOM)
		return far ? 200 : 30;
	return trace_op_is_tensor(t->op) ? 30 : t->op == OP_SFU ? 20 : 6;
}

/* Of what a load or store may meet: spaces, as bits. */
enum { BIT_GLOBAL = 1, BIT_SHARED = 2, BIT_LOCAL = 4, BITS = 3 };

static unsigned spaces_of(const struct schedule *s, uint32_t i)
{
	const struct trace_inst *t = &s->inst[i];

	if (s->side[i] != SCHEDULE_MEMORY)
		return s->side[i] == SCHEDULE_GENERIC ? BIT_GLOBAL | BIT_SHARED | BIT_LOCAL : 0;
	switch (t->space) {
	case SPACE_GLOBAL:
		return t->op == OP_LOAD && t->flags & TRACE_NC ? 0 : BIT_GLOBAL;
	case SPACE_SHARED:
		return BIT_SHARED;
	case SPACE_LOCAL:
		return BIT_LOCAL;
	case SPACE_CONST:
	case SPACE_PARAM:
	case SPACE_TEX:
		return t->op == OP_LOAD ? 0 : BIT_GLOBAL | BIT_SHARED | BIT_LOCAL;
	default:
		return BIT_GLOBAL | BIT_SHARED | BIT_LOCAL;
	}
}

/* Behind the last store of its spaces; a store behind the loads since then, too. */
static void add_access(struct schedule *s, uint32_t i, uint32_t pinned, uint32_t store[BITS])
{
	unsigned spaces = spaces_of(s, i);

	for (unsigned b = 0; b < BITS; b++) {
		if (!(spaces >> b & 1))
			continue;
		wait_for(s, store[b], i);
		if (s->inst[i].op == OP_LOAD)
			continue;
		for (uint32_t k = store[b] != NONE ? store[b] + 1 : pinned != NONE ? pinned + 1 : 0; k < i; k++)
			if (s->inst[k].op == OP_LOAD && spaces_of(s, k) >> b & 1)
				wait_for(s, k, i);
		store[b] = i;
	}
}

static void add_order_by_space(struct schedule *s)
{
	uint32_t pinned = NONE, carry = NONE, store[BITS] = {NONE, NONE, NONE};

	for (uint32_t i = 0; i < s->n; i++) {
		wait_for(s, pinned, i);
		if (s->side[i] == SCHEDULE_MEMORY || s->side[i] == SCHEDULE_GENERIC) {
			add_access(s, i, pinned, store);
		} else if (s->side[i] == SCHEDULE_CARRY) {
			wait_for(s, carry, i);
			carry = i;
		} else if (s->side[i] == SCHEDULE_PINNED) {
			for (uint32_t k = pinned == NONE ? 0 : pinned + 1; k < i; k++)
				wait_for(s, k, i);
			pinned = i;
			for (unsigned b = 0; b < BITS; b++)
				store[b] = NONE;
		}
	}
}

static void add_memory_order(struct schedule *s)
{
	uint32_t fence = NONE, first = 0;

	for (uint32_t i = 0; i < s->n; i++) {
		if (is_fence(&s->inst[i])) {
			for (uint32_t k = first; k < i; k++)
				if (s->inst[k].op == OP_LOAD)
					wait_for(s, k, i);
			wait_for(s, fence, i);
			fence = i;
			first = i + 1;
		} else if (s->inst[i].op == OP_LOAD && !(s->inst[i].flags & TRACE_NC)) {
			wait_for(s, fence, i);
		}
	}
}

static void find_heights(struct schedule *s)
{
	for (uint32_t i = s->n; i-- > 0;) {
		uint32_t most = 0;

		for (uint32_t e = s->task[i].first_after; e != NONE; e = s->edge[e].next)
			most = s->task[s->edge[e].to].height > most ? s->task[s->edge[e].to].height : most;
		s->task[i].height = most + latency(&s->inst[i]);
	}
}

static void forget(struct schedule *s)
{
	for (uint32_t i = 0; i < s->n; i++) {
		for (uint32_t k = 0; k < (uint32_t)s->inst[i].ndst + s->inst[i].nsrc; k++)
			s->writer[s->inst[i].reg[k]] = s->reader[s->inst[i].reg[k]] = NONE;
		for (uint32_t k = 0; k < (uint32_t)s->left[i].ndst + s->left[i].nsrc; k++)
			s->life_of[s->left[i].reg[k]] = NONE;
	}
}

static void find_order(struct schedule *s)
{
	s->n_edges = s->n_lives = s->n_readers = 0;
	forget(s);
	for (uint32_t i = 0; i < s->n; i++) {
		const struct trace_inst *t = &s->inst[i];

		s->task[i] = (struct task){.first_after = NONE};
		for (uint32_t k = t->ndst; k < (uint32_t)t->ndst + t->nsrc; k++)
			add_read(s, i, k);
		for (uint32_t k = 0; k < t->ndst; k++)
			add_write(s, i, k);
		add_lives(s, i);
	}
	for (uint32_t i = 0; i <= s->n; i++) {
		s->task[i].before = i ? i - 1 : s->n;
		s->task[i].next = i < s->n ? i + 1 : 0;
	}
	if (s->side)
		add_order_by_space(s);
	else
		add_memory_order(s);
	find_heights(s);
}

/* Of a value that dies with i, whose operand k may not be the only one that it is. */
static bool is_last_read(const struct schedule *s, uint32_t i, uint32_t k)
{
	const struct trace_inst *t = &s->left[i];
	uint32_t life = s->task[i].life[k], before = 0, reads = 0;

	for (uint32_t other = t->ndst; other < (uint32_t)t->ndst + t->nsrc; other++) {
		reads += s->task[i].life[other] == life;
		before += other < k && s->task[i].life[other] == life;
	}
	return !before && s->life[life].readers == reads && s->life[life].dies;
}

/* How many more registers are alive once i is taken; *need: how many more it takes at first. */
static int32_t growth(const struct schedule *s, uint32_t i, int32_t *need)
{
	const struct trace_inst *t = &s->left[i];
	int32_t freed = 0, dead = 0, made = 0;

	for (uint32_t k = 0; k < t->ndst; k++) {
		const struct life *l = &s->life[s->task[i].life[k]];

		made += l->weight;
		dead += l->dies && !l->readers ? l->weight : 0;
	}
	for (uint32_t k = t->ndst; k < (uint32_t)t->ndst + t->nsrc; k++)
		freed += is_last_read(s, i, k) ? s->life[s->task[i].life[k]].weight : 0;
	*need = made - freed;
	return made - freed - dead;
}

struct choice {
	uint32_t task;
	int32_t growth, need;
};

static struct choice choose(const struct schedule *s, uint32_t now, int32_t alive)
{
	struct choice fast = {.task = NONE}, small = {.task = NONE};
	uint32_t fast_at = 0;
	uint32_t seen = 0;

	for (uint32_t i = s->task[s->n].next; i != s->n && seen < WINDOW; i = s->task[i].next, seen++) {
		struct choice c = {.task = i};
		uint32_t at;

		if (s->task[i].waits || (i + 1 == s->n && seen)) /* a branch is the last */
			continue;
		c.growth = growth(s, i, &c.need);
		at = s->task[i].earliest > now ? s->task[i].earliest : now;
		if (alive + c.need <= (int32_t)s->limit &&
		    (fast.task == NONE || at < fast_at || (at == fast_at && s->task[i].height > s->task[fast.task].height))) {
			fast = c;
			fast_at = at;
		}
		if (small.task == NONE || c.growth < small.growth)
			small = c;
	}
	return fast.task != NONE ? fast : small;
}

/* Returns the cycle of the next one. */
static uint32_t take(struct schedule *s, uint32_t i, uint32_t now)
{
	const struct trace_inst *t = &s->inst[i], *left = &s->left[i];

	s->task[s->task[i].before].next = s->task[i].next;
	s->task[s->task[i].next].before = s->task[i].before;
	for (uint32_t k = left->ndst; k < (uint32_t)left->ndst + left->nsrc; k++)
		s->life[s->task[i].life[k]].readers--;
	now = s->task[i].earliest > now ? s->task[i].earliest : now;
	for (uint32_t e = s->task[i].first_after; e != NONE; e = s->edge[e].next) {
		struct task *to = &s->task[s->edge[e].to];

		to->waits--;
		to->earliest = now + latency(t) > to->earliest ? now + latency(t) : to->earliest;
	}
	return now + (left->op != OP_NOP);
}

/* Makes order[]; returns the most registers alive in it. */
static uint32_t order_block(struct schedule *s, uint32_t *order, uint32_t entry)
{
	int32_t alive = (int32_t)entry, most = alive;

	for (uint32_t at = 0, now = 0; at < s->n; at++) {
		struct choice c = choose(s, now, alive);
		now = take(s, c.task, now);
		most = alive + c.need > most ? alive + c.need : most;
		alive += c.growth;
		order[at] = c.task;
	}
	return (uint32_t)most;
}

/* Room for the largest block. */
static void make_room(struct schedule *s, const struct graph *g, const struct trace_inst *inst, const struct trace_inst *left,
		      uint32_t n_regs)
{
	uint32_t tasks = 0, accesses = 0, lives = 0;

	for (uint32_t b = 0; b < g->n_blocks; b++) {
		uint32_t n = 0, n_left = 0;

		for (uint32_t i = g->block[b].first; i <= g->block[b].last; i++) {
			n += (uint32_t)inst[i].ndst + inst[i].nsrc;
			n_left += (uint32_t)left[i].ndst + left[i].nsrc;
		}
		accesses = n > accesses ? n : accesses;
		lives = n_left > lives ? n_left : lives;
		n = g->block[b].last - g->block[b].first + 1;
		tasks = n > tasks ? n : tasks;
	}
	s->task = arena_array(&s->arena, tasks + 1, sizeof *s->task);
	s->life = arena_array(&s->arena, lives + 1, sizeof *s->life);
	s->reader_before = arena_array(&s->arena, accesses + 1, sizeof *s->reader_before);
	s->reader_task = arena_array(&s->arena, accesses + 1, sizeof *s->reader_task);
	s->writer = arena_array(&s->arena, n_regs + 1, sizeof *s->writer);
	s->life_of = arena_array(&s->arena, n_regs + 1, sizeof *s->life_of);
	s->reader = arena_array(&s->arena, n_regs + 1, sizeof *s->reader);
}

/* The block's new order, if it is no worse; from[]: where each was. */
static void schedule_block(struct schedule *s, const struct block *b, struct trace_inst *inst, const struct cfg_live *live,
			   uint32_t *order, uint32_t *from)
{
	uint32_t most, before = 0;

	s->n = b->last - b->first + 1;
	s->dies = live->dies + b->first;
	for (uint32_t i = b->first; i <= b->last; i++)
		before = live->behind[i] > before ? live->behind[i] : before;
	find_order(s);
	most = order_block(s, order, live->entry[b->first]);
	for (uint32_t i = 0; i < s->n && (most <= s->limit || most < before); i++) {
		inst[b->first + i] = s->inst[order[i]];
		from[b->first + i] = b->first + order[i];
	}
}

void schedule_blocks(const struct cfg_node *node, uint32_t n, struct trace_inst *inst, uint32_t n_regs,
		     const struct schedule_rules *rules, uint32_t *from)
{
	struct schedule s = {.weight = rules->weight, .limit = rules->limit};
	struct graph g;
	struct cfg_live live;
	struct trace_inst *old = arena_array(&s.arena, n + 1, sizeof *old);
	const struct trace_inst *left = rules->left ? rules->left : old;
	uint32_t *order = arena_array(&s.arena, n + 1, sizeof *order);

	if (!from)
		from = arena_array(&s.arena, n + 1, sizeof *from);
	for (uint32_t i = 0; i < n; i++)
		from[i] = i;
	graph_make(&g, node, n);
	live.entry = arena_array(&s.arena, n + 1, sizeof *live.entry);
	live.behind = arena_array(&s.arena, n + 1, sizeof *live.behind);
	live.dies = arena_array(&s.arena, n + 1, sizeof *live.dies);
	memcpy(old, inst, n * sizeof *old);
	cfg_liveness(node, n, left, n_regs, rules->weight, &live);
	make_room(&s, &g, old, left, n_regs);
	for (uint32_t b = 0; b < g.n_blocks; b++) {
		s.inst = old + g.block[b].first;
		s.left = left + g.block[b].first;
		s.side = rules->side ? rules->side + g.block[b].first : NULL;
		schedule_block(&s, &g.block[b], inst, &live, order, from);
	}
	free(s.edge);
	arena_free(&s.arena);
	arena_free(&g.arena);
}
