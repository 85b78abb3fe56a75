/* A machine of GPGPU-Sim's, from its option files, as one of ours.
 *
 * Each key that an option states has the option's value. What the files say nothing of is the base's: a machine of ours
 * that has the behaviours which are no options there (the depth of its pipeline, the order of its divisions ...). For
 * some options silence is a statement (units that there are none of, switches that are off): these have GPGPU-Sim 4's
 * default. Times of the base that are cycles of a clock which the files change keep their nanoseconds.
 *
 * What has no counterpart, or only a near one, is listed: option, value, why. Which option is which key is the table in
 * gpgpusim/rules.c.
 *
 * Errors: what gpgpusim/options.h says; a value that is none, out of a key's range, or of a machine that cannot be
 * (machine_resolve); a base that cannot be read. All but the last name "FILE:LINE: option".
 */
#ifndef CSIM_MACHINE_GPGPUSIM_IMPORT_H
#define CSIM_MACHINE_GPGPUSIM_IMPORT_H

#include <stdio.h>

#include "base/err.h"
#include "machine/machine.h"

struct gpgpusim_request {
	const char *config, *icnt; /* paths; icnt may be NULL */
	const char *base;	   /* as for machine_load; NULL: by the compute capability */
	const char *name;	   /* of the machine; NULL: that of the folder of `config` */
	const char *machines_dir;
};

struct gpgpusim_import;

/* Freed by gpgpusim_import_free. NULL: e is filled. */
struct gpgpusim_import *gpgpusim_import(const struct gpgpusim_request *r, struct err *e);
void gpgpusim_import_free(struct gpgpusim_import *i);

/* Resolved. */
const struct machine *gpgpusim_import_machine(const struct gpgpusim_import *i);

/* The machine as a file of ours: its base, each key with the option that it comes from, and, as comments, what is the
 * base's. */
void gpgpusim_import_write(const struct gpgpusim_import *i, FILE *to);

/* What has no counterpart: a title, then a line an option, in the order of the files. Nothing if there is none. */
void gpgpusim_import_list(const struct gpgpusim_import *i, FILE *to);

#endif
