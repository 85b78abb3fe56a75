#include <inttypes.h>

#include "ldesc/ldesc_choice.h"
#include "plan/ldesc/ldesc_plan.h"

static void print_choice(const struct ldesc_choice *c, FILE *to)
{
	static const char *const caching[] = {"", ", bypass", ", soft pin", ", hard pin"}, *const prefetch[] = {
												   "", ", stride prefetch",
												   ", next-line prefetch"};

	fprintf(to, "%s%s%s", c->ctas ? c->pages ? "CTAs, pages" : "CTAs" : "CTAs as they are", caching[c->caching],
		prefetch[c->prefetch]);
}

/* A C-tile no larger than the grid. */
static void print_c_tile(const struct ldesc *l, const struct trace_launch *t, FILE *to)
{
	uint64_t tile[3];

	for (unsigned d = 0; d < 3; d++) {
		uint64_t grid = (uint64_t)t->grid[d] * (l->c_unit == LDESC_THREADS ? t->block[d] : 1);

		tile[d] = l->c_tile[d] < grid ? l->c_tile[d] : grid;
	}
	fprintf(to, ", C-tiles of (%" PRIu64 ",%" PRIu64 ",%" PRIu64 ") %s", tile[0], tile[1], tile[2],
		l->c_unit == LDESC_THREADS ? "threads" : "CTAs");
}

static void print_descriptor(const struct ldesc_plan *f, const struct ldesc *l, const struct trace_launch *t, FILE *to)
{
	struct ldesc_choice c = ldesc_choose(l, f->is_numa);

	fprintf(to, "    %" PRIu32 "  %s: %s", l->priority, l->name, ldesc_types[l->type]);
	if (l->type == LDESC_INTER_THREAD)
		fprintf(to, ", %s, %s", ldesc_sharings[l->sharing], ldesc_accesses[l->access]);
	fprintf(to, "; %" PRIu64 " D-tiles of (%" PRIu64 ",%" PRIu64 ",%" PRIu64 ")", ldesc_d_tiles(l), l->d_tile[0], l->d_tile[1],
		l->d_tile[2]);
	print_c_tile(l, t, to);
	fprintf(to, ", map (%u,%u,%u)", l->rank[0], l->rank[1], l->rank[2]);
	if (l->type == LDESC_INTER_THREAD && l->access == LDESC_REGULAR)
		fprintf(to, ", stride %" PRIu64, l->stride);
	fprintf(to, ": ");
	print_choice(&c, to);
	fputc('\n', to);
}

static void print_zones(const struct ldesc_found *l, FILE *to)
{
	const struct ldesc_zones *z = &l->zones;

	for (uint32_t i = 0; i < l->placed.n; i++) {
		fprintf(to, "    %s: ", l->placed.d[i].name);
		if (z->map[i].bit == LDESC_PAGES)
			fprintf(to, "whole pages");
		else
			fprintf(to, "by bits from %u", z->map[i].bit);
		fprintf(to, ", utility %.3f of %" PRIu32 "\n", z->utility[i], l->placed.n - i);
	}
	if (l->placed.n)
		fprintf(to, "    in all %.3f of %.0f\n", z->total, l->placed.n * (l->placed.n + 1) / 2.0);
	else
		fprintf(to, "    no map keeps accesses local and zones balanced: an even split, data by the XOR hash\n");
}

static void print_clusters(const struct ldesc_plan *f, const struct ldesc_found *l, FILE *to)
{
	if (!l->clusters)
		fprintf(to, "    CTAs go round robin\n");
	for (uint32_t z = 0; l->clusters && z < f->numa.n_zones; z++) {
		const struct ldesc_found_clusters *c = &l->clusters[z];

		fprintf(to, "    ");
		if (f->is_numa)
			fprintf(to, "zone %" PRIu32 ": %" PRIu32 " CTAs in ", z, c->ctas);
		fprintf(to, "%" PRIu32 " clusters of (%" PRIu32 ",%" PRIu32 ",%" PRIu32 ")\n", c->n, c->size[0], c->size[1],
			c->size[2]);
	}
}

void ldesc_plan_print(const struct ldesc_plan *f, FILE *to)
{
	uint32_t n_launches = trace_n_launches(f->req->trace);

	fprintf(to, "  descriptors from %s\n", ldesc_source_name(f->source));
	for (uint32_t i = 0; i < n_launches; i++) {
		const struct ldesc_found *l = &f->launch[i];
		const struct trace_launch *t = trace_launch(f->req->trace, i);

		if (!l->set || (i && f->launch[i - 1].set == l->set && f->launch[i - 1].lists == l->lists))
			continue;
		fprintf(to, "  locality of launch %" PRIu32 " (%s), a grid of %" PRIu32 "x%" PRIu32 "x%" PRIu32 " CTAs\n", i,
			trace_kernel(f->req->trace, t->kernel)->name, t->grid[0], t->grid[1], t->grid[2]);
		for (uint32_t k = 0; k < l->set->n; k++)
			print_descriptor(f, &l->set->d[k], t, to);
		if (l->zones.zone)
			print_zones(l, to);
		print_clusters(f, l, to);
	}
}
