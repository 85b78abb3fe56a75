/* CODA: each CTA's data in the stack beside the SMs that run it.
 *
 * CTAs go to modules in turns of N_blocks_per_stack (Equation 1). An array through which consecutive CTAs move at a
 * stride of B bytes is placed the same way: B x N_blocks_per_stack bytes a module, turn after turn (Equations 2 and 3).
 * All else is spread over all stacks. The stride comes from the PTX (plan/stride.h), from a profile of the trace, or
 * from the PTX and, where that does not say, from the profile, as the paper has it.
 *
 * The printed Equation 2 limits a chunk to 4 KB, which deals page after page round the stacks wherever the CTAs are.
 * What the text describes is chunk=exact: a page goes where its middle byte belongs, with B x N not rounded; so a page
 * at a border is shared by two consecutive stacks and nothing drifts. chunk=rounded and chunk=printed are the two other
 * readings.
 *
 * Source: CODA (Kim et al.), section 4.3; docs/studies/coda.md.
 */
#include <string.h>

#include "plan/stride.h"

enum source { SOURCE_BOTH, SOURCE_STATIC, SOURCE_PROFILE };
enum chunk { CHUNK_EXACT, CHUNK_ROUNDED, CHUNK_PRINTED };
enum { PRINTED_LIMIT = 4096 };

static const struct planner_option options[] = {
	{"source", "source of the strides", {"both", "static", "profile", NULL}},
	{"chunk", "interpretation of Equation 2", {"exact", "rounded", "printed", NULL}},
	{0},
};

/* The first launch that touches the buffer; of the same kernel one with several CTAs, as a single one has no stride. */
static uint32_t first_launch(const struct planner_request *req, uint32_t buffer)
{
	uint32_t found = UINT32_MAX;

	for (uint32_t i = 0; i < trace_n_launches(req->trace); i++) {
		const struct trace_launch *l = trace_launch(req->trace, i);
		const struct affine_launch *x = req->analysis[i];
		bool uses = false;

		if (found != UINT32_MAX && l->kernel != trace_launch(req->trace, found)->kernel)
			continue;
		for (uint32_t k = 0; k < x->n_accesses && !uses; k++)
			uses = x->access[k].at.buffer == (int32_t)buffer;
		if (uses && (found == UINT32_MAX || l->n_ctas > 1))
			found = i;
		if (uses && l->n_ctas > 1)
			break;
	}
	return found;
}

static struct stride by_analysis(const struct plan *p, const struct planner_request *req, uint32_t buffer)
{
	uint32_t launch = first_launch(req, buffer);

	if (launch == UINT32_MAX)
		return (struct stride){.verdict = STRIDE_UNUSED, .why = ""};
	if (trace_launch(req->trace, launch)->n_ctas < 2)
		return (struct stride){.verdict = STRIDE_SHARED, .why = "only one CTA uses it", .launch = launch};
	return stride_static(req, launch, buffer, p->launch[launch].blocks);
}

static uint64_t round_up(uint64_t x, uint64_t unit)
{
	return (x + unit - 1) / unit * unit;
}

/* Bytes of a module's chunk, times den. */
static uint64_t chunk_of(const struct stride *s, uint32_t blocks, enum chunk how, uint32_t page)
{
	uint64_t exact = s->num * blocks, limit;

	if (how == CHUNK_EXACT)
		return exact;
	limit = how == CHUNK_PRINTED && exact / s->den > PRINTED_LIMIT ? PRINTED_LIMIT : (exact + s->den - 1) / s->den;
	return round_up(limit, page) * s->den;
}

/* Stacks for all pages of a buffer whose CTAs move at that stride. False: a chunk is smaller than a page. */
static bool place(const struct plan *p, const struct planner_request *req, uint32_t buffer, const struct stride *s, enum chunk how)
{
	const struct trace_buffer *t = trace_buffer(req->trace, buffer);
	const uint32_t *blocks = p->launch[s->launch].blocks;
	struct plan_buffer *b = &p->buffer[buffer];
	uint64_t *bytes = arena_array(req->arena, p->n_modules, sizeof *bytes), page = req->topology->page, first = t->base / page;
	struct stride_map m = {.base = t->base, .den = s->den, .n_modules = p->n_modules, .bytes = bytes};

	for (uint32_t h = 0; h < p->n_modules; h++) {
		if (blocks[h] && s->num * blocks[h] < page * s->den)
			return false;
		bytes[h] = blocks[h] ? chunk_of(s, blocks[h], how, (uint32_t)page) : 0;
		m.turn += bytes[h];
	}
	b->placement = PLACE_STATIC;
	b->n_pages = (uint32_t)((t->base + t->size - 1) / page - first + 1);
	b->stack = arena_array(req->arena, b->n_pages, sizeof *b->stack);
	for (uint32_t i = 0; i < b->n_pages; i++) {
		uint32_t module = stride_module(&m, (first + i) * page + page / 2);

		b->stack[i] = (uint16_t)topology_view_stack(req->topology, module, i);
	}
	b->found.chunk = (double)bytes[0] / (double)s->den;
	return true;
}

static void decide(const struct plan *p, const struct planner_request *req, uint32_t buffer, const struct stride *s, enum chunk how)
{
	struct plan_buffer *b = &p->buffer[buffer];

	b->placement = PLACE_FGP;
	b->found = (struct plan_finding){.verdict = stride_verdicts[s->verdict], .why = s->why, .line = s->line};
	if (s->verdict != STRIDE_REGULAR)
		return;
	b->found.stride = (double)s->num / (double)s->den;
	if (!place(p, req, buffer, s, how))
		b->found.why = "a chunk is smaller than a page";
}

static int make(struct plan *p, const struct planner_request *req, const unsigned *choice, struct err *e)
{
	enum source source = (enum source)choice[0];
	enum chunk how = (enum chunk)choice[1];
	struct stride *profile = arena_array(req->arena, p->n_buffers, sizeof *profile), s;

	if (source == SOURCE_STATIC && !req->analysis)
		return err_set(e, "--plan %s: a recorded or imported trace has no PTX to analyse; source=profile reads the trace",
			       p->name);
	if (source == SOURCE_BOTH && !req->analysis)
		source = SOURCE_PROFILE;
	if (plan_affinity(p, req, e))
		return -1;
	plan_all_buffers(p, req, PLACE_FGP);
	if (source != SOURCE_STATIC && stride_profile(p, req, profile, e))
		return -1;
	for (uint32_t b = 0; b < p->n_buffers; b++) {
		s = source == SOURCE_PROFILE ? profile[b] : by_analysis(p, req, b);
		if (source == SOURCE_BOTH && (s.verdict == STRIDE_IRREGULAR || s.verdict == STRIDE_UNUSED))
			s = profile[b];
		decide(p, req, b, &s, how);
	}
	return 0;
}

const struct planner planner_coda = {
	.name = "coda",
	.summary = "CTAs by affinity, arrays with a stride in the stacks of their CTAs, all other pages spread over all stacks",
	.slots = SLOT_PAGES | SLOT_CTAS,
	.options = options,
	.wants_analysis = true,
	.make = make,
};
