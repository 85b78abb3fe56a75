/* What a sweep can set of a run: what is run, on which machine, and the options of `locus run` that change what it
 * counts.
 *
 *     workload, machine, size, plan, l1-index, throttle, ...     the option of that name
 *     no-skip, working-set, ...                                  options without a value: true or false
 *     l1.assoc                                                   a key of the machine, as after --set
 *     arg.n                                                      an option of the workload, as after --arg
 *     seed                                                       short for arg.seed
 *
 * The value "default" leaves a thing as it is. A run's command line does not depend on the order in which things were
 * set.
 */
#ifndef HARNESS_SWEEP_SETTINGS_H
#define HARNESS_SWEEP_SETTINGS_H

#include <stdbool.h>

#include "base/arena.h"
#include "base/err.h"
#include "base/suggestion.h"
#include "session/machine_choice.h"

enum setting_kind { SETTING_WORKLOAD, SETTING_MACHINE, SETTING_OPTION, SETTING_FLAG, SETTING_KEY, SETTING_ARG };

struct setting {
	enum setting_kind kind;
	unsigned order;	   /* on the command line, from 0 */
	const char *name;  /* of option, key or argument */
	const char *value; /* NULL: only the name is known */
};

/* The setting of a name; it points into the name. false: there is none. */
bool setting_find(const char *name, struct setting *s);
/* Offers all names but those of arguments. */
void setting_suggest(struct suggestion *n);

/* Whether both set the same thing; their values aside. */
bool setting_is_same(const struct setting *a, const struct setting *b);
bool setting_is_left(const struct setting *s); /* as it is */
/* It changes the machine. */
bool setting_is_machines(const struct setting *s);

/* Whether the value can be, by itself: names that do not exist, numbers out of their range. */
int setting_check(const struct setting *s, struct err *e);

/* Of all settings of a run, in the order of the command line after setting_sort. */
void setting_sort(struct setting *s, unsigned n);
/* "run syrk --machine gtx480 --set l1.assoc=8", as sweep/pool.h takes it. */
const char *setting_words(struct arena *a, const struct setting *s, unsigned n);
/* Those of them that change the machine; it points into the arena. */
struct machine_choice setting_machine(struct arena *a, const struct setting *s, unsigned n);

#endif
