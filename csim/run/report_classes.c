/* Locality classes of a run: their invariants, and the table of them under the table of metrics. */
#include <inttypes.h>

#include "run/gpu_impl.h"

/* ---- invariants ---- */

struct class_names {
	const char *hits, *misses, *unbounded, *at_most;
};

static const struct class_names l1_names = {
	"l1: hits of all locality classes = hits + hits reserved",
	"l1: misses beside the hits by class = misses + loads sent past",
	"l1: without bounds, accesses = reuses of all classes + first accesses",
	"l1: classes with more hits than reuses without bounds",
};
static const struct class_names l2_names = {
	"l2: hits of all locality classes = hits + hits reserved",
	"l2: misses beside the hits by class = misses + bypasses",
	"l2: without bounds, accesses = reuses of all classes + first accesses",
	"l2: classes with more hits than reuses without bounds",
};

/* Lines that were prefetched ahead of any access give hits that are no reuses, of class none. */
static unsigned more_hits(const struct class_counts *c)
{
	unsigned n = c->hits[CLASS_NONE] > c->reuses[CLASS_NONE] + c->first;

	for (unsigned i = 0; i < CLASS_NONE; i++)
		n += c->hits[i] > c->reuses[i];
	return n;
}

/* hits, misses: as the cache itself counts them. */
static void audit_one(const struct class_counts *c, const struct class_names *n, uint64_t hits, uint64_t misses, struct audit *a)
{
	audit_equal(a, n->hits, class_hits(c), hits);
	audit_equal(a, n->misses, c->misses, misses);
	audit_equal(a, n->unbounded, class_reuses(c) + c->first, c->accesses);
	audit_equal(a, n->at_most, more_hits(c), 0);
}

void gpu_audit_classes(const struct gpu *g, const struct gpu_counts *c, struct audit *a)
{
	const struct l1_counts *l1 = &c->sm.l1;
	const struct l2_counts *l2 = &c->memsys.l2;
	/* A disabled L1 does not tell loads that could have used it from those that never do. */
	uint64_t misses = g->m->l1.enabled ? l1->misses + c->sm.policy_bypasses : c->sm.classes.misses;

	if (!g->m->caches.locality_classes)
		return;
	audit_one(&c->sm.classes, &l1_names, l1->hits + l1->reserved, misses, a);
	if (!g->m->l1.enabled)
		audit_at_most(a, "l1: loads counted by class go past the L1, which is disabled", misses, l1->bypasses);
	if (g->m->l2.enabled)
		audit_one(&c->memsys.classes, &l2_names, l2->hits + l2->reserved, l2->misses + l2->bypasses, a);
}

/* ---- the table ---- */

enum { KEY = 64, COLUMNS = 4 };

static const char *const columns[COLUMNS][2] = {
	{"l1.class.unbounded.", "L1 unbounded"},
	{"l1.class.", "L1"},
	{"l2.class.unbounded.", "L2 unbounded"},
	{"l2.class.", "L2"},
};

static const struct stat_row *row_of(const struct stats *s, unsigned column, const char *name)
{
	char key[KEY];

	snprintf(key, sizeof key, "%s%s", columns[column][0], name);
	return stats_find(s, key);
}

static uint64_t accesses_of(const struct stats *s, unsigned column)
{
	const struct stat_row *r;
	char key[KEY];

	snprintf(key, sizeof key, "%.2s.class.accesses", columns[column][0]);
	r = stats_find(s, key);
	return r ? r->count : 0;
}

static void print_cell(const struct stats *s, unsigned column, const struct stat_row *r, FILE *to)
{
	uint64_t all = accesses_of(s, column);

	if (r)
		fprintf(to, " %14" PRIu64 " %5.1f %%", r->count, all ? 100.0 * (double)r->count / (double)all : 0);
	else
		fprintf(to, " %14s %5s  ", "-", "-");
}

void gpu_print_classes(const struct stats *s, FILE *to)
{
	/* the metric's last word; "first" of an unbounded cache is "misses" of one as it is */
	static const char *const rows[][2] = {
		{"intra_thread", "intra-thread"},
		{"inter_thread", "inter-thread"},
		{"intra_cta", "intra-CTA"},
		{"intra_sm", "intra-SM"},
		{"inter_sm", "inter-SM"},
		{"inter_kernel", "inter-kernel"},
		{"none", "other"},
	};

	if (!stats_find(s, "l1.class.accesses"))
		return;
	fprintf(to, "\n  %-14s", "locality class");
	for (unsigned c = 0; c < COLUMNS; c++)
		fprintf(to, " %22s", columns[c][1]);
	for (unsigned i = 0; i < sizeof rows / sizeof rows[0]; i++) {
		fprintf(to, "\n  %-14s", rows[i][1]);
		for (unsigned c = 0; c < COLUMNS; c++)
			print_cell(s, c, row_of(s, c, rows[i][0]), to);
	}
	fprintf(to, "\n  %-14s", "misses");
	for (unsigned c = 0; c < COLUMNS; c++)
		print_cell(s, c, row_of(s, c, c % 2 ? "misses" : "first"), to);
	fputc('\n', to);
}
