/* The calls of the API and what they refuse. */
#include "taf/taf.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "taf/taf_memory.h"

void taf_free(struct taf *t)
{
	taf_stores_free(&t->stores);
	free(t->call);
	*t = (struct taf){0};
}

static void append(struct taf *t, enum taf_op op, uint32_t entry)
{
	if (t->n_calls == t->cap_calls) {
		t->cap_calls = t->cap_calls ? 2 * t->cap_calls : 16;
		t->call = xrealloc(t->call, t->cap_calls * sizeof *t->call);
	}
	t->call[t->n_calls] = (struct taf_call){.op = op, .entry = entry, .store = t->stores.n};
	if (op != TAF_SETUP)
		t->call[t->n_calls].array = t->array[entry];
	t->n_calls++;
}

/* ---- taf_paramSetup ---- */

/* The product, or 0 if it is 0 or 2^31 and more. */
static uint32_t product(const uint32_t d[3])
{
	uint64_t n = 1;

	for (int i = 0; i < 3; i++) {
		n *= d[i];
		if (n > INT32_MAX)
			return 0;
	}
	return (uint32_t)n;
}

static uint32_t sets(const struct taf *t)
{
	uint32_t group = t->o.group ? t->o.group : 1;

	return t->o.modules ? t->o.modules : t->n_ctas / group + (t->n_ctas % group != 0);
}

static int check_options(const struct taf_options *o, struct err *e)
{
	if (o->extents > TAF_MAX_EXTENTS)
		return err_set(e, "taf_paramSetup: %u extents a CTA: at most %u", o->extents, TAF_MAX_EXTENTS);
	if (o->modules && o->group > 1)
		return err_set(e, "taf_paramSetup: extents are kept by groups of CTAs or by modules, not both");
	for (uint32_t i = 0; o->module_of_sm && i < o->sms; i++)
		if (o->module_of_sm[i] >= o->modules)
			return err_set(e, "taf_paramSetup: SM %u belongs to module %u of %u", i, o->module_of_sm[i], o->modules);
	return 0;
}

int taf_setup(struct taf *t, const uint32_t block[3], const uint32_t grid[3], struct err *e)
{
	uint32_t ctas = product(grid), threads = product(block);

	if (check_options(&t->o, e))
		return -1;
	if (t->n_ctas)
		return err_set(e, "taf_paramSetup: called twice");
	if (!ctas)
		return err_set(e, "taf_paramSetup: a grid of %ux%ux%u: 1 to 2^31 - 1 CTAs", grid[0], grid[1], grid[2]);
	if (!threads || threads > 1024)
		return err_set(e, "taf_paramSetup: a block of %ux%ux%u: 1 to 1024 threads", block[0], block[1], block[2]);
	memcpy(t->grid, grid, sizeof t->grid);
	memcpy(t->block, block, sizeof t->block);
	t->n_ctas = ctas;
	t->n_sets = sets(t);
	t->in_order = true;
	for (uint32_t i = 1; t->o.module_of_sm && i < t->o.sms; i++)
		t->in_order &= t->o.module_of_sm[i] >= t->o.module_of_sm[i - 1];
	t->bytes = taf_tables_begin();
	append(t, TAF_SETUP, 0);
	return 0;
}

/* ---- taf_register ---- */

static int find(const struct taf *t, uint64_t base)
{
	for (int i = 0; i < TAF_ARRAYS; i++)
		if (t->array[i].valid && t->array[i].base == base)
			return i;
	return -1;
}

bool taf_is_registered(const struct taf *t, uint64_t base)
{
	return find(t, base) >= 0;
}

static int check_range(const struct taf *t, const struct taf_array *a, struct err *e)
{
	if (a->size != 1 && a->size != 2 && a->size != 4 && a->size != 8)
		return err_set(e, "taf_register: %s: elements of %u bytes: 1, 2, 4 or 8", a->name, a->size);
	if (a->limit <= a->base || (a->limit - a->base) % a->size || taf_elements(a) > UINT32_MAX)
		return err_set(e, "taf_register: %s: an array has 1 to 2^32 - 1 elements, and ends within the address space",
			       a->name);
	if (a->base % 8)
		return err_set(e, "taf_register: %s: its address 0x%llx is not a multiple of 8", a->name,
			       (unsigned long long)a->base);
	for (int i = 0; i < TAF_ARRAYS; i++) {
		const struct taf_array *b = &t->array[i];

		if (!b->valid || b->limit <= a->base || a->limit <= b->base)
			continue;
		if (b->base != a->base)
			return err_set(e, "taf_register: %s overlaps %s, which is registered", a->name, b->name);
		if (b->limit != a->limit || b->size != a->size)
			return err_set(e, "taf_register: %s: registered before with %llu elements of %u bytes, now with %llu of %u",
				       a->name, (unsigned long long)taf_elements(b), b->size, (unsigned long long)taf_elements(a),
				       a->size);
	}
	return 0;
}

/* The entry of a primary array, or -1. */
static int find_primary(const struct taf *t, const struct taf_array *a, uint64_t base, struct err *e)
{
	int at = find(t, base);

	if (at < 0)
		return err_set(e, "taf_register: %s: its primary at 0x%llx is not registered", a->name, (unsigned long long)base);
	for (int i = at; i < TAF_ARRAYS; i++)
		if (t->array[i].valid && t->array[i].base == base && t->array[i].primary)
			return i;
	return err_set(e, "taf_register: %s: its primary %s is not registered as a primary", a->name, t->array[at].name);
}

/* Does the array at `from` depend on the one at `base`, by any of its entries? `left` bounds the way: an entry a
 * step. */
static bool depends(const struct taf *t, uint64_t from, uint64_t base, unsigned left)
{
	if (from == base || !left)
		return true;
	for (int i = 0; i < TAF_ARRAYS; i++) {
		const struct taf_array *a = &t->array[i];

		if (a->valid && a->base == from && a->type != TAF_TID_DEP &&
		    (depends(t, t->array[a->start].base, base, left - 1) || depends(t, t->array[a->end].base, base, left - 1)))
			return true;
	}
	return false;
}

static int find_primaries(const struct taf *t, struct taf_array *a, uint64_t start, uint64_t end, struct err *e)
{
	int s, n;

	if (a->type == TAF_TID_DEP)
		return 0;
	s = find_primary(t, a, start, e);
	n = s < 0 ? s : find_primary(t, a, end, e);
	if (n < 0)
		return -1;
	a->start = (uint32_t)s;
	a->end = (uint32_t)n;
	if (depends(t, start, a->base, TAF_ARRAYS))
		return err_set(e, "taf_register: %s and its primary %s would depend on each other", a->name, t->array[s].name);
	if (depends(t, end, a->base, TAF_ARRAYS))
		return err_set(e, "taf_register: %s and its primary %s would depend on each other", a->name, t->array[n].name);
	return 0;
}

/* A table for a primary array, or the one that an earlier entry of it has. */
static int give_table(struct taf *t, struct taf_array *a, struct err *e)
{
	uint64_t bytes = taf_table_bytes(t);

	a->extents = 0;
	if (!a->primary)
		return 0;
	for (int i = 0; i < TAF_ARRAYS; i++)
		if (t->array[i].valid && t->array[i].primary && t->array[i].base == a->base)
			a->extents = t->array[i].extents;
	if (a->extents)
		return 0;
	if (bytes > TAF_MAX_BYTES - t->bytes)
		return err_set(
			e, "taf_register: %s: %u extents for each of %u sets of CTAs make the extent tables larger than %llu GiB",
			a->name, taf_extents_a_set(t), t->n_sets, (unsigned long long)(TAF_MAX_BYTES >> 30));
	a->extents = TAF_BASE + t->bytes;
	t->bytes += bytes;
	return 0;
}

int taf_register(struct taf *t, const struct taf_array *from, uint64_t start, uint64_t end, struct err *e)
{
	struct taf_array a = *from;
	uint32_t entry = 0;

	if (!t->n_ctas)
		return err_set(e, "taf_register: %s: taf_paramSetup comes first", a.name);
	while (entry < TAF_ARRAYS && t->array[entry].valid)
		entry++;
	if (entry == TAF_ARRAYS)
		return err_set(e, "taf_register: %s: the directory has %u entries, and all are taken", a.name, TAF_ARRAYS);
	a.valid = true;
	a.ready = false;
	if (check_range(t, &a, e) || find_primaries(t, &a, start, end, e) || give_table(t, &a, e))
		return -1;
	t->array[entry] = a;
	append(t, TAF_REGISTER, entry);
	return 0;
}

/* ---- taf_setRdy, taf_reset ---- */

static int check_primary(const struct taf *t, const struct taf_array *a, const struct taf_array *p, struct err *e)
{
	uint64_t n = taf_elements(p), stored = taf_stores_cover(&t->stores, p->base, n, p->size);

	if (!p->ready)
		return err_set(e, "taf_setRdy: %s: its primary %s is not ready", a->name, p->name);
	if (stored < n)
		return err_set(e, "taf_setRdy: %s: its primary %s is not complete: %llu of its %llu elements were stored", a->name,
			       p->name, (unsigned long long)stored, (unsigned long long)n);
	return 0;
}

int taf_ready(struct taf *t, uint64_t base, const char *name, struct err *e)
{
	bool any = false;

	for (uint32_t i = 0; i < TAF_ARRAYS; i++) {
		struct taf_array *a = &t->array[i];

		if (!a->valid || a->base != base)
			continue;
		any = true;
		if (a->ready)
			continue;
		if (a->type != TAF_TID_DEP && (check_primary(t, a, &t->array[a->start], e) ||
					       (a->end != a->start && check_primary(t, a, &t->array[a->end], e))))
			return -1;
		a->ready = true;
		append(t, TAF_READY, i);
	}
	return any ? 0 : err_set(e, "taf_setRdy: %s is not registered", name);
}

int taf_reset_array(struct taf *t, uint64_t base, const char *name, struct err *e)
{
	bool any = false;

	for (uint32_t i = 0; i < TAF_ARRAYS; i++) {
		const struct taf_array *a = &t->array[i];

		if (a->valid && a->base != base && a->type != TAF_TID_DEP &&
		    (t->array[a->start].base == base || t->array[a->end].base == base))
			return err_set(e, "taf_reset: %s: %s has it as its primary", name, a->name);
	}
	for (uint32_t i = 0; i < TAF_ARRAYS; i++) {
		if (!t->array[i].valid || t->array[i].base != base)
			continue;
		any = true;
		append(t, TAF_RESET, i);
		t->array[i] = (struct taf_array){0};
	}
	return any ? 0 : err_set(e, "taf_reset: %s is not registered", name);
}

int taf_finish(const struct taf *t, struct err *e)
{
	for (uint64_t c = 0; c < t->n_calls; c++) {
		const struct taf_array *a = &t->call[c].array;
		const uint32_t primary[2] = {a->start, a->end};

		if (t->call[c].op != TAF_READY || a->type == TAF_TID_DEP || t->array[t->call[c].entry].base != a->base)
			continue;
		for (int i = 0; i < 2; i++) {
			const struct taf_array *p = &t->array[primary[i]];

			if (taf_stores_last(&t->stores, p->base, p->limit) > t->call[c].store)
				return err_set(e, "%s: stored into after taf_setRdy of %s, which depends on it", p->name, a->name);
		}
	}
	return 0;
}
