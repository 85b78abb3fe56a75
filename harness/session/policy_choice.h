/* Options that name a policy of the model with its settings: a short form for keys of the machine.
 *
 *     --throttle swt:2                            throttle.policy=swt  throttle.warps=2
 *     --throttle cta:2                            throttle.policy=cta  throttle.ctas=2
 *     --throttle dwt-cs                           throttle.policy=dwt-cs
 *     --l1-pin buffers:A                          l1.replacement=pin  l1.pin.hard=A
 *     --throttle ccws:k=16                        throttle.policy=ccws  throttle.k=16
 *     --l1-bypass streaming:rate=80,period=5000   l1.bypass.policy=streaming  l1.bypass.rate=80  l1.bypass.period=5000
 *
 * Behind the colon are settings NAME=VALUE of the policy, or one value of its first setting. A setting that the policy
 * does not read is refused.
 */
#ifndef HARNESS_SESSION_POLICY_CHOICE_H
#define HARNESS_SESSION_POLICY_CHOICE_H

#include "base/err.h"
#include "machine/machine.h"

enum { POLICY_SETTINGS = 9 };

struct policy_settings {
	const char *policy; /* "swt" */
	/* The settings that it reads, NULL at the end. A value without a name is the first's. */
	const char *setting[POLICY_SETTINGS + 1];
	const char *needs; /* what it cannot do without, for messages; NULL: it can do without any */
	const char *value; /* of the choice's key; NULL: the policy's name */
};

struct policy_choice {
	const char *option;		     /* "--throttle", for messages */
	const char *prefix;		     /* "throttle": of the keys */
	const struct policy_settings *known; /* of the policies that have settings; policy NULL at the end */
	/* The key that the policy sets, if it is not PREFIX.policy: the option then takes the one policy in `known`,
	 * and "none", which gives the key its default if it has this policy's value, and else leaves it. */
	const char *key;
};

/* Applies one option's text; an error names the option. */
int policy_choice_apply(const struct policy_choice *o, const char *text, struct machine *m, struct err *e);

#endif
