#include "base/series.h"

#include <string.h>

#include "base/panic.h"

void series_init(struct series *s, struct arena *a, uint64_t every, uint32_t cap, uint32_t width, const bool *level)
{
	PANIC_UNLESS(every && cap >= 2 && cap % 2 == 0, "series", every);
	*s = (struct series){.every = every, .cap = cap, .width = width, .level = level};
	s->word = arena_array(a, (size_t)cap + 1, width * sizeof *s->word);
}

static uint64_t *at(struct series *s, uint32_t i)
{
	return &s->word[(uint64_t)i * s->width];
}

/* Sample `to` is followed by `next`. */
static void merge(const struct series *s, uint64_t *to, const uint64_t *next)
{
	for (uint32_t w = 0; w < s->width; w++)
		to[w] = next[w] + (s->level[w] ? 0 : to[w]);
}

static void halve(struct series *s)
{
	for (uint32_t i = 0; i < s->n / 2; i++) {
		merge(s, at(s, 2 * i), at(s, 2 * i + 1));
		memmove(at(s, i), at(s, 2 * i), s->width * sizeof *s->word);
	}
	s->n /= 2;
	s->every *= 2;
}

static void append(struct series *s, const uint64_t *word)
{
	memcpy(at(s, s->n++), word, s->width * sizeof *s->word);
}

void series_add(struct series *s, const uint64_t *word)
{
	append(s, word);
	if (s->n == s->cap)
		halve(s);
}

void series_close(struct series *s, uint64_t cycles, const uint64_t *word)
{
	uint64_t most = cycles / s->every + (cycles % s->every != 0);

	append(s, word);
	while (s->n > most && s->n > 1) {
		s->n--;
		merge(s, at(s, s->n - 1), at(s, s->n));
	}
}
