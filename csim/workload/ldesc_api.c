#include "workload/ldesc_api.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "workload/program_impl.h"

/* A kernel's descriptors, in the order in which they were given. */
struct host_described {
	const char *kernel;
	uint32_t n, cap;
	struct ldesc *d;
	struct names known;	      /* structure and type of each, as text in the host's arena */
	const struct ldesc_set *kept; /* by priority, as the last launch has them; NULL: they have changed */
};

static struct host_described *described(struct host *h, const char *kernel)
{
	int i = names_find(&h->described_kernels, kernel);

	return i < 0 ? NULL : &h->described[i];
}

static struct host_described *described_or_new(struct host *h, const char *kernel)
{
	struct host_described *k = described(h, kernel);

	if (k)
		return k;
	h->described = xgrow(h->described, h->n_described, sizeof *h->described);
	k = &h->described[h->n_described];
	*k = (struct host_described){.kernel = arena_strdup(&h->arena, kernel)};
	names_add(&h->described_kernels, k->kernel, h->n_described++);
	return k;
}

static void drop(struct host_described *k, uint32_t i)
{
	memmove(&k->d[i], &k->d[i + 1], (--k->n - i) * sizeof *k->d);
	k->kept = NULL;
}

/* In the place of one of the same structure and type; the last one given of its priority. */
static void add(struct host *h, struct host_described *k, const struct ldesc *l)
{
	const char *key = arena_printf(&h->arena, "%llx %d", (unsigned long long)l->base, (int)l->type);
	bool fresh = names_add(&k->known, key, 0);

	for (uint32_t i = 0; !fresh && i < k->n; i++)
		if (k->d[i].base == l->base && k->d[i].type == l->type) {
			drop(k, i);
			break;
		}
	if (k->n == k->cap) {
		k->cap = k->cap ? 2 * k->cap : 8;
		k->d = xrealloc(k->d, k->cap * sizeof *k->d);
	}
	k->d[k->n++] = *l;
	k->kept = NULL;
}

static bool has_kernel(const struct host *h, const char *name)
{
	for (unsigned i = 0; i < h->n_modules; i++)
		if (ptx_kernel_named(h->module[i].ptx, name))
			return true;
	return false;
}

int ldesc_describe(struct host *h, const char *kernel, uint64_t base, const struct ldesc *l, struct err *e)
{
	int i = memory_find(&h->memory, base);
	const struct memory_buffer *b = i < 0 ? NULL : &h->memory.buffer[i];
	struct ldesc own = *l;
	struct err why = {""};

	if (!has_kernel(h, kernel))
		return err_set(e, "locality: no kernel \"%s\" in the PTX", kernel);
	if (!b)
		return err_set(e, "locality of %s: 0x%llx is in no buffer", kernel, (unsigned long long)base);
	snprintf(own.name, sizeof own.name, "%s", b->name);
	own.base = base;
	own.bytes = l->bytes ? l->bytes : b->size - (base - b->base);
	if (own.bytes > b->size - (base - b->base))
		return err_set(e, "locality of %s: %s: %llu bytes run past the buffer's end", kernel, own.name,
			       (unsigned long long)own.bytes);
	if (ldesc_check(&own, &why) != 0)
		return err_set(e, "locality of %s: %s", kernel, why.text);
	add(h, described_or_new(h, kernel), &own);
	return 0;
}

void ldesc_forget(struct host *h, const char *kernel)
{
	struct host_described *k = described(h, kernel);

	while (k && k->n)
		drop(k, k->n - 1);
	if (k)
		names_free(&k->known);
}

int ldesc_describe_all(struct host *h, const char *kernel, uint32_t n, const struct ldesc_given *given, struct err *e)
{
	ldesc_forget(h, kernel);
	for (uint32_t i = 0; i < n; i++) {
		struct ldesc l = given[i].l;

		l.priority = i + 1;
		if (ldesc_describe(h, kernel, given[i].base, &l, e) != 0)
			return -1;
	}
	return 0;
}

void host_descriptors_free(struct host *h)
{
	for (unsigned i = 0; i < h->n_described; i++) {
		names_free(&h->described[i].known);
		free(h->described[i].d);
	}
	free(h->described);
	names_free(&h->described_kernels);
}

/* ---- launches ---- */

static int by_priority(const void *x, const void *y)
{
	const struct ldesc *const *a = x, *const *b = y;

	if ((*a)->priority != (*b)->priority)
		return (*a)->priority < (*b)->priority ? -1 : 1;
	return (*a > *b) - (*a < *b); /* as they were given */
}

/* Highest priority first; of equal ones, as they were given. */
static const struct ldesc_set *keep(struct host_described *k, struct arena *a)
{
	const struct ldesc **sorted;
	struct ldesc_set *set;
	struct ldesc *d;

	if (k->kept)
		return k->kept;
	sorted = xmalloc(k->n * sizeof(const struct ldesc *));
	for (uint32_t i = 0; i < k->n; i++)
		sorted[i] = &k->d[i];
	qsort(sorted, k->n, sizeof *sorted, by_priority);
	set = arena_alloc(a, sizeof *set);
	d = arena_array(a, k->n, sizeof *d);
	for (uint32_t i = 0; i < k->n; i++)
		d[i] = *sorted[i];
	free(sorted);
	*set = (struct ldesc_set){k->n, d};
	return k->kept = set;
}

/* The launch that comes now. */
static void note(struct host *h, const struct ldesc_set *set)
{
	const struct ldesc_set **more;

	if (h->launches >= h->cap_descriptors) {
		h->cap_descriptors = 2 * h->launches + 16;
		more = arena_array(h->keep_descriptors, h->cap_descriptors, sizeof *more);
		if (h->descriptors)
			memcpy(more, h->descriptors, h->launches * sizeof *more);
		h->descriptors = more;
	}
	h->descriptors[h->launches] = set;
}

int host_descriptors_launch(struct host *h, const char *kernel, const struct ptx_launch *l, struct err *e)
{
	struct host_described *k = described(h, kernel);
	struct ldesc_launch at;
	struct err why = {""};
	bool any = k && k->n;

	memcpy(at.grid, l->grid, sizeof at.grid);
	memcpy(at.block, l->block, sizeof at.block);
	if (any && ldesc_check_all(&(struct ldesc_set){k->n, k->d}, &at, &why) != 0)
		return err_set(e, "locality of %s: %s", kernel, why.text);
	if (h->keep_descriptors && (any || h->descriptors))
		note(h, any ? keep(k, h->keep_descriptors) : NULL);
	return 0;
}

const struct ldesc_set *const *host_descriptors(const struct host *h)
{
	return h->descriptors;
}
