/* 430: what bypass, tags without data and opening do to a set of an L2 slice, in each state that the set can be in: a
 * line that was written is served, kept, or written back when it makes room, and never lost; no bypassed read makes one
 * dirty, or clean.
 *
 * A set of two ways and three lines. The rule below says what each operation does to a state. A walk at random goes on
 * until each operation was tried in each state that the rule can reach; after each step the slice's counts are the
 * rule's. So nothing is left out but operations that overlap in time. */
#include <criterion/criterion.h>
#include <string.h>

#include "support/mem_rig.h"
#include "support/random.h"

enum { WAYS = 2, LINES = 3, CHANNEL_STRIDE = 256 * 6, SETS = 16, STEP = 4000 /* L2 cycles, in which any access ends */ };

/* ---- the rule ---- */

enum content { CLEAN, DIRTY, TAG /* without data */ };
enum op_kind { READ, READ_PAST, READ_PAST_TAG, WRITE_LINE, WRITE_PART, OPEN };

struct op {
	enum op_kind kind;
	unsigned line;
};

/* Its lines, the least recently used one first. */
struct set {
	unsigned n;
	struct {
		unsigned line;
		enum content content;
	} way[WAYS];
};

struct effect {
	unsigned fetches, writes_down, hits;
};

static unsigned find(const struct set *s, unsigned line)
{
	unsigned i = 0;

	while (i < s->n && s->way[i].line != line)
		i++;
	return i;
}

static void take_out(struct set *s, unsigned i)
{
	memmove(&s->way[i], &s->way[i + 1], (--s->n - i) * sizeof s->way[0]);
}

/* The line becomes the most recently used one; a new one takes a free way, or that of the least recently used. */
static void put(struct set *s, unsigned line, enum content content, struct effect *e)
{
	unsigned i = find(s, line);

	if (i < s->n) {
		take_out(s, i);
	} else if (s->n == WAYS) {
		e->writes_down += s->way[0].content == DIRTY;
		take_out(s, 0);
	}
	s->way[s->n].line = line;
	s->way[s->n++].content = content;
}

static void open_it(struct set *s)
{
	for (unsigned i = s->n; i-- > 0;)
		if (s->way[i].content == TAG)
			take_out(s, i);
}

static void read_it(struct set *s, struct op o, struct effect *e)
{
	unsigned i = find(s, o.line);

	if (i < s->n && s->way[i].content != TAG) {
		e->hits++;
		put(s, o.line, s->way[i].content, e);
		return;
	}
	e->fetches++;
	if (o.kind == READ)
		put(s, o.line, CLEAN, e);
	else if (o.kind == READ_PAST_TAG || i < s->n)
		put(s, o.line, TAG, e);
}

static struct effect rule(struct set *s, struct op o)
{
	struct effect e = {0};
	unsigned i = find(s, o.line);
	bool there = i < s->n && s->way[i].content != TAG;

	switch (o.kind) {
	case OPEN:
		open_it(s);
		return e;
	case WRITE_LINE:
	case WRITE_PART:
		e.hits += there;
		e.fetches += !there && o.kind == WRITE_PART;
		put(s, o.line, DIRTY, &e);
		return e;
	default:
		read_it(s, o, &e);
		return e;
	}
}

static unsigned dirty_in(const struct set *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->n; i++)
		n += s->way[i].content == DIRTY;
	return n;
}

/* ---- all states and operations ---- */

enum { KINDS = OPEN + 1, OPS = KINDS * LINES, STATES = 1 << 10 };

static struct op op_of(unsigned i)
{
	return (struct op){(enum op_kind)(i / LINES), i % LINES};
}

static unsigned number_of(const struct set *s)
{
	unsigned n = 0;

	for (unsigned i = 0; i < s->n; i++)
		n = n << 4 | (1 + s->way[i].line) << 2 | (unsigned)s->way[i].content;
	return n;
}

/* Marks what can be reached from a state. Returns how many states that are, those marked before not counted. */
static unsigned reach(const struct set *from, bool *reached)
{
	unsigned n = 1;

	if (reached[number_of(from)])
		return 0;
	reached[number_of(from)] = true;
	for (unsigned i = 0; i < OPS; i++) {
		struct set to = *from;

		rule(&to, op_of(i));
		n += reach(&to, reached);
	}
	return n;
}

/* ---- the slice, whose policy says what the operation wants ---- */

struct wish {
	enum cache_use use;
	bool opens;
};

static struct cache_verdict decide(const void *state, const struct cache_load *l)
{
	(void)l;
	return (struct cache_verdict){((const struct wish *)state)->use, CACHE_UNPINNED};
}

static bool advance(void *state, uint64_t cycle)
{
	struct wish *w = state;
	bool opens = w->opens;

	(void)cycle;
	w->opens = false;
	return opens;
}

static const struct cache_policy as_wished = {.name = "as wished", .decide = decide, .advance = advance};

static struct mem_rig *rig_new(struct wish *w)
{
	struct mem_rig *r = mem_rig_new((const char *const[]){"l2.bytes=4K", "l2.assoc=2", "l2.bypass.policy=streaming", NULL});

	for (uint32_t i = 0; i < r->s->slices; i++) {
		struct load_policy *p = &r->s->slice[i].policy;

		p->ops = &as_wished;
		p->state = w;
		p->due = UINT64_MAX;
	}
	return r;
}

/* Lines of one set of slice 0: 256 bytes of each stride of a channel are two of its 16 sets. */
static uint64_t addr_of(unsigned line)
{
	return (uint64_t)line * (SETS / 2) * CHANNEL_STRIDE;
}

static void open_slices(struct mem_rig *r, struct wish *w)
{
	w->opens = true;
	r->s->slice[0].policy.due = 0;
}

static void access_it(struct mem_rig *r, struct wish *w, struct op o, uint64_t step)
{
	uint64_t period = r->m.clock.period[CLOCK_L2], begin = step * STEP * period;
	struct mem_req q;

	w->use = o.kind == READ_PAST ? CACHE_BYPASS : o.kind == READ_PAST_TAG ? CACHE_BYPASS_TAG : CACHE_ALLOCATE;
	mem_rig_send(r, begin, 0, o.kind < WRITE_LINE ? REQ_READ : REQ_WRITE, addr_of(o.line), o.kind == WRITE_PART ? 4 : 128, 7);
	cr_assert(mem_rig_reply(r, begin + (STEP - 1) * period, 0, &q) && q.token == 7);
}

static struct effect so_far(const struct mem_rig *r)
{
	struct memsys_facts f = memsys_facts(r->s);

	return (struct effect){(unsigned)f.fetches, (unsigned)f.writes_down, (unsigned)f.l2.hits};
}

Test(dirty_lines, are_kept_or_written_back_in_every_state_of_a_set)
{
	static bool reached[STATES], tried[STATES][OPS];
	struct set s = {0};
	unsigned states = reach(&s, reached), left = states * OPS;
	struct wish w = {0};
	struct mem_rig *r = rig_new(&w);
	struct effect before = {0};
	uint64_t seed = 430;

	/* none, 3 lines in 3 conditions each, and 3 * 2 pairs of lines in 9 */
	cr_assert_eq(states, 1 + 9 + 54);
	for (uint64_t step = 1; left > 0; step++) {
		unsigned i = (unsigned)(random_u64(&seed) % OPS), was = number_of(&s);
		struct effect should = rule(&s, op_of(i)), now;

		if (op_of(i).kind == OPEN)
			open_slices(r, &w);
		else
			access_it(r, &w, op_of(i), step);
		now = so_far(r);
		cr_assert(now.fetches - before.fetches == should.fetches &&
				  now.writes_down - before.writes_down == should.writes_down &&
				  now.hits - before.hits == should.hits,
			  "step %lu: state %x, operation %u on line %u: %u fetches, %u written back, %u hits", step, was,
			  op_of(i).kind, op_of(i).line, now.fetches - before.fetches, now.writes_down - before.writes_down,
			  now.hits - before.hits);
		cr_assert_eq(memsys_facts(r->s).dirty_lines, dirty_in(&s), "step %lu: state %x, operation %u", step, was,
			     op_of(i).kind);
		before = now;
		left -= !tried[was][i];
		tried[was][i] = true;
		cr_assert_lt(step, 2000000, "%u of %u were not tried", left, states * OPS);
	}
	mem_rig_free(r);
}
