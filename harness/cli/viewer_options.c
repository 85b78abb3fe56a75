#include "cli/viewer_options.h"

#include <string.h>

#include "perfetto/perfetto_file.h"

enum { KEY_PERFETTO = 0x4100 };

static const struct argp_option options[] = {
	{"perfetto", KEY_PERFETTO, "FILE", 0, "write CTAs, metrics, loads over time for Perfetto", 0},
	{0},
};

static error_t parse(int key, char *arg, struct argp_state *state)
{
	struct viewer_options *o = state->input;

	switch (key) {
	case KEY_PERFETTO:
		if (!strcmp(arg, "-"))
			argp_error(state, "--perfetto -: a trace cannot go to standard output");
		o->perfetto = arg;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp viewer_options_argp = {options, parse, NULL, NULL, NULL, NULL, NULL};

void viewer_options_apply(const struct viewer_options *o, struct session_options *s)
{
	s->timeline |= o->perfetto != NULL;
}

int viewer_files_open(struct viewer_files *f, const struct viewer_options *o, struct err *e)
{
	return output_open(&f->perfetto, o->perfetto, e);
}

int viewer_files_save(struct viewer_files *f, const struct session *s, struct err *e)
{
	return perfetto_file_save(&f->perfetto, s, e);
}

void viewer_files_drop(struct viewer_files *f)
{
	output_drop(&f->perfetto);
}
