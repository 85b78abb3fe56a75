#include "locality/partition.h"

#include <metis.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/panic.h"

enum { SEED = 1, MOST_WEIGHT = 1 << 30, IMBALANCE = 1 /* parts may be a thousandth larger than the mean */ };

_Static_assert(sizeof(idx_t) == 4, "METIS with indices of 32 bits");

/* ---- the graph between some of the vertices, as METIS wants it ---- */

struct part_graph {
	idx_t n;
	idx_t *first, *to, *weight;
};

/* local: by CTA, its position in v; UINT32_MAX for others. */
static uint64_t count_edges(const struct locality_graph *g, const uint32_t *v, uint32_t n, const uint32_t *local, uint64_t *weight)
{
	uint64_t edges = 0;

	*weight = 0;
	for (uint32_t i = 0; i < n; i++)
		for (uint64_t k = g->first[v[i]]; k < g->first[v[i] + 1]; k++)
			if (local[g->to[k]] != UINT32_MAX) {
				edges++;
				*weight += g->weight[k];
			}
	return edges;
}

static uint32_t *positions(const struct locality_graph *g, const uint32_t *v, uint32_t n)
{
	uint32_t *local = xmalloc((g->n + (size_t)1) * sizeof *local);

	memset(local, 0xff, g->n * sizeof *local);
	for (uint32_t i = 0; i < n; i++)
		local[v[i]] = i;
	return local;
}

/* False: there are no edges, nothing was allocated. */
static bool cut_out(struct part_graph *p, const struct locality_graph *g, const uint32_t *v, uint32_t n)
{
	uint32_t *local = positions(g, v, n);
	uint64_t weight, edges = count_edges(g, v, n, local, &weight), by = weight / MOST_WEIGHT + 1, at = 0;

	if (edges) {
		*p = (struct part_graph){.n = (idx_t)n,
					 .first = xmalloc((n + (size_t)1) * sizeof *p->first),
					 .to = xmalloc(edges * sizeof *p->to),
					 .weight = xmalloc(edges * sizeof *p->weight)};
		for (uint32_t i = 0; i < n; i++) {
			p->first[i] = (idx_t)at;
			for (uint64_t k = g->first[v[i]]; k < g->first[v[i] + 1]; k++)
				if (local[g->to[k]] != UINT32_MAX) {
					p->to[at] = (idx_t)local[g->to[k]];
					p->weight[at++] = (idx_t)(g->weight[k] / by ? g->weight[k] / by : 1);
				}
		}
		p->first[n] = (idx_t)at;
	}
	free(local);
	return edges != 0;
}

/* METIS takes SIGABRT and SIGTERM for its own errors: it jumps out of itself at either, and what it puts back
 * afterwards, by signal(), has lost its flags and mask. So what was there is kept here; and a SIGTERM from outside,
 * which METIS would take for an error of its own, waits until then and does what the program means it to do. SIGABRT
 * stays open: METIS raises it for want of memory. */
struct signals {
	sigset_t mask;
	struct sigaction abort, terminate;
};

static void keep_signals(struct signals *s)
{
	sigset_t hold;

	sigemptyset(&hold);
	sigaddset(&hold, SIGTERM);
	pthread_sigmask(SIG_BLOCK, &hold, &s->mask);
	sigaction(SIGABRT, NULL, &s->abort);
	sigaction(SIGTERM, NULL, &s->terminate);
}

static void restore_signals(const struct signals *s)
{
	sigaction(SIGABRT, &s->abort, NULL);
	sigaction(SIGTERM, &s->terminate, NULL);
	pthread_sigmask(SIG_SETMASK, &s->mask, NULL);
}

static int ask_metis(struct part_graph *p, uint32_t parts, bool recursive, idx_t *part, struct err *e)
{
	idx_t options[METIS_NOPTIONS], constraints = 1, k = (idx_t)parts, cut;
	struct signals signals;
	int rc;

	METIS_SetDefaultOptions(options);
	options[METIS_OPTION_SEED] = SEED;
	options[METIS_OPTION_UFACTOR] = IMBALANCE;
	keep_signals(&signals);
	rc = (recursive ? METIS_PartGraphRecursive : METIS_PartGraphKway)(&p->n, &constraints, p->first, p->to, NULL, NULL,
									  p->weight, &k, NULL, NULL, options, &cut, part);
	restore_signals(&signals);
	return rc == METIS_OK ? 0
			      : err_set(e, "METIS cannot partition %d CTAs into %u parts (METIS returned %d; -3: no memory)",
					(int)p->n, parts, rc);
}

/* ---- halves ---- */

/* Consecutive vertices, the first parts one more. */
static void deal(uint32_t n, uint32_t k, idx_t *part)
{
	uint32_t at = 0;

	for (uint32_t i = 0; i < k; i++)
		for (uint32_t end = at + n / k + (i < n % k); at < end; at++)
			part[at] = (idx_t)i;
}

/* What the cut would lose if the vertex changed sides. */
static int64_t gain_of(const struct part_graph *p, const idx_t *part, idx_t v)
{
	int64_t gain = 0;

	for (idx_t k = p->first[v]; k < p->first[v + 1]; k++)
		gain += part[p->to[k]] == part[v] ? -p->weight[k] : p->weight[k];
	return gain;
}

static void change_side(const struct part_graph *p, idx_t *part, int64_t *gain, idx_t v)
{
	part[v] = !part[v];
	gain[v] = -gain[v];
	for (idx_t k = p->first[v]; k < p->first[v + 1]; k++)
		gain[p->to[k]] += 2 * (int64_t)(part[p->to[k]] == part[v] ? -p->weight[k] : p->weight[k]);
}

/* METIS' halves may differ by some vertices. Moves those with which the cut grows least, until they differ by one at
 * most. Where METIS leaves a half empty the list is halved. */
static void even_out(const struct part_graph *p, idx_t *part)
{
	int64_t *gain = xmalloc((size_t)p->n * sizeof *gain);
	idx_t right = 0;

	for (idx_t v = 0; v < p->n; v++) {
		gain[v] = gain_of(p, part, v);
		right += part[v];
	}
	if (right == 0 || right == p->n) {
		deal((uint32_t)p->n, 2, part);
		right = p->n / 2;
	}
	while (2 * right > p->n + 1 || 2 * right < p->n - 1) {
		idx_t from = 2 * right > p->n, best = -1;

		for (idx_t v = 0; v < p->n; v++)
			if (part[v] == from && (best < 0 || gain[v] > gain[best]))
				best = v;
		change_side(p, part, gain, best);
		right += from ? -1 : 1;
	}
	free(gain);
}

/* ---- parts ---- */

static void check_vertices(const struct locality_graph *g, const uint32_t *v, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		PANIC_UNLESS(v[i] < g->n && (i == 0 || v[i - 1] < v[i]), "partition", i);
}

/* Sorts v by part and sets first. */
static void sort_by_part(uint32_t *v, uint32_t n, const idx_t *part, uint32_t k, uint32_t *first)
{
	uint32_t *sorted = xmalloc((n + (size_t)1) * sizeof *sorted), *next = xcalloc(k + (size_t)1, sizeof *next);

	for (uint32_t i = 0; i < n; i++)
		next[part[i] + 1]++;
	for (uint32_t i = 0; i < k; i++)
		next[i + 1] += next[i];
	memcpy(first, next, (k + (size_t)1) * sizeof *first);
	for (uint32_t i = 0; i < n; i++)
		sorted[next[part[i]]++] = v[i];
	memcpy(v, sorted, n * sizeof *v);
	free(sorted);
	free(next);
}

static int part_of_each(const struct locality_graph *g, const uint32_t *v, uint32_t n, uint32_t k, bool halves, idx_t *part,
			struct err *e)
{
	struct part_graph p;
	int rc;

	if (n <= k || k == 1 || !cut_out(&p, g, v, n)) {
		deal(n, k, part);
		return 0;
	}
	rc = ask_metis(&p, k, halves, part, e);
	if (rc == 0 && halves)
		even_out(&p, part);
	free(p.first);
	free(p.to);
	free(p.weight);
	return rc;
}

int partition_kway(const struct locality_graph *g, uint32_t *v, uint32_t n, uint32_t k, uint32_t *first, struct err *e)
{
	idx_t *part = xmalloc((n + (size_t)1) * sizeof *part);
	int rc;

	PANIC_UNLESS(k, "partition", 0);
	check_vertices(g, v, n);
	rc = part_of_each(g, v, n, k, false, part, e);
	if (rc == 0)
		sort_by_part(v, n, part, k, first);
	free(part);
	return rc;
}

/* ---- recursive bisection ---- */

struct bisect {
	const struct locality_graph *g;
	uint32_t *v, *first;
	uint32_t most, parts;
	idx_t *part;
};

static int bisect(struct bisect *b, uint32_t from, uint32_t to, struct err *e)
{
	uint32_t half[3];

	if (to - from <= b->most) {
		b->first[b->parts++] = from;
		return 0;
	}
	if (part_of_each(b->g, b->v + from, to - from, 2, true, b->part, e) != 0)
		return -1;
	sort_by_part(b->v + from, to - from, b->part, 2, half);
	return bisect(b, from, from + half[1], e) != 0 ? -1 : bisect(b, from + half[1], to, e);
}

int64_t partition_bisect(const struct locality_graph *g, uint32_t *v, uint32_t n, uint32_t most, uint32_t *first, struct err *e)
{
	struct bisect b = {.g = g, .v = v, .first = first, .most = most};
	int rc;

	PANIC_UNLESS(most, "partition", 0);
	check_vertices(g, v, n);
	if (n == 0) {
		first[0] = 0;
		return 0;
	}
	b.part = xmalloc((n + (size_t)1) * sizeof *b.part);
	rc = bisect(&b, 0, n, e);
	free(b.part);
	first[b.parts] = n;
	return rc != 0 ? -1 : (int64_t)b.parts;
}

uint64_t partition_cut(const struct locality_graph *g, const uint32_t *v, uint32_t parts, const uint32_t *first)
{
	uint32_t *of = xmalloc((g->n + (size_t)1) * sizeof *of);
	uint64_t twice = 0;

	memset(of, 0xff, g->n * sizeof *of);
	for (uint32_t p = 0; p < parts; p++)
		for (uint32_t i = first[p]; i < first[p + 1]; i++)
			of[v[i]] = p;
	for (uint32_t i = 0; i < g->n; i++)
		for (uint64_t k = g->first[i]; k < g->first[i + 1]; k++)
			twice += of[i] != of[g->to[k]] ? g->weight[k] : 0;
	free(of);
	return twice / 2;
}
