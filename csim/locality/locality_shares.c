#include "locality/locality_shares.h"

#include <stdlib.h>

#include "base/alloc.h"
#include "locality/reader_sets.h"
#include "locality/locality_reads.h"
#include "locality/sparse.h"

enum { SEEN_INTRA = 1, SEEN_INTER = 2 };
struct seen { /* of a granule */
	uint64_t accesses;
	uint32_t cta; /* that read it last, plus 1 */
	uint8_t warp, how;
};

struct sharing {
	uint32_t granule;
	struct sparse pages;
	struct seen **map; /* by page */
	uint32_t n_maps, cap_maps;
	uint8_t *narrowest; /* by buffer: bytes */
};

static struct seen *new_map(struct sharing *s)
{
	if (s->n_maps == s->cap_maps) {
		s->cap_maps = s->cap_maps ? 2 * s->cap_maps : 64;
		s->map = xrealloc(s->map, s->cap_maps * sizeof *s->map);
	}
	s->map[s->n_maps] = xcalloc(SPARSE_PAGE, sizeof **s->map);
	return s->map[s->n_maps++];
}

static void note(struct seen *x, const struct locality_read *r)
{
	if (x->cta && x->cta != r->cta + 1)
		x->how |= SEEN_INTER;
	else if (x->cta && x->warp != r->warp)
		x->how |= SEEN_INTRA;
	x->cta = r->cta + 1;
	x->warp = (uint8_t)r->warp;
	x->accesses++;
}

static void see(void *ctx, const struct locality_read *r)
{
	struct sharing *s = ctx;
	uint64_t at = r->offset / s->granule, end = (r->offset + r->bytes - 1) / s->granule + 1;

	if (!s->narrowest[r->buffer] || r->width < s->narrowest[r->buffer])
		s->narrowest[r->buffer] = (uint8_t)r->width;
	while (at < end) {
		uint32_t page = sparse_page(&s->pages, r->buffer, at / SPARSE_PAGE);
		struct seen *map = page < s->n_maps ? s->map[page] : new_map(s);
		uint64_t stop = (at / SPARSE_PAGE + 1) * SPARSE_PAGE;

		for (; at < end && at < stop; at++)
			note(&map[at % SPARSE_PAGE], r);
	}
}

/* Accesses are counted by granule: an element of several granules has each of its accesses that often. */
static double granules_a_unit(const struct sharing *s, uint32_t buffer, bool lines)
{
	return lines || s->narrowest[buffer] <= s->granule ? 1 : (double)s->narrowest[buffer] / s->granule;
}

static void add_page(struct locality_shares *to, const struct seen *map, double granules)
{
	uint64_t sum[4] = {0};

	for (uint32_t i = 0; i < SPARSE_PAGE; i++)
		sum[map[i].how] += map[i].accesses;
	to->unshared += (double)sum[0] / granules;
	to->intra += (double)sum[SEEN_INTRA] / granules;
	to->inter += (double)sum[SEEN_INTER] / granules;
	to->both += (double)sum[SEEN_INTRA | SEEN_INTER] / granules;
}

int locality_shares(struct locality_shares *shares, struct trace *t, uint32_t launch, bool lines, struct err *e)
{
	const struct trace_kernel *k = trace_kernel(t, trace_launch(t, launch)->kernel);
	struct sharing s = {.granule = lines ? LOCALITY_LINE : locality_narrowest(k),
			    .narrowest = xcalloc(trace_n_buffers(t) + (size_t)1, 1)};
	int rc = locality_reads(t, launch, see, NULL, &s, e);

	*shares = (struct locality_shares){0};
	for (uint32_t i = 0; i < s.n_maps; i++) {
		add_page(shares, s.map[i], granules_a_unit(&s, s.pages.buffer[i], lines));
		free(s.map[i]);
	}
	shares->total = shares->unshared + shares->intra + shares->inter + shares->both;
	free(s.map);
	free(s.narrowest);
	sparse_free(&s.pages);
	return rc;
}

const char *locality_class(const struct locality_shares *s)
{
	double inter = s->total > 0 ? (s->inter + s->both) / s->total : 0;

	return inter >= 0.5 ? "high" : inter >= 0.01 ? "low" : "none";
}
