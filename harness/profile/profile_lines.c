#include "profile/profile_lines.h"

#include <stdlib.h>
#include <string.h>
#include <uthash.h>

#include "base/alloc.h"
#include "base/metrics.h"

struct key { /* no padding: hashed as bytes */
	uint32_t kernel, file, line, inst;
};
struct known {
	struct key key;
	uint32_t number;
	UT_hash_handle hh;
};

static struct key key_of(const struct trace_kernel *k, uint32_t kernel, uint32_t inst)
{
	const struct trace_place *at = k->lines ? &k->lines->at[inst] : NULL;

	if (at && at->line)
		return (struct key){kernel, at->file, at->line, 0};
	return (struct key){kernel, 0, 0, inst};
}

static void add(struct profile_lines *l, struct arena *a, struct known **all, struct key key, uint32_t inst, uint32_t row)
{
	struct known *k;

	HASH_FIND(hh, *all, &key, sizeof key, k);
	if (!k) {
		k = arena_alloc(a, sizeof *k);
		k->key = key;
		k->number = l->n++;
		HASH_ADD(hh, *all, key, sizeof key, k);
		l->line[k->number] = (struct profile_line){.kernel = key.kernel, .file = key.file, .line = key.line, .first = inst};
	}
	l->line_of[row] = k->number;
	l->line[k->number].n++;
	METRICS_ADD(&l->line[k->number].sum, &l->profile->row[row]);
}

void profile_lines_make(struct profile_lines *l, struct arena *a, const struct trace *t, const struct gpu_profile *p)
{
	struct known *all = NULL;

	*l = (struct profile_lines){.trace = t,
				    .profile = p,
				    .line = arena_array(a, (size_t)p->n + 1, sizeof *l->line),
				    .line_of = arena_array(a, (size_t)p->n + 1, sizeof *l->line_of)};
	for (uint32_t k = 0; k < trace_n_kernels(t); k++)
		for (uint32_t i = 0; i < trace_kernel(t, k)->n_inst; i++)
			add(l, a, &all, key_of(trace_kernel(t, k), k, i), i, p->first[k] + i);
	HASH_CLEAR(hh, all);
}

static uint64_t sum(const uint64_t cycles[STALL_COUNT])
{
	uint64_t n = 0;

	for (unsigned i = STALL_ISSUED + 1; i < STALL_COUNT; i++)
		n += cycles[i];
	return n;
}

uint64_t profile_held(const struct profile_row *r)
{
	return sum(r->holds);
}

uint64_t profile_waited(const struct profile_row *r)
{
	return sum(r->waits);
}

uint64_t profile_taken(const struct profile_row *r)
{
	return r->issued + profile_held(r);
}

enum stalls profile_main_cause(const struct profile_row *r)
{
	enum stalls most = STALL_IDLE;

	for (unsigned i = STALL_ISSUED + 1; i < STALL_COUNT; i++)
		if (r->holds[i] > r->holds[most])
			most = i;
	return most;
}

struct hot {
	uint64_t taken;
	uint32_t line;
};

static int hotter(const void *a, const void *b)
{
	const struct hot *x = a, *y = b;

	if (x->taken != y->taken)
		return x->taken > y->taken ? -1 : 1;
	return x->line < y->line ? -1 : 1;
}

uint32_t profile_hottest(const struct profile_lines *l, uint32_t *out, uint32_t most)
{
	struct hot *hot = xcalloc((size_t)l->n + 1, sizeof *hot);
	uint32_t n = 0;

	for (uint32_t i = 0; i < l->n; i++)
		hot[i] = (struct hot){profile_taken(&l->line[i].sum), i};
	qsort(hot, l->n, sizeof *hot, hotter);
	while (n < l->n && n < most && hot[n].taken) {
		out[n] = hot[n].line;
		n++;
	}
	free(hot);
	return n;
}
