/* One injection: a command of locus runs with harm (harm.h), or reads what was cut short, and what it leaves is judged.
 *
 *  - A file of its output is the older one, or not there, or whole: the bytes of an undisturbed run; with status 0,
 *    whole.
 *  - A disk that is too small is reported in a line, with status 2 (1 if it ended a run of a study or a sweep), or
 *    nothing was short.
 *  - Nothing else is left; a study's or a sweep's own folder is swept by the next call.
 *  - The same command without harm then ends as if nothing had been: same bytes. Runs that were kept are kept.
 *  - A file that was cut short is refused with one line and status 2.
 */
#ifndef TESTS_INJECT_TRIAL_H
#define TESTS_INJECT_TRIAL_H

#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"

enum trial_kind { TRIAL_KILL, TRIAL_FULL_DISK, TRIAL_FILE_LIMIT, TRIAL_CUT_FILE, TRIAL_KINDS };
enum trial_end { TRIAL_COMPLETE, TRIAL_REFUSED, TRIAL_KILLED, TRIAL_ENDS };
enum { TRIAL_COMMANDS = 6 };

extern const char *const trial_kinds[TRIAL_KINDS], *const trial_commands[TRIAL_COMMANDS];

struct trial_bench {
	char program[4096], folder[4096]; /* absolute */
	bool full_disks;
	double seconds[TRIAL_COMMANDS]; /* of an undisturbed run; < 0: not made yet */
};

/* Where is what is under test, and a folder to work in. */
int trial_bench_init(struct trial_bench *b, const char *program, const char *folder, struct err *e);

/* What a seed stands for; studies: among the commands. */
struct trial {
	uint64_t seed;
	unsigned command;
	enum trial_kind kind;
};
struct trial trial_of_seed(const struct trial_bench *b, uint64_t seed, bool studies);

/* Returns an enum trial_end, or -1 with what is wrong. */
int trial_run(struct trial_bench *b, const struct trial *t, struct err *e);

#endif
