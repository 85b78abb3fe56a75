/* cost COMMAND...: runs the command, its standard output thrown away, and prints what it took: CPU seconds, user and
 * system, and the peak of its resident memory in MB (10^6 bytes). Ends with the command's exit status. */
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>

extern char **environ;

static double seconds(struct timeval t)
{
	return (double)t.tv_sec + (double)t.tv_usec * 1e-6;
}

int main(int argc, char **argv)
{
	posix_spawn_file_actions_t quiet;
	struct rusage used;
	int status;
	pid_t child;

	posix_spawn_file_actions_init(&quiet);
	posix_spawn_file_actions_addopen(&quiet, 1, "/dev/null", O_WRONLY, 0);
	if (argc < 2 || posix_spawnp(&child, argv[1], &quiet, NULL, argv + 1, environ) || wait4(child, &status, 0, &used) < 0) {
		fprintf(stderr, "cost: cannot run %s\n", argc < 2 ? "nothing" : argv[1]);
		return 127;
	}
	posix_spawn_file_actions_destroy(&quiet);
	printf("%.4f %.2f\n", seconds(used.ru_utime) + seconds(used.ru_stime), (double)used.ru_maxrss * 1024e-6);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}
