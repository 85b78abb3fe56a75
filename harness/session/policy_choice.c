#include "session/policy_choice.h"

#include <stdio.h>
#include <string.h>

#include "machine/schema.h"

enum { MAX_SETTING = 544 }; /* a list of kernels with their limits is the longest */
#define SET "--set "	    /* how the machine's errors begin */

/* Sets PREFIX.NAME; the machine's own error, after the option's name. */
static int set(const struct policy_choice *o, const char *name, const char *value, struct machine *m, struct err *e)
{
	char text[3 * MAX_SETTING];
	struct err why = {""};

	snprintf(text, sizeof text, "%s.%s=%s", o->prefix, name, value);
	if (machine_set(m, text, &why) != 0)
		return err_set(e, "%s: %s", o->option, why.text + (strncmp(why.text, SET, sizeof SET - 1) ? 0 : sizeof SET - 1));
	return 0;
}

/* The policy's settings: none of a policy that is not in the list. */
static const struct policy_settings *settings_of(const struct policy_choice *o, const char *policy)
{
	static const struct policy_settings none = {.policy = "none"};

	for (const struct policy_settings *p = o->known; p->policy; p++)
		if (!strcmp(policy, p->policy))
			return p;
	return &none;
}

static bool reads(const struct policy_settings *p, const char *name)
{
	for (unsigned i = 0; p->setting[i]; i++)
		if (!strcmp(name, p->setting[i]))
			return true;
	return false;
}

/* Whether it is a setting, but of another policy. A misspelt one is left to the machine, which proposes a key. */
static bool is_of_another(const struct policy_choice *o, const struct policy_settings *p, const char *name)
{
	char key[2 * MAX_SETTING];

	snprintf(key, sizeof key, "%s.%s", o->prefix, name);
	return schema_find(key) && !reads(p, name);
}

/* "rate=80", or "80". */
static int set_one(const struct policy_choice *o, const char *policy, const char *setting, struct machine *m, struct err *e)
{
	const struct policy_settings *p = settings_of(o, policy);
	char name[MAX_SETTING];
	const char *equals = strchr(setting, '=');

	if (!p->setting[0])
		return err_set(e, "%s: %s has no settings", o->option, policy);
	if (!equals)
		return set(o, p->setting[0], setting, m, e);
	snprintf(name, sizeof name, "%.*s", (int)(equals - setting), setting);
	if (!strcmp(name, "policy"))
		return err_set(e, "%s: the policy has been named already", o->option);
	if (is_of_another(o, p, name))
		return err_set(e, "%s: %s does not read %s.%s", o->option, policy, o->prefix, name);
	return set(o, name, equals + 1, m, e);
}

static int set_key(const struct policy_choice *o, const char *policy, struct machine *m, struct err *e)
{
	const struct schema_key *key = schema_find(o->key);
	const char *value = settings_of(o, policy)->value;
	char text[2 * MAX_SETTING], now[SCHEMA_TEXT_MAX];

	if (!strcmp(policy, "none")) {
		if (strcmp(schema_text(m, key, now), o->known->value) != 0)
			return 0;
		value = key->fallback;
	}
	if (!value)
		return err_set(e, "%s: \"%s\" is not one of none | %s", o->option, policy, o->known->policy);
	snprintf(text, sizeof text, "%s=%s", o->key, value);
	return machine_set(m, text, e);
}

int policy_choice_apply(const struct policy_choice *o, const char *text, struct machine *m, struct err *e)
{
	char policy[MAX_SETTING], part[MAX_SETTING];
	size_t len = strcspn(text, ":");

	if (len >= sizeof policy)
		return err_set(e, "%s: \"%s\" is too long", o->option, text);
	snprintf(policy, sizeof policy, "%.*s", (int)len, text);
	if ((o->key ? set_key(o, policy, m, e) : set(o, "policy", policy, m, e)) != 0)
		return -1;
	if (!text[len] && settings_of(o, policy)->needs)
		return err_set(e, "%s: %s needs %s", o->option, policy, settings_of(o, policy)->needs);
	for (const char *p = text + len; *p; p += len) {
		len = strcspn(++p, ",");
		if (len == 0 || len >= sizeof part)
			return err_set(e, "%s: \"%s\" holds an empty setting, or one that is too long", o->option, text);
		snprintf(part, sizeof part, "%.*s", (int)len, p);
		if (set_one(o, policy, part, m, e) != 0)
			return -1;
	}
	return 0;
}
