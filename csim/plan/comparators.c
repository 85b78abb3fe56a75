/* The planners that CODA and the Locality Descriptor are compared with: one policy for all pages, affinity of CTAs
 * without any placement, first touch with contiguous parts of the grid. */
#include <string.h>

#include "machine/occupancy.h"
#include "plan/planner.h"

void plan_all_buffers(struct plan *p, const struct planner_request *req, enum plan_placement placement)
{
	p->buffer = arena_array(req->arena, p->n_buffers, sizeof *p->buffer);
	for (uint32_t b = 0; b < p->n_buffers; b++)
		p->buffer[b].placement = placement;
}

static bool same_shape(const struct trace_launch *x, const struct trace_launch *y)
{
	return x->kernel == y->kernel && x->warps_per_cta == y->warps_per_cta && x->dynamic_shared_bytes == y->dynamic_shared_bytes;
}

int plan_affinity(struct plan *p, const struct planner_request *req, struct err *e)
{
	const struct topology_view *s = req->topology;

	p->launch = arena_array(req->arena, p->n_launches, sizeof *p->launch);
	p->module_of_sm = s->module_of_sm;
	for (uint32_t i = 0; i < p->n_launches; i++) {
		const struct trace_launch *l = trace_launch(req->trace, i);
		struct plan_program program = plan_program_of_launch(req, i);
		struct occupancy o;

		p->launch[i].dispatch = DISPATCH_AFFINITY;
		if (i > program.first_launch && same_shape(l, trace_launch(req->trace, i - 1))) {
			p->launch[i].blocks = p->launch[i - 1].blocks;
			continue;
		}
		if (occupancy_of(req->machine, trace_kernel(req->trace, l->kernel), l, &o, e) != 0)
			return -1;
		p->launch[i].blocks = arena_array(req->arena, s->n_modules, sizeof *p->launch[i].blocks);
		for (uint32_t h = program.first_module; h < program.first_module + program.n_modules; h++)
			p->launch[i].blocks[h] = s->sms[h] * o.ctas;
	}
	return 0;
}

static int make_affinity(struct plan *p, const struct planner_request *req, const unsigned *choice, struct err *e)
{
	(void)choice;
	return plan_affinity(p, req, e);
}

static int make_fgp(struct plan *p, const struct planner_request *req, const unsigned *choice, struct err *e)
{
	(void)choice;
	(void)e;
	plan_all_buffers(p, req, PLACE_FGP);
	return 0;
}

static int make_cgp(struct plan *p, const struct planner_request *req, const unsigned *choice, struct err *e)
{
	(void)choice;
	(void)e;
	plan_all_buffers(p, req, PLACE_PAGES);
	return 0;
}

static int make_first_touch(struct plan *p, const struct planner_request *req, const unsigned *choice, struct err *e)
{
	(void)choice;
	(void)e;
	plan_all_buffers(p, req, PLACE_FIRST_TOUCH);
	return 0;
}

static int make_xor(struct plan *p, const struct planner_request *req, const unsigned *choice, struct err *e)
{
	(void)choice;
	(void)e;
	plan_all_buffers(p, req, PLACE_XOR);
	return 0;
}

/* A contiguous part of the launch's CTAs for each module of its program, as large as its share of the SMs. */
static uint32_t *contiguous_parts(const struct planner_request *req, uint32_t launch)
{
	const struct topology_view *s = req->topology;
	struct plan_program program = plan_program_of_launch(req, launch);
	uint32_t *part = arena_array(req->arena, s->n_modules, sizeof *part), end = program.first_module + program.n_modules;
	uint64_t sms = 0, before = 0, dealt = 0, n = trace_launch(req->trace, launch)->n_ctas;

	for (uint32_t h = program.first_module; h < end; h++)
		sms += s->sms[h];
	for (uint32_t h = program.first_module; h < end; h++) {
		before += s->sms[h];
		part[h] = (uint32_t)(before * n / sms - dealt);
		dealt += part[h];
	}
	return part;
}

enum { DISTRIB_PAGE = 64 << 10 };

static int make_firsttouch_distrib(struct plan *p, const struct planner_request *req, const unsigned *choice, struct err *e)
{
	(void)choice;
	(void)e;
	plan_all_buffers(p, req, PLACE_FIRST_TOUCH);
	for (uint32_t b = 0; b < p->n_buffers; b++)
		p->buffer[b].together = DISTRIB_PAGE;
	p->launch = arena_array(req->arena, p->n_launches, sizeof *p->launch);
	p->module_of_sm = req->topology->module_of_sm;
	for (uint32_t i = 0; i < p->n_launches; i++)
		p->launch[i] = (struct plan_launch){.dispatch = DISPATCH_AFFINITY, .blocks = contiguous_parts(req, i)};
	return 0;
}

/* Consecutive pages round the stacks of the program's modules. */
static int make_own_stacks(struct plan *p, const struct planner_request *req, const unsigned *choice, struct err *e)
{
	const struct topology_view *s = req->topology;

	(void)choice;
	(void)e;
	plan_all_buffers(p, req, PLACE_STATIC);
	for (uint32_t i = 0; i < p->n_buffers; i++) {
		const struct trace_buffer *t = trace_buffer(req->trace, i);
		struct plan_program program = plan_program_of_buffer(req, i);
		struct plan_buffer *b = &p->buffer[i];
		uint64_t first = t->base / s->page;

		b->n_pages = (uint32_t)((t->base + t->size - 1) / s->page - first + 1);
		b->stack = arena_array(req->arena, b->n_pages, sizeof *b->stack);
		for (uint32_t k = 0; k < b->n_pages; k++) {
			uint64_t turn = (first + k) / program.n_modules;

			b->stack[k] = (uint16_t)topology_view_stack(
				s, program.first_module + (uint32_t)((first + k) % program.n_modules), (uint32_t)turn);
		}
	}
	return 0;
}

const struct planner planner_affinity = {
	.name = "affinity",
	.summary = "CTAs go to modules in turn, in blocks that fill a module (CODA, Equation 1); the machine places the pages",
	.slots = SLOT_CTAS,
	.among_modules = true,
	.make = make_affinity,
};
const struct planner planner_fgp_only = {
	.name = "fgp-only",
	.summary = "every page is spread over all stacks",
	.slots = SLOT_PAGES,
	.make = make_fgp,
};
const struct planner planner_cgp_only = {
	.name = "cgp-only",
	.summary = "consecutive pages go to consecutive stacks",
	.slots = SLOT_PAGES,
	.make = make_cgp,
};
const struct planner planner_first_touch = {
	.name = "first-touch",
	.summary = "a page goes to the stack of the SM that accesses it first",
	.slots = SLOT_PAGES,
	.make = make_first_touch,
};
const struct planner planner_own_stacks = {
	.name = "own-stacks",
	.summary = "pages of each program of a mix go to the stacks of its own modules in turn (CODA, section 6.5)",
	.slots = SLOT_PAGES,
	.make = make_own_stacks,
};
const struct planner planner_firsttouch_distrib = {
	.name = "firsttouch-distrib",
	.summary =
		"one contiguous part of the grid per module, 64 KB blocks in the module of their first access (FirstTouch-Distrib)",
	.slots = SLOT_PAGES | SLOT_CTAS,
	.among_modules = true,
	.make = make_firsttouch_distrib,
};
const struct planner planner_xor_hash = {
	.name = "xor-hash",
	.summary = "a hash of the address spreads data over all stacks, 256 bytes at a time",
	.slots = SLOT_PAGES,
	.make = make_xor,
};
