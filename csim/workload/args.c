/* The options of a workload: --arg key=value and --size. */
#include "workload/program_impl.h"

#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/suggestion.h"
#include "base/number.h"

int host_args_init(struct host *h, const struct host_options *o, struct err *e)
{
	static const char *const names[] = {"test", "default", "paper"};
	unsigned size = SIZE_DEFAULT;

	if (o->size) {
		for (size = 0; size < 3 && strcmp(o->size, names[size]); size++)
			;
		if (size == 3)
			return err_set(e, "--size %s: must be test, default or paper", o->size);
	}
	h->size = (enum host_size)size;
	h->option = arena_array(&h->arena, o->n_args + 1u, sizeof *h->option);
	for (unsigned i = 0; i < o->n_args; i++) {
		char *key = arena_strdup(&h->arena, o->args[i]), *equals = strchr(key, '=');

		if (!equals || equals == key)
			return err_set(e, "--arg %s: must have the form key=value", o->args[i]);
		*equals = '\0';
		h->option[h->n_options++] = (struct host_option){key, equals + 1, false};
	}
	return 0;
}

enum host_size host_size(const struct host *h)
{
	return h->size;
}

/* The user's value for `key`, or NULL. */
static const char *look_up(struct host *h, const char *key)
{
	const char *value = NULL;

	if (h->n_asked == h->cap_asked) {
		h->cap_asked = h->cap_asked ? 2 * h->cap_asked : 8;
		h->asked = xrealloc(h->asked, h->cap_asked * sizeof *h->asked);
	}
	h->asked[h->n_asked++] = key;
	for (unsigned i = 0; i < h->n_options; i++) {
		if (strcmp(h->option[i].key, key))
			continue;
		h->option[i].asked = true;
		value = h->option[i].value;
	}
	return value;
}

const char *host_arg_text(struct host *h, const char *key, const char *dflt)
{
	const char *value = look_up(h, key);

	return value ? value : dflt;
}

static const char *number_text(struct host *h, uint32_t v)
{
	if (v && v % (1u << 20) == 0)
		return arena_printf(&h->arena, "%uM", v >> 20);
	if (v && v % (1u << 10) == 0)
		return arena_printf(&h->arena, "%uK", v >> 10);
	return arena_printf(&h->arena, "%u", v);
}

int host_arg_u32(struct host *h, const char *key, uint32_t test, uint32_t dflt, uint32_t paper, uint32_t min, uint32_t max,
		 uint32_t *out, struct err *e)
{
	const char *text = look_up(h, key);
	uint64_t v = h->size == SIZE_TEST ? test : h->size == SIZE_PAPER ? paper : dflt;

	if (text) {
		if (number_parse_u64(text, &v))
			return err_set(e, "--arg %s=%s: not a whole number " NUMBER_FORM, key, text);
		if (v < min || v > max)
			return err_set(e, "--arg %s=%s: must be %s to %s", key, text, number_text(h, min), number_text(h, max));
	}
	*out = (uint32_t)v;
	return 0;
}

int host_arg_multiple(struct host *h, const char *key, uint32_t test, uint32_t dflt, uint32_t paper, uint32_t unit, uint32_t max,
		      uint32_t *out, struct err *e)
{
	if (host_arg_u32(h, key, test, dflt, paper, unit, max, out, e))
		return -1;
	return *out % unit ? err_set(e, "--arg %s=%u: must be a multiple of %u", key, *out, unit) : 0;
}

int host_arg_choice(struct host *h, const char *key, const char *const *choices, unsigned *out, struct err *e)
{
	const char *text = host_arg_text(h, key, choices[0]), *list = choices[0];

	for (*out = 0; choices[*out]; ++*out)
		if (!strcmp(choices[*out], text))
			return 0;
	for (unsigned i = 1; choices[i]; i++)
		list = arena_printf(&h->arena, "%s, %s", list, choices[i]);
	return err_set(e, "--arg %s=%s: must be one of %s", key, text, list);
}

int host_args_done(struct host *h, struct err *e)
{
	const char *known = "it has none";
	struct suggestion n;
	char hint[160];

	h->args_done = true;
	for (unsigned i = 0; i < h->n_options; i++) {
		if (h->option[i].asked)
			continue;
		n = (struct suggestion){.typed = h->option[i].key};
		for (unsigned k = 0; k < h->n_asked; k++)
			suggestion_offer(&n, h->asked[k]);
		for (unsigned k = 0; k < h->n_asked; k++)
			known = k ? arena_printf(&h->arena, "%s, %s", known, h->asked[k])
				  : arena_printf(&h->arena, "its options are %s", h->asked[k]);
		return err_set(e, "--arg %s=%s: the workload has no such option%s; %s", h->option[i].key, h->option[i].value,
			       suggestion_text(&n, hint), known);
	}
	return 0;
}
