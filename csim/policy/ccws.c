/* Cache-conscious wavefront scheduling (Rogers et al., MICRO 2012), dwt-pric's comparator: warps that lose locality in
 * the L1 to others go on to load, at the expense of the others' loads.
 *
 *   lost locality   a load misses a line whose number is in its own warp's victim tags: those of the lines that its
 *                   loads brought in and that made room since. throttle.victims tags a warp, of throttle.ways ways
 *   score           of a warp: base, throttle.base. A lost line makes it
 *                       LLDS = lost lines / instructions issued x throttle.k x cut-off,
 *                   if that is more than the base, both counted by the SM since the launch began; from then on it
 *                   falls by 1 a cycle, down to the base
 *   cut-off         base x warps that run
 *   may load        the warps with the highest scores, until their sum reaches the cut-off: the one with which it does
 *                   is the last. Equal scores: the lower slot first
 *
 * With all scores at the base the sum reaches the cut-off with the last warp, and all may load. As long as nothing is
 * lost, scores above the base all fall alike, so the cycle is known in which the answer can change next; a restraint
 * ends with them. What the text leaves open is read as in the authors' simulator; where not,
 * docs/studies/comparators.md says.
 */
#include "policy/warp_throttle.h"

enum { MAX_WARPS = 64 };
#define NO_LINE UINT64_MAX

struct victim_tag {
	uint64_t line; /* NO_LINE: none */
	uint64_t used; /* stamp of the last time that it was noted */
};

struct ccws {
	uint32_t base, k, sets, ways;
	struct victim_tag *tag; /* (warp * sets + set) * ways + way */
	uint64_t stamp;
	struct {
		uint64_t score, cycle; /* the score, and the cycle in which it was that */
	} warp[MAX_WARPS];
	uint64_t running, loaders; /* at the last ask: warps that run, warps that may load */
	uint64_t due;		   /* cycle in which loaders may change by itself */
	uint64_t lost;		   /* in the launch */
	uint64_t since;		   /* cycle of the last ask: up to it all is counted */
	struct warp_throttle_counts counts;
};

struct ranked { /* a warp above the base */
	uint64_t score;
	unsigned warp;
};

static struct victim_tag *set_of(const struct ccws *c, unsigned warp, uint64_t line)
{
	return &c->tag[((uint64_t)warp * c->sets + line % c->sets) * c->ways];
}

static void drop_tags(struct ccws *c)
{
	for (uint32_t i = 0; i < MAX_WARPS * c->sets * c->ways; i++)
		c->tag[i] = (struct victim_tag){.line = NO_LINE};
}

static void init(void **state, struct arena *a, const struct machine *m)
{
	struct ccws *c = arena_alloc(a, sizeof *c);

	c->base = m->throttle.base;
	c->k = m->throttle.k;
	c->ways = m->throttle.ways;
	c->sets = m->throttle.victims / m->throttle.ways;
	c->tag = arena_array(a, (size_t)MAX_WARPS * c->sets * c->ways, sizeof *c->tag);
	c->loaders = UINT64_MAX;
	c->due = UINT64_MAX;
	drop_tags(c);
	*state = c;
}

static void change(void *state, const struct machine *m)
{
	struct ccws *c = state;

	c->k = m->throttle.k;
}

static void launch(void *state, uint64_t cycle, uint32_t kernel)
{
	struct ccws *c = state;

	(void)cycle, (void)kernel;
	drop_tags(c);
	c->lost = 0;
}

/* ---- victim tags ---- */

static struct victim_tag *find(const struct ccws *c, unsigned warp, uint64_t line)
{
	struct victim_tag *set = set_of(c, warp, line);

	for (uint32_t w = 0; w < c->ways; w++)
		if (set[w].line == line)
			return &set[w];
	return NULL;
}

/* In place of the tag that was noted longest ago, a free one first. */
static void note_victim(struct ccws *c, unsigned warp, uint64_t line)
{
	struct victim_tag *set = set_of(c, warp, line), *at = find(c, warp, line);

	if (!at) {
		at = set;
		for (uint32_t w = 1; w < c->ways; w++)
			if (set[w].used < at->used)
				at = &set[w];
	}
	*at = (struct victim_tag){line, ++c->stamp};
	c->counts.victims++;
}

static void dropped(void *state, uint64_t line)
{
	const struct ccws *c = state;

	for (unsigned w = 0; w < MAX_WARPS; w++) {
		struct victim_tag *t = find(c, w, line);

		if (t)
			*t = (struct victim_tag){.line = NO_LINE};
	}
}

/* ---- scores ---- */

static uint64_t score_of(const struct ccws *c, unsigned warp, uint64_t cycle)
{
	uint64_t fallen = cycle - c->warp[warp].cycle;

	return c->warp[warp].score > c->base + fallen ? c->warp[warp].score - fallen : c->base;
}

static uint64_t cut_off(const struct ccws *c)
{
	return (uint64_t)c->base * (unsigned)__builtin_popcountll(c->running);
}

static bool observe(void *state, const struct warp_load *l)
{
	struct ccws *c = state;
	uint64_t llds;

	if (l->evicted)
		note_victim(c, l->victim_warp, l->victim);
	if (!l->brought_in || !find(c, l->warp, l->line))
		return false;
	c->lost++;
	c->counts.lost++;
	llds = c->lost * c->k * cut_off(c) / (l->insts ? l->insts : 1);
	c->warp[l->warp].score = llds > c->base ? llds : c->base;
	c->warp[l->warp].cycle = l->cycle;
	return true;
}

/* Those above the base, the highest first; how many. */
static unsigned rank(const struct ccws *c, uint64_t cycle, struct ranked *r)
{
	unsigned n = 0;

	for (uint64_t left = c->running; left; left &= left - 1) {
		unsigned warp = (unsigned)__builtin_ctzll(left), at = n;
		uint64_t score = score_of(c, warp, cycle);

		if (score <= c->base)
			continue;
		for (; at > 0 && r[at - 1].score < score; at--)
			r[at] = r[at - 1];
		r[at] = (struct ranked){score, warp};
		n++;
	}
	return n;
}

/* ---- who may load ---- */

/* `above` of the chosen warps are above the base, so that their sum falls by that many a cycle: cycles until it is
 * below the cut-off, or until the lowest score above the base, of a chosen warp or not, has come down to it. */
static uint64_t cycles_to_change(const struct ccws *c, uint64_t sum, unsigned above, uint64_t lowest)
{
	uint64_t one_more = (sum - cut_off(c)) / above + 1, at_base = lowest - c->base;

	return one_more < at_base ? one_more : at_base;
}

static uint64_t choose(struct ccws *c, uint64_t cycle)
{
	struct ranked r[MAX_WARPS];
	unsigned n = rank(c, cycle, r), taken = 0;
	uint64_t sum = 0, chosen = 0, others = c->running;

	c->due = UINT64_MAX;
	if (n == 0)
		return UINT64_MAX;
	for (; taken < n && sum < cut_off(c); taken++) {
		sum += r[taken].score;
		chosen |= UINT64_C(1) << r[taken].warp;
	}
	for (unsigned i = 0; i < n; i++)
		others &= ~(UINT64_C(1) << r[i].warp);
	for (; others && sum < cut_off(c); others &= others - 1) {
		sum += c->base;
		chosen |= others & -others;
	}
	if (chosen == c->running)
		return UINT64_MAX;
	c->due = cycle + cycles_to_change(c, sum, taken, r[n - 1].score);
	return chosen;
}

static void count_until(const struct ccws *c, uint64_t cycle, struct warp_throttle_counts *to)
{
	if (c->loaders == UINT64_MAX || cycle <= c->since)
		return;
	to->limited += cycle - c->since;
	to->loaders += (cycle - c->since) * (unsigned)__builtin_popcountll(c->loaders);
}

static uint64_t may_load(void *state, const struct warp_view *v)
{
	struct ccws *c = state;

	count_until(c, v->cycle, &c->counts);
	c->since = v->cycle;
	c->running = v->running;
	for (uint64_t gone = ~v->running; gone; gone &= gone - 1)
		c->warp[__builtin_ctzll(gone)].score = c->base;
	return c->loaders = choose(c, v->cycle);
}

static uint64_t next(const void *state, uint64_t cycle)
{
	const struct ccws *c = state;

	(void)cycle;
	return c->due;
}

static void count(const void *state, uint64_t cycle, struct warp_throttle_counts *to)
{
	const struct ccws *c = state;

	*to = c->counts;
	count_until(c, cycle, to);
}

const struct warp_throttle warp_throttle_ccws = {.name = "ccws",
						 .init = init,
						 .change = change,
						 .launch = launch,
						 .next = next,
						 .may_load = may_load,
						 .observe = observe,
						 .dropped = dropped,
						 .count = count};
