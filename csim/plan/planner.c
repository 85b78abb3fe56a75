#include "plan/planner.h"

#include <stdio.h>
#include <string.h>

#include "base/cputime.h"
#include "base/suggestion.h"

enum { MAX_OPTIONS = 8, MAX_PARTS = 4 };

const struct planner *const planners[] = {&planner_affinity,
					  &planner_bcs,
					  &planner_cgp_only,
					  &planner_clusters,
					  &planner_coda,
					  &planner_fgp_only,
					  &planner_first_touch,
					  &planner_firsttouch_distrib,
					  &planner_ldesc,
					  &planner_ldesc_cache,
					  &planner_ldesc_placement,
					  &planner_ldesc_pref,
					  &planner_ldesc_sched,
					  &planner_lrr,
					  &planner_own_stacks,
					  &planner_paver_kway,
					  &planner_paver_mst,
					  &planner_paver_rb,
					  &planner_tafe,
					  &planner_tafe_pages,
					  &planner_tafe_tid,
					  &planner_xor_hash,
					  NULL};

struct part { /* one planner of a text, with its options */
	const struct planner *planner;
	unsigned choice[MAX_OPTIONS];
	bool given[MAX_OPTIONS];
};

static const struct planner *find(const char *name, size_t n)
{
	for (unsigned i = 0; planners[i]; i++)
		if (strlen(planners[i]->name) == n && !strncmp(planners[i]->name, name, n))
			return planners[i];
	return NULL;
}

static int unknown(const char *name, struct err *e)
{
	struct suggestion n = {.typed = name};
	char hint[160];

	for (unsigned i = 0; planners[i]; i++)
		suggestion_offer(&n, planners[i]->name);
	return err_set(e, "no planner \"%s\"%s (see locus list planners)", name, suggestion_text(&n, hint));
}

static int choose(const struct planner *p, const struct planner_option *o, const char *value, unsigned *choice, struct err *e)
{
	char words[128] = "";

	for (unsigned c = 0; o->choices[c]; c++) {
		if (!strcmp(o->choices[c], value)) {
			*choice = c;
			return 0;
		}
		snprintf(words + strlen(words), sizeof words - strlen(words), "%s%s", c ? "|" : "", o->choices[c]);
	}
	return err_set(e, "planner %s: %s=%s: must be %s", p->name, o->key, value, words);
}

/* "key=value" */
static int take_option(struct part *part, const char *text, struct err *e)
{
	const struct planner_option *o = part->planner->options;
	const char *equals = strchr(text, '=');
	struct suggestion n;
	char hint[160], key[64];

	snprintf(key, sizeof key, "%.*s", equals ? (int)(equals - text) : (int)strlen(text), text);
	n = (struct suggestion){.typed = key};
	for (unsigned i = 0; o && o[i].key; i++) {
		if (!strcmp(o[i].key, key) && part->given[i])
			return err_set(e, "planner %s: %s is there twice", part->planner->name, key);
		part->given[i] = part->given[i] || !strcmp(o[i].key, key);
		if (!strcmp(o[i].key, key) && equals)
			return choose(part->planner, &o[i], equals + 1, &part->choice[i], e);
		suggestion_offer(&n, o[i].key);
	}
	if (!o)
		return err_set(e, "planner %s takes no options, but got \"%s\"", part->planner->name, text);
	if (!equals)
		return err_set(e, "planner %s: \"%s\": an option is KEY=VALUE", part->planner->name, text);
	return err_set(e, "planner %s has no option \"%s\"%s", part->planner->name, key, suggestion_text(&n, hint));
}

/* "coda,source=profile"; a colon may be between the name and its options. */
static int parse_part(struct part *part, char *text, struct err *e)
{
	char *next, *rest = strpbrk(text, ",:");

	if (rest)
		*rest++ = '\0';
	part->planner = find(text, strlen(text));
	if (!part->planner)
		return unknown(text, e);
	for (; rest; rest = next) {
		next = strchr(rest, ',');
		if (next)
			*next++ = '\0';
		if (take_option(part, rest, e))
			return -1;
	}
	return 0;
}

/* What the planners of a slot decide. */
static const char *slot_text(unsigned slot)
{
	switch (slot) {
	case SLOT_PAGES:
		return "the placement of pages";
	case SLOT_CTAS:
		return "the placement of CTAs";
	case SLOT_CACHE:
		return "what caches keep";
	default:
		return "what is prefetched";
	}
}

static int check_slots(const struct part *part, unsigned n, const char *text, struct err *e)
{
	for (unsigned i = 0; i < n; i++)
		for (unsigned j = i + 1; j < n; j++) {
			unsigned both = part[i].planner->slots & part[j].planner->slots;

			if (both)
				return err_set(e, "--plan %s: %s and %s both decide %s", text, part[i].planner->name,
					       part[j].planner->name, slot_text(both & -both));
		}
	return 0;
}

static int parse(const char *text, struct part part[MAX_PARTS], unsigned *n, struct err *e)
{
	char copy[sizeof((struct plan *)0)->name], *at = copy, *plus;

	if (strlen(text) >= sizeof copy)
		return err_set(e, "--plan: \"%.40s...\" is longer than %zu characters", text, sizeof copy - 1);
	snprintf(copy, sizeof copy, "%s", text);
	for (*n = 0; at; at = plus) {
		plus = strchr(at, '+');
		if (plus)
			*plus++ = '\0';
		if (*n == MAX_PARTS)
			return err_set(e, "--plan %s: more than %d planners", text, MAX_PARTS);
		if (parse_part(&part[(*n)++], at, e))
			return -1;
	}
	return check_slots(part, *n, text, e);
}

int planner_check(const char *text, struct planner_needs *needs, struct err *e)
{
	struct part part[MAX_PARTS] = {{0}};
	unsigned n = 0;

	*needs = (struct planner_needs){0};
	if (parse(text, part, &n, e))
		return -1;
	for (unsigned i = 0; i < n; i++) {
		needs->analysis |=
			part[i].planner->wants_analysis || (part[i].planner->analysis && part[i].planner->analysis(part[i].choice));
		needs->slots |= part[i].planner->slots;
		needs->groups |= part[i].planner->groups;
		if (part[i].planner->taf) {
			needs->taf = true;
			part[i].planner->taf(part[i].choice, needs);
		}
	}
	return 0;
}

/* NULL: it decides something. */
static const char *no_effect(const struct planner *p, const struct machine *m, bool on_cpu)
{
	if (on_cpu && !(p->slots & SLOT_PAGES))
		return "with --on cpu, where plans place pages only";
	if (p->slots == SLOT_PAGES && m->dram.stacks == 1)
		return "on a machine with one stack of memory for all pages";
	if (p->among_modules && m->module.count == 1 && (!(p->slots & SLOT_PAGES) || m->dram.stacks == 1))
		return "on a machine with one module for all CTAs";
	if (!(p->slots & (SLOT_PAGES | SLOT_CTAS)) && !m->l1.enabled)
		return "without L1s: l1.enabled is false";
	return NULL;
}

int planner_check_effect(const char *text, const struct machine *m, bool on_cpu, struct err *e)
{
	struct part part[MAX_PARTS] = {{0}};
	unsigned n = 0;

	if (parse(text, part, &n, e))
		return -1;
	for (unsigned i = 0; i < n; i++) {
		const char *why = no_effect(part[i].planner, m, on_cpu);

		if (why)
			return err_set(e, "--plan %s: %s has no effect %s", text, part[i].planner->name, why);
	}
	return 0;
}

void planner_taf_options(const struct planner_needs *needs, const struct topology_view *s, struct taf_options *o)
{
	*o = (struct taf_options){.extents = needs->extents, .group = needs->group};
	if (needs->extents_by_module) {
		o->modules = s->n_modules;
		o->sms = s->n_sms;
		o->module_of_sm = s->module_of_sm;
	}
}

struct plan_program plan_program_of_launch(const struct planner_request *req, uint32_t launch)
{
	for (uint32_t i = 0; i < req->n_programs; i++)
		if (launch - req->program[i].first_launch < req->program[i].n_launches)
			return req->program[i];
	return (struct plan_program){.n_modules = req->topology->n_modules};
}

struct plan_program plan_program_of_buffer(const struct planner_request *req, uint32_t buffer)
{
	for (uint32_t i = 0; i < req->n_programs; i++)
		if (buffer - req->program[i].first_buffer < req->program[i].n_buffers)
			return req->program[i];
	return (struct plan_program){.n_modules = req->topology->n_modules};
}

int plan_share(struct plan_program *program, uint32_t n, const struct topology_view *s, struct err *e)
{
	uint32_t first = 0;

	if (s->n_modules < n)
		return err_set(e, "%u programs need as many modules; the machine has %u", n, s->n_modules);
	for (uint32_t i = 0; i < n; i++) {
		program[i].first_module = first;
		program[i].n_modules = s->n_modules / n + (i < s->n_modules % n);
		first += program[i].n_modules;
	}
	return 0;
}

static void set_programs(struct plan *p, const struct planner_request *req)
{
	uint16_t *of_sm;

	if (!req->n_programs)
		return;
	of_sm = arena_array(req->arena, p->n_sms, sizeof *of_sm);
	for (uint32_t s = 0; s < p->n_sms; s++)
		for (uint32_t i = 0; i < req->n_programs; i++)
			if (req->topology->module_of_sm[s] - req->program[i].first_module < req->program[i].n_modules)
				of_sm[s] = (uint16_t)i;
	p->n_programs = req->n_programs;
	p->program = req->program;
	p->program_of_sm = of_sm;
}

int planner_make(struct plan *p, const char *text, const struct planner_request *req, struct err *e)
{
	struct part part[MAX_PARTS] = {{0}};
	double start = cpu_seconds();
	unsigned n = 0;

	if (text && parse(text, part, &n, e))
		return -1;
	*p = (struct plan){.n_buffers = trace_n_buffers(req->trace),
			   .n_launches = trace_n_launches(req->trace),
			   .n_sms = req->topology->n_sms,
			   .n_modules = req->topology->n_modules};
	snprintf(p->name, sizeof p->name, "%s", text ? text : "none");
	set_programs(p, req);
	for (unsigned i = 0; i < n; i++)
		if (part[i].planner->slots & SLOT_CTAS && part[i].planner->make(p, req, part[i].choice, e))
			return -1;
	for (unsigned i = 0; i < n; i++)
		if (!(part[i].planner->slots & SLOT_CTAS) && part[i].planner->make(p, req, part[i].choice, e))
			return -1;
	p->seconds = cpu_seconds() - start;
	return 0;
}
