/* The array that L1 and shared memory share: its size, and how much of it shared memory can have, both in KB. There the
 * L1 has as many ways as what is left has; here its keys are those beside the largest carve-out. */
#include <stdio.h>
#include <string.h>

#include "machine/gpgpusim/import_impl.h"

enum { KB = 1024 };

struct shares {
	uint64_t unified, shared[GPGPUSIM_MAX_FIELDS];
	unsigned n;
};

/* The two options that `keys` names. */
static int read_shares(struct gpgpusim_import *i, const struct gpgpusim_option *size, const struct gpgpusim_option *list,
		       struct shares *s, struct err *e)
{
	char *field[GPGPUSIM_MAX_FIELDS];

	if (import_number(size, size->value, &s->unified, e) || import_split(i, list, list->value, ",", field, &s->n, e))
		return -1;
	s->unified *= KB;
	for (unsigned k = 0; k < s->n; k++) {
		if (import_number(list, field[k], &s->shared[k], e))
			return -1;
		s->shared[k] *= KB;
	}
	return 0;
}

/* Whether the model has such an array: docs/reference/machines.md. */
static bool has_counterpart(const struct machine *m, const struct shares *s)
{
	uint64_t way = m->l1.c.bytes / m->l1.c.assoc;

	for (unsigned k = 0; k < s->n; k++)
		if ((k && s->shared[k] <= s->shared[k - 1]) || s->shared[k] >= s->unified || (s->unified - s->shared[k]) % way)
			return false;
	return m->l1.allocate == L1_ALLOCATE_ON_FILL && s->shared[s->n - 1] == m->sm.shared_bytes && s->unified < 1u << 24;
}

static int set_shares(struct gpgpusim_import *i, const struct gpgpusim_option *size, const struct gpgpusim_option *list,
		      const struct shares *s, struct err *e)
{
	uint64_t way = i->m.l1.c.bytes / i->m.l1.c.assoc, l1 = s->unified - s->shared[s->n - 1];
	char text[GPGPUSIM_MAX_FIELDS * 12] = "";

	for (unsigned k = 0; k < s->n; k++) {
		size_t at = strlen(text);

		snprintf(text + at, sizeof text - at, "%s%u", k ? "," : "", (unsigned)s->shared[k]);
	}
	if (import_set_number(i, size, "sm.unified_bytes", s->unified, e) || import_set(i, list, "sm.carveouts", text, e))
		return -1;
	return import_set_number(i, size, "l1.bytes", l1, e) || import_set_number(i, size, "l1.assoc", l1 / way, e);
}

int take_unified(struct gpgpusim_import *i, const struct gpgpusim_rule *r, const struct gpgpusim_option *o, struct err *e)
{
	const char *blank = strchr(r->keys, ' ');
	const struct gpgpusim_option *size = import_option(i, arena_printf(&i->text, "%.*s", (int)(blank - r->keys), r->keys));
	const struct gpgpusim_option *list = import_option(i, blank + 1);
	struct shares s = {0};

	if (!strcmp(o->value, "0"))
		return 0;
	if (!size || !list) {
		import_note(i, o, "means nothing without -gpgpu_unified_l1d_size and -gpgpu_shmem_option");
		return 0;
	}
	if (read_shares(i, size, list, &s, e))
		return -1;
	if (!has_counterpart(&i->m, &s)) {
		import_note(i, o, r->why);
		return 0;
	}
	return set_shares(i, size, list, &s, e);
}
