/* The accesses that order a launch's warps: each launch of a trace has a table of its own, or none. */
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "trace/trace_impl.h"

static void *copy_of(const void *from, size_t n, size_t size)
{
	void *to = xcalloc(n + 1, size); /* never an empty array */

	if (n)
		memcpy(to, from, n * size);
	return to;
}

struct trace_sync *trace_sync_copy(const struct trace_sync *s, uint32_t n_ctas)
{
	struct trace_sync *to = xmalloc(sizeof *to);

	*to = *s;
	to->word = copy_of(s->word, s->n_words, sizeof *s->word);
	to->item = copy_of(s->item, s->n_items, sizeof *s->item);
	to->tail = copy_of(s->tail, s->n_tails, sizeof *s->tail);
	to->access = copy_of(s->access, s->n_accesses, sizeof *s->access);
	to->first_access = copy_of(s->first_access, (size_t)n_ctas + 1, sizeof *s->first_access);
	return to;
}

void trace_sync_free(struct trace_sync *s)
{
	if (!s)
		return;
	free(s->word);
	free(s->item);
	free(s->tail);
	free(s->access);
	free(s->first_access);
	free(s);
}

const struct trace_sync *trace_sync(const struct trace *t, uint32_t i)
{
	return t->sync[i];
}
