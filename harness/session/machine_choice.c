#include "session/machine_choice.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/files/root.h"
#include "machine/schema.h"
#include "machine/unread.h"
#include "session/policy_choice.h"

static int set_key(struct machine *m, const char *key, const char *value, struct err *e)
{
	char text[256];

	snprintf(text, sizeof text, "%s=%s", key, value);
	return machine_set(m, text, e);
}

/* "pric:47": index and polynomial. */
static int set_index(struct machine *m, const char *cache, const char *text, struct err *e)
{
	const char *colon = strchr(text, ':');
	char key[32], kind[32];

	snprintf(kind, sizeof kind, "%.*s", colon ? (int)(colon - text) : (int)strlen(text), text);
	if (strcmp(kind, "linear") && strcmp(kind, "pric"))
		return err_set(e, "--%s-index: linear or pric[:POLY], not \"%s\"", cache, text);
	snprintf(key, sizeof key, "%s.index", cache);
	if (set_key(m, key, kind, e) != 0)
		return -1;
	if (!colon)
		return 0;
	if (strcmp(kind, "pric"))
		return err_set(e, "--%s-index: only pric takes a polynomial", cache);
	snprintf(key, sizeof key, "%s.poly", cache);
	return set_key(m, key, colon + 1, e);
}

/* ---- the changes of a choice, in order ---- */

/* An option that changes keys of the machine. */
struct change {
	const char *option, *value; /* as the user typed them; value: NULL: none was given */
	enum { CHANGE_KEY, CHANGE_INDEX, CHANGE_SCHEDULER, CHANGE_CLASSES, CHANGE_POLICY } kind;
	struct policy_choice policy; /* of CHANGE_POLICY */
};

/* What each policy reads of its keys; csim/machine/schema.c says what they mean. */
#define WARPS_OR_CTAS "a number of warps or of CTAs: swt:N, cta:N, pcal:N"
static const struct policy_settings throttles[] = {
	{"swt", {"warps", "kernels"}, WARPS_OR_CTAS, NULL},
	{"cta", {"ctas"}, WARPS_OR_CTAS, NULL},
	{"pcal", {"tokens", "warps", "kernels"}, WARPS_OR_CTAS, NULL},
	{"ccws", {"k", "base", "victims", "ways"}, NULL, NULL},
	{"dwt-cs", {"period", "n", "m", "threshold", "unit", "over", "latency", "entries", "watchdog"}, NULL, NULL},
	{.policy = NULL},
};
static const struct policy_settings bypasses[] = {{"streaming", {"rate", "period"}, NULL, NULL}, {.policy = NULL}};
static const struct policy_settings prefetchers[] = {{"next-line", {"mshrs", "queue"}, NULL, NULL}, {.policy = NULL}};
static const struct policy_settings fronts[] = {{"mrpb", {"depth", "bypass"}, NULL, NULL}, {.policy = NULL}};
static const struct policy_settings pins[] = {{"buffers", {"hard", "soft", "timer"}, "names of buffers: buffers:A+B", "pin"},
					      {.policy = NULL}};

enum { N_OPTIONS = 10 };

static void options_of(const struct machine_choice *c, struct change out[N_OPTIONS])
{
	const struct change all[N_OPTIONS] = {
		{"--l1-index", c->l1_index, CHANGE_INDEX, {.prefix = "l1"}},
		{"--l2-index", c->l2_index, CHANGE_INDEX, {.prefix = "l2"}},
		{"--scheduler", c->scheduler, CHANGE_SCHEDULER, {.option = NULL}},
		{"--locality-classes", c->locality_classes ? "" : NULL, CHANGE_CLASSES, {.option = NULL}},
		{"--throttle", c->throttle, CHANGE_POLICY, {"--throttle", "throttle", throttles, NULL}},
		{"--l1-bypass", c->l1_bypass, CHANGE_POLICY, {"--l1-bypass", "l1.bypass", bypasses, NULL}},
		{"--l2-bypass", c->l2_bypass, CHANGE_POLICY, {"--l2-bypass", "l2.bypass", bypasses, NULL}},
		{"--l1-prefetch", c->l1_prefetch, CHANGE_POLICY, {"--l1-prefetch", "l1.prefetch", prefetchers, NULL}},
		{"--l1-front", c->l1_front, CHANGE_POLICY, {"--l1-front", "l1.front", fronts, NULL}},
		{"--l1-pin", c->l1_pin, CHANGE_POLICY, {"--l1-pin", "l1.pin", pins, "l1.replacement"}},
	};

	memcpy(out, all, sizeof all);
}

/* Change i of the choice; value NULL: it makes none. */
static struct change change_of(const struct machine_choice *c, unsigned i)
{
	struct change option[N_OPTIONS];

	if (i < c->n_sets)
		return (struct change){.option = "--set", .value = c->set[i], .kind = CHANGE_KEY};
	options_of(c, option);
	return option[i - c->n_sets];
}

static int change_keys(const struct change *ch, struct machine *m, struct err *e)
{
	switch (ch->kind) {
	case CHANGE_KEY:
		return machine_set(m, ch->value, e);
	case CHANGE_INDEX:
		return set_index(m, ch->policy.prefix, ch->value, e);
	case CHANGE_SCHEDULER:
		return set_key(m, "sm.scheduler", ch->value, e);
	case CHANGE_CLASSES:
		return set_key(m, "caches.locality_classes", "true", e);
	case CHANGE_POLICY:
		return policy_choice_apply(&ch->policy, ch->value, m, e);
	}
	return 0;
}

/* An error names the option, and no --set that the user did not write. */
static int change_apply(const struct change *ch, struct machine *m, struct err *e)
{
	static const char set[] = "--set ";
	struct err why = {""};

	if (!ch->value || change_keys(ch, m, &why) == 0)
		return 0;
	if (ch->kind != CHANGE_KEY && !strncmp(why.text, set, sizeof set - 1))
		return err_set(e, "%s: %s", ch->option, why.text + sizeof set - 1);
	return err_set(e, "%s", why.text);
}

/* The first changes of the choice, but for the one with the number `but`. */
static int load_but(const struct machine_choice *c, unsigned changes, unsigned but, struct machine *m, struct err *e)
{
	char dir[ROOT_PATH_MAX];
	struct change ch;

	if (machine_load(m, c->name ? c->name : MACHINE_DEFAULT, root_path("csim/machines", dir), e) != 0)
		return -1;
	for (unsigned i = 0; i < changes; i++) {
		ch = change_of(c, i);
		if (i != but && change_apply(&ch, m, e) != 0)
			return -1;
	}
	return 0;
}

static int load(const struct machine_choice *c, unsigned changes, struct machine *m, struct err *e)
{
	return load_but(c, changes, UINT_MAX, m, e);
}

int machine_choice_load(const struct machine_choice *c, struct machine *m, struct err *e)
{
	return load(c, c->n_sets, m, e);
}

/* A machine that cannot be, as the file of the machine alone would not say: e names the option after which it was never
 * whole again. "--set l1.assoc=7: l1.bytes: 16384 bytes in lines of 128 and 7 ways ..." */
static void blame(const struct machine_choice *c, struct err *e)
{
	unsigned n = c->n_sets + N_OPTIONS, whole = UINT_MAX;
	struct machine m;
	struct err why = {""};
	struct change ch;

	for (unsigned i = 0; i <= n; i++) {
		why.text[0] = '\0';
		if (load(c, i, &m, &why) != 0)
			return;
		if (machine_resolve_bare(&m, &why) == 0)
			whole = i;
	}
	if (whole >= n) /* UINT_MAX: it is the file */
		return;
	while (whole < n && !change_of(c, whole).value)
		whole++;
	ch = change_of(c, whole);
	e->text[0] = '\0';
	if (ch.kind == CHANGE_KEY && !strncmp(ch.value, why.text, strcspn(ch.value, "=")))
		err_set(e, "--set %s", why.text);
	else
		err_set(e, "%s %s: %s", ch.option, ch.value, why.text);
}

/* The key that turns a change on; returns out. */
static const char *key_of(const struct change *ch, char out[SCHEMA_TEXT_MAX])
{
	switch (ch->kind) {
	case CHANGE_INDEX:
		snprintf(out, SCHEMA_TEXT_MAX, "%s.index", ch->policy.prefix);
		break;
	case CHANGE_POLICY:
		snprintf(out, SCHEMA_TEXT_MAX, "%s.policy", ch->policy.prefix);
		break;
	default:
		snprintf(out, SCHEMA_TEXT_MAX, "%.*s", (int)strcspn(ch->value, "="), ch->value);
		break;
	}
	return out;
}

/* Whether the option, which comes after all of --set, changes the key. */
static bool takes_place(const struct machine_choice *c, unsigned option, const struct schema_key *k)
{
	char before[SCHEMA_TEXT_MAX], after[SCHEMA_TEXT_MAX];
	struct err unused = {""};
	struct machine m;

	if (!change_of(c, option).value || load(c, option, &m, &unused) != 0)
		return false;
	schema_text(&m, k, before);
	return load(c, option + 1, &m, &unused) == 0 && strcmp(schema_text(&m, k, after), before) != 0;
}

/* Whether the machine could not be without the change, whoever reads its key. */
static bool is_needed(const struct machine_choice *c, unsigned change)
{
	struct err unused = {""};
	struct machine m;

	return load_but(c, c->n_sets + N_OPTIONS, change, &m, &unused) != 0 || machine_resolve_bare(&m, &unused) != 0;
}

/* Each change is of a key that is read, and no option takes the place of a --set. */
static int check_read(const struct machine_choice *c, const struct machine *m, struct err *e)
{
	char key[SCHEMA_TEXT_MAX], why[UNREAD_MAX];

	for (unsigned i = 0; i < c->n_sets + N_OPTIONS; i++) {
		struct change ch = change_of(c, i);

		if (ch.value && (machine_unread(m, key_of(&ch, key), why) ||
				 (machine_unread_by(m, c->uses, key_of(&ch, key), why) && !is_needed(c, i))))
			return err_set(e, "%s %.200s: has no effect: %s", ch.option, ch.value, why);
		for (unsigned k = c->n_sets; i < c->n_sets && k < c->n_sets + N_OPTIONS; k++)
			if (takes_place(c, k, schema_find(key)))
				return err_set(e, "%s %.200s: has no effect: %s %.200s takes its place", ch.option, ch.value,
					       change_of(c, k).option, change_of(c, k).value);
	}
	return 0;
}

int machine_choice_resolve(const struct machine_choice *c, struct machine *m, struct err *e)
{
	if (machine_resolve(m, e) == 0)
		return check_read(c, m, e);
	blame(c, e);
	return -1;
}

int machine_choose(const struct machine_choice *c, struct machine *m, struct err *e)
{
	return load(c, c->n_sets + N_OPTIONS, m, e) == 0 ? machine_choice_resolve(c, m, e) : -1;
}
