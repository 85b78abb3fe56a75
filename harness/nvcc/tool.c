/* Runs one program of a build. */
#include <errno.h>
#include <signal.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "nvcc/nvcc.h"
#include "process/interrupt.h"

/* A word as a shell would take it again. */
static void print_word(const char *s)
{
	static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";

	if (*s && s[strspn(s, plain)] == '\0') {
		fputs(s, stderr);
		return;
	}
	fputc('\'', stderr);
	for (; *s; s++)
		if (*s == '\'')
			fputs("'\\''", stderr);
		else
			fputc(*s, stderr);
	fputc('\'', stderr);
}

static void print_command(const struct nvcc_words *w)
{
	fputs("#$", stderr);
	for (unsigned i = 0; i < w->n; i++) {
		fputc(' ', stderr);
		print_word(w->word[i]);
	}
	fputc('\n', stderr);
}

/* A signal that stops us stops it, whoever else got it. */
static int await(const char *name, pid_t pid, int *status, struct err *e)
{
	while (waitpid(pid, status, 0) < 0) {
		if (errno != EINTR)
			return err_set(e, "%s is lost: %s", name, strerror(errno));
		if (interrupt_taken())
			kill(pid, SIGTERM);
	}
	return 0;
}

static int run(const struct nvcc_words *w, struct err *e)
{
	pid_t pid;
	int status, rc = posix_spawnp(&pid, w->word[0], NULL, NULL, (char *const *)(uintptr_t)w->word, environ);

	if (rc)
		return err_set(e, "%s cannot be run: %s (make setup installs what is missing)", w->word[0], strerror(rc));
	if (await(w->word[0], pid, &status, e))
		return -1;
	if (interrupt_taken())
		return err_set(e, "stopped by %s", interrupt_name(interrupt_taken()));
	return WIFSIGNALED(status) ? err_set(e, "%s: ended by %s", w->word[0], strsignal(WTERMSIG(status))) : WEXITSTATUS(status);
}

int nvcc_tool(const struct nvcc_job *j, const struct nvcc_words *w, struct err *e)
{
	if (j->dry_run || j->verbose)
		print_command(w);
	fflush(NULL);
	return j->dry_run ? 0 : run(w, e);
}
