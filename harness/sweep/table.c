#include "sweep/table.h"

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "base/utf8.h"
#include "process/output.h"
#include "sweep/plot.h"

void sweep_table_init(struct sweep_table *t, struct arena *a, const char *id, const char *title, const char *first,
		      const char *unit, const char *const *columns)
{
	*t = (struct sweep_table){.arena = a, .id = id, .title = title, .first = first, .unit = unit, .decimals = 2};
	while (columns[t->columns] && t->columns < SWEEP_MAX_COLUMNS) {
		t->column[t->columns] = columns[t->columns];
		t->columns++;
	}
}

double *sweep_table_row(struct sweep_table *t, enum sweep_row_kind kind, const char *name)
{
	struct sweep_row *r;

	if (t->rows == t->room) {
		struct sweep_row *more = arena_array(t->arena, t->room = t->room ? 2 * t->room : 32, sizeof *more);

		if (t->rows)
			memcpy(more, t->row, t->rows * sizeof *more);
		t->row = more;
	}
	r = &t->row[t->rows++];
	r->name = utf8_clean(arena_strdup(t->arena, name));
	r->kind = kind;
	r->group = t->group;
	for (unsigned i = 0; i < SWEEP_MAX_COLUMNS; i++)
		r->value[i] = NAN;
	return r->value;
}

static double mean(const struct sweep_table *t, enum sweep_mean how, unsigned column, const char *group)
{
	double sum = 0;
	unsigned n = 0;

	for (unsigned r = 0; r < t->rows; r++) {
		const struct sweep_row *row = &t->row[r];
		double v = row->value[column];

		if (row->kind != SWEEP_MEASURED || isnan(v) ||
		    (group && (!row->group || strncmp(row->group, group, strlen(group)))))
			continue;
		sum += how == SWEEP_GEOMETRIC ? log(v) : how == SWEEP_HARMONIC ? 1 / v : v;
		n++;
	}
	if (!n)
		return NAN;
	return how == SWEEP_GEOMETRIC ? exp(sum / n) : how == SWEEP_HARMONIC ? n / sum : sum / n;
}

const double *sweep_table_mean(struct sweep_table *t, enum sweep_mean how, const char *name, const char *group)
{
	double *v = sweep_table_row(t, SWEEP_MEAN, name);

	for (unsigned c = 0; c < t->columns; c++)
		v[c] = mean(t, how, c, group);
	return v;
}

static const char *text_of(const struct sweep_table *t, double v, char out[32])
{
	if (isnan(v))
		return "-";
	if (t->digits)
		snprintf(out, 32, "%.*g", (int)t->digits, v);
	else
		snprintf(out, 32, "%.*f", (int)t->decimals, v);
	return out;
}

/* How wide each column must be; the last one is that of the names. */
static void widths(const struct sweep_table *t, int w[SWEEP_MAX_COLUMNS + 1])
{
	char text[32];

	w[t->columns] = (int)strlen(t->first);
	for (unsigned c = 0; c < t->columns; c++)
		w[c] = strlen(t->column[c]) < 4 ? 4 : (int)strlen(t->column[c]); /* the rule below needs a dash and a
										  * colon */
	for (unsigned r = 0; r < t->rows; r++) {
		if ((int)strlen(t->row[r].name) > w[t->columns])
			w[t->columns] = (int)strlen(t->row[r].name);
		for (unsigned c = 0; c < t->columns; c++) {
			int n = (int)strlen(text_of(t, t->row[r].value[c], text));

			w[c] = n > w[c] ? n : w[c];
		}
	}
}

static void rule(int n, char last, FILE *to)
{
	for (int i = 1; i < n; i++)
		putc('-', to);
	putc(last, to);
}

void sweep_table_print(const struct sweep_table *t, FILE *to)
{
	int w[SWEEP_MAX_COLUMNS + 1];
	char text[32];

	widths(t, w);
	fprintf(to, "%s\n\n| %-*s |", t->title, w[t->columns], t->first);
	for (unsigned c = 0; c < t->columns; c++)
		fprintf(to, " %*s |", w[c], t->column[c]);
	fputs("\n| ", to);
	rule(w[t->columns], '-', to);
	fputs(" |", to);
	for (unsigned c = 0; c < t->columns; c++) {
		putc(' ', to);
		rule(w[c], ':', to);
		fputs(" |", to);
	}
	putc('\n', to);
	for (unsigned r = 0; r < t->rows; r++) {
		fprintf(to, "| %-*s |", w[t->columns], t->row[r].name);
		for (unsigned c = 0; c < t->columns; c++)
			fprintf(to, " %*s |", w[c], text_of(t, t->row[r].value[c], text));
		putc('\n', to);
	}
	putc('\n', to);
	if (t->note)
		fprintf(to, "%s\n\n", t->note);
}

static const char *kind_name(enum sweep_row_kind k)
{
	return k == SWEEP_MEASURED ? "measured" : k == SWEEP_MEAN ? "mean" : "published";
}

void sweep_csv_text(const char *text, FILE *to)
{
	putc('"', to);
	for (; *text; text++) {
		if (*text == '"')
			putc('"', to);
		putc(*text, to);
	}
	putc('"', to);
}

static void put_csv(const char *text, FILE *to)
{
	putc(',', to);
	sweep_csv_text(text, to);
}

static void write_csv(const struct sweep_table *t, FILE *to)
{
	fputs("kind", to);
	put_csv(t->first, to);
	for (unsigned c = 0; c < t->columns; c++)
		put_csv(t->column[c], to);
	putc('\n', to);
	for (unsigned r = 0; r < t->rows; r++) {
		fputs(kind_name(t->row[r].kind), to);
		put_csv(t->row[r].name, to);
		for (unsigned c = 0; c < t->columns; c++)
			if (isnan(t->row[r].value[c]))
				putc(',', to);
			else
				fprintf(to, ",%.9g", t->row[r].value[c]);
		putc('\n', to);
	}
}

json_t *sweep_table_json(const struct sweep_table *t)
{
	json_t *columns = json_array(), *rows = json_array();
	json_t *all = json_pack("{s:s, s:s, s:s, s:o, s:o}", "id", t->id, "title", t->title, "unit", t->unit, "columns", columns,
				"rows", rows);

	for (unsigned c = 0; c < t->columns; c++)
		json_array_append_new(columns, json_string(t->column[c]));
	for (unsigned r = 0; r < t->rows; r++) {
		json_t *values = json_array();

		for (unsigned c = 0; c < t->columns; c++) {
			double v = t->row[r].value[c];

			json_array_append_new(values, isfinite(v) ? json_real(v) : json_null());
		}
		json_array_append_new(rows, json_pack("{s:s, s:s, s:o}", "name", t->row[r].name, "kind", kind_name(t->row[r].kind),
						      "values", values));
	}
	return all;
}

static void write_json(const struct sweep_table *t, FILE *to)
{
	json_t *all = sweep_table_json(t);

	json_dumpf(all, to, JSON_INDENT(2) | JSON_REAL_PRECISION(9));
	putc('\n', to);
	json_decref(all);
}

static int write_file(const struct sweep_table *t, const char *dir, const char *ending,
		      void (*write)(const struct sweep_table *, FILE *), struct err *e)
{
	char path[4096];
	struct output o;

	snprintf(path, sizeof path, "%s/%s.%s", dir, t->id, ending);
	if (output_open(&o, path, e))
		return -1;
	write(t, o.f);
	return output_keep(&o, e);
}

int sweep_table_save(const struct sweep_table *t, const char *dir, struct err *e)
{
	if (write_file(t, dir, "csv", write_csv, e) != 0 || write_file(t, dir, "json", write_json, e) != 0)
		return -1;
	return sweep_plot_in(t, dir, e);
}
