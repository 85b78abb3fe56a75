/* What has been soaked of a block as it is now: which seeds, in how much time.
 *
 * Two files of a folder know. `published` is a copy of docs/results/soak.md with a row for each block, so that a fresh
 * clone goes on where the last one ended; it may be missing. The block's own has a line for each turn of this clone:
 * version, shape, first seed, seeds, steps, CPU seconds; a turn of which the table tells already does not count twice.
 * The version is a hash of the block's sources (scripts/source-version soak): what was run of another version does not
 * count.
 */
#ifndef TESTS_SOAK_LEDGER_H
#define TESTS_SOAK_LEDGER_H

#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "hw/block.h"

enum { LEDGER_SEED_STEPS = 50000, LEDGER_TURN_SEEDS = 4, LEDGER_VERSION = 17 };

struct ledger {
	char version[LEDGER_VERSION]; /* 16 hexadecimal digits */
	uint64_t seeds;		      /* 1 to this */
	double seconds;		      /* of CPU */
};

static inline uint64_t ledger_steps(const struct ledger *l)
{
	return l->seeds * LEDGER_SEED_STEPS;
}

/* -1: the block's files cannot be read. */
int ledger_read(struct ledger *l, const struct hw_block *b, const char *folder, struct err *e);

/* The folder's file of the block, to add to. NULL: it cannot be written. */
FILE *ledger_open(const struct hw_block *b, const char *folder, struct err *e);

/* Notes a turn of LEDGER_TURN_SEEDS seeds. -1: it was not written. */
int ledger_note(const struct ledger *l, FILE *to, const char *shape, uint64_t first_seed, double seconds, struct err *e);

/* A row of the table, or what the published one says of another version as long as nothing of this one was run. shapes:
 * how many the block has. */
void ledger_row(const struct ledger *l, const struct hw_block *b, unsigned shapes, const char *folder, FILE *to);

#endif
