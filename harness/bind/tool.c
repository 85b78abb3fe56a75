#include "bind/tool.h"

#include <errno.h>
#include <fcntl.h>
#include <spawn.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include "base/files/infile.h"
#include "process/progress.h"

/* The first line with an error, without the tool's own tag: "%Error: a.v:3:5: text" or "%Error-PINMISSING: ...". */
static int complain(const char *program, const char *log, int status, struct err *e)
{
	FILE *f = infile_open(log, INFILE_MOST, NULL);
	char line[700], first[700] = "";

	while (f && fgets(line, sizeof line, f)) {
		const char *tag = strstr(line, "%Error"), *text = tag ? strchr(tag, ':') : NULL;

		line[strcspn(line, "\n")] = '\0';
		if (text) {
			snprintf(first, sizeof first, "%s", text + 1 + strspn(text + 1, " "));
			break;
		}
		if (!first[0] && strstr(line, "error"))
			snprintf(first, sizeof first, "%s", line);
	}
	if (f)
		fclose(f);
	if (first[0])
		return err_set(e, "%s", first);
	return WIFSIGNALED(status) ? err_set(e, "%s: ended by %s", program, strsignal(WTERMSIG(status)))
				   : err_set(e, "%s: ended with status %d, without a message", program, WEXITSTATUS(status));
}

int bind_tool_run(const char *const argv[], const char *log, struct err *e)
{
	return bind_tool_run_in(NULL, argv, log, e);
}

int bind_tool_run_in(const char *folder, const char *const argv[], const char *log, struct err *e)
{
	posix_spawn_file_actions_t fa;
	struct progress p;
	pid_t pid;
	int rc, status;

	posix_spawn_file_actions_init(&fa);
	posix_spawn_file_actions_addopen(&fa, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_addopen(&fa, 1, log, O_WRONLY | O_CREAT | O_TRUNC, 0666);
	posix_spawn_file_actions_adddup2(&fa, 1, 2);
	if (folder)
		posix_spawn_file_actions_addchdir_np(&fa, folder);
	rc = posix_spawnp(&pid, argv[0], &fa, NULL, (char *const *)(uintptr_t)argv, environ);
	posix_spawn_file_actions_destroy(&fa);
	if (rc)
		return err_set(e, "%s cannot be run: %s (make setup installs what is missing)", argv[0], strerror(rc));
	progress_begin(&p, "building a block, %s", argv[0]);
	while ((rc = waitpid(pid, &status, 0)) < 0 && errno == EINTR)
		;
	progress_end(&p);
	if (rc < 0)
		return err_set(e, "%s: %s", argv[0], strerror(errno));
	return status == 0 ? 0 : complain(argv[0], log, status, e);
}
