/* A locality descriptor as the words of a call (include/annotate/locus_calls.h), for both ends of the wire. Its name
 * and base are not among them. */
#ifndef HARNESS_CUDA_LDESC_WORDS_H
#define HARNESS_CUDA_LDESC_WORDS_H

#include "ldesc/ldesc.h"

void ldesc_to_words(const struct ldesc *l, uint64_t *word);
/* False: a word is none of an enum's, or too large for its member. */
bool ldesc_of_words(const uint64_t *word, struct ldesc *l);

#endif
