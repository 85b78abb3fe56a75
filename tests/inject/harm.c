#include "inject/harm.h"

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { ROOM = 1 << 28 };

static bool full_disks;

static int put(const char *path, const char *text)
{
	int fd = open(path, O_WRONLY);
	ssize_t n = fd < 0 ? -1 : write(fd, text, strlen(text));

	if (fd >= 0)
		close(fd);
	return n < 0 ? -1 : 0;
}

bool harm_prepare(void)
{
	char uid[64], gid[64];

	snprintf(uid, sizeof uid, "0 %u 1", (unsigned)getuid());
	snprintf(gid, sizeof gid, "0 %u 1", (unsigned)getgid());
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	full_disks = unshare(CLONE_NEWUSER | CLONE_NEWNS) == 0 && put("/proc/self/setgroups", "deny") == 0 &&
		     put("/proc/self/uid_map", uid) == 0 && put("/proc/self/gid_map", gid) == 0;
	return full_disks;
}

static int mount_disk(const char *path, uint64_t bytes, unsigned long flags)
{
	char size[64];

	snprintf(size, sizeof size, "size=%llu,mode=0755", (unsigned long long)bytes);
	return mount("none", path, "tmpfs", flags, size);
}

int harm_disk_new(const char *path)
{
	if (mkdir(path, 0777) < 0 && errno != EEXIST)
		return -1;
	return full_disks ? mount_disk(path, ROOM, 0) : 0;
}

int harm_disk_limit(const char *path, uint64_t bytes)
{
	struct statvfs v;

	if (statvfs(path, &v) != 0)
		return -1;
	return mount_disk(path, (v.f_blocks - v.f_bfree) * v.f_bsize + bytes, MS_REMOUNT);
}

int harm_disk_grow(const char *path)
{
	return full_disks ? mount_disk(path, ROOM, MS_REMOUNT) : 0;
}

void harm_disk_remove(const char *path)
{
	char command[8300];

	if (full_disks && umount(path) == 0)
		return;
	snprintf(command, sizeof command, "rm -rf '%s'", path);
	if (system(command) != 0)
		fprintf(stderr, "inject: %s cannot be removed\n", path);
}

static void to_file(const char *path, int as)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC, 0666);

	if (fd < 0 || dup2(fd, as) < 0)
		_exit(126);
	close(fd);
}

/* The shell becomes the program: what is killed is the program itself. */
static void become(const char *program, const char *words, const char *disk, const struct harm *harm)
{
	char line[8192];

	snprintf(line, sizeof line, "exec \"$0\" %s", words);
	if (chdir(disk) != 0)
		_exit(126);
	if (harm->file_limit >= 0) {
		struct rlimit limit = {(rlim_t)harm->file_limit, (rlim_t)harm->file_limit};

		signal(SIGXFSZ, SIG_IGN);
		setrlimit(RLIMIT_FSIZE, &limit);
	}
	execl("/bin/sh", "sh", "-c", line, program, (char *)NULL);
	_exit(126);
}

static double now(void)
{
	struct timespec t;

	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Waits for the program until the moment has come, and strikes. */
static int wait_and_kill(pid_t pid, double begin, const struct harm *harm)
{
	int status;

	while (waitpid(pid, &status, WNOHANG) == 0) {
		if (now() - begin >= harm->kill_after) {
			kill(harm->kill_children ? -pid : pid, SIGKILL);
			waitpid(pid, &status, 0);
			return status;
		}
		nanosleep(&(struct timespec){.tv_nsec = 200000}, NULL);
	}
	return status;
}

struct harmed harm_run(const char *program, const char *words, const char *disk, const char *out, const char *err, struct harm harm)
{
	struct harmed h = {126, 0};
	double begin = now();
	int status = 0;
	pid_t pid = fork();

	if (pid == 0) {
		setpgid(0, 0);
		to_file(out, 1);
		to_file(err, 2);
		become(program, words, disk, &harm);
	}
	if (pid < 0)
		return h;
	setpgid(pid, pid);
	if (harm.kill_after >= 0)
		status = wait_and_kill(pid, begin, &harm);
	else
		waitpid(pid, &status, 0);
	h.seconds = now() - begin;
	h.status = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
	while (wait(NULL) > 0 || errno == EINTR) /* orphans */
		;
	return h;
}
