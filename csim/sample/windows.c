#include "sample/windows.h"

enum { ENDS = WINDOWS_FRONT + WINDOWS_TAIL };

uint32_t windows_first(uint32_t n)
{
	uint32_t first = (n + WINDOWS_ONE_OF - 1) / WINDOWS_ONE_OF;

	first = first > WINDOWS_FIRST ? first : WINDOWS_FIRST;
	return first * (1 + WINDOWS_WARM) < n ? first : n;
}

/* Whole rounds of the CTAs that the SMs hold at once: so many that a window has WINDOWS_INSTS warp instructions an SM.
 * The last one has what is left. None: the launch has too few CTAs. */
static struct dispatch_windows windows_in(const struct trace_launch *l, const struct windows_on *m, uint32_t resident)
{
	uint64_t round = l->n_ctas ? l->warp_insts / l->n_ctas * resident : 0, least = (uint64_t)m->sms * WINDOWS_INSTS;
	uint64_t rounds = round ? (least + round - 1) / round : 0, ctas = rounds * resident;

	if (!ctas || ctas > l->n_ctas / WINDOWS_LEAST)
		return (struct dispatch_windows){0};
	return (struct dispatch_windows){.ctas = (uint32_t)ctas, .n = (uint32_t)(l->n_ctas / ctas)};
}

struct division {		    /* of a stratum */
	uint32_t launches, windows; /* windows of all of them; 0: there is a launch that has too few CTAs */
};

static struct division division_of(const struct strata *s, const struct stratum *h, const struct trace *t,
				   const struct windows_on *m)
{
	struct division d = {.launches = h->n};

	for (uint32_t i = h->first; i < h->first + h->n; i++) {
		uint32_t launch = s->unit[i].launch, n = windows_in(trace_launch(t, launch), m, m->resident[launch]).n;

		if (!n)
			return (struct division){0};
		d.windows += n;
	}
	return d;
}

/* Shares of the stratum that are simulated at first: some windows of all launches, or some launches. */
static bool is_worth_it(const struct stratum *h, struct division d)
{
	double simulated;

	if (!d.windows)
		return false;
	simulated = (double)d.launches * (ENDS + WINDOWS_WARM) +
		    (double)windows_first(d.windows - ENDS * d.launches) * (1 + WINDOWS_WARM);
	return simulated / d.windows < (double)strata_first(h) / h->n;
}

struct dividing {
	struct strata *to;
	const struct strata *from;
	const struct trace *trace;
	const struct windows_on *machine;
};

static struct stratum *add_stratum(struct dividing *g, const struct stratum *like, enum stratum_kind kind)
{
	struct stratum *h = &g->to->stratum[g->to->n++];

	*h = *like;
	h->kind = kind;
	h->first = g->to->n_units;
	h->n = 0;
	return h;
}

static void add_unit(struct dividing *g, struct stratum *h, uint32_t launch, uint32_t window)
{
	g->to->unit[g->to->n_units++] = (struct sample_unit){launch, window};
	h->n++;
}

/* The windows of that kind of each of the launches. */
static void add_windows(struct dividing *g, const struct stratum *like, enum stratum_kind kind)
{
	struct stratum *h = add_stratum(g, like, kind);

	for (uint32_t i = like->first; i < like->first + like->n; i++) {
		uint32_t launch = g->from->unit[i].launch, n = g->to->windows[launch].n;

		for (uint32_t w = 0; w < n; w++)
			if ((w < WINDOWS_FRONT || w >= n - WINDOWS_TAIL) == (kind == STRATUM_ENDS))
				add_unit(g, h, launch, w);
	}
}

static void divide(struct dividing *g, const struct stratum *like)
{
	for (uint32_t i = like->first; i < like->first + like->n; i++) {
		uint32_t launch = g->from->unit[i].launch;

		g->to->windows[launch] = windows_in(trace_launch(g->trace, launch), g->machine, g->machine->resident[launch]);
	}
	add_windows(g, like, STRATUM_ENDS);
	add_windows(g, like, STRATUM_WINDOWS);
}

static void keep(struct dividing *g, const struct stratum *like)
{
	struct stratum *h = add_stratum(g, like, like->kind);

	for (uint32_t i = like->first; i < like->first + like->n; i++)
		add_unit(g, h, g->from->unit[i].launch, WINDOW_NONE);
}

void strata_divide(struct strata *s, struct arena *a, const struct trace *t, const struct windows_on *m)
{
	struct strata to = *s;
	struct dividing g = {&to, s, t, m};
	uint64_t units = 0;
	bool any = false;

	for (uint32_t h = 0; h < s->n; h++) {
		struct division d = division_of(s, &s->stratum[h], t, m);

		any |= is_worth_it(&s->stratum[h], d);
		units += s->stratum[h].n + d.windows;
	}
	if (!any)
		return;
	to.stratum = arena_array(a, 2 * (size_t)s->n, sizeof *to.stratum);
	to.unit = arena_array(a, units, sizeof *to.unit);
	to.windows = arena_array(a, trace_n_launches(t), sizeof *to.windows);
	to.n = to.n_units = 0;
	for (uint32_t h = 0; h < s->n; h++)
		if (is_worth_it(&s->stratum[h], division_of(s, &s->stratum[h], t, m)))
			divide(&g, &s->stratum[h]);
		else
			keep(&g, &s->stratum[h]);
	*s = to;
}
