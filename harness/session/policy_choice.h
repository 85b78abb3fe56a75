/* Options that name a policy of the model with its settings: a short form for keys of the machine.
 *
 *     --throttle swt:2                            throttle.policy=swt  throttle.warps=2
 *     --throttle cta:2                            throttle.policy=cta  throttle.ctas=2
 *     --throttle dwt-cs                           throttle.policy=dwt-cs
 *     --throttle ccws:k=16                        throttle.policy=ccws  throttle.k=16
 *     --l1-bypass streaming:rate=80,period=5000   l1.bypass.policy=streaming  l1.bypass.rate=80  l1.bypass.period=5000
 *
 * Behind the colon are settings NAME=VALUE of the policy, or one value of its first setting.
 */
#ifndef HARNESS_SESSION_POLICY_CHOICE_H
#define HARNESS_SESSION_POLICY_CHOICE_H

#include "base/err.h"
#include "machine/machine.h"

struct policy_first { /* the key of a value without a name */
	const char *policy, *key;
};
enum { POLICY_EXCEPTIONS = 3 };

struct policy_choice {
	const char *option;			       /* "--throttle", for messages */
	const char *prefix;			       /* "throttle": of the keys */
	const char *first;			       /* the key of a value without a name, "warps" */
	struct policy_first except[POLICY_EXCEPTIONS]; /* of these policies it is another; policy NULL: of no more */
	/* the setting that a policy other than none cannot do without, for messages; NULL: there is none */
	const char *needs;
	const char *content[2]; /* the policies that can, beside none; NULL: there is none, or no more */
};

/* Applies one option's text; an error names the option. */
int policy_choice_apply(const struct policy_choice *o, const char *text, struct machine *m, struct err *e);

#endif
