#include "support/contract.h"

#include <criterion/criterion.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* What the child says before it ends; its status. */
static int run(void (*how)(void), char *said, size_t room)
{
	int ends[2], status;
	size_t n = 0;
	ssize_t got;
	pid_t child;

	cr_assert_eq(pipe(ends), 0);
	fflush(NULL);
	child = fork();
	cr_assert_geq(child, 0);
	if (child == 0) {
		signal(SIGABRT, SIG_DFL);
		dup2(ends[1], STDERR_FILENO);
		how();
		_exit(0);
	}
	close(ends[1]);
	while ((got = read(ends[0], said + n, room - 1 - n)) > 0)
		n += (size_t)got;
	said[n] = '\0';
	close(ends[0]);
	cr_assert_eq(waitpid(child, &status, 0), child);
	return status;
}

void contract_check(const struct broken *b, size_t n)
{
	for (size_t i = 0; i < n; i++) {
		char said[1024], wanted[128];
		int status = run(b[i].how, said, sizeof said);

		snprintf(wanted, sizeof wanted, "internal error in %s at cycle", b[i].component);
		cr_expect(WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT, "%s: it goes on: %s", b[i].what, said);
		cr_expect(strstr(said, wanted) && strstr(said, b[i].says), "%s: %s", b[i].what, said);
	}
}
