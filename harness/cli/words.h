/* Words that a subcommand takes one by one: from its arguments and, where one is "-", from standard input, at any white
 * space. */
#ifndef HARNESS_CLI_WORDS_H
#define HARNESS_CLI_WORDS_H

#include "base/err.h"

/* Calls visit for each word until it fails. A word of standard input that is refused gets its line's number before the
 * reason. */
int cli_words(char *const *arg, int n, int (*visit)(void *ctx, const char *word, struct err *e), void *ctx, struct err *e);

#endif
