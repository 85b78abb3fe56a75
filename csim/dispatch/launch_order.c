#include "dispatch/launch_order.h"

#include <stdlib.h>

#include "base/panic.h"

#define NONE UINT32_MAX

static void add_edge(struct launch_order *o, uint32_t *head, uint32_t waiter, uint32_t *n)
{
	o->edge[*n] = (struct launch_order_edge){waiter, *head};
	*head = (*n)++;
	o->waits[waiter]++;
}

static void release(struct launch_order *o, uint32_t head)
{
	for (uint32_t e = head; e != NONE; e = o->edge[e].next)
		if (--o->waits[o->edge[e].waiter] == 0)
			o->ready[o->n_ready++] = o->edge[e].waiter;
}

static uint64_t count_edges(const struct trace *t)
{
	uint64_t n = trace_n_launches(t);

	for (uint32_t i = 0; i < trace_n_launches(t); i++)
		n += trace_launch(t, i)->n_waits;
	return n;
}

void launch_order_init(struct launch_order *o, struct arena *a, const struct trace *t)
{
	uint32_t n = trace_n_launches(t), edges = 0;

	PANIC_UNLESS(count_edges(t) < NONE, "launch order", 0);
	*o = (struct launch_order){.trace = t, .n = n};
	o->ended = arena_array(a, n, sizeof *o->ended);
	o->waits = arena_array(a, n, sizeof *o->waits);
	o->waiting = arena_array(a, n, sizeof *o->waiting);
	o->at_number = arena_array(a, (size_t)n + 1, sizeof *o->at_number);
	o->edge = arena_array(a, count_edges(t), sizeof *o->edge);
	o->ready = arena_array(a, n, sizeof *o->ready);
	for (uint32_t i = 0; i <= n; i++)
		o->at_number[i] = NONE;
	for (uint32_t i = 0; i < n; i++)
		o->waiting[i] = NONE;
	for (uint32_t i = 0; i < n; i++) {
		const struct trace_launch *l = trace_launch(t, i);

		add_edge(o, &o->at_number[l->below], i, &edges);
		for (uint32_t w = 0; w < l->n_waits; w++)
			add_edge(o, &o->waiting[trace_waits(t, l)[w]], i, &edges);
	}
	release(o, o->at_number[0]);
}

void launch_order_end(struct launch_order *o, uint32_t launch)
{
	PANIC_UNLESS(launch < o->n && !o->ended[launch], "launch order", launch);
	o->ended[launch] = true;
	release(o, o->waiting[launch]);
	while (o->below < o->n && o->ended[o->below])
		release(o, o->at_number[++o->below]);
}

static int by_number(const void *a, const void *b)
{
	const uint32_t *x = a, *y = b;

	return (*x > *y) - (*x < *y);
}

uint32_t launch_order_begin(struct launch_order *o)
{
	if (o->sorted < o->n_ready)
		qsort(o->ready + o->sorted, o->n_ready - o->sorted, sizeof *o->ready, by_number);
	o->sorted = o->n_ready;
	return o->begun < o->n_ready ? o->ready[o->begun++] : NONE;
}
