/* 449: random accesses, by random warps to few lines: the classes are those of a plain list of all accesses, searched
 * backwards; of the counts alone, and of an L1 whose hits are taken from its own answers. */
#include <criterion/criterion.h>
#include <string.h>

#include "cache/l1_classes.h"
#include "support/l1_rig.h"
#include "support/random.h"

enum { MOST = 20000, SEEDS = 6 };

struct access {
	uint64_t line;
	unsigned launch, sm, cta, warp;
	uint32_t lanes;
	bool thread;
};

struct list {
	struct access at[MOST];
	unsigned n;
};

/* The rule as docs/reference/metrics.md has it, written apart from the model's. */
static unsigned class_of(const struct access *before, const struct access *a)
{
	if (!before || !before->thread || !a->thread)
		return CLASS_NONE;
	if (before->launch == a->launch && before->sm == a->sm && before->cta == a->cta && before->warp == a->warp)
		return before->lanes & a->lanes ? CLASS_INTRA_THREAD : CLASS_INTER_THREAD;
	if (before->launch == a->launch && before->sm == a->sm)
		return before->cta == a->cta ? CLASS_INTRA_CTA : CLASS_INTRA_SM;
	return before->launch == a->launch ? CLASS_INTER_SM : CLASS_INTER_KERNEL;
}

static const struct access *last_to(const struct list *l, uint64_t line)
{
	for (unsigned i = l->n; i-- > 0;)
		if (l->at[i].line == line)
			return &l->at[i];
	return NULL;
}

static void count(struct class_counts *c, struct list *l, const struct access *a, bool hit)
{
	const struct access *before = last_to(l, a->line);
	unsigned class = class_of(before, a);

	c->accesses++;
	c->hits[class] += hit;
	c->misses += !hit;
	c->reuses[class] += before != NULL;
	c->first += before == NULL;
	l->at[l->n++] = *a;
}

static struct access draw(uint64_t *seed, unsigned lines, unsigned launch)
{
	struct access a = {.launch = launch};

	a.line = random_below(seed, lines);
	a.line <<= random_below(seed, 2) * 33;
	a.sm = (unsigned)random_below(seed, 3);
	a.cta = (unsigned)random_below(seed, 3);
	a.warp = (unsigned)random_below(seed, 64);
	a.lanes = UINT32_C(3) << random_below(seed, 31);
	a.thread = random_below(seed, 16) != 0;
	if (a.warp > 3)
		a.warp &= 1;
	if (!a.thread)
		a.launch = a.cta = a.warp = a.lanes = 0;
	return a;
}

static struct accessor accessor_of(const struct access *a)
{
	return (struct accessor){.launch = a->launch, .cta = a->cta, .warp = a->warp, .lanes = a->lanes, .is_thread = a->thread};
}

static void expect_same(const struct class_counts *got, const struct class_counts *want, uint64_t seed)
{
	for (unsigned i = 0; i < LOCALITY_CLASSES; i++) {
		cr_assert_eq(got->hits[i], want->hits[i], "seed %llu, class %u", (unsigned long long)seed, i);
		cr_assert_eq(got->reuses[i], want->reuses[i], "seed %llu, class %u", (unsigned long long)seed, i);
	}
	cr_assert_eq(got->accesses, want->accesses);
	cr_assert_eq(got->misses, want->misses);
	cr_assert_eq(got->first, want->first);
}

Test(locality_classes, of_random_accesses_are_those_of_a_list)
{
	static struct list list;

	for (uint64_t s = 1; s <= SEEDS; s++) {
		uint64_t seed = s;
		struct arena arena = {0};
		struct locality_classes c;
		struct class_counts want = {0};

		list.n = 0;
		locality_classes_init(&c, &arena);
		for (unsigned i = 0; i < 3000; i++) {
			struct access a = draw(&seed, (unsigned)(20 * s), i / 1500);
			bool hit = random_below(&seed, 2);

			locality_classes_count(&c, a.line, accessor_of(&a), (uint16_t)a.sm, hit);
			count(&want, &list, &a, hit);
		}
		cr_assert(want.hits[CLASS_INTRA_THREAD] && want.hits[CLASS_INTER_KERNEL] && want.reuses[CLASS_NONE]);
		expect_same(&c.count, &want, s);
		arena_free(&arena);
	}
}

/* ---- at an L1 ---- */

struct bench {
	struct l1_rig r;
	struct access now;
	struct mem_req flight[64];
	unsigned n;
};

static struct accessor whoever_it_is(void *bench, const struct l1_access *a)
{
	(void)a;
	return accessor_of(&((const struct bench *)bench)->now);
}

/* Answers any request that is out. */
static void answer_one(struct bench *b, uint64_t *seed)
{
	unsigned i;
	uint32_t n;

	while (l1_has_packet(&b->r.l1) && b->n < 64)
		b->flight[b->n++] = l1_rig_take(&b->r);
	if (!b->n)
		return;
	i = (unsigned)random_below(seed, b->n);
	l1_rig_reply(&b->r, b->flight[i], &n);
	b->flight[i] = b->flight[--b->n];
}

static struct l1_access next(struct bench *b, uint64_t *seed, unsigned launch)
{
	struct l1_access a;

	b->now = draw(seed, 60, launch);
	b->now.thread = true;
	b->now.sm = 0;
	b->now.line = 32 + b->now.line % 61;
	a = l1_rig_load(b->now.line << 7, 1);
	if (random_below(seed, 8) == 0)
		a = random_below(seed, 2) ? l1_rig_store(b->now.line << 7, 1) : l1_rig_local_store(b->now.line << 7, 1);
	return a;
}

static void serve(struct bench *b, struct class_counts *want, struct list *list, uint64_t *seed, uint64_t *cycle, unsigned launch)
{
	struct l1_access a = next(b, seed, launch);
	enum l1_result r;

	while ((r = l1_access(&b->r.l1, ++*cycle, &a)) >= L1_FAIL_LINE)
		answer_one(b, seed);
	if (a.kind == REQ_READ)
		count(want, list, &b->now, r == L1_HIT || r == L1_MERGED);
	else if (r == L1_HIT) /* into a local line, which a load has brought in */
		list->at[list->n++] = b->now;
	if (random_below(seed, 2))
		answer_one(b, seed);
}

/* With 4 KB, 60 lines and a bypass that comes and goes, loads hit, miss, merge and go past. */
Test(locality_classes, of_an_l1_are_those_of_a_list)
{
	static const char *const keys[] = {
		"l1.bytes=4K", "l1.bypass.policy=streaming", "l1.bypass.rate=30", "l1.bypass.period=100", "l1.miss_queue=2", NULL};
	static struct list list;

	for (uint64_t s = 1; s <= SEEDS; s++) {
		uint64_t seed = s, cycle = 0;
		struct class_counts want = {0}, got;
		static struct bench b;

		b.n = list.n = 0;
		l1_rig_open(&b.r, keys);
		l1_classes_init(&b.r.l1, &b.r.arena, &(struct l1_accessors){&b, whoever_it_is});
		for (unsigned i = 0; i < 4000; i++)
			serve(&b, &want, &list, &seed, &cycle, 0);
		while (b.n || l1_has_packet(&b.r.l1))
			answer_one(&b, &seed);
		l1_invalidate(&b.r.l1);
		for (unsigned i = 0; i < 1000; i++)
			serve(&b, &want, &list, &seed, &cycle, 1);
		got = l1_class_counts(&b.r.l1);
		cr_assert(b.r.l1.policy.bypasses && l1_total(&b.r.l1).reserved && want.reuses[CLASS_INTER_KERNEL]);
		cr_assert_eq(class_hits(&got), l1_total(&b.r.l1).hits + l1_total(&b.r.l1).reserved);
		expect_same(&got, &want, s);
		l1_rig_close(&b.r);
	}
}
