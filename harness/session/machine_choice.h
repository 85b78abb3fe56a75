/* Which machine, with which changes: plain data, as options or a program give it, and the machine made of it.
 *
 * Every error is one line that names option, file or key.
 */
#ifndef HARNESS_SESSION_MACHINE_CHOICE_H
#define HARNESS_SESSION_MACHINE_CHOICE_H

#include "base/err.h"
#include "machine/machine.h"

#define MACHINE_DEFAULT "gtx480"

struct machine_choice {
	const char *name;	/* of a machine that comes with Locus, or a path; NULL: MACHINE_DEFAULT */
	const char *const *set; /* "l1.assoc=8", in order */
	unsigned n_sets;
	/* "linear" or "pric[:POLY]"; after `set`, as all that follow; NULL: as they are */
	const char *l1_index, *l2_index;
	const char *scheduler;
	/* policies with settings (session/policy_choice.h) */
	const char *throttle, *l1_bypass, *l2_bypass, *l1_prefetch, *l1_pin, *l1_front;
	bool locality_classes; /* caches.locality_classes=true */
	unsigned uses;	       /* of enum machine_use: a change of a key that they do not read is an error */
};

/* Reads the machine and applies `set`. Not yet resolved: the caller may have changes of its own. */
int machine_choice_load(const struct machine_choice *c, struct machine *m, struct err *e);

/* Checks it (machine_resolve); an error names the change that broke the machine, if one of the choice's did, or the
 * one that has no effect (machine/unread.h). */
int machine_choice_resolve(const struct machine_choice *c, struct machine *m, struct err *e);

/* Reads the machine, applies all changes, and checks it. */
int machine_choose(const struct machine_choice *c, struct machine *m, struct err *e);

#endif
