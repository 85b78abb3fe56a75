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

/* For a path that a user's file names, which may come from anybody: its folder, which must be below the working folder.
 * No part of the path may be "..", empty or a symbolic link. *name: the last part of `path`. A descriptor (O_PATH), or
 * -1 with errno: ELOOP: a part is a symbolic link; EXDEV: the path leads out of the working folder. The folder behind
 * the descriptor stays the same when a part of the path is replaced later. */
int newfile_folder_beneath(const char *path, const char **name);

#endif
