#include "run/gpu_throttle.h"

#include "run/gpu_impl.h"

static bool several(const struct gpu *g)
{
	return g->config->plan && g->config->plan->n_programs > 1;
}

static uint32_t program_of(const struct gpu *g, uint32_t sm)
{
	return several(g) ? g->config->plan->program_of_sm[sm] : 0;
}

static uint32_t programs(const struct gpu *g)
{
	return several(g) ? g->config->plan->n_programs : 1;
}

static uint32_t sms_of(const struct gpu *g, uint32_t program)
{
	uint32_t n = 0;

	for (uint32_t s = 0; s < g->m->sm.count; s++)
		n += program_of(g, s) == program;
	return n;
}

uint32_t gpu_throttle_parts(const struct gpu *g)
{
	return g->throttle.on ? g->throttle.programs : 0;
}

/* Warps that a scheduler holds at most when the launch's CTAs are spread over the program's SMs. */
static uint8_t most_warps(const struct gpu *g, uint32_t launch, uint32_t sms)
{
	const struct trace_launch *l = trace_launch(g->trace, launch);
	uint32_t spread = (l->n_ctas + sms - 1) / sms, ctas = g->limit[launch] < spread ? g->limit[launch] : spread;

	return (uint8_t)((ctas * l->warps_per_cta + g->m->sm.schedulers - 1) / g->m->sm.schedulers);
}

static uint32_t first_launch(const struct gpu *g, uint32_t program)
{
	return several(g) ? g->config->plan->program[program].first_launch : 0;
}

static uint32_t n_launches(const struct gpu *g, uint32_t program)
{
	return several(g) ? g->config->plan->program[program].n_launches : trace_n_launches(g->trace);
}

/* A program's kernels get counters in the order in which they are launched first. */
static void give_slots(struct gpu *g, uint32_t program)
{
	uint32_t kernels = trace_n_kernels(g->trace), *slot_of = g->throttle.slot_of + (size_t)program * kernels, n = 0;
	uint32_t first = first_launch(g, program), end = first + n_launches(g, program), sms = sms_of(g, program);

	for (uint32_t k = 0; k < kernels; k++)
		slot_of[k] = THROTTLE_NO_SLOT;
	for (uint32_t i = first; i < end; i++) {
		uint32_t k = trace_launch(g->trace, i)->kernel;

		if (slot_of[k] == THROTTLE_NO_SLOT && n < g->m->throttle.entries)
			slot_of[k] = n++;
		g->throttle.most[i] = most_warps(g, i, sms ? sms : 1);
	}
}

void gpu_throttle_prepare(struct gpu *g)
{
	struct gpu_throttle *t = &g->throttle;
	uint32_t sms = g->m->sm.count, kernels = trace_n_kernels(g->trace);

	t->on = g->m->throttle.policy == THROTTLE_DWT_CS;
	if (!t->on)
		return;
	t->programs = programs(g);
	t->sampler = arena_array(&g->arena, sms, sizeof *t->sampler);
	t->coordinator = arena_array(&g->arena, t->programs, sizeof *t->coordinator);
	t->begin = arena_array(&g->arena, sms, sizeof *t->begin);
	t->message = arena_array(&g->arena, sms, sizeof *t->message);
	t->order = arena_array(&g->arena, sms, sizeof *t->order);
	t->most = arena_array(&g->arena, trace_n_launches(g->trace) + 1, sizeof *t->most);
	t->slot_of = arena_array(&g->arena, (size_t)t->programs * kernels + 1, sizeof *t->slot_of);
	for (uint32_t p = 0; p < t->programs; p++)
		give_slots(g, p);
}

/* ---- building ---- */

/* A kernel has one message, one order on its way at a time (machine/resolve.c); a launch begins after the SMs have
 * taken the begin of the one before. */
static void build_queues(struct gpu *g, uint32_t sm, struct queue_end own, struct queue_end dispatch, struct queue_end coordinator)
{
	struct gpu_throttle *t = &g->throttle;
	struct ticks cycle = ticks_of(1, g->m->clock.period[CLOCK_CORE]);

	queue_init(&t->begin[sm], &g->arena, 4, cycle);
	queue_init(&t->message[sm], &g->arena, g->m->throttle.entries + 1, cycle);
	queue_init(&t->order[sm], &g->arena, g->m->throttle.entries + 1, cycle);
	queue_ring_join(&t->begin[sm].ring, dispatch, own);
	queue_ring_join(&t->order[sm].ring, coordinator, own);
	queue_ring_join(&t->message[sm].ring, own, coordinator);
}

static struct ticks step_coordinator(void *part, struct ticks now)
{
	return coordinator_step(part, now);
}

static int build_coordinator(struct gpu *g, uint32_t program, const struct queue_end *sm, struct queue_end dispatch,
			     const struct hw_binder *binder, struct err *e)
{
	struct gpu_throttle *t = &g->throttle;
	uint32_t sms = sms_of(g, program), n = 0;
	struct coordinator_config c = {.machine = g->m,
				       .owner = several(g) ? arena_printf(&g->arena, "throttle.%u", program) : "throttle",
				       .sms = sms,
				       .in = arena_array(&g->arena, sms + 1, sizeof(struct throttle_message_queue *)),
				       .out = arena_array(&g->arena, sms + 1, sizeof(struct throttle_order_queue *)),
				       .binder = binder};
	struct queue_end own = loop_add(&g->loop, 0, step_coordinator, &t->coordinator[program], "throttle coordinator");

	for (uint32_t s = 0; s < g->m->sm.count; s++) {
		if (program_of(g, s) != program)
			continue;
		build_queues(g, s, sm[s], dispatch, own);
		c.in[n] = &t->message[s];
		c.out[n++] = &t->order[s];
	}
	return coordinator_init(&t->coordinator[program], &c, e);
}

int gpu_throttle_build(struct gpu *g, const struct queue_end *sm, struct queue_end dispatch, const struct hw_binder *binder,
		       struct err *e)
{
	struct gpu_throttle *t = &g->throttle;

	if (!t->on)
		return 0;
	for (uint32_t p = 0; p < t->programs; p++)
		if (build_coordinator(g, p, sm, dispatch, binder, e) != 0)
			return -1;
	for (uint32_t s = 0; s < g->m->sm.count; s++) {
		const struct sampler_config c = {.machine = g->m,
						 .sm = &g->sm[s],
						 .slot_of = &t->slot_of[program_of(g, s) * trace_n_kernels(g->trace)],
						 .begin = &t->begin[s],
						 .out = &t->message[s],
						 .orders = &t->order[s],
						 .binder = binder};

		if (sampler_init(&t->sampler[s], &c, e) != 0)
			return -1;
	}
	return 0;
}
