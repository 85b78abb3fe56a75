/* The folder that a mismatch leaves behind, from which it can be run again without the model:
 *
 *   report.txt      what was printed
 *   stimulus.txt    the scenario: block, parameters, start state and steps, as text with a checksum
 * (docs/how-to/cosimulate-your-rtl.md)
 *   rtl/            the Verilog files that were built, and what they include and read
 *   window.fst      golden and RTL signals from 50 cycles before the mismatch to 10 after it; window.gtkw opens on them
 *   window.json      what differs there, by step (window.h)
 *   rerun.sh        replays it
 */
#ifndef HARNESS_LOCKSTEP_BUNDLE_H
#define HARNESS_LOCKSTEP_BUNDLE_H

#include "lockstep/scenario.h"

enum { BUNDLE_BEFORE = 50, BUNDLE_AFTER = 10 }; /* cycles of the window */

/* Runs the scenario, writes the folder (over an older one of that name) and prints the report to `to` (NULL: nowhere).
 * rtl: the library that the scenario ran on. Fails if nothing differs, or a file cannot be written. */
int bundle_write(const struct scenario *s, const struct bind_rtl *rtl, const char *folder, FILE *to, struct err *e);

/* Reads a bundle; s has its own memory afterwards, its RTL is that in the folder, and foreign. Errors name file and
 * line. */
int bundle_read(struct scenario *s, const char *folder, struct err *e);

/* The stimulus file alone. rtl_names, golden, dirs: files and folders in rtl/, separated by commas. */
int bundle_write_stimulus(const struct scenario *s, const char *path, const char *rtl_names, const char *golden, const char *dirs,
			  struct err *e);
int bundle_read_stimulus(struct scenario *s, const char *path, struct err *e);

#endif
