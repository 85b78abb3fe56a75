/* What the parts of the import share: the machine as it grows, and how one rule of the table reads its option. */
#ifndef CSIM_MACHINE_GPGPUSIM_IMPORT_IMPL_H
#define CSIM_MACHINE_GPGPUSIM_IMPORT_IMPL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/arena.h"
#include "base/err.h"
#include "machine/gpgpusim/import.h"
#include "machine/gpgpusim/options.h"
#include "machine/schema.h"

enum { GPGPUSIM_MAX_RULES = 256, GPGPUSIM_MAX_FIELDS = 32 };

struct gpgpusim_note { /* a line of the list */
	const struct gpgpusim_option *option;
	const char *why;
	uint32_t number; /* of the notes in the order in which they were made */
};

struct gpgpusim_import {
	struct gpgpusim_options options;
	const struct gpgpusim_option *of[GPGPUSIM_MAX_RULES]; /* what a rule reads; NULL: the files do not say it */
	struct gpgpusim_option fallback[GPGPUSIM_MAX_RULES];
	struct machine m, base;
	const char *base_name;
	const char *from[MACHINE_MAX_KEYS]; /* by index in the schema: the comment of a key; NULL: it is the base's */
	struct gpgpusim_note *note;
	uint32_t n_notes, cap_notes;
	struct arena text;
};

struct gpgpusim_rule;
typedef int gpgpusim_take(struct gpgpusim_import *i, const struct gpgpusim_rule *r, const struct gpgpusim_option *o, struct err *e);

struct gpgpusim_rule {
	const char *option;
	gpgpusim_take *take;  /* NULL: there is no key for it */
	const char *keys;     /* what `take` sets, as it wants them */
	const char *fallback; /* GPGPU-Sim 4's default, where silence means that; NULL: silence means the base's */
	const char *why;      /* why there is no key; or what `take` says of a value without a counterpart */
	const char *same;     /* the value of an option without a key that says what the model does anyway */
};

extern const struct gpgpusim_rule gpgpusim_rules[]; /* ends with a NULL option */

/* ---- what a `take` does ---- */

/* Sets a key from text; the key's comment names the option. Errors: "FILE:LINE: OPTION: KEY: reason". */
int import_set(struct gpgpusim_import *i, const struct gpgpusim_option *o, const char *key, const char *text, struct err *e);
int import_set_number(struct gpgpusim_import *i, const struct gpgpusim_option *o, const char *key, uint64_t v, struct err *e);
/* One more option in the comment of a key that is set. */
void import_also(struct gpgpusim_import *i, const char *key, const struct gpgpusim_option *o);

/* "FILE:LINE: OPTION VALUE: reason". Always returns -1. */
int import_wrong(const struct gpgpusim_option *o, struct err *e, const char *fmt, ...) __attribute__((format(printf, 3, 4)));

/* Puts an option of the files on the list. A default is nobody's and is not listed. */
void import_note(struct gpgpusim_import *i, const struct gpgpusim_option *o, const char *why);

/* What the option is, by the files or by its default; NULL: neither says it. The name must be in the table. */
const struct gpgpusim_option *import_option(const struct gpgpusim_import *i, const char *name);

/* A whole number up to 2^32 - 1. */
int import_number(const struct gpgpusim_option *o, const char *text, uint64_t *v, struct err *e);

/* Cuts a copy of the text at each of the separators; if a blank is one, at runs of them. The fields are in *i's memory.
 * Errors: none, or too many. */
int import_split(struct gpgpusim_import *i, const struct gpgpusim_option *o, const char *text, const char *separators,
		 char *field[GPGPUSIM_MAX_FIELDS], unsigned *n, struct err *e);

/* ---- what options become ---- */

gpgpusim_take take_number;	/* keys: one */
gpgpusim_take take_first;	/* the first of numbers with ":" between; keys: one */
gpgpusim_take take_product;	/* two options' numbers multiplied; keys: "KEY OTHER-OPTION" */
gpgpusim_take take_part;	/* is read with another option; keys: that one */
gpgpusim_take take_choice;	/* words for words; keys: "KEY THEIRS=OURS ...", "*" for any */
gpgpusim_take take_clocks;	/* MHz with fractions, ":" between; keys: as many */
gpgpusim_take take_operations;	/* add, max, mul, mad, div and further ones; keys: one of five numbers */
gpgpusim_take take_pipeline;	/* "THREADS:32" */
gpgpusim_take take_capability;	/* keys: the minor number's option */
gpgpusim_take take_collectors;	/* collectors by kind of unit, or none that we have */
gpgpusim_take take_crossbar;	/* a setting of the crossbar that only network_mode KEYS has; keys: "MODE KEY" */
gpgpusim_take take_cache;	/* keys: the prefix, and the policies that ours has: "l1 NLLmN" */
gpgpusim_take take_bank_bytes;	/* of an L1 of sectors */
gpgpusim_take take_unified;	/* L1 and shared memory share an array; keys: its size, and the carve-outs, in KB */
gpgpusim_take take_dram_burst;	/* with bus width, chips and ratio of clocks */
gpgpusim_take take_dram_timing; /* "nbk=16:CCD=2:..." or numbers in their order */
gpgpusim_take take_dram_map;	/* "dramid@8;0000RRRR..." */
gpgpusim_take take_dram_writes; /* of the write queue: size, where a drain starts and ends */
gpgpusim_take take_partitions;	/* the hash of channels */

#endif
