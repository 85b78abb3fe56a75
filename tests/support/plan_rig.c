#include "support/plan_rig.h"

#include <criterion/criterion.h>
#include <string.h>

#include "base/files/root.h"
#include "taf/taf_track.h"

static void make_topology(struct plan_rig *r, uint32_t modules, uint32_t sms)
{
	struct topology_view *s = &r->topology;

	*s = (struct topology_view){.n_sms = modules * sms, .n_modules = modules, .n_stacks = modules, .page = 4096, .fgp_lsb = 7};
	s->module_of_sm = arena_array(&r->arena, s->n_sms, sizeof *s->module_of_sm);
	s->module_of_stack = arena_array(&r->arena, modules, sizeof *s->module_of_stack);
	s->sms = arena_array(&r->arena, modules, sizeof *s->sms);
	for (uint32_t i = 0; i < s->n_sms; i++)
		s->module_of_sm[i] = (uint16_t)(i / sms);
	for (uint32_t h = 0; h < modules; h++) {
		s->module_of_stack[h] = (uint16_t)h;
		s->sms[h] = sms;
	}
}

static void load(struct plan_rig *r, const char *machine, const char *set)
{
	char machines[4096];
	struct err e = {""};

	memset(r, 0, sizeof *r);
	cr_assert_eq(machine_load(&r->m, machine, root_path("csim/machines", machines), &e), 0, "%s", e.text);
	if (set)
		cr_assert_eq(machine_set(&r->m, set, &e), 0, "%s", e.text);
	cr_assert_eq(machine_resolve(&r->m, &e), 0, "%s", e.text);
}

static void execute(struct plan_rig *r, const char *workload, const char *const *args, const struct taf_options *taf,
		    uint32_t align)
{
	char root[4096];
	struct source_options o = {.what = workload,
				   .root = root_path("", root),
				   .size = "test",
				   .args = args,
				   .analyse = true,
				   .taf = taf,
				   .align = align};
	struct err e = {""};

	while (args && args[o.n_args])
		o.n_args++;
	cr_assert_eq(source_open(&r->s, &o, &e), 0, "%s", e.text);
	r->req = (struct planner_request){.machine = &r->m,
					  .topology = &r->topology,
					  .trace = r->s.trace,
					  .analysis = r->s.analysis,
					  .descriptors = r->s.descriptors,
					  .taf = r->s.taf,
					  .arena = &r->arena};
}

void plan_rig_init(struct plan_rig *r, uint32_t modules, uint32_t sms, const char *workload, const char *const *args)
{
	load(r, "gtx480", NULL);
	make_topology(r, modules, sms);
	execute(r, workload, args, NULL, machine_data_align(&r->m));
}

void plan_rig_machine(struct plan_rig *r, const struct plan_rig_wish *wish, const char *workload, const char *const *args)
{
	struct taf_options taf = {0};
	struct planner_needs needs;
	struct err e = {""};

	load(r, wish->machine, wish->set);
	topology_view_of(&r->topology, &r->m, &r->arena);
	if (wish->plan) {
		cr_assert_eq(planner_check(wish->plan, &needs, &e), 0, "%s", e.text);
		planner_taf_options(&needs, &r->topology, &taf);
	}
	execute(r, workload, args, &taf, wish->align ? wish->align : machine_data_align(&r->m));
	if (!r->s.taf)
		return;
	taf_track(&r->extents, r->s.taf, NULL);
	r->req.extents = &r->extents;
}

void plan_rig_free(struct plan_rig *r)
{
	source_close(&r->s);
	if (r->req.extents)
		taf_memory_free(&r->extents);
	arena_free(&r->arena);
}

struct plan plan_rig_plan(struct plan_rig *r, const char *text)
{
	struct plan p;
	struct err e = {""};

	cr_assert_eq(planner_make(&p, text, &r->req, &e), 0, "%s", e.text);
	return p;
}

uint32_t plan_rig_buffer(const struct plan_rig *r, const char *name)
{
	for (uint32_t b = 0; b < trace_n_buffers(r->s.trace); b++)
		if (!strcmp(trace_buffer(r->s.trace, b)->name, name))
			return b;
	cr_assert_fail("no buffer %s", name);
	return 0;
}

uint32_t plan_rig_sm_of(const struct plan_lists *l, uint32_t cta)
{
	for (uint32_t s = 0; s < l->n; s++)
		for (uint32_t i = l->first[s]; i < l->first[s + 1]; i++)
			if (l->cta[i] == cta)
				return s;
	cr_assert_fail("CTA %u is in no list", cta);
	return 0;
}

double plan_rig_remote(struct plan_rig *r, const char *text)
{
	struct plan p = plan_rig_plan(r, text);
	struct plan_expected by[64], sum;
	struct err e = {""};

	cr_assert_leq(p.n_buffers, 64);
	cr_assert_eq(plan_expect(&p, &r->req, by, &sum, &e), 0, "%s", e.text);
	return 100 * sum.remote / (double)sum.lines;
}
