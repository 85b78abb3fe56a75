#include "study/papers/ldesc_study.h"

#include <math.h>
#include <string.h>

const struct ldesc_app ldesc_apps[] = {
	{"syrk", "syrk (SK)", LDESC_COACCESSED},
	{"doitgen", "doitgen (DT)", LDESC_COACCESSED},
	{"dwt2d", "dwt2d (D2D)", LDESC_NEARBY},
	{"conv2d", "conv2d (C2D)", LDESC_NEARBY},
	{"spmv", "spmv (SPMV)", LDESC_OTHER},
	{"libor", "libor (LIB)", LDESC_OTHER},
	{"lavamd", "lavamd (LMD)", LDESC_OTHER},
	{"histo", "histo (HS)", LDESC_COACCESSED},
	{"atax", "atax (ATX)", LDESC_OTHER},
	{"mvt", "mvt (MVT)", LDESC_OTHER},
	{"particlefilter", "particlefilter (PF)", LDESC_OTHER},
	{"streamcluster", "streamcluster (SC)", LDESC_OTHER},
	{"transpose", "transpose (TRA)", LDESC_OTHER},
	{"scalarprod", "scalarprod (SP)", LDESC_OTHER},
	{"lps", "lps (LPS)", LDESC_OTHER},
	{"pathfinder", "pathfinder (PT)", LDESC_OTHER},
	{NULL, NULL, LDESC_OTHER},
};

double ldesc_value(struct study_context *c, const char *what, const struct ldesc_app *a, const char *machine, const char *plan,
		   const char *more)
{
	return study_value(c, what,
			   study_args(c, "run %s --size %s --machine %s --plan %s%s", a->workload, c->size, machine, plan, more));
}

double ldesc_single(struct study_context *c, const char *what, const struct ldesc_app *a, const char *plan)
{
	return ldesc_value(c, what, a, LDESC_SINGLE, plan, " --working-set");
}

/* What each application has at least one CTA of for each of the 64 SMs; NULL: at the study's size. atax and mvt have a
 * CTA for 256 rows: 64 of them would take a matrix of 1 GB. */
static const char *filling_64_sms(const struct ldesc_app *a)
{
	static const struct {
		const char *workload, *size;
	} sizes[] = {{"spmv", " --arg graph=mesh --arg degree=16 --arg scale=17"},
		     {"libor", " --size paper"},
		     {"lavamd", " --arg side=4"},
		     {"particlefilter", " --arg particles=8192 --arg frames=2"}};

	for (unsigned i = 0; i < sizeof sizes / sizeof sizes[0]; i++)
		if (!strcmp(a->workload, sizes[i].workload))
			return sizes[i].size;
	return NULL;
}

double ldesc_numa_with(struct study_context *c, const char *what, const struct ldesc_app *a, const char *plan, const char *more)
{
	const char *size = filling_64_sms(a);

	if (!size || strcmp(c->size, "default"))
		size = study_args(c, " --size %s", c->size);
	return study_value(c, what, study_args(c, "run %s%s --machine " LDESC_NUMA " --plan %s%s", a->workload, size, plan, more));
}

double ldesc_numa(struct study_context *c, const char *what, const struct ldesc_app *a, const char *plan)
{
	return ldesc_numa_with(c, what, a, plan, "");
}

static double rate_of(struct study_context *c, const char *what, const struct ldesc_app *a, const char *plan)
{
	double past = ldesc_single(c, "l1.bypass.loads", a, plan); /* counted only where a plan may send loads past */
	double loads = ldesc_single(c, "l1.hits", a, plan) + ldesc_single(c, "l1.hits_reserved", a, plan) +
		       ldesc_single(c, "l1.misses", a, plan) + (isnan(past) ? 0 : past);

	return 100 * ldesc_single(c, what, a, plan) / loads;
}

double ldesc_hit_rate(struct study_context *c, const struct ldesc_app *a, const char *plan)
{
	return rate_of(c, "l1.hits", a, plan);
}

double ldesc_inflight_rate(struct study_context *c, const struct ldesc_app *a, const char *plan)
{
	return rate_of(c, "l1.hits_reserved", a, plan);
}

/* ---- who qualifies ---- */

/* The table leaves open what a larger L1 has more of: sets. */
#define LARGE_L1 " --set l1.bytes=128K"
/* Twice the bandwidth, as one has it in GPGPU-Sim, whose timings are cycles of DRAM: twice the clock. Or the interface
 * alone; what the arrays take is as long as before, in ns. */
#define FAST_CLOCK	" --set clock.dram=1848"
#define FAST_CLOCK_NUMA " --set clock.dram=1500"
#define FAST_INTERFACE                                                                                                             \
	" --set clock.dram=1848 --set dram.cl=24 --set dram.rp=24 --set dram.rc=80 --set dram.ras=56 --set dram.rcd=24"            \
	" --set dram.rrd=12 --set dram.wl=8 --set dram.cdlr=10 --set dram.wr=24 --set dram.rtp=4 --set dram.refi=7208"             \
	" --set dram.rfc=204"

double ldesc_gain(struct study_context *c, const struct ldesc_app *a, const char *more)
{
	return 100 * (ldesc_single(c, "cycles", a, "lrr") / ldesc_value(c, "cycles", a, LDESC_SINGLE, "lrr", more) - 1);
}

double ldesc_l1_gain(struct study_context *c, const struct ldesc_app *a)
{
	return ldesc_gain(c, a, LARGE_L1);
}

double ldesc_clock_gain(struct study_context *c, const struct ldesc_app *a)
{
	return ldesc_gain(c, a, FAST_CLOCK);
}

double ldesc_interface_gain(struct study_context *c, const struct ldesc_app *a)
{
	return ldesc_gain(c, a, FAST_INTERFACE);
}

double ldesc_bandwidth_gain(struct study_context *c, const struct ldesc_app *a)
{
	return 100 *
	       (ldesc_numa(c, "cycles", a, LDESC_NUMA_BASE) / ldesc_numa_with(c, "cycles", a, LDESC_NUMA_BASE, FAST_CLOCK_NUMA) -
		1);
}

bool ldesc_is_cache_sensitive(struct study_context *c, const struct ldesc_app *a)
{
	return ldesc_l1_gain(c, a) > 10;
}

bool ldesc_is_bandwidth_sensitive(struct study_context *c, const struct ldesc_app *a)
{
	return ldesc_bandwidth_gain(c, a) > 40;
}

bool ldesc_is_inter_thread(struct study_context *c, const struct ldesc_app *a)
{
	(void)c;
	return a->kind == LDESC_COACCESSED || a->kind == LDESC_NEARBY;
}

bool ldesc_is_coaccessed(struct study_context *c, const struct ldesc_app *a)
{
	(void)c;
	return a->kind == LDESC_COACCESSED;
}

bool ldesc_is_any(struct study_context *c, const struct ldesc_app *a)
{
	(void)c;
	(void)a;
	return true;
}

/* ---- rows and means ---- */

double *ldesc_row(struct sweep_table *t, const struct ldesc_app *a)
{
	return sweep_table_row(t, SWEEP_MEASURED, a->name);
}

static const struct ldesc_app *app_of(const struct sweep_row *r)
{
	const struct ldesc_app *a = ldesc_apps;

	while (a->workload && strcmp(a->name, r->name) != 0)
		a++;
	return a->workload ? a : NULL;
}

static bool is_in(struct study_context *c, const struct sweep_row *r, ldesc_class *in)
{
	const struct ldesc_app *a = r->kind == SWEEP_MEASURED ? app_of(r) : NULL;

	return a && in(c, a);
}

void ldesc_mean(struct study_context *c, struct sweep_table *t, enum sweep_mean how, ldesc_class *in, const char *name)
{
	for (unsigned r = 0; r < t->rows; r++)
		t->row[r].group = is_in(c, &t->row[r], in) ? name : NULL;
	sweep_table_mean(t, how, name, name);
}

void ldesc_most(struct study_context *c, struct sweep_table *t, ldesc_class *in, const char *name)
{
	double *most = sweep_table_row(t, SWEEP_MEAN, name);

	for (unsigned r = 0; r + 1 < t->rows; r++)
		for (unsigned k = 0; k < t->columns && is_in(c, &t->row[r], in); k++)
			most[k] = fmax(most[k], t->row[r].value[k]); /* of a number and NAN: the number */
}
