#include "base/stats.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#include "base/alloc.h"
#include "base/number.h"

static void index_last(struct stats *s)
{
	names_add(&s->names, s->row[s->n - 1].name, s->n - 1);
}

static struct stat_row *row_new(struct stats *s)
{
	if (s->n == s->cap) {
		s->cap = s->cap ? 2 * s->cap : 64;
		s->row = xrealloc(s->row, s->cap * sizeof *s->row);
	}
	return &s->row[s->n++];
}

static struct stat_row *row_named(struct stats *s, unsigned flags, const char *name, const char *unit, const char *meaning)
{
	struct stat_row *r = row_new(s);

	memset(r, 0, sizeof *r);
	r->name = xstrdup(name);
	r->unit = xstrdup(unit);
	r->meaning = xstrdup(meaning);
	r->flags = flags;
	index_last(s);
	return r;
}

void stats_count(struct stats *s, unsigned flags, const char *name, uint64_t value, const char *unit, const char *meaning)
{
	struct stat_row *r = row_named(s, flags, name, unit, meaning);

	r->kind = STAT_COUNT;
	r->count = value;
}

void stats_real(struct stats *s, unsigned flags, const char *name, double value, const char *unit, const char *meaning)
{
	struct stat_row *r = row_named(s, flags, name, unit, meaning);

	r->kind = STAT_REAL;
	r->real = value;
}

static struct stat_row *quotient(struct stats *s, unsigned flags, const char *name, uint64_t part, uint64_t whole, const char *unit,
				 const char *meaning)
{
	struct stat_row *r = row_named(s, flags | STAT_QUOTIENT, name, unit, meaning);

	r->kind = STAT_REAL;
	r->real = whole ? (double)part / (double)whole : 0.0;
	r->whole = (double)whole;
	return r;
}

void stats_quotient(struct stats *s, unsigned flags, const char *name, uint64_t part, uint64_t whole, const char *unit,
		    const char *meaning)
{
	quotient(s, flags, name, part, whole, unit, meaning);
}

void stats_percent(struct stats *s, unsigned flags, const char *name, uint64_t part, uint64_t whole, const char *meaning)
{
	quotient(s, flags, name, part, whole, "%", meaning)->kind = STAT_PERCENT;
}

void stats_take(struct stats *to, struct stats *from)
{
	for (unsigned i = 0; i < from->n; i++) {
		*row_new(to) = from->row[i];
		index_last(to);
	}
	names_free(&from->names);
	free(from->row);
	memset(from, 0, sizeof *from);
}

void stats_free(struct stats *s)
{
	names_free(&s->names);
	for (unsigned i = 0; i < s->n; i++) {
		free(s->row[i].name);
		free(s->row[i].unit);
		free(s->row[i].meaning);
	}
	free(s->row);
	memset(s, 0, sizeof *s);
}

const struct stat_row *stats_find(const struct stats *s, const char *name)
{
	int i = names_find(&s->names, name);

	return i < 0 ? NULL : &s->row[i];
}

void stats_print_row(const struct stat_row *r, FILE *to)
{
	char value[64];

	if (r->kind == STAT_COUNT)
		number_commas(r->count, value);
	else
		snprintf(value, sizeof value, "%.*f", r->kind == STAT_PERCENT ? 1 : 3,
			 r->kind == STAT_PERCENT ? 100.0 * r->real : r->real);
	fprintf(to, "  %-32s %16s %-12s %s\n", r->name, value, r->unit, r->meaning);
}

void stats_print(const struct stats *s, FILE *to)
{
	for (unsigned i = 0; i < s->n; i++)
		if (!(s->row[i].flags & STAT_DETAIL))
			stats_print_row(&s->row[i], to);
}

json_t *stats_units_json(const struct stats *s)
{
	json_t *o = json_object();

	for (unsigned i = 0; i < s->n; i++)
		if (!(s->row[i].flags & STAT_DETAIL))
			json_object_set_new(o, s->row[i].name, json_string(s->row[i].unit));
	return o;
}

json_t *stats_json(const struct stats *s)
{
	json_t *o = json_object();

	for (unsigned i = 0; i < s->n; i++) {
		const struct stat_row *r = &s->row[i];

		json_object_set_new(o, r->name, r->kind == STAT_COUNT ? json_integer((json_int_t)r->count) : json_real(r->real));
	}
	return o;
}
