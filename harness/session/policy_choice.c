#include "session/policy_choice.h"

#include <stdio.h>
#include <string.h>

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

static const char *first_of(const struct policy_choice *o, const char *policy)
{
	for (unsigned i = 0; i < POLICY_EXCEPTIONS && o->except[i].policy; i++)
		if (!strcmp(policy, o->except[i].policy))
			return o->except[i].key;
	return o->first;
}

/* "rate=80", or "80". */
static int set_one(const struct policy_choice *o, const char *policy, const char *setting, struct machine *m, struct err *e)
{
	char name[MAX_SETTING];
	const char *equals = strchr(setting, '=');

	if (!equals)
		return set(o, first_of(o, policy), setting, m, e);
	snprintf(name, sizeof name, "%.*s", (int)(equals - setting), setting);
	if (!strcmp(name, "policy"))
		return err_set(e, "%s: the policy has been named already", o->option);
	return set(o, name, equals + 1, m, e);
}

/* Whether the policy does without settings. */
static bool is_content(const struct policy_choice *o, const char *policy)
{
	for (unsigned i = 0; i < sizeof o->content / sizeof o->content[0]; i++)
		if (o->content[i] && !strcmp(policy, o->content[i]))
			return true;
	return false;
}

int policy_choice_apply(const struct policy_choice *o, const char *text, struct machine *m, struct err *e)
{
	char policy[MAX_SETTING], part[MAX_SETTING];
	size_t len = strcspn(text, ":");

	if (len >= sizeof policy)
		return err_set(e, "%s: \"%s\" is too long", o->option, text);
	snprintf(policy, sizeof policy, "%.*s", (int)len, text);
	if (set(o, "policy", policy, m, e) != 0)
		return -1;
	if (o->needs && !text[len] && strcmp(policy, "none") && !is_content(o, policy))
		return err_set(e, "%s: %s needs %s", o->option, policy, o->needs);
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
