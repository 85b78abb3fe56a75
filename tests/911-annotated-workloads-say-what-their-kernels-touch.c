/* 911: the annotations of workloads against their traces: which elements each CTA touched, one by one. */
#include <criterion/criterion.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/files/root.h"
#include "workload/source.h"
#include "taf/taf_track.h"
#include "taf/taf_walk.h"
#include "trace/walk.h"

static struct source source(const char *what, const char *const *args, const struct taf_options *taf)
{
	char root[ROOT_PATH_MAX];
	struct source_options o = {.what = what, .root = root_path("", root), .size = "test", .args = args, .taf = taf};
	struct source s;
	struct err e = {""};

	while (args && args[o.n_args])
		o.n_args++;
	cr_assert_eq(source_open(&s, &o, &e), 0, "%s: %s", what, e.text);
	cr_assert(!s.differs, "%s: %s", what, s.difference.text);
	return s;
}

/* ---- a CTA's accesses against its footprint ---- */

struct touched {
	const struct taf *taf;
	const struct trace_cta *cta;
	uint8_t *in[TAF_ARRAYS]; /* by the first entry of an array: elements in the footprint */
	uint64_t missed, behind, all;
	uint64_t part; /* the base of an array whose footprints leave something out; 0: none */
};

static int first_entry(const struct taf *t, uint64_t base)
{
	for (int i = 0; i < TAF_ARRAYS; i++)
		if (t->array[i].valid && t->array[i].base == base)
			return i;
	return -1;
}

static void mark_footprint(struct touched *x, const struct taf_memory *m, uint32_t cta)
{
	struct taf_range r;
	struct taf_walk w;

	for (int i = 0; i < TAF_ARRAYS; i++) {
		const struct taf_array *a = &x->taf->array[i];

		if (!a->valid)
			continue;
		if (first_entry(x->taf, a->base) == i)
			memset(x->in[i], 0, taf_elements(a));
		taf_walk_begin(&w, x->taf, m, a, cta);
		while (taf_walk_next(&w, &r))
			memset(x->in[first_entry(x->taf, a->base)] + r.first, 1, r.last - r.first + 1);
	}
}

static void check_address(struct touched *x, uint64_t addr)
{
	for (int i = 0; i < TAF_ARRAYS; i++) {
		const struct taf_array *a = &x->taf->array[i];

		if (!x->in[i] || addr < a->base || addr >= a->limit)
			continue;
		x->all++;
		if (!x->in[i][(addr - a->base) / a->size])
			(*(a->base == x->part ? &x->behind : &x->missed))++;
	}
}

static void visit(void *ctx, const struct trace_access *a)
{
	uint64_t lane[TRACE_WARP_SIZE];
	struct touched *x = ctx;

	if (a->inst->space != SPACE_GLOBAL)
		return;
	trace_addr_expand(x->cta, a->addr, a->mask, lane);
	for (unsigned l = 0; l < TRACE_WARP_SIZE; l++)
		if (a->mask >> l & 1)
			check_address(x, lane[l]);
}

static struct touched walk_launches(const struct source *s, const struct taf_memory *m, const char *part, const char *only)
{
	struct touched x = {.taf = s->taf};
	struct trace_cta c = {0};
	struct err e = {""};

	for (int i = 0; i < TAF_ARRAYS; i++) {
		const struct taf_array *a = &s->taf->array[i];

		if (a->valid && first_entry(s->taf, a->base) == i)
			x.in[i] = xcalloc(taf_elements(a), 1);
		if (a->valid && part && !strcmp(a->name, part))
			x.part = a->base;
	}
	for (uint32_t l = 0; l < trace_n_launches(s->trace); l++) {
		const struct trace_launch *launch = trace_launch(s->trace, l);
		const struct trace_kernel *k = trace_kernel(s->trace, launch->kernel);

		if ((only && strcmp(only, k->name)) || memcmp(launch->grid, s->taf->grid, sizeof launch->grid))
			continue;
		for (uint32_t cta = 0; cta < launch->n_ctas; cta++) {
			cr_assert_eq(trace_read_cta(s->trace, l, cta, &c, &e), 0, "%s", e.text);
			x.cta = &c;
			mark_footprint(&x, m, cta);
			trace_walk_cta(k, &c, visit, &x);
		}
	}
	trace_cta_free(&c);
	for (int i = 0; i < TAF_ARRAYS; i++)
		free(x.in[i]);
	return x;
}

/* ---- the workloads ---- */

static const struct annotated {
	const char *name, *args[4];
	unsigned arrays;
	const char *part; /* row: the next CTA's first element is read, too, and Listing 1 does not say so; key: runs
			   * begin at the elements that are registered, and the last one's end is not */
	const char *only; /* the launches of this kernel with the grid that was stated; NULL: all with that grid */
} annotated[] = {
	{"nn", {0}, 2, NULL, NULL},
	{"backprop", {0}, 5, NULL, NULL},
	{"hotspot", {0}, 3, NULL, NULL},
	{"pathfinder", {0}, 3, NULL, NULL},
	{"srad", {0}, 9, NULL, NULL},
	{"lud", {"n=32"}, 3, NULL, "lud_internal"},
	{"bfs", {0}, 10, "row", NULL},
	{"bfs", {"graph=uniform", "scale=10", "degree=4", "block=64"}, 10, "row", NULL},
	{"cfd", {0}, 12, NULL, NULL},
	{"cfd", {"n=1000", "steps=2"}, 12, NULL, NULL},
	{"spmv", {0}, 5, "row", NULL},
	{"spmv", {"kind=vector"}, 5, "row", NULL},
	{"spmv", {"kind=jds"}, 7, NULL, NULL},
	{"radixsort", {"bits=4"}, 5, "key", NULL},
};
enum { N_ANNOTATED = sizeof annotated / sizeof annotated[0] };

Test(taf_workloads, every_element_that_a_cta_touches_is_in_its_footprint)
{
	for (unsigned i = 0; i < N_ANNOTATED; i++) {
		const struct annotated *w = &annotated[i];
		const char *const args[] = {w->args[0], w->args[1], w->args[2], w->args[3], NULL};
		struct source s = source(w->name, args, &(struct taf_options){0});
		struct taf_memory m;
		struct touched x;
		unsigned arrays = 0;

		cr_assert(s.taf, "%s registers nothing", w->name);
		for (int a = 0; a < TAF_ARRAYS; a++) {
			arrays += s.taf->array[a].valid;
			cr_expect(!s.taf->array[a].valid || s.taf->array[a].ready, "%s: entry %d is not ready", w->name, a);
		}
		cr_expect_eq(arrays, w->arrays, "%s registers %u", w->name, arrays);
		taf_track(&m, s.taf, NULL);
		x = walk_launches(&s, &m, w->part, w->only);
		cr_expect_gt(x.all, 0, "%s: no access to a registered array", w->name);
		cr_expect_eq(x.missed, 0, "%s (%s): %llu of %llu accesses are not in the footprints", w->name,
			     args[0] ? args[0] : "", (unsigned long long)x.missed, (unsigned long long)x.all);
		taf_memory_free(&m);
		source_close(&s);
	}
}

Test(taf_workloads, a_trace_is_the_same_with_and_without_the_calls)
{
	for (unsigned i = 0; i < N_ANNOTATED; i++) {
		const char *const args[] = {annotated[i].args[0], annotated[i].args[1], annotated[i].args[2], annotated[i].args[3],
					    NULL};
		struct source with = source(annotated[i].name, args, &(struct taf_options){0}),
			      without = source(annotated[i].name, args, NULL);

		cr_expect_eq(trace_hash(with.trace), trace_hash(without.trace), "%s", annotated[i].name);
		cr_expect_eq(trace_n_stores(with.trace), 0);
		cr_expect_null(without.taf);
		source_close(&with);
		source_close(&without);
	}
}
