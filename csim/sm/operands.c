#include "sm/operands.h"

#include <string.h>

#include "base/panic.h"
#include "base/ring.h"
#include "trace/trace.h"

static inline uint64_t bit_of(unsigned i)
{
	return UINT64_C(1) << i;
}

static inline unsigned lowest(uint64_t bits)
{
	return (unsigned)__builtin_ctzll(bits);
}

static unsigned add_unit(struct operands *o, enum core_unit u, uint32_t width, unsigned first, uint32_t collectors)
{
	struct operands_unit *unit = &o->unit[u];

	PANIC_UNLESS(width <= OPERANDS_MAX_WIDTH && first + collectors < OPERANDS_MAX_COLLECTORS, "operands", 0);
	unit->width = width;
	unit->collectors = (bit_of(collectors) - 1) << first;
	memset(unit->last, (int)first, sizeof unit->last);
	o->idle |= unit->collectors;
	return first + collectors;
}

static uint32_t longest(const uint32_t *latency, unsigned n, uint32_t than)
{
	for (unsigned i = 0; i < n; i++)
		if (than < latency[i])
			than = latency[i];
	return than;
}

/* How far ahead a write can be known: the longest latency; shared memory's with as many bank cycles as an access can
 * take, four words of 32 lanes. */
static uint32_t horizon(const struct machine *m, uint32_t product)
{
	const uint32_t memory[] = {m->op.sfu, m->l1.latency, m->const_cache.latency, m->shared.latency + 4 * TRACE_WARP_SIZE};
	uint32_t n = longest(memory, sizeof memory / sizeof *memory, product);

	n = longest(m->op.int32.latency, sizeof m->op.int32.latency / sizeof n, n);
	n = longest(m->op.fp32.latency, sizeof m->op.fp32.latency / sizeof n, n);
	n = longest(m->op.fp64.latency, sizeof m->op.fp64.latency / sizeof n, n);
	return n + m->pipe.depth + 1;
}

bool operands_reach(const struct operands *o, const struct machine *m, uint32_t product)
{
	return horizon(m, product) <= (uint64_t)o->write_mask + 1;
}

void operands_init(struct operands *o, struct arena *a, const struct machine *m, uint32_t product)
{
	uint32_t slots = (uint32_t)ring_slots((uint64_t)OPERANDS_MAX_COLLECTORS * TRACE_MAX_REGS);
	uint32_t writes = (uint32_t)ring_slots(horizon(m, product));
	unsigned n = 0;

	*o = (struct operands){.on = true, .banks = m->operands.banks, .bank_mask = slots - 1, .write_mask = writes - 1};
	n = add_unit(o, UNIT_SP, m->pipe.sp, n, m->operands.sp);
	n = add_unit(o, UNIT_SFU, m->pipe.sfu, n, m->operands.sfu);
	if (m->pipe.tensor)
		n = add_unit(o, UNIT_TENSOR, m->pipe.tensor, n, m->operands.tensor);
	add_unit(o, UNIT_LDST, m->pipe.ldst, n, m->operands.mem);
	for (uint32_t b = 0; b < o->banks; b++)
		o->bank[b].collector = arena_array(a, slots, sizeof *o->bank[b].collector);
	o->writes = arena_array(a, writes, sizeof *o->writes);
}

void operands_enter(struct operands *o, enum core_unit u, struct operands_inst inst)
{
	struct operands_list *in = &o->unit[u].in;

	inst.number = o->issued++;
	o->held++;
	in->inst[in->n++] = inst;
}

static inline void drop_first(struct operands_list *l)
{
	memmove(&l->inst[0], &l->inst[1], --l->n * sizeof l->inst[0]);
}

void operands_leave(struct operands *o, enum core_unit u)
{
	drop_first(&o->unit[u].out);
	o->held--;
}

/* Collectors do not hand over in the order of issue; units take in that order. */
static void insert(struct operands_list *l, const struct operands_inst *inst)
{
	uint32_t i = l->n++;

	for (; i > 0 && l->inst[i - 1].number > inst->number; i--)
		l->inst[i] = l->inst[i - 1];
	l->inst[i] = *inst;
}

static void hand_over(struct operands *o, struct operands_unit *u)
{
	for (uint32_t i = 0; i < u->width && u->out.n < u->width; i++) {
		uint64_t can = o->complete & u->collectors, behind = can & ~(bit_of(u->last[i]) | (bit_of(u->last[i]) - 1));
		unsigned c;

		if (!can)
			return;
		c = lowest(behind ? behind : can);
		u->last[i] = (uint8_t)c;
		insert(&u->out, &o->collector[c]);
		o->complete &= ~bit_of(c);
		o->idle |= bit_of(c);
	}
}

static void read_banks(struct operands *o, uint64_t now)
{
	const struct operands_writes *w = &o->writes[now & o->write_mask];
	uint64_t reads = w->cycle == now ? o->asked & ~w->banks : o->asked;
	unsigned n = (unsigned)__builtin_popcountll(reads);

	for (; reads; reads &= reads - 1) {
		struct operands_bank *b = &o->bank[lowest(reads)];
		unsigned c = b->collector[b->first++ & o->bank_mask];

		if (b->first == b->end)
			o->asked &= ~(reads & -reads);
		if (--o->left[c] == 0)
			o->complete |= bit_of(c);
	}
	o->stats.reads += n;
	o->queued -= n;
	o->stats.waits += o->queued;
}

static inline unsigned bank_of(const struct operands *o, unsigned slot, uint16_t reg)
{
	return (reg + slot) % o->banks;
}

static void request_banks(struct operands *o, unsigned c, const struct core_inst *in)
{
	unsigned n = in->n_regs - (in->flags & TRACE_PREDICATED ? 1u : 0); /* the guard is the last one */

	o->left[c] = (uint8_t)(n - in->n_dst);
	for (unsigned i = in->n_dst; i < n; i++) {
		unsigned bank = bank_of(o, o->collector[c].slot, in->reg[i]);
		struct operands_bank *b = &o->bank[bank];

		b->collector[b->end++ & o->bank_mask] = (uint8_t)c;
		o->asked |= bit_of(bank);
	}
	o->queued += o->left[c];
	o->stats.asked += o->left[c];
	if (o->left[c] == 0)
		o->complete |= bit_of(c);
}

static void collect(struct operands *o, struct operands_unit *u)
{
	for (uint64_t idle; u->in.n && (idle = o->idle & u->collectors) != 0;) {
		unsigned c = lowest(idle);

		o->idle &= ~bit_of(c);
		o->collector[c] = u->in.inst[0];
		drop_first(&u->in);
		request_banks(o, c, o->collector[c].in);
	}
}

void operands_step(struct operands *o, uint64_t now)
{
	for (unsigned u = UNIT_SP; u < UNIT_COUNT; u++)
		hand_over(o, &o->unit[u]);
	if (o->asked)
		read_banks(o, now);
	for (unsigned u = UNIT_SP; u < UNIT_COUNT; u++)
		collect(o, &o->unit[u]);
}

void operands_write(struct operands *o, uint64_t now, uint64_t at, unsigned slot, const uint16_t *reg, unsigned n)
{
	struct operands_writes *w = &o->writes[at & o->write_mask];

	PANIC_UNLESS(at >= now && at - now <= o->write_mask, "operands", now);
	if (w->cycle != at)
		*w = (struct operands_writes){.cycle = at};
	for (unsigned i = 0; i < n; i++)
		w->banks |= bit_of(bank_of(o, slot, reg[i]));
}

bool operands_moves(const struct operands *o)
{
	if (o->asked)
		return true;
	for (unsigned u = UNIT_SP; u < UNIT_COUNT; u++) {
		const struct operands_unit *unit = &o->unit[u];

		if ((unit->in.n && (o->idle & unit->collectors)) ||
		    ((o->complete & unit->collectors) && !operands_wait_for_unit(o, (enum core_unit)u)))
			return true;
	}
	return false;
}
