#include "core/host_loop.h"

void host_loop_init(struct host_loop *l, const struct machine *m, const struct host_step *step, uint64_t n)
{
	*l = (struct host_loop){.step = step, .n = n, .line_shift = (uint32_t)__builtin_ctz(m->host.line)};
}

static int begin(void *ctx, uint32_t launch, uint32_t piece, struct err *e)
{
	struct host_loop *l = ctx;

	(void)launch;
	(void)piece;
	(void)e;
	l->at = 0;
	l->plain_done = 0;
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
	if (l->plain_done++ == 0)
		l->counter = l->number + 1;
}

static void give_access(struct host_loop *l, struct host_inst *out)
{
	const struct host_step *s = &l->step[l->at];

	out->kind = s->store ? HOST_STORE : HOST_LOAD;
	host_inst_touch(out, s->addr, s->bytes, l->line_shift);
	if (s->plain)
		depend(out, l->number, l->counter - 1);
	if (s->source && s->source <= HOST_LOOP_REACH && s->source <= l->at)
		depend(out, l->number, l->access[(l->at - s->source) % HOST_LOOP_REACH]);
	l->access[l->at % HOST_LOOP_REACH] = l->number;
	l->at++;
	l->plain_done = 0;
}

static bool next(void *ctx, struct host_inst *out)
{
	struct host_loop *l = ctx;

	if (l->at == l->n)
		return false;
	out->n_back = out->n_lines = 0;
	if (l->plain_done < l->step[l->at].plain)
		give_plain(l, out);
	else
		give_access(l, out);
	l->number++;
	return true;
}

struct host_feed host_loop_feed(struct host_loop *l)
{
	return (struct host_feed){l, begin, next};
}

struct host_step *host_loop_of_stores(struct arena *a, const struct trace *t, uint32_t launch, uint16_t plain, uint64_t *n)
{
	uint64_t all = trace_n_stores(t), first = 0, end;
	struct host_step *step;

	while (first < all && trace_store(t, first)->before_launch < launch)
		first++;
	for (end = first; end < all && trace_store(t, end)->before_launch == launch;)
		end++;
	*n = end - first;
	step = arena_array(a, *n, sizeof *step);
	for (uint64_t i = 0; i < *n; i++) {
		const struct trace_store *s = trace_store(t, first + i);

		step[i] = (struct host_step){.addr = s->addr, .bytes = s->bytes, .plain = plain, .store = true};
	}
	return step;
}
