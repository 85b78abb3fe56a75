/* Plans of sweeps: axes, lists, exclusions, and what becomes of their products. Nothing is run, and no name is looked
 * up. */
#include <string.h>

#include "fuzz/files.h"
#include "fuzz/fuzz.h"
#include "sweep/plan.h"

static void look_at(const struct sweep_plan *p)
{
	REQUIRE(p->n_points && p->n_points <= SWEEP_MAX_POINTS && p->n_axes <= SWEEP_MAX_AXES);
	REQUIRE(*p->name && !strchr(p->name, '/') && *p->name != '.');
	for (unsigned i = 0; i < p->n_points; i++)
		for (unsigned a = 0; a < p->n_axes; a++)
			REQUIRE(*sweep_plan_label(p, &p->point[i], a));
}

void fuzz_sweep(const uint8_t *data, size_t n)
{
	struct sweep_plan p;
	struct err e = {""};

	files_put("p.yaml", data, n);
	if (sweep_plan_read(&p, "p.yaml", &e))
		fuzz_told(&e);
	else
		look_at(&p);
	sweep_plan_close(&p);
}
