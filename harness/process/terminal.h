/* Standard output and standard error, as the whole program writes them: what is no letter (base/utf8.h), tab or end of
 * a line goes out as '?', whoever prints it, so that no name in a user's file can move a cursor, set a title or hide a
 * line. Names that go into the middle of a line are kept free of newlines where they come in (utf8_clean).
 *
 * A text that standard output did not take (a full disk) is an error like any other: it is reported at the end, with
 * status 2.
 */
#ifndef HARNESS_PROCESS_TERMINAL_H
#define HARNESS_PROCESS_TERMINAL_H

#include <stdio.h>

/* For main, first of all: stdout and stderr become such streams, and exit() checks stdout. */
void terminal_begin(void);

/* Standard output for one result alone; the caller closes it and checks that. What is printed from then on is lost.
 * NULL: it was handed over before. */
FILE *terminal_give_stdout(void);

#endif
