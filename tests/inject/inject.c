/* inject RUNS FOLDER LOCUS: commands of locus are killed, run short of disk and given files that were cut short, so
 * many times, drawn from seeds (trial.h).
 *      inject --seed N FOLDER LOCUS: that one again. inject --table FOLDER: what was run, as docs/results/robustness.md
 * has it. --no-study ahead of all: without studies, whose undisturbed run takes a minute.
 *
 * Each adds a line to FOLDER/trials: seed, command, kind, end. A call goes on with the seed after the last.
 * Exit status 1: something was lost, half-written or left; a line says what, and the seed. 2: a bad argument.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "inject/trial.h"

enum { MOST = 10000000, LINE_BYTES = 256 };

struct record {
	uint64_t last_seed, trials;
	unsigned long count[TRIAL_COMMANDS][TRIAL_KINDS][TRIAL_ENDS];
};

static void path_of(char *path, size_t size, const char *folder)
{
	snprintf(path, size, "%s/trials", folder);
}

static void read_record(const char *folder, struct record *r)
{
	char path[4200], line[LINE_BYTES];
	FILE *f;

	memset(r, 0, sizeof *r);
	path_of(path, sizeof path, folder);
	f = fopen(path, "r");
	while (f && fgets(line, sizeof line, f)) {
		unsigned command, kind, end;
		unsigned long seed;

		/* A line that a kill has cut does not count, nor does its trial. */
		if (!strchr(line, '\n') || sscanf(line, "%lu|%u|%u|%u", &seed, &command, &kind, &end) != 4 ||
		    command >= TRIAL_COMMANDS || kind >= TRIAL_KINDS || end >= TRIAL_ENDS)
			continue;
		r->last_seed = seed;
		r->trials++;
		r->count[command][kind][end]++;
	}
	if (f)
		fclose(f);
}

static int note(const char *folder, const struct trial *t, int end, struct err *e)
{
	char path[4200];
	FILE *f;

	path_of(path, sizeof path, folder);
	f = fopen(path, "a");
	if (!f || fprintf(f, "%lu|%u|%u|%d\n", t->seed, t->command, (unsigned)t->kind, end) < 0 || fclose(f) != 0)
		return err_set(e, "%s: cannot be written", path), 2;
	return 0;
}

static int one(struct trial_bench *b, uint64_t seed, bool studies, bool keep, struct err *e)
{
	struct trial t = trial_of_seed(b, seed, studies);
	int end = trial_run(b, &t, e);

	if (end < 0)
		return err_prefix(e, "seed %lu, %s, %s", seed, trial_commands[t.command], trial_kinds[t.kind]), 1;
	return keep ? note(b->folder, &t, end, e) : 0;
}

static void print_row(const struct record *r, unsigned command, unsigned kind)
{
	const unsigned long *n = r->count[command][kind];

	if (n[TRIAL_COMPLETE] + n[TRIAL_REFUSED] + n[TRIAL_KILLED])
		printf("| `%s` | %s | %lu | %lu | %lu | %lu |\n", trial_commands[command], trial_kinds[kind],
		       n[TRIAL_COMPLETE] + n[TRIAL_REFUSED] + n[TRIAL_KILLED], n[TRIAL_KILLED], n[TRIAL_REFUSED],
		       n[TRIAL_COMPLETE]);
}

static int print_table(const char *folder, struct err *e)
{
	struct record r;

	read_record(folder, &r);
	if (!r.trials)
		return err_set(e, "%s/trials: holds no trial; run inject NUMBER %s LOCUS first", folder, folder), 2;
	puts("| command | what was done to it | times | was killed | ended with a line | was complete |");
	puts("| --- | --- | ---: | ---: | ---: | ---: |");
	for (unsigned c = 0; c < TRIAL_COMMANDS; c++)
		for (unsigned k = 0; k < TRIAL_KINDS; k++)
			print_row(&r, c, k);
	printf("\n%lu injections, seeds up to %lu. Nothing was lost, half-written or left behind in any that is counted.\n",
	       r.trials, r.last_seed);
	return 0;
}

static int number(const char *text, uint64_t *n, struct err *e)
{
	char *end;

	errno = 0;
	*n = strtoull(text, &end, 10);
	if (*end || end == text || errno || *n < 1 || *n > MOST || *text == '-')
		return err_set(e, "\"%s\" is not a number of 1 to %d", text, MOST);
	return 0;
}

static int run(int n, char **arg, struct err *e)
{
	bool studies = !(n && !strcmp(arg[0], "--no-study")), again;
	struct trial_bench b;
	struct record r;
	uint64_t wanted;
	int rc = 0;

	n -= !studies;
	arg += !studies;
	if (n == 2 && !strcmp(arg[0], "--table"))
		return print_table(arg[1], e);
	again = n == 4 && !strcmp(arg[0], "--seed");
	if (n != 3 && !again)
		return err_set(e, "usage: inject [--no-study] [--seed] NUMBER FOLDER LOCUS, inject --table FOLDER"), 2;
	arg += again;
	if (number(arg[0], &wanted, e) || trial_bench_init(&b, arg[2], arg[1], e))
		return 2;
	if (again)
		return one(&b, wanted, studies, false, e);
	if (!b.full_disks)
		fputs("inject: no file system can be mounted here: disks are never full, files are limited\n", stderr);
	read_record(b.folder, &r);
	for (uint64_t i = r.trials; i < wanted && rc == 0; i++)
		rc = one(&b, r.last_seed + 1 + i - r.trials, studies, true, e);
	return rc;
}

int main(int argc, char **argv)
{
	struct err e = {""};
	int rc = run(argc - 1, argv + 1, &e);

	if (rc)
		fprintf(stderr, "inject: %s\n", e.text);
	return rc;
}
