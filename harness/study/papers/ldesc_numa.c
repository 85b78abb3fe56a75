/* ldesc, section 6.2: data beside the CTAs that use it, on the NUMA system. */

#include <math.h>

#include "study/papers/ldesc_study.h"

/* The paper's LDesc is placement and scheduling here (section 6.2); with what caches keep and prefetch it is ours. */
enum { FIRST_TOUCH, PLACEMENT, LDESC, CACHES, N_PLANS };
static const char *const plans[N_PLANS] = {"firsttouch-distrib", "ldesc-placement", "ldesc-sched+ldesc-placement", "ldesc"};
#define PLAN_NAMES "FirstTouch-Distrib", "LDesc-Placement", "LDesc", "LDesc with caches"

enum { ZONES = 4 };

void ldesc_figure_17(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {PLAN_NAMES, "LDesc over FirstTouch-Distrib", NULL};
	double *v;

	sweep_table_init(t, &c->arena, "figure-17", "Figure 17: speed-up over pages spread by an XOR hash, NUMA system",
			 "application", "speed-up", columns);
	for (const struct ldesc_app *a = ldesc_apps; a->workload; a++) {
		v = ldesc_row(t, a);
		for (unsigned p = 0; p < N_PLANS; p++)
			v[p] = ldesc_numa(c, "cycles", a, LDESC_NUMA_BASE) / ldesc_numa(c, "cycles", a, plans[p]);
		v[N_PLANS] = v[LDESC] / v[FIRST_TOUCH];
	}
	ldesc_mean(c, t, SWEEP_GEOMETRIC, ldesc_is_bandwidth_sensitive, "bandwidth-sensitive");
	ldesc_most(c, t, ldesc_is_bandwidth_sensitive, "bandwidth-sensitive, at most");
	ldesc_mean(c, t, SWEEP_GEOMETRIC, ldesc_is_any, "all");
	v = sweep_table_row(t, SWEEP_PUBLISHED, "bandwidth-sensitive, published");
	v[LDESC] = 1.537;
	v[N_PLANS] = 1.312;
	v = sweep_table_row(t, SWEEP_PUBLISHED, "at most, published");
	v[LDESC] = 2.8;
	v[N_PLANS] = 2.3;
}

void ldesc_figure_18(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {"XOR hash", PLAN_NAMES, NULL};
	double *v;

	sweep_table_init(t, &c->arena, "figure-18", "Figure 18: access efficiency: percent of requests that stay in their zone",
			 "application", "percent of requests", columns);
	t->decimals = 1;
	for (const struct ldesc_app *a = ldesc_apps; a->workload; a++) {
		v = ldesc_row(t, a);
		v[0] = 100 * (1 - ldesc_numa(c, "memory.remote_share", a, LDESC_NUMA_BASE));
		for (unsigned p = 0; p < N_PLANS; p++)
			v[1 + p] = 100 * (1 - ldesc_numa(c, "memory.remote_share", a, plans[p]));
	}
	ldesc_mean(c, t, SWEEP_ARITHMETIC, ldesc_is_bandwidth_sensitive, "bandwidth-sensitive");
	ldesc_mean(c, t, SWEEP_ARITHMETIC, ldesc_is_any, "all");
	v = sweep_table_row(t, SWEEP_PUBLISHED, "bandwidth-sensitive, published");
	v[0] = 22;
	v[1 + FIRST_TOUCH] = 49.7;
	v[1 + PLACEMENT] = 32;
	v[1 + LDESC] = 76;
}

/* ---- Table 1's 192 GB/s of "inter-GPM interconnect" ---- */

static double speed_up(struct study_context *c, const struct ldesc_app *a, const char *more)
{
	return ldesc_numa_with(c, "cycles", a, LDESC_NUMA_BASE, more) / ldesc_numa_with(c, "cycles", a, plans[LDESC], more);
}

/* It may be the bandwidth of each direction of a link of the ring, of a link, or of all four directions in which a
 * module sends or receives. The paper does not say whether channels are chosen by a hash either. */
void ldesc_links(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {
		"192 a direction",	"192 a link", "192 a module", "192 a direction, hashed", "192 a link, hashed",
		"192 a module, hashed", NULL};
	static const unsigned gbps[] = {192, 96, 48}; /* of a direction of a link */
	double *v;

	sweep_table_init(t, &c->arena, "links",
			 "Figure 17 by the meaning of 192 GB/s, with channels by address bits and hashed: speed-up of LDesc "
			 "over pages spread by an XOR hash",
			 "application", "speed-up", columns);
	for (const struct ldesc_app *a = ldesc_apps; a->workload; a++) {
		v = ldesc_row(t, a);
		for (unsigned k = 0; k < 6; k++)
			v[k] = speed_up(
				c, a,
				study_args(c, " --set link.gbps=%u%s", gbps[k % 3], k < 3 ? "" : " --set map.hash_channel=true"));
	}
	ldesc_mean(c, t, SWEEP_GEOMETRIC, ldesc_is_any, "all");
	ldesc_most(c, t, ldesc_is_any, "at most");
	v = sweep_table_row(t, SWEEP_PUBLISHED, "bandwidth-sensitive, published");
	for (unsigned k = 0; k < 6; k++)
		v[k] = 1.537;
}

/* The fullest and the emptiest zone's share of what all memories transferred. */
static void shares(struct study_context *c, const struct ldesc_app *a, const char *plan, double *v)
{
	double bytes[ZONES], sum = 0;

	for (unsigned z = 0; z < ZONES; z++)
		sum += bytes[z] = ldesc_numa(c, study_args(c, "stack.%u.bytes", z), a, plan);
	for (unsigned z = 0; z < ZONES; z++) {
		v[0] = fmax(v[0], 100 * bytes[z] / sum);
		v[1] = fmin(v[1], 100 * bytes[z] / sum);
	}
}

void ldesc_figure_19(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {
		"XOR hash: most", "least", "FirstTouch-Distrib: most", "least", "LDesc-Placement: most", "least", "LDesc: most",
		"least",	  NULL};

	sweep_table_init(t, &c->arena, "figure-19",
			 "Figure 19: access distribution: the fullest and the emptiest zone's part of all bytes of DRAM, percent",
			 "application", "percent of bytes", columns);
	t->decimals = 1;
	for (const struct ldesc_app *a = ldesc_apps; a->workload; a++) {
		double *v = ldesc_row(t, a);

		shares(c, a, LDESC_NUMA_BASE, v);
		for (unsigned p = 0; p <= LDESC; p++)
			shares(c, a, plans[p], v + 2 + 2 * p);
	}
	ldesc_mean(c, t, SWEEP_ARITHMETIC, ldesc_is_bandwidth_sensitive, "bandwidth-sensitive");
	ldesc_mean(c, t, SWEEP_ARITHMETIC, ldesc_is_any, "all");
	sweep_table_row(t, SWEEP_PUBLISHED, "published: about 25")[0] = 25;
	t->row[t->rows - 1].value[6] = 25;
}

void ldesc_energy_numa(struct study_context *c, struct sweep_table *t)
{
	static const char *const columns[] = {PLAN_NAMES, "LDesc over FirstTouch-Distrib", NULL};
	double *v;

	sweep_table_init(t, &c->arena, "energy-numa", "Section 6.2: energy, percent of that with pages spread by an XOR hash",
			 "application", "percent", columns);
	t->decimals = 1;
	for (const struct ldesc_app *a = ldesc_apps; a->workload; a++) {
		v = ldesc_row(t, a);
		for (unsigned p = 0; p < N_PLANS; p++)
			v[p] = 100 * ldesc_numa(c, "energy.total", a, plans[p]) / ldesc_numa(c, "energy.total", a, LDESC_NUMA_BASE);
		v[N_PLANS] = 100 * v[LDESC] / v[FIRST_TOUCH];
	}
	ldesc_mean(c, t, SWEEP_ARITHMETIC, ldesc_is_bandwidth_sensitive, "bandwidth-sensitive");
	ldesc_mean(c, t, SWEEP_ARITHMETIC, ldesc_is_any, "all");
	v = sweep_table_row(t, SWEEP_PUBLISHED, "bandwidth-sensitive, published");
	v[LDESC] = 90.9;
	v[N_PLANS] = 91;
	v = sweep_table_row(t, SWEEP_PUBLISHED, "at least, published");
	v[LDESC] = 53.4;
	v[N_PLANS] = 67.4;
}
