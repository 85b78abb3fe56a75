#include "cli/tries_report.h"

#include <inttypes.h>
#include <jansson.h>
#include <stdlib.h>

#include "base/number.h"
#include "cli/cli.h"
#include "cli/diff_table.h"
#include "session/result.h"

static const char *label(struct arena *a, unsigned try)
{
	return arena_printf(a, "try %u", try + 1);
}

static void print_legend(struct session *s, const char *json)
{
	const struct tries_options *o = s->tries.options;
	char at[32];

	printf("\ntries from cycle %s on\n", number_commas(o->at, at));
	for (unsigned i = 0; i < o->n; i++) {
		const char *path = tries_path(&s->arena, json, i);

		printf("  %s  %s%s%s%s\n", label(&s->arena, i), o->text[i], path ? "  in " : "", path ? path : "",
		       s->tries.status[i] == CLI_DIFFERS ? "  (an invariant or a result is wrong)" : "");
	}
	putchar('\n');
}

/* Numbers as those of the tries, which have been text: else each fraction would differ. */
static json_t *own_result(const struct session *s)
{
	json_t *whole = result_json(s), *as_read;
	char *text = json_dumps(whole, JSON_REAL_PRECISION(12));

	as_read = text ? json_loads(text, 0, NULL) : NULL;
	free(text);
	json_decref(whole);
	return as_read;
}

/* A try that could not end has said why. */
static int read_result(struct session *s, unsigned i, json_t **out, struct err *e)
{
	FILE *f = s->tries.result[i];

	rewind(f);
	*out = s->tries.status[i] > CLI_DIFFERS ? NULL : json_loadf(f, 0, NULL);
	return *out ? 0 : err_set(e, "--try %s: this try ended with status %d", s->tries.options->text[i], s->tries.status[i]);
}

static int print_table(struct session *s, struct diff_run *run, struct err *e)
{
	unsigned n = s->tries.options->n;

	run[0] = (struct diff_run){"the run", own_result(s)};
	for (unsigned i = 0; i < n; i++) {
		run[i + 1].label = label(&s->arena, i);
		if (read_result(s, i, &run[i + 1].whole, e) != 0)
			return -1;
	}
	diff_table_print(run, n + 1, false);
	return 0;
}

int tries_report(struct session *s, const char *json, struct err *e)
{
	unsigned n = s->tries.options->n;
	struct diff_run *run = arena_array(&s->arena, n + 1, sizeof *run);
	int status = CLI_OK;

	if (!s->tries.paused) {
		err_set(e, "--at %" PRIu64 ": the run ended before, after %" PRIu64 " cycles", s->tries.options->at,
			s->result.cycles);
		return CLI_USAGE;
	}
	print_legend(s, json);
	if (print_table(s, run, e) != 0)
		status = CLI_USAGE;
	for (unsigned i = 0; i < n; i++)
		status = s->tries.status[i] > status ? s->tries.status[i] : status;
	for (unsigned i = 0; i <= n; i++)
		json_decref(run[i].whole);
	return status;
}
