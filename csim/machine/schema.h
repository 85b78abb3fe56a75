/* The keys of a machine: name, member of struct machine, legal range, unit, meaning. One table, read by the YAML
 * loader, --set, the JSON and the printed machine. */
#ifndef CSIM_MACHINE_SCHEMA_H
#define CSIM_MACHINE_SCHEMA_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "machine/machine.h"

/* THOUSANDTHS: a decimal number with at most three places, held as a uint32_t of thousandths. */
enum schema_type { SCHEMA_U32, SCHEMA_BOOL, SCHEMA_CHOICE, SCHEMA_TEXT, SCHEMA_LIST5, SCHEMA_LIST, SCHEMA_THOUSANDTHS };

enum { SCHEMA_TEXT_MAX = 1024 /* bytes of a value as text */ };

struct schema_key {
	const char *name; /* "l1.assoc" */
	enum schema_type type;
	size_t offset;	   /* in struct machine */
	uint32_t min, max; /* of numbers; THOUSANDTHS: in thousandths; TEXT: max is the size of the array */
	/* NULL-ended; the value is the index. Of a number: a word that stands for 0, or NULL */
	const char *const *choices;
	const char *unit, *meaning;
	const char *fallback; /* what a machine that does not give the key has; NULL: it must */
};

extern const struct schema_key schema_keys[]; /* ends with a NULL name */

const struct schema_key *schema_find(const char *name);

/* Sets a key from text ("16K", "true", "gto", "4,13,4,5,145"). e: reason only, without the location. */
int schema_set(struct machine *m, const struct schema_key *k, const char *text, struct err *e);

/* Gives each key that has a fallback this value. */
int schema_set_fallbacks(struct machine *m, struct err *e);

/* The key's value as text; returns out. */
const char *schema_text(const struct machine *m, const struct schema_key *k, char out[SCHEMA_TEXT_MAX]);
/* The values that the key takes: "1..64", "gto|lrr"; returns out. */
const char *schema_legal(const struct schema_key *k, char out[SCHEMA_TEXT_MAX]);

#endif
