#include "sweep/slurm.h"

#include <ctype.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/files/infile.h"
#include "base/files/scratch.h"
#include "process/command.h"
#include "process/interrupt.h"
#include "process/output.h"
#include "process/progress.h"
#include "sweep/shards.h"

enum {
	PATH = 4200,
	WORDS = 16 + SLURM_MAX_OPTIONS,
	PATIENCE = 120 /* looks at a controller that does not answer */,
	JOB_FILE = 4096 /* bytes */
};

static const char script[] = "#!/bin/sh\n"
			     "# A shard of a sweep, written by locus. $1: locus, $2: the sweep's folder, $3: how many shards.\n"
			     "exec \"$1\" sweep -j \"${SLURM_CPUS_PER_TASK:-1}\" -- shard \"$SLURM_ARRAY_TASK_ID\" \"$3\" \"$2\"\n";

struct wait {
	const struct sweep_options *o;
	struct sweep_store *store;
	struct progress shown;
	const volatile sig_atomic_t *stop;
	char job[32]; /* its number */
	unsigned merged;
};

static char *path_in(const char *dir, const char *name, char out[PATH])
{
	snprintf(out, PATH, "%.4000s/shards/%s", dir, name);
	return out;
}

static int write_text(const char *path, const char *text, struct err *e)
{
	struct output o;

	if (output_open(&o, path, e) != 0)
		return -1;
	fputs(text, o.f);
	return output_keep(&o, e);
}

/* ---- the job ---- */

/* The number of the job that was submitted last; false: there is none. */
static bool read_job(const char *dir, char job[32])
{
	char path[PATH];
	FILE *f = infile_open(path_in(dir, "job", path), JOB_FILE, NULL);
	bool is = f && fgets(job, 32, f);

	if (f)
		fclose(f);
	if (is)
		job[strcspn(job, "\n")] = '\0';
	return is && *job && job[strspn(job, "0123456789")] == '\0';
}

enum job_state { JOB_OVER, JOB_ALIVE, JOB_UNKNOWN };

/* Slurm forgets a job some minutes after its end. */
static enum job_state ask_job(const char *job, struct err *e)
{
	const char *const argv[] = {"squeue", "--noheader", "--jobs", job, "--format", "%T", NULL};
	struct command_output a;

	if (command_capture(argv, &a, e) != 0)
		return JOB_UNKNOWN;
	if (a.status == 0)
		return *a.out ? JOB_ALIVE : JOB_OVER;
	if (strstr(a.err, "Invalid job id"))
		return JOB_OVER;
	err_set(e, "squeue: %.*s", (int)strcspn(a.err, "\n"), a.err);
	return JOB_UNKNOWN;
}

/* "17" of "17" or "17;cluster". */
static int take_number(const char *text, char job[32], struct err *e)
{
	size_t n = strspn(text, "0123456789");

	if (n == 0 || n >= 32 || (text[n] && text[n] != ';'))
		return err_set(e, "sbatch answers \"%.100s\", which is not a job number", text);
	snprintf(job, 32, "%.*s", (int)n, text);
	return 0;
}

/* What sbatch makes of letters after a "%" in a name is not wanted. */
static const char *log_option(struct arena *a, const char *folder)
{
	return strpbrk(folder, "%\\") ? "--output=/dev/null" : arena_printf(a, "--output=%s/shards/slurm-%%a.log", folder);
}

static unsigned add_options(struct arena *a, const struct sweep_slurm *with, const char **argv, unsigned n)
{
	if (with->partition)
		argv[n++] = arena_printf(a, "--partition=%s", with->partition);
	if (with->time)
		argv[n++] = arena_printf(a, "--time=%s", with->time);
	for (unsigned i = 0; i < with->n_options; i++)
		argv[n++] = with->option[i];
	return n;
}

static int submit(struct arena *a, unsigned shards, const struct sweep_options *o, const struct sweep_slurm *with, char job[32],
		  struct err *e)
{
	char program[PATH_MAX], folder[PATH_MAX], path[PATH];
	const char *argv[WORDS];
	struct command_output answer;
	unsigned n = 0;

	if (!realpath(o->program, program) || !realpath(o->dir, folder))
		return err_set(e, "%s: %s", o->dir, strerror(errno));
	if (write_text(path_in(folder, "job.sh", path), script, e) != 0)
		return -1;
	argv[n++] = "sbatch";
	argv[n++] = "--parsable";
	argv[n++] = "--no-requeue";
	argv[n++] = "--job-name=locus-sweep";
	argv[n++] = arena_printf(a, "--array=0-%u", shards - 1);
	argv[n++] = log_option(a, folder);
	n = add_options(a, with, argv, n);
	argv[n++] = path;
	argv[n++] = program;
	argv[n++] = folder;
	argv[n++] = arena_printf(a, "%u", shards);
	argv[n] = NULL;
	if (command_capture(argv, &answer, e) != 0)
		return -1;
	if (answer.status != 0)
		return err_set(e, "sbatch: %.*s", (int)strcspn(answer.err, "\n"), answer.err);
	return take_number(answer.out, job, e) || write_text(path_in(folder, "job", path), job, e) ? -1 : 0;
}

/* ---- waiting ---- */

static int stopped(const struct wait *w, struct err *e)
{
	return err_set(e, "stopped by %s: job %s goes on, and the same command waits for it (scancel %s ends it)",
		       interrupt_name(*w->stop), w->job, w->job);
}

static int merge(struct wait *w, unsigned all, struct err *e)
{
	int rc = sweep_shards_merge(w->o->dir, w->store, &w->merged, e);

	progress_count(&w->shown, w->merged < all ? w->merged : all, all);
	return rc;
}

/* A look a second at first, then as often as a long job deserves. */
static void pause_between(const struct wait *w, unsigned look)
{
	unsigned tenths = look < 20 ? 2 : look < 120 ? 10 : 50;

	for (unsigned i = 0; i < tenths && !*w->stop; i++)
		nanosleep(&(struct timespec){.tv_nsec = 100000000}, NULL);
}

static int wait_for_job(struct wait *w, unsigned all, struct err *e)
{
	unsigned unknown = 0;

	for (unsigned look = 0;; look++) {
		struct err why = {""};
		enum job_state state = ask_job(w->job, &why);

		if (merge(w, all, e) != 0) /* what was made before it was asked */
			return -1;
		if (state == JOB_OVER)
			return 0;
		unknown = state == JOB_UNKNOWN ? unknown + 1 : 0;
		if (unknown == PATIENCE)
			return err_set(e, "%s", why.text);
		if (*w->stop)
			return stopped(w, e);
		pause_between(w, look);
	}
}

static int wait_shown(struct wait *w, unsigned all, struct err *e)
{
	int rc;

	w->merged = 0;
	progress_begin(&w->shown, "%u runs in job %s", all, w->job);
	progress_predict(&w->shown);
	w->stop = interrupt_hold();
	rc = wait_for_job(w, all, e);
	interrupt_release();
	progress_end(&w->shown);
	return rc;
}

/* No job is there: nothing in the folder is anybody's. */
static void clean_up(const char *dir)
{
	char path[PATH];

	scratch_collect(path_in(dir, "", path));
	scratch_remove(path);
}

int sweep_slurm_make(struct sweep_plan *p, struct sweep_store *s, const struct sweep_options *o, const struct sweep_slurm *with,
		     struct err *e)
{
	struct wait w = {.o = o, .store = s};
	struct sweep_missing m;
	unsigned shards;

	if (read_job(o->dir, w.job) && wait_shown(&w, sweep_runs_missing(p, s, o->retry).n, e) != 0)
		return -1;
	m = sweep_runs_missing(p, s, o->retry);
	shards = m.n < with->shards ? m.n : with->shards;
	clean_up(o->dir);
	if (m.n == 0)
		return 0;
	if (sweep_shards_write(o->dir, &m, o->memory, e) != 0 || submit(&p->arena, shards, o, with, w.job, e) != 0)
		return -1;
	if (wait_shown(&w, m.n, e) != 0)
		return -1;
	if (sweep_runs_missing(p, s, false).before.missing == 0) /* else what shards said is of use */
		clean_up(o->dir);
	return 0;
}
