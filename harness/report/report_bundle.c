#include "report/report_bundle.h"

#include <jansson.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/arena.h"
#include "base/files/infile.h"
#include "base/utf8.h"

static json_t *clean_json(const char *text, size_t n)
{
	char *copy = strndup(text, n);
	json_t *s = copy ? json_string(utf8_clean(copy)) : NULL;

	free(copy);
	return s;
}

static json_t *lines_of(const char *text)
{
	json_t *all = json_array();

	for (size_t n; *text; text += n + (text[n] == '\n')) {
		n = strcspn(text, "\n");
		json_array_append_new(all, clean_json(text, n));
	}
	return all;
}

/* The last part of a path, without slashes behind it. */
static json_t *name_of(const char *folder)
{
	size_t end = strlen(folder), begin;

	while (end > 1 && folder[end - 1] == '/')
		end--;
	for (begin = end; begin && folder[begin - 1] != '/'; begin--)
		;
	return clean_json(folder + begin, end - begin);
}

/* What a file of the folder says, as text; the caller frees. NULL: e is filled. */
static char *text_of(const char *folder, const char *name, struct err *e)
{
	char path[PATH_MAX];
	int n = snprintf(path, sizeof path, "%s/%s", folder, name);
	size_t bytes;

	if (n < 0 || (size_t)n >= sizeof path) {
		err_set(e, "%.200s...: too long a path", folder);
		return NULL;
	}
	return infile_text(path, REPORT_BUNDLE_BYTES, &bytes, e);
}

/* ---- the window ---- */

static bool are_steps(const json_t *steps)
{
	const json_t *step;
	size_t i;

	json_array_foreach(steps, i, step)
	{
		if (!json_is_integer(json_object_get(step, "step")) || !json_is_integer(json_object_get(step, "cycle")) ||
		    !json_is_boolean(json_object_get(step, "reset")))
			return false;
	}
	return json_is_array(steps);
}

static bool are_values(const json_t *values, size_t steps)
{
	const json_t *value;
	size_t i;

	json_array_foreach(values, i, value)
	{
		if (!json_is_string(value))
			return false;
	}
	return json_is_array(values) && json_array_size(values) == steps;
}

/* a, b: what each has values by. */
static bool are_signals(const json_t *signals, const char *a, const char *b, size_t steps)
{
	const json_t *s;
	size_t i;

	json_array_foreach(signals, i, s)
	{
		if (!json_is_string(json_object_get(s, "name")) || !are_values(json_object_get(s, a), steps) ||
		    !are_values(json_object_get(s, b), steps))
			return false;
	}
	return json_is_array(signals);
}

static json_t *window_of(const char *folder, struct err *e)
{
	char *text = text_of(folder, "window.json", e);
	json_t *w = text ? json_loads(text, 0, NULL) : NULL, *steps = json_object_get(w, "steps");
	size_t n = json_array_size(steps);

	if (text && !(json_is_integer(json_object_get(w, "step")) && are_steps(steps) &&
		      are_signals(json_object_get(w, "inputs"), "values", "values", n) &&
		      are_signals(json_object_get(w, "pairs"), "golden", "rtl", n))) {
		err_set(e, "%s/window.json: not the window of a mismatch", folder);
		json_decref(w);
		w = NULL;
	}
	free(text);
	return w;
}

json_t *report_bundle_read(const char *folder, struct err *e)
{
	char *text = text_of(folder, "report.txt", e);
	json_t *o = NULL, *window;

	if (text && strncmp(text, "MISMATCH ", 9) != 0)
		err_set(e, "%s/report.txt: not the report of a mismatch", folder);
	else if (text && (window = window_of(folder, e)))
		o = json_pack("{s:o, s:o, s:o}", "name", name_of(folder), "lines", lines_of(text), "window", window);
	free(text);
	return o;
}
