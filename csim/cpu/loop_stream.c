#include "cpu/loop_stream.h"

void loop_stream_init(struct loop_stream *l, const struct machine *m, struct stream_steps from)
{
	*l = (struct loop_stream){.from = from, .line_shift = (uint32_t)__builtin_ctz(m->host.line)};
}

/* ---- a list ---- */

static void list_begin(void *ctx)
{
	((struct stream_step_list *)ctx)->at = 0;
}

static bool list_next(void *ctx, struct stream_step *out)
{
	struct stream_step_list *l = ctx;

	if (l->at == l->n)
		return false;
	*out = l->step[l->at++];
	return true;
}

struct stream_steps stream_steps_of_list(struct stream_step_list *l)
{
	return (struct stream_steps){l, list_begin, list_next};
}

/* ---- instructions ---- */

static int begin(void *ctx, uint32_t launch, uint32_t piece, struct err *e)
{
	struct loop_stream *l = ctx;

	(void)launch;
	(void)piece;
	(void)e;
	l->from.begin(l->from.ctx);
	l->held = false;
	l->accesses = 0;
	return 0;
}

static void depend(struct cpu_inst *out, uint64_t number, uint64_t on)
{
	uint64_t back = number - on;

	if (back <= UINT32_MAX)
		out->back[out->n_back++] = (uint32_t)back;
}

static void give_plain(struct loop_stream *l, struct cpu_inst *out)
{
	out->kind = CPU_COMPUTE;
	out->latency = 1;
	if (l->counter)
		depend(out, l->number, l->counter - 1);
	if (l->done == 0)
		l->counter = l->number + 1;
}

static void give_access(struct loop_stream *l, struct cpu_inst *out)
{
	const struct stream_step *s = &l->step;

	out->kind = s->store ? CPU_STORE : CPU_LOAD;
	cpu_inst_touch(out, s->addr, s->bytes, l->line_shift);
	if (s->plain)
		depend(out, l->number, l->counter - 1);
	if (s->source && s->source <= LOOP_STREAM_REACH && s->source <= l->accesses)
		depend(out, l->number, l->access[(l->accesses - s->source) % LOOP_STREAM_REACH]);
	l->access[l->accesses++ % LOOP_STREAM_REACH] = l->number;
}

static void give_fence(struct cpu_inst *out)
{
	out->kind = CPU_FENCE;
	out->latency = 1;
}

static void give_use(struct loop_stream *l, struct cpu_inst *out, uint32_t k)
{
	out->kind = CPU_COMPUTE;
	out->latency = 1;
	depend(out, l->number, l->access[(l->accesses - 1) % LOOP_STREAM_REACH]);
	if (l->use[k])
		depend(out, l->number, l->use[k] - 1);
	l->use[k] = l->number + 1;
}

static bool next(void *ctx, struct cpu_inst *out)
{
	struct loop_stream *l = ctx;
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

struct cpu_feed loop_stream_feed(struct loop_stream *l)
{
	return (struct cpu_feed){l, begin, next};
}
