#include "sweep/settings.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/files/root.h"
#include "base/number.h"
#include "machine/schema.h"
#include "plan/planner.h"
#include "sweep/pool.h"
#include "tracking/phase.h"
#include "workload/papers_names.h"
#include "workload/program.h"

/* words: of a value, with a bar between them; NULL: any. number: a whole one from 1 on. */
static const struct option {
	const char *name;
	enum setting_kind kind;
	const char *words;
	bool number, machines;
} options[] = {
	{"workload", SETTING_WORKLOAD, NULL, false, false},
	{"machine", SETTING_MACHINE, NULL, false, true},
	{"size", SETTING_OPTION, "test|default|paper", false, false},
	{"l1-index", SETTING_OPTION, NULL, false, true},
	{"l2-index", SETTING_OPTION, NULL, false, true},
	{"scheduler", SETTING_OPTION, "gto|gty|lrr", false, true},
	{"throttle", SETTING_OPTION, NULL, false, true},
	{"l1-bypass", SETTING_OPTION, NULL, false, true},
	{"l2-bypass", SETTING_OPTION, NULL, false, true},
	{"l1-front", SETTING_OPTION, NULL, false, true},
	{"l1-pin", SETTING_OPTION, NULL, false, true},
	{"l1-prefetch", SETTING_OPTION, NULL, false, true},
	{"plan", SETTING_OPTION, NULL, false, false},
	{"tracker", SETTING_OPTION, "hw|sw-cpu|sw-gpu|none", false, false},
	{"on", SETTING_OPTION, "gpu|cpu", false, false},
	{"oob", SETTING_OPTION, "stop|warn|zero", false, false},
	{"max-cycles", SETTING_OPTION, NULL, true, false},
	{"max-insts", SETTING_OPTION, NULL, true, false},
	{"max-thread-insts", SETTING_OPTION, NULL, true, false},
	{"max-unpacked", SETTING_OPTION, NULL, true, false},
	{"no-skip", SETTING_FLAG, "true|false", false, false},
	{"init-traffic", SETTING_FLAG, "true|false", false, false},
	{"working-set", SETTING_FLAG, "true|false", false, false},
	{"locality-classes", SETTING_FLAG, "true|false", false, false},
	{"report-data", SETTING_FLAG, "true|false", false, false},
};
enum { N_OPTIONS = sizeof options / sizeof options[0], ORDER_ARGS = N_OPTIONS + MACHINE_MAX_KEYS };
#define ARG "arg."

bool setting_find(const char *name, struct setting *s)
{
	const struct schema_key *key = schema_find(name);

	for (unsigned i = 0; i < N_OPTIONS; i++)
		if (!strcmp(options[i].name, name)) {
			*s = (struct setting){options[i].kind, i, options[i].name, NULL};
			return true;
		}
	if (key)
		*s = (struct setting){SETTING_KEY, N_OPTIONS + (unsigned)(key - schema_keys), key->name, NULL};
	else if (!strcmp(name, "seed"))
		*s = (struct setting){SETTING_ARG, ORDER_ARGS, name, NULL};
	else if (!strncmp(name, ARG, strlen(ARG)) && name[strlen(ARG)] && !strchr(name, '='))
		*s = (struct setting){SETTING_ARG, ORDER_ARGS, name + strlen(ARG), NULL};
	else
		return false;
	return true;
}

void setting_suggest(struct suggestion *n)
{
	for (unsigned i = 0; i < N_OPTIONS; i++)
		suggestion_offer(n, options[i].name);
	for (const struct schema_key *k = schema_keys; k->name; k++)
		suggestion_offer(n, k->name);
	suggestion_offer(n, "seed");
}

bool setting_is_same(const struct setting *a, const struct setting *b)
{
	return a->order == b->order && !strcmp(a->name, b->name);
}

bool setting_is_left(const struct setting *s)
{
	return !strcmp(s->value, "default");
}

bool setting_is_machines(const struct setting *s)
{
	return s->kind == SETTING_KEY || (s->order < N_OPTIONS && options[s->order].machines) ||
	       (s->kind == SETTING_FLAG && !strcmp(s->name, "locality-classes"));
}

/* ---- values ---- */

static bool is_among(const char *words, const char *value)
{
	size_t n = strlen(value);

	for (const char *w = words; w; w = strchr(w, '|') ? strchr(w, '|') + 1 : NULL)
		if (strcspn(w, "|") == n && !strncmp(w, value, n))
			return true;
	return false;
}

/* A name that could be taken for an option is no name. */
static int check_workload(const char *name, struct err *e)
{
	const struct papers_name *n;
	const struct workload *w;
	struct suggestion near = {.typed = name};
	char hint[160];

	if (papers_name_find(name, &w, &n, e) != 0)
		return -1;
	if (w || (*name != '-' && access(name, R_OK) == 0))
		return 0;
	for (unsigned i = 0; workloads[i]; i++)
		suggestion_offer(&near, workloads[i]->name);
	return err_set(e, "no workload, and no file, \"%s\"%s (locus list shows workloads)", name, suggestion_text(&near, hint));
}

static int check_machine(const char *name, struct err *e)
{
	struct machine *m = xcalloc(1, sizeof *m);
	char dir[ROOT_PATH_MAX];
	int rc = machine_load(m, name, root_path("csim/machines", dir), e);

	free(m);
	return rc;
}

static int check_key(const struct setting *s, struct err *e)
{
	struct machine *m = xcalloc(1, sizeof *m);
	struct err why = {""};
	int rc = schema_set(m, schema_find(s->name), s->value, &why);

	free(m);
	return rc ? err_set(e, "%s: %s", s->name, why.text) : 0;
}

static int check_option(const struct setting *s, struct err *e)
{
	const struct option *o = &options[s->order];
	struct planner_needs needs;
	uint64_t n;

	if (o->words && !is_among(o->words, s->value))
		return err_set(e, "%s: \"%s\" is not one of %s", s->name, s->value, o->words);
	if (o->number && (number_parse_u64(s->value, &n) != 0 || n == 0))
		return err_set(e, "%s: \"%s\" is not a whole number from 1 on " NUMBER_FORM, s->name, s->value);
	return !strcmp(s->name, "plan") ? planner_check(s->value, &needs, e) : 0;
}

int setting_check(const struct setting *s, struct err *e)
{
	if (setting_is_left(s))
		return 0;
	switch (s->kind) {
	case SETTING_WORKLOAD:
		return check_workload(s->value, e);
	case SETTING_MACHINE:
		return check_machine(s->value, e);
	case SETTING_KEY:
		return check_key(s, e);
	case SETTING_OPTION:
	case SETTING_FLAG:
		return check_option(s, e);
	case SETTING_ARG:
		break;
	}
	return 0;
}

/* ---- the command line ---- */

static int by_order(const void *x, const void *y)
{
	const struct setting *a = x, *b = y;

	return a->order != b->order ? (a->order > b->order) - (a->order < b->order) : strcmp(a->name, b->name);
}

void setting_sort(struct setting *s, unsigned n)
{
	qsort(s, n, sizeof *s, by_order);
}

/* As it is, where nothing in it could be taken for anything else. */
static const char *word(struct arena *a, const char *text)
{
	static const char *const safe = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.:,+=/";

	return text[strspn(text, safe)] || !*text ? sweep_pool_quoted(a, text) : text;
}

static const char *add_words(struct arena *a, const char *words, const struct setting *s)
{
	const char *value = word(a, s->value);

	switch (s->kind) {
	case SETTING_WORKLOAD:
		return arena_printf(a, "%s %s", words, value);
	case SETTING_MACHINE:
	case SETTING_OPTION:
		return arena_printf(a, "%s --%s %s", words, s->name, value);
	case SETTING_FLAG:
		return *s->value == 't' ? arena_printf(a, "%s --%s", words, s->name) : words;
	case SETTING_KEY:
		return arena_printf(a, "%s --set %s", words, word(a, arena_printf(a, "%s=%s", s->name, s->value)));
	case SETTING_ARG:
		return arena_printf(a, "%s --arg %s", words, word(a, arena_printf(a, "%s=%s", s->name, s->value)));
	}
	return words;
}

const char *setting_words(struct arena *a, const struct setting *s, unsigned n)
{
	const char *words = "run";

	for (unsigned i = 0; i < n; i++)
		if (!setting_is_left(&s[i]))
			words = add_words(a, words, &s[i]);
	return words;
}

static void choose(struct machine_choice *c, const struct setting *s)
{
	const struct {
		const char *name, **member;
	} all[] = {{"machine", &c->name},	    {"l1-index", &c->l1_index}, {"l2-index", &c->l2_index},
		   {"scheduler", &c->scheduler},    {"throttle", &c->throttle}, {"l1-bypass", &c->l1_bypass},
		   {"l2-bypass", &c->l2_bypass},    {"l1-front", &c->l1_front}, {"l1-pin", &c->l1_pin},
		   {"l1-prefetch", &c->l1_prefetch}};

	for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
		if (!strcmp(all[i].name, s->name))
			*all[i].member = s->value;
}

struct machine_choice setting_machine(struct arena *a, const struct setting *s, unsigned n)
{
	const char **set = arena_array(a, n + 1, sizeof *set);
	struct machine_choice c = {.set = set};

	for (unsigned i = 0; i < n; i++) {
		if (setting_is_left(&s[i]) || !setting_is_machines(&s[i]))
			continue;
		if (s[i].kind == SETTING_KEY)
			set[c.n_sets++] = arena_printf(a, "%s=%s", s[i].name, s[i].value);
		else if (s[i].kind == SETTING_FLAG)
			c.locality_classes = *s[i].value == 't';
		else
			choose(&c, &s[i]);
	}
	return c;
}
