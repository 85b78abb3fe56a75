/* Comparing by transaction: for RTL that does the same but takes longer, such as a deeper pipeline.
 *
 * Port groups are found by name. Inputs with a prefix X of which one is X_valid, with an output X_ready, are an input
 * group; outputs with a prefix X of which one is X_valid, with an input X_ready, an output group. A transaction is what
 * is on the group's other ports in a cycle in which valid and ready are both 1. All other inputs are passed on as they
 * are, all other outputs (busy) are not compared.
 *
 * The golden twin runs as ever. The RTL is offered the golden twin's accepted inputs in the same order, each until it
 * takes it: never before all that the golden twin took in earlier cycles has been taken. Its outputs are taken as soon
 * as the golden twin's have been, or when the consumer was ready for the golden twin. The n-th transaction of each
 * output group must be the same on both sides; how many steps later the RTL's came is the latency difference.
 * What depends on when and not only on the order in which things happen cannot be compared so.
 */
#ifndef HARNESS_LOCKSTEP_TRANSACT_H
#define HARNESS_LOCKSTEP_TRANSACT_H

#include <stdio.h>

#include "lockstep/checker.h"

struct scenario;
struct transact;

struct transact *transact_new(const struct scenario *s);
void transact_free(struct transact *t);

/* A step in place of checker_step: the inputs are in c->in. False: an output transaction differs. */
bool transact_step(struct transact *t, struct checker *c);

/* Steps the RTL alone until it has nothing more to give, at most 100,000 steps. False: something differs, or is
 * missing. */
bool transact_finish(struct transact *t, struct checker *c);

/* A line an output group of that owner: transactions, latency difference (least, mean, greatest) in steps. */
void transact_print(const struct transact *t, const char *owner, FILE *to);

#endif
