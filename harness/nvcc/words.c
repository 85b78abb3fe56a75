#include <string.h>

#include "nvcc/nvcc.h"

void nvcc_word(struct nvcc_words *w, struct arena *a, const char *word)
{
	if (w->n + 2 > w->room) {
		const char **larger = arena_array(a, w->room ? 2 * w->room : 16, sizeof *larger);

		if (w->n)
			memcpy(larger, w->word, w->n * sizeof *larger);
		w->word = larger;
		w->room = w->room ? 2 * w->room : 16;
	}
	w->word[w->n++] = word;
	w->word[w->n] = NULL;
}

void nvcc_words(struct nvcc_words *w, struct arena *a, const struct nvcc_words *more)
{
	for (unsigned i = 0; i < more->n; i++)
		nvcc_word(w, a, more->word[i]);
}

void nvcc_split(struct nvcc_words *w, struct arena *a, const char *text, bool blanks)
{
	const char *ends = blanks ? ", \t" : ",";

	while (*(text += strspn(text, ends))) {
		size_t n = strcspn(text, ends);

		nvcc_word(w, a, arena_printf(a, "%.*s", (int)n, text));
		text += n;
	}
}
