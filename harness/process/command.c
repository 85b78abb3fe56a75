#include "process/command.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void take(FILE *from, char text[COMMAND_TEXT])
{
	size_t n;

	rewind(from);
	n = fread(text, 1, COMMAND_TEXT - 1, from);
	while (n && text[n - 1] == '\n')
		n--;
	text[n] = '\0';
}

static int run(const char *const *argv, FILE *out, FILE *err, int *status, struct err *e)
{
	posix_spawn_file_actions_t fa;
	pid_t pid;
	int rc;

	posix_spawn_file_actions_init(&fa);
	posix_spawn_file_actions_addopen(&fa, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(&fa, fileno(out), 1);
	posix_spawn_file_actions_adddup2(&fa, fileno(err), 2);
	rc = posix_spawnp(&pid, argv[0], &fa, NULL, (char *const *)(uintptr_t)argv, environ);
	posix_spawn_file_actions_destroy(&fa);
	if (rc)
		return err_set(e, "%s cannot be run: %s", argv[0], strerror(rc));
	while (waitpid(pid, status, 0) < 0)
		if (errno != EINTR)
			return err_set(e, "%s is lost: %s", argv[0], strerror(errno));
	*status = WIFSIGNALED(*status) ? 128 + WTERMSIG(*status) : WEXITSTATUS(*status);
	return 0;
}

int command_capture(const char *const *argv, struct command_output *a, struct err *e)
{
	FILE *out = tmpfile(), *err = tmpfile();
	int rc = out && err ? run(argv, out, err, &a->status, e) : err_set(e, "%s cannot be run: %s", argv[0], strerror(errno));

	if (rc == 0) {
		take(out, a->out);
		take(err, a->err);
	}
	if (out)
		fclose(out);
	if (err)
		fclose(err);
	return rc;
}
