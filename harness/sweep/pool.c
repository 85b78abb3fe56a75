#include "sweep/pool.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <stdbool.h>
#include <string.h>
#include <time.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/alloc.h"
#include "base/arena.h"
#include "base/files/infile.h"
#include "base/files/scratch.h"
#include "process/interrupt.h"

enum { MAX_WORDS = 192, LOOK_UP = 10000000 /* nanoseconds between looks at the runs */, CANNOT_START = 126 };

struct job {
	pid_t pid; /* 0: free */
	const char *args;
	unsigned index;
};

static char *path_of(const struct sweep_pool *p, unsigned job, const char *what, char out[8192])
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

/* 0, 1 and 2 of a run: nobody types, nobody reads, and its complaint. */
static void redirect(const char *log)
{
	int null = open("/dev/null", O_RDWR), said = open(log, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	if (null < 0 || said < 0 || dup2(null, 0) < 0 || dup2(null, 1) < 0 || dup2(said, 2) < 0)
		_exit(CANNOT_START);
	close(null);
	close(said);
}

/* Ours, but that a run has one host thread: as many runs go on as there is room for. The caller frees it. */
static char **environment_of_runs(void)
{
	static char one[] = "LOCUS_THREADS=1";
	size_t n = 0, kept = 0;
	char **e;

	while (environ[n])
		n++;
	e = xcalloc(n + 2, sizeof *e);
	for (size_t i = 0; i < n; i++)
		if (strncmp(environ[i], one, sizeof "LOCUS_THREADS=" - 1))
			e[kept++] = environ[i];
	e[kept] = one;
	return e;
}

/* In the new process, in which nothing but system calls is safe: others have threads. */
_Noreturn static void become(const struct sweep_pool *p, pid_t parent, const char *log, char *const *argv, char *const *env)
{
	struct rlimit limit = {(rlim_t)p->memory, (rlim_t)p->memory};

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	if (getppid() != parent) /* it has ended already */
		_exit(CANNOT_START);
	redirect(log);
	if (p->memory)
		setrlimit(RLIMIT_AS, &limit);
	execve(p->program, argv, env);
	dprintf(2, "locus: cannot be run: errno %d\n", errno);
	_exit(CANNOT_START);
}

static int start(const struct sweep_pool *p, struct job *j, unsigned slot, const char *const *args, unsigned index, struct err *e)
{
	char *words = xstrdup(args[index]), json[8192], log[8192], *argv[MAX_WORDS + 4], **env = environment_of_runs();
	pid_t self = getpid();
	unsigned n = 0;
	int rc = 0;

	argv[n++] = (char[]){"locus"};
	n += split(words, argv + n, MAX_WORDS);
	argv[n++] = (char[]){"--json"};
	argv[n++] = path_of(p, slot, "json", json);
	argv[n] = NULL;
	path_of(p, slot, "log", log);
	*j = (struct job){fork(), args[index], index};
	if (j->pid == 0)
		become(p, self, log, argv, env);
	if (j->pid < 0) {
		j->pid = 0;
		rc = err_set(e, "locus %s: cannot be run: %s", args[index], strerror(errno));
	}
	free(env);
	free(words);
	return rc;
}

static char *read_whole(const char *path)
{
	size_t n = 0;
	char *text = infile_text(path, INFILE_MOST, &n, NULL);

	if (n)
		return text;
	free(text);
	return NULL;
}

/* From its first line on: progress comes before it. */
static const char *complaint(const char *said)
{
	const char *line = strstr(said, "locus: ");

	return line ? line + strlen("locus: ") : said;
}

/* As the program itself ends by such a signal, and as anything else does. */
static bool by_interrupt(int status)
{
	int n = WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status) - 128;

	return n == SIGINT || n == SIGTERM || n == SIGHUP;
}

static void describe_failure(char *why, size_t size, int status, const char *said)
{
	if (said)
		snprintf(why, size, "%.*s", (int)strcspn(complaint(said), "\n"), complaint(said));
	else
		snprintf(why, size, WIFSIGNALED(status) ? "killed by signal %d" : "status %d",
			 WIFSIGNALED(status) ? WTERMSIG(status) : WEXITSTATUS(status));
}

static int finish(const struct sweep_pool *p, struct job *j, unsigned slot, int status, double seconds, struct err *e)
{
	char path[8192], log[8192], why[512] = "";
	char *json = status == 0 ? read_whole(path_of(p, slot, "json", path)) : NULL;
	char *said = json ? NULL : read_whole(path_of(p, slot, "log", log));
	int rc;

	if (!json)
		describe_failure(why, sizeof why, status, said);
	rc = p->ended(p->ctx,
		      &(struct sweep_end){.index = j->index,
					  .args = j->args,
					  .seconds = seconds,
					  .json = json,
					  .why = json ? NULL : why,
					  .interrupted = !json && by_interrupt(status)},
		      e);
	unlink(path_of(p, slot, "json", path));
	unlink(path_of(p, slot, "log", log));
	free(json);
	free(said);
	j->pid = 0;
	return rc;
}

static double seconds_of(const struct timeval *t)
{
	return (double)t->tv_sec + 1e-6 * (double)t->tv_usec;
}

static bool stopped(const struct sweep_pool *p)
{
	return p->stop && *p->stop;
}

/* Waits for one of the jobs to end, or for the stop. */
static int wait_for_one(const struct sweep_pool *p, struct job *job, struct err *e)
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

static unsigned busy(const struct sweep_pool *p, const struct job *job)
{
	unsigned n = 0;

	for (unsigned i = 0; i < p->jobs; i++)
		n += job[i].pid != 0;
	return n;
}

/* Those that still run after a failure: they have done nothing that would be worth waiting for. */
static void end_all(const struct sweep_pool *p, struct job *job)
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

int sweep_pool_run(struct sweep_pool *p, const char *const *args, unsigned n, struct err *e)
{
	struct job *job;
	int rc = 0;

	if (access(p->program, X_OK) != 0)
		return err_set(e, "%s: cannot be run: %s", p->program, strerror(errno));
	if (scratch_open(&p->work, p->dir, e))
		return -1;
	job = xcalloc(p->jobs, sizeof *job);
	for (unsigned next = 0; rc == 0 && (next < n || busy(p, job));) {
		for (unsigned i = 0; i < p->jobs && next < n && rc == 0; i++)
			if (!job[i].pid)
				rc = start(p, &job[i], i, args, next++, e);
		if (rc == 0)
			rc = wait_for_one(p, job, e);
	}
	end_all(p, job);
	free(job);
	scratch_close(&p->work);
	return rc;
}

const char *sweep_pool_quoted(struct arena *a, const char *text)
{
	char *all = arena_alloc(a, 2 * strlen(text) + 3), *to = all;

	*to++ = '\'';
	for (; *text; text++) {
		if (*text == '\'')
			*to++ = '\'';
		*to++ = *text;
	}
	memcpy(to, "'", 2);
	return all;
}
