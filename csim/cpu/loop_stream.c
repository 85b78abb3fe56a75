#include "cpu/loop_stream.h"

#include "base/panic.h"

static int begin(struct cpu_feed *f, uint32_t launch, uint32_t piece, struct err *e)
{
	struct loop_stream *l = (struct loop_stream *)f;

	(void)launch;
	(void)piece;
	(void)e;
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

static void compute(struct cpu_inst *out, uint32_t block)
{
	out->kind = CPU_COMPUTE;
	out->latency = 1;
	out->block = block;
}

static void issue_non_memory(struct loop_stream *l, struct cpu_inst *out, bool counts)
{
	compute(out, 1);
	if (l->counter)
		depend(out, l->number, l->counter - 1);
	if (counts)
		l->counter = l->number + 1;
}

static void issue_access(struct loop_stream *l, struct cpu_inst *out)
{
	const struct stream_step *s = &l->step;

	out->kind = s->store ? CPU_STORE : CPU_LOAD;
	out->store = (struct cpu_store){s->addr, s->value, s->bytes};
	cpu_inst_touch(out, s->addr, s->bytes, l->line_shift);
	if (s->non_memory)
		depend(out, l->number, l->counter - 1);
	if (s->value_insts)
		depend(out, l->number, l->number - s->non_memory - 1);
	if (s->source && s->source <= LOOP_STREAM_REACH && s->source <= l->accesses)
		depend(out, l->number, l->access[(l->accesses - s->source) % LOOP_STREAM_REACH]);
	l->access[l->accesses++ % LOOP_STREAM_REACH] = l->number;
}

static void issue_fence(const struct loop_stream *l, struct cpu_inst *out)
{
	out->kind = CPU_FENCE;
	out->command = l->step.command;
	out->flush = l->step.flush;
	out->latency = 1;
}

static void issue_use(struct loop_stream *l, struct cpu_inst *out, uint32_t k)
{
	compute(out, 1);
	depend(out, l->number, l->access[(l->accesses - 1) % LOOP_STREAM_REACH]);
	if (l->use[k])
		depend(out, l->number, l->use[k] - 1);
	l->use[k] = l->number + 1;
}

static bool next(struct cpu_feed *f, struct cpu_inst *out)
{
	struct loop_stream *l = (struct loop_stream *)f;
	uint32_t lead, ahead; /* the block, if there is one; and the other instructions ahead of the access */

	if (!l->held && !l->from->next(l->from, &l->step))
		return false;
	PANIC_UNLESS(l->step.uses <= LOOP_STREAM_USES && (l->step.fence || l->step.bytes), "loop_stream", l->number);
	if (!l->held)
		l->done = 0;
	lead = l->step.value_insts > 0;
	ahead = lead + l->step.non_memory;
	out->n_back = out->n_lines = 0;
	if (l->done < lead)
		compute(out, l->step.value_insts);
	else if (l->done < ahead)
		issue_non_memory(l, out, l->done == lead);
	else if (l->done > ahead)
		issue_use(l, out, l->done - ahead - 1);
	else if (l->step.fence)
		issue_fence(l, out);
	else
		issue_access(l, out);
	l->number++;
	l->held = ++l->done <= ahead + l->step.uses;
	return true;
}

void loop_stream_init(struct loop_stream *l, const struct machine *m, struct stream_steps *from)
{
	*l = (struct loop_stream){.feed = {begin, next}, .from = from, .line_shift = (uint32_t)__builtin_ctz(m->cpu.line)};
}
