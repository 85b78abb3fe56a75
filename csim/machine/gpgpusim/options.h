/* The option files of GPGPU-Sim, as words: gpgpusim.config, and the file of its interconnect.
 *
 * gpgpusim.config is words with white space between: -NAME, then its value. A value in double quotes may hold white
 * space, line ends too, of which each run counts as one blank; # begins a comment that ends with its line, in quotes
 * too. A name that another name follows is a switch and has the value 1. The interconnect's file has NAME = VALUE;
 * statements, and comments from // on.
 *
 * Nothing is looked up here: any name is taken. Errors name "FILE:LINE: reason": what is no text, a value without its
 * name, quotes or a statement without an end, a file above 1 MiB.
 * Source: GPGPU-Sim 4, src/option_parser.cc; BookSim 2's manual.
 */
#ifndef CSIM_MACHINE_GPGPUSIM_OPTIONS_H
#define CSIM_MACHINE_GPGPUSIM_OPTIONS_H

#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"

enum { GPGPUSIM_MAX_FILE = 1 << 20 /* bytes */ };

struct gpgpusim_option {
	const char *name, *value; /* "-gpgpu_n_mem", "6"; of an interconnect without "-" */
	const char *file;	  /* NULL: nobody wrote it, it is GPGPU-Sim's default */
	uint32_t line;		  /* of the name, from 1 */
};

struct gpgpusim_options {
	struct gpgpusim_option *all; /* as they were written; the last of a name holds */
	uint32_t n, cap;
	struct arena text;
};

/* Append to `o`, which begins as {0} and is freed whatever they return. path: kept, not copied. */
int gpgpusim_options_read(struct gpgpusim_options *o, const char *path, struct err *e);
int gpgpusim_options_read_icnt(struct gpgpusim_options *o, const char *path, struct err *e);
void gpgpusim_options_free(struct gpgpusim_options *o);

#endif
