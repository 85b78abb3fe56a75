#include "support/site.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/root.h"
#include "taf/taf_track.h"

static void make_site(struct site_rig *r, uint32_t modules, uint32_t sms)
{
	struct plan_site *s = &r->site;

	*s = (struct plan_site){.n_sms = modules * sms, .n_homes = modules, .n_stacks = modules, .page = 4096, .fgp_lsb = 7};
	s->home_of_sm = arena_array(&r->arena, s->n_sms, sizeof *s->home_of_sm);
	s->home_of_stack = arena_array(&r->arena, modules, sizeof *s->home_of_stack);
	s->sms = arena_array(&r->arena, modules, sizeof *s->sms);
	for (uint32_t i = 0; i < s->n_sms; i++)
		s->home_of_sm[i] = (uint16_t)(i / sms);
	for (uint32_t h = 0; h < modules; h++) {
		s->home_of_stack[h] = (uint16_t)h;
		s->sms[h] = sms;
	}
}

static void load(struct site_rig *r, const char *machine, const char *set)
{
	char machines[4096];
	struct err e = {""};

	memset(r, 0, sizeof *r);
	cr_assert_eq(machine_load(&r->m, machine, root_path("csim/machines", machines), &e), 0, "%s", e.text);
	if (set)
		cr_assert_eq(machine_set(&r->m, set, &e), 0, "%s", e.text);
	cr_assert_eq(machine_resolve(&r->m, &e), 0, "%s", e.text);
}

static void execute(struct site_rig *r, const char *workload, const char *const *args, const struct taf_options *taf)
{
	char root[4096];
	struct source_options o = {
		.what = workload, .root = root_path("", root), .size = "test", .args = args, .analyse = true, .taf = taf};
	struct err e = {""};

	while (args && args[o.n_args])
		o.n_args++;
	cr_assert_eq(source_open(&r->s, &o, &e), 0, "%s", e.text);
	r->ask = (struct plan_ask){.machine = &r->m,
				   .site = &r->site,
				   .trace = r->s.trace,
				   .analysis = r->s.analysis,
				   .taf = r->s.taf,
				   .arena = &r->arena};
}

void site_rig_init(struct site_rig *r, uint32_t modules, uint32_t sms, const char *workload, const char *const *args)
{
	load(r, "gtx480", NULL);
	make_site(r, modules, sms);
	execute(r, workload, args, NULL);
}

void site_rig_machine(struct site_rig *r, const struct site_rig_wish *wish, const char *workload, const char *const *args)
{
	struct taf_options taf = {0};
	struct planner_wants wants;
	struct err e = {""};

	load(r, wish->machine, wish->set);
	plan_site_of(&r->site, &r->m, &r->arena);
	if (wish->plan) {
		cr_assert_eq(planner_check(wish->plan, &wants, &e), 0, "%s", e.text);
		planner_taf_options(&wants, &r->site, &taf);
	}
	execute(r, workload, args, &taf);
	if (!r->s.taf)
		return;
	taf_track(&r->extents, r->s.taf, NULL);
	r->ask.extents = &r->extents;
}

void site_rig_free(struct site_rig *r)
{
	source_close(&r->s);
	if (r->ask.extents)
		taf_memory_free(&r->extents);
	arena_free(&r->arena);
}

struct plan site_rig_plan(struct site_rig *r, const char *text)
{
	struct plan p;
	struct err e = {""};

	cr_assert_eq(planner_make(&p, text, &r->ask, &e), 0, "%s", e.text);
	return p;
}

uint32_t site_rig_buffer(const struct site_rig *r, const char *name)
{
	for (uint32_t b = 0; b < trace_n_buffers(r->s.trace); b++)
		if (!strcmp(trace_buffer(r->s.trace, b)->name, name))
			return b;
	cr_assert_fail("no buffer %s", name);
	return 0;
}

double site_rig_remote(struct site_rig *r, const char *text)
{
	struct plan p = site_rig_plan(r, text);
	struct plan_expected by[64], sum;
	struct err e = {""};

	cr_assert_leq(p.n_buffers, 64);
	cr_assert_eq(plan_expect(&p, &r->ask, by, &sum, &e), 0, "%s", e.text);
	return 100 * sum.remote / (double)sum.lines;
}
