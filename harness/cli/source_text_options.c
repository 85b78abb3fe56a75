#include "cli/source_text_options.h"

#include <libgen.h>

#include "base/files/root.h"
#include "cli/cli.h"
#include "session/result.h"

/* The folder of the first PTX file that a kernel comes from. */
static const char *ptx_folder(const struct trace *t, struct arena *a)
{
	for (uint32_t k = 0; k < trace_n_kernels(t); k++) {
		const struct trace_lines *l = trace_kernel(t, k)->lines;

		if (l && l->ptx)
			return dirname(arena_strdup(a, l->ptx));
	}
	return NULL;
}

void source_text_of(struct source_text *t, struct session *s, const char *dir)
{
	char root[ROOT_PATH_MAX];
	const struct session_program *p = s->options->program;
	bool runs = s->options->n_programs == 1 && p->cuda;
	const char *folder[SOURCE_TEXT_FOLDERS] = {dir, runs ? "/" : NULL, runs ? dirname(arena_strdup(&s->arena, p->what)) : NULL,
						   ptx_folder(s->source.trace, &s->arena),
						   arena_strdup(&s->arena, root_path("", root))};

	source_text_init(t, &s->arena, folder);
}

void source_text_report_end(const struct session *s, FILE *to)
{
	if (s->result.cut)
		fprintf(to, "  cut by %s: invariants about the end of a run are not checked\n", result_cut_by(&s->result));
	audit_print(&s->result.audit, to);
	if (s->source.checked)
		fprintf(to, "  %-32s %16s\n", "results", s->source.differs ? "WRONG" : "right");
	if (s->source.cut)
		fputs("  the last launch was executed only up to the run's limit: results are not compared\n", to);
	if (s->source.differs)
		cli_print_error(&s->source.difference);
}
