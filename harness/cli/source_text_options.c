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
	const char *folder[SOURCE_TEXT_FOLDERS] = {dir, ptx_folder(s->source.trace, &s->arena),
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
	if (s->source.differs)
		cli_tell(&s->source.difference);
}
