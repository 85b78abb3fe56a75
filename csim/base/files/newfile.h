/* A file that has no name until it is whole: whatever ends the program before, a signal or a crash, leaves nothing
 * behind, and an older file of that name stays as it was. Any number of programs may make the same file at once: each
 * makes one of its own, and the last to finish has the name.
 *
 * Linux has such files (O_TMPFILE, then linkat); on a file system without them (NFS) the file loses its name as soon as
 * it is there, and its content is copied at the end. Where there is an older file, or the content must be copied, the
 * new one is renamed out of a scratch folder (base/files/scratch.h), with all signals held back for so long: SIGKILL or
 * a power cut in between leaves that folder behind, which the next program that makes this file again removes.
 */
#ifndef CSIM_BASE_FILES_NEWFILE_H
#define CSIM_BASE_FILES_NEWFILE_H

/* A new file in the folder where `path` is to be; its mode is 0666 less the umask. A descriptor for reading and
 * writing, or -1 with errno. */
int newfile_open(const char *path);

/* It becomes `path`. Returns 0, or -1 with errno. The caller closes fd. */
int newfile_keep(int fd, const char *path);

#endif
