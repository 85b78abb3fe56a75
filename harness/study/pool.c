#include "study/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/arena.h"
#include "base/files/scratch.h"
#include "process/interrupt.h"

enum { MAX_WORDS = 128, LOOK_UP = 10000000 /* nanoseconds between looks at the runs */ };

struct job {
	pid_t pid; /* 0: free */
	const char *args;
};

static char *path_of(const struct study_pool *p, unsigned job, const char *what, char out[8192])
{
	snprintf(out, 8192, "%s/job-%u.%s", p->work.path, job, what);
	return out;
}

/* Cuts the text at its blanks into words, in place. Between single quotes a blank is like any letter, and two of them
 * are one. */
static unsigned split(char *text, char **word, unsigned most)
{
	unsigned n = 0;

	for (char *in = text + strspn(text, " "); *in && n < most; in += strspn(in, " ")) {
		char *out = in;
		bool quoted = false;

		for (word[n++] = in; *in && (quoted || *in != ' '); in++) {
			if (*in != '\'')
				*out++ = *in;
			else if (quoted && in[1] == '\'')
				*out++ = *in++;
			else
				quoted = !quoted;
		}
		in += *in != '\0';
		*out = '\0';
	}
	return n;
}

static int start(const struct study_pool *p, struct job *j, unsigned number, const char *args, struct err *e)
{
	char *words = xstrdup(args), json[8192], log[8192], *argv[MAX_WORDS + 4];
	posix_spawn_file_actions_t fa;
	unsigned n = 0;
	int rc;

	argv[n++] = (char[]){"locus"};
	n += split(words, argv + n, MAX_WORDS);
	argv[n++] = (char[]){"--json"};
	argv[n++] = path_of(p, number, "json", json);
	argv[n] = NULL;
	posix_spawn_file_actions_init(&fa);
	posix_spawn_file_actions_addopen(&fa, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&fa, 1, "/dev/null", O_WRONLY, 0);
	posix_spawn_file_actions_addopen(&fa, 2, path_of(p, number, "log", log), O_WRONLY | O_CREAT | O_TRUNC, 0666);
	rc = posix_spawn(&j->pid, p->program, &fa, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&fa);
	free(words);
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
	struct stat st;

	if (f && fstat(fileno(f), &st) == 0 && st.st_size > 0) {
		text = xmalloc((size_t)st.st_size + 1);
		text[fread(text, 1, (size_t)st.st_size, f)] = '\0';
	}
	if (f)
		fclose(f);
	return text;
}

/* From its first line on: progress comes before it. */
static const char *complaint(const char *said)
{
	const char *line = strstr(said, "locus: ");

	return line ? line : said;
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
		snprintf(why, sizeof why, "%.*s", (int)strcspn(complaint(said), "\n"), complaint(said));
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

static bool stopped(const struct study_pool *p)
{
	return p->stop && *p->stop;
}

/* Waits for one of the jobs to end, or for the stop. */
static int wait_for_one(const struct study_pool *p, struct job *job, struct err *e)
{
	struct rusage used;
	int status;
	pid_t pid;

	while ((pid = wait4(-1, &status, WNOHANG, &used)) == 0 && !stopped(p))
		nanosleep(&(struct timespec){.tv_nsec = LOOK_UP}, NULL); /* a signal ends the sleep; a wait would go
									  * on */
	if (pid == 0)
		return err_set(e, "stopped by %s: what is done is kept", interrupt_name(*p->stop));
	if (pid < 0)
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

/* Those that still run after a failure: they have done nothing that would be worth waiting for. */
static void end_all(const struct study_pool *p, struct job *job)
{
	char path[8192];

	for (unsigned i = 0; i < p->jobs; i++)
		if (job[i].pid)
			kill(job[i].pid, SIGTERM);
	for (unsigned i = 0; i < p->jobs; i++) {
		if (!job[i].pid)
			continue;
		while (waitpid(job[i].pid, NULL, 0) < 0 && errno == EINTR)
			;
		unlink(path_of(p, i, "json", path));
		unlink(path_of(p, i, "log", path));
	}
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
	end_all(p, job);
	free(job);
	scratch_close(&p->work);
	return rc;
}
