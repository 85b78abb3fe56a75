#include "base/files/scratch.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#define NAME ".locus-work-" /* process and number follow */

static int lock_dir(const char *path, int how)
{
	int fd = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd >= 0 && flock(fd, how)) {
		close(fd);
		fd = -1;
	}
	return fd;
}

/* A number that is taken belongs to a process of the same number in another container, or to one that is gone. */
static int make(struct scratch *s, const char *dir, struct err *e)
{
	for (unsigned i = 0; i < 10000; i++) {
		snprintf(s->path, sizeof s->path, "%.4000s/" NAME "%ld-%u", dir, (long)getpid(), i);
		if (mkdir(s->path, 0777) == 0)
			return 0;
		if (errno != EEXIST)
			break;
	}
	return err_set(e, "%s: %s", s->path, strerror(errno));
}

/* The lock on dir keeps a collector from a folder that is made but not locked yet. Where another holds it (dir may be a
 * scratch folder itself) a collector may be at work: then ours is made again if it took it. */
int scratch_open(struct scratch *s, const char *dir, struct err *e)
{
	int all = lock_dir(dir, LOCK_EX | LOCK_NB), rc;
	bool taken;

	do {
		rc = make(s, dir, e);
		s->lock = rc ? -1 : lock_dir(s->path, LOCK_EX);
		taken = rc == 0 && access(s->path, F_OK) != 0 && errno == ENOENT;
		if (taken && s->lock >= 0)
			close(s->lock);
	} while (taken);
	if (all >= 0)
		close(all);
	return rc;
}

void scratch_remove(const char *path)
{
	DIR *d = opendir(path);
	struct dirent *entry;

	while (d && (entry = readdir(d)))
		unlinkat(dirfd(d), entry->d_name, 0);
	if (d)
		closedir(d);
	rmdir(path);
}

void scratch_close(struct scratch *s)
{
	scratch_remove(s->path);
	if (s->lock >= 0)
		close(s->lock);
	s->lock = -1;
}

static void remove_if_left(const char *path)
{
	int fd = lock_dir(path, LOCK_EX | LOCK_NB);

	if (fd < 0)
		return;
	scratch_remove(path);
	close(fd);
}

void scratch_collect(const char *dir)
{
	int all = lock_dir(dir, LOCK_EX | LOCK_NB);
	DIR *d = all >= 0 ? opendir(dir) : NULL;
	char path[8192];
	struct dirent *entry;

	while (d && (entry = readdir(d))) {
		snprintf(path, sizeof path, "%s/%s", dir, entry->d_name);
		if (!strncmp(entry->d_name, NAME, strlen(NAME)))
			remove_if_left(path);
	}
	if (d)
		closedir(d);
	if (all >= 0)
		close(all);
}
