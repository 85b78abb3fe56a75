/* A program that is harmed while it runs: killed at some moment, or short of disk.
 *
 * It runs in a folder of its own, the disk: a tmpfs in a mount namespace that nobody else sees, which
 * takes no privilege where the system lets users have namespaces. Where it does not, a disk is a common folder and
 * never full; RLIMIT_FSIZE still cuts files.
 */
#ifndef TESTS_INJECT_HARM_H
#define TESTS_INJECT_HARM_H

#include <stdbool.h>
#include <stdint.h>

struct harm {
	double kill_after;  /* seconds; < 0: never */
	bool kill_children; /* with the program; else they become orphans and run on */
	int64_t file_limit; /* bytes that a file may have; < 0: any */
};
#define HARM_NONE ((struct harm){.kill_after = -1, .file_limit = -1})

/* Once, before all else. Returns whether disks can be full. */
bool harm_prepare(void);

/* An empty disk at the path, with room for all. Returns 0, or -1 with errno, as the next two do. */
int harm_disk_new(const char *path);
/* From now on there is room for so many bytes more (whole pages). */
int harm_disk_limit(const char *path, uint64_t bytes);
/* There is room again. */
int harm_disk_grow(const char *path);
void harm_disk_remove(const char *path);

/* What came of it. */
struct harmed {
	int status;	/* exit status; 128 + signal if it was killed */
	double seconds; /* that it took */
};

/* Runs words ("locus" is the first) by the shell in the disk with harm, standard output and standard error in the files
 * `out` and `err`, and waits for it and whatever it left running. */
struct harmed harm_run(const char *program, const char *words, const char *disk, const char *out, const char *err,
		       struct harm harm);

#endif
