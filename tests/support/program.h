/* Runs build/locus (or any command) from a test and keeps what it said. */
#ifndef TESTS_SUPPORT_PROGRAM_H
#define TESTS_SUPPORT_PROGRAM_H

#include <jansson.h>
#include <stdbool.h>

struct program {
	int status;	 /* exit status; 128 + signal if it was killed */
	char *out, *err; /* whole standard output; standard error less the lines of progress of a slow machine; never
			  * NULL */
};

/* printf-style shell command in which "locus" at the start of a word that begins the command stands for the program
 * under test, e.g. program_run("locus run syrk --json %s", path). Working folder: the checkout's root. */
struct program program_run(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void program_free(struct program *p);

/* The "stats" of a command's result, as its --json has them; json_decref them. Ends the test if its status is not 0. */
json_t *program_stats(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* One of them; ends the test if it is not there. */
double program_stat(const json_t *stats, const char *name);

/* A fresh temporary folder, removed when the test's process ends. */
const char *program_tmp(void);
/* The path of a file in it, good for the next three calls. */
char *program_path(const char *name);

/* Writes a text file into program_tmp(). */
void program_file(const char *name, const char *text);

/* The path of a program that is not locus and answers at once: every run of it writes these members of "stats" into the
 * file that its last argument names; but none if it may have several host threads, which a study's run may not. */
const char *program_fake(const char *stats);

/* Whether the compiler takes the text, called as the model's own sources are, with warnings as errors as `make lint`
 * has them. Ends the test if it says anything but errors. name: of a file in program_tmp(). */
bool program_compiles(const char *name, const char *text);

/* The whole text of a file; free() it. Ends the test if it cannot be read. */
char *program_text(const char *path);

/* One line on stderr, nothing more, and status 2. Prints what it got otherwise. Returns 1 if so. */
int program_is_clean_error(const struct program *p);

/* A command for the shell: removes "blocks" from the results in the current folder, the only part that may differ
 * between the modes of a co-simulation. */
#define PROGRAM_WITHOUT_BLOCKS "sed -i '/^  \"blocks\": \\[$/,/^  \\],$/d' *.json"

#endif
