#include "cli/words.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int words_of_stdin(int (*visit)(void *ctx, const char *word, struct err *e), void *ctx, struct err *e)
{
	char *line = NULL, *save, *word;
	size_t room = 0;
	unsigned long n = 0, n_words = 0;
	int rc = 0;

	while (rc == 0 && getline(&line, &room, stdin) >= 0) {
		n++;
		for (word = strtok_r(line, " \t\r\n", &save); word && rc == 0; word = strtok_r(NULL, " \t\r\n", &save)) {
			n_words++;
			rc = visit(ctx, word, e);
			if (rc)
				err_prefix(e, "standard input:%lu", n);
		}
	}
	free(line);
	return n_words ? rc : err_set(e, "standard input: holds no address");
}

int cli_words(char *const *arg, int n, int (*visit)(void *ctx, const char *word, struct err *e), void *ctx, struct err *e)
{
	for (int i = 0; i < n; i++)
		if (strcmp(arg[i], "-") ? visit(ctx, arg[i], e) : words_of_stdin(visit, ctx, e))
			return -1;
	return 0;
}
