#include "cuda/kernel_choice.h"

#include <ctype.h>
#include <fnmatch.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_PATTERN = 4096 };

struct range {
	uint64_t first, last;
};

/* "3", "3:", "3:5"; an identifier does not begin with a digit. */
static bool parse_range(const char *text, struct range *r)
{
	char *end;

	if (!isdigit((unsigned char)*text))
		return false;
	r->first = r->last = strtoull(text, &end, 10);
	if (*end == ':' && !end[1]) {
		r->last = UINT64_MAX;
		return true;
	}
	if (*end == ':' && isdigit((unsigned char)end[1]))
		r->last = strtoull(end + 1, &end, 10);
	return !*end && r->first <= r->last;
}

/* The word at *list, which is moved behind it and its comma, or to NULL; false: there is none left. */
static bool next_word(const char **list, char word[MAX_PATTERN])
{
	size_t n = *list ? strcspn(*list, ",") : MAX_PATTERN;

	if (n >= MAX_PATTERN)
		return false;
	memcpy(word, *list, n);
	word[n] = '\0';
	*list = (*list)[n] ? *list + n + 1 : NULL;
	return true;
}

int kernel_choice_check(const char *choice, struct err *e)
{
	char word[MAX_PATTERN];
	struct range r;

	if (!*choice)
		return err_set(e, "--kernels: names or numbers of launches are missing");
	while (next_word(&choice, word)) {
		if (!*word)
			return err_set(e, "--kernels: a name is missing between commas");
		if (isdigit((unsigned char)*word) && !parse_range(word, &r))
			return err_set(e, "--kernels: \"%s\" is not a range of launches (3, 10:19, 100:)", word);
	}
	return choice ? err_set(e, "--kernels: a name has more than %d characters", MAX_PATTERN - 1) : 0;
}

bool kernel_choice_takes(const char *choice, const char *name, uint32_t launch)
{
	char word[MAX_PATTERN];
	struct range r;

	if (!choice)
		return true;
	while (next_word(&choice, word)) {
		if (parse_range(word, &r) ? launch >= r.first && launch <= r.last : !fnmatch(word, name, 0))
			return true;
	}
	return false;
}
