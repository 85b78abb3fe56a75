#include "cuda/ldesc_words.h"

void ldesc_to_words(const struct ldesc *l, uint64_t *word)
{
	*word++ = l->bytes;
	*word++ = l->element;
	for (int d = 0; d < 3; d++)
		*word++ = l->len[d];
	*word++ = (uint64_t)l->type;
	for (int d = 0; d < 3; d++)
		*word++ = l->d_tile[d];
	for (int d = 0; d < 3; d++)
		*word++ = l->c_tile[d];
	*word++ = (uint64_t)l->c_unit;
	for (int d = 0; d < 3; d++)
		*word++ = l->rank[d];
	*word++ = (uint64_t)l->sharing;
	*word++ = (uint64_t)l->access;
	*word++ = l->stride;
	*word = l->priority;
}

/* The next word; above `most` it clears *fits. */
static uint64_t next(const uint64_t **word, uint64_t most, bool *fits)
{
	uint64_t w = *(*word)++;

	*fits = *fits && w <= most;
	return w;
}

bool ldesc_of_words(const uint64_t *word, struct ldesc *l)
{
	bool fits = true;

	*l = (struct ldesc){.bytes = next(&word, UINT64_MAX, &fits)};
	l->element = (uint32_t)next(&word, UINT32_MAX, &fits);
	for (int d = 0; d < 3; d++)
		l->len[d] = next(&word, UINT64_MAX, &fits);
	l->type = (enum ldesc_type)next(&word, LDESC_NO_REUSE, &fits);
	for (int d = 0; d < 3; d++)
		l->d_tile[d] = next(&word, UINT64_MAX, &fits);
	for (int d = 0; d < 3; d++)
		l->c_tile[d] = (uint32_t)next(&word, UINT32_MAX, &fits);
	l->c_unit = (enum ldesc_unit)next(&word, LDESC_THREADS, &fits);
	for (int d = 0; d < 3; d++)
		l->rank[d] = (uint8_t)next(&word, UINT8_MAX, &fits);
	l->sharing = (enum ldesc_sharing)next(&word, LDESC_NEARBY, &fits);
	l->access = (enum ldesc_access)next(&word, LDESC_IRREGULAR, &fits);
	l->stride = next(&word, UINT64_MAX, &fits);
	l->priority = (uint32_t)next(&word, UINT32_MAX, &fits);
	return fits;
}
