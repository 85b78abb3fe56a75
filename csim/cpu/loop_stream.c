#include "cpu/loop_stream.h"

void host_loop_init(struct host_loop *l, const struct machine *m, struct host_steps from)
{
	*l = (struct host_loop){.from = from, .line_shift = (uint32_t)__builtin_ctz(m->host.line)};
}

/* ---- a list ---- */

static void list_begin(void *ctx)
{
	((struct host_step_list *)ctx)->at = 0;
}

static bool list_next(void *ctx, struct host_step *out)
{
	struct host_step_list *l = ctx;

	if (l->at == l->n)
		return false;
	*out = l->step[l->at++];
	return true;
}

struct host_steps host_steps_of_list(struct host_step_list *l)
{
	return (struct host_steps){l, list_begin, list_next};
}

/* ---- instructions ---- */

static int begin(void *ctx, uint32_t launch, uint32_t piece, struct err *e)
{
	struct host_loop *l = ctx;

	(void)launch;
	(void)piece;
	(void)e;
	l->from.begin(l->from.ctx);
	l->held = false;
	l->accesses = 0;
	return 0;
}

static void depend(struct host_inst *out, uint64_t number, uint64_t on)
{
	uint64_t back = number - on;

	if (back <= UINT32_MAX)
		out->back[out->n_back++] = (uint32_t)back;
}

static void give_plain(struct host_loop *l, struct host_inst *out)
{
	out->kind = HOST_COMPUTE;
	out->latency = 1;
	if (l->counter)
		depend(out, l->number, l->counter - 1);
	if (l->done == 0)
		l->counter = l->number + 1;
}

static void give_access(struct host_loop *l, struct host_inst *out)
{
	const struct host_step *s = &l->step;

	out->kind = s->store ? HOST_STORE : HOST_LOAD;
	host_inst_touch(out, s->addr, s->bytes, l->line_shift);
	if (s->plain)
		depend(out, l->number, l->counter - 1);
	if (s->source && s->source <= HOST_LOOP_REACH && s->source <= l->accesses)
		depend(out, l->number, l->access[(l->accesses - s->source) % HOST_LOOP_REACH]);
	l->access[l->accesses++ % HOST_LOOP_REACH] = l->number;
}

static void give_fence(struct host_inst *out)
{
	out->kind = HOST_FENCE;
	out->latency = 1;
}

static void give_use(struct host_loop *l, struct host_inst *out, uint32_t k)
{
	out->kind = HOST_COMPUTE;
	out->latency = 1;
	depend(out, l->number, l->access[(l->accesses - 1) % HOST_LOOP_REACH]);
	if (l->use[k])
		depend(out, l->number, l->use[k] - 1);
	l->use[k] = l->number + 1;
}

static bool next(void *ctx, struct host_inst *out)
{
	struct host_loop *l = ctx;
	uint32_t plain;

	if (!l->held && !l->from.next(l->from.ctx, &l->step))
		return false;
	if (!l->held)
		l->done = 0;
	plain = l->step.plain;
	out->n_back = out->n_lines = 0;
	if (l->done < plain)
		give_plain(l, out);
	else if (l->done > plain)
		give_use(l, out, l->done - plain - 1);
	else if (l->step.fence)
		give_fence(out);
	else
		give_access(l, out);
	l->number++;
	l->held = ++l->done <= plain + l->step.uses;
	return true;
}

struct host_feed host_loop_feed(struct host_loop *l)
{
	return (struct host_feed){l, begin, next};
}
