/* Options that are a number, a word or a few of them. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "machine/gpgpusim/import_impl.h"

int take_number(struct gpgpusim_import *i, const struct gpgpusim_rule *r, const struct gpgpusim_option *o, struct err *e)
{
	uint64_t v;

	return import_number(o, o->value, &v, e) || import_set_number(i, o, r->keys, v, e);
}

int take_first(struct gpgpusim_import *i, const struct gpgpusim_rule *r, const struct gpgpusim_option *o, struct err *e)
{
	char *field[GPGPUSIM_MAX_FIELDS];
	uint64_t v;
	unsigned n;

	if (import_split(i, o, o->value, ":", field, &n, e) || import_number(o, field[0], &v, e))
		return -1;
	if (n > 1)
		import_note(i, o, r->why);
	return import_set_number(i, o, r->keys, v, e);
}

int take_product(struct gpgpusim_import *i, const struct gpgpusim_rule *r, const struct gpgpusim_option *o, struct err *e)
{
	const char *blank = strchr(r->keys, ' ');
	const struct gpgpusim_option *other = import_option(i, blank + 1);
	char key[64];
	uint64_t a, b;

	snprintf(key, sizeof key, "%.*s", (int)(blank - r->keys), r->keys);
	if (import_number(o, o->value, &a, e) || import_number(other, other->value, &b, e) ||
	    import_set_number(i, o, key, a * b, e))
		return -1;
	import_also(i, key, other);
	return 0;
}

int take_part(struct gpgpusim_import *i, const struct gpgpusim_rule *r, const struct gpgpusim_option *o, struct err *e)
{
	(void)e;
	if (!import_option(i, r->keys))
		import_note(i, o, arena_printf(&i->text, "means nothing without %s", r->keys));
	return 0;
}

/* The word of ours in "KEY THEIRS=OURS ..."; NULL: none. any: it stands for all of theirs. */
static const char *ours(struct gpgpusim_import *i, const char *pairs, const char *theirs, bool *any)
{
	size_t n = strlen(theirs);

	while ((pairs = strchr(pairs, ' '))) {
		const char *equals = strchr(++pairs, '=');

		*any = *pairs == '*';
		if (*any || ((size_t)(equals - pairs) == n && !strncmp(pairs, theirs, n)))
			return arena_printf(&i->text, "%.*s", (int)strcspn(equals + 1, " "), equals + 1);
	}
	return NULL;
}

int take_choice(struct gpgpusim_import *i, const struct gpgpusim_rule *r, const struct gpgpusim_option *o, struct err *e)
{
	bool any = false;
	const char *word = ours(i, r->keys, o->value, &any);
	char key[64];

	if (r->same && !strcmp(o->value, r->same))
		return 0;
	if (!word || any)
		import_note(i, o, r->why);
	snprintf(key, sizeof key, "%.*s", (int)strcspn(r->keys, " "), r->keys);
	return word ? import_set(i, o, key, word, e) : 0;
}

/* "3500.5" rounded. */
static int clock_mhz(struct gpgpusim_import *i, const struct gpgpusim_option *o, const char *text, uint64_t *mhz, struct err *e)
{
	size_t digits = strspn(text, "0123456789"), more = text[digits] == '.' ? 1 + strspn(text + digits + 1, "0123456789") : 0;
	double v;

	if (!digits || digits > 9 || text[digits + more])
		return import_wrong(o, e, "\"%.40s\" is not a number of MHz", text);
	v = strtod(text, NULL);
	*mhz = (uint64_t)(v + 0.5);
	if ((double)*mhz < v || (double)*mhz > v)
		import_note(i, o, "clocks are whole numbers of MHz: rounded");
	return 0;
}

int take_clocks(struct gpgpusim_import *i, const struct gpgpusim_rule *r, const struct gpgpusim_option *o, struct err *e)
{
	char *field[GPGPUSIM_MAX_FIELDS], *key[GPGPUSIM_MAX_FIELDS];
	unsigned n, n_keys;
	uint64_t mhz = 0;

	if (import_split(i, o, r->keys, " ", key, &n_keys, e) || import_split(i, o, o->value, ":", field, &n, e))
		return -1;
	if (n != n_keys)
		return import_wrong(o, e, "not %u clocks with : between", n_keys);
	for (unsigned k = 0; k < n; k++)
		if (clock_mhz(i, o, field[k], &mhz, e) || import_set_number(i, o, key[k], mhz, e))
			return -1;
	return 0;
}

int take_operations(struct gpgpusim_import *i, const struct gpgpusim_rule *r, const struct gpgpusim_option *o, struct err *e)
{
	char *field[GPGPUSIM_MAX_FIELDS], list[80] = "";
	unsigned n;
	uint64_t v;

	if (import_split(i, o, o->value, ",", field, &n, e))
		return -1;
	if (n < 5)
		return import_wrong(o, e, "not five numbers with commas between: add, max, mul, mad, div");
	for (unsigned k = 0; k < 5; k++) {
		size_t at = strlen(list);

		if (import_number(o, field[k], &v, e))
			return -1;
		snprintf(list + at, sizeof list - at, "%s%u", k ? "," : "", (unsigned)v);
	}
	if (n > 5)
		import_note(i, o, r->why);
	return import_set(i, o, r->keys, list, e);
}

int take_pipeline(struct gpgpusim_import *i, const struct gpgpusim_rule *r, const struct gpgpusim_option *o, struct err *e)
{
	char *field[GPGPUSIM_MAX_FIELDS];
	uint64_t threads, warp;
	unsigned n;

	(void)r;
	if (import_split(i, o, o->value, ":", field, &n, e))
		return -1;
	if (n != 2)
		return import_wrong(o, e, "not THREADS:WARP-SIZE");
	if (import_number(o, field[0], &threads, e) || import_number(o, field[1], &warp, e))
		return -1;
	if (warp != 32 || threads % 32)
		return import_wrong(o, e, "a warp has 32 threads here, and an SM a whole number of warps");
	return import_set_number(i, o, "sm.threads", threads, e) || import_set_number(i, o, "sm.warps", threads / 32, e);
}

int take_capability(struct gpgpusim_import *i, const struct gpgpusim_rule *r, const struct gpgpusim_option *o, struct err *e)
{
	const struct gpgpusim_option *minor = import_option(i, r->keys);
	uint64_t a, b;

	if (import_number(o, o->value, &a, e) || import_number(minor, minor->value, &b, e))
		return -1;
	if (b > 9)
		return import_wrong(minor, e, "a minor number has one digit");
	if (import_set_number(i, o, "device.capability", 10 * a + b, e))
		return -1;
	import_also(i, "device.capability", minor);
	return 0;
}

enum { COLLECTOR_CYCLES = 4 /* of a pipeline's depth (docs/explanation/sm.md) */ };

/* Whether an option has that value. */
static bool is(const struct gpgpusim_import *i, const char *option, const char *value)
{
	const struct gpgpusim_option *o = import_option(i, option);

	return o && !strcmp(o->value, value);
}

int take_collectors(struct gpgpusim_import *i, const struct gpgpusim_rule *r, const struct gpgpusim_option *o, struct err *e)
{
	if (is(i, "-gpgpu_enable_specialized_operand_collector", "0")) {
		if (!strcmp(r->keys, "operands.banks"))
			return import_set(i, import_option(i, "-gpgpu_enable_specialized_operand_collector"), r->keys, "0", e);
		import_note(i, o, "not there with -gpgpu_enable_specialized_operand_collector 0");
		return 0;
	}
	if (i->m.pipe.depth < COLLECTOR_CYCLES) {
		import_note(i, o, "not without a base whose pipe.depth has the four cycles of collectors");
		return 0;
	}
	return take_number(i, r, o, e);
}

int take_crossbar(struct gpgpusim_import *i, const struct gpgpusim_rule *r, const struct gpgpusim_option *o, struct err *e)
{
	const char *mode = strchr(r->keys, ' ');
	struct gpgpusim_rule of_key = *r;

	of_key.keys = mode + 1;
	if (strncmp(import_option(i, "-network_mode")->value, r->keys, (size_t)(mode - r->keys)) != 0) {
		import_note(i, o,
			    arena_printf(&i->text, "means nothing without -network_mode %.*s", (int)(mode - r->keys), r->keys));
		return 0;
	}
	return take_number(i, &of_key, o, e);
}
