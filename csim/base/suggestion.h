/* The name that somebody probably meant: the nearest by edit distance, whatever the case of its letters, for "unknown
 * key ... (did you mean ...?)". */
#ifndef CSIM_BASE_SUGGESTION_H
#define CSIM_BASE_SUGGESTION_H

struct suggestion {
	const char *typed, *best; /* best: NULL until one that shares letters, with at most a third of them wrong */
	unsigned distance;
};

/* Offers one more legal name. Start with {.typed = text}. */
void suggestion_offer(struct suggestion *n, const char *name);

/* " (did you mean \"l1.assoc\"?)" in out, or an empty string. Returns out. */
const char *suggestion_text(const struct suggestion *n, char out[160]);

#endif
