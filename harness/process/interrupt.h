/* SIGINT (Ctrl-C), SIGTERM and SIGHUP.
 *
 * The first one ends the program at once, with status 128 + its number; files that are not whole have no name yet
 * (base/files/newfile.h), so nothing is left behind. Around work whose result so far is worth keeping, the first one
 * only sets a flag that the work looks at: a run of the model stops at its next lookup and prints what it has, a study
 * stops its runs. A second one, which somebody sends who does not want to wait, ends the program at once even there.
 * The status is 128 + the number in any case.
 */
#ifndef HARNESS_PROCESS_INTERRUPT_H
#define HARNESS_PROCESS_INTERRUPT_H

#include <signal.h>

/* For main. A signal that is ignored (nohup, a job in the background) stays so. */
void interrupt_begin(void);

/* From hold to release, the first signal waits in the flag that this returns: its number, 0 if there was none. */
const volatile sig_atomic_t *interrupt_hold(void);
void interrupt_release(void);

int interrupt_taken(void);		       /* the signal that came while held, or 0 */
const char *interrupt_name(int signal_number); /* "SIGINT" */

#endif
