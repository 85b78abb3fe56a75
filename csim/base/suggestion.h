/* The name that somebody probably meant: the nearest by edit distance, for "unknown key ... (did you mean ...?)". */
#ifndef CSIM_BASE_SUGGESTION_H
#define CSIM_BASE_SUGGESTION_H

struct near {
	const char *given, *best; /* best: NULL until one that shares letters, with at most a third of them wrong */
	unsigned distance;
};

/* Offers one more legal name. Start with {.given = text}. */
void near_offer(struct near *n, const char *name);

/* " (did you mean \"l1.assoc\"?)" in out, or an empty string. Returns out. */
const char *near_hint(const struct near *n, char out[160]);

#endif
