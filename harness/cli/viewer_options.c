#include "cli/viewer_options.h"

#include <string.h>

#include "cli/cli.h"
#include "konata/konata_file.h"
#include "perfetto/perfetto_file.h"

enum { KEY_PERFETTO = 0x4100, KEY_KONATA, KEY_KONATA_FILTER };

static const struct argp_option options[] = {
	{0, 0, NULL, 0, "Traces for viewers:", HELP_VIEWERS},
	{"perfetto", KEY_PERFETTO, "FILE", 0, "write CTAs, warps, metrics and loads for Perfetto", HELP_VIEWERS},
	{"konata", KEY_KONATA, "FILE", 0, "write pipeline stages per cycle for Konata", HELP_VIEWERS},
	{"konata-filter", KEY_KONATA_FILTER, "FILTER", 0, "only sm=0,cta=0-3,warp=1,cycles=0-999", HELP_VIEWERS},
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
	case KEY_KONATA:
		o->konata = arg;
		return 0;
	case KEY_KONATA_FILTER:
		o->konata_filter = arg;
		return 0;
	case ARGP_KEY_END:
		if (o->konata_filter && !o->konata)
			argp_error(state, "--konata-filter needs --konata FILE");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

const struct argp viewer_options_argp = {options, parse, NULL, NULL, NULL, NULL, NULL};

void viewer_options_apply(const struct viewer_options *o, struct session_options *s)
{
	s->timeline |= o->perfetto != NULL;
	s->warp_ends = o->perfetto != NULL;
	s->pipelines = o->konata != NULL;
	s->pipelines_filter = o->konata_filter;
}

int viewer_files_open(struct viewer_files *f, const struct viewer_options *o, struct err *e)
{
	return output_open(&f->perfetto, o->perfetto, e) == 0 ? output_open(&f->konata, o->konata, e) : -1;
}

int viewer_files_save(struct viewer_files *f, const struct session *s, struct err *e)
{
	return perfetto_file_save(&f->perfetto, s, e) == 0 ? konata_file_save(&f->konata, s, e) : -1;
}

void viewer_files_drop(struct viewer_files *f)
{
	output_drop(&f->perfetto);
	output_drop(&f->konata);
}

void viewer_files_print(const struct session *s, FILE *to)
{
	konata_file_print(s, to);
}
