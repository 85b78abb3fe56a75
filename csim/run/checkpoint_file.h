/* The file of a checkpoint (run/checkpoint.h): a head, then, compressed, what the head says.
 *
 *     words     those of the region that pointed outside of it when the run had been built: offset and value
 *     beside    memory outside the region that belongs to the run
 *     image     the region
 *
 * All of it is under checksums, which are compared before any of it is used: what is cut short or has a bit turned is
 * refused. Who can write a file with right checksums decides what this process does; so a file that belongs to another
 * user is refused too.
 */
#ifndef CSIM_RUN_CHECKPOINT_FILE_H
#define CSIM_RUN_CHECKPOINT_FILE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct checkpoint_head {
	char magic[16];
	uint64_t hash; /* of this head with 0 here */
	/* What the run is of: hashes. */
	uint64_t program, machine, trace, plan;
	uint64_t cycle;		       /* core cycle that has not been stepped */
	uint64_t built, built_hash;    /* bytes of the region when the run had been built; how they were taken */
	uint64_t words, beside, image; /* words; bytes */
	uint64_t packed, packed_hash;
	uint64_t shares;
};

struct checkpoint_word {
	uint64_t at, value; /* at: bytes from the region's begin */
};

/* Parts of the content, in order. */
struct checkpoint_part {
	const void *at;
	size_t bytes;
};

/* A checkpoint takes the place of what has its name: a device must not be lost so. */
int checkpoint_check_path(const char *path, struct err *e);
/* Makes the file, whole or not at all; fills in magic, packed and the hashes of both. */
int checkpoint_write(const char *path, struct checkpoint_head *h, const struct checkpoint_part *part, unsigned n, struct err *e);

struct checkpoint_file {
	const char *path;
	struct checkpoint_head head;
	void *packed;
	struct checkpoint_word *word;
	size_t taken; /* of packed */
	void *stream;
};

/* Reads and checks it, and unpacks its words. On an error there is nothing to close. */
int checkpoint_open(struct checkpoint_file *f, const char *path, struct err *e);
void checkpoint_close(struct checkpoint_file *f);
/* Unpacks the next bytes, which are behind the words at first. */
int checkpoint_take(struct checkpoint_file *f, void *to, size_t bytes, struct err *e);

/* A hash of the program that runs. */
int checkpoint_program(uint64_t *hash, struct err *e);

#endif
