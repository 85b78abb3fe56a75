/* The metrics of a run: an ordered list of names, values, units and meanings, printed as an aligned table or as JSON.
 *
 * Names are dotted paths ("l1.misses", "sm.3.l1.misses", "buffer.A.l1.hits"); a name occurs once. The order of adding
 * is the order of printing. Detail rows (STAT_DETAIL) are in the JSON only. The simulator's own times do not belong
 * here.
 */
#ifndef CSIM_BASE_STATS_H
#define CSIM_BASE_STATS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "base/names.h"

enum stat_kind { STAT_COUNT, STAT_REAL, STAT_PERCENT /* a fraction, printed as a percentage */ };
/* STAT_STATE: neither a sum of what happened nor a quotient of such sums. */
enum stat_flags { STAT_DETAIL = 1, STAT_QUOTIENT = 2, STAT_STATE = 4 };

struct stat_row {
	char *name, *unit, *meaning;
	enum stat_kind kind;
	unsigned flags;
	uint64_t count;
	double real;
	double whole; /* with STAT_QUOTIENT: what `real` is divided by */
};

struct stats {
	struct stat_row *row;
	unsigned n, cap;
	struct names names; /* a run over 100,000 buffers has some hundred thousand of them */
};

void stats_count(struct stats *s, unsigned flags, const char *name, uint64_t value, const char *unit, const char *meaning);
void stats_real(struct stats *s, unsigned flags, const char *name, double value, const char *unit, const char *meaning);
/* part / whole, 0 if whole is. */
void stats_quotient(struct stats *s, unsigned flags, const char *name, uint64_t part, uint64_t whole, const char *unit,
		    const char *meaning);
void stats_percent(struct stats *s, unsigned flags, const char *name, uint64_t part, uint64_t whole, const char *meaning);
/* Moves all rows of `from` behind those of `to`. */
void stats_take(struct stats *to, struct stats *from);
void stats_free(struct stats *s);

const struct stat_row *stats_find(const struct stats *s, const char *name); /* NULL if absent */

void stats_print(const struct stats *s, FILE *to);
void stats_print_row(const struct stat_row *r, FILE *to);
struct json_t;
struct json_t *stats_json(const struct stats *s); /* an object, name -> number, in order; the caller owns the
						   * reference */
/* name -> unit, which may be empty, of the rows that are no detail; what has the unit "%" is a fraction in
 * stats_json. */
struct json_t *stats_units_json(const struct stats *s);

#endif
