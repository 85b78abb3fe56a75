#include "machine/carveout.h"

#include "base/panic.h"

static struct carveout divide(const struct machine *m, uint32_t shared)
{
	uint32_t way = machine_cache_sets(&m->l1.c) * m->l1.c.line, l1 = m->sm.unified_bytes - shared;

	return (struct carveout){shared, l1, l1 / way};
}

struct carveout carveout_for(const struct machine *m, uint64_t needs)
{
	const struct machine_list *l = &m->sm.carveouts;
	uint32_t i = 0;

	if (!m->sm.unified_bytes)
		return (struct carveout){m->sm.shared_bytes, m->l1.c.bytes, m->l1.c.assoc};
	while (i + 1 < l->n && l->v[i] < needs)
		i++;
	PANIC_UNLESS(l->v[i] >= needs, "carveout", needs);
	return divide(m, l->v[i]);
}

static int check_carveouts(const struct machine *m, struct err *e)
{
	const struct machine_list *l = &m->sm.carveouts;
	uint32_t way = machine_cache_sets(&m->l1.c) * m->l1.c.line;

	for (uint32_t i = 0; i < l->n; i++) {
		if (i && l->v[i] <= l->v[i - 1])
			return err_set(e, "sm.carveouts: must ascend, but %u comes after %u", l->v[i], l->v[i - 1]);
		if (l->v[i] >= m->sm.unified_bytes || (m->sm.unified_bytes - l->v[i]) % way)
			return err_set(e, "sm.carveouts: %u of %u bytes (sm.unified_bytes) do not leave whole ways of %u bytes",
				       l->v[i], m->sm.unified_bytes, way);
	}
	return 0;
}

int carveout_resolve(struct machine *m, struct err *e)
{
	const struct machine_list *l = &m->sm.carveouts;

	m->l1.most_ways = m->l1.c.assoc;
	if (!m->sm.unified_bytes)
		return l->n == 1 && !l->v[0]
			       ? 0
			       : err_set(e, "sm.carveouts: needs sm.unified_bytes, the size of the array that they divide");
	if (m->sm.unified_bytes - m->sm.shared_bytes != m->l1.c.bytes)
		return err_set(
			e, "sm.unified_bytes: %u bytes are not l1.bytes (%u) beside the largest carve-out (sm.shared_bytes, %u)",
			m->sm.unified_bytes, m->l1.c.bytes, m->sm.shared_bytes);
	if (check_carveouts(m, e) != 0)
		return -1;
	if (l->v[l->n - 1] != m->sm.shared_bytes)
		return err_set(e, "sm.carveouts: the largest, %u bytes, is not sm.shared_bytes (%u)", l->v[l->n - 1],
			       m->sm.shared_bytes);
	if (m->l1.allocate != L1_ALLOCATE_ON_FILL)
		return err_set(e, "sm.unified_bytes: needs l1.allocate fill: an L1 that changes its size reserves no ways");
	if (m->l1.replacement == REPLACE_PIN)
		return err_set(e, "sm.unified_bytes: does not go with l1.replacement=pin, whose block has a fixed number of ways");
	m->l1.most_ways = divide(m, l->v[0]).l1_ways;
	return 0;
}

void carveout_print(const struct machine *m, FILE *to)
{
	if (!m->sm.unified_bytes)
		return;
	fprintf(to, "\nL1 and shared memory share %u bytes of an SM; a launch has the first row that holds its CTAs\n",
		m->sm.unified_bytes);
	fprintf(to, "  %12s  %12s  %8s  %8s\n", "shared bytes", "L1 bytes", "L1 sets", "L1 ways");
	for (uint32_t i = 0; i < m->sm.carveouts.n; i++) {
		struct carveout c = divide(m, m->sm.carveouts.v[i]);

		fprintf(to, "  %12u  %12u  %8u  %8u\n", c.shared_bytes, c.l1_bytes, machine_cache_sets(&m->l1.c), c.l1_ways);
	}
}
