#include "study/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/scratch.h"

extern char **environ;

enum { MAX_WORDS = 128 };

struct job {
	pid_t pid; /* 0: free */
	const char *args;
};

static char *path_of(const struct study_pool *p, unsigned job, const char *what, char out[8192])
{
	snprintf(out, 8192, "%s/job-%u.%s", p->work.path, job, what);
	return out;
}

static int start(const struct study_pool *p, struct job *j, unsigned number, const char *args, struct err *e)
{
	char words[2048], json[8192], log[8192], *argv[MAX_WORDS + 4], *save;
	posix_spawn_file_actions_t fa;
	unsigned n = 0;
	int rc;

	snprintf(words, sizeof words, "%s", args);
	argv[n++] = (char[]){"locus"};
	for (char *w = strtok_r(words, " ", &save); w && n < MAX_WORDS; w = strtok_r(NULL, " ", &save))
		argv[n++] = w;
	argv[n++] = (char[]){"--json"};
	argv[n++] = path_of(p, number, "json", json);
	argv[n] = NULL;
	posix_spawn_file_actions_init(&fa);
	posix_spawn_file_actions_addopen(&fa, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&fa, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&fa, 2, path_of(p, number, "log", log), O_WRONLY | O_CREAT | O_TRUNC, 0666);
	rc = posix_spawn(&j->pid, p->program, &fa, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&fa);
	j->args = args;
	if (rc == 0)
		return 0;
	j->pid = 0;
	return err_set(e, "locus %s: cannot be run: %s", args, strerror(rc));
}

static char *read_whole(const char *path)
{
	FILE *f = fopen(path, "r");
	char *text = NULL;
	size_t size = 0;

	if (f && getdelim(&text, &size, '\0', f) < 0) {
		free(text);
		text = NULL;
	}
	if (f)
		fclose(f);
	return text;
}

static int finish(const struct study_pool *p, struct job *j, unsigned number, int status, double seconds, struct err *e)
{
	char path[8192], log[8192], why[512];
	char *json = status == 0 ? read_whole(path_of(p, number, "json", path)) : NULL;
	char *said = json ? NULL : read_whole(path_of(p, number, "log", log));
	int rc = 0;

	if (json)
		rc = study_store_put(p->store, j->args, seconds, json, e);
	else if (said)
		snprintf(why, sizeof why, "%.*s", (int)strcspn(said, "\n"), said);
	else
		snprintf(why, sizeof why, WIFSIGNALED(status) ? "killed by signal %d" : "status %d",
			 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
	if (p->ended)
		p->ended(p->ctx, j->args, json ? NULL : why);
	unlink(path_of(p, number, "json", path));
	unlink(path_of(p, number, "log", log));
	free(json);
	free(said);
	j->pid = 0;
	return rc;
}

static double seconds_of(const struct timeval *t)
{
	return (double)t->tv_sec + 1e-6 * (double)t->tv_usec;
}

/* Waits for one of the jobs to end. */
static int wait_for_one(const struct study_pool *p, struct job *job, struct err *e)
{
	struct rusage used;
	int status;
	pid_t pid;

	while ((pid = wait4(-1, &status, 0, &used)) < 0)
		if (errno != EINTR)
			return err_set(e, "a run is lost: %s", strerror(errno));
	for (unsigned i = 0; i < p->jobs; i++)
		if (job[i].pid == pid)
			return finish(p, &job[i], i, status, seconds_of(&used.ru_utime) + seconds_of(&used.ru_stime), e);
	return 0;
}

static unsigned busy(const struct study_pool *p, const struct job *job)
{
	unsigned n = 0;

	for (unsigned i = 0; i < p->jobs; i++)
		n += job[i].pid != 0;
	return n;
}

int study_pool_run(struct study_pool *p, const char *const *args, unsigned n, struct err *e)
{
	struct job *job;
	int rc = 0;

	scratch_collect(p->dir);
	if (scratch_open(&p->work, p->dir, e))
		return -1;
	job = xcalloc(p->jobs, sizeof *job);
	for (unsigned next = 0; rc == 0 && (next < n || busy(p, job));) {
		for (unsigned i = 0; i < p->jobs && next < n && rc == 0; i++)
			if (!job[i].pid)
				rc = start(p, &job[i], i, args[next++], e);
		if (rc == 0)
			rc = wait_for_one(p, job, e);
	}
	while (busy(p, job) && wait_for_one(p, job, e) == 0)
		;
	free(job);
	scratch_close(&p->work);
	return rc;
}
