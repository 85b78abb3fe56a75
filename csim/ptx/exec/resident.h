/* CTAs of a launch that wait for one another.
 *
 * CTAs are run one after another as long as each comes to its end by itself. One that makes no progress (exec.h) is put
 * aside with its registers, its shared and local memory and its trace, and the next one begins, up to as many as the
 * machine would hold at once: as many as 2048 threads, 32 CTAs and 96 KiB of shared memory an SM allow (and 4 GiB of
 * this computer's memory). When all of these
 * wait, they are taken up again in turns, until none has moved in a whole turn: then, execution being deterministic,
 * none ever will.
 */
#ifndef CSIM_PTX_RESIDENT_H
#define CSIM_PTX_RESIDENT_H

#include "ptx/exec/exec.h"

/* Runs all CTAs of x's launch. x has room for one CTA, and is set up for it. -1: x->e says what went wrong. */
int resident_run(struct exec *x);

/* launch.c: room for the registers and memories of one CTA, and its end. */
void exec_take_room(struct exec *x);
void exec_free_room(struct exec *x);

#endif
