/* Checks in the order in which they are asked for: at once, or on a second host thread beside the model.
 *
 * The model does not wait for what the checks find, so they may come later; as one thread takes them in their order,
 * they find the same, and say it in the same order, as without it. A check's memory belongs to whoever takes it from
 * checks_submit to the end of checks_wait. One thread submits, and waits.
 */
#ifndef HARNESS_LOCKSTEP_CHECKS_H
#define HARNESS_LOCKSTEP_CHECKS_H

#include <stdbool.h>

struct check {
	void (*run)(struct check *c); /* of a struct that begins with this one */
	bool waiting;		      /* submitted, and not over */
	struct check *next;
};

struct checks;
/* second: on a thread of its own, which starts with the first check. */
struct checks *checks_new(bool second);
bool checks_are_second(const struct checks *q);

void checks_submit(struct checks *q, struct check *c);
/* Until c, and so all that were submitted before it, are over. */
void checks_wait(struct checks *q, const struct check *c);

/* Finishes what was submitted. q may be NULL. */
void checks_free(struct checks *q);

#endif
