#include "cache/l1_classes.h"

#include "cache/l1_impl.h"

static void accessed(void *ctx, uint64_t cycle, const struct l1_access *a, enum l1_result r)
{
	struct l1 *l = ctx;
	struct l1_classes *c = l->classes;
	uint64_t line = a->line >> l->line_shift;
	bool down = r == L1_MISS || r == L1_SENT;
	struct accessor who;

	(void)cycle;
	if (r >= L1_FAIL_LINE)
		return;
	who = c->accessors.of(c->accessors.ctx, a);
	if (down)
		miss_queue_newest(&l->queue)->who = who;
	if (a->kind == REQ_READ && !a->bypass)
		locality_classes_count(&c->lines, line, who, l->requester, !down);
	else if (!down) /* a local store */
		locality_classes_touch(&c->lines, line, who, l->requester);
}

void l1_classes_init(struct l1 *l, struct arena *a, const struct l1_accessors *accessors)
{
	struct l1_classes *c = arena_alloc(a, sizeof *c);

	*c = (struct l1_classes){.accessors = *accessors, .observer = {.ctx = l, .accessed = accessed}};
	locality_classes_init(&c->lines, a);
	l->classes = c;
	l1_observe(l, &c->observer);
}

struct class_counts l1_class_counts(const struct l1 *l)
{
	return l->classes ? l->classes->lines.count : (struct class_counts){0};
}

void l1_classes_propose(struct l1 *l, const struct l1_access *trigger)
{
	struct l1_classes *c = l->classes;

	c->proposal[(l->prefetch.tail - 1) % L1_PROPOSALS] = c->accessors.of(c->accessors.ctx, trigger);
}

void l1_classes_prefetch(struct l1 *l)
{
	miss_queue_newest(&l->queue)->who = l->classes->proposal[(l->prefetch.head - 1) % L1_PROPOSALS];
}

void l1_classes_write_back(struct l1 *l, uint64_t line)
{
	miss_queue_newest(&l->queue)->who = locality_classes_last(&l->classes->lines, line);
}
