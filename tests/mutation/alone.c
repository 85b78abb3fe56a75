#include "mutation/alone.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/panic.h"

/* No core file, no limit but that of time; a handler of the program's would run in the child as well. */
static void limit(double seconds)
{
	struct itimerval t = {.it_value = {.tv_sec = (time_t)seconds, .tv_usec = (suseconds_t)((seconds - (time_t)seconds) * 1e6)}};

	setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0});
	signal(SIGPROF, SIG_DFL);
	setitimer(ITIMER_PROF, &t, NULL);
}

enum alone_end alone_run(bool (*ask)(void *ctx), void *ctx, double seconds)
{
	int status = 0;
	pid_t child;

	fflush(stdout);
	child = fork();
	PANIC_UNLESS(child >= 0, "mutation: no further process", 0);
	if (child == 0) {
		bool yes;

		limit(seconds);
		if (!freopen("/dev/null", "w", stderr))
			_exit(ALONE_CRASH);
		yes = ask(ctx);
		fflush(stdout);
		_exit(yes ? ALONE_YES : ALONE_NO);
	}
	PANIC_UNLESS(waitpid(child, &status, 0) == child, "mutation: the process is lost", 0);
	if (WIFEXITED(status))
		return (enum alone_end)WEXITSTATUS(status) > ALONE_YES ? ALONE_CRASH : (enum alone_end)WEXITSTATUS(status);
	return WTERMSIG(status) == SIGPROF ? ALONE_HANG : ALONE_CRASH;
}
