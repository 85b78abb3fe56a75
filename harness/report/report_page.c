#include "report/report_page.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/files/infile.h"
#include "base/files/root.h"
#include "report/report_data.h"
#include "session/result.h"

#define MARK "<!--locus:data-->"
enum { MOST_BUNDLE = 8 << 20 };

/* ---- what of a result goes into the page ---- */

static void take(json_t *to, const json_t *from, const char *key)
{
	json_t *v = json_object_get(from, key);

	if (v)
		json_object_set(to, key, v);
}

static json_t *first_launches(const json_t *all)
{
	json_t *some = json_array();

	for (size_t i = 0; i < json_array_size(all) && i < REPORT_LAUNCHES; i++)
		json_array_append(some, json_array_get(all, i));
	return some;
}

json_t *report_page_run(const json_t *whole, const char *label)
{
	static const char *const keys[] = {"locus", "workload", "trace_hash", "cut",	 "machine", "stats",   "units",
					   "audit", "blocks",	"intervals",  "profile", "source",  "l1_sets", "timeline"};
	json_t *run = json_pack("{s:s}", "label", label), *launches = json_object_get(whole, "launches");
	const char *planner = json_string_value(json_object_get(json_object_get(whole, "plan"), "planner"));

	for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
		take(run, whole, keys[i]);
	if (planner)
		json_object_set_new(run, "planner", json_string(planner));
	if (launches) {
		json_object_set_new(run, "launches", first_launches(launches));
		json_object_set_new(run, "n_launches", json_integer((json_int_t)json_array_size(launches)));
	}
	return run;
}

/* ---- writing it ---- */

/* Of compact JSON in ASCII: these three are in strings alone. */
static int put_escaped(const char *text, size_t n, void *ctx)
{
	FILE *to = ctx;

	for (size_t i = 0; i < n; i++)
		if (text[i] == '<' || text[i] == '>' || text[i] == '&')
			fprintf(to, "\\u%04x", (unsigned)text[i]);
		else
			putc(text[i], to);
	return ferror(to) ? -1 : 0;
}

int report_page_data(const json_t *data, FILE *to)
{
	return json_dump_callback(data, put_escaped, to, JSON_COMPACT | JSON_ENSURE_ASCII | JSON_REAL_PRECISION(15));
}

/* The bundle's text, to be freed; *tail: what is behind the place for data. */
static char *read_bundle(char **tail, struct err *e)
{
	char path[ROOT_PATH_MAX], *text = NULL;
	FILE *f = infile_open(root_path("harness/report/web/dist/report.html", path), MOST_BUNDLE, e);
	struct stat st;

	if (!f)
		return NULL;
	if (fstat(fileno(f), &st) == 0) {
		text = calloc(1, (size_t)st.st_size + 1);
		*tail = text && fread(text, 1, (size_t)st.st_size, f) == (size_t)st.st_size ? strstr(text, MARK) : NULL;
	}
	fclose(f);
	if (text && *tail) {
		**tail = '\0';
		*tail += strlen(MARK);
		return text;
	}
	free(text);
	err_set(e, "%s: is not the report's page (it lacks the place for the data)", path);
	return NULL;
}

static json_t *data_of(const struct report_page *p)
{
	json_t *runs = json_array(), *bundles = json_array(), *all;

	for (unsigned i = 0; i < p->n; i++)
		json_array_append_new(runs, report_page_run(p->run[i], p->label[i]));
	for (unsigned i = 0; i < p->n_bundles; i++)
		json_array_append(bundles, p->bundle[i]);
	all = json_pack("{s:o, s:o, s:o}", "locus", result_origin(), "runs", runs, "bundles", bundles);
	if (p->name)
		json_object_set_new(all, "name", json_string(p->name));
	if (p->table)
		json_object_set(all, "table", p->table);
	return all;
}

int report_page_write(const struct report_page *p, FILE *to, struct err *e)
{
	char *tail, *head = read_bundle(&tail, e);
	json_t *data;

	if (!head)
		return -1;
	data = data_of(p);
	fputs(head, to);
	report_page_data(data, to);
	fputs(tail, to);
	json_decref(data);
	free(head);
	return 0;
}
